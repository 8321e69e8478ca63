"""Explorer: looks for the destination by chance, and records where it has been (Pansuriya 2023, Algorithm 2)."""

from __future__ import annotations

from math import atan2, hypot, pi, remainder, tau

from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Sense, Sensor, Stream
from devs_robotics.models.activities import AskWays, OwnPose, Ways
from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.messages import Hold, Resume, Route, Visited


class Exploring(Struct, frozen=True):
    """How robots explore.

    Attributes:
        step: of a way ahead (m)
        spread: largest angle of a first draw from the heading (rad)
        widening: of that angle with each draw that fails (rad)
        sight: from so far the destination is seen (m)
        margin: how much further than a step the way must be free (m)
        beside: how much more room than the body needs there must be on either side (m)
        arrival: it is at the destination where it is so near (m)
        taken: or so near, where somebody else stands on it (m)
        rest: where no direction is free (s)
    """

    step: float = 1.0
    spread: float = 0.25
    widening: float = 0.05
    sight: float = 4.0
    margin: float = 0.2
    beside: float = 0.0
    arrival: float = 0.05
    taken: float = 0.5
    rest: float = 1.0


class Explorer(Atomic):
    """The lowest layer: it draws directions near its heading, and goes a step where the way is free.

    ==========  ============  =======================  ===============================================================
    phase       time advance  output                   next phase
    ==========  ============  =======================  ===============================================================
    locating    0             position: question       located; done
    located     ∞                                      looking, with a place to tell; arrived; done
    looking     0             visited: the place;      looked; done
                              sonar: question
    looked      ∞                                      moving, where the way is free; else looking; arrived; resting;
                                                       done
    resting     a rest                                 locating; done
    moving      0             motor: command           under way; done
    under way   ∞                                      locating; done
    arrived     0             visited: destination     done
    inhibited   0             motor: an empty command  held; done
    held        ∞                                      locating; done
    done        ∞
    ==========  ============  =======================  ===============================================================

    Each draw that fails widens the angle; where none is free in the full circle it rests, for others may leave. A way
    that is barred before the robot has moved, or turned, has failed, too: a sonar misses faces that it meets obliquely.

    A path leads to done, and a `Hold` from any phase to inhibited. Where it sees the destination it goes there, if the
    way is free, or towards it, as far as it is.

    Ports:
        motor: steps, and the reports of their ends
        position: where it is
        sonar: how far it is free in a direction
        held: the layer above wants the robot to stand
        resumed: it may move again
        route: there is a path
        visited: where it has come

    Args:
        stream: of random numbers, for directions
        destination: which it sees when it is near (m)
        how: it explores
    """

    motor = Actuator(Drive, Driven)
    position = Sensor(Sense, OwnPose)
    sonar = Sensor(AskWays, Ways)
    held = In(Hold)
    resumed = In(Resume)
    route = In(Route)
    visited = Out(Visited)

    def __init__(self, name: str, stream: Stream, destination: Point, how: Exploring) -> None:
        super().__init__(name)
        self.stream, self.destination, self.how = stream, destination, how
        self.bearing = 0.0
        self.way = 0.0
        """Direction in which it looks, from its heading (rad), and how far it wants to go there (m)."""
        self.sees = False
        """Whether it looks towards the destination."""
        self.failed = 0
        """Draws that have failed."""
        self.stuck = False
        """Whether the last way was barred at once, though the sonar had found it free."""
        self._here: Visited | None = None
        """What it has still to tell."""

    def initialize(self) -> None:
        """See where it is."""
        self.activate("locating")

    def lambdaf(self) -> None:
        """Ask, tell, or command."""
        if self.phase == "locating":
            self.position.ask.add(Sense())
        elif self.phase == "looking":
            if self._here is not None:
                self.visited.add(self._here)
            self.sonar.ask.add(AskWays((self.bearing,), self.how.beside))
        elif self.phase == "moving":
            self.motor.ask.add(Drive(self.bearing, self.way))
        elif self.phase == "arrived":
            self.visited.add(Visited(*self.destination, destination=True))
        elif self.phase == "inhibited":
            self.motor.ask.add(Drive())

    def deltint(self) -> None:
        """Wait for the answer, or for the end of the step."""
        self._here = None
        if self.phase == "resting":
            self.activate("locating")
        else:
            self.passivate(WAITING[self.phase])

    def deltext(self, e: float) -> None:
        """Decide by what has come; what comes at another time than it is asked for is let pass."""
        self.continuef(e)
        if self.route or self.phase == "done":
            self.passivate("done")
        elif self.held:
            self.activate("inhibited")
        elif self.resumed:
            self.activate("locating")
        elif self.phase == "located":
            for pose in self.position.answer.values:
                self._come(pose)
        elif self.phase == "looked":
            for ways in self.sonar.answer.values:
                self._see(ways.values[0])
        elif self.phase == "under way" and self.motor.answer:
            driven = list(self.motor.answer.values)[-1]
            self.stuck = driven.blocked and driven.turn == driven.distance == 0.0
            self.activate("locating")

    def _come(self, pose: OwnPose) -> None:
        """Record the place; look towards the destination, if it is near, or in a direction by chance."""
        dx, dy = self.destination[0] - pose.x, self.destination[1] - pose.y
        distance = hypot(dx, dy)
        if distance <= self.how.arrival:
            self.activate("arrived")
            return
        self._here = Visited(pose.x, pose.y)
        self.failed = self.failed + 1 if self.stuck else 0
        self.sees = distance <= self.how.sight and not self.stuck
        if self.sees:
            self.bearing, self.way = remainder(atan2(dy, dx) - pose.heading, tau), distance
            self.activate("looking")
        else:
            self._draw()

    def _see(self, way: float) -> None:
        """Go, or look in another direction."""
        how = self.how
        if way >= self.way + (0.0 if self.sees else how.margin):
            self.activate("moving")
        elif self.sees and self.way <= how.taken:
            self.activate("arrived")
        elif self.sees and way >= how.step + how.margin:
            self.way = how.step
            self.activate("moving")
        else:
            self.failed += not self.sees
            self.sees = False
            self._draw()

    def _draw(self) -> None:
        how = self.how
        if how.spread + self.failed * how.widening > pi + how.spread:
            self.stuck = False
            self.hold_in("resting", how.rest)
            return
        self.bearing = min(pi, how.spread + self.failed * how.widening) * self.stream.uniform()
        self.way = how.step
        self.activate("looking")


WAITING = {
    "locating": "located",
    "looking": "looked",
    "moving": "under way",
    "arrived": "done",
    "inhibited": "held",
}
"""The phase that follows when it has said what it says in another."""
