"""Where all bodies are, at every instant: the one owner of their poses and motions."""

from __future__ import annotations

from math import cos, remainder, sin, tau

from devs_robotics.models.environment.motion.arc import Arc

Pose = tuple[float, float, float]
"""x (m), y (m), heading (rad)."""


class Bodies:
    """Round bodies, each on an arc in closed form: at rest, straight on, on a circle, or rotating in place.

    A pose is computed from the beginning of the arc, never step by step, so that looking more or less often changes
    nothing. The columns hold the arcs, by the body's number from 0.

    Attributes:
        start: when the arc began (s)
        x, y: where it began (m); of a body at rest, where it is
        heading: at its beginning (rad)
        speed: along the heading (m/s, negative: backward)
        turn_rate: of the heading (rad/s)
        radius: of the body (m)
        gone: how far it had gone along its heading by then, less what it went backward (m)
        turned: how far it had turned by then, less what it turned clockwise (rad)
        moving: the bodies whose centre moves
        fastest: largest speed that any body has had (m/s)
    """

    def __init__(self) -> None:
        self.start: list[float] = []
        self.x: list[float] = []
        self.y: list[float] = []
        self.heading: list[float] = []
        self.speed: list[float] = []
        self.turn_rate: list[float] = []
        self.radius: list[float] = []
        self.gone: list[float] = []
        self.turned: list[float] = []
        self.moving: dict[int, None] = {}
        self.fastest = 0.0
        self._arcs: list[tuple[float, float, float, float, float, float, float, float]] = []
        """The same as the columns, with the cosine and the sine of the heading: one look is faster than eight."""

    def __len__(self) -> int:
        return len(self.x)

    def add(self, x: float, y: float, heading: float, radius: float) -> int:
        """Add a body at rest; returns its number, from 0."""
        body = len(self.x)
        heading = remainder(heading, tau)
        columns = (self.start, self.x, self.y, self.heading, self.speed, self.turn_rate, self.radius)
        for column, value in zip(columns, (0.0, x, y, heading, 0.0, 0.0, radius), strict=True):
            column.append(value)
        self.gone.append(0.0)
        self.turned.append(0.0)
        self._arcs.append((0.0, x, y, heading, 0.0, 0.0, cos(heading), sin(heading)))
        return body

    def pose(self, body: int, time: float) -> Pose:
        """Where a body is at a time (s); its heading goes on past a full turn while it rotates."""
        start, x, y, heading, speed, rate, c, s = self._arcs[body]
        if rate == 0.0:
            if speed == 0.0:
                return x, y, heading
            gone = speed * (time - start)
            return x + gone * c, y + gone * s, heading
        half = 0.5 * rate * (time - start)
        if speed == 0.0 or half == 0.0:
            return x, y, heading + 2.0 * half
        chord = speed * (time - start) * (sin(half) / half)
        middle = heading + half  # a chord has the heading of half its arc
        return x + chord * cos(middle), y + chord * sin(middle), middle + half

    def travel(self, body: int, time: float) -> tuple[float, float]:
        """How far a body has gone along its heading (m), and turned (rad), less what it did the other way.

        Exact along arcs: a wheel beside its middle has rolled the first, and its distance from the middle times the
        second. Fixes of a tracking system are no travel.
        """
        start, _, _, _, speed, rate, _, _ = self._arcs[body]
        return self.gone[body] + speed * (time - start), self.turned[body] + rate * (time - start)

    def roll(self, body: int, gone: float, turned: float) -> None:
        """Count a motion that was made at once as travel."""
        self.gone[body] += gone
        self.turned[body] += turned

    def row(self, body: int) -> tuple[float, ...]:
        """The arc of a body as a row of numbers: start, x, y, heading, speed, turn rate, cosine and sine of heading."""
        return self._arcs[body]

    def arc(self, body: int) -> Arc:
        """The arc that a body is on."""
        return Arc(
            self.start[body],
            self.x[body],
            self.y[body],
            self.heading[body],
            self.speed[body],
            self.turn_rate[body],
        )

    def go(self, body: int, time: float, speed: float, turn_rate: float) -> None:
        """Put a body on another arc, which begins where it is at a time (s).

        Args:
            speed: along its heading (m/s, negative: backward)
            turn_rate: of its heading (rad/s)
        """
        x, y, heading = self.pose(body, time)
        self.speed[body], self.turn_rate[body] = speed, turn_rate
        self.place(body, x, y, heading, time)
        if speed != 0.0:
            self.moving[body] = None
            self.fastest = max(self.fastest, abs(speed))
        else:
            self.moving.pop(body, None)

    def place(self, body: int, x: float, y: float, heading: float, time: float) -> None:
        """Let a body's arc go on from another pose, from a time (s) on."""
        heading = remainder(heading, tau)
        self.gone[body], self.turned[body] = self.travel(body, time)
        self.start[body], self.x[body], self.y[body], self.heading[body] = time, x, y, heading
        self._arcs[body] = (
            time,
            x,
            y,
            heading,
            self.speed[body],
            self.turn_rate[body],
            cos(heading),
            sin(heading),
        )
