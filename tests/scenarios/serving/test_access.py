"""The broker of docs/mixed-reality.md, a real mosquitto: who may say and hear what."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from threading import Condition
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.documents import FENCE
from tests.paths import ROOT
from tests.real_components import Mosquitto, require

PATIENCE = 30.0


def shown(name: str) -> str:
    """A file that the document shows."""
    text = (ROOT / "docs" / "mixed-reality.md").read_text(encoding="utf-8")
    blocks = [match[2] for match in FENCE.finditer(text) if match[1] == "conf"]
    (block,) = [each for each in blocks if each.startswith(f"# {name}\n")]
    return block


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    folder = tmp_path_factory.mktemp("broker")
    (folder / "robots.acl").write_text(shown("robots.acl"))
    for number, user in enumerate(("server", "7", "8")):
        flags = ["-b"] if number else ["-b", "-c"]
        words = [require("mosquitto_passwd"), *flags, str(folder / "robots.passwd"), user, f"secret-{user}"]
        subprocess.run(words, check=True, capture_output=True)
    lines = [line for line in shown("mosquitto.conf").splitlines() if not line.startswith(("#", "listener"))]
    with Mosquitto("\n".join(lines), folder=folder) as broker:
        yield broker


class User:
    """A client that hears all that it may."""

    def __init__(self, broker: Mosquitto, name: str, password: str | None = None) -> None:
        self.heard: list[str] = []
        self.reason: Any = None
        self._changed = Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(name, f"secret-{name}" if password is None else password)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = lambda *_: self._note("subscribed")
        self._client.on_message = lambda _client, _user, message: self._note(message.topic)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def wait_for(self, what: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: what in self.heard, PATIENCE), self.heard

    def say(self, *topics: str) -> None:
        for topic in topics:
            self._client.publish(topic, "1")

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: Client, _user: object, _flags: object, reason: Any, _properties: object) -> None:
        self.reason = reason
        self._note("refused" if reason.is_failure else "connected")
        if not reason.is_failure:
            client.subscribe("#")

    def _note(self, what: str) -> None:
        with self._changed:
            self.heard.append(what)
            self._changed.notify_all()


SAID = (
    "v1/robot/create",
    "v1/robot/live",
    "v1/localization",
    "v1/localization/update",
    "v1/sensor/distance",
    "v1/sensor/color",
    "v1/sensor/proximity",
    "v1/comm/out/simple",
    "v1/comm/out/direct",
    "v1/output/neopixel",
    "v1/robot/log",
)
"""What a robot has to say."""

FORBIDDEN = ("v1/sensor/distance/8", "v1/robot/msg/broadcast", "v1/config/arena/", "v1/robot/delete", "v2/robot/live")
"""What is not a robot's to say."""


@pytest.mark.wall_clock
def test_robots_say_what_is_theirs_and_hear_their_own_answers(broker: Mosquitto) -> None:
    server, seven, eight = (User(broker, name) for name in ("server", "7", "8"))
    for user in (server, seven, eight):
        user.wait_for("subscribed")
    seven.say(*FORBIDDEN, *SAID)
    server.wait_for(SAID[-1])
    assert [topic for topic in server.heard if "/" in topic] == list(SAID)
    answers = ("v1/sensor/distance/7", "v1/sensor/proximity/8", "v1/comm/in/simple/7", "v1/localization/7")
    server.say(*answers, "v1/robot/msg/7", "v1/output/neopixel/7", "v1/localization/update/?", "v1/robot/msg/broadcast")
    for robot, number in ((seven, 7), (eight, 8)):
        robot.wait_for("v1/robot/msg/broadcast")
        own = [topic for topic in answers if topic.endswith(f"/{number}")]
        further = ["v1/robot/msg/7", "v1/output/neopixel/7"] if number == 7 else []
        all_hear = ["v1/localization/update/?", "v1/robot/msg/broadcast"]
        assert [topic for topic in robot.heard if "/" in topic] == [*own, *further, *all_hear]
    for user in (server, seven, eight):
        user.close()


@pytest.mark.wall_clock
def test_nobody_comes_in_with_another_password(broker: Mosquitto) -> None:
    wrong = User(broker, "7", "secret-8")
    wrong.wait_for("refused")
    assert "Not authorized" in str(wrong.reason)
    wrong.close()
