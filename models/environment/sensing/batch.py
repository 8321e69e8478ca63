"""Batch: one pass over all sensors at each point of their raster, in arrays."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, inf, sin

import numpy as np

from devs_robotics.models.environment.instants import Raster
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.questions.ranging import Distances
from devs_robotics.models.environment.sensing.beams import ROUNDING, BeamsOutlook
from devs_robotics.models.environment.sensing.pose_arrays import PoseArrays
from devs_robotics.models.environment.sensing.predict import PredictStrategy
from devs_robotics.models.environment.sensing.strategy import Told
from devs_robotics.models.environment.sensing.watch import Watched
from devs_robotics.models.environment.world import World

Kind = tuple[tuple[float, ...], float, float, Raster]
"""Bearings, reach, radius of the body, and raster of watches that are looked at together."""


class BatchStrategy(PredictStrategy):
    """Looks at watches of beams of one kind together, at each point of their raster; at others as `PredictStrategy`.

    What is told is the same to the last bit: arrays find out who may see whom, and the distances are computed with the
    operations of `BeamsOutlook.look`.
    """

    def __init__(self, world: World, nearby: Nearby) -> None:
        super().__init__(world, nearby)
        self._groups: dict[Kind, Group] = {}

    def add(self, watched: Watched) -> Told:
        """Begin a watch: look at once, and from then on together with those of its kind."""
        kind = _kind(watched)
        if kind is None:
            return super().add(watched)
        group = self._groups.setdefault(kind, Group(self.world, kind[3]))
        if watched.body in group.members:  # the robot has two such sensors
            return super().add(watched)
        told = self.look_at([watched])
        watched.wake = inf
        group.add(watched)
        return told

    def remove(self, watched: Watched) -> None:
        """End a watch."""
        for group in self._groups.values():
            if group.members.get(watched.body) is watched:
                del group.members[watched.body]
                return
        super().remove(watched)

    def of(self, body: int) -> list[Watched]:
        """The watches of a body."""
        together = [group.members[body] for group in self._groups.values() if body in group.members]
        return super().of(body) + together

    def grow(self) -> None:
        """Let arrays be made anew."""
        for group in self._groups.values():
            group.grow()

    def all(self) -> list[Watched]:
        """All watches."""
        return super().all() + [watched for group in self._groups.values() for watched in group.members.values()]

    def next_time(self) -> float:
        """When the next look is due (s)."""
        return min(super().next_time(), min((group.wake for group in self._groups.values()), default=inf))

    def look(self) -> Told:
        """Look at all watches that are due now; returns what is told."""
        told = super().look()
        now = self.world.field.now
        for group in self._groups.values():
            if group.wake <= now:
                self.looks += len(group.members)
                told += group.look()
        return told

    def changed(self, bodies: Iterable[int]) -> None:
        """Take the new arcs over."""
        bodies = list(bodies)
        for group in self._groups.values():
            group.changed(bodies)
        super().changed(bodies)

    def jumped(self, bodies: Iterable[int]) -> None:
        """Take the new poses over."""
        bodies = list(bodies)
        for group in self._groups.values():
            group.changed(bodies)
        super().jumped(bodies)


def _kind(watched: Watched) -> Kind | None:
    outlook = watched.outlook
    if not isinstance(outlook, BeamsOutlook) or watched.raster is None or watched.watching.every:
        return None
    return outlook.question.bearings, outlook.question.reach, outlook.edge, watched.raster


class Group:
    """Watches of one kind, one per body.

    Args:
        world: that is watched
        raster: on which they are looked at

    Attributes:
        members: by body
        wake: when they are looked at next (s)
    """

    def __init__(self, world: World, raster: Raster) -> None:
        self.world = world
        self.raster = raster
        self.members: dict[int, Watched] = {}
        self.wake = inf
        self._seeing: set[int] = set()
        """Bodies whose watch has told last that it sees something."""
        self._arrays: PoseArrays | None = None

    def add(self, watched: Watched) -> None:
        """Take a watch in that has been looked at."""
        self.members[watched.body] = watched
        if not watched.quiet:
            self._seeing.add(watched.body)
        self.wake = self.raster.after(self.world.field.now)

    def grow(self) -> None:
        """Make room for bodies that have joined."""
        self._arrays = None

    def changed(self, bodies: Iterable[int]) -> None:
        """These bodies are on other arcs now."""
        if self._arrays is not None:
            for body in bodies:
                self._arrays.changed(body)
        self.wake = self.raster.after(self.world.field.now) if self.wake == inf else self.wake

    def look(self) -> Told:
        """Look at all, and tell what has changed."""
        told: Told = []
        answers = self._answers()
        members, seeing = self.members, self._seeing
        self._seeing = {body for body, answer in answers.items() if min(answer.values) < inf}
        for body in sorted(answers.keys() | seeing):
            watched = members.get(body)
            if watched is not None:
                answer = answers.get(body)
                if answer is None:
                    assert isinstance(watched.outlook, BeamsOutlook)
                    answer = watched.outlook.nothing
                told += [(watched.port, notice) for notice in watched.notices(answer)]
        bodies = self.world.field.bodies
        moves = bool(bodies.moving) or any(bodies.turn_rate)
        self.wake = self.raster.after(self.world.field.now) if moves else inf
        return told

    def _answers(self) -> dict[int, Distances]:
        """By body: what those see that may see something."""
        first = next(iter(self.members.values()), None)
        if first is None:
            return {}
        outlook = first.outlook
        assert isinstance(outlook, BeamsOutlook)
        field = self.world.field
        if self._arrays is None:
            self._arrays = PoseArrays(field, outlook.reach)
        arrays = self._arrays
        arrays.take()
        observers, others, dx, dy = arrays.pairs()
        answers = self._by_walls(outlook, observers.tolist(), others.tolist())
        c, s = arrays.cos[observers], arrays.sin[observers]
        px, py = dx * c + dy * s, dy * c - dx * s
        beams = np.array(outlook.beams)
        radii = np.array(field.radius)[others]
        across = np.abs(np.outer(py, beams[:, 0]) - np.outer(px, beams[:, 1]))
        ahead = np.outer(px, beams[:, 0]) + np.outer(py, beams[:, 1])
        pair, beam = np.nonzero((across <= (radii + ROUNDING)[:, None]) & (ahead > 0.0))
        if not pair.size:
            return answers
        bearings = outlook.question.bearings
        directions = [
            heading + bearings[index]
            for heading, index in zip(arrays.heading[observers[pair]].tolist(), beam.tolist(), strict=True)
        ]
        ux, uy = np.array([cos(each) for each in directions]), np.array([sin(each) for each in directions])
        dx, dy, radius = dx[pair], dy[pair], radii[pair]
        along, aside = dx * ux + dy * uy, dx * uy - dy * ux
        half_2 = radius * radius - aside * aside
        hits = (along > 0.0) & (half_2 > 0.0)
        nearest = np.maximum(0.0, along - np.sqrt(np.where(hits, half_2, 0.0)))
        hits &= (nearest <= outlook.far) & (nearest - outlook.edge <= outlook.question.reach)
        found: dict[int, list[float]] = {}
        rows = (
            observers[pair][hits].tolist(),
            beam[hits].tolist(),
            np.maximum(0.0, nearest - outlook.edge)[hits].tolist(),
        )
        for body, index, distance in zip(*rows, strict=True):
            if body not in answers and body in self.members:
                values = found.get(body)
                if values is None:
                    values = found[body] = [inf] * len(bearings)
                if distance < values[index]:
                    values[index] = distance
        answers.update((body, Distances(body + 1, tuple(values))) for body, values in found.items())
        return answers

    def _by_walls(self, outlook: BeamsOutlook, observers: list[int], others: list[int]) -> dict[int, Distances]:
        """What those see that are near walls or obstacles: looked at one by one."""
        field, arrays = self.world.field, self._arrays
        assert arrays is not None
        near: set[int] = set()
        x, y, far = arrays.x, arrays.y, outlook.far
        if field.walled:
            outside = (x < far) | (y < far) | (x > field.width - far) | (y > field.height - far)
            near.update(np.flatnonzero(outside).tolist())
        if field.obstacles:
            near.update(body for body in self.members if field.obstacles_near(float(x[body]), float(y[body]), far))
        near &= self.members.keys()
        seen: dict[int, list[int]] = {body: [] for body in near}
        if near:
            for body, other in zip(observers, others, strict=True):
                if body in seen:
                    seen[body].append(other)
        return {body: self.members[body].outlook.look(those) for body, those in sorted(seen.items())}
