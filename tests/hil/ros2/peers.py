"""Starts programs that take part in a domain of ROS 2, and listens to them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from threading import Thread
from types import TracebackType
from typing import Any, Self

from tests.paths import ROOT

PATIENCE = 60.0
"""A peer that has not done what it is waited for after so long (s) has failed."""


def environment() -> dict[str, str]:
    """That of this process, without what a user's shell says of ROS."""
    theirs = ("ROS_", "RMW_", "CYCLONEDDS_", "FASTRTPS_", "FASTDDS_", "ZENOH_")
    return {name: value for name, value in os.environ.items() if not name.startswith(theirs)}


class Peer:
    """A program in a domain, from ``with`` on: it says lines of JSON, and may be told some.

    Args:
        command: words of its command
        environment: of it

    Attributes:
        heard: what it has said
    """

    def __init__(self, *command: object, environment: dict[str, str] | None = None) -> None:
        self.heard: list[dict[str, Any]] = []
        self._command = [str(word) for word in command]
        self._environment = environment
        self._errors: list[str] = []

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self._environment or environment(),
        )
        self._readers = [Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()
        self.wait(lambda: bool(self.heard), "said that it is ready")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join(10.0)
        for stream in (self._process.stdout, self._process.stderr):
            assert stream is not None
            stream.close()

    def tell(self, **what: Any) -> None:
        """Have it publish something."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()

    def of(self, topic: str) -> list[dict[str, Any]]:
        """The messages of a topic that it has heard."""
        return [said["message"] for said in list(self.heard) if said.get("topic") == topic]

    def wait(self, until: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > end or self._process.poll() is not None:
                raise AssertionError(f"{self._command} has not {what}: {''.join(self._errors)[-2000:]}")
            time.sleep(0.01)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.heard.append(json.loads(line))

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._errors.append(line)


def dds_peer(domain: int, role: str, **topics: str) -> Peer:
    """A peer by Cyclone DDS: it hears topics, each of a type, or tells what it is told."""
    wanted = [f"{topic}={kind}" for topic, kind in topics.items()]
    return Peer(sys.executable, "-m", "tests.hil.ros2.dds_peer", domain, role, *wanted)
