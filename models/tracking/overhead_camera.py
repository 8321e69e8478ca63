"""A camera above the field as a model, for stages in which there is none: fixes that are rare, late and inexact."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import inf, pi, remainder
from statistics import NormalDist

from devs_robotics import Atomic, Fix, ModelError, Out, Port, Sensor, Stream, TrackChange
from devs_robotics.core.ports import add_port
from devs_robotics.core.robots.fix_quality import FixQuality
from devs_robotics.core.robots.track_gate import LOST, TrackGate
from devs_robotics.models.environment.questions import Locate, Whereabouts

USUAL = FixQuality()
NORMAL = NormalDist()
LEAST = 2.0**-54
"""In place of the probability 0, whose quantile is infinite."""


class OverheadCamera(Atomic):
    """Sees where bodies are, period by period, and says so later, as `hil.tracking.Tracker` does for a real one.

    It asks the environment at the instant of each exposure, so that bodies that drive by velocities or follow
    trajectories are seen where they are; those that make motions as a whole are seen where they stood at their last
    one's end. Frames are handled one after the other: no fix overtakes another.

    ========  ============================================  =======================  ==============
    phase     time advance                                  output                   next phase
    ========  ============================================  =======================  ==============
    watching  until the next exposure, or until a frame     world_ask; fix and       watching
              has been handled, or until a robot is lost    fix_of...; track
    ========  ============================================  =======================  ==============

    Its noise has streams of their own for each body, and a stream for the delays, so that a body more changes nothing
    of what is seen of the others.

    Ports:
        world: asks the environment where bodies are; `CaseSystem.add` couples it
        fix: all fixes
        track: which robots are lost, and found again

    Args:
        bodies: numbers of those that carry a marker; or, by these, the numbers of the bodies that their fixes are of,
            where a counterpart is to follow another body
        quality: of the fixes
        seed: of the run
        lost: time without a fix after which a robot is lost (s); infinite: never

    Attributes:
        fix_of: a port for the fixes of each body that fixes are of, by its number

    Raises:
        ModelError: no body is to be seen, or two have fixes of one
    """

    world = Sensor(Locate, Whereabouts)
    fix = Out(Fix)
    track = Out(TrackChange)

    def __init__(
        self,
        name: str,
        bodies: Iterable[int] | Mapping[int, int],
        quality: FixQuality = USUAL,
        seed: int = 1,
        lost: float = LOST,
    ) -> None:
        super().__init__(name)
        self.known_as = dict(bodies) if isinstance(bodies, Mapping) else {body: body for body in bodies}
        if not self.known_as or len(set(self.known_as.values())) < len(self.known_as):
            raise ModelError(
                f"camera {name!r}: name one or more bodies, each with fixes of its own, not {self.known_as}"
            )
        self.quality = quality
        self.fix_of: dict[int, Port[Fix]] = {
            body: Port(Fix, f"fix_of_robot{body}") for body in sorted(self.known_as.values())
        }
        for port in self.fix_of.values():
            add_port(self, port, "out")
        self._gate = TrackGate(dict.fromkeys(self.fix_of, inf), lost)
        self._noise = {body: Stream(seed, body, "overhead camera") for body in sorted(self.known_as)}
        self._delays = Stream(seed, 0, "overhead camera's delays")
        self._time = 0.0
        self._frames = 0
        """How many have been exposed."""
        self._handled: deque[tuple[float, list[Fix]]] = deque()
        """Times at which frames have been handled (s), ascending, and what they show."""

    def initialize(self) -> None:
        """Expose the first frame at once."""
        self._wait()

    def lambdaf(self) -> None:
        """Ask for what is to be seen, tell what was seen, and who is lost."""
        now = self._due
        if self._next_exposure <= now:
            self.world.ask.add(Locate(0, sensor=self.name, bodies=tuple(sorted(self.known_as))))
        for due, fixes in self._handled:
            if due > now:
                break
            for fix in fixes:
                self.fix.add(fix)
                self.fix_of[fix.robot].add(fix)
        for change in self._changes(now):
            self.track.add(change)

    def deltint(self) -> None:
        """Wait for what comes next."""
        self._time = self._due
        if self._next_exposure <= self._time:
            self._frames += 1
        while self._handled and self._handled[0][0] <= self._time:
            for fix in self._handled.popleft()[1]:
                self._gate.judge(fix, self._time)
                self._gate.found(fix.robot)
        self._gate.lose(self._time)
        self._wait()

    def deltext(self, e: float) -> None:
        """Take what the frame shows that was just exposed."""
        self._time += e
        for located in self.world.answer.values:
            last = self._handled[-1][0] if self._handled else 0.0
            delay = self.quality.delay + self.quality.jitter * self._share(self._delays)
            fixes = [fix for pose in located.poses if (fix := self._seen(*pose)) is not None]
            self._handled.append((max(last, self._time + delay), fixes))
        self._wait()

    # inside

    def _seen(self, body: int, x: float, y: float, heading: float) -> Fix | None:
        stream, quality = self._noise[body], self.quality
        missed = self._share(stream) < quality.missed
        right = quality.sigma_x * self._normal(stream)
        up = quality.sigma_y * self._normal(stream)
        turned = quality.sigma_heading * self._normal(stream)
        if missed:
            return None
        return Fix(self.known_as[body], x + right, y + up, remainder(heading + turned, 2.0 * pi), self._time)

    def _changes(self, now: float) -> list[TrackChange]:
        """Who is found or lost at the next internal event; nothing is changed by asking."""
        seen = {fix.robot for due, fixes in self._handled if due <= now for fix in fixes}
        found = [TrackChange(robot, True) for robot in sorted(seen & self._gate.unsure)]
        return found + [change for change in self._gate.losing(now) if change.robot not in seen]

    @property
    def _next_exposure(self) -> float:
        return self._frames * self.quality.period

    @property
    def _due(self) -> float:
        """When the next internal event is."""
        handled = self._handled[0][0] if self._handled else inf
        return min(self._next_exposure, handled, self._gate.next_loss)

    def _wait(self) -> None:
        self.hold_in("watching", max(0.0, self._due - self._time))

    @staticmethod
    def _share(stream: Stream) -> float:
        return 0.5 * (stream.uniform() + 1.0)

    @classmethod
    def _normal(cls, stream: Stream) -> float:
        return NORMAL.inv_cdf(max(LEAST, cls._share(stream)))
