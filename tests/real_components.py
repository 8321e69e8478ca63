"""Real components that tests run against; a test is skipped for want of one, or in CI failed, and nothing is mocked."""

from __future__ import annotations

import getpass
import os
import random
import re
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import IO

from msgspec import Struct

from tests.conftest import missing

PATIENCE = 60.0
"""A real component that has not answered for so long (s) has failed."""

PORTS = range(20_000, 32_000)
"""Below those that the kernel gives out by itself, so that a port that was free a moment ago still is."""

REMEDIES = {
    "mosquitto": "apt-get install mosquitto",
    "mosquitto_passwd": "apt-get install mosquitto",
    "openssl": "apt-get install openssl",
}


def require(component: str) -> str:
    """Path of a program; without it the test is skipped, or in CI (CI=true) failed."""
    path = shutil.which(component, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
    if path is None:
        missing(component, REMEDIES[component])
    assert path is not None
    return path


def free_port() -> int:
    """A TCP port of this machine that nobody uses."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError("a hundred ports of this machine are all in use")


class Certificate(Struct, frozen=True):
    """A throw-away certificate for 127.0.0.1 and localhost, signed by itself, and its key."""

    certificate: Path
    key: Path


def certificate(folder: Path) -> Certificate:
    """Make a certificate; it is valid for two days."""
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = [require("openssl"), "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command += ["-out", str(made.certificate), "-keyout", str(made.key)]
    subprocess.run(command, check=True, capture_output=True)
    return made


class Mosquitto:
    """A real mosquitto on a port of its own at 127.0.0.1, from `start` (or ``with``) to `stop`.

    Args:
        configuration: lines of a mosquitto.conf besides those of its listener; None for mosquitto's default settings
        folder: where it runs, and its configuration file goes, if there is one
        tls: has it demand TLS

    Attributes:
        port: the same for every start
        log: all lines that it has written
    """

    def __init__(
        self, configuration: str | None = None, *, folder: Path | None = None, tls: Certificate | None = None
    ) -> None:
        self._program = require("mosquitto")
        self.port = free_port()
        self.log: list[str] = []
        self._configuration = configuration
        self._folder = folder
        self._tls = tls
        self._said = Condition()
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None

    @property
    def address(self) -> str:
        """``mqtt://127.0.0.1:PORT``, or ``mqtts://...?cafile=...``."""
        if self._tls is None:
            return f"mqtt://127.0.0.1:{self.port}"
        return f"mqtts://127.0.0.1:{self.port}?cafile={self._tls.certificate}"

    def start(self) -> None:
        """Start it (again), and wait until it takes connections."""
        before = self.count("running$")
        self._process = subprocess.Popen(
            self._command(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
        )
        assert self._process.stdout is not None
        self._reader = Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        if not self.wait_for_log("running$", before + 1):
            self.stop()
            raise AssertionError(f"mosquitto did not start: {self.log}")

    def kill(self) -> None:
        """End it at once (SIGKILL), as in a power failure."""
        self._end(subprocess.Popen.kill)

    def stop(self) -> None:
        """End it in an orderly way."""
        self._end(subprocess.Popen.terminate)

    def count(self, pattern: str) -> int:
        """How many lines of the log match a regular expression."""
        return sum(re.search(pattern, line) is not None for line in self.log)

    def wait_for_log(self, pattern: str, times: int = 1) -> bool:
        """Wait until so many lines of the log match; returns whether they do."""
        with self._said:
            return self._said.wait_for(lambda: self.count(pattern) >= times, PATIENCE)

    def _command(self) -> list[str]:
        if self._configuration is None and self._tls is None:
            return [self._program, "-p", str(self.port)]
        assert self._folder is not None
        lines = [f"listener {self.port} 127.0.0.1", f"user {getpass.getuser()}", self._configuration or ""]
        if self._tls is not None:
            lines += [f"certfile {self._tls.certificate}", f"keyfile {self._tls.key}"]
        path = self._folder / "mosquitto.conf"
        path.write_text("\n".join(lines) + "\n")
        return [self._program, "-c", str(path)]

    def _read(self, output: IO[str]) -> None:
        with output:
            for line in output:
                with self._said:
                    self.log.append(line.rstrip())
                    self._said.notify_all()

    def _end(self, how: Callable[[subprocess.Popen[str]], None]) -> None:
        if self._process is not None and self._reader is not None:
            how(self._process)
            self._process.wait(PATIENCE)
            self._reader.join(PATIENCE)
            self._process = None

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
