"""Batteries of robots that drive by their wheels, and that are charged where they stand in a charger."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import Actuator, AskCharge, Asked, Charge, ModelError, Obstructed, Simulator, Watch, Wheels
from devs_robotics.core.testing.simulations import Simulate
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.batteries import Battery, Charger, LinearDischarge, SimpleDischarge, TurningWheels, WheelSpeed
from devs_robotics.models.environment import Twist
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.models.robots import CaseSystem
from tests.approximately import near
from tests.models.batteries.test_wheels import Asker
from tests.models.robots.small_world import small_system

AXLE = 0.05
LOSING = SimpleDischarge(at_rest=-1e-4, moving=-1e-3)


def turning(simulate: Simulate, **inputs: list[tuple[float, Any]]) -> list[tuple[float, WheelSpeed]]:
    trace = simulate(TurningWheels("wheels", Pace(0.1, 2.0), AXLE), until=100.0, inputs=inputs)
    found: list[tuple[float, WheelSpeed]] = trace.outputs("wheel_speed")
    return [(time, WheelSpeed(round(speed.value, 9))) for time, speed in found]


def test_wheels_that_keep_speeds_turn_as_they_are_told(simulate: Simulate) -> None:
    """About one wheel, on the spot, straight on: of each wheel the speed counts, whichever way it turns."""
    speeds = [(1.0, (0.06, 0.06)), (2.0, (0.0, 0.06)), (3.0, (-0.06, 0.06)), (4.0, (-0.04, 0.02)), (5.0, (0.0, 0.0))]
    expected = [(1.0, 0.06), (2.0, 0.03), (3.0, 0.06), (4.0, 0.03), (5.0, 0.0)]
    wanted = [(time, WheelSpeed(value)) for time, value in expected]
    twists = [(time, Twist(1, (left + right) / 2.0, (right - left) / AXLE)) for time, (left, right) in speeds]
    assert turning(simulate, twist=twists) == wanted
    asked: list[tuple[float, Any]] = [(time, Asked("wheels", Wheels(*each))) for time, each in speeds]
    others = [(2.5, Asked("light", Watch(period=0.1)))]
    assert turning(simulate, asked=sorted(asked + others, key=lambda each: each[0])) == wanted


class Errand(Asker):
    """It rolls to the east for some seconds, and then stays, and asks its battery again and again."""

    wheels = Actuator(Wheels, Obstructed)

    def __init__(self, name: str, seconds: float, period: float = 10.0) -> None:
        super().__init__(name)
        self.seconds, self.period = seconds, period

    def lambdaf(self) -> None:
        self.battery.ask.add(AskCharge((0.25,)))
        now = self.time + self.sigma
        if now in (0.0, self.seconds):
            speed = 0.1 if now < self.seconds else 0.0
            self.wheels.ask.add(Wheels(speed, speed))

    def deltint(self) -> None:
        self.time += self.sigma
        self.hold_in("waiting", self.seconds if self.time < self.seconds else self.period)

    def initialize(self) -> None:
        self.activate()

    def deltext(self, e: float) -> None:
        super().deltext(e)
        self.continuef(e)


def errand(seconds: float, *chargers: Charger, charge: float = 0.5, until: float = 30.0) -> dict[float, float]:
    """Which charge it has at which time."""
    system: CaseSystem = small_system()
    for charger in chargers:
        system.add(charger)
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(VirtualWheels("wheels", AXLE, 0.15))
    robot.equip(Battery("battery", LOSING, charge))
    model = robot.decide(Errand("errand", seconds))
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run(until=until)
    return {round(time, 9): told.value for time, told in model.told}


def test_a_battery_hears_of_wheels_that_are_equipment() -> None:
    found = errand(5.0)
    assert found[5.0] == near(0.5 - 5e-3)
    assert found[25.0] == near(0.5 - 5e-3 - 20e-4)


def test_at_rest_in_a_charger_it_is_charged_and_nowhere_else() -> None:
    """It goes half a metre, and is in the charger with its middle."""
    inside, beside = Charger(1.55, 1.0, 0.06, 0.01), Charger(1.55, 1.0, 0.04, 0.01)
    assert errand(5.0, inside)[25.0] == near(0.5 - 5e-3 + 0.2)
    assert errand(5.0, beside)[25.0] == near(0.5 - 5e-3 - 20e-4)
    assert errand(5.0, inside, Charger(1.5, 1.0, 0.2, 0.02))[25.0] == near(0.5 - 5e-3 + 0.4), "the faster one charges"


def test_in_motion_it_is_not_charged_though_it_began_in_a_charger() -> None:
    assert errand(5.0, Charger(1.0, 1.0, 5.0, 0.001))[5.0] == near(0.5 - 5e-3)


def test_a_robot_that_begins_in_a_charger_and_stays_is_full_in_time() -> None:
    system = small_system()
    system.add(Charger(1.0, 1.0, 0.1, 0.01))
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(Battery("battery", LinearDischarge((0.0, 5.0), (-1e-3, -4e-3)), 0.5))
    asker = robot.decide(Asker())
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run(until=100.0)
    assert asker.told == [(0.0, Charge(0.5)), (near(50.0), Charge(1.0))]


@pytest.mark.parametrize("wrong", [{"radius": 0.0}, {"rate": -1.0}, {"rate": float("inf")}])
def test_a_charger_has_a_size_and_charges(wrong: dict[str, float]) -> None:
    with pytest.raises(ModelError, match="a charger has a radius above 0 m and a rate above 0 1/s"):
        Charger(**{"x": 0.0, "y": 0.0, "radius": 0.1, "rate": 0.1, **wrong})
