"""How fast a robot's wheels turn, from what its motor or its wheels are told."""

from __future__ import annotations

from math import inf

from devs_robotics import Activity, Asked, Drive, Driven, In, Out, Wheels
from devs_robotics.models.batteries.messages import WheelSpeed
from devs_robotics.models.environment.messages import Motion, Twist
from devs_robotics.models.environment.time_manager import Pace


class TurningWheels(Activity):
    """Equipment that follows a robot with two wheels through its motions: each rotates it, and then goes straight.

    While it rotates about its centre, both wheels turn at half the axle times the turn rate, in opposite directions. A
    motion that something stops takes its whole time, and its wheels turn on. A robot that is told speeds of its wheels
    keeps them until it is told others; wheels that something holds turn on, too.

    =======  ==================================  ===========  ==================================================
    phase    time advance                        output       next phase
    =======  ==================================  ===========  ==================================================
    steady   until the rotation of a motion      wheel_speed  telling, with a motion or at its end
             ends that goes on; else ∞
    telling  0                                   wheel_speed  steady
    =======  ==================================  ===========  ==================================================

    Ports:
        motion: a motion that begins now in the environment; one that is under way is given up
        command: the same of a real robot
        twist: a velocity that the body keeps from now on, which says how fast its wheels turn
        asked: speeds of the wheels of a real robot
        driven: the report that all motions have ended
        wheel_speed: after each change

    Args:
        pace: of the motor
        axle: distance between the wheels (m)
    """

    motion = In(Motion)
    command = In(Drive)
    twist = In(Twist)
    asked = In(Asked)
    driven = In(Driven)
    wheel_speed = Out(WheelSpeed)

    def __init__(self, name: str, pace: Pace, axle: float) -> None:
        super().__init__(name)
        self.pace = pace
        self.axle = axle
        self._speed = 0.0
        self._told = 0.0
        self._rotating = inf
        """How long the rotation lasts of a motion that then goes on (s); each input begins another one, or ends it."""

    def initialize(self) -> None:
        """The robot is at rest."""
        self.passivate("steady")

    def deltext(self, e: float) -> None:
        """Follow a motion from its beginning, or to its end."""
        if self.driven:
            self._speed, self._rotating = 0.0, inf
        for motion in self.motion.values:
            self._begin(motion.turn, motion.distance)
        for command in self.command.values:
            self._begin(command.turn, command.distance)
        for twist in self.twist.values:
            apart = 0.5 * self.axle * twist.turn_rate
            self._keep(twist.speed - apart, twist.speed + apart)
        for asked in self.asked.values:
            if isinstance(asked.question, Wheels):
                self._keep(asked.question.left, asked.question.right)
        if self._speed != self._told:
            self.activate("telling")
        else:
            self.hold_in("steady", self._rotating)

    def lambdaf(self) -> None:
        """Tell the speed."""
        self.wheel_speed.add(WheelSpeed(self._speed if self.phase == "telling" else self.pace.speed))

    def deltint(self) -> None:
        """Go straight, or keep the speed."""
        if self.phase == "steady":
            self._speed, self._rotating = self.pace.speed, inf
        self._told = self._speed
        self.hold_in("steady", self._rotating)

    def _keep(self, left: float, right: float) -> None:
        """These speeds, until others come."""
        self._speed, self._rotating = 0.5 * (abs(left) + abs(right)), inf

    def _begin(self, turn: float, distance: float) -> None:
        self._rotating = inf
        if turn:
            self._speed = 0.5 * self.axle * self.pace.turn_rate
            if distance:
                self._rotating = abs(turn) / self.pace.turn_rate
        else:
            self._speed = self.pace.speed if distance else 0.0
