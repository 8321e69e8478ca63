"""Robots that watch beams of one kind: what each was told last, and what is new at a point of the grid."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf

import numpy as np
from numpy.typing import NDArray

from devs_robotics import ModelError
from devs_robotics.models.environment.on_grid.arc_columns import ArcColumns, Floats, Mask, Numbers
from devs_robotics.models.environment.on_grid.sight import Near, WalledRectangle, look
from devs_robotics.models.environment.questions.ranging import Cast, Distances
from devs_robotics.models.environment.questions.reading import Reader, Reading, Readings
from devs_robotics.models.environment.sensing.watch import Watching

GroupKind = tuple[str, tuple[float, ...], float, float, bool, Hashable]
"""Name of the sensor, bearings, reach, radius of the body, whether all is told, and what those who read share."""


def kind_of_group(watching: Watching, radius: float, period: float) -> GroupKind:
    """With which watches one is looked at together.

    Args:
        watching: of which it is
        radius: of the robot that watches (m)
        period: of the grid (s)

    Raises:
        ModelError: it cannot be looked at on the grid
    """
    question, reader = _parts(watching)
    what = f'robot {watching.robot}\'s {watching.question.sensor or "watch"}, with sensing.strategy = "grid",'
    if watching.period != period or watching.offset:
        raise ModelError(
            f"{what} looks with a period of {watching.period:g} s from {watching.offset:g} s on, and the grid has one "
            f"of {period:g} s: set sensing.grid to that, or take another sensing.strategy"
        )
    alike = None if reader is None else reader.alike()
    if not isinstance(question, Cast) or watching.levels or (reader is not None and alike is None):
        levels = " with levels" if watching.levels else ""
        raise ModelError(
            f"{what} watches {type(question).__name__}{levels}: the grid knows beams without levels, take another "
            "sensing.strategy"
        )
    return watching.question.sensor, question.bearings, question.reach, radius, watching.every, alike


def _parts(watching: Watching) -> tuple[object, Reader | None]:
    question = watching.question
    return (question.question, question.reader) if isinstance(question, Reading) else (question, None)


class BeamGroup:
    """Watches of one kind.

    Args:
        watching: one of them
        kind: of them
        bodies: how many there are in the world

    Attributes:
        sensor: name of the equipment that watches
        reach: how far from the middle of a robot the beams go (m)
        every: whether all are told at each point
    """

    def __init__(self, watching: Watching, kind: GroupKind, bodies: int) -> None:
        self.sensor, bearings, self._reach, self._edge, self.every, _ = kind
        self.reach = self._edge + self._reach
        self._reader = _parts(watching)[1]
        self._bearings = np.array(bearings)
        self._members = np.zeros(bodies, bool)
        self._all = False
        self._told = np.full((bodies, len(bearings)), np.nan)
        self._seeing = np.empty(0, np.int64)
        self._keys: NDArray[np.uint64] | None = None

    @property
    def anybody(self) -> bool:
        """Whether somebody watches."""
        return bool(self._members.any())

    def begin(self, bodies: Numbers) -> None:
        """These robots watch from now on, and have not been told anything."""
        self._members[bodies] = True
        self._all = bool(self._members.all())
        self._told[bodies] = np.nan
        reader = self._reader
        if reader is not None and reader.noisy:
            keys = np.array([reader.noise_keys(body + 1) for body in bodies.tolist()], np.uint64)
            if self._keys is None:
                self._keys = np.zeros((len(self._members), keys.shape[1]), np.uint64)
            self._keys[bodies] = keys

    def end(self, bodies: Numbers) -> None:
        """These robots watch no longer."""
        self._members[bodies] = False
        self._all = False
        self._seeing = self._seeing[self._members[self._seeing]]

    def look(
        self,
        ground: WalledRectangle,
        arcs: ArcColumns,
        poses: tuple[Floats, Floats, Floats],
        near: Near,
        now: float,
        beginning: Numbers | None = None,
    ) -> tuple[Numbers, Floats]:
        """Who is told something new, ascending, and the readings of each, one row each.

        Args:
            ground, arcs: of the bodies
            poses: where these are now
            near: pairs at least as far from each other as beams reach
            now: time (s)
            beginning: robots that are looked at alone, for they have just begun; None: all are
        """
        members: Mask | None = None if self._all else self._members
        if beginning is not None:
            members = np.zeros(len(self._members), bool)
            members[beginning] = True
        further = self._seeing if beginning is None else beginning
        if self.every and beginning is None:
            further = np.flatnonzero(self._members)
        bodies, rows = look(ground, poses, arcs.radius, near, self._bearings, self._edge, self._reach, members, further)
        seeing = bodies[any_in_row(rows < inf)]
        self._seeing = seeing if beginning is None else np.union1d(self._seeing, seeing)
        values = self._read(bodies, rows, now)
        if not (self.every or beginning is not None):
            new = any_in_row(values != self._told[bodies]).nonzero()[0]
            bodies, values = bodies[new], values[new]
        self._told[bodies] = values
        return bodies, values

    def messages(self, bodies: Numbers, values: Floats) -> list[Distances | Readings]:
        """The answers to these robots, one by one."""
        kind = Distances if self._reader is None else Readings
        return [kind(body + 1, tuple(row)) for body, row in zip(bodies.tolist(), values.tolist(), strict=True)]

    def _read(self, bodies: Numbers, rows: Floats, now: float) -> Floats:
        if self._reader is None:
            return rows
        keys = np.empty((bodies.size, 0), np.uint64) if self._keys is None else self._keys[bodies]
        return self._reader.read_all(keys, rows, now)


def any_in_row(found: Mask) -> Mask:
    """Whether there is anything in each row; eight values are looked at as one."""
    if found.shape[1] == 8 and found.flags.c_contiguous:
        any_of_eight: Mask = found.view(np.uint64).ravel() != 0
        return any_of_eight
    anything: Mask = np.any(found, axis=1)
    return anything
