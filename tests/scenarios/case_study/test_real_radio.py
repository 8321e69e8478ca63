"""A radio that is real: what is said is not answered, and what is heard comes unasked."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import Actuator, Atomic, Drive, Driven, In
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn
from devs_robotics.scenarios.running.means import Means
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Frame,
    Heard,
    Radio,
    Say,
    Transducer,
    VirtualRadio,
    metric,
    run,
)


class PlayedRadio(EquipmentStandIn):
    """All robots but the one that says something hear it, once."""

    def __init__(self) -> None:
        self.said: list[tuple[int, str, float]] = []
        self.heard: dict[int, int] = {}

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        self.said.append((robot, question["text"], pose.x))

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        number = self.heard.get(robot, 0)
        if number == len(self.said):
            return None
        self.heard[robot] = number + 1
        sender, text, x = self.said[number]
        if sender == robot:
            return None
        return {"sender": sender, "text": text, "numbers": [], "distance": abs(pose.x - x)}


class Greet(Atomic):
    """Says hello once, and hears."""

    motor = Actuator(Drive, Driven)
    radio = Actuator(Say, Heard)

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.radio.ask.add(Say("hello"))


class Ears(Transducer):
    """Counts what the robots hear."""

    heard = In(Heard)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.senders: list[int] = []

    def deltext(self, e: float) -> None:
        self.senders += [heard.sender for heard in self.heard.values if heard.text == "hello"]

    @metric("greetings heard")
    def greetings(self) -> float:
        return len(self.senders)


class Greeting(CaseStudy):
    """Three robots greet each other by radio."""

    stand_ins = {"radio": f"{__name__}:PlayedRadio"}  # noqa: RUF012

    def build(self, system: CaseSystem) -> None:
        poses = [(1.0 + number, 1.0, 0.0) for number in range(3)]
        system.add(Radio("radio", poses, system.seed))
        for pose in poses:
            robot = system.add_robot(pose)
            robot.equip(VirtualRadio("radio"))
            robot.decide(Greet("greet"))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        ears = frame.add(Ears("ears"))
        for robot in system.robots:
            frame.couple(robot.radio.channel.answer, ears.heard)


@pytest.mark.parametrize("stage", ["fast", "loop", "real"])
def test_everybody_hears_the_others(stage: Any) -> None:
    """In the loop robots are on two channels, since one of them is real: those who share one hear each other."""
    means = Means() if stage == "fast" else Means(lab="inside")
    outcome = run(Greeting(), stage, duration=4.0, means=means, real={"2": {"equipment": {"radio": "real"}}})
    assert outcome.ended == "accepted", outcome.reason
    assert outcome.frames["ears"]["greetings"] == (2.0 if stage == "loop" else 6.0)
