"""The drivers with the stand-in robots of their protocols, in another process, over their real transports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from math import inf, pi

import pytest
from msgspec.structs import replace

from devs_robotics import Bridge, Coupled, Drive, Driven, Fault, Ranges, Run, Simulator, WallClock
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.hil.addresses import masked
from devs_robotics.hil.broker import EmbeddedBroker
from devs_robotics.hil.drivers import DriverSettings, driver_for
from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.hil.lab.plan import LabDisc, LabPlan, StandIn
from devs_robotics.hil.protocols.naming import PROTOCOLS
from devs_robotics.hil.testing.driver_bench import LOOK, DriverWithUser, Wish
from devs_robotics.hil.transports.connections import Connections
from tests.hil.patient_user import PatientUser

pytestmark = pytest.mark.wall_clock

RATE = 2.0
SPOKEN = dict(enumerate(PROTOCOLS, 1))
SETTINGS = DriverSettings(
    speed=0.1, turn_rate=1.5, radius=0.035, beams=(0.0,), reach=0.6, resolution=0.01, link_within=3.0
)


def stand_in(robot: int, broker: str) -> StandIn:
    """Half a metre in front of an obstacle, in a lane of its own."""
    return StandIn(
        robot=robot,
        protocol=SPOKEN[robot],
        address=f"{broker}/robot/{robot}" if SPOKEN[robot] == "json" else "",
        x=1.0,
        y=float(robot),
        heading=0.0,
        radius=SETTINGS.radius,
        speed=0.12,
        turn_rate=1.5,
        acceleration=1.0,
        beams=SETTINGS.beams,
        reach=SETTINGS.reach,
        resolution=SETTINGS.resolution,
        whisker_reach=0.0,
        stretch=0.0,
        swerve=0.0,
        range_noise=0.0,
        latency=0.005,
        jitter=0.005,
    )


@contextmanager
def laboratory() -> Iterator[LabProcess]:
    """One robot of each protocol."""
    with EmbeddedBroker() as broker:
        discs = tuple(LabDisc(1.635, float(robot), 0.1) for robot in SPOKEN)
        robots = tuple(stand_in(robot, broker.address) for robot in SPOKEN)
        with LabProcess(LabPlan(4.0, 6.0, discs, (), robots, rate=RATE)) as lab:
            yield lab


def run(
    lab: LabProcess,
    *wishes: tuple[float, Wish],
    until: float,
    report: Callable[[float], None],
    settings: DriverSettings = SETTINGS,
) -> dict[str, PatientUser]:
    """The user of each robot, by its protocol; until the time, or all have a fault or what they wanted."""
    root, bridge, connections, users = Coupled("root"), Bridge(), Connections(), dict[str, PatientUser]()
    for robot, protocol in SPOKEN.items():
        driver = driver_for(protocol)("driver", robot, lab.addresses[robot], settings)
        user = users[protocol] = PatientUser(wishes)
        bench = DriverWithUser(driver, user, f"bench{robot}")
        root.add_component(bench)
        end = connections.at(driver.address)
        bridge.connect(
            end.transport,
            lead_out(root, bench.outgoing, f"outgoing{robot}"),
            lead_in(root, bench.incoming, f"incoming{robot}"),
            send_on=end.send_on,
            listen_on=end.listen_on,
            stop_message=driver.stop_message,
        )
    with Simulator(root) as simulator:
        Run(simulator, WallClock(RATE), bridge, patience=5.0).until(
            time=until,
            interrupted=lambda: all(user.is_content for user in users.values()),
            report=lambda: report(simulator.time),
        )
    return users


def test_stand_ins_move_and_see() -> None:
    drives = ((1.0, Drive(0.0, 0.2)), (9.0, Drive(0.5 * pi, 0.1)), (17.0, Drive(0.0, 1.0)), (20.0, Drive()))
    patient = replace(SETTINGS, link_within=60.0, answer_within=2.0)  # they are half as long in real time
    with laboratory() as lab:
        users = run(lab, *drives, (5.0, LOOK), until=26.0 + 60.0 * RATE, report=lambda _: None, settings=patient)
    for protocol, user in users.items():
        (_, first), (ended, second), (stopped, cut), (_, none) = user.motions
        # JSON robots end a move by themselves; else a busy machine that is late by 0.5 s lets them go on for 1 s
        late = 0.0 if protocol == "json" else 1.0
        assert -0.01 <= first.distance - 0.2 <= 0.01 + SETTINGS.speed * late, protocol
        assert -0.01 <= second.turn - 0.5 * pi <= 0.01 + SETTINGS.turn_rate * late, protocol
        assert -0.01 <= second.distance - 0.1 <= 0.01 + SETTINGS.speed * late, protocol
        assert first.turn == pytest.approx(0.0, abs=0.01), protocol
        begun = max(17.0, ended)
        assert 0.02 <= cut.distance <= min(0.9, SETTINGS.speed * (stopped - begun) + 0.01), protocol  # however late
        assert none == Driven(0.0, 0.0), protocol
        (ranges,) = (message for _, message in user.told if isinstance(message, Ranges))
        seen = pytest.approx(0.5 - first.distance, abs=0.011)
        assert ranges.values[0] == (inf if protocol == "epuck-ascii" else seen), protocol


@contextmanager
def kept(addresses: Iterable[str]) -> Iterator[None]:
    """As long as this lasts, no other line is given the name of one of these serial lines, if its robot goes."""
    with ExitStack() as stack:
        for address in addresses:
            if address.startswith("serial://"):
                line = os.open(address.removeprefix("serial://"), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                stack.callback(os.close, line)
        yield


def test_stand_ins_that_are_killed_are_faults() -> None:
    with laboratory() as lab, kept(lab.addresses.values()):

        def kill(time: float) -> None:
            if time > 2.0:
                lab.kill()

        users = run(lab, (1.0, Drive(0.0, 1.0)), until=40.0, report=kill)
    for (robot, address), user in zip(sorted(lab.addresses.items()), users.values(), strict=True):
        ((_, fault),) = user.told
        assert isinstance(fault, Fault)
        assert f"robot {robot} at {masked(address)} was lost and did not come back within 3 s" in fault.reason
