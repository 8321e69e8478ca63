"""An embedded MQTT broker (amqtt) in a process of its own: ``python -m devs_robotics.hil.broker``.

It ends by itself when the process that started it dies. Other brokers (docs/brokers.md) are faster and can do more.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from getpass import getpass
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import IO
from urllib.parse import quote

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import available, sentence
from devs_robotics.core.processes import apart

START_TIMEOUT = 20.0
"""Longest time in which a broker comes up (s); after it, it has failed."""

READY = "ready at port "

PASSWORD = 24
"""Size of the random number of which a password is made (bytes)."""


class BrokerError(DevsRoboticsError):
    """The embedded broker did not start."""


class EmbeddedBroker:
    """A broker in a process of its own, from `start` (or ``with``) to `close`.

    It demands a user and a password, without a `password_file` those that were made up for this broker. So every
    process that is told the address can connect, and nobody else on this machine or elsewhere.

    Args:
        host: IP address to listen at; by default that of this machine alone
        port: to listen at; 0 for a free one
        password_file: whom to let in instead: a line ``user:hash`` for each user (docs/brokers.md)

    Attributes:
        address: once started, ``mqtt://USER:PASSWORD@HOST:PORT``, or ``mqtt://HOST:PORT`` with a `password_file`
        shown: the same for screens and command lines: the password stands in a file that only this user can read
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0, password_file: str | Path | None = None) -> None:
        self.address = self.shown = ""
        self._host = host
        self._port = port
        self._password_file = password_file
        self._user = "" if password_file is not None else f"run-{secrets.token_hex(4)}"
        self._password = secrets.token_urlsafe(PASSWORD)
        """As the user, the same for every start, so that clients come back."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Of the file with the password, while it runs."""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it takes connections.

        Raises:
            BrokerError: it does not, and why
        """
        missing = [module for module in ("amqtt", "paho") if not available(module)]
        if missing:
            raise BrokerError(sentence("a broker of its own needs", *missing))
        # -P: no file of the folder that it is started in, such as an amqtt.py, is taken for a module
        command = [
            sys.executable,
            "-P",
            "-m",
            "devs_robotics.hil.broker",
            "--host",
            self._host,
            "--port",
            str(self._port),
            "--owned",
        ]
        if self._password_file is not None:
            command += ["--password-file", str(self._password_file)]
        kept = self._keep_password() if self._user else ""
        # in a group of its own: Ctrl-C is for the process that started it, which may still have something to send
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **apart())
        said = _answer(self._process, f"{self._user}:{self._password}" if self._user else "")
        if not said.startswith(READY):
            self.close()
            raise BrokerError(said or "the embedded broker did not start: try another one (docs/brokers.md)")
        host = f"[{self._host}]" if ":" in self._host else self._host
        place = f"{host}:{int(said.removeprefix(READY))}"
        self.address = self.shown = f"mqtt://{place}"
        if self._user:
            self.address = f"mqtt://{self._user}:{self._password}@{place}"
            self.shown = f"mqtt://{self._user}@{place}?password_file={quote(kept)}"

    def kill(self) -> None:
        """End it at once, as in a power failure; `start` starts another one."""
        if self._process is not None:
            self._process.kill()
        self.close()

    def close(self) -> None:
        """End it; a second call does nothing."""
        process, self._process = self._process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        with suppress(OSError):  # it has ended already
            process.stdin.close()
        try:
            process.wait(2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        self._forget_password()

    def _keep_password(self) -> str:
        """Write the password to a file that only this user can read; returns its name."""
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="devs-robotics-")
            file = Path(self._folder.name) / "password"
            file.touch(mode=0o600)
            file.write_text(self._password + "\n", encoding="utf-8")
        except OSError as error:
            self._forget_password()
            raise BrokerError(
                f"the password of the embedded broker cannot be written to {tempfile.gettempdir()} "
                f"({error.strerror}): make room there, or set TMPDIR to another folder"
            ) from error
        return str(file)

    def _forget_password(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> EmbeddedBroker:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _answer(process: subprocess.Popen[str], admitted: str) -> str:
    """What the broker says first when it knows whom to let in; empty if it says nothing in time."""
    assert process.stdin is not None
    assert process.stdout is not None
    timer = Timer(START_TIMEOUT, process.kill)
    timer.start()
    try:
        with suppress(OSError):  # it has ended, as its first line tells
            process.stdin.write(admitted + "\n")
            process.stdin.flush()
        return process.stdout.readline().strip()
    finally:
        timer.cancel()
        timer.join()


# what follows runs in the broker's own process


def main() -> None:
    """Run a broker until it is interrupted, or add a user to a password file."""
    parser = argparse.ArgumentParser(
        allow_abbrev=False, prog="python -m devs_robotics.hil.broker", description="An MQTT broker (amqtt)."
    )
    parser.add_argument("--host", default="127.0.0.1", help="IP address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=1883, help="0 for a free one (default: 1883)")
    parser.add_argument("--password-file", type=Path, help="demand a user and a password (docs/brokers.md)")
    parser.add_argument("--add-user", metavar="USER", help="ask for a password, add it to the file, and end")
    parser.add_argument(
        "--owned",
        action="store_true",
        help="end when the standard input ends; its first line is the USER:PASSWORD to let in, or empty",
    )
    options = parser.parse_args()
    try:
        if options.add_user is not None:
            _add_user(options.password_file, options.add_user)
        else:
            user, _, password = (sys.stdin.readline().strip() if options.owned else "").partition(":")
            admitted = {user: password} if user else options.password_file
            _quietly(_run(options.host, options.port, admitted, owned=options.owned))
    except BrokerError as error:
        _say(str(error), sys.stdout if options.owned else sys.stderr)
        sys.exit(1)


def _add_user(file: Path | None, user: str) -> None:
    from pwdlib import PasswordHash

    if file is None or not user or ":" in user:
        raise BrokerError("no user was added: give --password-file FILE, and a name without a colon")
    hashed = PasswordHash.recommended().hash(getpass(f"password for {user}: "))
    with file.open("a", encoding="utf-8") as lines:
        lines.write(f"{user}:{hashed}\n")


def _quietly(running: Coroutine[None, None, None]) -> None:
    logging.disable(logging.CRITICAL)  # amqtt tells of each client that comes and goes
    warnings.simplefilter("ignore")
    with suppress(KeyboardInterrupt):
        asyncio.run(running)


async def _run(host: str, port: int, admitted: Mapping[str, str] | Path | None, *, owned: bool) -> None:
    from devs_robotics.hil.amqtt_server import serve

    if isinstance(admitted, Path):
        _check(admitted)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1000)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise BrokerError(f"the embedded broker cannot listen at {host}:{port} ({why}): choose another port") from error
    with listening:
        ready = f"{READY}{listening.getsockname()[1]}"
        serving = asyncio.create_task(serve(listening, admitted, lambda: _say(ready, sys.stdout)))
        if owned:
            # a thread that waits for the end of the standard input, which comes however the owner ends
            end = asyncio.create_task(asyncio.to_thread(sys.stdin.buffer.read))
            await asyncio.wait([serving, end], return_when=asyncio.FIRST_COMPLETED)
            serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


def _check(password_file: Path) -> None:
    try:
        lines = password_file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BrokerError(f"the password file {password_file} cannot be read ({why}): correct its name") from error
    for number, line in enumerate(lines, 1):
        if line.strip() and not re.fullmatch(r"(#.*)|([^:]+:\$argon2.+)", line.strip()):
            raise BrokerError(
                f"line {number} of the password file {password_file} is not of the form 'user:hash': "
                "write it with python -m devs_robotics.hil.broker --password-file FILE --add-user USER"
            )


def _say(sentence: str, stream: IO[str]) -> None:
    stream.write(sentence + "\n")
    stream.flush()


if __name__ == "__main__":
    main()
