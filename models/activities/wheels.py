"""Two driven wheels: in the environment model, and of a real robot."""

from __future__ import annotations

from math import isfinite

from devs_robotics import Actuator, Asked, In, ModelError, Obstructed, Out, Rolled, Sensor, Service, Wheels
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.messages import ArcMotion, Stopped, Twist


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
    world = Sensor(Twist, Stopped)

    def __init__(self, name: str, axle: float, fastest: float) -> None:
        super().__init__(name)
        self.axle = axle
        self.fastest = fastest

    def ask(self, question: Wheels) -> Twist:
        """The velocity of the body's centre, and of its heading."""
        wheels = _possible(self.robot, question, self.fastest)
        return Twist(self.robot, (wheels.left + wheels.right) / 2.0, (wheels.right - wheels.left) / self.axle)

    def answer(self, answer: Stopped) -> Obstructed:
        """Whether it is held."""
        return Obstructed(answer.stopped)

    def hardware(self, *, both: bool = False) -> HardwareWheels:
        """A real robot's, of the same measures."""
        return HardwareWheels(self.name, self.axle, self.fastest)


class HardwareWheels(HardwareActivity):
    """The wheels of a real robot, whose counterpart in the environment goes where they have rolled.

    What it tells the environment goes out at once; otherwise its states are those
    of a `HardwareActivity`.

    Ports, besides those of a `HardwareActivity`:
        wheels: how fast the wheels are to roll, and whether something stands in the way, whenever that changes
        rolled: how far they have rolled
        world: motions of the counterpart, which nothing stops
        reported: the same, for frames

    Args:
        axle: distance between the wheels (m)
        fastest: largest speed of a wheel (m/s); a command beyond it is cut to it
    """

    rolled = In(Rolled)
    world = Actuator(ArcMotion, Stopped)
    reported = Out(ArcMotion)

    robot: int = 0

    def __init__(self, name: str, axle: float, fastest: float) -> None:
        super().__init__(name, "wheels", Wheels, Obstructed)
        self.axle = axle
        self.fastest = fastest
        self._motions: list[ArcMotion] = []

    def ask(self, question: Wheels) -> Asked:
        """The speeds, with the name of the equipment."""
        return Asked(self.name, _possible(self.robot, question, self.fastest))

    def deltext(self, e: float) -> None:
        """Take speeds, or what the robot tells."""
        super().deltext(e)
        for rolled in self.rolled.values:
            turn, distance = (rolled.right - rolled.left) / self.axle, (rolled.left + rolled.right) / 2.0
            self._motions.append(ArcMotion(self.robot, turn, distance))
        if self._motions:
            self.sigma = 0.0

    def lambdaf(self) -> None:
        """Pass on what has come."""
        super().lambdaf()
        for motion in self._motions:
            self.world.ask.add(motion)
            self.reported.add(motion)

    def deltint(self) -> None:
        """Wait."""
        self._motions.clear()
        super().deltint()


def _possible(robot: int, wheels: Wheels, fastest: float) -> Wheels:
    """The speeds that wheels take up when they are told these.

    Raises:
        ModelError: they are no finite numbers
    """
    if not isfinite(wheels.left + wheels.right):
        raise ModelError(f"robot {robot} is told to drive {wheels!r}: its decision model must send finite speeds")
    return Wheels(*(max(-fastest, min(fastest, speed)) for speed in (wheels.left, wheels.right)))
