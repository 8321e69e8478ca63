"""When Python's garbage collector had better wait."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Building models makes many objects and no garbage: looked through once, when all is built, they slow no run.

    It may stand before a function as a decorator, too.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
            gc.collect(1)


@contextmanager
def longer_lived_left_alone() -> Iterator[None]:
    """What is there already is not looked through meanwhile: a look through a whole model stops a run for 0.1 s or so.

    Where somebody has frozen what lives longer, it stays as it is: thawing would be of all at once.
    """
    ours = gc.get_freeze_count() == 0
    if ours:
        gc.freeze()
    try:
        yield
    finally:
        if ours:
            gc.unfreeze()
