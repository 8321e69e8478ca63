"""Parts of frames that fail, for sweeps to survive."""

from __future__ import annotations

import os

from devs_robotics import Atomic

FUSE = "DEVS_ROBOTICS_TEST_FUSE"
"""Variable of the environment that makes some of them fail."""


class Bomb(Atomic):
    """Does in the end what `fuse` says: nothing, fail in one of several ways, or take the whole process with it."""

    def __init__(self, name: str, fuse: str = "none") -> None:
        super().__init__(name)
        self.fuse = fuse

    def result(self) -> dict[str, float | str]:
        """Fail, or say that nothing happened."""
        if self.fuse == "error":
            raise ZeroDivisionError("boom")
        if self.fuse == "environment" and FUSE in os.environ:
            raise MemoryError
        if self.fuse == "exit":
            raise SystemExit(3)
        if self.fuse == "death":
            os._exit(3)
        return {"fuse": self.fuse}
