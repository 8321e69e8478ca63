"""Watches a tick: whoever calls the wall clock, or global random numbers, however deep, is told."""

from __future__ import annotations

import gc
import signal
import sys
from types import FrameType, TracebackType
from typing import Any

from py_trees.behaviour import Behaviour

from devs_robotics import ModelError
from devs_robotics.models.trees.checks import forbidden_call

FIRST = 100
EACH = 16


def is_watched(tick: int) -> bool:
    """Whether a tick (1, 2, ...) is watched, which more than doubles its cost: the first ones, and then each 16th."""
    return tick <= FIRST or tick % EACH == 0


class WatchedTick:
    """While it is entered, calls of this thread are looked at; who profiles or debugs the thread goes first.

    Raises:
        ModelError: at the end, when something was called that no tree may call
    """

    __slots__ = ("_found", "_watching")

    def __init__(self) -> None:
        self._found: tuple[str, str, str] | None = None
        self._watching = False

    def __enter__(self) -> None:
        if sys.getprofile() is None:
            self._watching = True
            sys.setprofile(self._look)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._watching:
            sys.setprofile(None)
        if self._found is not None and error is None:
            what, instead, node = self._found
            raise ModelError(f"node {node!r} has called {what}: {instead}")

    def _look(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and self._found is None:
            found = forbidden_call(called)
            if found is not None and not _in_between(frame):
                self._found = *found, _node_of(frame)


def _in_between(frame: FrameType | None) -> bool:
    """Whether Python has put this in between: a callback of the garbage collector, a finalizer, a signal's handler."""
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    codes = {id(getattr(each, "__code__", None)) for each in (*gc.callbacks, *handlers)} - {id(None)}
    while frame is not None:
        if id(frame.f_code) in codes or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def _node_of(frame: FrameType | None) -> str:
    """Name of the node in which something is called."""
    while frame is not None:
        node = frame.f_locals.get("self")
        if isinstance(node, Behaviour):
            return node.name
        frame = frame.f_back
    return ""
