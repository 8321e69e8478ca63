"""Robots of ROS 2: the time from a velocity command until the odometry that answers it is read, and what is lost.

    python -m tests.benchmarks.ros2_robots [--seconds 6] [--middleware dds zenoh] [--robots 1 10 50] [--rates 10 50]

All robots live in one other process; each answers every command with its odometry, and tells a scan of 360 readings ten
times per second. The round trip is as this process sees it, writing and reading of messages included. Long runs show
whether memory grows: ``--robots 50 --rates 20 --seconds 600``.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from contextlib import ExitStack
from math import nan
from pathlib import Path

import numpy as np

from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    LidarScan,
    OdometryReport,
    read_odometry,
    read_scan,
    read_twist,
    write_odometry,
    write_scan,
    write_twist,
)
from devs_robotics.hil.protocols.ros2.names import LASER_SCAN, ODOMETRY, TWIST
from devs_robotics.hil.transports.dds import dds_bus
from devs_robotics.hil.transports.ros2_bus import COMMAND, READ, Publisher, Quality, Ros2Bus
from devs_robotics.hil.transports.zenoh import ZenohBus
from tests.hil.ros2.environments import free_domain
from tests.real_components import free_port

WITHIN = 30.0
SCAN_PERIOD = 0.1


def bus(middleware: str, place: int, *, router: bool = False) -> Ros2Bus:
    """A bus; of zenoh it is a session of its own."""
    return dds_bus(place, "lo") if middleware == "dds" else ZenohBus("127.0.0.1", place, 0, router=router)


def play(middleware: str, count: int, place: int) -> None:
    """The robots, until this process is ended."""
    own = bus(middleware, place, router=True)
    scan = write_scan(
        LidarScan(first=-3.1, step=0.0175, nearest=0.12, farthest=3.5, ranges=np.full(360, 1.5, np.float32))
    )
    scans, kept = [], []
    for number in range(count):
        odom = own.publish(f"/r{number}/odom", ODOMETRY, Quality())
        scans.append(own.publish(f"/r{number}/scan", LASER_SCAN, Quality(reliable=False, depth=5)))
        kept.append(own.subscribe(f"/r{number}/cmd_vel", TWIST, answer(odom), Quality()))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    due = time.monotonic()
    while True:
        for each in scans:
            each.send(scan)
        due += SCAN_PERIOD
        time.sleep(max(0.0, due - time.monotonic()))


def answer(odom: Publisher) -> Callable[[bytes], None]:
    """What a robot does about a command: it says what it was told."""

    def heard(data: bytes) -> None:
        said = read_twist(data).turn_rate
        odom.send(write_odometry(OdometryReport(x=1.0, y=2.0, heading=0.0, speed=0.1, turn_rate=said)))

    return heard


class Trips:
    """Counts what comes back, and how long it took (s)."""

    def __init__(self) -> None:
        self.times = array("d")
        self.found: set[int] = set()
        self.scans = 0
        self.zero = time.monotonic()

    def hearing(self, number: int) -> Callable[[bytes], None]:
        def heard(data: bytes) -> None:
            now = time.monotonic() - self.zero
            sent = read_odometry(data).turn_rate
            if sent < 0.0:
                self.found.add(number)
            else:
                self.times.append(now - sent)

        return heard

    def seen(self, data: bytes) -> None:
        read_scan(data)
        self.scans += 1


def measure(middleware: str, count: int, rate: float, seconds: float) -> str:
    """A line of the table."""
    place = free_domain() if middleware == "dds" else free_port()
    command = [sys.executable, "-m", "tests.benchmarks.ros2_robots", "--play", middleware, str(count), str(place)]
    with ExitStack() as stack:
        robots = subprocess.Popen(command, stdout=subprocess.PIPE)
        stack.callback(robots.wait)
        stack.callback(robots.kill)
        assert robots.stdout is not None
        robots.stdout.readline()
        trips, writers = Trips(), []
        for number in range(count):
            own = bus(middleware, place)
            stack.callback(own.close)
            own.subscribe(f"/r{number}/odom", ODOMETRY, trips.hearing(number))
            own.subscribe(f"/r{number}/scan", LASER_SCAN, trips.seen, READ)
            writers.append(own.publish(f"/r{number}/cmd_vel", TWIST, COMMAND))
        find(trips, writers)
        processes = os.getpid(), robots.pid
        before = [memory(each) for each in processes]
        driven = drive(trips, writers, rate, seconds)
        grown = "  ".join(f"{a:.0f} to {memory(each):.0f}" for a, each in zip(before, processes, strict=True))
        return f"{row(middleware, count, rate, driven, trips, seconds)}   {grown}"


def memory(process: int) -> float:
    """What a process takes (MB); nan where the system does not tell."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return nan


def find(trips: Trips, writers: list[Publisher]) -> None:
    """Wait until all robots answer."""
    until = time.monotonic() + WITHIN
    while len(trips.found) < len(writers):
        assert time.monotonic() < until, f"{len(writers) - len(trips.found)} robots were not found"
        for number, writer in enumerate(writers):
            if number not in trips.found:
                writer.send(write_twist(BaseVelocity(0.0, -1.0)))
        time.sleep(0.1)
    time.sleep(0.3)


def drive(trips: Trips, writers: list[Publisher], rate: float, seconds: float) -> tuple[int, float]:
    """Command all robots; returns how often, and the share of a processor that it took."""
    sent, begun, used = 0, time.monotonic(), time.process_time()
    for step in range(1, round(seconds * rate) + 1):
        for writer in writers:
            writer.send(write_twist(BaseVelocity(0.1, time.monotonic() - trips.zero)))
            sent += 1
        time.sleep(max(0.0, begun + step / rate - time.monotonic()))
    share = (time.process_time() - used) / (time.monotonic() - begun)
    time.sleep(0.4)
    return sent, share


def row(middleware: str, count: int, rate: float, driven: tuple[int, float], trips: Trips, seconds: float) -> str:
    sent, share = driven
    half, most, nearly_all = (1e3 * float(np.percentile(trips.times, each)) for each in (50, 95, 99))
    lost = sent - len(trips.times)
    return (
        f"{middleware:<6} {count:>6} {rate:>5g} {half:>8.2f} {most:>8.2f} {nearly_all:>8.2f}   {lost:>4} of {sent:<6} "
        f"{100.0 * share:>4.0f} %   {trips.scans:>6}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--middleware", nargs="+", default=["dds", "zenoh"], choices=["dds", "zenoh"])
    parser.add_argument("--robots", nargs="+", type=int, default=[1, 10, 50])
    parser.add_argument("--rates", nargs="+", type=float, default=[10.0, 50.0])
    parser.add_argument("--play", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        middleware, count, place = options.play
        play(middleware, int(count), int(place))
    print("       robots    Hz p50 (ms)  p95 (ms) p99 (ms)           lost    CPU    scans   MB here, MB of robots")
    for middleware in options.middleware:
        for count in options.robots:
            for rate in options.rates:
                print(measure(middleware, count, rate, options.seconds), flush=True)


if __name__ == "__main__":
    main()
