"""Nodes in processes of their own on this machine, each ``python -m devs_robotics.scenarios.distributed.local_nodes``.

A node gets its order through its standard input, and ends when that ends, however its owner does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from threading import Event, Thread
from types import TracebackType
from typing import Self

import msgspec

from devs_robotics import DevsRoboticsError
from devs_robotics.core.processes import apart
from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.settings.loading import restored
from devs_robotics.scenarios.settings.schema import Scenario

END_WITHIN = 5.0
"""A node that has not ended so long (s) after the run is killed."""


class NodeOrder(msgspec.Struct, frozen=True):
    """What a node is to do.

    Attributes:
        scenario: as JSON, with passwords
        robots: that it has
        broker: MQTT address
        name: of the node
        path: where the host looks for modules, those of a case study for instance; names of folders may be no text
    """

    scenario: str
    robots: tuple[int, ...]
    broker: str
    name: str
    path: tuple[bytes, ...] = ()


class LocalNodes:
    """Nodes of this machine, while it is entered.

    Args:
        scenario: of the run
        robots: of each node, by its name
        broker: MQTT address
    """

    def __init__(self, scenario: Scenario, robots: Mapping[str, tuple[int, ...]], broker: str) -> None:
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._orders = [
            NodeOrder(
                scenario.model_dump_json(round_trip=True), numbers, broker, name, tuple(map(os.fsencode, sys.path))
            )
            for name, numbers in robots.items()
            if numbers
        ]

    @property
    def dead(self) -> set[str]:
        """Names of those that have ended."""
        return {name for name, process in self.processes.items() if process.poll() is not None}

    @property
    def failure(self) -> str:
        """Which of them has ended, and how; or empty. To be asked while the run goes on."""
        for order in self._orders:
            status = self.processes[order.name].poll()
            if status is not None:
                how = f"was killed (signal {-status})" if status < 0 else f"ended too early, with status {status}"
                return f"node {order.name} ({numbered(order.robots)}) {how}"
        return ""

    def __enter__(self) -> Self:
        for order in self._orders:
            # in a group of its own: Ctrl-C is for the host, which ends its nodes
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "devs_robotics.scenarios.distributed.local_nodes"],
                stdin=subprocess.PIPE,
                **apart(),
            )
            self.processes[order.name] = process
            assert process.stdin is not None
            with suppress(OSError):  # it has ended, as `failure` tells
                process.stdin.write(msgspec.json.encode(order) + b"\n")
                process.stdin.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self.processes.values():
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.close()
        for process in self.processes.values():
            try:
                process.wait(END_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


# what follows runs in the node's own process


def main() -> int:
    """Run one node; returns its exit status."""
    from devs_robotics.scenarios.distributed.node import run_node
    from devs_robotics.scenarios.running.interrupt import Interrupt

    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=NodeOrder)
    orphaned = Event()
    Thread(target=_wait_for_end, args=(orphaned,), daemon=True).start()
    places = list(map(os.fsdecode, order.path))
    sys.path[:] = [*places, *(place for place in sys.path if place not in places)]  # in the host's order
    try:
        scenario = restored(order.scenario)
        with Interrupt() as interrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            run_node(
                scenario,
                order.robots,
                order.broker,
                order.name,
                interrupted=lambda: orphaned.is_set() or interrupt.requested,
                at_host=True,
            )
    except DevsRoboticsError as exc:
        sys.stderr.write(f"node {order.name}: {exc}\n")
        return 1
    return 0  # what became of the run, the host knows


def _wait_for_end(orphaned: Event) -> None:
    # not through a buffer, which could not be closed while this thread reads
    while os.read(sys.stdin.fileno(), 4096):
        pass
    orphaned.set()


if __name__ == "__main__":
    sys.exit(main())
