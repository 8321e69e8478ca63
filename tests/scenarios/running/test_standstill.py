"""What is said of a real robot whose guard refuses move after move: in the run, after it, and on its page."""

from __future__ import annotations

from math import pi

import pytest

from devs_robotics import Actuator, Atomic, Drive, Driven
from devs_robotics.experimental_frames.report.real_sections import real_sections
from devs_robotics.models.activities import Guard
from devs_robotics.models.activities.guard import Refusals
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.running import going
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.running.standstill import HOPELESS, why_it_stands
from devs_robotics.scenarios.running.summary import summary
from devs_robotics.study import CaseStudy, CaseSystem, Length, robots


class Headlong(Atomic):
    """It wants to go on as far as ever, whatever it hears; or once only."""

    motor = Actuator(Drive, Driven)

    def __init__(self, name: str, way: float, *, once: bool = False) -> None:
        super().__init__(name)
        self.way, self.once = way, once

    def initialize(self) -> None:
        self.activate("commanding")

    def lambdaf(self) -> None:
        self.motor.ask.add(Drive(0.0, self.way))

    def deltint(self) -> None:
        self.passivate("under way")

    def deltext(self, e: float) -> None:
        if self.motor.answer and not self.once:
            self.activate("commanding")


class HeadlongStudy(CaseStudy):
    """A robot 90 cm before a wall."""

    way: Length = 1.25

    def build(self, system: CaseSystem) -> None:
        robot = system.add_robot((1.0, 2.0, pi), robots.round_differential(radius=0.1, speed=2.5))
        robot.decide(Headlong("headlong", self.way))


SAID = (
    "robot 1 stood still: its guard refused 13 moves in a row, the last one of 1.25 m, where 0.9 m were free: let its "
    "decision model plan no move that is longer than the way ahead of the body, or correct [field], if nothing is there"
)


def test_a_robot_that_is_refused_for_ever_does_not_stand_still_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(going, "LOOKS", 0.0)
    told: list[str] = []
    scenario = scenario_of(HeadlongStudy(), duration=6.25, real={"1": {}})
    outcome = run(scenario, Means(stage="loop", lab="inside"), Hooks(tell=told.append))
    assert f"  warning: {SAID}" in outcome_lines(outcome)
    (note,) = [each for each in told if "stood still" in each]
    assert note == SAID.replace("13 moves", f"{HOPELESS} moves"), "as soon as it is seen, and once"
    (section,) = real_sections(summary(outcome), None, None)
    assert SAID[1:] in str(section.tables[0].note)


def test_one_that_is_refused_now_and_then_is_not_said_to_stand() -> None:
    guard = Guard("guard", 3)
    guard.refused, guard.hopeless = 500, Refusals(HOPELESS - 1, 0.5, 0.25)
    assert why_it_stands(3, guard) == ""


def test_what_is_to_be_free_beyond_a_move_is_said_with_the_settings_that_it_comes_from() -> None:
    guard = Guard("guard", 3, clearance=0.13)
    guard.hopeless = Refusals(1200, 0.25, 0.3125)
    assert why_it_stands(3, guard) == (
        "robot 3 stood still: its guard refused 1,200 moves in a row, the last one of 0.25 m, where 0.312 m were free "
        "and it needs 0.13 m beyond the end of a move, as it rolls on so far when its host dies: let its decision "
        "model keep a clearance of more than 0.13 m, or lower robot.speed, or let the robot stop sooner "
        "(real.3.watchdog)"
    )
