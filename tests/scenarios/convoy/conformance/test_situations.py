"""Scenarios in which teams are tested."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.convoy.conformance.situations import for_rounds, of_size, situations
from devs_robotics.scenarios.convoy.settings import (
    ConvoyFrameTable,
    ConvoyNoiseTable,
    ConvoyRunTable,
    ConvoyScenario,
    ConvoyTable,
    LeaderTable,
)
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.settings.tables import FieldTable, RealTable
from tests.approximately import near

POSES = ((5.0, 5.0, 0.0), (4.5, 5.0, 0.0), (4.0, 5.0, 0.0))


def test_a_situation_is_only_there_where_it_is_something_else() -> None:
    small = ConvoyScenario(convoy=ConvoyTable(robots=4))
    assert list(situations(small)) == ["as it is", "with the most noise", "in a narrow field"]
    assert situations(small)["as it is"] is small
    assert situations(small)["with the most noise"].noise == ConvoyNoiseTable(dnf=0.2, anf=0.1)
    for changes, left_out in (
        ({"noise": ConvoyNoiseTable(dnf=0.2, anf=0.1)}, "with the most noise"),
        ({"leader": LeaderTable(path=((0.0, 1.0),))}, "in a narrow field"),
        ({"convoy": ConvoyTable(robots=3, poses=POSES)}, "in a narrow field"),
    ):
        assert left_out not in situations(small.model_copy(update=changes))
    assert "with the most noise" in situations(small.model_copy(update={"noise": ConvoyNoiseTable(dnf=0.2, anf=0.09)}))


def test_a_narrow_field_is_four_metres_longer_than_the_line() -> None:
    field = situations(ConvoyScenario(convoy=ConvoyTable(robots=4, distance=0.5)))["in a narrow field"].field
    assert (field.width, field.height) == (near(5.5), near(5.5))


@pytest.mark.parametrize(("has", "wanted", "rounds"), [(None, 30, 30), (12, 30, 12), (30, 12, 12), (12, 12, 12)])
def test_a_scenario_is_run_for_so_many_rounds_as_it_has(has: int | None, wanted: int, rounds: int) -> None:
    found = for_rounds(ConvoyScenario(run=ConvoyRunTable(rounds=has, duration=60.0)), wanted)
    assert (found.run.rounds, found.run.duration) == (rounds, None)


@pytest.mark.parametrize(("transient", "kept"), [(11, 11), (12, None), (13, None), (None, None)])
def test_a_transient_that_leaves_nothing_is_left_open(transient: int | None, kept: int | None) -> None:
    scenario = ConvoyScenario(frame=ConvoyFrameTable(transient_rounds=transient, parted=2.0))
    assert for_rounds(scenario, 12).frame == ConvoyFrameTable(transient_rounds=kept, parted=2.0)


def test_a_smaller_team_keeps_its_first_robots_and_what_is_said_of_them() -> None:
    scenario = ConvoyScenario(
        convoy=ConvoyTable(robots=3, poses=POSES), real={"2": RealTable(), "3": RealTable(motor="virtual")}
    )
    two, three = of_size(scenario, 2), of_size(scenario, 3)
    assert (two.convoy.robots, two.convoy.poses, list(two.real)) == (2, POSES[:2], ["2"])
    assert (three.convoy.poses, list(three.real)) == (POSES, ["2", "3"])


def test_a_larger_team_has_poses_of_its_own() -> None:
    assert of_size(ConvoyScenario(convoy=ConvoyTable(robots=3, poses=POSES)), 4).convoy == ConvoyTable(robots=4)


def test_a_team_that_does_not_fit_is_refused() -> None:
    narrow = ConvoyScenario(convoy=ConvoyTable(robots=2), field=FieldTable(width=1.0, height=1.0))
    assert of_size(narrow, 2).convoy.robots == 2
    with pytest.raises(ScenarioError, match=r"^with 3 robots: field\.width: 1 m is too small for a line of 3 robots"):
        of_size(narrow, 3)
