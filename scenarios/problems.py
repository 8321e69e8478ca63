"""What can be wrong with a scenario, as data."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from devs_robotics import DevsRoboticsError


class Problem(Struct, frozen=True):
    """One mistake in a scenario.

    Attributes:
        keys: the dotted keys that it is about, the one to mend first
        sentence: what is wrong and what to do
    """

    keys: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        return f"{self.keys[0]}: {self.sentence}" if self.keys else self.sentence


class ScenarioError(DevsRoboticsError):
    """A scenario cannot be run; `problems` holds every mistake that was found."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in self.problems))
