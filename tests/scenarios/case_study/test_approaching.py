"""`frame.approaches` where robots are on their way at every instant: the same in all stages, and as certify has it."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

from devs_robotics.experimental_frames.instruments.approach import Approach, Approached
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.certifying.certify import judge_run
from devs_robotics.scenarios.conformance import Examination
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage
from devs_robotics.study import CaseStudy, CaseSystem, Length, robots
from tests.approximately import near
from tests.scenarios.running.test_standstill import Headlong


class PassingStudy(CaseStudy):
    """Two robots pass each other head-on, at 0.5 m/s each, and are far from each other before and after."""

    aside: Length = 0.205
    """From the way of one to that of the other (m)."""

    def build(self, system: CaseSystem) -> None:
        kind = robots.round_differential(radius=0.1, speed=0.5, continuous=True)
        for pose in ((1.0, 2.0, 0.0), (4.0, 2.0 + self.aside, pi)):
            system.add_robot(pose, kind).decide(Headlong("headlong", 3.0, once=True))


def passing(aside: float = 0.205) -> Scenario:
    tables: dict[str, Any] = {"stand_in": {"perfect": True}, "clock": {"rate": 60.0}, "frame": {"approaches": True}}
    return scenario_of(PassingStudy(aside=aside), duration=7.0, **tables)


@pytest.mark.parametrize("stage", ["fast", "loop", "real"])
def test_how_near_two_come_that_pass_each_other_is_said_in_every_stage(stage: Stage) -> None:
    outcome = run(passing(), Means(stage=stage, lab="process" if stage == "fast" else "inside"))
    found, case = outcome.approaches, case_of(outcome.scenario)
    assert isinstance(found, Approached)
    assert found.between_robots == pytest.approx(0.005, abs=1e-3)
    assert found.worst == Approach(1, "robot 2", near(0.005, 1e-3), near(3.0, 0.05))
    assert case.columns(outcome)["smallest_distance_m"] == found.between_robots
    titles = {title: value for title, value, _ in case.lines(outcome)}
    assert (titles["smallest distance between bodies"], titles["collisions"]) == ("0.5", "0")


def test_certify_has_the_same_clearance() -> None:
    found = run(passing()).approaches
    assert found is not None
    assert judge_run(passing(), 1).judgement.clearance.value == near(found.between_robots)


def test_conform_says_that_bodies_do_not_keep_apart() -> None:
    for aside, keep in ((0.205, False), (0.255, True)):
        of = passing(aside)
        examined = case_of(of).conform(of, Examination("large", {}))
        (line,) = [line for line in examined.lines if "bodies keep apart" in line]
        assert line.split()[0] == ("ok" if keep else "NO")
        assert ("none came closer than 3 cm" if keep else "robot 1 came within 0.5 cm of robot 2 at 3.0 s") in line
