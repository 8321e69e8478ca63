"""A cable between a host and a robot on a serial line, which can be pulled."""

from __future__ import annotations

import os
import pty
import select
import tty
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Self


class Cable:
    """Carries bytes both ways between a pty of its own, where the host finds the robot, and the robot's device.

    Args:
        address: of the robot

    Attributes:
        address: for the host
    """

    def __init__(self, address: str) -> None:
        self._robot = os.open(address.removeprefix("serial://"), os.O_RDWR | os.O_NOCTTY)
        self._line, self._host_end = pty.openpty()  # whose other end is open too until it is pulled
        tty.setraw(self._host_end)
        self.address = f"serial://{os.ttyname(self._host_end)}"
        self._wake, self._pull = os.pipe()
        self._thread = Thread(target=self._carry)

    def pull(self) -> None:
        """The host's device is gone; a second call does nothing."""
        if self._thread.is_alive():
            os.write(self._pull, b".")
            self._thread.join()

    def _carry(self) -> None:
        ends = {self._line: self._robot, self._robot: self._line}
        with suppress(OSError):  # the robot has gone
            while self._wake not in (ready := select.select([self._wake, *ends], [], [])[0]):
                for end in ready:
                    os.write(ends[end], os.read(end, 4096))
        os.close(self._line)
        os.close(self._robot)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pull()
        self._thread.join()
        for end in (self._host_end, self._wake, self._pull):  # until now the device's name is not given to another one
            os.close(end)
