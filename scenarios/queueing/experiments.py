"""An experiment in a queue, as it is added and as it stands there."""

from __future__ import annotations

import re
from typing import Literal, get_args

from msgspec import Struct

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.stages import Lab, Stage

State = Literal["waiting", "running", "finished", "failed", "refused", "cancelled"]
STATES: tuple[State, ...] = get_args(State)
"""What an experiment may be.

=========  =====================================================================================
state      what it means
=========  =====================================================================================
waiting    nobody works on it
running    the worker of its arena works on it: certifies it, then runs it
finished   it ran to its end, and its acceptor accepted or rejected it
failed     a model, a robot, a link or the software failed, or its workers died too often
refused    it was not certified, so that it may not run
cancelled  somebody cancelled it
=========  =====================================================================================
"""

ENDED: tuple[State, ...] = ("finished", "failed", "refused", "cancelled")
"""States that nothing but `retry` leads out of."""

DEATHS = 3
"""An experiment whose worker has died so often is given up, if nothing else was said when it was added."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,39}")
"""Of an arena or an experiment: also the name of a file."""


class QueueError(DevsRoboticsError):
    """A queue that there is not, that cannot be used, or an experiment in it with which something cannot be done."""


class RecipeError(DevsRoboticsError):
    """An experiment that can no longer be run as it was added."""


def named(what: str, name: str) -> str:
    """The name of an arena or an experiment, if it is one.

    Raises:
        QueueError: it is none
    """
    if not NAME.fullmatch(name):
        raise QueueError(
            f"{what}: {name[:60]!r} is no name: take at most 40 letters, digits, dots, hyphens and underscores, "
            "a letter or a digit first"
        )
    return name


DAMAGED = "what the queue has of its scenario is damaged: add the experiment anew"
"""What is said of an experiment that can be listed, but not be run."""


class Recipe(Struct, frozen=True):
    """What is needed to run an experiment as it was added, whatever has become of its file since then.

    Attributes:
        scenario: with nothing left open, as JSON
        folder: whose modules come first: that of the scenario's file
        here: the working folder in which relative paths of the scenario lead where they are meant to
        sources: hashes of the modules of users' own that it takes, by their names
    """

    scenario: str
    folder: str
    here: str
    sources: dict[str, str]


class NewExperiment(Struct, frozen=True, kw_only=True):
    """An experiment that is to be added.

    Attributes:
        source: scenario as it was named
        settings: ``KEY=VALUE`` texts that were given with it
        recipe: of its run
        sha256: hash of the scenario
        seed: of the run
        stage: of the run
        rate: simulated seconds per real second; None: as the scenario says
        lab: where stand-ins live
        real_robots: whether it moves robots that are no stand-ins
        name: by which it is known beside its number; no two have the same
        wanted_arena: where it is to run; None: anywhere
        priority: those with a higher one come first
        deaths_allowed: of its workers, before it is given up
    """

    source: str
    settings: tuple[str, ...]
    recipe: Recipe
    sha256: str
    seed: int
    stage: Stage = "fast"
    rate: float | None = None
    lab: Lab = "process"
    real_robots: bool = False
    name: str | None = None
    wanted_arena: str | None = None
    priority: int = 0
    deaths_allowed: int = DEATHS


class QueuedExperiment(Struct, frozen=True, kw_only=True):
    """An experiment in a queue.

    Attributes, beside those of a `NewExperiment`:
        number: from 1 on, in the order of adding
        state: one of `STATES`
        arena: where it runs, or ran last
        begun: how often a worker has begun it
        deaths: how many of these workers died at it
        cancel: whether somebody wants it to end
        certificate: what its certification found
        added_s, begun_s, ended_s: when it was added, begun for the last time, and over (s since 1970, UTC)
        outcome: how its run ended: accepted, rejected, failed, or broken off
        reason: why it is over
    """

    number: int
    name: str | None
    source: str
    settings: tuple[str, ...]
    sha256: str
    seed: int
    stage: Stage
    rate: float | None
    lab: Lab
    real_robots: bool
    wanted_arena: str | None
    priority: int
    deaths_allowed: int
    state: State
    arena: str | None
    begun: int
    deaths: int
    cancel: bool
    certificate: str | None
    added_s: float
    begun_s: float | None
    ended_s: float | None
    outcome: str | None
    reason: str | None

    @property
    def waited(self) -> float | None:
        """How long it has waited, from adding to its last beginning (s); a clock that was set back makes it 0."""
        return None if self.begun_s is None else max(0.0, self.begun_s - self.added_s)

    @property
    def took(self) -> float | None:
        """How long its last attempt took (s)."""
        return None if None in (self.begun_s, self.ended_s) else max(0.0, self.ended_s - self.begun_s)  # type: ignore[operator]

    @property
    def called(self) -> str:
        """It in few words."""
        return f"experiment {self.number}" + (f" ({self.name})" if self.name else "")


class HistoryEntry(Struct, frozen=True):
    """Something that happened to an experiment.

    Attributes:
        time_s: when (s since 1970, UTC)
        event: what: added, begun, certified, finished, and so on
        arena: where, if anywhere
        note: why, if there is anything to say
    """

    time_s: float
    event: str
    arena: str | None
    note: str
