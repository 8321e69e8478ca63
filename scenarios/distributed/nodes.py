"""What is wanted of the nodes of a distributed run, and what is to be said of them after it."""

from __future__ import annotations

from itertools import chain

from msgspec import Struct

from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.errors import OptionError


class NodesWanted(Struct, frozen=True):
    """How robots' models are shared out: by default they are not.

    Attributes:
        local: so many nodes are started on this machine, for all robots that are not awaited
        awaited: robots that nodes from elsewhere bring
    """

    local: int = 0
    awaited: tuple[int, ...] = ()

    def shared_out(self, robots: int) -> dict[str, tuple[int, ...]]:
        """The robots of each node that is started here, of so many, by its name.

        Raises:
            DevsRoboticsError: robots are awaited that there are not, or fewer are left than nodes
        """
        for robot in self.awaited:
            if not 1 <= robot <= robots:
                raise OptionError(f"--await {robot}: the scenario has {robots} robots: give some of these numbers")
        return shares(tuple(robot for robot in range(1, robots + 1) if robot not in self.awaited), self.local)

    def away(self, robots: int) -> tuple[int, ...]:
        """The robots whose models run at nodes, of so many; raises what `shared_out` does."""
        return (*chain(*self.shared_out(robots).values()), *self.awaited)


def shares(robots: tuple[int, ...], nodes: int) -> dict[str, tuple[int, ...]]:
    """Robots dealt out to so many nodes, neighbours together as far as possible.

    Raises:
        DevsRoboticsError: there are more nodes than robots
    """
    if nodes > len(robots):
        raise OptionError(f"--nodes {nodes}: only {len(robots)} robots are to be shared out: take fewer nodes")
    bounds = [len(robots) * number // max(nodes, 1) for number in range(nodes + 1)]
    return {f"node{number + 1}": robots[bounds[number] : bounds[number + 1]] for number in range(nodes)}


class NodeReport(Struct, frozen=True):
    """What is to be said of one node after a run.

    Attributes:
        robots: whose models it ran
        clock_offset: how far its clock was ahead of the host's at the start (s)
        round_trip: of the exchange that this was estimated by (s); the offset is wrong by half of it at most
        clock_drift: how much further ahead its clock got during the run (s)
        drift_error: the drift is wrong by so much at most (s)
        messages: that came from it to the host
        delay_p50, delay_p99, delay_max: from the sending of a message to its delivery (s, simulated); NaN without any
        steps: of its simulator; 0 if it did not report
        lateness_p99, lateness_max: of its events (s, simulated); NaN if it did not report
        dropped: what came to it, or from it to the host, and was no valid message
    """

    robots: tuple[int, ...]
    clock_offset: float
    round_trip: float
    messages: int
    delay_p50: float
    delay_p99: float
    delay_max: float
    steps: int
    lateness_p99: float
    lateness_max: float
    dropped: dict[str, int]
    clock_drift: float = 0.0
    drift_error: float = 0.0

    def line(self, name: str) -> str:
        """The most of it as one line, for people."""
        offset = in_ms(self.clock_offset, self.round_trip / 2.0)
        words = f"node {name} ({numbered(self.robots)}): its clock {offset} at the start"
        if abs(self.clock_drift) > self.drift_error:
            words += f", drift {in_ms(self.clock_drift, self.drift_error)}"
        words += f"; {self.messages:,} messages came"
        if self.messages:
            words += f" {1000.0 * self.delay_p50:.1f} ms late (median; 99 %: {1000.0 * self.delay_p99:.1f} ms)"
        if self.dropped:
            words += f"; dropped: {', '.join(f'{kind} ({times:,})' for kind, times in sorted(self.dropped.items()))}"
        return words


def in_ms(value: float, error: float) -> str:
    """A time and its largest error, both in s: ``+1.23 ms ± 0.45 ms``."""
    return f"{1000.0 * value:+.2f} ms ± {1000.0 * error:.2f} ms"
