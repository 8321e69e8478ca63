"""Whether a record lacks lines that a simulation writes; what is missing would otherwise be laid on a robot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devs_robotics.core.observe import Changed, Event, Received, Sent, Started

_MODEL = re.compile(r"(?:^|/)robot(\d{1,9})/(\w+)$")
_COMES_FROM = {"f_ready_in": (-1, "f_ready_out"), "b_ready_in": (1, "b_ready_out")}
_INSIDE = {
    "drive_ask": (0, "motor_ask"),
    "ranging_ask": (0, "infrared_ask"),
    "motor_answer": (0, "drive_answer"),
    "infrared_answer": (0, "ranging_answer"),
}
"""By the port at which something is received: which robot sent it, counted from the one that receives it, and where."""
_RECEIVERS = {"drive_ask": "motor", "ranging_ask": "infrared"}
"""Models at whose ports these are; of all others it is the decision model."""
_WHOLE = ({"avoid"}, {"motor"}, {"infrared", "device"})
"""A robot is on record as a whole if one of each of these is."""


class Gaps:
    """Looks for lines that are missing, event by event.

    By the semantics of DEVS a message that is received was sent at the same instant, a model that sends or receives
    makes its transition then, and one that makes an external transition has received something. What is sent and not
    received is left to the protocol: a robot may be deaf.
    """

    def __init__(self) -> None:
        self._time = 0.0
        self._sent: set[tuple[int, str, str]] = set()
        """At this instant: robot, port and value."""
        self._open: dict[int, bool] = {}
        """Robots that have said or heard something and not made their transition; whether they have heard something."""
        self._whole: frozenset[int] = frozenset()
        """Robots all of whose models are on record."""

    def found(self, event: Event) -> str:
        """What is missing before an event, in words; nothing if all is there."""
        if event.time != self._time:
            if self._open:
                return f"robot {min(self._open)}'s transition at {self._time:.6g} s is missing"
            self._time = event.time
            self._sent.clear()
        if isinstance(event, Started):
            self._whole = frozenset(_whole(event.models))
        elif isinstance(event, Sent | Received | Changed):
            return self._seen(event, *_model(event.model))
        return ""

    def _seen(self, event: Sent | Received | Changed, robot: int, name: str) -> str:
        if isinstance(event, Sent):
            self._sent.update((robot, event.port, repr(value)) for value in event.values)
        if name == "convoy" and isinstance(event, Changed):
            heard = self._open.pop(robot, False) or event.kind == "internal"
            return "" if heard else self._unheard(event, robot)
        if name == "convoy":
            self._open[robot] = isinstance(event, Received) or self._open.get(robot, False)
        if isinstance(event, Received) and name == _RECEIVERS.get(event.port, "convoy"):
            return self._unsent(event, robot)
        return ""

    def _comes_from(self, robot: int) -> dict[str, tuple[int, str]]:
        return {**_COMES_FROM, **_INSIDE} if robot in self._whole else _COMES_FROM

    def _unheard(self, event: Changed, robot: int) -> str:
        """What was sent to a robot whose transition says that it has heard something, in words."""
        sent = {(sender, port) for sender, port, _ in self._sent}
        heard = (where for port, where in self._comes_from(robot).items() if port not in _RECEIVERS)
        if sent.isdisjoint((robot + place, port) for place, port in heard):
            return ""
        return f"the line of what robot {robot} heard at {event.time:.6g} s is missing"

    def _unsent(self, event: Received, robot: int) -> str:
        """What was received and not sent, in words."""
        place, port = self._comes_from(robot).get(event.port, (0, ""))
        if not port:
            return ""
        if self._sent.issuperset((robot + place, port, repr(value)) for value in event.values):
            return ""
        return (
            f"{event.model.rpartition('/')[2]} of robot {robot} received something at {event.time:.6g} s "
            f"({event.port}), and the line in which robot {robot + place} sent it is missing"
        )


def _whole(paths: Iterable[str]) -> Iterator[int]:
    models: dict[int, set[str]] = {}
    for path in paths:
        robot, name = _model(path)
        models.setdefault(robot, set()).add(name)
    return (robot for robot, names in models.items() if all(names & some for some in _WHOLE))


def _model(path: str) -> tuple[int, str]:
    """Which robot's model it is, and which of them; 0 if it is no robot's."""
    match = _MODEL.search(path)
    return (int(match.group(1)), match.group(2)) if match else (0, "")
