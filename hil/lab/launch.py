"""Starts a lab from another process, and ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from types import TracebackType
from typing import IO, Any, Self

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.processes import apart, read_within
from devs_robotics.hil.lab import plan_text
from devs_robotics.hil.lab.plan import LabPlan

START_WITHIN = 60.0
"""Longest time in which a lab gets ready (s); after it, it has failed.

One that ends is noticed at once, so that this is for one that hangs: on a computer with ten times as much to do as it
can, Python alone takes 20 s to start it.
"""

LATE = f"it was not ready within {START_WITHIN:g} s: try again when this computer has less to do"

STOP_WITHIN = 5.0
"""Longest time in which a lab that is asked to end does so (s); after it, it is killed."""


class LabError(DevsRoboticsError):
    """A lab could not start."""


class LabProcess:
    """A lab in a process of its own, from `start` (or ``with``) to `stop`; it ends with this process at the latest.

    Robots of one lab share its arena and its fate. For a robot that can be killed alone, start another lab for it.

    Args:
        plan: of the lab

    Attributes:
        addresses: where each robot is, once the lab has started
        pid: of the process
    """

    def __init__(self, plan: LabPlan) -> None:
        self.plan = plan
        self.addresses: dict[int, str] = {}
        self.pid = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def start(self) -> dict[int, str]:
        """Start the lab, and wait until its robots can be reached; returns their addresses.

        Raises:
            LabError: it could not start
        """
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "devs_robotics.hil.lab"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=self._environment(),
            **apart(),  # an interrupt from the keyboard is for the host, which stops the robots first
        )
        self.pid = self._process.pid
        try:
            self._hand_over(self._process)
            self._read(self._process)
        except BaseException:
            self.kill()
            raise
        # an address that is printed lacks the password
        self.addresses.update({robot.robot: robot.address for robot in self.plan.robots if robot.address})
        return self.addresses

    def stop(self) -> None:
        """End the lab in an orderly way; a second call does nothing."""
        self._end(orderly=True)

    def kill(self) -> None:
        """End the lab at once, as in a power failure."""
        self._end(orderly=False)

    def wait(self, timeout: float) -> bool:
        """Wait so long (s) for the lab to end by itself; returns whether it has ended."""
        if self._process is None:
            return True
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        return True

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _environment(self) -> dict[str, str] | None:
        """What plays equipment of robots' own is found where this process would find it: in a case's folder too."""
        if not any(robot.equipment for robot in self.plan.robots):
            return None
        return {**os.environ, "PYTHONPATH": os.pathsep.join(place for place in sys.path if place)}

    def _hand_over(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(plan_text.encode(self.plan) + b"\n")
            process.stdin.flush()
        except OSError as error:  # a broken pipe, which is called otherwise on Windows
            raise LabError(self._failure("it ended at once")) from error

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Read the lab's lines until it is ready."""
        assert process.stdout is not None
        deadline, text = time.monotonic() + START_WITHIN, b""
        while True:
            data = read_within(process.stdout, deadline - time.monotonic())
            if data is None:
                raise LabError(self._failure(LATE))
            if not data:
                process.wait(STOP_WITHIN)
                raise LabError(self._failure("it ended"))
            *lines, text = (text + data).split(b"\n")
            for line in map(json.loads, lines):
                if self._is_ready(line):
                    return

    def _is_ready(self, line: dict[str, Any]) -> bool:
        if "robot" in line:
            self.addresses[line["robot"]] = line["address"]
        return "ready" in line

    @property
    def said(self) -> str:
        """The last line that the lab has written to standard error; empty where there is none."""
        if self._errors is None:
            return ""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _failure(self, what: str) -> str:
        return f"the lab of stand-in robots could not start: {self.said or what}"

    def _end(self, *, orderly: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if orderly and sys.platform == "win32":  # which knows no polite kill: the lab ends with its standard input
            assert process.stdin is not None
            process.stdin.close()
        elif orderly:
            process.terminate()
        else:
            process.kill()
        try:
            process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, self._errors):
            if stream is not None:
                stream.close()
