"""A robot's program as the published Java library makes it: its texts, its sleeps, its motion, its invalid JSON.

It knows the wire, and nothing of this project; time is driven.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, degrees, radians, sin

from tests.scenarios.serving.wire import Wire

WHEELS = 12.0
"""Between the wheels (cm)."""


class LateError(Exception):
    """An answer has not come in time: the library throws an exception."""


class PublishedRobot:
    """One robot.

    Attributes:
        x, y, heading: where it thinks that it is (cm, cm, deg)
        state: WAIT or RUN
        heard: messages of other robots
    """

    def __init__(self, wire: Wire, robot: int, x: float, y: float, heading: float) -> None:
        self.wire = wire
        self.robot = robot
        self.x, self.y, self.heading = x, y, heading
        self.state = "WAIT"
        self.heard: list[str] = []
        self._seen = len(wire.said)
        self._answers: dict[str, list[str]] = {}
        pose = f'"x":{x:.0f},"y":{y:.0f},"heading":{heading:.0f}'
        self.publish("robot/create", f'{{"id":{robot},{pose},"reality":V}}')
        self.sleep(1.0)
        self.publish("output/neopixel", f'{{"id":{robot},"R":66,"G":66,"B":66}}')
        self.tell_pose()

    def publish(self, topic: str, payload: str) -> None:
        self.wire.put((topic, payload))

    def sleep(self, seconds: float) -> None:
        self.wire.go_on(self.wire.time + seconds)

    def tell_pose(self) -> None:
        pose = f'"x":{self.x:.2f},"y":{self.y:.2f},"heading":{self.heading:.2f}'
        self.publish("localization/update", f'[{{"id":{self.robot},{pose},"reality":"V"}}]')

    def handle(self) -> None:
        """Look at all messages that have come meanwhile."""
        for _, post in self.wire.said[self._seen :]:
            topic, text = post.channel.removeprefix("v1/"), post.data.decode()
            if topic in ("robot/msg/broadcast", f"robot/msg/{self.robot}"):
                word = text.split()[0]
                if word == "ID?":
                    self.publish("robot/live", f'{{"id":{self.robot},"reality":"V"}}')
                self.state = {"START": "RUN", "STOP": "WAIT"}.get(word, self.state)
            elif topic.startswith("comm/in/") and topic.endswith(f"/{self.robot}"):
                self.heard.append(text)
            elif topic.startswith("sensor/") and topic.endswith(f"/{self.robot}"):
                self._answers.setdefault(topic.split("/")[1], []).append(text)
        self._seen = len(self.wire.said)

    def distance(self) -> int:
        """As Integer.parseInt reads it, which throws at anything but digits."""
        text = self._ask("distance", f'{{"id":{self.robot},"reality":"M"}}', 0.25, 1.0)
        assert re.fullmatch(r"-?\d+", text), f"For input string: {text!r}"
        return int(text)

    def proximity(self, angles: Sequence[int]) -> list[int]:
        content = f'{{"id":{self.robot},"angles":{list(angles)},"reality":"V"}}'
        fields = self._ask("proximity", content, 0.25 * len(angles), 2.0).split()
        assert len(fields) == 2 * len(angles)
        assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour in fields[len(angles) :])
        return [int(text) for text in fields[: len(angles)]]

    def _ask(self, sensor: str, content: str, before: float, patience: float) -> str:
        self._answers.pop(sensor, None)
        self.publish(f"sensor/{sensor}", content)
        self.sleep(before)
        self.handle()
        self.sleep(0.1)
        waited = 0.0
        while sensor not in self._answers:
            if waited > patience:
                raise LateError(sensor)
            self.sleep(0.1)
            waited += 0.1
            self.handle()
        return self._answers.pop(sensor)[-1]

    def move(self, left: int, right: int, milliseconds: float) -> None:
        """Drive: Euler steps of at most 100 ms, a pose each 500 ms, and whole numbers at the end."""
        assert all(speed == 0 or 50 <= abs(speed) <= 255 for speed in (left, right))
        v_left, v_right = 0.1 * left, 0.1 * right
        told = 0.0
        while milliseconds > 0.0:
            step = min(100.0, milliseconds)
            milliseconds -= step
            way, turn = 0.5 * (v_left + v_right) * step / 1000.0, (v_right - v_left) / WHEELS * step / 1000.0
            self.x += way * cos(radians(self.heading))
            self.y += way * sin(radians(self.heading))
            self.heading += degrees(turn)
            told += step
            if told >= 500.0:
                told -= 500.0
                self.tell_pose()
                self.sleep(0.5)
        self.x, self.y, self.heading = float(round(self.x)), float(round(self.y)), float(round(self.heading))
        self.heading = (self.heading + 180.0) % 360.0 - 180.0
        self.tell_pose()

    def forward(self, centimetres: float) -> None:
        self.move(150, 150, 1000.0 * centimetres / 15.0)

    def turn(self, left: float) -> None:
        """By so many degrees to the left, on the spot."""
        speed = 60 if left > 0 else -60
        self.move(-speed, speed, 1000.0 * abs(radians(left)))
