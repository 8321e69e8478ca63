"""To whom answers of one kind go: to robots one by one, and to teams as `Rows`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Port
from devs_robotics.core.population.rows import Rows
from devs_robotics.models.environment.on_grid.arc_columns import Numbers

Said = tuple[Port[Any], Any]


class Addressees:
    """The robots that hear answers of one kind by one piece of equipment.

    Attributes:
        single: by robot's number: its port
        teams: numbers of the robots of each team, and its port
    """

    def __init__(self) -> None:
        self.single: dict[int, Port[Any]] = {}
        self.teams: list[tuple[Numbers, Port[Rows]]] = []

    def add_team(self, robots: Sequence[int], port: Port[Rows]) -> None:
        """Let these robots hear through a port of theirs."""
        self.teams.append((np.array(robots, np.int64), port))

    def say(
        self,
        kind: Any,
        bodies: Numbers,
        columns: Mapping[str, NDArray[Any]],
        messages: Callable[[NDArray[np.bool_]], list[Any]],
    ) -> list[Said]:
        """What leaves through which port.

        Args:
            kind: of the answers, as they stand in rows
            bodies: who is answered, by their numbers from 0, ascending
            columns: the answers' fields, a row each
            messages: makes those of some bodies, for robots that hear one by one
        """
        said: list[Said] = []
        left = np.ones(bodies.size, bool)
        for robots, port in self.teams:
            mine = self._of(robots, bodies)
            if mine.all():
                said.append((port, Rows(kind, bodies + 1, [], {"robot": bodies + 1, **columns})))
                return said
            if mine.any():
                chosen = {"robot": bodies[mine] + 1, **{name: column[mine] for name, column in columns.items()}}
                said.append((port, Rows(kind, bodies[mine] + 1, [], chosen)))
                left &= ~mine
        if self.single and left.any():
            for body, message in zip(bodies[left].tolist(), messages(left), strict=True):
                if body + 1 in self.single:
                    said.append((self.single[body + 1], message))
        return said

    def _of(self, robots: Numbers, bodies: Numbers) -> NDArray[np.bool_]:
        """Which of these bodies are robots of a team."""
        first, last = int(robots[0]), int(robots[-1])
        if last - first + 1 == len(robots):
            within: NDArray[np.bool_] = (bodies >= first - 1) & (bodies <= last - 1)
            return within
        return np.isin(bodies + 1, robots, assume_unique=True)
