"""Robots that are put together: what is coupled with what, and every error word by word."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

from devs_robotics import Actuator, Atomic, Drive, Driven, In, ModelError, Sense, Simulator, Touch
from devs_robotics.models.convoy.avoid import Avoid
from devs_robotics.models.robots import Robot
from tests.models.robots.small_world import Errand, Eye, Light, Looker, Seen, Watcher, small_system


def robot_in(real: bool = False) -> Robot:
    return small_system(real=real).add_robot((1.0, 1.0, 0.0))


def equipped(robot: Robot) -> Eye:
    """An eye that it has."""
    eye = Eye("eye")
    robot.equip(eye)
    return eye


def test_a_decision_model_is_coupled_with_the_one_service_of_each_kind() -> None:
    robot = robot_in()
    errand = robot.decide(Errand())
    assert robot.decisions == [errand]
    assert set(robot.ic[errand.motor.ask]) == {robot.motor.ask}
    assert set(robot.ic[robot.motor.answer]) == {errand.motor.answer}


def test_equipment_knows_its_robot_and_is_found_by_its_name() -> None:
    system = small_system()
    system.add_robot((1.0, 1.0, 0.0))
    robot = system.add_robot((2.0, 2.0, 0.0))
    eye = Eye("eye")
    assert robot.equip(eye) is eye
    assert (eye.robot, robot.eye, robot.decide(Watcher())) == (2, eye, robot.watcher)
    with pytest.raises(AttributeError, match=r"^Robot has nothing that is called 'nose'$"):
        _ = robot.nose
    assert copy.deepcopy(robot).eye is not eye


def test_a_model_may_say_which_of_two_it_uses_by_the_equipment_or_by_its_service() -> None:
    system = small_system()
    robot = system.add_robot((1.0, 1.0, 0.0))
    left, right = Eye("left"), Eye("right")
    robot.equip(left)
    robot.equip(right)
    first = robot.decide(Watcher("first"), eye=robot.left)
    second = robot.decide(Watcher("second"), eye=robot.right.sight)
    assert set(robot.ic[first.eye.ask]) == {left.sight.ask}
    assert set(robot.ic[second.eye.ask]) == {right.sight.ask}
    system.add(Light())
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run()
    assert [first.seen, second.seen] == [[Seen(1, 1)], [Seen(1, 2)]], "each was asked once, and answered itself"


def test_sensors_may_be_asked_by_several() -> None:
    robot = robot_in()
    robot.decide(Looker("one"))
    robot.decide(Looker("two"))
    assert len(robot.ic[robot.infrared.answer]) == 4


def test_the_upper_of_two_layers_takes_the_motor_over_and_inhibits_the_lower() -> None:
    robot = robot_in()
    upper, lower = Avoid("avoid", 0.05), Obedient("errand")
    robot.layers(upper, lower)
    assert robot.decisions == [upper, lower]
    assert set(robot.ic[upper.motor.ask]) == {robot.equipment.motor.override.ask}
    assert set(robot.ic[lower.motor.ask]) == {robot.equipment.motor.drive.ask}
    assert set(robot.ic[upper.whiskers.ask]) == {robot.whiskers.ask}
    (said,) = (port for port in upper.out_ports if port.p_type is lower.inhibited.p_type)
    assert set(robot.ic[said]) == {lower.inhibited}


INHIBITION = next(port.p_type for port in Avoid("avoid", 0.05).out_ports if port.p_type not in (Drive, Sense, Touch))


class Obedient(Errand):
    """Stops when the layer above says so."""

    inhibited = In[Any](INHIBITION)


class Torn(Obedient):
    """Has two ports for the same."""

    also = In[Any](INHIBITION)


class Strange(Atomic):
    """Wants what nothing has."""

    arm = Actuator(Driven, Drive)


WATCHERS: list[tuple[Callable[[Robot], object], str]] = [
    (
        lambda robot: robot.decide(Watcher()),
        (
            "robot1 has nothing that answers Watcher.eye (Sense to Seen); it has motor (Drive to Driven); infrared "
            "(Sense to Ranges); whiskers (Sense to Touch): give it one by robot.equip(...)"
        ),
    ),
    (
        lambda robot: [robot.equip(Eye("left")), robot.equip(Eye("right")), robot.decide(Watcher())],
        (
            "robot1 has several that answer Watcher.eye (Sense to Seen): robot.left.sight, robot.right.sight: say "
            "which, robot.decide(model, eye=robot.left.sight)"
        ),
    ),
    (
        lambda robot: robot.decide(Watcher(), eye=robot.infrared),
        (
            "robot1: eye=system/robot1/infrared.ranging does not answer Watcher.eye (Sense to Seen): name equipment of "
            "this robot that does"
        ),
    ),
    (
        lambda robot: robot.decide(Watcher(), eye=equipped(robot).world),
        "robot1: eye=system/robot1/eye.world does not answer Watcher.eye (Sense to Seen): name equipment of this",
    ),
    (
        lambda robot: robot.decide(Watcher(), eye=small_system().add_robot((1.0, 1.0, 0.0)).equip(Eye("eye"))),
        "robot1: eye=system/robot1/eye does not answer Watcher.eye (Sense to Seen): name equipment of this robot",
    ),
    (
        lambda robot: robot.decide(Watcher(), eye="left"),
        "robot1: eye='left' does not answer Watcher.eye (Sense to Seen): name equipment of this robot that does",
    ),
    (
        lambda robot: robot.decide(Errand(), wheels=robot.motor),
        "system/robot1/errand has no sensor or actuator 'wheels': it has motor",
    ),
    (
        lambda robot: robot.decide(Watcher("blind"), motor=robot.motor),
        "system/robot1/blind has no sensor or actuator 'motor': it has eye",
    ),
    (
        lambda robot: [robot.decide(Errand("one")), robot.decide(Obedient("two"))],
        (
            "robot1: Obedient.motor wants the motor, which Errand has: let one model decide, or put one above the "
            "other by robot.layers(upper, lower)"
        ),
    ),
    (
        lambda robot: robot.decide(Strange("strange")),
        "robot1 has nothing that answers Strange.arm (Driven to Drive); it has motor (Drive to Driven);",
    ),
    (
        lambda robot: robot.layers(Avoid("avoid", 0.05), Torn("torn")),
        "system/robot1/avoid.inhibit fits inhibited, also of system/robot1/torn: couple them by robot.add_coupling",
    ),
    (
        lambda robot: robot.equip(Errand()),  # type: ignore[arg-type]
        "robot1.equip takes an activity, not ",
    ),
    (
        lambda robot: robot.equip(Eye("motor")),
        "model system/robot1 already has a component named 'motor': give the second one another name",
    ),
]


@pytest.mark.parametrize(("put_together", "sentence"), WATCHERS)
def test_what_does_not_fit_is_told_with_the_robot_the_model_and_the_remedy(
    put_together: Callable[[Robot], object], sentence: str
) -> None:
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}"):
        put_together(robot_in())


def test_a_real_robot_has_no_equipment_that_is_a_model() -> None:
    sentence = (
        "robot1 is real in this stage, and its eye is a model: run in the stage loop, where equipment may be virtual"
    )
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}$"):
        robot_in(real=True).equip(Eye("eye"))
