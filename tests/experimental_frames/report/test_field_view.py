"""The field from above."""

from __future__ import annotations

import re
from math import pi
from typing import Any

import msgspec
import pytest

from devs_robotics.experimental_frames.report.colours import ACCENT, INK
from devs_robotics.experimental_frames.report.field_view import FieldView, legend, top_view

OBSTACLES: list[dict[str, Any]] = [
    {"shape": "box", "x": 3.0, "y": 4.0, "width": 1.0, "height": 2.0, "heading": 0.5},
    {"shape": "circle", "x": 8.0, "y": 4.0, "radius": 1.0},
    {"shape": "polygon", "corners": [[2.0, 2.0], [2.2, 2.0], [2.1, 5.0]]},
]


def view(robots: int, marked: int = 0, height: float = 8.0, obstacles: Any = ()) -> FieldView:
    poses = [(1.0 + number, 2.0, pi / 3.0) for number in range(robots)]
    tracks = [[(x - 0.5, y), (x, y)] for x, y, _ in poses]
    return FieldView(12.0, height, 0.1, poses, tracks, obstacles, marked)


@pytest.mark.parametrize("robots", [1, 5])
@pytest.mark.parametrize("height", [8.0, 2.0])
def test_any_robots_in_any_field_are_drawn_and_always_alike(robots: int, height: float) -> None:
    drawn = top_view(view(robots, height=height, obstacles=OBSTACLES))
    assert drawn.startswith('<svg role="img" aria-label="The field from above')
    assert drawn == top_view(view(robots, height=height, obstacles=OBSTACLES))


def test_one_robot_stands_out_if_it_is_to() -> None:
    assert ACCENT not in top_view(view(3))
    coloured = re.findall(rf"(?:fill|stroke): {ACCENT}", top_view(view(3, marked=2)))
    assert len(coloured) >= 4  # a body and a track in either picture


def test_real_robots_are_filled_and_virtual_ones_are_not() -> None:
    def filled(drawn: str) -> int:
        return len(re.findall(rf"fill: {INK}[^>]*stroke: {INK}", drawn))

    mixed = msgspec.structs.replace(view(3), real=(2, 3))
    assert filled(top_view(mixed)) - filled(top_view(view(3))) == 4  # in either picture
    assert "hollow" in legend(mixed, "the leader")
    assert legend(view(3), "the leader") == ""
    assert "the leader" in legend(view(3, marked=1), "the leader")


def test_each_obstacle_and_track_is_in_the_picture() -> None:
    lines = [drawn.count("<path") for drawn in (top_view(view(3)), top_view(view(3, obstacles=OBSTACLES)))]
    assert lines[1] == lines[0] + 2 * len(OBSTACLES)


def test_robots_that_stand_all_over_the_field_are_not_zoomed_in() -> None:
    spread = FieldView(12.0, 8.0, 0.1, [(1.0, 1.0, 0.0), (11.0, 7.0, 0.0)], [[], []])
    assert "at the end" not in top_view(spread)
    assert "at the end" in top_view(view(5))


def test_where_the_second_picture_looks_can_be_chosen() -> None:
    whole = view(5)
    assert top_view(whole, whole.poses[:2], "the first two") != top_view(whole)
    assert "the first two" in top_view(whole, whole.poses[:2], "the first two")


def test_without_walls_all_ways_are_in_the_picture() -> None:
    """The line where walls would be is dotted, and so is drawn otherwise."""
    poses, tracks = [(30.0, -20.0, 0.0)], [[(1.0, 1.0), (30.0, -20.0)]]
    drawn = [top_view(FieldView(12.0, 8.0, 0.1, poses, tracks, walled=walled)) for walled in (True, False)]
    assert [each.count("stroke-dasharray") for each in drawn] == [0, 2]
