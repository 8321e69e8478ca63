"""Bare clients at a broker: they know the wire and nothing else, and time what they hear with this machine's clock."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import count
from threading import Condition, Event
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.pera.results import CallRoundTrip, SensingDelay
from devs_robotics.scenarios.pera.brokers import BrokerPlace

PATIENCE = 10.0
"""Longest time to wait for the broker, or for an answer (s)."""

_numbers = count(1)


class BrokerSilentError(DevsRoboticsError):
    """A broker, or a server at it, does not answer."""


class BareClient:
    """One client of a broker.

    Args:
        place: of the broker
        topics: that it wants to hear, without the channel
    """

    def __init__(self, place: BrokerPlace, topics: Sequence[str]) -> None:
        self.channel = place.channel
        self.heard: list[tuple[float, str, bytes]] = []
        self._changed = Condition()
        self._ready = Event()
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"bare-{next(_numbers)}-{time.time_ns()}")
        self._client.username_pw_set(place.user, place.password)
        self._client.on_message = self._on_message
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_connect = lambda client, *_: client.subscribe(
            [(f"{self.channel}/{each}", 0) for each in topics]
        )
        try:
            self._client.connect(place.host, place.port)
        except OSError as exc:
            raise BrokerSilentError(f"the broker at {place.host}:{place.port} cannot be reached ({exc})") from exc
        self._client.loop_start()
        if not self._ready.wait(PATIENCE):
            self.close()
            raise BrokerSilentError(f"the broker at {place.host}:{place.port} lets no client subscribe: see its log")

    def say(self, topic: str, content: object) -> float:
        """Publish; returns when (s)."""
        now = time.perf_counter()
        self._client.publish(f"{self.channel}/{topic}", json.dumps(content))
        return now

    def stand(self, robot: int, reality: str, x: float, y: float, heading: float = 90.0) -> None:
        """Tell where a robot is (cm, deg)."""
        pose = {"id": robot, "x": x, "y": y, "heading": heading, "reality": reality}
        self.say("localization/update", [pose])

    def wait_for(self, topic: str, since: int) -> tuple[float, bytes]:
        """The first packet on a topic after so many that were heard before: when it came, and what it was.

        Raises:
            BrokerSilentError: none comes
        """
        wanted = f"{self.channel}/{topic}"
        deadline = time.perf_counter() + PATIENCE
        with self._changed:
            while True:
                for when, name, data in self.heard[since:]:
                    if name == wanted:
                        return when, data
                if not self._changed.wait(max(0.0, deadline - time.perf_counter())):
                    raise BrokerSilentError(f"nothing came on {wanted} within {PATIENCE:g} s")

    def listen(self, handle: Any) -> None:
        """Let somebody handle all that comes, in the client's own thread: a time, a topic, and the packet."""
        self._client.on_message = lambda _client, _user, message: handle(
            time.perf_counter(), message.topic, bytes(message.payload)
        )

    def close(self) -> None:
        """Leave."""
        self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, _client: Client, _user: object, message: MQTTMessage) -> None:
        with self._changed:
            self.heard.append((time.perf_counter(), message.topic, bytes(message.payload)))
            self._changed.notify_all()


def sensing(place: BrokerPlace, robots: int, readings: int, trials: int) -> list[SensingDelay]:
    """Robots of each reality read their distance sensors in turn: one question at a time.

    Args:
        robots: of each reality
        readings: of each robot in each trial
    """
    client = BareClient(place, ["sensor/distance/+"])
    found = []
    try:
        realities = ["R"] * robots + ["V"] * robots
        for robot, reality in enumerate(realities, 1):
            client.stand(robot, reality, 15.0 * robot - 80.0, 0.0)
        for trial in range(-1, trials):  # the first one warms up, and does not count
            for _ in range(readings if trial >= 0 else 1):
                for robot, reality in enumerate(realities, 1):
                    before = len(client.heard)
                    asked = client.say("sensor/distance", {"id": robot, "reality": "M"})
                    answered, _ = client.wait_for(f"sensor/distance/{robot}", before)
                    if trial >= 0:
                        found.append(SensingDelay("client", reality, trial, answered - asked))
    finally:
        client.close()
    return found


class Answering:
    """A robot that acknowledges requests as they come, and times its own."""

    def __init__(self, place: BrokerPlace, robot: int, realities: dict[int, str]) -> None:
        self.robot, self.realities = robot, realities
        self.client = BareClient(place, [f"comm/in/simple/{robot}"])
        self.client.listen(self._heard)
        self.client.stand(robot, realities[robot], 15.0 * robot - 60.0, 0.0)
        self.sent: dict[int, float] = {}
        self.trips: list[CallRoundTrip] = []

    def request(self, number: int) -> None:
        """Send a request to all near."""
        self.sent[number] = time.perf_counter()
        self._call(f"{self.robot} {number} REQ")

    def _heard(self, now: float, _topic: str, data: bytes) -> None:
        words = data.decode().split()
        if words[-1] == "REQ":
            self._call(f"{words[0]} {self.robot} {words[1]} ACK")
        elif words[0] == str(self.robot):
            responder, number = int(words[1]), int(words[2])
            pair = self.realities[self.robot] + self.realities[responder]
            self.trips.append(CallRoundTrip("client", self.robot, responder, pair, number, now - self.sent[number]))

    def _call(self, text: str) -> None:
        self.client.say("comm/out/simple", {"id": self.robot, "msg": text, "dist": 500})


def calling(place: BrokerPlace, realities: str, rounds: int, gap: float = 0.15) -> list[CallRoundTrip]:
    """Robots send requests in turn, so many rounds; others acknowledge them at once.

    Args:
        realities: of the robots, such as "RVRVRV"
        gap: between two requests (s)
    """
    of = dict(enumerate(realities, 1))
    robots = [Answering(place, robot, of) for robot in of]
    try:
        time.sleep(2.0 * gap)
        for number in range(rounds):
            for robot in robots:
                robot.request(number)
                time.sleep(gap)
        time.sleep(4.0 * gap)
    finally:
        for robot in robots:
            robot.client.close()
    return [trip for robot in robots for trip in robot.trips]
