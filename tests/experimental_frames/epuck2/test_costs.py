"""Costs: who stands where in the arenas, and what is made of measured times."""

from __future__ import annotations

from math import hypot

import pytest

from devs_robotics.experimental_frames.epuck2.costs.arenas import NOTHING_NEAR, PARTS, modes, poses, sensor_arena
from devs_robotics.experimental_frames.epuck2.costs.measuring import LEAST, Cost, Costs, Effort, measured
from devs_robotics.experimental_frames.epuck2.costs_tables import batteries, sensors
from devs_robotics.experimental_frames.epuck2.published import SENSORS, SIZES
from devs_robotics.models.batteries import DISCHARGES
from devs_robotics.models.environment import Floor, Lamp, Segment
from tests.approximately import near


@pytest.mark.parametrize("arena", PARTS)
def test_an_arena_has_what_the_paper_says_and_nobody_touches_anything(arena: str) -> None:
    field = sensor_arena(arena, "none", 50, 1.0).field
    walls = [shape for shape in field.obstacles if isinstance(shape, Segment)]
    assert len(walls) == (4 if arena in ("proximity", "time of flight") else 0)
    assert len(field.things.of(Lamp)) == {"light": 6, "camera": 8}.get(arena, 0)
    assert len(field.things.of(Floor)) == (arena == "ground")
    places = list(zip(field.x, field.y, strict=True))
    assert len(set(places)) == 50
    apart = [hypot(x - a, y - b) for number, (x, y) in enumerate(places) for a, b in places[:number]]
    assert min(apart) > 0.1
    room = [wall.distance(x, y) - 0.035 for wall in walls for x, y in places]
    assert min(room, default=0.02) == near(0.02)
    assert all(hypot(lamp.x - x, lamp.y - y) > 0.05 for lamp in field.things.of(Lamp) for x, y in places)


def test_fewer_robots_are_some_of_the_same_places() -> None:
    for size in SIZES:
        assert poses(size, 0.2) == poses(50, 0.2)[:size]


def test_all_is_measured_in_every_way_in_which_it_can_be_used() -> None:
    found = list(measured(Effort(2, 0.5), sizes=(1,)))
    keys = [(cost.what, cost.mode) for cost in found]
    assert keys[: -1 - 2 * len(DISCHARGES)] == [(arena, mode) for arena in PARTS for mode in modes(arena)]
    assert keys[-1 - 2 * len(DISCHARGES) :] == [("battery", "none")] + [
        (name, mode) for name in DISCHARGES for mode in ("read", "level")
    ]
    assert all(len(cost.spent) == 2 and min(cost.spent) >= 0.0 for cost in found)
    assert {cost.simulated for cost in found[:4]} == {11 * LEAST}
    by_key = {(cost.what, cost.mode): sum(cost.spent) for cost in found}
    assert by_key[NOTHING_NEAR, "changes"] < by_key[NOTHING_NEAR, "read"]


def cost(what: str, mode: str, spent: tuple[float, ...], robots: int = 50) -> Cost:
    return Cost(what, mode, robots, 72.0, spent)  # type: ignore[arg-type]


def test_times_are_of_two_hours_and_differences_are_taken_repeat_by_repeat() -> None:
    """A repeat that is twice as slow as the other says the same of a difference."""
    none, read = cost("light", "none", (0.01, 0.02)), cost("light", "read", (0.03, 0.06))
    assert none.mean.mean == near(1.5)
    longer = read.longer_than(none)
    assert (longer.mean, longer.interval.half_width) == (near(200.0), near(0.0, 1e-6))


def test_what_was_not_measured_is_a_dash_and_what_is_published_stands_beside() -> None:
    some = (cost("light", "none", (0.01, 0.02)), cost("light", "read", (0.03, 0.06)))
    text = "".join(
        [*sensors(Costs("a day", "a machine", Effort(2, 1.0), some)), *batteries(Costs("", "", Effort(2, 1.0), ()))]
    )
    assert "| light | 50 | 1.5 ± 6.4 | 4.5 ± 19 | 200 ± 0 | 53 | – | – |" in text
    assert "| light | 1 | – | – | – | – | – | – |" in text
    assert "| 50 | cubic | 15.54 (sd 0.44) | +2.9 | – | – | – | – |" in text
    assert all(text.count(f"| {sensor} |") == len(SIZES) for sensor in SENSORS)
