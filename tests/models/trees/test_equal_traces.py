"""A tree that leaves idle ticks out says what it says when it makes them all, and at the same times to the bit."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from devs_robotics.core.testing.simulations import Inputs, Simulations
from tests.models.trees.gardens import PLANTS, SECONDS, TIMES, Garden, Plant, Surroundings, instant

UNTIL = 5.0

Said = dict[str, list[tuple[float, Any]]]

WALK: Plant = (
    "selector",
    False,
    ("sequence", False, ("warned", False), ("acts", True)),
    ("sequence", True, ("asks", False), ("limit", 0.5, ("acts", False)), ("pause", 0.3)),
)

CHANCE: Plant = ("sequence", True, ("pause", 0.3), ("waits", None, ("chance", None)), ("acts", False))


def run(garden: Garden, delays: tuple[float, float], inputs: Inputs) -> Said:
    simulations = Simulations()
    trace = simulations.run(Surroundings(garden, delays), until=UNTIL, inputs=inputs)
    simulations.close()
    return {name: trace.outputs(name) for name in ("first", "second", "said")}


@settings(max_examples=60, deadline=None)
@given(
    plant=PLANTS,
    delays=st.tuples(SECONDS, SECONDS),
    sights=st.lists(st.tuples(TIMES, st.integers(0, 4)), max_size=8),
    warnings=st.lists(st.tuples(TIMES, st.booleans()), max_size=8),
)
@example(plant=CHANCE, delays=(0.0, 0.0), sights=[], warnings=[])
@example(plant=WALK, delays=(0.0, 1.0), sights=[], warnings=[(instant(0.3), True), (instant(1.0), False)])
def test_what_it_says_is_equal(
    plant: Plant,
    delays: tuple[float, float],
    sights: list[tuple[float, int]],
    warnings: list[tuple[float, bool]],
) -> None:
    inputs: Inputs = {"sight": sorted(sights), "warning": sorted(warnings)}
    periodic, sparing = Garden("garden", plant, idle_ticks=True), Garden("garden", plant)
    assert run(periodic, delays, inputs) == run(sparing, delays, inputs)
    assert sparing.ticks <= periodic.ticks


def test_a_tree_that_waits_makes_few_ticks() -> None:
    inputs: Inputs = {"warning": [(1.04, True), (3.0, False)]}
    periodic, sparing = Garden("garden", WALK, idle_ticks=True), Garden("garden", WALK)
    said = run(sparing, (0.25, 1.0), inputs)
    assert said == run(periodic, (0.25, 1.0), inputs)
    assert said["first"][0][0] == 0.0
    assert instant(1.1) in [time for time, _ in said["second"]]  # the warning of 1.04 s
    assert periodic.ticks == 51
    assert sparing.ticks < 30


def test_a_value_at_the_instant_of_a_tick_counts_at_the_next_one() -> None:
    plant: Plant = ("sequence", False, ("warned", False), ("acts", False))
    for idle_ticks in (False, True):
        garden = Garden("garden", plant, idle_ticks=idle_ticks)
        said = run(garden, (0.0, 9.0), {"warning": [(instant(0.3), True)]})
        assert [time for time, _ in said["second"]] == [instant(0.4)]
