"""Experiment 4: many robots that ask at their times, whether they have been answered or not."""

from __future__ import annotations

import time
from collections import deque
from math import nan

from devs_robotics.experimental_frames.pera.results import Load
from devs_robotics.scenarios.pera.bare_clients import BareClient
from devs_robotics.scenarios.pera.brokers import BrokerPlace, cpu_of

SETTLING = 1.0
"""Before the first question (s)."""

SILENCE = 3.0
"""Answers are lost when so long none has come (s)."""


class Askers:
    """All robots, in one client; each answer is the oldest question's of its robot that is open."""

    def __init__(self, place: BrokerPlace, robots: int) -> None:
        self.robots = robots
        self.open: list[deque[float]] = [deque() for _ in range(robots)]
        self.round_trips: list[float] = []
        self.client = BareClient(place, ["sensor/distance/+"])
        self.client.listen(self._heard)

    def stand(self) -> None:
        """Tell where all are."""
        for robot in range(self.robots):
            x, y = -80.0 + 17.0 * (robot % 10), -90.0 + 18.0 * (robot // 10 % 11)
            self.client.stand(robot, "V", x, y, 37 * robot % 360)

    def ask(self, rate: float, seconds: float) -> int:
        """Ask so often (1/s) each, for so long (s); returns how many questions that were."""
        count, began = round(self.robots * rate * seconds), time.perf_counter()
        for number in range(count):
            time.sleep(max(0.0, began + number / (self.robots * rate) - time.perf_counter()))
            robot = number % self.robots
            self.open[robot].append(time.perf_counter())
            self.client.say("sensor/distance", {"id": robot, "reality": "M"})
        return count

    def wait(self) -> None:
        """Until all have been answered, or nothing comes any more."""
        count, since = -1, time.perf_counter()
        while any(self.open) and time.perf_counter() - since < SILENCE:
            if len(self.round_trips) != count:
                count, since = len(self.round_trips), time.perf_counter()
            time.sleep(0.05)

    def _heard(self, now: float, topic: str, _data: bytes) -> None:
        waiting = self.open[int(topic.rpartition("/")[2])]
        if waiting:
            self.round_trips.append(now - waiting.popleft())


def load(place: BrokerPlace, robots: int, rate: float, seconds: float) -> Load:
    """Measure one setting."""
    askers = Askers(place, robots)
    try:
        askers.stand()
        time.sleep(SETTLING)
        before = cpu_of(place.server)
        asked = askers.ask(rate, seconds)
        used = cpu_of(place.server) - before
        askers.wait()
    finally:
        askers.client.close()
    times = sorted(askers.round_trips)
    p50, p95, p99 = (
        times[min(len(times) - 1, int(share * len(times)))] if times else nan for share in (0.5, 0.95, 0.99)
    )
    return Load(robots, rate, asked, len(times), p50, p95, p99, used / seconds)
