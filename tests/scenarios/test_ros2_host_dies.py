"""What a robot of ROS 2 does when its host dies, and that the room for it was kept free."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from devs_robotics import Bridge, Drive, Run, Simulator
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.hil.drivers import Driver, DriverSettings
from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.hil.protocols.ros2.robot import PERIOD, Ros2Robot
from devs_robotics.hil.testing import InsideLab
from devs_robotics.hil.testing.driver_bench import DriverWithUser, User
from devs_robotics.models.activities import HardwareWheels
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from tests.approximately import near
from tests.hil.lab.small_lab import lab_plan, stand_in
from tests.hil.ros2.environments import free_domain

SPEED, WATCHDOG = 0.2, 0.5
WAY = StoppingDistance(WATCHDOG + PERIOD, 1.0).of(SPEED)
"""0.13 m."""

ADDRESS = "real.{robot}.address=ros2://turtle{robot}?domain={domain}&interface=lo"


def robots_of(name: str, *settings: str) -> dict[int, Any]:
    scenario = load(name, ["real.2.protocol=ros2", "real.3.protocol=ros2", *settings])
    setup = set_up(scenario, "loop")
    return {robot.number: robot for robot in case_of(scenario).experiment(setup).system.robots}


def test_the_guard_of_a_robot_whose_watchdog_was_measured_keeps_that_room_and_stand_ins_need_none() -> None:
    robots = robots_of("wander", ADDRESS.format(robot=2, domain=42), f"real.2.watchdog={WATCHDOG}")
    assert robots[2].equipment.guard.clearance == near(WAY)
    assert robots[3].equipment.guard.clearance == 0.0


def test_so_do_its_wheels() -> None:
    robots = robots_of("diffusion", ADDRESS.format(robot=2, domain=42), f"real.2.watchdog={WATCHDOG}")
    wheels = {number: robots[number].wheels for number in (2, 3)}
    assert all(isinstance(each, HardwareWheels) for each in wheels.values())
    assert wheels[2].stopping == StoppingDistance(WATCHDOG + PERIOD, 1.0)
    assert wheels[3].stopping.of(SPEED) < 0.5 * wheels[2].stopping.of(SPEED)


def test_so_do_its_omniwheels() -> None:
    robots = robots_of("logistics", ADDRESS.format(robot=2, domain=42), f"real.2.watchdog={WATCHDOG}")
    assert robots[2].omniwheels.stopping == StoppingDistance(WATCHDOG + PERIOD, 1.0)
    assert robots[3].omniwheels.stopping is None


@pytest.mark.parametrize("died_at", [0.7 + 0.25 * number for number in range(12)])
def test_whenever_its_host_dies_a_robot_goes_no_further_than_that(
    died_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor further than so far beyond the end of its move."""
    lab = InsideLab(lab_plan(stand_in(7, "ros2", x=1.0, y=1.0, speed=SPEED, acceleration=1.0, watchdog=WATCHDOG)))
    settings = DriverSettings(speed=SPEED, turn_rate=1.0, radius=0.1, beams=(), reach=1.0, resolution=0.0)
    driver = Driver("driver", "a stand-in", Ros2Robot(7, settings))
    bench, bridge = DriverWithUser(driver, User([(0.5, Drive(0.0, 0.4))])), Bridge()
    lab.ends[7].join(bridge, PacketPorts(bench.outgoing, bench.incoming), driver)
    obeys = lab.laboratory.robots[7].receive

    def receive(data: bytes) -> None:
        if lab.clock.now() < died_at:  # a host that is dead sends no stop message
            obeys(data)

    monkeypatch.setattr(lab.laboratory.robots[7], "receive", receive)
    lab.start()
    with Simulator(bench) as simulator:
        Run(simulator, lab.clock, bridge).until(time=died_at)
    body = lab.laboratory.bodies[0]
    before, speed = body.x, body.speed
    lab.laboratory.advance(died_at + 2.0)
    assert body.speed == 0.0
    assert body.x - before <= StoppingDistance(WATCHDOG + PERIOD, 1.0).of(SPEED) + 1e-9
    assert body.x <= 1.4 + WAY
    assert (body.x > before + 0.01) == (speed > 0.02), "it was going, or stood"


Line = dict[str, float]


class TrueWay:
    """What the laboratory writes of where its robot really is, read as it comes."""

    def __init__(self, file: Path) -> None:
        self._file, self._read = file, 0
        self.lines: list[Line] = []

    @property
    def last(self) -> Line:
        """The latest line; one that says nothing where there is none."""
        if self._file.exists():
            whole, newline, _ = self._file.read_bytes()[self._read :].rpartition(b"\n")
            self._read += len(whole + newline)
            self.lines += map(json.loads, whole.splitlines())
        return self.lines[-1] if self.lines else {"t": 0.0, "speed": 0.0}

    def wait_for(self, what: Callable[[Line], bool], within: float = 60.0) -> None:
        end = time.monotonic() + within
        while not what(self.last):
            assert time.monotonic() < end, f"not within {within:g} s"
            time.sleep(0.02)


@pytest.mark.wall_clock
@pytest.mark.long
def test_when_its_host_is_killed_a_robot_stops_before_it_touches_anything(tmp_path: Path) -> None:
    """The host drives it as near to walls as its guard allows, and is killed as it goes fastest: on its first step."""
    truth, place = tmp_path / "truth", f"ros2://turtle1?domain={free_domain()}&interface=lo"
    settings = [
        "run.seed=4",  # the wall ahead is so far away that its first step is a long one
        "wandering.robots=1",
        "wandering.step=20 cm",
        "wandering.clearance=21 cm",  # nobody but the guard keeps it further from walls than 1 cm
        "field.width=2 m",
        "field.height=2 m",
        "field.obstacles=[]",
        "real.1.protocol=ros2",
        "stand_in.acceleration=1",
    ]
    real = [f"real.1.address={place}", f"real.1.watchdog={WATCHDOG}", "real.1.link_within=60 s"]
    words = [word for setting in (*settings, *real) for word in ("--set", setting)]
    plan = laboratory_plan(set_up(load("wander", settings), "loop"), "mqtt://127.0.0.1", 1.0, str(truth), {1: place})
    command = [sys.executable, "-m", "devs_robotics", "run", "wander", "--stage", "loop", "--accept-risk"]
    way = TrueWay(truth)
    host = subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL)  # it waits for the robot
    try:
        with LabProcess(replace(plan, tracking="")):
            way.wait_for(lambda now: now["speed"] > 0.19)
            os.kill(host.pid, signal.SIGKILL)
            killed_at = time.time()
            seen_at = way.last["t"]
            way.wait_for(lambda now: now["t"] > seen_at + 1.0)
    finally:
        host.kill()
        host.wait()
    before = [line for line in way.lines if line["unix"] <= killed_at][-1]
    late = [line["unix"] - line["t"] for line in way.lines]
    held_up = max(late[way.lines.index(before) :]) - min(late)  # a busy machine: what was told waits for the laboratory
    assert way.last["speed"] == 0.0
    assert 0.01 < hypot(way.last["x"] - before["x"], way.last["y"] - before["y"]) <= WAY + SPEED * held_up
    radius = load("wander").robot.radius
    assert all(radius + 1e-3 < line[axis] < 2.0 - radius - 1e-3 for line in way.lines for axis in ("x", "y"))
