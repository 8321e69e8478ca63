"""The proof of a population by replay: what some of its robots heard, played to their ordinary models."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from devs_robotics.core.model import Atomic
from devs_robotics.core.observe.comparing import TraceDifference, first_difference
from devs_robotics.core.observe.events import Sent
from devs_robotics.core.population.population_model import Kept, MemberHearing, MemberMessage, PopulationModel


def differences(model: PopulationModel) -> dict[int, TraceDifference]:
    """Where robots of which something was kept said something else than their ordinary models say, by their numbers.

    The ordinary models are used up by it.

    Args:
        model: after its run
    """
    found = {}
    for robot, kept in model.kept.items():
        said = replayed(kept, model.population.now)
        difference = first_difference(events(robot, said), events(robot, kept.said))
        if difference is not None:
            found[robot] = difference
    return found


def events(robot: int, said: Sequence[MemberMessage]) -> list[Sent]:
    """Messages as events of a trace, one each."""
    return [Sent(each.time, f"robot{robot}", each.port, (each.value,)) for each in said]


def replayed(kept: Kept, until: float) -> list[MemberMessage]:
    """What a robot's ordinary model says when it hears what the robot has heard.

    Args:
        kept: of the robot
        until: time of the last events (s)
    """
    alone = _Alone(kept.member)
    for hearing in kept.heard:
        alone.fire_until(hearing.fired - hearing.confluent, hearing.time)
        alone.hear(hearing)
    alone.fire_until(kept.fired, until)
    while alone.next < until:
        alone.fire()
    return alone.said


class _Alone:
    """One ordinary model, whose functions are called in the order in which a population's robot made its events."""

    def __init__(self, model: Atomic) -> None:
        self.model = model
        self.now = self.last = 0.0
        self.next = inf
        self.fired = 0
        self.said: list[MemberMessage] = []
        model.initialize()
        self._plan()

    def fire_until(self, fired: int, until: float) -> None:
        """Make internal events up to a number of them, and none after a time (s)."""
        while self.fired < fired and self.next <= until:
            self.fire()

    def fire(self) -> None:
        """Make the next internal event."""
        self._say()
        self.model.deltint()
        self._plan()

    def hear(self, hearing: MemberHearing) -> None:
        """Hear what came in one step."""
        model = self.model
        confluent = hearing.confluent and self.next == hearing.time
        if confluent:
            self._say()
        self.now = hearing.time
        for port, message in hearing.bag:
            model.input[port].add(message)
        if confluent:
            model.deltcon()
        else:
            model.deltext(self.now - self.last)
        for port, _ in hearing.bag:
            model.input[port].clear()
        self._plan()

    def _say(self) -> None:
        self.now = self.next
        self.fired += 1
        self.model.lambdaf()
        for port in self.model.out_ports:
            values: list[Any] = list(port.values)
            self.said += [MemberMessage(self.now, port.name, value) for value in values]
            port.clear()

    def _plan(self) -> None:
        self.last = self.now
        self.next = self.now + self.model.ta()
