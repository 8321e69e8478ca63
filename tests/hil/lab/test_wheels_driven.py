"""A driver and a stand-in whose wheels keep speeds, in one thread: where it is by its own account, when it stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, hypot, inf, pi, remainder, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Asked, Bridge, Fault, Obstructed, Rolled, Run, Simulator, Wheels
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.lab.physics import Body
from devs_robotics.hil.protocols.naming import PROTOCOLS, protocol_for
from devs_robotics.hil.testing import InsideLab
from devs_robotics.hil.testing.driver_bench import SETTINGS, DriverWithUser, User
from tests.approximately import near
from tests.hil.lab.small_lab import lab_plan, stand_in

EPUCKS = [name for name in PROTOCOLS if name.startswith("epuck")]
AXLE = 0.053

speeds = st.floats(-0.1, 0.1).map(lambda speed: round(speed, 3))
drives = st.lists(st.tuples(st.floats(0.3, 2.0), st.builds(Wheels, speeds, speeds)), min_size=1, max_size=5)
"""Speeds of the wheels, each with how long they are kept (s)."""


class Driven:
    """A robot of a protocol at (2 m, 1.5 m) that is told speeds, each at a time (s), until the host ends at another.

    In between the models may be late, from a time to another: then the robot is held. What is told next ends that.
    """

    def __init__(
        self,
        protocol: str,
        *told: tuple[float, Wheels],
        until: float,
        acceleration: float = inf,
        late: tuple[float, float] | None = None,
        seen_at: Iterable[float] = (),
    ) -> None:
        robot = stand_in(
            7, protocol, x=2.0, y=1.5, radius=0.035, acceleration=acceleration, latency=0.005, jitter=0.005
        )
        self.lab = InsideLab(lab_plan(robot))
        driver = Driver("driver", "a stand-in", protocol_for(protocol)(7, SETTINGS))
        driver.carried["wheels"] = (Wheels, Obstructed)
        self.user = User([(at, Asked("wheels", wheels)) for at, wheels in told])
        bench, bridge = DriverWithUser(driver, self.user), Bridge()
        self.lab.ends[7].join(bridge, PacketPorts(bench.outgoing, bench.incoming), driver)
        self.lab.start()
        if late is not None:
            self.lab.clock.at(late[0], lambda: self._do(lambda: bridge.hold("late")))
            self.lab.clock.at(late[1], lambda: self._do(bridge.release))
        self.speeds: list[float] = []
        for time in seen_at:
            self.lab.clock.at(time, lambda: self.speeds.append(self.body.speed))
        with Simulator(bench) as simulator:
            Run(simulator, self.lab.clock, bridge).until(time=until)
        assert not [message for _, message in self.user.told if isinstance(message, Fault)]

    def _do(self, act: Callable[[], object]) -> None:
        act()

    @property
    def body(self) -> Body:
        return self.lab.laboratory.bodies[0]

    @property
    def reckoned(self) -> tuple[float, float, float]:
        """Where it is by what its wheels have rolled."""
        x, y, heading = 2.0, 1.5, 0.0
        for _, message in self.user.told:
            if isinstance(message, Rolled):
                way, turn = (message.left + message.right) / 2.0, (message.right - message.left) / AXLE
                chord = way if turn == 0.0 else way * sin(turn / 2.0) / (turn / 2.0)
                x, y = x + chord * cos(heading + turn / 2.0), y + chord * sin(heading + turn / 2.0)
                heading += turn
        return x, y, heading


@settings(max_examples=12)
@given(drives, st.sampled_from(EPUCKS), st.sampled_from([inf, 0.3]))
def test_a_robot_is_where_its_wheels_say_to_a_millimetre(
    told: list[tuple[float, Wheels]], protocol: str, acceleration: float
) -> None:
    time, wishes = 0.5, []
    for lasts, wheels in told:
        wishes.append((time, wheels))
        time += lasts
    driven = Driven(protocol, *wishes, (time, Wheels()), until=time + 1.0, acceleration=acceleration)
    x, y, heading = driven.reckoned
    assert hypot(driven.body.x - x, driven.body.y - y) < 0.001
    assert abs(remainder(driven.body.heading - heading, 2.0 * pi)) < 0.01


@pytest.mark.parametrize("protocol", EPUCKS)
def test_a_robot_stands_soon_after_its_host_has_ended(protocol: str) -> None:
    driven = Driven(protocol, (0.5, Wheels(0.1, 0.08)), until=2.0, acceleration=1.0)
    assert driven.body.speed == near(0.09, 0.001)
    driven.lab.laboratory.advance(2.5)
    assert driven.body.speed == driven.body.turn_rate == 0.0
    before = driven.body.pose
    driven.lab.laboratory.advance(10.0)
    assert driven.body.pose == before


@pytest.mark.parametrize("protocol", EPUCKS)
def test_a_robot_stands_while_its_models_are_late_and_then_goes_on(protocol: str) -> None:
    told = ((0.5, Wheels(0.1, 0.1)), (2.5, Wheels(0.05, 0.05)), (3.5, Wheels(0.05, 0.05)))
    driven = Driven(protocol, *told, until=5.0, late=(2.0, 3.45), seen_at=(1.9, 2.4, 3.4, 4.9))
    assert driven.speeds == [near(0.1, 0.001), 0.0, 0.0, near(0.05, 0.001)]


@pytest.mark.parametrize("protocol", EPUCKS)
def test_a_robot_at_a_wall_turns_away_by_what_its_wheels_differ_and_drives_on(protocol: str) -> None:
    held, along = Wheels(0.1, 0.1), Wheels(0.0, 0.05)
    driven = Driven(protocol, (0.5, held), (24.0, along), (28.0, Wheels(0.05, 0.05)), until=30.0)
    (_, first), (freed, second) = [
        (time, message.answer) for time, message in driven.user.told if hasattr(message, "answer")
    ]
    assert (first, second) == (Obstructed(True), Obstructed(False))
    assert freed == near(24.0, 0.15)
    x, y, heading = driven.reckoned
    assert heading == near(4.0 * 0.05 / AXLE, 0.05)
    assert driven.body.x < 4.0 - 0.035 - 0.02  # it has left the wall
    assert hypot(driven.body.x - x, driven.body.y - y) < 0.01
    assert remainder(driven.body.heading - heading, 2.0 * pi) == near(0.0, 0.01)
