"""What can be wrong with a scenario, as data."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from devs_robotics import DevsRoboticsError
from devs_robotics.core.texts import encodable


class Problem(Struct, frozen=True):
    """One mistake in a scenario.

    Attributes:
        keys: the dotted keys that it is about, the one to mend first
        sentence: what is wrong and what to do
    """

    keys: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        """The sentence with its key, in characters that every file can hold."""
        said = f"{self.keys[0]}: {self.sentence}" if self.keys else self.sentence
        return encodable(said)


class ScenarioError(DevsRoboticsError):
    """A scenario cannot be run; `problems` holds every mistake that was found.

    Args:
        source: the file, or what was given in its place
        problems: the mistakes
        settings: keys that were set on the command line and not in the file
    """

    def __init__(self, source: str, problems: Iterable[Problem], settings: Collection[str] = ()) -> None:
        self.source = source
        self.problems = tuple(problems)
        self.lines = [
            f"{'--set' if problem.keys and _was_set(problem.keys[0], settings) else source}: {problem}"
            for problem in self.problems
        ]
        super().__init__("\n".join(self.lines))


def _was_set(key: str, settings: Collection[str]) -> bool:
    """Whether a key, a table around it, or an entry of it comes from a setting."""
    return any(
        f"{setting}.".startswith(f"{key}.") or key.startswith((f"{setting}.", f"{setting}[")) for setting in settings
    )
