"""Whether what is said in a team is heard: each message once, at the instant at which it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from devs_robotics.experimental_frames.convoy.conformance.messages import HEARD_AT, ValuesByPort
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import RobotMonitor

_LEADS_TO = {
    "f_ready_out": (1, "f_ready_in"),
    "b_ready_out": (-1, "b_ready_in"),
    "motor_ask": (0, "motor_answer"),
    "infrared_ask": (0, "infrared_answer"),
}
"""By the port at which a robot says something: which robot hears it, or an answer, counted from it, and where."""


class MessageDeliveries:
    """Counts what is said and what is heard at each instant, and reports what does not fit to the robot that hears.

    An answer may come later than the question, or never. Within an instant the order is left open, so that one is
    judged when the next begins.

    Args:
        robots: their monitors, by number
    """

    def __init__(self, robots: Mapping[int, RobotMonitor]) -> None:
        self._robots = robots
        self._time = 0.0
        self._due: Counter[tuple[int, str]] = Counter()
        """By robot and port: so many messages are to be heard at this instant."""
        self._heard: Counter[tuple[int, str]] = Counter()

    def step(self, time: float, said: Mapping[int, ValuesByPort], heard: Mapping[int, ValuesByPort]) -> None:
        """What robots said and heard at one step of the simulation."""
        self.move_on(time)
        for robot, ports in said.items():
            for port in ports.keys() & _LEADS_TO.keys():
                place, name = _LEADS_TO[port]
                self._due[robot + place, name] += len(ports[port])
        for robot, ports in heard.items():
            for port, values in ports.items():
                self._heard[robot, port] += len(values)

    def move_on(self, time: float) -> None:
        """Judge the last instant, if a later one begins."""
        if time > self._time:
            self._judge()
            self._time = time

    def end(self) -> None:
        """Judge what was heard at the last instant; what was not heard might still have come."""
        self._due = Counter({at: min(due, self._heard[at]) for at, due in self._due.items()})
        self._judge()

    def _judge(self) -> None:
        unanswered: Counter[tuple[int, str]] = Counter()
        for robot, port in sorted(self._due.keys() | self._heard.keys()):
            due, heard = self._due[robot, port], self._heard[robot, port]
            answer = port in ("motor_answer", "infrared_answer")
            if answer and heard < due:
                unanswered[robot, port] = 1
            elif heard != due and robot in self._robots and (answer or port in ("f_ready_in", "b_ready_in")):
                words = _words(robot, port, due, heard)
                self._robots[robot].tell("heard", words, self._time, HEARD_AT[port])
        self._due, self._heard = unanswered, Counter()


def _words(robot: int, port: str, due: int, heard: int) -> str:
    what, told, never = {
        "f_ready_in": (f"that robot {robot - 1} had moved", "it was told so", "nobody had told it so"),
        "b_ready_in": (f"that robot {robot + 1} had caught up", "it was told so", "nobody had told it so"),
        "motor_answer": ("its motor answer", "it had given it a command", "it had given it no command"),
        "infrared_answer": ("its sensor answer", "it had asked it", "it had not asked it"),
    }[port]
    if not heard:
        return f"did not hear {what}, when {told}"
    how_often = f" {heard} times" if heard > 1 else ""
    if not due:
        return f"heard {what}{how_often}, and {never}"
    return f"heard {what}{how_often}, when {told} {'once' if due == 1 else f'{due} times'}"
