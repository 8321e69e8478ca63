"""Robots that have asked their range sensors, and are answered together at a point of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from devs_robotics.core.population.rows import Rows
from devs_robotics.models.environment.on_grid.arc_columns import Floats, Numbers
from devs_robotics.models.environment.on_grid.sight import Near, WalledRectangle, look
from devs_robotics.models.environment.questions.ranging import Cast, Distances

Sight = tuple[tuple[float, ...], float, float]
"""Bearings of beams (rad), how far they reach from the edge (m), and the radius of the body (m)."""


class Questioners:
    """Who has asked, and along which beams; true while there is anybody.

    Attributes:
        reach: how far from the middle of a robot anybody has looked up to now (m)
    """

    def __init__(self) -> None:
        self.reach = 0.0
        self._asking: dict[Sight, list[Numbers]] = {}

    def __bool__(self) -> bool:
        return bool(self._asking)

    def take(self, rows: Sequence[Rows], questions: Sequence[Cast], radius: Floats) -> None:
        """Questions of teams, and of ordinary robots, of bodies with these radii (m)."""
        for each in rows:
            self._take_rows(each, radius)
        for question in questions:
            self._add(question.bearings, question.reach, np.array([question.robot - 1], np.int64), radius)

    def answered(
        self, ground: WalledRectangle, poses: tuple[Floats, Floats, Floats], radius: Floats, near: Near
    ) -> Iterator[tuple[Numbers, Floats]]:
        """Who is answered, ascending, and the distances along the beams of each (m); then nobody asks any more.

        Args:
            ground: of the bodies
            poses: x, y (m) and heading (rad) of all
            radius: of all (m)
            near: pairs at least as far from each other as `reach` and the largest radius
        """
        asking, self._asking = self._asking, {}
        for (bearings, reach, edge), bodies in asking.items():
            members = np.zeros(len(radius), bool)
            for some in bodies:
                members[some] = True
            everybody = members.nonzero()[0]
            yield look(ground, poses, radius, near, np.array(bearings), edge, reach, members, everybody)

    def _take_rows(self, rows: Rows, radius: Floats) -> None:
        """Those of a team, by what they look along."""
        bearings, reach = rows.column("bearings"), rows.column("reach")
        same = (bearings == bearings[0]).all() and (reach == reach[0]).all()
        for some in (slice(None),) if same else (slice(each, each + 1) for each in range(len(rows))):
            self._add(tuple(bearings[some][0].tolist()), float(reach[some][0]), rows.robots[some] - 1, radius)

    def _add(self, bearings: tuple[float, ...], reach: float, bodies: Numbers, radius: Floats) -> None:
        edges = radius[bodies]
        for edge in np.unique(edges).tolist():
            self._asking.setdefault((tuple(bearings), reach, edge), []).append(bodies[edges == edge])
            self.reach = max(self.reach, edge + reach)


def distances_of(bodies: Numbers, values: Floats) -> list[Distances]:
    """The answers to these robots, one by one."""
    return [Distances(body + 1, tuple(row)) for body, row in zip(bodies.tolist(), values.tolist(), strict=True)]
