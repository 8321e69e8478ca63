"""A broker and a served world for experiments: a mosquitto and a server in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from math import nan
from pathlib import Path
from threading import Timer
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.broker import EmbeddedBroker

PATIENCE = 60.0
"""Longest time to wait for a process (s)."""


class ExperimentError(DevsRoboticsError):
    """An experiment cannot be made."""


class BrokerPlace(Struct, frozen=True):
    """Where a broker is, and on which channel the world is served.

    Attributes:
        address: as commands take it
        called: what it is, for people
        server: number of the server's process; 0: none
    """

    host: str
    port: int
    user: str
    password: str
    channel: str
    address: str
    called: str
    server: int = 0


@contextmanager
def broker(address: str | None) -> Iterator[BrokerPlace]:
    """A broker: the one that is named; else a mosquitto with its default settings; else the one that comes along.

    Raises:
        ExperimentError: the mosquitto does not start, or the broker that is named is not there
    """
    with ExitStack() as stack:
        called = "the broker that was named"
        if address is None:
            program = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
            if program is not None:
                address, called = stack.enter_context(_mosquitto(program)), "a stock mosquitto on this machine"
            else:
                embedded = stack.enter_context(EmbeddedBroker())
                address, called = embedded.address, "the broker that comes along, for want of a mosquitto"
        parts = urlsplit(address if "//" in address else f"mqtt://{address}")
        _check_reachable(parts.hostname or "127.0.0.1", parts.port or 1883)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        yield BrokerPlace(
            parts.hostname or "127.0.0.1", parts.port or 1883, user, password, f"pera-{os.getpid()}", address, called
        )


def _check_reachable(host: str, port: int) -> None:
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as exc:
        raise ExperimentError(
            f"the broker at {host}:{port} cannot be reached ({exc.strerror or exc}): start it, or leave --broker out"
        ) from exc


@contextmanager
def _mosquitto(program: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([program, "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await_port(port, process)
        yield f"mqtt://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise ExperimentError("the mosquitto of this machine does not start: name a broker with --broker HOST:PORT")


@contextmanager
def served(place: BrokerPlace, arena: Mapping[str, object]) -> Iterator[BrokerPlace]:
    """A world that is served at a broker, by a process of its own.

    Raises:
        ExperimentError: the server does not begin
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.json"
        path.write_text(json.dumps(arena))
        words = ["serve", str(path), "--broker", place.address, "--channel", place.channel]
        process = subprocess.Popen(
            [sys.executable, "-P", "-u", "-m", "devs_robotics", *words], stdout=subprocess.PIPE, text=True
        )
        impatience = Timer(PATIENCE, process.terminate)
        impatience.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("the broker is there"):
                    break
            else:
                raise ExperimentError(f"the world could not be served at {place.host}:{place.port}: try serve by hand")
            impatience.cancel()
            yield replace(place, server=process.pid)
        finally:
            impatience.cancel()
            process.terminate()
            process.wait(PATIENCE)
            if process.stdout is not None:
                process.stdout.close()


def cpu_of(process: int) -> float:
    """CPU time of a process until now (s); NaN where this system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return nan
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
