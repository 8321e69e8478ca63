"""Starts a view in a process of its own, and ends it; a run goes on whatever becomes of it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from secrets import token_urlsafe
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self

import msgspec
from msgspec import Struct

from devs_robotics.core.processes import apart
from devs_robotics.view.server.serving import Serving, ServingError

START_WITHIN = 60.0
"""Longest time in which a view gets ready (s); after it, it has failed."""

STOP_WITHIN = 3.0
"""Longest time in which a view that is asked to end does so (s); after it, it is killed."""

TOKEN_BYTES = 16
"""128 random bits."""


COMMAND = (sys.executable, "-P", "-m", "devs_robotics.view.server")
"""The program of a view."""

PAGE = "page"
"""Argument of a view that will have a page, so that it loads what that needs while the run gets ready."""


class ViewProcessConfig(Struct, frozen=True):
    """What a view's process is told at first.

    Attributes:
        serving: where and how
        token: that control needs
        block: file that it shares with the run
    """

    serving: Serving
    token: str
    block: str


def new_token() -> str:
    """Nobody can guess it."""
    return token_urlsafe(TOKEN_BYTES)


class BegunProcess:
    """A process that will be a view's, and gets ready while others do: it is begun before anybody knows of what.

    One that is not needed ends with `close`.

    Args:
        page: whether it will serve a page

    Attributes:
        process: of Python, which waits to be told what to do
        errors: what it says of errors
    """

    def __init__(self, *, page: bool = True) -> None:
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [*COMMAND, *([PAGE] if page else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            **apart(),  # an interrupt from the keyboard is for the run
        )
        self._taken = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take(self) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        """Whoever takes it ends it."""
        self._taken = True
        return self.process, self.errors

    def close(self) -> None:
        """End it, unless somebody has taken it."""
        if self._taken:
            return
        self._taken = True
        self.process.kill()
        self.process.communicate()
        self.errors.close()


class ViewProcess:
    """A view in a process of its own, from `start` to `stop`; it ends when this process does.

    Args:
        serving: where and how
        block: file that it shares with the run
        begun: a process that is ready for it, if there is one
        tell: called at once with a sentence about what has failed in it, from a thread of its own

    Attributes:
        looking_link: to the page, without the right to control the run
        pid: of the process
    """

    def __init__(
        self,
        serving: Serving,
        block: Path,
        begun: BegunProcess | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._begun = begun
        self._tell = tell
        self.looking_link = ""
        self.pid = 0
        self._serving = serving
        self._config = ViewProcessConfig(serving, new_token(), str(block))
        self._order = msgspec.json.encode(self._config) + b"\n"
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._first: Queue[dict[str, Any]] = Queue()
        self._listener: Thread | None = None
        self._ending = False

    def start(self) -> str:
        """Start it, and wait until it listens; returns the link to the page, if there is one.

        Raises:
            ServingError: it could not start
        """
        begun = self._begun or BegunProcess(page=self._serving.page)
        process, self._errors = begun.take()
        self._process, self.pid = process, process.pid
        try:
            port = self._hand_over(process)
        except BaseException:
            self.kill()
            raise
        if not self._serving.page:
            return ""
        with_token = self._serving.control or self._serving.needs_token
        self.looking_link = self._serving.link(port, self._config.token if self._serving.needs_token else "")
        return self._serving.link(port, self._config.token if with_token else "")

    @property
    def alive(self) -> bool:
        """Whether it is there."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """End it in an orderly way; a second call does nothing."""
        process = self._process
        if process is None:
            return
        self._ending = True
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(STOP_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._forget()

    def kill(self) -> None:
        """End it at once, as in a power failure."""
        if self._process is not None:
            self._ending = True
            self._process.kill()
            self.stop()

    def _forget(self) -> None:
        self._process = None
        if self._listener is not None:
            self._listener.join(STOP_WITHIN)  # what it told last
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _hand_over(self, process: subprocess.Popen[bytes]) -> int:
        """Tell it what to do; returns the port on which it listens."""
        assert process.stdin is not None
        with suppress(OSError):  # what it has said tells more
            process.stdin.write(self._order)
            process.stdin.flush()
        self._listener = Thread(target=self._listen, args=(process,), name="view's process", daemon=True)
        self._listener.start()
        try:
            told = self._first.get(timeout=START_WITHIN)
        except Empty:
            late = f"was not ready in {START_WITHIN:.0f} s: try again when this computer has less to do"
            raise ServingError(self._failure(late)) from None
        if not told:
            raise ServingError(self._failure("ended"))
        if "error" in told:
            raise ServingError(told["error"])
        return int(told["port"])

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Take what it says, line by line until its end: whether it is ready, and what fails in it."""
        assert process.stdout is not None
        ready = False
        with process.stdout as said:
            for line in said:
                told = _understood(line)
                if "failed" in told:
                    self._complain(f"{told['failed']} has failed ({told['why']}), and shows nothing more")
                elif told:
                    ready = "port" in told
                    self._first.put(told)
        self._first.put({})
        if ready and not self._ending:
            self._complain(self._failure("has ended, and shows nothing more"))

    def _complain(self, what: str) -> None:
        if self._tell is not None:
            self._tell(what)

    def _failure(self, what: str) -> str:
        lines = self._said().strip().splitlines()
        return f"the view {what}{f' ({lines[-1]})' if lines else ''}"

    def _said(self) -> str:
        """What it has said of errors."""
        assert self._errors is not None
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")


def _understood(line: bytes) -> dict[str, Any]:
    """What a view says in a line; nothing where a library says something there."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
