"""Programs of real ROS 2, each in a virtual environment of its own, which `make ros` makes from wheels."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import IO, Any

import pytest

from tests.paths import ROOT

DISTROS = ("jazzy", "kilted")
HERE = Path(__file__).parent
READY_WITHIN = 30.0
WORKER, WORKERS = os.environ.get("PYTEST_XDIST_WORKER", "gw0"), os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
DOMAINS = range(60, 100)[int(WORKER.removeprefix("gw")) :: int(WORKERS)]
"""Those of this worker, so that no two tests at the same time are in one domain."""

_in_turn = cycle(DOMAINS)
"""One after the other: who was killed in a domain is known there for some time."""


def python_of(distro: str) -> Path:
    """The interpreter that has ROS 2; without it the test is skipped, or fails where it was promised."""
    folder = ROOT / f".venv-ros-{distro}"
    if not (folder / ".ready").exists():
        reason = f"the environment {folder.name} is not there: make ros"
        if distro in os.environ.get("ROS_ENVIRONMENTS", "").split():
            pytest.fail(reason)
        pytest.skip(reason)
    return folder / "bin" / "python"


def free_domain() -> int:
    """A domain of ROS in which nobody of this computer is."""
    for domain in islice(_in_turn, len(DOMAINS)):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("", 7410 + 250 * domain))
            except OSError:
                continue
        return domain
    raise AssertionError("all domains of ROS that tests use, from 60 to 99, are in use")


class RclpyProgram:
    """A program of this folder that runs with real ROS 2, from ``with`` on.

    Args:
        distro: release
        domain: of ROS
        program: name of its file
        arguments: of it
    """

    def __init__(self, distro: str, domain: int, program: str, *arguments: str) -> None:
        self._command = [str(python_of(distro)), str(HERE / program), *arguments]
        kept = ("PATH", "HOME", "LANG", "TMPDIR")
        self._environment = {key: os.environ[key] for key in kept if key in os.environ} | {
            "ROS_DOMAIN_ID": str(domain),
            "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        }
        self._lines: list[Any] = []
        self._changed = Condition()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> RclpyProgram:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self._environment
        )
        assert self._process.stdout is not None
        self._reader = Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self.wait_for(lambda lines: {"ready": True} in lines, READY_WITHIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def wait_for(self, ready: Callable[[list[Any]], bool], within: float) -> list[Any]:
        """Wait until the lines are as they should be, but not longer than this (s); returns them."""
        with self._changed:
            assert self._changed.wait_for(lambda: ready(self._lines), within), self._lines[-20:]
            return list(self._lines)

    @property
    def lists(self) -> list[Any]:
        """All lines so far that are lists."""
        with self._changed:
            return [line for line in self._lines if isinstance(line, list)]

    def _read(self, output: IO[bytes]) -> None:
        """In a thread of its own: a program whose output nobody reads is held up."""
        with output:
            for line in output:
                with self._changed:
                    self._lines.append(json.loads(line))
                    self._changed.notify_all()
