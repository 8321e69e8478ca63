"""A served world at a real mosquitto, in real time: clients that know nothing but the wire."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.scenarios.serving.serve import ServeError, broker_of, serve
from devs_robotics.scenarios.serving.session import Replayed, play
from tests.real_components import Mosquitto
from tests.scenarios.serving.wire import arena_with, asks, stands

PATIENCE = 60.0

WALL = {
    "type": "wall",
    "reality": "R",
    "parameters": {"x": 31, "y": -30, "orientation": 90, "width": 60, "color": "#FF0000"},
}


class Robot:
    """A program outside: a bare client, which speaks and notes what it hears."""

    def __init__(self, broker: Mosquitto, *topics: str) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._changed = Condition()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set("", "")
        self._client.on_message = self._on_message
        self._topics = [(f"v1/{topic}", 1) for topic in topics]
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert self._ready.wait(PATIENCE)

    def say(self, topic: str, data: str) -> None:
        self._client.publish(f"v1/{topic}", data, qos=0)

    def wait_for(self, topic: str, *, times: int = 1, patience: float = PATIENCE) -> list[bytes]:
        """What came on a topic, when so much of it has come."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.on(topic)) >= times, patience), self.heard
        return self.on(topic)

    def on(self, topic: str) -> list[bytes]:
        return [data for where, data in self.heard if where == f"v1/{topic}"]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, *_: Any) -> None:
        self._client.subscribe(self._topics)

    def _on_message(self, _client: Client, _user: object, message: MQTTMessage) -> None:
        with self._changed:
            self.heard.append((message.topic, bytes(message.payload)))
            self._changed.notify_all()


class Server:
    """A world that is served in a thread of its own."""

    def __init__(self, broker: Mosquitto, file: ArenaFile, record: Path | None = None) -> None:
        self.told: list[str] = []
        self.error: Exception | None = None
        self._end = threading.Event()
        self._thread = Thread(target=self._serve, args=(broker.address, file, record), daemon=True)
        self._thread.start()

    def _serve(self, address: str, file: ArenaFile, record: Path | None) -> None:
        try:
            transport = broker_of(address, file.arena.channel)
            serve(file, transport, record=record, interrupted=self._end.is_set, tell=self.told.append)
        except ServeError as error:
            self.error = error

    def end(self) -> None:
        self._end.set()
        self.join()

    def join(self) -> None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    with Mosquitto() as broker:
        yield broker


@contextmanager
def robot(broker: Mosquitto, *topics: str) -> Iterator[Robot]:
    client = Robot(broker, *topics)
    try:
        yield client
    finally:
        client.close()


ANSWERS = "sensor/distance/1", "robot/msg/broadcast", "localization/update/?", "config/arena/", "service/discovery"


@pytest.mark.wall_clock
def test_a_program_outside_is_answered_and_told_to_stop_at_the_end(broker: Mosquitto, tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    with robot(broker, *ANSWERS) as client:
        server = Server(broker, arena_with(WALL), session)
        assert client.wait_for("robot/msg/broadcast") == [b"ID? -1"]
        client.wait_for("localization/update/?")
        client.say(*stands(1, 0, 0))
        client.say(*asks(1, reality="R"))
        assert client.wait_for("sensor/distance/1") == [b"24"]
        assert json.loads(client.on("config/arena/")[0])["xMin"] == -90
        server.end()
        assert client.wait_for("robot/msg/broadcast", times=2)[-1] == b"STOP -1"
        assert client.wait_for("config/arena/", times=2)[-1] == b""
        assert server.error is None
    assert play(session) == Replayed(7, ""), "five of the greeting, the announcement and the answer, but no farewell"
    with robot(broker, "config/arena/", "robot/msg/broadcast") as late:
        late.say("robot/msg/broadcast", "now")
        late.wait_for("robot/msg/broadcast")
        assert late.on("config/arena/") == [], "nothing is left behind"


@pytest.mark.wall_clock
def test_after_a_restart_of_the_broker_a_client_is_answered_at_once_and_nobody_is_forgotten(broker: Mosquitto) -> None:
    server = Server(broker, arena_with(WALL))
    with robot(broker, *ANSWERS) as client:
        client.wait_for("config/arena/")
        client.say(*stands(1, 0, 0))
        client.say(*asks(1))
        client.wait_for("sensor/distance/1")
    broker.kill()
    broker.start()
    with robot(broker, *ANSWERS) as client:
        client.wait_for("config/arena/")
        client.say(*asks(1))
        began = time.monotonic()
        assert client.wait_for("sensor/distance/1") == [b"24"]
        assert time.monotonic() - began < 1.0
    server.end()


@pytest.mark.wall_clock
def test_a_second_server_on_the_channel_refuses_and_the_first_goes_on(broker: Mosquitto) -> None:
    with robot(broker, *ANSWERS) as client:
        first = Server(broker, arena_with(WALL))
        older = json.loads(client.wait_for("service/discovery")[0])["uuid"]
        time.sleep(0.005)  # a server is younger from one millisecond on
        second = Server(broker, arena_with())
        second.join()
        assert second.error is not None
        assert f"server {older} was there before on channel 'v1'" in str(second.error)
        client.say(*stands(1, 0, 0))
        client.say(*asks(1))
        assert client.wait_for("sensor/distance/1") == [b"24"]
        assert b"STOP -1" not in client.on("robot/msg/broadcast"), "who refuses tells nobody to stop"
        first.end()


@contextmanager
def command(broker: Mosquitto, arena: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``devs-robotics serve`` in a process of its own."""
    words = [sys.executable, "-m", "devs_robotics", "serve", str(arena), "--broker", broker.address]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.wall_clock
def test_a_server_that_is_killed_leaves_nothing_and_the_next_one_knows_the_robots_that_answer(
    broker: Mosquitto, tmp_path: Path
) -> None:
    arena = tmp_path / "arena.json"
    arena.write_text(json.dumps({"arena": {"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90}}))
    with robot(broker, *ANSWERS) as client:
        with command(broker, arena) as server:
            client.wait_for("localization/update/?")
            client.say(*stands(1, 0, 0))
            client.say(*stands(2, 40, 0))
            client.say(*asks(1))
            assert client.wait_for("sensor/distance/1") == [b"28"]
            server.kill()
            assert client.wait_for("config/arena/", times=2)[-1] == b"", "its Last Will"
        with command(broker, arena):
            client.wait_for("localization/update/?", times=2)
            began = time.monotonic()
            client.say("robot/live", '{"id":1,"reality":"V"}')
            client.say(*stands(1, 0, 0))
            client.say(*stands(2, 50, 0))
            client.say(*asks(1))
            assert client.wait_for("sensor/distance/1", times=2)[-1] == b"38"
            assert time.monotonic() - began < 3.0
