"""Experiments that ship: those of a paper, run again beside what it published."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from msgspec import Struct

from devs_robotics.scenarios.case import HERE
from devs_robotics.scenarios.errors import OptionError


class Experimenting(Struct, frozen=True):
    """What is wanted of a paper's experiments.

    Attributes:
        which: their numbers
        out: folder for the page and the data
        quick: whether to measure briefly, so that nothing is to be concluded
        broker: address of one; None: the experiments find or start one
        trials: of what is repeated in the model; None: as many as usual
        workers: processes for what is repeated; -1: one per core
    """

    which: tuple[int, ...]
    out: Path
    quick: bool = False
    broker: str | None = None
    trials: int | None = None
    workers: int = -1


class PaperExperiments(Protocol):
    """A module ``experiments`` of a folder beside the case studies.

    Attributes:
        TITLE: what they are, for people
        NUMBERS: of the experiments
    """

    TITLE: str
    NUMBERS: tuple[int, ...]

    def run(self, wanted: Experimenting, show: Callable[[str], None]) -> Path:
        """Make them; returns the path of the page."""


def shipped_experiments() -> tuple[str, ...]:
    """Their names."""
    return tuple(sorted(path.parent.name for path in HERE.glob("*/experiments.py")))


def experiments_named(name: str) -> PaperExperiments:
    """Those of a name.

    Raises:
        OptionError: there are none
    """
    if name not in shipped_experiments():
        near = get_close_matches(name.casefold(), shipped_experiments(), 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(shipped_experiments())}"
        raise OptionError(f"there are no experiments {name!r}: {hint}")
    return cast(PaperExperiments, import_module(f"devs_robotics.scenarios.{name}.experiments"))
