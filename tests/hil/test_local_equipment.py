"""Equipment of its own of a robot that is a class in this process."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest

from devs_robotics import Link
from devs_robotics.hil.local import LocalRobot
from devs_robotics.hil.robot_protocol import Ask, Busy, Moved, Sense, State, Told
from tests.hil import test_local
from tests.hil.test_local import PATIENCE, Host, Toy, move

pytestmark = pytest.mark.wall_clock


class Handy(Toy):
    """Has a gripper, which takes until somebody lets it, and a thermometer."""

    def __init__(self) -> None:
        super().__init__()
        self.grip = Event()
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def ask(self, name: str, data: dict[str, Any]) -> dict[str, Any] | None:
        self.asked.append((name, data))
        if name == "gripper":
            self.grip.wait(PATIENCE)
            return {"held": data["close"]}
        if name == "thermometer":
            return {"kelvin": float("nan") if data else 290.0}
        return None


class Hosted(Host):
    """A robot that is open from ``with`` on."""

    def __init__(self, name: str) -> None:
        super().__init__(LocalRobot(f"{__name__}:{name}"))

    def __enter__(self) -> Handy:
        self.robot.open(self)
        self.wait(Link, up=True)
        made = Toy.made[-1]
        assert isinstance(made, Handy)
        return made

    def __exit__(self, *error: object) -> None:
        self.robot.close()


def test_it_is_carried_out_once_while_the_robot_moves_and_answered_as_often_as_it_is_asked_for() -> None:
    host = Hosted("Handy")
    with host as robot:
        host.say(move(1))
        host.say(Ask(4, 2, "gripper", {"close": True}))
        host.say(Ask(4, 2, "gripper", {"close": True}))
        host.wait(Busy, id=2)
        assert host.wait(State, asked=2).moving == 1
        robot.let_go.set()
        host.wait(Moved, id=1)
        robot.grip.set()
        assert host.wait(Told, id=2).data == {"held": True}
        host.say(Ask(4, 2, "gripper", {"close": True}))
        assert host.wait(Told, id=2).data == {"held": True}
        assert robot.asked == [("gripper", {"close": True})]
    assert robot.closed


def test_what_there_is_nothing_to_tell_of_is_over() -> None:
    host = Hosted("Handy")
    with host:
        host.say(Ask(4, 1, "lamp", {}))
        assert host.wait(Told, id=1).data is None


def test_an_answer_that_no_message_can_carry_takes_its_link_down() -> None:
    host = Hosted("Handy")
    with host:
        host.say(Ask(4, 1, "thermometer", {"nan": True}))
        down = host.wait(Link, up=False)
    assert "failed: ValidationError: Expected `float` >= -1e+300" in down.reason


def test_a_class_without_equipment_says_so_with_its_state() -> None:
    with test_local.hosted() as host:
        host.wait(Link, up=True)
        host.say(Ask(4, 1, "gripper", {"close": True}))
        host.say(Sense(4, 2))
        assert host.wait(State).asked is None
        assert not [report for report in host.reports if isinstance(report, Told)]
