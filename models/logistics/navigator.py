"""Navigator: goals of a decision model become motions of the omniwheels, which end when a collision is likely."""

from __future__ import annotations

from devs_robotics import Actuator, Atomic, Glide, Glided, In, Out
from devs_robotics.models.logistics.collision_map import SLOWLY
from devs_robotics.models.logistics.messages import CollisionWarning, Consider, Considered, Go, GoalEnded

FAR = 10.0
"""Where no distance is said, a way ends after that (m)."""


class Navigator(Atomic):
    """Carries goals out, the last one that came; each motion is a fastest one within the limits of the wheels.

    A goal with several directions, or one that is to be free, is first put to the collision map. A warning ends a goal,
    also one on which it goes slowly, as no direction was free: the robot brakes within its limits. So does a goal
    without a way, which one that stands has reached, and one whose way is not free though it is to be.

    =========  ============  ========================================  =============================================
    phase      time advance  output                                    next phase
    =========  ============  ========================================  =============================================
    resting    ∞                                                       telling, when a goal comes
    telling    0             consider; wheels: commands; went          resting, considering or gliding
    considering ∞                                                      telling, when the map has answered
    gliding    ∞                                                       telling, at the end, on a warning, or a goal
    =========  ============  ========================================  =============================================

    Ports:
        wheels: motions, and their ends
        goal: goals
        warning: whether a collision is likely
        considered: what the collision map says of directions
        consider: questions to it
        went: how a goal has ended, unless another one has taken its place
    """

    wheels = Actuator(Glide, Glided)
    goal = In(Go)
    warning = In(CollisionWarning)
    considered = In(Considered)
    consider = Out(Consider)
    went = Out(GoalEnded)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.initialize()

    def initialize(self) -> None:
        """Rest."""
        self._goal: Go | None = None
        self._under_way = 0
        """Number of commands to the wheels whose end has not been told."""
        self._ends_as = "arrived"
        """How the goal has ended, if nothing stands in the way, when all commands are over."""
        self._turned = 0.0
        """By how much the robot has turned since an end was told (rad)."""
        self._is_considering = False
        self._is_checked = True
        """Whether a warning ends the goal."""
        self._said: list[Consider | Glide | GoalEnded] = []
        self.passivate("resting")

    def deltext(self, e: float) -> None:
        """Take ends of motions, warnings, goals."""
        for glided in self.wheels.answer.values:
            self._under_way = max(0, self._under_way - 1)
            self._turned += glided.turn
            if self._under_way == 0 and self._goal is not None and not self._is_considering:
                self._end("blocked" if glided.blocked and self._ends_as == "arrived" else self._ends_as)
        for warning in self.warning.values:
            if warning.likely and self._goal is not None and self._is_checked and not self._is_considering:
                self._brake("warned")
        for considered in self.considered.values:
            if self._is_considering and self._goal is not None:
                self._is_considering = False
                self._set_out(self._goal, considered)
        for goal in self.goal.values:
            self._begin(goal)
        self._wait()

    def lambdaf(self) -> None:
        """Ask the map, command the wheels, tell ends."""
        for said in self._said:
            if isinstance(said, Consider):
                self.consider.add(said)
            elif isinstance(said, Glide):
                self.wheels.ask.add(said)
            else:
                self.went.add(said)

    def deltint(self) -> None:
        """Wait."""
        self._said.clear()
        self._wait()

    def _wait(self) -> None:
        if self._said:
            self.activate("telling")
        elif self._is_considering:
            self.passivate("considering")
        else:
            self.passivate("gliding" if self._under_way else "resting")

    def _begin(self, goal: Go) -> None:
        self._goal, self._ends_as = goal, "arrived"
        self._is_considering, self._is_checked = False, bool(goal.directions)
        if len(goal.directions) > 1 or goal.stay:
            self._is_considering = True
            self._said.append(Consider(goal.directions, goal.speed, goal.anywhere))
        elif goal.directions or goal.turn:
            direction = goal.directions[0] if goal.directions else 0.0
            way = goal.distance or (FAR if goal.directions and not goal.turn else 0.0)
            self._glide(Glide(direction, way, goal.turn, goal.speed))
        elif self._under_way:
            self._glide(Glide())
        else:
            self._end("arrived")

    def _set_out(self, goal: Go, considered: Considered) -> None:
        way = goal.distance or FAR
        if considered.free:
            self._glide(Glide(considered.direction, way, goal.turn, goal.speed))
        elif not goal.stay:
            self._glide(Glide(considered.direction, min(way, goal.short), goal.turn, min(goal.speed, SLOWLY)))
        elif self._under_way:
            self._ends_as = "warned"
            self._glide(Glide())
        else:
            self._end("warned")

    def _brake(self, how: str) -> None:
        if self._under_way and self._ends_as == "arrived":
            self._ends_as = how
            self._glide(Glide())

    def _glide(self, glide: Glide) -> None:
        self._under_way += 1
        self._said.append(glide)

    def _end(self, how: str) -> None:
        assert self._goal is not None
        self._said.append(GoalEnded(self._goal.number, how, self._turned))
        self._goal, self._turned = None, 0.0
