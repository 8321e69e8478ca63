"""How fast a served world answers: ``python -m tests.benchmarks.serving [ROBOTS HZ SECONDS]``.

Open loop: each robot asks at its times, whether it has been answered or not, at a stock mosquitto. The round trip is
that of a bare client; the server's own share is less.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.real_components import Mosquitto

ARENA = {
    "arena": {"xMin": -90, "xMax": 90, "yMin": -97.5, "yMax": 97.5},
    "obstacles": [
        {"type": "wall", "parameters": {"x": 40, "y": -20 + 9 * number, "orientation": 30 * number, "width": 30}}
        for number in range(10)
    ],
}


class Askers:
    """All robots, in one client: they ask in turn, and each answer is the oldest question's that is open."""

    def __init__(self, port: int, robots: int) -> None:
        self.robots = robots
        self.asked: list[list[float]] = [[] for _ in range(robots)]
        self.round_trips: list[float] = []
        self.ready = threading.Event()
        self.there = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._heard
        self.client.on_subscribe = lambda *_: self.ready.set()
        self.client.connect("127.0.0.1", port)
        self.client.subscribe([("v1/sensor/distance/+", 0), ("v1/config/arena/", 0)])
        self.client.loop_start()
        self.ready.wait(10.0)

    def _heard(self, _client: Client, _user: object, message: MQTTMessage) -> None:
        if not message.topic.startswith("v1/sensor/"):
            self.there.set()
            return
        open_questions = self.asked[int(message.topic.rpartition("/")[2])]
        self.round_trips.append(time.perf_counter() - open_questions.pop(0))

    def ask(self, rate: float, seconds: float) -> int:
        """Returns how many questions were asked."""
        for robot in range(self.robots):
            x, y = -80 + 17 * (robot % 10), -90 + 18 * (robot // 10 % 11)
            pose = [{"id": robot, "x": x, "y": y, "heading": 37 * robot % 360, "reality": "V"}]
            self.client.publish("v1/localization/update", json.dumps(pose))
        time.sleep(1.0)
        count, began = round(self.robots * rate * seconds), time.perf_counter()
        for number in range(count):
            due = began + number / (self.robots * rate)
            time.sleep(max(0.0, due - time.perf_counter()))
            robot = number % self.robots
            self.asked[robot].append(time.perf_counter())
            self.client.publish("v1/sensor/distance", json.dumps({"id": robot, "reality": "M"}))
        time.sleep(1.0)
        return count


def cpu_of(process: int) -> float:
    """CPU time of a process until now (s)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


def measure(robots: int, rate: float, seconds: float) -> str:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder, Mosquitto() as broker:
        arena = Path(folder) / "arena.json"
        arena.write_text(json.dumps(ARENA))
        askers = Askers(broker.port, robots)
        command = [sys.executable, "-m", "devs_robotics", "serve", str(arena), "--broker", broker.address]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            askers.there.wait(60.0)
            before = cpu_of(server.pid)
            asked = askers.ask(rate, seconds)
            used = cpu_of(server.pid) - before
        finally:
            server.terminate()
            server.wait(10.0)
        times = sorted(1000.0 * each for each in askers.round_trips)
        p50, p95, p99 = (times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99))
        lost = asked - len(times)
        cpu = 100.0 * used / (seconds + 2.0)
        return (
            f"{robots:4d} robots at {rate:g} Hz  p50 {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f} ms  "
            f"lost {lost} of {asked}  server {cpu:.0f} % of a core"
        )


def main() -> None:
    """Print the rows."""
    if len(sys.argv) == 4:
        rows = [(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))]
    else:
        rows = [(10, 10.0, 10.0), (100, 1.0, 10.0), (100, 10.0, 10.0), (500, 1.0, 10.0)]
    for robots, rate, seconds in rows:
        print(measure(robots, rate, seconds), flush=True)


if __name__ == "__main__":
    main()
