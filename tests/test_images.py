"""The pictures in the documents show what would be seen today."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from matplotlib.figure import Figure
from PIL import Image

from devs_robotics.experimental_frames.report.colours import ACCENT, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import svg
from tests.images import ANIMATED, FOLDER, RECORD, SHOWN, digest, shown_by_figure
from tests.paths import ROOT, names


@pytest.mark.long
@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_not_old(name: str) -> None:
    recorded = json.loads(RECORD.read_text())[name]
    assert digest(name) == recorded, f"docs/images/{name} is old: python -m tests.images {name}"


def test_every_picture_that_a_document_shows_is_made_by_the_command() -> None:
    texts = [path.read_text() for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    used = {name for text in texts for name in re.findall(r"\]\((?:docs/)?images/([^)]+)\)", text)}
    assert used == set(SHOWN) == set(json.loads(RECORD.read_text()))
    assert set(names(FOLDER)) == {*SHOWN, RECORD.name}


@pytest.mark.parametrize("name", ANIMATED)
def test_an_animation_loads_soon_and_shows_the_recording(name: str) -> None:
    assert (FOLDER / name).stat().st_size <= 300_000
    with Image.open(FOLDER / name) as image:
        assert getattr(image, "n_frames", 1) >= 75


def drawn(colour: str = ACCENT, line: str = "-", label: str = "E (cm)", upto: float = 1.0) -> list[str]:
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([0.0, upto], [0.0, 1.0], color=colour, linestyle=line)
    axes.set_xlabel(label)
    return shown_by_figure(svg(figure, "a line"))


def test_another_colour_line_or_word_is_another_picture_and_other_numbers_at_an_axis_are_not() -> None:
    assert drawn() == drawn(upto=0.7)
    others = [drawn(), drawn(colour=PUBLISHED), drawn(line="--"), drawn(label="E (m)")]
    assert all(one != other for one, other in combinations(others, 2))
