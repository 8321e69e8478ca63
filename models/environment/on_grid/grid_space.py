"""GridSpace: where everything is, at the points of a grid of times."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, ClassVar

import numpy as np

from devs_robotics import Exchange, ModelError, Port
from devs_robotics.core.population.population_model import exactly_until, late_until
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.ports import add_port
from devs_robotics.core.wiring import destinations
from devs_robotics.models.environment.instants import raster
from devs_robotics.models.environment.messages import Halted, PoseChange, TrajectoryChange, Twist
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.on_grid.answering import Addressees
from devs_robotics.models.environment.on_grid.arc_columns import ArcColumns, Floats, Numbers
from devs_robotics.models.environment.on_grid.beam_group import BeamGroup, GroupKind, kind_of_group
from devs_robotics.models.environment.on_grid.pairs_nearby import PairsNearby
from devs_robotics.models.environment.on_grid.questioners import Questioners, distances_of
from devs_robotics.models.environment.on_grid.sight import Near, WalledRectangle
from devs_robotics.models.environment.on_grid.stops import between, must_stop
from devs_robotics.models.environment.questions import Cast, Distances, Readings
from devs_robotics.models.environment.sensing import Noticed, Unwatch, Watching
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.world import World

FASTEST = 1000.0
"""Speed (m/s) and turn rate (rad/s) above which a velocity is refused as a mistake."""


class GridSpace(SpaceManager):
    """Keeps the poses of all robots, moves them, and answers their sensors, in arrays.

    Robots drive on arcs that begin at any time. At each point of the grid it looks, in one pass, who must stop so as
    not to touch anything before the next point (`must_stop`), and what watches read; nothing is told between. What a
    watch reads is equal, to the last bit, to what `SpaceManager` tells by any strategy, up to the first contact. What
    is asked between two points is answered at the second one, by what is there then.

    =========  ========================  ==============================  ==========================================
    phase      time advance              output                          next phase
    =========  ========================  ==============================  ==========================================
    passive    until the next point, if  none                            passive; answering, if something is to be
               anything moves                                            said
    answering  0                         pose_change, and the answers    passive
    =========  ========================  ==============================  ==========================================

    Its ports are those of `SpaceManager`. Velocities, and watches and questions of beams come through them; all else is
    refused. Poses are told where somebody is coupled, or `tells_poses` is set.

    Args:
        world: with round bodies, and walls or none
        period: of the grid (s)
        replica: of each body, in which of several equal worlds it is; None: there is one
    """

    looks_on_grid: ClassVar[bool] = True

    def __init__(self, name: str, world: World, period: float, replica: Sequence[int] | None = None) -> None:
        super().__init__(name, world)
        field = world.field
        if field.obstacles:
            raise ModelError(
                'sensing.strategy = "grid" knows walls and round robots, and the field has obstacles: take another one'
            )
        self.period = period
        self.tells_poses = False
        """Whether poses are told, and the field's bodies kept where they are, though nobody may be coupled."""
        self._raster = raster(period, 0.0)
        self._ground = WalledRectangle(field.width, field.height, field.walled)
        self._replica = None if replica is None else np.array(replica, np.int64)
        self._addressees: dict[tuple[type, str], Addressees] = {}
        self._groups: dict[GroupKind, BeamGroup] = {}
        self._questioners = Questioners()
        self._due = inf
        """When it wakes next (s), which may be before it looks."""
        self._set_up()

    def _set_up(self) -> None:
        """Take the bodies as they stand in the field."""
        field, bodies = self.field, self.field.bodies
        columns = zip(*(crowd.columns() for crowd in field.crowds), strict=True) if field.crowds else ((), (), (), ())
        x, y, heading, radius = (
            np.concatenate((np.array(first, np.float64), *more))
            for first, more in zip((bodies.x, bodies.y, bodies.heading, bodies.radius), columns, strict=True)
        )
        self.arcs = ArcColumns(x, y, heading, radius)
        self._wanted = np.zeros(len(x))
        self._stopped = np.zeros(len(x), bool)
        self._fastest = 0.0
        self._largest = float(radius.max()) if len(x) else 0.0
        self._neighbours = PairsNearby(self._replica)

    def initialize(self) -> None:
        """Find out who listens."""
        self._tells = self.tells_poses or self.tells_trajectories or bool(destinations(self.pose_change))
        self.passivate()

    def late_until(self, port: Port[Any]) -> float:
        """Up to when velocities may be told once for all times up to the next point (s)."""
        if self.tells_poses or self.tells_trajectories:
            return 0.0
        return late_until([self.pose_change])

    def after(self, now: float) -> float:
        """The first point of the grid after a time (s)."""
        return self._raster.after(now)

    def offer(self, answer: type, robot: int, sensor: str = "") -> Port[Any]:
        """The port on which a robot, or one of its pieces of equipment, is told such answers; it is made once."""
        hear = self._addressees.setdefault((answer, sensor), Addressees())
        if robot not in hear.single:
            name = f"{answer.__name__.lower()}{robot or ''}"
            port: Port[Any] = Port(answer, f"{name}_{sensor}" if sensor else name)
            add_port(self, port, "out")
            hear.single[robot] = port
        return hear.single[robot]

    def offer_rows(self, answer: type, robots: Sequence[int], sensor: str, name: str) -> Exchange[Rows, Rows]:
        """Two ports for many robots: one for what they ask, and one on which they are told such answers."""
        if self._rows is None:
            self._rows = Port(Rows, "rows")
            add_port(self, self._rows, "in")
        port: Port[Rows] = Port(Rows, name)
        add_port(self, port, "out")
        self._addressees.setdefault((answer, sensor), Addressees()).add_team(robots, port)
        return Exchange(self._rows, port)

    def speeds(self, body: int) -> tuple[float, float]:
        """How fast a body moves along its heading (m/s), and turns (rad/s)."""
        return float(self.arcs.speed[body]), float(self.arcs.rate[body])

    def deltext(self, e: float) -> None:
        """Let robots drive as they want to from now on, and begin and end watches."""
        self.field.now += e
        self._refuse()
        rows = [] if self._rows is None else list(self._rows.values)
        self._drive_all([each for each in rows if each.kind is Twist])
        self._watch_all([each for each in rows if each.kind not in (Twist, Cast)])
        self._ask_all([each for each in rows if each.kind is Cast])
        if self._next == inf:
            self._plan()
        self._go_on()

    def lambdaf(self) -> None:
        """Send all answers."""
        for port, answer in self._answers:
            port.add(answer)

    def deltint(self) -> None:
        """Wait, or look."""
        answered = bool(self._answers)
        self._answers.clear()
        if not answered:
            self.field.now = self._due
            if self._due == self._next:
                self._look()
                self._plan()
        self._go_on()

    def _go_on(self) -> None:
        if self._answers:
            self.activate("answering")
        else:
            self._due = exactly_until(self._next, self.field.now)
            self.hold_in("passive", self._due - self.field.now)

    def _plan(self) -> None:
        """When to look next: never, while nothing moves, nobody has asked, and no sensor has noise."""
        moves = self.arcs.speed.any() or self.arcs.rate.any() or self._stopped.any()
        noisy = any(group.every and group.anybody for group in self._groups.values())
        asked = bool(self._questioners)
        self._next = self._raster.after(self.field.now) if moves or noisy or asked else inf

    def _refuse(self) -> None:
        for port in (
            self.motion,
            self.counterpart,
            self.fix,
            self.disturbance,
            self.glide,
            self.body_change,
            self.action,
            self.question,
        ):
            for message in port.values:
                if isinstance(message, Cast) and not message.sensor:
                    continue
                raise ModelError(
                    'with sensing.strategy = "grid" robots drive with velocities and look along beams, and robot '
                    f"{message.robot} sends {type(message).__name__}: take another sensing.strategy, or, in place of "
                    "motions as a whole, kinds of robots with continuous=True"
                )

    def _drive_all(self, rows: list[Rows]) -> None:
        """Velocities of teams, in their order, and those of ordinary robots."""
        for each in rows:
            self._go(each.robots - 1, each.column("speed"), each.column("turn_rate"), each.at)
        wanted = {twist.robot: twist for twist in self.twist.values}
        if wanted:
            robots = sorted(wanted)
            bodies = np.array(robots, np.int64) - 1
            speed = np.array([wanted[robot].speed for robot in robots], np.float64)
            self._go(bodies, speed, np.array([wanted[robot].turn_rate for robot in robots], np.float64), None)

    def _go(self, bodies: Numbers, speed: Floats, rate: Floats, at: Floats | None) -> None:
        """Let bodies drive otherwise from now on, or each from a time of its own on."""
        if not bodies.size:
            return
        fastest = float(np.abs(speed).max())
        possible = fastest <= FASTEST and float(np.abs(rate).max()) <= FASTEST
        if not (possible and 0 <= bodies[0] <= bodies[-1] < len(self.arcs)):
            raise ModelError(
                f"some of robots {int(bodies[0]) + 1} to {int(bodies[-1]) + 1} are told to drive at {fastest!r} m/s: "
                f"there are {len(self.arcs)} robots, none faster than {FASTEST:g} m/s and {FASTEST:g} rad/s"
            )
        self._fastest = max(self._fastest, fastest)
        self._wanted[bodies] = speed
        speed = np.where(self._stopped[bodies], 0.0, speed)
        other = (speed != self.arcs.speed[bodies]) | (rate != self.arcs.rate[bodies])
        if not other.all():
            bodies, speed, rate, at = bodies[other], speed[other], rate[other], None if at is None else at[other]
        self.arcs.go(bodies, self.field.now if at is None else at, speed, rate)
        self._tell_changes(bodies)

    def _watch_all(self, rows: list[Rows]) -> None:
        beginning: dict[GroupKind, list[Numbers]] = {}
        for each in rows:
            if each.same is not None and isinstance(each.same, Watching):
                self._begin(each.same, each.robots - 1, beginning)
            else:
                for message in each.messages:
                    self._begin_or_end(message, beginning)
        for message in sorted(self.watch.values, key=lambda watch: watch.robot):
            self._begin_or_end(message, beginning)
        if beginning:
            poses, near = self._where()
            for kind, bodies in beginning.items():
                every = np.sort(np.concatenate(bodies))
                self._tell_group(self._groups[kind], poses, near, every)

    def _begin_or_end(self, message: Watching | Unwatch, beginning: dict[GroupKind, list[Numbers]]) -> None:
        body = np.array([message.robot - 1], np.int64)
        if isinstance(message, Watching):
            self._begin(message, body, beginning)
            return
        for group in self._groups.values():
            if group.sensor == message.sensor:
                group.end(body)

    def _begin(self, watching: Watching, bodies: Numbers, beginning: dict[GroupKind, list[Numbers]]) -> None:
        """Begin a watch of some robots, in the place of one of the same equipment."""
        radii = self.arcs.radius[bodies]
        for radius in np.unique(radii).tolist():
            some = bodies[radii == radius]
            kind = kind_of_group(watching, radius, self.period)
            for other, group in self._groups.items():
                if other != kind and group.sensor == kind[0]:
                    group.end(some)
            if self._replica is not None and watching.every:
                raise ModelError(
                    f"{watching.question.sensor or 'a watch'} has noise, which has other numbers where replicates are "
                    "together: let them run one by one"
                )
            if kind not in self._groups:
                self._groups[kind] = BeamGroup(watching, kind, len(self.arcs))
            self._groups[kind].begin(some)
            beginning.setdefault(kind, []).append(some)

    def _ask_all(self, rows: list[Rows]) -> None:
        """Questions of range sensors, which are answered at once at a point of the grid, and else at the next one."""
        self._questioners.take(
            rows, [each for each in self.question.values if isinstance(each, Cast)], self.arcs.radius
        )
        if self._questioners and self._raster.is_point(self.field.now):
            poses, near = self._where()
            self._tell_questioners(poses, near)

    def _tell_questioners(self, poses: tuple[Floats, Floats, Floats], near: Near) -> None:
        for bodies, values in self._questioners.answered(self._ground, poses, self.arcs.radius, near):
            self._say_all(
                Distances,
                Distances,
                "",
                bodies,
                {"values": values},
                lambda chosen, bodies=bodies, values=values: distances_of(bodies[chosen], values[chosen]),
            )

    def _where(self) -> tuple[tuple[Floats, Floats, Floats], Near]:
        """Poses now, and the pairs that matter to each other."""
        poses = self.arcs.poses(self.field.now)
        contact = 2.0 * (self._largest + self._fastest * self.period)
        seen = max([self._questioners.reach, *(group.reach for group in self._groups.values())])
        reach = max(contact, seen + self._largest)
        first, second = self._neighbours.pairs(self.field.now, poses[0], poses[1], reach, self._fastest)
        return poses, between(first, second, poses[0], poses[1], reach)

    def _look(self) -> None:
        """Stop and release robots, and tell what watches read anew."""
        poses, near = self._where()
        stopped = must_stop(self._ground, poses, self.arcs.radius, self._wanted, near, self.period, self._fastest)
        bodies = np.flatnonzero(stopped != self._stopped)
        if bodies.size:
            self._stopped = stopped
            speed = np.where(stopped[bodies], 0.0, self._wanted[bodies])
            other = bodies[speed != self.arcs.speed[bodies]]
            self.arcs.go(
                other, self.field.now, np.where(stopped[other], 0.0, self._wanted[other]), self.arcs.rate[other]
            )
            self._tell_changes(other)
            held = stopped[bodies]
            self._say_all(
                Halted, Halted, "", bodies, {"stopped": held}, lambda chosen: _halted(bodies[chosen], stopped)
            )
        for group in self._groups.values():
            if group.anybody:
                self._tell_group(group, poses, near, None)
        if self._questioners:
            self._tell_questioners(poses, near)

    def _tell_group(
        self, group: BeamGroup, poses: tuple[Floats, Floats, Floats], near: Near, beginning: Numbers | None
    ) -> None:
        bodies, values = group.look(self._ground, self.arcs, poses, near, self.field.now, beginning)

        def messages(chosen: Any) -> list[Noticed]:
            answers = group.messages(bodies[chosen], values[chosen])
            return [Noticed(answer.robot, answer) for answer in answers]

        if bodies.size:
            self._say_all(Noticed, Readings, group.sensor, bodies, {"values": values}, messages)

    def _say_all(self, answer: type, kind: type, sensor: str, bodies: Numbers, columns: Any, messages: Any) -> None:
        hear = self._addressees.get((answer, sensor))
        if hear is not None:
            self._answers += hear.say(kind, bodies, columns, messages)

    def _tell_changes(self, bodies: Numbers) -> None:
        """Where robots are on their new arcs, where somebody wants to know; the field's bodies are there then, too."""
        if not self._tells:
            return
        arcs, field = self.arcs, self.field
        columns = (arcs.x, arcs.y, arcs.heading, arcs.speed, arcs.rate, arcs.start)
        for body, *pose, speed, rate, start in zip(
            bodies.tolist(), *(column[bodies].tolist() for column in columns), strict=True
        ):
            x, y, heading = pose
            if body < len(field.bodies):
                field.go(body, speed, rate)
            self._answers.append((self.pose_change, PoseChange(body + 1, x, y, heading)))
            if self.tells_trajectories:
                told = TrajectoryChange(body + 1, Arc(start, x, y, heading, speed, rate))
                self._answers.append((self.trajectory_change, told))


def _halted(bodies: Numbers, stopped: Any) -> list[Halted]:
    return [Halted(body + 1, bool(stopped[body])) for body in bodies.tolist()]
