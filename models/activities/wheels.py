"""Two driven wheels: in the environment model, and of a real robot."""

from __future__ import annotations

from collections.abc import Hashable
from math import copysign, inf, isfinite
from typing import TYPE_CHECKING

from devs_robotics import Actuator, Asked, In, ModelError, Obstructed, Out, Rolled, Sensor, Service, Wheels
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.messages import ArcMotion, Halted, Twist
from devs_robotics.models.environment.questions import Probe, Room

if TYPE_CHECKING:
    from devs_robotics.core.population.rows import Rows

MARGIN = 0.002
"""Room that a real robot keeps ahead (m)."""

REACTION = 0.1
"""Time that a real robot goes on before it does what it is told (s)."""

AGAIN = 0.1
"""Time after which a robot that is held asks whether there is room (s)."""


class VirtualWheels(VirtualActivity):
    """A differential drive: constant speeds of the wheels are one arc, a straight line, or a rotation in place.

    Its states are those of a `VirtualActivity`.

    Ports:
        wheels: how fast the wheels are to roll, and whether something stands in the way, whenever that changes
        world: a velocity in the environment, and whether it stops the body

    Args:
        axle: distance between the wheels (m)
        fastest: largest speed of a wheel (m/s); a command beyond it is cut to it
    """

    wheels = Service(Wheels, Obstructed)
    world = Sensor(Twist, Halted)

    def __init__(self, name: str, axle: float, fastest: float) -> None:
        super().__init__(name)
        self.axle = axle
        self.fastest = fastest

    def ask(self, question: Wheels) -> Twist:
        """The velocity of the body's centre, and of its heading."""
        wheels = _possible(self.robot, question, self.fastest)
        return Twist(self.robot, (wheels.left + wheels.right) / 2.0, (wheels.right - wheels.left) / self.axle)

    def answer(self, answer: Halted) -> Obstructed:
        """Whether it is held."""
        return Obstructed(answer.stopped)

    def alike(self) -> Hashable:
        """Wheels of the same measures."""
        return type(self), self.axle, self.fastest

    def ask_rows(self, rows: Rows) -> Rows:
        """The velocities of many bodies, by the same operations."""
        import numpy as np  # slow to load, and small teams do without

        left, right = (np.asarray(rows.column(side), np.float64) for side in ("left", "right"))
        fastest = self.fastest
        if not np.isfinite(left + right).all():
            place = int(np.flatnonzero(~np.isfinite(left + right))[0])
            _possible(int(rows.robots[place]), Wheels(float(left[place]), float(right[place])), fastest)
        left, right = (np.maximum(-fastest, np.minimum(fastest, speeds)) for speeds in (left, right))
        columns = rows.robots, (left + right) / 2.0, (right - left) / self.axle
        return rows.instead(Twist, dict(zip(("robot", "speed", "turn_rate"), columns, strict=True)))

    def answer_rows(self, rows: Rows) -> Rows:
        """Which of them are held."""
        return rows.instead(Obstructed, {"obstructed": rows.column("stopped")})

    def hardware(self, *, both: bool = False) -> HardwareWheels:
        """A real robot's, of the same measures."""
        return HardwareWheels(self.name, self.axle, self.fastest)


class HardwareWheels(HardwareActivity):
    """The wheels of a real robot, with a guard: its counterpart in the environment goes where they have rolled.

    Where the environment, or the map that it is in real execution, has no room ahead, the robot only turns as its
    wheels differ, as a virtual one does that has run into something; and it goes on when there is room.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  ==========================================  =============================================
    state     time advance  output                                      next state
    ========  ============  ==========================================  =============================================
    waiting   ∞; `AGAIN`,                                               told, when speeds, or word of the robot or of
              while held                                                the map, have come; told, to ask the map again
    told      0             device: speeds; world and reported: where   waiting
                            it has gone; room: whether there is any;
                            wheels: whether something is in the way
    ========  ============  ==========================================  =============================================

    Ports, besides those of a `HardwareActivity`:
        wheels: how fast the wheels are to roll, and whether something stands in the way, whenever that changes
        rolled: how far they have rolled
        world: motions of the counterpart, which nothing stops
        room: whether there is room ahead, and the answer
        reported: the motions of the counterpart, for frames

    Args:
        axle: distance between the wheels (m)
        fastest: largest speed of a wheel (m/s); a command beyond it is cut to it

    Attributes:
        stopping: how far the robot still goes; so far, and `MARGIN` more, has to be free
    """

    rolled = In(Rolled)
    world = Actuator(ArcMotion, Halted)
    room = Sensor(Probe, Room)
    reported = Out(ArcMotion)

    robot: int = 0

    def __init__(self, name: str, axle: float, fastest: float) -> None:
        super().__init__(name, "wheels", Wheels, Obstructed)
        self.axle = axle
        self.fastest = fastest
        self.stopping = StoppingDistance(REACTION)
        self._wanted = Wheels()
        self._is_new = False
        """Whether the robot has still to be told what is wanted."""
        self._held = self._stalled = self._obstructed = False
        """Whether the map has no room ahead, whether the robot says that it is held, and what was told of both."""
        self._motions: list[ArcMotion] = []
        self._probe: Probe | None = None
        self._speeds: Wheels | None = None
        self._reports: list[Obstructed] = []

    def deltext(self, e: float) -> None:
        """Take speeds, what the robot tells, or what the map says."""
        for wheels in self._service.ask.values:
            self._wanted, self._is_new = _possible(self.robot, wheels, self.fastest), True
        for told in self.device.answer.values:
            if told.name == self.name and isinstance(told.answer, Obstructed):
                self._stalled = told.answer.obstructed
        for rolled in self.rolled.values:
            turn, distance = (rolled.right - rolled.left) / self.axle, (rolled.left + rolled.right) / 2.0
            self._motions.append(ArcMotion(self.robot, turn, distance))
        for room in self.room.answer.values:
            self._decide(room.way)
        if self._is_new or self._motions:
            self._look()
        self._wait()

    def lambdaf(self) -> None:
        """Pass on what has come."""
        for motion in self._motions:
            self.world.ask.add(motion)
            self.reported.add(motion)
        if self._probe is not None:
            self.room.ask.add(self._probe)
        if self._speeds is not None:
            self.device.ask.add(Asked(self.name, self._speeds))
        for report in self._reports:
            self._service.answer.add(report)

    def deltint(self) -> None:
        """Wait; a robot that is held asks again."""
        if self.sigma:
            self._look()
        else:
            self._probe = self._speeds = None
            self._motions.clear()
            self._reports.clear()
        self._wait()

    @property
    def _speed(self) -> float:
        """At which the robot is to go ahead (m/s, negative: backward)."""
        return (self._wanted.left + self._wanted.right) / 2.0

    def _look(self) -> None:
        """Ask the map for the room that a robot needs to stop; who stays on the spot needs none."""
        speed = self._speed
        if speed:
            ahead = copysign(MARGIN + self.stopping.of(speed), speed)
            self._probe = Probe(self.robot, 0.0, ahead, sensor=self.name)
        else:
            self._decide(inf)

    def _decide(self, way: float) -> None:
        """Drive, or only turn, by the room that there is (m; infinite: enough)."""
        held = way < inf
        if self._is_new or held != self._held:
            half = (self._wanted.right - self._wanted.left) / 2.0
            self._speeds = Wheels(-half, half) if held else self._wanted
        self._is_new, self._held = False, held

    def _wait(self) -> None:
        obstructed = self._held or self._stalled
        if obstructed != self._obstructed:
            self._obstructed = obstructed
            self._reports.append(Obstructed(obstructed))
        says = self._probe is not None or self._speeds is not None or self._motions or self._reports
        self.sigma = 0.0 if says else AGAIN if self._held else inf


def _possible(robot: int, wheels: Wheels, fastest: float) -> Wheels:
    """The speeds that wheels take up when they are told these.

    Raises:
        ModelError: they are no finite numbers
    """
    if -fastest <= wheels.left <= fastest and -fastest <= wheels.right <= fastest:
        return wheels
    if not isfinite(wheels.left + wheels.right):
        raise ModelError(f"robot {robot} is told to drive {wheels!r}: its decision model must send finite speeds")
    return Wheels(*(max(-fastest, min(fastest, speed)) for speed in (wheels.left, wheels.right)))
