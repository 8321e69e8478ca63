"""The shipped cases at their start, and the small ones before the gate."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.start_poses import check_places
from devs_robotics.scenarios.certifying import certify
from devs_robotics.scenarios.settings.loading import load

SHIPPED = (
    "battery",
    "battery_docks",
    "convoy",
    "convoy_obstacles",
    "diffusion",
    "forage",
    "line_following",
    "meet",
    "mixed_walk",
    "phototaxis",
    "swarm",
    "transport",
    "wander",
)


@pytest.mark.parametrize("shipped", SHIPPED)
def test_no_robots_begin_in_each_other_or_in_what_stands(shipped: str) -> None:
    """Seed 19 of phototaxis had two that did."""
    for seed in range(1, 25):
        scenario = load(shipped, [f"run.seed={seed}"])
        case = case_of(scenario)
        assert list(check_places("place", case.resolve(scenario), case.plan(case.resolve(scenario)).robots)) == []


@pytest.mark.parametrize("shipped", ["wander", "forage", "meet"])
def test_the_small_cases_pass_with_nothing_allowed(shipped: str) -> None:
    certificate = certify(load(shipped, ["run.duration=60"]), (1, 2, 3))
    assert certificate.passed, certificate.verdict
    assert (certificate.violations, certificate.allowances) == ((), ())


@pytest.mark.parametrize(
    ("setting", "kind"), [("wandering.clearance=0.05", "fast approach"), ("robot.speed=0.5", "fast approach")]
)
def test_less_room_or_more_speed_than_they_have_room_for_is_refused(setting: str, kind: str) -> None:
    certificate = certify(load("wander", ["run.duration=60", "wandering.robots=12", setting]), (1, 2))
    assert kind in {each["kind"] for each in certificate.violations}
    assert not certificate.passed
