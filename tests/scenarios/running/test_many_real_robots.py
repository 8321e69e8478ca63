"""What comes for one real robot costs the others nothing, however many there are."""

from __future__ import annotations

from typing import Any

import msgspec
from xdevs.models import Atomic, Port

from devs_robotics import Packet, Simulator
from devs_robotics.core.observe import Observer
from devs_robotics.core.ports import component_path
from devs_robotics.hil.robot_protocol import Fix
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up

ROBOTS = 12


class Fixes(Observer):
    """Which models receive a fix."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        if port.name == "fix":
            self.seen.append(component_path(model))


def test_a_fix_reaches_the_motor_of_its_robot_and_no_other() -> None:
    settings = [f"convoy.robots={ROBOTS}", *(f"real.{robot}.infrared=virtual" for robot in range(2, ROBOTS + 1))]
    model, fixes = experiment(set_up(load("convoy", settings), "loop")), Fixes()
    assert model.tracking is not None
    assert model.localisation is not None
    with Simulator(model) as simulator:
        simulator.attach(fixes)
        for robot in (7, 3):
            simulator.inject(model.tracking, Packet(msgspec.json.encode(Fix(robot, 1.0, 1.0, 0.0))), at=0.0)
            simulator.run(until=0.0)
    assert fixes.seen == [f"experiment/system/robot{robot}/motor" for robot in (7, 3)]
    assert [row.robot for row in model.localisation.rows] == [7, 3]
