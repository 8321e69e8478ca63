"""Figures of one moment."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.figure import Figure
from msgspec.structs import replace
from PIL import Image

from devs_robotics.experimental_frames.report.drawing import STYLE
from devs_robotics.view import colours
from devs_robotics.view.export.drawing import Moments, Round, Way, moving
from devs_robotics.view.export.export import exported
from devs_robotics.view.export.options import Options, windows_of
from devs_robotics.view.replay import Replay
from devs_robotics.view.scene import Disc, Mark, Scene, SceneBody
from tests.devs_robotics.view.recorded import Recorded
from tests.devs_robotics.view.timelines import TICKS, written

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


@pytest.mark.parametrize("crowd", [1, 12, 40])
def test_words_cover_no_others_and_stay_in_the_field(monkeypatch: pytest.MonkeyPatch, crowd: int) -> None:
    """As matplotlib has drawn them, halo included: robots in a heap, marked, and with zones that have names."""
    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *where, **how: drawn.append(figure))
    rng = np.random.default_rng(crowd)
    places = rng.uniform(0.0, 1.5, (crowd, 2))
    bodies = tuple(SceneBody(slot, slot + 1, f"robot {slot + 1}", radius=0.1) for slot in range(crowd))
    marks = {f"battery {n}": Mark(text=f"{n + 50} % left", robot=n + 1) for n in range(crowd)}
    marks |= {f"zone {n}": Mark(Disc(x, y, 0.2), f"zone {n}") for n, (x, y) in enumerate(places[::3].tolist())}
    scene = Scene(title="a heap", width=1.6, height=1.6, bodies=bodies, marks=marks)
    timeline = written([(x, y, 0.0) for x, y in places.tolist()], [], TICKS)
    exported(Replay(scene=scene, timeline=timeline), ".png", Options(begin=0.0, end=0.0, size=600), STYLE)
    (figure,) = drawn
    figure.draw_without_rendering()
    (axes,) = figure.axes
    inside = axes.get_window_extent()
    areas = [text.get_window_extent() for text in axes.texts]
    assert len(areas) >= min(crowd, 6)
    for number, area in enumerate(areas):
        assert inside.x0 - 1 <= area.x0 < area.x1 <= inside.x1 + 1
        assert inside.y0 - 1 <= area.y0 < area.y1 <= inside.y1 + 1
        assert not any(area.overlaps(other) for other in areas[:number])


def test_texts_of_marks_are_no_formulas(recorded: Recorded) -> None:
    _, replay = recorded("forage", "mcap")
    bodies = {"price": Mark(Disc(3.0, 3.0, 1.0), "$x^$ and $6", filled=True)}
    scene = replace(replay.scene, marks=bodies)
    with_text = exported(replace(replay, scene=scene), ".svg", MOMENT, STYLE)  # a formula would be a mistake
    bare = {"price": Mark(Disc(3.0, 3.0, 1.0), filled=True)}
    assert with_text != exported(replace(replay, scene=replace(scene, marks=bare)), ".svg", MOMENT, STYLE)


def test_what_joined_later_does_not_look_like_a_robot() -> None:
    """Recordings tell where it is, but not what: the legs of carriers, for instance."""
    scene = Scene(title="a thing", width=4.0, height=4.0, bodies=(SceneBody(0, 1, "robot 1", radius=0.2),))
    timeline = written([(1.0, 1.0, 0.0)], [(TICKS, 1, (3.0, 3.0, 0.0), (0.0, 0.0))], 3 * TICKS)
    moments = Moments(Replay(scene=scene, timeline=timeline))
    (window,) = windows_of(scene, "")
    pieces = list(moving(moments, moments.posing.at(2.0), {}, window, 0))
    (thing,) = (piece for piece in pieces if isinstance(piece, Round) and piece.radius == 0.0)
    assert ((thing.x, thing.y), thing.stroke) == ((3.0, 3.0), None)
    (nose,) = (piece for piece in pieces if isinstance(piece, Way))
    assert nose.points == ((1.0, 1.0), (1.2, 1.0))
