"""Where costs are measured: robots that rotate in place, in an arena for each sensor (section 4.3.1, figure 13)."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from devs_robotics import Activity, Atomic, Watch, Wheels
from devs_robotics.experimental_frames.epuck2.programs import (
    Reads,
    ReadsBattery,
    ReadsCamera,
    ReadsEncoders,
    ReadsGround,
    ReadsLight,
    ReadsProximity,
    ReadsTimeOfFlight,
    Step,
    Ticks,
    Watches,
    WatchesBattery,
)
from devs_robotics.experimental_frames.epuck2.published import SPEEDS_CM, TICK
from devs_robotics.experimental_frames.epuck2.rig import rig, robot_at
from devs_robotics.models.activities.epuck2 import (
    VirtualCamera,
    VirtualEncoders,
    VirtualGround,
    VirtualGroundWatch,
    VirtualLight,
    VirtualLightWatch,
    VirtualProximity,
    VirtualProximityWatch,
    VirtualTimeOfFlight,
    VirtualTimeOfFlightWatch,
)
from devs_robotics.models.batteries import AskCharge, Battery, DischargeName, shipped
from devs_robotics.models.environment import Floor, Lamp, Pose, Segment, Shape, Stripes, Thing
from devs_robotics.models.robots import CaseSystem

Mode: TypeAlias = Literal["none", "read", "changes", "level"]
"""A controller that reads nothing; that reads at every tick; a watch of each change; a watch of one level."""

WIDTH, HEIGHT = 4.0, 3.0
"""Of each arena (m)."""

COLUMNS, ROWS = 10, 5
"""In which fifty robots stand; where there are fewer, those in the middle."""

APART, BESIDE_WALLS = 0.2, 0.11
"""Between columns, and rows (m); between rows where walls stand between them, each 2 cm from the bodies."""

LAMP_PLACES = (-0.6, -0.2, 0.2, 0.6)
"""Of lamps, from the arena's middle along x (m); light has three, camera four, in two rows between robots."""

STRIPE = 0.01
"""Width of the stripes on the ground (m)."""

START = TICK / 2.0
"""When robots begin to rotate (s), so that their speeds never change at a tick."""

LEVELS = (0.5, 0.2)
"""Of batteries that are watched."""


class Part(Struct, frozen=True):
    """A sensor, and who reads it.

    Attributes:
        activity: makes what answers who asks
        reads: makes who does so
        watched: makes what tells by itself; None where there is no such thing
        level: that is watched
    """

    activity: Callable[[str], Activity]
    reads: type[Reads]
    watched: Callable[[str], Activity] | None = None
    level: float = 0.0


NOTHING_NEAR = "proximity, nothing near"
"""An arena that the paper does not have: the robots, and nothing that they could see."""

PARTS: dict[str, Part] = {
    "proximity": Part(VirtualProximity, ReadsProximity, VirtualProximityWatch, 1000.0),
    "light": Part(VirtualLight, ReadsLight, VirtualLightWatch, 3000.0),
    "ground": Part(VirtualGround, ReadsGround, VirtualGroundWatch, 512.0),
    "time of flight": Part(VirtualTimeOfFlight, ReadsTimeOfFlight, VirtualTimeOfFlightWatch, 500.0),
    "encoders": Part(VirtualEncoders, ReadsEncoders),
    "camera": Part(VirtualCamera, ReadsCamera),
    NOTHING_NEAR: Part(VirtualProximity, ReadsProximity, VirtualProximityWatch, 1000.0),
}
"""By the name of the arena, which is that of its sensor."""


def modes(sensor: str) -> tuple[Mode, ...]:
    """How it can be used."""
    return ("none", "read", "changes", "level") if PARTS[sensor].watched else ("none", "read")


def sensor_arena(sensor: str, mode: Mode, robots: int, seconds: float) -> CaseSystem:
    """Robots that rotate at each of the published speeds for so long, again and again.

    Args:
        sensor: name of the arena
        mode: how they use it
        robots: how many
        seconds: at each speed
    """
    part = PARTS[sensor]
    steps = [(seconds, _rotation(speed_cm)) for speed_cm in SPEEDS_CM]
    system = rig(WIDTH, HEIGHT, walls_of(sensor), things_of(sensor))
    for pose in poses(robots, _between_rows(sensor)):
        robot = robot_at(system, pose, steps, START)
        program: Atomic = Ticks("ticks", TICK)
        if mode == "read":
            robot.equip(part.activity("sensor"))
            program = part.reads("reads", TICK, keep=False)
        elif mode != "none":
            assert part.watched is not None
            robot.equip(part.watched("sensor"))
            program = Watches("watches", _watch(part, mode))
        robot.decide(program)
    return system


def battery_arena(model: DischargeName | None, mode: Mode, robots: int) -> CaseSystem:
    """Robots that rotate at another speed at every tick, from -15 to 15 cm/s and back by 0.1 cm/s (Table 6).

    Args:
        model: of their batteries; None: they have none
        mode: whether these are read or watched
        robots: how many
    """
    system = rig(WIDTH, HEIGHT)
    tenths = [*range(-150, 150), *range(150, -150, -1)]
    steps: list[Step] = [(TICK, _rotation(0.1 * each)) for each in tenths]
    for pose in poses(robots, APART):
        robot = robot_at(system, pose, steps, START)
        program: Atomic = Ticks("ticks", TICK)
        if model is not None:
            robot.equip(Battery("battery", shipped(model)))
        if model is not None and mode == "read":
            program = ReadsBattery("reads", TICK, keep=False)
        elif model is not None:
            program = WatchesBattery("watches", AskCharge(LEVELS))
        robot.decide(program)
    return system


def poses(robots: int, between_rows: float) -> list[Pose]:
    """Of so many robots: those nearest to the middle."""
    x, y = WIDTH / 2.0, HEIGHT / 2.0
    places: list[Any] = [
        (APART * (column - (COLUMNS - 1) / 2.0), between_rows * (row - (ROWS - 1) / 2.0))
        for column in range(COLUMNS)
        for row in range(ROWS)
    ]
    places.sort(key=lambda place: round(hypot(*place), 6))
    return [(x + dx, y + dy, 0.0) for dx, dy in places[:robots]]


def walls_of(sensor: str) -> list[Shape]:
    """Four walls alongside the robots, for what measures distances."""
    if not _has_walls(sensor):
        return []
    reach = APART * COLUMNS / 2.0
    x, y = WIDTH / 2.0, HEIGHT / 2.0
    heights = [y + BESIDE_WALLS * between for between in (-1.5, -0.5, 0.5, 1.5)]
    return [Segment(x - reach, height, x + reach, height) for height in heights]


def things_of(sensor: str) -> list[Thing]:
    """What there is to be seen: six lamps for light, eight for the camera, stripes on the ground."""
    if sensor == "ground":
        return [Floor((Stripes(STRIPE, (0.0, 0.25, 0.5, 0.75, 1.0)),))]
    if sensor not in ("light", "camera"):
        return []
    places = LAMP_PLACES if sensor == "camera" else (-0.6, 0.0, 0.6)
    return [Lamp(WIDTH / 2.0 + dx, HEIGHT / 2.0 + dy) for dx in places for dy in (-0.3, 0.3)]


def _watch(part: Part, mode: Mode) -> Watch:
    """Of each change, or of one level; either is told at the next tick."""
    return Watch((part.level,) if mode == "level" else (), TICK)


def _has_walls(sensor: str) -> bool:
    return sensor in ("proximity", "time of flight")


def _between_rows(sensor: str) -> float:
    return BESIDE_WALLS if _has_walls(sensor) else APART


def _rotation(speed_cm: float) -> Wheels:
    """Clockwise (cm/s)."""
    return Wheels(speed_cm / 100.0, -speed_cm / 100.0)
