"""The lab as a process: builds everything, tells where each robot is, and runs until it is ended."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, cast

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.json_robot import JsonStandIn
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.mqtt_link import MqttLink
from devs_robotics.hil.lab.observers import TrackingSystem, Truth, unwritable
from devs_robotics.hil.lab.plan import LabPlan, StandIn
from devs_robotics.hil.lab.ros2_links import Ros2Links
from devs_robotics.hil.lab.stream_links import PtyLink, TcpLink
from devs_robotics.hil.lab.timekeeper import Timekeeper

if TYPE_CHECKING:
    from devs_robotics.hil.lab.ros2 import Ros2StandIn

CONNECT_WITHIN = 5.0
"""Longest time in which brokers are reached when the lab starts (s); after it, that is an error."""

POLL = 0.01
"""Time between two looks at whether all links are up (s)."""


class LabServer:
    """A laboratory that runs in real time, with links to the outside.

    Args:
        plan: of the laboratory
        out: gets a JSON line per robot, with its address, and one that says that all is ready
    """

    def __init__(self, plan: LabPlan, out: IO[str]) -> None:
        self._laboratory = Laboratory(plan)
        self._out = out
        self._brokers: list[MqttLink] = []
        self._ros2_links: Ros2Links | None = None

    async def run(self, parent: IO[bytes] | None) -> None:
        """Run until a signal ends it, or until `parent`, if there is one, is closed at its other end.

        Raises:
            DevsRoboticsError: a broker cannot be reached, a robot cannot listen where it should, or the file for the
                true poses cannot be written (any more)
        """
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        failures: list[BaseException] = []

        def fail(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            failures.append(context.get("exception") or DevsRoboticsError(str(context["message"])))
            stop.set()

        loop.set_exception_handler(fail)  # a lab whose time does not go on any more must not look like one that does
        _at_signals(loop, stop.set)
        if parent is not None:
            Thread(target=_wait_for_end, args=(parent, loop, stop.set), daemon=True).start()
        timekeeper = Timekeeper(self._laboratory, loop)
        with ExitStack() as stack:
            stack.callback(self._leave_brokers)
            addresses = self._open(stack, timekeeper)
            await self._wait_for_brokers(stop)
            timekeeper.start()
            stack.callback(timekeeper.stop)
            for robot in self._laboratory.plan.robots:
                self._say({"robot": robot.robot, "protocol": robot.protocol, "address": addresses[robot.robot]})
            self._say({"ready": True})
            await stop.wait()
        if failures:
            raise failures[0]

    def _open(self, stack: ExitStack, timekeeper: Timekeeper) -> dict[int, str]:
        """Open all links and files; returns the robots' addresses."""
        plan = self._laboratory.plan
        addresses = {
            robot.robot: self._connect(robot, self._laboratory.robots[robot.robot], timekeeper, stack)
            for robot in plan.robots
        }
        if plan.tracking:
            tracker = self._broker(MqttLink(plan.tracking, timekeeper))
            TrackingSystem(self._laboratory, lambda data: tracker.publish("", data))
        if plan.truth:
            file = _writable(plan.truth)
            stack.callback(_close, file)
            Truth(self._laboratory, file)
        return addresses

    def _connect(self, robot: StandIn, core: Core, timekeeper: Timekeeper, stack: ExitStack) -> str:
        """Give a robot its link; returns the address."""
        if isinstance(core, JsonStandIn):
            link = self._broker(
                MqttLink(
                    robot.address,
                    timekeeper,
                    received=core.receive,
                    lost=core.link_lost,
                    listen="command",
                    will=("report", core.will),
                )
            )
            core.send = lambda data: link.publish("report", data)
            return link.address
        if robot.protocol == "ros2":
            return self._ros2(timekeeper, stack).connect(cast("Ros2StandIn", core))
        if robot.protocol == "epuck2-wifi":
            server = TcpLink(core, timekeeper)
            stack.callback(server.close)
            return server.open()
        line = PtyLink(core, timekeeper, asyncio.get_running_loop())
        stack.callback(line.close)
        return line.address

    def _ros2(self, timekeeper: Timekeeper, stack: ExitStack) -> Ros2Links:
        if self._ros2_links is None:
            self._ros2_links = Ros2Links(timekeeper)
            stack.callback(self._ros2_links.close)
        return self._ros2_links

    def _broker(self, link: MqttLink) -> MqttLink:
        self._brokers.append(link)
        link.start()
        return link

    def _leave_brokers(self) -> None:
        for link in self._brokers:
            link.leave()

    async def _wait_for_brokers(self, stop: asyncio.Event) -> None:
        for _ in range(round(CONNECT_WITHIN / POLL)):
            down = [link for link in self._brokers if not link.up]
            if not down or stop.is_set():
                return
            if trouble := next((link.trouble for link in down if link.trouble), ""):
                raise DevsRoboticsError(trouble)
            await asyncio.sleep(POLL)
        raise DevsRoboticsError(f"the broker of {down[0].address} does not answer: restart it, or correct the address")

    def _say(self, line: dict[str, object]) -> None:
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()


def _at_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    """Have this called at the signals that end a program, as many of them as there are on this system."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # as on Windows
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stop))


def _wait_for_end(parent: IO[bytes], loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> None:
    while parent.read(1):
        pass
    if not loop.is_closed():
        loop.call_soon_threadsafe(end)


def _writable(name: str) -> IO[str]:
    try:
        return Path(name).open("w", encoding="utf-8")
    except OSError as error:
        raise DevsRoboticsError(unwritable(name, error)) from error


def _close(file: IO[str]) -> None:
    with suppress(OSError):  # which has been told when it was written
        file.close()


def serve(plan: LabPlan, parent: IO[bytes] | None = None) -> None:
    """Run a laboratory in this process; its lines go to standard output."""
    asyncio.run(LabServer(plan, sys.stdout).run(parent))
