"""What it costs a run to be watched: ``python -m tests.benchmarks.watching`` (some minutes).

Processor time of the same run with viewers of several kinds, as a ratio to the run without a view: medians over the
repeats, which take turns so that a busy machine slows all alike. Each viewer is a process of its own, which answers
every state. Also how old the pictures are when they arrive, and how much memory the view's process takes.

Runs are looked at so many times per real second. Where others use the machine, a run gets less processor time in that
second, and is looked at more often in each second of its own. ``--own`` measures what it costs where nobody else does:
there is no view's process, and it is always time to look by the run's own processor time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path

from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.viewing.live import LiveView, ViewedRun
from devs_robotics.view.server.live import BEAT
from devs_robotics.view.server.messages import SUBPROTOCOL
from devs_robotics.view.server.serving import Serving
from devs_robotics.view.shared import SharedBlock, Wish, encode
from devs_robotics.view.states import unpacked

WAYS: dict[str, tuple[bool, list[str]]] = {
    "without a view": (False, []),
    "a view, and nobody looks": (True, []),
    "one viewer of poses": (True, ["poses"]),
    "one viewer of everything": (True, ["everything"]),
    "eight viewers of everything": (True, ["everything"] * 8),
    "eight, of whom one does not read": (True, ["everything"] * 7 + ["nothing"]),
}
"""Whether there is a view, and who looks."""


def measured(settings: Sequence[str], way: str) -> tuple[float, list[float], int]:
    """Processor time of a run (s), ages of pictures (s), and the memory of the view (bytes)."""
    watched, viewers = WAYS[way]
    scenario = resolve(load("convoy", list(settings)))
    with ExitStack() as stack:
        view = stack.enter_context(LiveView(Serving())) if watched else None
        clients = []
        for kind in viewers:
            assert view is not None
            command = [sys.executable, "-m", "tests.benchmarks.watching", "--client", kind, "--link", view.link]
            client = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert client.stdout is not None
            client.stdout.readline()  # it is connected
            clients.append(client)
        outcome = run(scenario, Means(), Hooks(view=view))
        memory = 0 if view is None else _memory(view._process.pid)
    ages = [age for client in clients for age in json.loads(client.communicate()[0])]
    return outcome.cpu_s, ages, memory


OWN: dict[str, Wish | None] = {
    "without a view": None,
    "a view, and nobody looks": Wish(),
    "viewers of poses": Wish(rate=30.0),
    "viewers of everything": Wish(rate=30.0, events=True, metrics=True),
}
"""What viewers want, whoever they are; None: there is no view."""


def own_cost(settings: Sequence[str], wish: Wish | None) -> tuple[float, int]:
    """Processor time of a run whose time to be looked at goes by that (s), and how often it was looked at."""
    scenario = resolve(load("convoy", list(settings)))
    if wish is None:
        return run(scenario, Means(), Hooks()).cpu_s, 0
    with SharedBlock.create() as block:
        told = -inf

        def monotonic() -> float:
            nonlocal told
            now = time.process_time()
            if now - told > BEAT:
                told = now
                block.wish.write(encode(replace(wish, beat=now)))
            return now

        view = ViewedRun(block, monotonic=monotonic)
        outcome = run(scenario, Means(), Hooks(view=view))
        looks = 0 if view.feed is None else view.feed.tap.looks
        block.remove()
    return outcome.cpu_s, looks


def print_own_costs(settings: Sequence[str], repeats: int) -> None:
    """Medians of ratios to the run without a view, and the least processor times."""
    found: dict[str, list[tuple[float, int]]] = {way: [] for way in OWN}
    own_cost(settings, None)  # what is imported and made once
    for _ in range(repeats):
        for way, wish in OWN.items():
            found[way].append(own_cost(settings, wish))
    alone = [cost for cost, _ in found["without a view"]]
    for way, costs in found.items():
        ratio = statistics.median(cost / other for (cost, _), other in zip(costs, alone, strict=True))
        least = min(cost for cost, _ in costs)
        print(
            f"  {way:34} least {least:6.2f} s  x {least / min(alone):.3f}  median x {ratio:.3f}  {costs[0][1]:5} looks",
            flush=True,
        )


def look(link: str, kind: str) -> None:
    """A viewer, until the view ends; prints the ages of its pictures."""
    ages = []
    with connect(link.replace("http", "ws") + "ws", subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
        everything = kind != "poses"
        socket.send(json.dumps({"type": "want", "rate": 30, "events": everything, "metrics": everything}))
        print("connected", flush=True)
        try:
            while True:
                data = socket.recv()
                if isinstance(data, bytes):
                    state = unpacked(data)
                    ages.append(time.time() - state.looked)
                    if kind != "nothing":
                        socket.send(json.dumps({"type": "seen", "seq": state.number}))
        except ConnectionClosed:
            pass
    print(json.dumps([] if kind == "nothing" else ages))


def _memory(pid: int) -> int:
    """What a process has in memory of its own (bytes)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon", "RssShmem")))


def main() -> None:
    """Print what viewers cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--own", action="store_true", help="what the run itself pays, on a machine of its own")
    parser.add_argument("--rounds", type=int, nargs=2, default=[340, 30], help="of the convoys of 30 and of 300")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--link", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        look(options.link, options.client)
        return
    for robots, rounds in zip((30, 300), options.rounds, strict=True):
        settings = [f"convoy.robots={robots}", f"run.rounds={rounds}"]
        if options.own:
            print(f"convoy of {robots}, {rounds} rounds, looked at by its own processor time")
            print_own_costs(settings, options.repeats)
            continue
        costs: dict[str, list[float]] = {way: [] for way in WAYS}
        ages: dict[str, list[float]] = {way: [] for way in WAYS}
        memory = dict.fromkeys(WAYS, 0)
        for _ in range(options.repeats):
            for way in WAYS:
                cost, old, size = measured(settings, way)
                costs[way].append(cost)
                ages[way] += old
                memory[way] = max(memory[way], size)
        print(f"convoy of {robots}, {rounds} rounds")
        for way in WAYS:
            ratios = [cost / alone for cost, alone in zip(costs[way], costs["without a view"], strict=True)]
            age = f"{1e3 * sorted(ages[way])[int(0.95 * len(ages[way]))]:6.0f} ms" if ages[way] else ""
            held = f"{memory[way] / 1e6:5.0f} MB" if memory[way] else ""
            print(
                f"  {way:34} {statistics.median(costs[way]):6.2f} s  x {statistics.median(ratios):.3f}  "
                f"{len(ages[way]):5} states, age p95 {age:9} memory {held}"
            )


if __name__ == "__main__":
    main()
