"""Figures of one moment."""

from __future__ import annotations

import io

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from devs_robotics.experimental_frames.report.drawing import STYLE
from devs_robotics.view import colours
from devs_robotics.view.export.export import exported
from devs_robotics.view.export.options import Options
from devs_robotics.view.scene import Disc, Mark
from tests.devs_robotics.view.recorded import Recorded

MOMENT = Options(begin=6.0, end=6.0, size=600)


@pytest.mark.parametrize(("ending", "begins"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_the_same_moment_is_the_same_file(recorded: Recorded, ending: str, begins: bytes) -> None:
    _, replay = recorded("convoy_in_the_loop", "mcap")
    content = exported(replay, ending, MOMENT, STYLE)
    assert content.startswith(begins)
    assert content == exported(replay, ending, MOMENT, STYLE)


def test_kinds_of_robots_differ_in_more_than_colour(recorded: Recorded) -> None:
    _, replay = recorded("convoy_in_the_loop", "mcap")
    text = exported(replay, ".svg", MOMENT, STYLE).decode()
    assert f"fill: {colours.KINDS['real']}" in text
    assert f"fill: {colours.KINDS['virtual']}" not in text
    dashed = [line for line in text.splitlines() if "stroke-dasharray" in line]
    assert dashed
    assert all(colours.KINDS["counterpart"] in line for line in dashed)
    for words in ("real robots: fixes of the tracking system, 6.0 s", "models, 6.0 s"):
        assert f"<!-- {words} -->" in text


def test_a_figure_has_the_size_that_is_asked_for_and_shows_the_marks(recorded: Recorded) -> None:
    _, replay = recorded("forage", "mcap")
    with Image.open(io.BytesIO(exported(replay, ".png", MOMENT, STYLE))) as image:
        assert image.width == MOMENT.size
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
    orange = np.array(colours.rgb("orange", ""))
    assert (np.abs(pixels.astype(int) - orange).sum(axis=1) < 10).sum() > 50


def test_texts_of_marks_are_no_formulas(recorded: Recorded) -> None:
    _, replay = recorded("forage", "mcap")
    bodies = {"price": Mark(Disc(3.0, 3.0, 1.0), "$x^$ and $6", filled=True)}
    scene = replace(replay.scene, marks=bodies)
    with_text = exported(replace(replay, scene=scene), ".svg", MOMENT, STYLE)  # a formula would be a mistake
    bare = {"price": Mark(Disc(3.0, 3.0, 1.0), filled=True)}
    assert with_text != exported(replace(replay, scene=replace(scene, marks=bare)), ".svg", MOMENT, STYLE)
