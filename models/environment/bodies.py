"""Where all bodies are, at every instant: the one owner of their poses and motions."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, nan, remainder, sin, tau

from devs_robotics import ModelError
from devs_robotics.models.environment.messages import BodyMotion
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.carried import Carried
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory
from devs_robotics.models.environment.traits import Traits

BENT = 1e-12
"""Least turn rate in the columns of a body that is on no arc (rad/s): nobody must take its way for a straight line."""


class Bodies:
    """Round bodies, each on an arc in closed form: at rest, straight on, on a circle, or rotating in place.

    A body may also follow any other trajectory, or be carried by another body. Then its columns hold its pose when
    that began, and bounds of its speed and its turn rate. A body that has left is nowhere: its pose is not a number,
    and its number is not used again.

    A pose is computed from the beginning of the motion, never step by step, so that looking more or less often changes
    nothing. The columns hold the arcs, by the body's number from 0.

    Attributes:
        start: when the arc began (s)
        x, y: where it began (m); of a body at rest, where it is
        heading: at its beginning (rad)
        speed: along the heading (m/s, negative: backward)
        turn_rate: of the heading (rad/s)
        radius: of the body (m)
        went: how far it had gone along its heading by then, less what it went backward (m)
        turned: how far it had turned by then, less what it turned clockwise (rad)
        moving: the bodies whose centre moves
        fastest: largest speed that any body has had (m/s)
        traits: what each body is
        paths: the trajectories of the bodies that are on no arc
        carrier: of each body that is carried, who carries it
        gone: the bodies that have left
        fresh: the bodies on another arc than when somebody last emptied this
        changes: how often a body has joined, or has been put on another arc
    """

    def __init__(self) -> None:
        self.start: list[float] = []
        self.x: list[float] = []
        self.y: list[float] = []
        self.heading: list[float] = []
        self.speed: list[float] = []
        self.turn_rate: list[float] = []
        self.radius: list[float] = []
        self.went: list[float] = []
        self.turned: list[float] = []
        self.moving: dict[int, None] = {}
        self.fastest = 0.0
        self.traits: list[Traits] = []
        self.paths: dict[int, Trajectory] = {}
        self.carrier: dict[int, int] = {}
        self.gone: dict[int, None] = {}
        self.fresh: set[int] = set()
        self.changes = 0
        self._offsets: dict[int, tuple[float, float, float]] = {}
        """Of each body that is carried: how far ahead and to the left of its carrier (m), and how it is turned."""
        self._cargo: dict[int, dict[int, None]] = {}
        """Of each body that carries some: which."""
        self._arcs: list[tuple[float, float, float, float, float, float, float, float]] = []
        """The same as the columns, with the cosine and the sine of the heading: one look is faster than eight."""

    def __len__(self) -> int:
        return len(self.x)

    def add(self, x: float, y: float, heading: float, radius: float, traits: Traits | None = None) -> int:
        """Add a body at rest; returns its number, from 0."""
        body = len(self.x)
        heading = remainder(heading, tau)
        columns = (self.start, self.x, self.y, self.heading, self.speed, self.turn_rate, self.radius)
        for column, value in zip(columns, (0.0, x, y, heading, 0.0, 0.0, radius), strict=True):
            column.append(value)
        self.went.append(0.0)
        self.turned.append(0.0)
        self._arcs.append((0.0, x, y, heading, 0.0, 0.0, cos(heading), sin(heading)))
        self.traits.append(Traits() if traits is None else traits)
        self.changes += 1
        return body

    def pose(self, body: int, time: float) -> Pose:
        """Where a body is at a time (s); its heading goes on past a full turn while it rotates."""
        start, x, y, heading, speed, rate, c, s = self._arcs[body]
        if rate == 0.0:
            if speed == 0.0:
                return x, y, heading
            gone = speed * (time - start)
            return x + gone * c, y + gone * s, heading
        if body in self.paths:
            return self.paths[body].pose(time)
        half = 0.5 * rate * (time - start)
        if speed == 0.0 or half == 0.0:
            return x, y, heading + 2.0 * half
        chord = speed * (time - start) * (sin(half) / half)
        middle = heading + half  # a chord has the heading of half its arc
        return x + chord * cos(middle), y + chord * sin(middle), middle + half

    def poses(self, time: float) -> list[Pose]:
        """Where all bodies are at a time (s), as `pose` says; what is carried by the same body is found together."""
        found: list[Pose] = []
        for body, (_, x, y, heading, speed, rate, _, _) in enumerate(self._arcs):
            if speed == 0.0 and rate == 0.0:
                found.append((x, y, heading))
                continue
            path, carrier = self.paths.get(body), self.carrier.get(body, body)
            if isinstance(path, Carried) and carrier < body and path.carrier is self.paths.get(carrier):
                found.append(path.on(*found[carrier]))
            else:
                found.append(self.pose(body, time))
        return found

    def travel(self, body: int, time: float) -> tuple[float, float]:
        """How far a body has gone along its heading (m), and turned (rad), less what it did the other way.

        Exact along arcs: a wheel beside its middle has rolled the first, and its distance from the middle times the
        second. Fixes of a tracking system are no travel.
        """
        start, _, _, _, speed, rate, _, _ = self._arcs[body]
        return self.went[body] + speed * (time - start), self.turned[body] + rate * (time - start)

    def row(self, body: int) -> tuple[float, ...]:
        """The columns of a body in a row: start, x, y, heading, speed, turn rate, cosine and sine of the heading."""
        return self._arcs[body]

    def arc(self, body: int) -> Arc:
        """The arc that a body is on, which follows no other trajectory."""
        return Arc(
            self.start[body],
            self.x[body],
            self.y[body],
            self.heading[body],
            self.speed[body],
            self.turn_rate[body],
        )

    def trajectory(self, body: int) -> Trajectory:
        """What a body moves on: an arc, or what it follows."""
        return self.paths.get(body) or self.arc(body)

    def go(self, body: int, time: float, speed: float, turn_rate: float) -> None:
        """Put a body on another arc, which begins where it is at a time (s).

        Args:
            speed: along its heading (m/s, negative: backward)
            turn_rate: of its heading (rad/s)
        """
        x, y, heading = self.pose(body, time)
        if body in self.paths:
            del self.paths[body]
        self._put(body, (time, x, y, heading, speed, turn_rate))

    def place(self, body: int, x: float, y: float, heading: float, time: float) -> None:
        """Let a body's arc go on from another pose, from a time (s) on; what it follows otherwise is over."""
        if body in self.paths:
            del self.paths[body]
            self.speed[body] = self.turn_rate[body] = 0.0
        self._put(body, (time, x, y, heading, self.speed[body], self.turn_rate[body]))

    def stand(self, body: int, x: float, y: float, heading: float, time: float) -> None:
        """Let a body stand elsewhere from a time (s) on that is at rest already, and neither carries nor is carried."""
        heading = remainder(heading, tau)
        self.start[body], self.x[body], self.y[body], self.heading[body] = time, x, y, heading
        self._arcs[body] = (time, x, y, heading, 0.0, 0.0, cos(heading), sin(heading))
        self.fresh.add(body)
        self.changes += 1

    def follow(self, body: int, trajectory: Trajectory, time: float) -> None:
        """Put a body on any trajectory, from a time (s) on, until something else replaces it.

        Where the trajectory is elsewhere then, the body jumps there.
        """
        if isinstance(trajectory, Arc):
            self.paths.pop(body, None)
            self._put(body, (time, *trajectory.pose(time), trajectory.speed, trajectory.turn_rate))
            return
        self.paths[body] = trajectory
        self._put(body, (time, *trajectory.pose(time), trajectory.fastest, max(BENT, trajectory.fastest_turn)))

    def carry(self, body: int, carrier: int, ahead: float, left: float, heading: float, time: float) -> None:
        """Let a body be carried by another one, from a time (s) on.

        Args:
            ahead, left: where it is on its carrier (m)
            heading: how it is turned there (rad)

        Raises:
            ModelError: the carrier would be carried by what it carries
        """
        if carrier in self.with_cargo((body,)):
            raise ModelError(
                f"body {carrier + 1} cannot carry body {body + 1}, by which it is carried itself, or which it is"
            )
        self._let_go(body)
        self.carrier[body], self._offsets[body] = carrier, (ahead, left, heading)
        self._cargo.setdefault(carrier, {})[body] = None
        self._take_along(body, time)

    def put_down(self, body: int, time: float) -> None:
        """Let a body that is carried rest where it is at a time (s)."""
        self._let_go(body)
        self.go(body, time, 0.0, 0.0)

    def leave(self, body: int, time: float) -> None:
        """Take a body out of the world, from a time (s) on; what it carries leaves with it."""
        for each in tuple(self._cargo.get(body, ())):
            self.leave(each, time)
        self._let_go(body)
        self.paths.pop(body, None)
        self.gone[body] = None
        self._put(body, (time, nan, nan, nan, 0.0, 0.0))

    def motion(self, body: int) -> BodyMotion:
        """How a body moves now."""
        trajectory = None if body in self.gone else self.trajectory(body)
        return BodyMotion(body + 1, trajectory, self.radius[body], self.traits[body].kind, body in self.carrier)

    def moves_itself(self, body: int) -> bool:
        """Whether a body can move of its own: it has not left, and is not carried."""
        return body not in self.carrier and body not in self.gone

    def with_cargo(self, bodies: Iterable[int]) -> list[int]:
        """These bodies, each followed by what it carries, and by what that carries in turn."""
        if not self._cargo:
            return list(bodies)
        found: dict[int, None] = {}
        for body in bodies:
            found[body] = None
            if body in self._cargo:
                found.update(dict.fromkeys(self.with_cargo(self._cargo[body])))
        return list(found)

    def _put(self, body: int, arc: tuple[float, float, float, float, float, float]) -> None:
        """Write the columns of a body, and take along what it carries."""
        time, x, y, heading, speed, turn_rate = arc
        heading = remainder(heading, tau) if heading == heading else nan
        self.went[body], self.turned[body] = self.travel(body, time)
        self.start[body], self.x[body], self.y[body], self.heading[body] = time, x, y, heading
        self.speed[body], self.turn_rate[body] = speed, turn_rate
        self._arcs[body] = (time, x, y, heading, speed, turn_rate, cos(heading), sin(heading))
        self.fresh.add(body)
        self.changes += 1
        if speed != 0.0:
            self.moving[body] = None
            self.fastest = max(self.fastest, abs(speed))
        else:
            self.moving.pop(body, None)
        if body in self._cargo:
            for each in self._cargo[body]:
                self._take_along(each, time)

    def _take_along(self, body: int, time: float) -> None:
        """Let a body that is carried move as its carrier does; at rest, it is on an arc like any other."""
        carrier = self.carrier[body]
        carried = Carried(self.trajectory(carrier), *self._offsets[body])
        if self.speed[carrier] == 0.0 and self.turn_rate[carrier] == 0.0:
            self.paths.pop(body, None)
            self._put(body, (time, *carried.pose(time), 0.0, 0.0))
        else:
            self.follow(body, carried, time)

    def _let_go(self, body: int) -> None:
        carrier = self.carrier.pop(body, None)
        if carrier is not None:
            del self._cargo[carrier][body], self._offsets[body]
            if not self._cargo[carrier]:
                del self._cargo[carrier]
