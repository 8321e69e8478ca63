"""Several simulators in one process, and a network between them whose every packet a test decides about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any

from xdevs.models import Port as XdevsPort

from devs_robotics import Coupled, Packet, Port, Simulator
from devs_robotics.core.distribution import Partition, Peer, Session, partition
from devs_robotics.core.distribution.partition import anything
from devs_robotics.core.distribution.peer import Fits

Fate = Callable[[], Iterable[float]]
"""What becomes of the next packet: after how long it arrives (s), once, several times, or never."""


class Network:
    """Runs parts in step; packets take as long as their fate says, and none by default."""

    def __init__(self, parts: Mapping[str, Partition], fate: Fate = lambda: (0.0,)) -> None:
        self.parts = parts
        self.fate = fate
        self.now = 0.0
        self.alive = dict.fromkeys(parts, True)
        self.faults: dict[str, list[str]] = {process: [] for process in parts}
        self.left: dict[str, list[tuple[float, Any]]] = defaultdict(list)
        """What left the parts otherwise, by port, and when."""
        self._simulators = {process: Simulator(part.root) for process, part in parts.items()}
        self._numbers = count()
        self._under_way: list[tuple[float, int, str, Port[Any], Packet]] = []

    def run(self, until: float) -> None:
        """Take whatever is due next, up to and including a time."""
        while True:
            running = {name: each for name, each in self._simulators.items() if self.alive[name]}
            name = min(running, key=lambda name: running[name].next_time)
            due = min([running[name].next_time, *(entry[0] for entry in self._under_way[:1])])
            self.now = min(due, until)
            if due > until:
                return
            if self._under_way and self._under_way[0][0] <= self.now:
                _, _, receiver, port, packet = heappop(self._under_way)
                self._simulators[receiver].inject(port, packet, at=self.now)
            else:
                running[name].run(max_steps=1)
                self._collect(name)

    def inject(self, process: str, port: XdevsPort[Any], content: Any) -> None:
        """Have something come to a part from nowhere."""
        self._simulators[process].inject(port, content, at=self.now)

    def _collect(self, name: str) -> None:
        part = self.parts[name]
        self.faults[name] += [fault.reason for fault in part.fault.values]
        for port in part.root.out_ports:
            self.left[port.name] += [(self.now, value) for value in port.values]
        for there, ports in part.wires.items():
            for packet in ports.outgoing.values:
                for latency in self.fate():
                    incoming = self.parts[there].wires[name].incoming
                    entry = (self.now + latency, next(self._numbers), there, incoming, packet)
                    heappush(self._under_way, entry)


def two_ends(source: Any, sink: Any, session: Session, fits: Fits = anything) -> dict[str, Partition]:
    """Two processes, `left` with a model that has a port `said`, and `right` with one that has a port `heard`."""
    top = Coupled("top")
    top.add_component(source)
    top.add_component(sink)
    top.add_coupling(source.said, sink.heard)
    places = {f"top/{source.name}": "left", f"top/{sink.name}": "right"}
    return partition(top, places, session, {"left": "node 1 (robot 7)"}, fits)


def peers(parts: Mapping[str, Partition]) -> list[Peer]:
    """All of them."""
    return [peer for part in parts.values() for peer in part.peers.values()]
