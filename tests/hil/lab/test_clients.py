"""Independent clients drive stand-ins over real lines: what they are told is what is true."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator
from math import pi
from pathlib import Path

import numpy as np
import pytest

from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.hil.lab.plan import LabDisc
from tests.approximately import near
from tests.hil.lab.clients import SerialClient, WifiClient
from tests.hil.lab.small_lab import lab_plan, stand_in
from tests.real_components import PATIENCE

STEP = pi * 0.041 / 1000  # m
AXLE = 0.053  # m
TEXT, BINARY, WIFI = 1, 2, 3
PROTOCOLS = {TEXT: "epuck-ascii", BINARY: "epuck-binary", WIFI: "epuck2-wifi"}


class World:
    """Three e-pucks in lanes of their own, each half a metre before an obstacle; and where they really are."""

    def __init__(self, file: Path) -> None:
        robots = [stand_in(number, PROTOCOLS[number], y=0.7 * number, radius=0.035) for number in PROTOCOLS]
        discs = tuple(LabDisc(1.635, 0.7 * number, 0.1) for number in PROTOCOLS)
        self.file = file
        self.lab = LabProcess(lab_plan(*robots, discs=discs, truth=str(file)))

    def pose(self, robot: int) -> tuple[float, float, float]:
        """Where a robot is that stands still, as of now."""
        asked = time.time()
        while True:
            lines = self.file.read_text().splitlines(keepends=True)
            found = [json.loads(line) for line in lines if line.endswith("\n")]
            last = [line for line in found if line["robot"] == robot][-1]
            if last["unix"] > asked and last["speed"] == 0.0:
                return last["x"], last["y"], last["heading"]
            assert time.time() < asked + PATIENCE
            time.sleep(0.01)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    found = World(tmp_path_factory.mktemp("lab") / "truth.jsonl")
    with found.lab:
        yield found


def reaches(steps: Callable[[], tuple[int, int]], left: int) -> None:
    """Ask until the left wheel has come so far."""
    deadline = time.monotonic() + PATIENCE
    while steps()[0] < left:
        assert time.monotonic() < deadline


def is_where_steps_say(world: World, robot: int, left: int, right: int) -> None:
    """Compare with a straight way from its place."""
    x, y, heading = world.pose(robot)
    assert x == near(1.0 + 0.5 * (left + right) * STEP, 0.001)
    assert y == near(0.7 * robot, 0.001)
    assert heading == near((right - left) * STEP / AXLE, 0.005)


def test_a_client_of_text(world: World) -> None:
    with SerialClient(world.lab.addresses[TEXT]) as client:
        assert client.say("V") == ["v", "Version 2.0 January 2018 GCtronic"]
        label, _, number = client.hear()[0].partition(": ")
        assert label == "HW version"
        int(number, 16)
        assert client.say("D, 500, 500") == ["d"]
        assert client.numbers("E") == [500, 500]
        reaches(lambda: (client.numbers("Q")[0], 0), 300)
        assert client.say("S") == ["s"]
        left, right = client.numbers("Q")
        assert client.numbers("Q") == [left, right]
        is_where_steps_say(world, TEXT, left, right)
        assert [len(client.numbers(command)) for command in "ANOUMCI"] == [3, 8, 8, 3, 5, 1, 5]
        assert client.say("P,40000,-40000") == ["p"]
        assert client.numbers("Q") == [40000, -40000]
        assert client.say("?") == ["z", "Command not found"]


def test_a_client_of_bytes(world: World) -> None:
    with SerialClient(world.lab.addresses[BINARY]) as client:
        set_wheels = b"\xbc" + struct.pack("<2h", 400, 400)
        assert client.ask(set_wheels + b"\xbb\xf5\xf2", "<2h2B") == (400, 400, 0, 0)
        reaches(lambda: client.ask(b"\xaf", "<2h"), 300)
        left, right, *_ = client.ask(b"\xbc\0\0\0\0\xaf\xb2\xb1", "<2h16H")
        is_where_steps_say(world, BINARY, left, right)
        (ahead,) = client.ask(b"\xf3", "<H")
        assert ahead == near(1000.0 * (0.5 - left * STEP), 1.0)
        everything = client.ask(b"\xf8", "<3h3f3h3fb8H8HH4H2hHB3BB3H3HB")
        assert (everything[:3], everything[34:36]) == ((0, 0, 800), (left, right))
        assert client.ask(b"\x9f\xb3\xf1\x01\xf0\x01\xef\x01\xa7", "<3h4H4B")[:3] == (2048, 2048, 2848)
        assert client.say("J,0,60,40,4") == ["j"]
        *header, pixels = client.ask(b"\xb7", "<3B2400s")
        assert header == [0, 60, 40]
        shown = np.frombuffer(pixels, np.uint8).reshape(40, 60)
        middle, side = shown[19, 28:32], shown[19, :5]  # of the obstacle, and of the wall beside it
        assert middle.min() > side.max()


def test_a_client_of_wifi(world: World) -> None:
    with WifiClient(world.lab.addresses[WIFI]) as client:
        client.command(2, 300, 300)
        reaches(lambda: client.sensors().steps, 300)
        client.command(3, leds=b"\x3f" + bytes((255,) * 13))  # as the robot's own software does where it has no colours
        while (kind_and_image := client.packet())[0] != 1:
            pass
        client.command(2)
        left, right = (client.sensors(), client.sensors())[1].steps
        while (now := client.sensors().steps) != (left, right):
            left, right = now
        is_where_steps_say(world, WIFI, left, right)
        seen = client.sensors()
        assert seen.distance == near(1000.0 * (0.5 - left * STEP), 1.0)
        assert (seen.selector, len(seen.ground), seen.acceleration) == (15, 3, (0, 0, 800))
        words = np.frombuffer(kind_and_image[1], ">u2").reshape(120, 160)
        red, blue = words >> 11, words & 31
        assert (red[59, 75:85] > blue[59, 75:85]).all()  # an obstacle ahead
        assert (red[59, :20] == blue[59, :20]).all()  # walls to the left of it, and to the right
        assert (red[59, -20:] == blue[59, -20:]).all()
        client.command(0, flags=4, left=7, right=9)
        while client.packet()[0] != 3:
            pass
        client.command(2)
        assert client.sensors().steps == (7, 9)
