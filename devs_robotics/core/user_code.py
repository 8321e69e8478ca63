"""Code of users' own: called so that whatever it raises is told in a sentence, and is not taken for anything else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.own_files import place_of
from devs_robotics.core.texts import encodable

LONGEST_TEXT = 2000
"""Largest length of what is told of an exception (characters); the rest is left out."""


@contextmanager
def user_code(error: Callable[[str], DevsRoboticsError]) -> Iterator[None]:
    """Round a call of somebody's class or module: all that it raises becomes an error of ours, but for Ctrl-C.

    That includes SystemExit, which would end the program with a status that means something else here.

    Args:
        error: makes the error from the name of the exception, what it says, and the line of the code where it came up

    Raises:
        DevsRoboticsError: what `error` makes, with the exception as its cause, or what the code raises of this kind
    """
    try:
        yield
    except (DevsRoboticsError, KeyboardInterrupt):
        raise
    except BaseException as exc:
        raise error(described_with_place(exc)) from exc


@contextmanager
def staying_here() -> Iterator[None]:
    """Round code of somebody's that may go to another folder: afterwards relative paths lead where they led before."""
    try:
        here = Path.cwd()
    except OSError:  # it has been removed
        yield
        return
    try:
        yield
    finally:
        os.chdir(here)


def described(exc: BaseException) -> str:
    """The name of an exception and what it says, on one line, in characters that every file can hold."""
    text = " ".join(printable(lambda: str(exc)).split("\n")).strip()
    return f"{type(exc).__name__}: {text}" if text else type(exc).__name__


def described_with_place(exc: BaseException) -> str:
    """The same of an exception in somebody's code, with its line: ``KeyError: 'x' (cleaning.py, line 12)``."""
    place = printable(lambda: place_of(exc))
    return f"{described(exc)} ({place})" if place else described(exc)


def printable(text: Callable[[], str]) -> str:
    """What a function of somebody's gives, such as a ``repr``, without lone surrogates; empty where it fails."""
    try:
        given = str(text())[:LONGEST_TEXT]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""
    return encodable(given)
