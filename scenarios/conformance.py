"""What is asked of a case study when its robots are held against their protocol, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from devs_robotics.scenarios.running.means import FAST, NOBODY, Hooks, Means
from devs_robotics.scenarios.stages import Stage

Level = Literal["single", "team", "large", "hybrid", "final"]
"""Of the frames: one robot, a small team, a large one, one with real robots, or the record of a run."""

Ending = Literal["conforms", "conforms so far", "does not conform", "broken off"]


class Examination(Struct, frozen=True):
    """What is to be held against the protocol, and how.

    Attributes:
        level: of the frames
        origin: of the scenario, for the page
        trace: of the level final: what ``run --trace`` wrote
        stage: in which to run; None: `fast`, of the level hybrid `loop`
        rounds: of each run at most; None: as many as the level takes
        means: how runs are made otherwise
        hooks: who looks on
    """

    level: Level
    origin: Mapping[str, str]
    trace: Path | None = None
    stage: Stage | None = None
    rounds: int | None = None
    means: Means = FAST
    hooks: Hooks = NOBODY


class Examined(Struct, frozen=True):
    """What came of it.

    Attributes:
        ending: in a word
        lines: for people
        record: the same as plain data
        texts: of the files to be written, made when they are asked for, by their names; the page is the last
    """

    ending: Ending
    lines: list[str]
    record: dict[str, Any]
    texts: Mapping[str, Callable[[], str]]
