"""The sensors and actuators of a robot, as one set that can be exchanged for another."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import Coupled, Device, Exchange, Motor, RangeSensor, Whiskers, equip
from devs_robotics.models.activities import (
    ContinuousMotor,
    Follows,
    Guard,
    HardwareMotor,
    LoopInfrared,
    LoopMotor,
    VirtualInfrared,
    VirtualMotor,
    VirtualWhiskers,
)
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.environment.time_manager import Pace


class Equipment(Struct, frozen=True):
    """The activities of one robot, of whichever kind.

    Attributes:
        motor: two services, for the layer below and the layer above
        infrared: range sensors; those of a real robot are its device, unless it is to see what is modelled too
        whiskers: contact sensors; those of a real robot are its device
        worlds: what has to be coupled outside the robot, by the environment's name for it
        device: the real robot, if it is one
        guard: between its motor and the device, if it has one
        own: names of the equipment of the robot's own that is real, if it has any
        stopping: how far the real robot goes when its host dies, where that is known
    """

    motor: Motor
    infrared: RangeSensor | Device
    whiskers: Whiskers | Device
    worlds: dict[str, Exchange[Any, Any]]
    device: Device | None = None
    guard: Guard | None = None
    own: tuple[str, ...] = ()
    stopping: StoppingDistance | None = None

    def continuous(self, robot: int, pace: Pace) -> Equipment:
        """The same, with a virtual motor whose robot is on its way at every instant; a real one is anyway."""
        if not isinstance(self.motor, VirtualMotor):
            return self
        motor = ContinuousMotor(self.motor.name, robot, pace)
        worlds = {name: each for name, each in self.worlds.items() if each is not self.motor.world}
        return replace(self, motor=motor, worlds={"velocity": motor.world, **worlds})

    def install(self, robot: Coupled) -> None:
        """Make the activities components of a robot, and couple with each other those that belong together."""
        parts = (self.motor, self.infrared, self.whiskers, self.guard, self.device)
        for part in dict.fromkeys(part for part in parts if part is not None):
            robot.add_component(part)
        if isinstance(self.motor, HardwareMotor) and self.device is not None:
            if self.guard is None:
                equip(robot, self.motor.device, self.device.motor)
            else:
                equip(robot, self.motor.device, self.guard.motor)
                equip(robot, self.guard.device, self.device.motor)
        if isinstance(self.infrared, LoopInfrared) and self.device is not None:
            equip(robot, self.infrared.device, self.device.ranging)


class Optics(Struct, frozen=True):
    """What a robot's infrared sensors can do.

    Attributes:
        bearings: of the beams, from left to right (rad)
        reach: how far they see (m)
        resolution: of their readings (m)
    """

    bearings: tuple[float, ...]
    reach: float
    resolution: float


MotorKind = Literal["virtual", "loop", "real"]
InfraredKind = Literal["virtual", "both", "real"]
SensorKind = Literal["virtual", "real"]


class Kinds(Struct, frozen=True):
    """Which activities a robot has, and which motion its counterpart follows.

    Attributes:
        own: names of the equipment of its own that is real; the rest of it is virtual
    """

    motor: MotorKind = "virtual"
    infrared: InfraredKind = "virtual"
    whiskers: SensorKind = "virtual"
    follows: Follows = "reported"
    own: tuple[str, ...] = ()


def virtual_equipment(robot: int, optics: Optics) -> Equipment:
    """Activities that are answered by the environment model."""
    return equipment(robot, optics, Kinds(), None)


def equipment(
    robot: int,
    optics: Optics,
    kinds: Kinds,
    device: Device | None,
    stopping: StoppingDistance | None = None,
    speed: float = 0.0,
) -> Equipment:
    """Activities of the kinds that are asked for.

    Args:
        robot: number of the robot
        optics: of the virtual infrared sensors
        kinds: virtual, in the loop or real
        device: what speaks with the real robot, where anything is real
        stopping: how far the real robot goes when its host dies; None: its moves end by themselves
        speed: of its moves (m/s)
    """
    worlds: dict[str, Exchange[Any, Any]] = {}
    guard = None
    motor: Motor
    if kinds.motor == "virtual" or device is None:
        motor = VirtualMotor("motor", robot)
        worlds["motor"] = motor.world
    else:
        motor = (LoopMotor if kinds.motor == "loop" else HardwareMotor)("motor", robot, kinds.follows)
        guard = Guard("guard", robot, 0.0 if stopping is None else stopping.of(speed))
        worlds["counterpart"] = motor.world
        worlds["room"] = guard.room
    infrared: RangeSensor | Device
    if kinds.infrared == "real" and device is not None:
        infrared = device
    else:
        seeing = LoopInfrared if kinds.infrared == "both" and device is not None else VirtualInfrared
        infrared = seeing("infrared", robot, optics.bearings, optics.reach, optics.resolution)
        worlds["ranging"] = infrared.world
    whiskers: Whiskers | Device
    if kinds.whiskers == "virtual" or device is None:
        whiskers = VirtualWhiskers("whiskers", robot)
        worlds["whiskers"] = whiskers.world
    else:
        whiskers = device
    return Equipment(motor, infrared, whiskers, worlds, device, guard, kinds.own, stopping)
