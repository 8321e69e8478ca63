"""What a served world has to stand, at full length: ``python -m tests.benchmarks.mixed_reality [SECONDS]``.

Ten thousand packets of garbage on each topic, and a hundred robots that ask ten times a second for a minute at a stock
mosquitto: later answers are right, and none is lost. Cheap versions of both are in tests/scenarios/serving.
"""

from __future__ import annotations

import random
import sys
import time

from devs_robotics.hil.pera_swarm import topics
from devs_robotics.scenarios.pera.brokers import broker, served
from devs_robotics.scenarios.pera.experiments import LOADED
from devs_robotics.scenarios.pera.loads import load
from tests.hil.pera_swarm.packets import PUBLISHED
from tests.scenarios.serving.wire import Wire, arena_with, asks, stands

WALL = {"type": "wall", "reality": "R", "parameters": {"x": 31, "y": -30, "orientation": 90, "width": 60}}
PACKETS = 10_000


def garbage() -> str:
    """Garbage on each topic; afterwards a question is answered as before."""
    wire = Wire(arena_with(WALL))
    chance = random.Random(16)
    payloads = [data for _, data, _ in PUBLISHED]
    began = time.perf_counter()
    for topic in topics.LISTENED:
        for _ in range(PACKETS // 100):
            lines = []
            for _ in range(100):
                broken = bytearray(chance.choice(payloads))
                broken[chance.randrange(len(broken))] = chance.randrange(256)
                whole = chance.randbytes(20) if chance.random() < 0.5 else bytes(broken)
                lines.append((topic, whole[: chance.randrange(len(whole) + 1)]))
            wire.put(*lines)
    sent = PACKETS * len(topics.LISTENED)
    taken = time.perf_counter() - began
    for robot in wire.world.presence.robots:
        wire.put(("robot/delete", str(robot)))
    wire.put(stands(1, 0, 0))
    answer = wire.put(asks(1, reality="R"))
    right = answer == [("sensor/distance/1", "24")]
    dropped = sum(wire.world.dropped.values())
    said = f"{sent} packets on {len(topics.LISTENED)} topics in {taken:.0f} s, {dropped} counted as dropped"
    return f"{said}; the answer afterwards is {'right' if right else f'WRONG: {answer}'}"


def minute(seconds: float) -> str:
    """A hundred robots at 10 Hz."""
    with broker(None) as place, served(place, LOADED) as server:
        made = load(server, 100, 10.0, seconds)
    lost = made.asked - made.answered
    times = ", ".join(f"{name} {1000 * value:.1f} ms" for name, value in (("p50", made.p50), ("p95", made.p95)))
    met = lost == 0 and made.p50 < 0.003 and made.p95 < 0.010
    server_load = f"server {100 * made.cpu:.0f} % of a core"
    return (
        f"100 robots at 10 Hz, {place.called}: {lost} of {made.asked} lost, {times}, {server_load}: "
        f"the targets (none lost, p50 < 3 ms, p95 < 10 ms) are {'met' if met else 'MISSED'}"
    )


def main() -> None:
    """Say what came of it."""
    print(garbage(), flush=True)
    print(minute(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0), flush=True)


if __name__ == "__main__":
    main()
