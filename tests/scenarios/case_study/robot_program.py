"""A robot's program, written from docs/robot-protocol.md over paho alone: it drives at once, and has a gripper."""

from __future__ import annotations

import json
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion


class RobotProgram:
    """Lives from ``with`` on.

    Args:
        broker: its address, with user and password
        robot: its number
        knows_ask: whether it has a gripper at all

    Attributes:
        address: of the robot
        gripped: what its gripper was told, once for each action
    """

    def __init__(self, broker: str, robot: int = 2, *, knows_ask: bool = True) -> None:
        self.address = f"{broker}/robot/{robot}"
        self.gripped: list[bool] = []
        self._robot = robot
        self._knows_ask = knows_ask
        self._broker = urlsplit(broker)
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(self._broker.username, self._broker.password)
        self._client.on_message = self._heard
        self._client.on_connect = lambda client, *_: client.subscribe(f"robot/{robot}/command")
        self._over = Event()
        self._beats = Thread(target=self._beat)
        self._last = self._asked = 0
        self._told: dict[int, Any] = {}

    def __enter__(self) -> Self:
        assert self._broker.hostname is not None
        assert self._broker.port is not None
        self._client.connect(self._broker.hostname, self._broker.port)
        self._client.loop_start()
        self._beats.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._beats.join()
        self._client.disconnect()
        self._client.loop_stop()

    def _say(self, kind: str, **fields: Any) -> None:
        message = {"type": kind, "robot": self._robot, "session": "by-hand", **fields}
        self._client.publish(f"robot/{self._robot}/report", json.dumps(message))

    def _beat(self) -> None:
        count = 0
        while not self._over.wait(0.1):
            count += 1
            asked = {"asked": self._asked} if self._knows_ask else {}
            self._say("state", count=count, moving=0, last=self._last, x=0.0, y=0.0, heading=0.0, **asked)

    def _heard(self, client: Client, data: Any, message: MQTTMessage) -> None:
        command = json.loads(message.payload)
        if command["type"] == "move":
            self._last = command["id"]
            done = {key: command[key] for key in ("id", "turn", "distance")}
            self._say("moved", **done, ended="done")
        elif command["type"] == "sense":
            self._say("ranges", id=command["id"], values=[None], touching=False)
        elif command["type"] == "ask" and self._knows_ask:
            self._ask(command)

    def _ask(self, ask: dict[str, Any]) -> None:
        number = ask["id"]
        if number not in self._told:
            self._asked = number
            self.gripped.append(ask["data"]["close"])
            self._told[number] = {"held": ask["data"]["close"], "force": 7.5}
        self._say("told", id=number, name=ask["name"], data=self._told[number])
