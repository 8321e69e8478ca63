"""Sensing round trips over MQTT: ``python -m tests.benchmarks.round_trip`` (under two minutes).

A host asks each robot ten times per second, each at times of its own, what its range sensors see (`Sense`), and takes
the time until it has the answer (`Ranges`) decoded. It has one connection for all robots. The robots answer at once;
they are in another process, with a connection each, or with a few for all of them.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Condition

import msgspec

from devs_robotics.core.realtime.transport import Arrival, Link, Packet
from devs_robotics.hil.addresses import below
from devs_robotics.hil.broker import EmbeddedBroker
from devs_robotics.hil.robot_protocol import Command, Ranges, Report, Sense
from devs_robotics.hil.transports.connections import Connections, Endpoint
from devs_robotics.hil.transports.mqtt import Mqtt
from tests.real_components import Mosquitto

PERIOD = 0.1
"""Between two questions to one robot (s)."""

PATIENCE = 2.0
"""An answer that takes longer (s) is lost."""

START = 30.0
"""For all links to come up (s)."""

FEW = 4
"""So many connections the robots share, where they have none each."""

ENCODER = msgspec.json.Encoder()


class Robots:
    """The robots' side: answers questions on some of the robots' channels over one connection."""

    def __init__(self, address: str, robots: list[int]) -> None:
        self._ready = Condition()
        self._up = False
        self._decoder = msgspec.json.Decoder(Command)
        self._mqtt = Mqtt(address)
        for robot in robots:
            self._mqtt.listen(f"robot/{robot}/command")
        self._mqtt.open(self._arrived)

    def _arrived(self, arrival: Arrival) -> None:
        if isinstance(arrival.content, Link):
            with self._ready:
                self._up = arrival.content.up
                self._ready.notify_all()
            return
        question = self._decoder.decode(arrival.content.data)
        if isinstance(question, Sense):
            answer = Ranges(question.robot, "benchmark", question.id, (0.1, 0.2, None, 0.4, 0.5, 0.6, 0.7, 0.8), False)
            self._mqtt.send(f"robot/{question.robot}/report", ENCODER.encode(answer))

    def wait(self) -> None:
        with self._ready:
            assert self._ready.wait_for(lambda: self._up, START)

    def close(self) -> None:
        self._mqtt.close()


def be_robots(address: str, robots: int, connections: int) -> None:
    """What runs in the robots' process, until its standard input ends."""
    groups = [list(range(first, robots, connections)) for first in range(connections)]
    all_robots = [Robots(address, group) for group in groups]
    for some in all_robots:
        some.wait()
    print("ready", flush=True)
    sys.stdin.read()
    for some in all_robots:
        some.close()


@contextmanager
def robots_in_a_process(address: str, robots: int, connections: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.benchmarks.round_trip", "--robots-at", address]
    command += ["--robots", str(robots), "--connections", str(connections)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
        assert process.stdin is not None
        process.stdin.close()


class Host:
    """Asks the robots and takes the times."""

    def __init__(self, address: str, robots: int) -> None:
        connections = Connections()
        self._endpoints: list[Endpoint] = [connections.at(below(address, f"robot/{robot}")) for robot in range(robots)]
        self._changed = Condition()
        self._up = False
        self._decoder = msgspec.json.Decoder(Report)
        self.asked: list[float] = []
        self.taken: dict[int, float] = {}
        for endpoint in self._endpoints:
            endpoint.transport.listen(endpoint.listen_on)
        self._transport = self._endpoints[0].transport
        self._transport.open(self._arrived)

    def _arrived(self, arrival: Arrival) -> None:
        if isinstance(arrival.content, Packet):
            answer = self._decoder.decode(arrival.content.data)
            assert isinstance(answer, Ranges)
            self.taken[answer.id] = time.perf_counter() - self.asked[answer.id]
            return
        with self._changed:
            self._up = arrival.content.up
            self._changed.notify_all()

    def ask(self, seconds: float) -> None:
        """Ask each robot every `PERIOD`, beginning at a time of its own, and wait for the answers."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._up, START)
        rng = random.Random(1)
        begin = time.perf_counter() + PERIOD
        plan = [(begin + rng.uniform(0.0, PERIOD), robot) for robot in range(len(self._endpoints))]
        heapq.heapify(plan)
        while plan[0][0] < begin + seconds:
            due, robot = heapq.heappop(plan)
            heapq.heappush(plan, (due + PERIOD, robot))
            time.sleep(max(0.0, due - time.perf_counter()))
            self.asked.append(time.perf_counter())
            question = ENCODER.encode(Sense(robot, len(self.asked) - 1))
            self._transport.send(self._endpoints[robot].send_on, question)
        end = time.perf_counter() + PATIENCE
        while len(self.taken) < len(self.asked) and time.perf_counter() < end:
            time.sleep(0.01)
        self._transport.close()


def measure(address: str, robots: int, connections: int, seconds: float) -> Host:
    with robots_in_a_process(address, robots, connections):
        host = Host(address, robots)
        host.ask(seconds)
    return host


def row(broker: str, robots: int, connections: int, host: Host) -> str:
    times = sorted(1000.0 * taken for taken in host.taken.values())
    p50, p95, p99 = (statistics.quantiles(times, n=100)[share - 1] for share in (50, 95, 99))
    lost = len(host.asked) - len(times)
    return f"| {broker} | {robots} | {connections} | {len(host.asked)} | {lost} | {p50:.2f} | {p95:.2f} | {p99:.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each case (default: 8)")
    parser.add_argument("--robots-at", help=argparse.SUPPRESS)
    parser.add_argument("--robots", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--connections", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.robots_at is not None:
        be_robots(options.robots_at, options.robots, options.connections)
        return
    print("| broker | robots | their connections | sent | lost | p50 (ms) | p95 (ms) | p99 (ms) |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with ExitStack() as brokers:
        mosquitto = brokers.enter_context(Mosquitto())
        embedded = brokers.enter_context(EmbeddedBroker())
        for name, address in (("mosquitto, default settings", mosquitto.address), ("embedded", embedded.shown)):
            for robots, connections in ((1, 1), (10, 10), (50, 50), (100, 100), (100, FEW)):
                print(
                    row(name, robots, connections, measure(address, robots, connections, options.seconds)), flush=True
                )


if __name__ == "__main__":
    main()
