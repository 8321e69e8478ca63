"""A robot that speaks the JSON robot protocol, written from docs/robot-protocol.md and not from the project's code."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import copysign
from typing import Any

from devs_robotics.hil.testing.driver_bench import DriverBench


class JsonPeer:
    """The robot at the other end of a table's link.

    Attributes:
        deaf, mute: names of messages that it does not hear, or does not send; each is taken off the list once
        faster: its speeds, as a multiple of those that it is told
        delay: of what it hears (s)
        wall: so far it can go in one move (m)
        begun: moves that it has carried out
        answers: how often it answers a question
        turned, gone: all that it has ever done
        pose: that it tells
        hands: what answers the questions to equipment of its own, by name; without any it knows no `ask`
        done: what it has carried out: names and data
        takes: how long that takes (s)
    """

    def __init__(self, table: DriverBench, robot: int = 7, session: str = "s1") -> None:
        self.table = table
        self.robot = robot
        self.session = session
        self.deaf: list[str] = []
        self.mute: list[str] = []
        self.faster = 1.0
        self.delay = 0.0
        self.wall = 1e9
        self.begun: list[int] = []
        self.answers = 1
        self.alive = True
        self.silent = False
        self.touching = False
        self.values: list[float | None] = [0.25]
        self.heard_at = -1e9
        self.turned = self.gone = 0.0
        self.pose = {"x": 0.0, "y": 0.0, "heading": 0.0}
        self.hands: dict[str, Callable[[dict[str, Any]], Any]] = {}
        self.done: list[tuple[str, dict[str, Any]]] = []
        self.takes = 0.0
        self._asked = 0
        self._answers: dict[int, Any] = {}
        self._move: dict[str, Any] | None = None
        self._from = 0.0
        self._over: dict[int, dict[str, Any]] = {}
        self._last = 0
        self._count = 0
        previous = table.answer  # several robots may hear the same

        def answer(data: bytes) -> None:
            previous(data)
            if self.delay:
                table.at(self.now + self.delay, lambda: self.hear(data))
            else:
                self.hear(data)

        table.answer = answer
        table.at(0.0, self._beat)

    @property
    def now(self) -> float:
        return self.table.clock.now()

    def say(self, kind: str, **fields: Any) -> None:
        if self.alive and not self.silent:
            if kind in self.mute:
                self.mute.remove(kind)
            else:
                message = {"type": kind, "robot": self.robot, "session": self.session, **fields}
                self.table.say(json.dumps(message).encode())

    def hear(self, data: bytes) -> None:
        message = json.loads(data)
        kind = message["type"]
        if not self.alive or message["robot"] != self.robot:
            return
        if kind in self.deaf:
            self.deaf.remove(kind)
        elif kind == "heartbeat":
            self.heard_at = self.now
        elif kind == "move":
            self._begin(message)
        elif kind == "stop":
            self.end("stopped")
        elif kind == "sense":
            for _ in range(self.answers):
                self.say("ranges", id=message["id"], values=self.values, touching=self.touching)
        elif kind == "ask" and message["name"] in self.hands:
            self._ask(message)

    def _ask(self, ask: dict[str, Any]) -> None:
        number, name = ask["id"], ask["name"]
        self._asked = max(self._asked, number)

        def over() -> None:
            if self.now - self.heard_at > 0.5:
                del self._answers[number]
                return
            self.done.append((name, ask["data"]))
            self._answers[number] = self.hands[name](ask["data"])
            self.say("told", id=number, name=name, data=self._answers[number])

        if number in self._answers:
            if self._answers[number] is self:
                self.say("busy", id=number, name=name)
            else:
                self.say("told", id=number, name=name, data=self._answers[number])
        else:
            self._answers[number] = self  # which stands for what it is at
            if self.takes:
                self.table.at(self.now + self.takes, over)
            else:
                over()

    def touch(self, touching: bool) -> None:
        self.touching = touching
        self.say("touch", touching=touching)

    def obey(self, number: int, turn: float = 0.0, distance: float = 0.0) -> None:
        """Somebody else gives it a move."""
        speeds = {"speed": 0.1, "turn_rate": 1.0, "deadline": 60.0}
        self.hear(
            json.dumps(
                {"type": "move", "robot": self.robot, "id": number, "turn": turn, "distance": distance, **speeds}
            ).encode()
        )

    def die(self, *, leaves_a_will: bool = True) -> None:
        if leaves_a_will:
            self.say("gone")
        self.alive = False
        self.end("stopped")

    def _begin(self, move: dict[str, Any]) -> None:
        number = move["id"]
        if number in self._over:
            self.say("moved", **self._over[number])
        elif self._move is None or self._move["id"] != number:
            self.end("replaced")
            self._move, self._from = move, self.now
            self.begun.append(number)
            turn_time, way_time = self._times(move)
            self._at(turn_time + way_time, number, "done")
            if abs(move["distance"]) > self.wall:
                self._at(turn_time + way_time * self.wall / abs(move["distance"]), number, "blocked")
            self._at(move["deadline"], number, "deadline")

    def _times(self, move: dict[str, Any]) -> tuple[float, float]:
        return (
            abs(move["turn"]) / move["turn_rate"] / self.faster,
            abs(move["distance"]) / move["speed"] / self.faster,
        )

    def _at(self, after: float, number: int, how: str) -> None:
        def act() -> None:
            if self._move is not None and self._move["id"] == number:
                self.end(how)

        self.table.at(self.now + after, act)

    def end(self, how: str) -> None:
        move, self._move = self._move, None
        if move is None:
            return
        passed, (turn_time, way_time) = self.now - self._from, self._times(move)
        turn = _part(move["turn"], passed, turn_time)
        way = _part(move["distance"], passed - turn_time, way_time)
        self.turned += turn
        self.gone += way
        self._last = move["id"]
        self._over[self._last] = {"id": self._last, "turn": turn, "distance": way, "ended": how}
        self.say("moved", **self._over[self._last])

    def _beat(self) -> None:
        if self._move is not None and self.now - max(self.heard_at, self._from) >= 0.5:
            self.end("silence")
        self._count += 1
        moving = 0 if self._move is None else self._move["id"]
        asked = {"asked": self._asked} if self.hands else {}
        self.say("state", count=self._count, moving=moving, last=self._last, **self.pose, **asked)
        self.table.at(self.now + 0.1, self._beat)


def _part(whole: float, passed: float, time: float) -> float:
    share = 1.0 if time <= 0.0 or passed >= time - 1e-9 else max(0.0, passed / time)
    return copysign(share * abs(whole), whole)
