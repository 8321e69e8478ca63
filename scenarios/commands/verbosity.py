"""``--verbose``: what the program does meanwhile, on standard error, by Python's logging."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "devs_robotics"
"""Under which everything is logged; modules have loggers of their own names, which begin so."""


class _Lines(logging.Formatter):
    """A line of its own for each: the time, where, and what; no character in it steers a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        from devs_robotics.scenarios.commands.display import readable

        return readable(super().format(record))


@contextmanager
def logged(verbose: int) -> Iterator[None]:
    """While it is entered, show what is logged.

    Args:
        verbose: how often it was asked for
    """
    if not verbose:
        yield
        return
    logger = logging.getLogger(NAME)
    before = logger.level, logger.propagate
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("{asctime}.{msecs:03.0f} {name}: {message}", "%H:%M:%S", style="{"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before
