"""Batch: one pass over all sensors at each point of their raster, in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import ClassVar

import numpy as np

from devs_robotics.models.environment.instants import Raster
from devs_robotics.models.environment.questions.ranging import Distances
from devs_robotics.models.environment.questions.reading import Reader, Readings
from devs_robotics.models.environment.sensing.beam_arrays import look_round
from devs_robotics.models.environment.sensing.beams import BeamsOutlook
from devs_robotics.models.environment.sensing.crowd import CrowdNearby
from devs_robotics.models.environment.sensing.kinds import Kind, beams_of, kind_of, reader_of
from devs_robotics.models.environment.sensing.pose_arrays import Floats, PoseArrays
from devs_robotics.models.environment.sensing.predict import PredictStrategy
from devs_robotics.models.environment.sensing.strategy import Notices
from devs_robotics.models.environment.sensing.watch import StrategyName, Watched
from devs_robotics.models.environment.world import World


class BatchStrategy(PredictStrategy):
    """Looks at watches of beams of one kind together, at each point of their raster; at others as `PredictStrategy`.

    What is told is the same to the last bit: arrays find out who may see whom, and the distances are computed with the
    operations of `BeamsOutlook.look`. Lists of neighbours are made in arrays, too.
    """

    name: ClassVar[StrategyName] = "batch"

    def __init__(self, world: World) -> None:
        self._poses = PoseArrays(world.field)
        super().__init__(world, CrowdNearby(world.field, 2.0 * world.field.largest, self._poses))
        self._groups: dict[Kind, Group] = {}

    def add(self, watched: Watched) -> Notices:
        """Begin a watch: look at once, and from then on together with those of its kind."""
        group = self._group(watched)
        return super().add(watched) if group is None else group.add(watched)

    def take_over(self, watched: Watched) -> None:
        """Go on with a watch that another strategy has begun."""
        group = self._group(watched)
        if group is None:
            super().take_over(watched)
        else:
            group.take_over(watched)

    def reach(self, watched: Watched) -> float:
        """As far as it looks; those that are looked at together need no lists."""
        return watched.outlook.reach if self._kind(watched) is None else 0.0

    def remove(self, watched: Watched) -> None:
        """End a watch."""
        for group in self._groups.values():
            if group.members.get(watched.body) is watched:
                group.remove(watched)
                return
        super().remove(watched)

    def of(self, body: int) -> list[Watched]:
        """The watches of a body."""
        together = [group.members[body] for group in self._groups.values() if body in group.members]
        return super().of(body) + together

    def look_out_anew(self) -> list[Watched]:
        """Let all watches look as far as they must now; returns them."""
        watches = super().look_out_anew()
        for group in self._groups.values():
            group.look_out_anew()
        return watches

    def all(self) -> list[Watched]:
        """All watches."""
        return super().all() + [watched for group in self._groups.values() for watched in group.members.values()]

    def next_time(self) -> float:
        """When the next look is due (s)."""
        return min(super().next_time(), min((group.wake for group in self._groups.values()), default=inf))

    def look(self) -> Notices:
        """Look at all watches that are due now; returns what is told."""
        told = super().look()
        now = self.world.field.now
        for group in self._groups.values():
            if group.wake <= now:
                self.looks += len(group.members)
                told += group.look()
                self.needed += group.seeing
        return told

    def changed(self, bodies: Iterable[int]) -> None:
        """Look on the next point of each raster."""
        bodies = list(bodies)
        self._wake_groups()
        if self.watches:
            super().changed(bodies)

    def jumped(self, bodies: Iterable[int]) -> None:
        """Look on the next point of each raster."""
        self._wake_groups()
        super().jumped(bodies)

    def relisted(self, bodies: Iterable[int]) -> None:
        """Look further ahead, where that is not done in arrays."""
        if self.watches:
            super().relisted(bodies)

    def _wake_groups(self) -> None:
        for group in self._groups.values():
            group.rouse()

    def _group(self, watched: Watched) -> Group | None:
        """Those with which it is looked at together, of which it may be the first; None: it is looked at alone."""
        kind = self._kind(watched)
        return None if kind is None else self._groups.setdefault(kind, Group(self.world, self._poses, kind[3]))

    def _kind(self, watched: Watched) -> Kind | None:
        """With which watches it is looked at together; None: with none."""
        kind = kind_of(watched)
        group = None if kind is None else self._groups.get(kind)
        member = None if group is None else group.members.get(watched.body)
        return kind if member is None or member is watched else None  # a robot may have two such sensors


class Group:
    """Watches of one kind, one per body.

    Args:
        world: that is watched
        poses: of all bodies
        raster: on which they are looked at

    Attributes:
        members: by body
        wake: when they are looked at next (s)
    """

    def __init__(self, world: World, poses: PoseArrays, raster: Raster) -> None:
        self.world = world
        self.raster = raster
        self.members: dict[int, Watched] = {}
        self.wake = inf
        self._poses = poses
        self._beams: dict[int, BeamsOutlook] = {}
        self._keys: dict[int, tuple[int, ...]] = {}
        """By body: by what the noise of its readings is drawn."""
        self._seeing: set[int] = set()
        """Bodies whose watch has told last that it sees something."""

    def add(self, watched: Watched) -> Notices:
        """Take a watch in, and look at once."""
        outlook, field = watched.outlook, self.world.field
        x, y, _ = field.pose(watched.body)
        answer = outlook.look([body for body in field.near(x, y, outlook.reach) if body != watched.body])
        self._take_in(watched)
        if not outlook.is_quiet(answer):
            self._seeing.add(watched.body)
        self.wake = self.raster.after(field.now)
        return [(watched.port, notice) for notice in watched.notices(answer)]

    def take_over(self, watched: Watched) -> None:
        """Take a watch in that another strategy has begun; it may have told that it sees something."""
        self._take_in(watched)
        self._seeing.add(watched.body)
        self.wake = self.raster.after(self.world.field.now)

    @property
    def seeing(self) -> int:
        """How many see something."""
        return len(self._seeing)

    def remove(self, watched: Watched) -> None:
        """Leave a watch out from now on."""
        del self.members[watched.body], self._beams[watched.body], self._keys[watched.body]
        self._seeing.discard(watched.body)

    def rouse(self) -> None:
        """Bodies are on other arcs now, or elsewhere."""
        if self.wake == inf:
            self.wake = self.raster.after(self.world.field.now)

    def look_out_anew(self) -> None:
        """The outlooks of the members are others now."""
        for watched in self.members.values():
            self._take_in(watched)

    def look(self) -> Notices:
        """Look at all, and tell what has changed."""
        told: Notices = []
        members = self.members
        first = next(iter(members.values()), None)
        if first is None:
            self.wake = inf
            return told
        seeing, distances = look_round(self.world.field, self._poses, self._beams[first.body], self._beams)
        before, self._seeing = self._seeing, set(seeing.tolist())
        bodies = sorted(members if first.every else before | self._seeing)
        rows = np.full((len(bodies), distances.shape[1]), inf)
        rows[np.searchsorted(bodies, seeing)] = distances
        for body, answer in zip(bodies, self._answers(bodies, rows, reader_of(first.outlook)), strict=True):
            watched = members[body]
            for notice in watched.notices(answer):
                told.append((watched.port, notice))
        arcs = self.world.field.bodies
        moves = first.every or bool(arcs.moving) or any(arcs.turn_rate)
        self.wake = self.raster.after(self.world.field.now) if moves else inf
        return told

    def _answers(self, bodies: list[int], rows: Floats, reader: Reader | None) -> Iterator[Distances | Readings]:
        """What members are told of distances."""
        if reader is None:
            return (Distances(body + 1, tuple(row)) for body, row in zip(bodies, rows.tolist(), strict=True))
        keys = np.array([self._keys[body] for body in bodies], np.uint64)
        values = reader.read_all(keys, rows, self.world.field.now)
        return (Readings(body + 1, tuple(row)) for body, row in zip(bodies, values.tolist(), strict=True))

    def _take_in(self, watched: Watched) -> None:
        beams, reader = beams_of(watched.outlook), reader_of(watched.outlook)
        assert beams is not None
        self.members[watched.body], self._beams[watched.body] = watched, beams
        self._keys[watched.body] = () if reader is None else reader.noise_keys(watched.robot)
