"""Answers to many robots, gathered into rows."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from devs_robotics import Port
from devs_robotics.core.population.rows import Rows

_robot = attrgetter("robot")


class GatheredRows(Port[Any]):
    """Gathers the answers of one kind to many robots, which leave as one.

    Args:
        answer: type of the answers
        rows: the port on which they leave
    """

    def __init__(self, answer: type, rows: Port[Rows]) -> None:
        super().__init__(answer, rows.name)
        self.rows = rows
        self.gathered: list[Any] = []

    def add(self, val: Any) -> None:
        """Take an answer."""
        self.gathered.append(val)

    def send(self) -> None:
        """Send all that there are."""
        if self.gathered:
            self.rows.add(Rows.of_messages(self.p_type, list(map(_robot, self.gathered)), self.gathered))
            self.gathered = []
