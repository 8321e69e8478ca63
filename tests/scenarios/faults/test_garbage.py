"""Another client publishes garbage on the topics of a robot and of the tracking system."""

from __future__ import annotations

from math import inf
from pathlib import Path
from random import Random
from threading import Event
from types import TracebackType
from typing import Any, Self

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.experimental_frames.study.continuity import agreement
from devs_robotics.experimental_frames.study.decisions import Decisions, of_robots
from devs_robotics.hil.addresses import parse_mqtt
from devs_robotics.hil.robot_protocol import LATE_ANSWER
from devs_robotics.scenarios.case import noise_free
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from tests.real_components import PATIENCE, Mosquitto

FRAMES = 10_000
ROBOT = 3
REPORT, COMMAND, TRACKING = f"robot/{ROBOT}/report", f"robot/{ROBOT}/command", "/tracking"
BEGIN, END = 1.0, 21.0
"""When the first and the last frame is published (simulated s)."""

TOO_LONG = (bytes(5000), b'{"robot":3,"type":"state","session":"' + b"x" * 5000 + b'"}', b" " * 20_000)
ANOTHER_ROBOTS = (
    b'{"robot":2,"type":"gone","session":"a"}',
    b'{"robot":2,"type":"stop"}',
    b'{"robot":7,"x":1.0,"y":1.0,"heading":0.0}',
)
NO_MESSAGE = (
    b"",
    b"null",
    b"{}",
    b"[" * 4000,
    b'{"type":' + b"[" * 4000,
    b'{"type":"\xff"}',
    b'{"\xff":1}',
    b'{"robot":3,"type":"state","session":"\xff"}',
    b'{"robot":3,"type":"moved","session":"a","id":1,"turn":NaN,"distance":0,"ended":"done"}',
    b'{"robot":3,"type":"moved","session":"a","id":1,"turn":1e999,"distance":0,"ended":"done"}',
    b'{"robot":3,"type":"ranges","session":"a","id":1,"values":[-1],"touching":false}',
    b'{"robot":3,"type":"ranges","session":"a","id":1,"values":[' + b"0," * 99 + b'0],"touching":false}',
    b'{"robot":3,"type":"touch","session":7,"touching":false}',
    b'{"robot":"3","type":"gone","session":"a"}',
    b'{"robot":3,"type":"gone","session":"a","more":1}',
    b'{"robot":3,"type":"move","id":1e30,"turn":0,"distance":1,"speed":1,"turn_rate":1,"deadline":9}',
    b'{"robot":3,"type":"move","id":1,"turn":0,"distance":1e9,"speed":1,"turn_rate":1,"deadline":9}',
    b'{"robot":3,"x":1e999,"y":0,"heading":0}',
    b'{"robot":3,"x":"1","y":0,"heading":0}',
)


BURST = 100
"""Frames that are published at once at most, whatever the time is."""


class Vandal:
    """A client of the broker that finds the topics by itself, and publishes garbage as simulated time goes on.

    Attributes:
        published: by topic
    """

    def __init__(self, broker: str) -> None:
        self.published: dict[str, int] = {}
        self._random = Random(1)
        self._topics: set[str] = set()
        self._ready = Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._heard
        at = parse_mqtt(broker)
        self._client.connect(at.host, at.port)

    def __call__(self, experiment: CaseExperiment, simulator: Simulator) -> None:
        share = min(1.0, max(0.0, (simulator.time - BEGIN) / (END - BEGIN)))
        topics = [self._topic(end) for end in (REPORT, COMMAND, TRACKING)]
        if not all(topics):
            return
        done = sum(self.published.values())
        for number in range(done, min(done + BURST, round(share * FRAMES))):
            topic = topics[number % len(topics)]
            self._client.publish(topic, self._frame())
            self.published[topic] = self.published.get(topic, 0) + 1

    def published_to(self, end: str) -> int:
        return sum(number for topic, number in self.published.items() if topic.endswith(end))

    def _topic(self, end: str) -> str:
        return next((topic for topic in self._topics.copy() if topic.endswith(end)), "")

    def _frame(self) -> bytes:
        kind = self._random.choice([TOO_LONG, ANOTHER_ROBOTS, NO_MESSAGE, NO_MESSAGE, ()])
        return self._random.choice(kind) if kind else self._random.randbytes(self._random.randrange(300))

    def _heard(self, _client: Client, _user: Any, message: Any) -> None:
        self._topics.add(message.topic)

    def __enter__(self) -> Self:
        self._client.loop_start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.mark.wall_clock
def test_ten_thousand_frames_of_garbage_are_counted_and_change_no_decision(tmp_path: Path) -> None:
    waits = ("answer_within=5", "link_within=30")  # frames come in bursts, and the machine may have other work
    patient = [f"real.{robot}.{wait}" for robot in (2, 3) for wait in waits]
    of = noise_free(load("convoy_in_the_loop", ["run.rounds=12", *patient]))
    expected, seen = Decisions("round_done"), Decisions("round_done")
    run(of, hooks=Hooks(observers=[(expected, of_robots)]))
    keeps_all = Mosquitto("allow_anonymous true\nmax_queued_messages 0", folder=tmp_path)
    with keeps_all as broker, Vandal(broker.address) as vandal:
        outcome = run(
            of,
            Means(stage="loop", rate=3.0, broker=broker.address),
            Hooks(report=vandal, observers=[(seen, of_robots)]),
        )
    assert outcome.ended == "accepted", outcome.reason
    same = agreement(expected, seen)
    assert same.holds, str(same.difference)
    assert sum(vandal.published.values()) == FRAMES
    dropped = outcome.robots[ROBOT].dropped
    kinds = {"too long", "no message of the JSON robot protocol", "another robot's"}
    assert kinds <= set(dropped) <= kinds | {LATE_ANSWER, "an answer to no question"}
    told = dict(outcome.dropped)
    overrun: float = told.pop("more than the simulation could keep up with", 0)  # whose, nobody knows
    if outcome.held_up_s:
        overrun = inf  # on a busy machine: what waits is too old when the run goes on, and is not counted
    own = dropped.get(LATE_ANSWER, 0)  # the robot's
    assert -overrun <= sum(dropped.values()) - vandal.published_to(REPORT) <= own
    assert set(told) == {f"of the tracking system: {why}" for why in ("too long", "no fix", "another robot's")}
    assert -overrun <= sum(told.values()) - vandal.published_to(TRACKING) <= 0
