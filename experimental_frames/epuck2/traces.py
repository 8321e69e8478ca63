"""What sensors read, tick by tick, of robots in the environment model: figures 4 to 9."""

from __future__ import annotations

from math import cos, inf, pi, radians, sin, tan, tau

from msgspec import Struct

from devs_robotics.core.robots.epuck2.body import RADIUS
from devs_robotics.core.robots.epuck2.camera import AHEAD
from devs_robotics.core.robots.epuck2.messages import Blob, LedState
from devs_robotics.core.robots.epuck2.responses import ResponseName
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.experimental_frames.epuck2.programs import (
    Reads,
    ReadsCamera,
    ReadsEncoders,
    ReadsGround,
    ReadsLight,
    ReadsProximity,
    ReadsTimeOfFlight,
)
from devs_robotics.experimental_frames.epuck2.published import OBSTACLE, TICK
from devs_robotics.experimental_frames.epuck2.rig import go, in_place, rig, robot_at, straight
from devs_robotics.experimental_frames.epuck2.shining import Shines
from devs_robotics.models.activities.epuck2 import (
    VirtualCamera,
    VirtualEncoders,
    VirtualGround,
    VirtualLeds,
    VirtualLight,
    VirtualProximity,
    VirtualTimeOfFlight,
)
from devs_robotics.models.environment import Floor, Lamp, Pose, Sectors, Stripes, box

RESPONSES_SHOWN: tuple[ResponseName, ...] = ("paper", "e-puck", "webots", "inverse-square")

INTENSITIES = (1.0, 2.0, 3.0, 4.0)
"""Of lamps in figure 5; the text does not say which theirs had."""

DRIVEN_CM = (2.0, 4.0, 6.0, 8.0, 10.0, 12.0)
"""Speeds in figures 7 and 8 (cm/s); the text does not say which six theirs were."""

GREYS = (1.0, 0.75, 0.5, 0.25, 0.0, 0.25, 0.5, 0.75)
"""Of stripes and sectors, one after the other."""

STRIPE = 0.05
"""Width of a stripe (m)."""

CROSSING = 0.05
"""Speed over the stripes (m/s)."""

TURNING = tau / 36.0
"""Rate of robots that rotate in place (rad/s): ten degrees per second."""

WALL_GAP = 0.01
"""Between the body and each of the four walls in which a robot rotates (m)."""

FAR = 9.6
"""How far a robot goes whose counters wrap (m)."""


class ReadingsTable(Struct, frozen=True):
    """Readings as columns of one table.

    Attributes:
        name: of its file
        columns: by their heads; all as long
    """

    name: str
    columns: dict[str, tuple[float, ...]]

    def __getitem__(self, head: str) -> tuple[float, ...]:
        return self.columns[head]

    def csv(self) -> str:
        """The table as a text."""
        rows = zip(*self.columns.values(), strict=True)
        return "\n".join([",".join(self.columns), *(",".join(f"{value:.10g}" for value in row) for row in rows), ""])


class CameraPicture(Struct, frozen=True):
    """What a camera sees, and where that is.

    Attributes:
        camera: where it is, and where its robot looks: x, y (m), heading (rad)
        robots: the others' poses
        lights: where LEDs and the lamp are (m), from left to right
        blobs: of them, in the picture, from left to right
    """

    camera: Pose
    robots: tuple[Pose, ...]
    lights: tuple[tuple[float, float], ...]
    blobs: tuple[Blob, ...]


def proximity_response() -> ReadingsTable:
    """Figure 4: robots that face a wall with PROX0, each a millimetre further away from it than the one before."""
    distances = [0.001 * mm for mm in range(61)]
    system = rig(1.0, 0.2 * (len(distances) + 1))
    looks = RINGS["paper"].bearings[0]
    programs: dict[str, list[Reads]] = {name: [] for name in RESPONSES_SHOWN}
    for number, distance in enumerate(distances, 1):
        robot = robot_at(system, (1.0 - RADIUS - distance, 0.2 * number, -looks))
        for name in RESPONSES_SHOWN:
            sensors = robot.equip(VirtualProximity(f"prox_{name.replace('-', '_')}", response=name))
            program = ReadsProximity(f"reads_{sensors.name}", inf)
            programs[name].append(robot.decide(program, sensor=sensors))
    go(system, 0.0)
    columns: dict[str, tuple[float, ...]] = {"distance_mm": tuple(map(float, range(61)))}
    for response, asked in programs.items():
        columns[response] = tuple(each.heard[0].values[0] for each in asked)
    return ReadingsTable("figure-4-response", columns)


def proximity_turn() -> ReadingsTable:
    """A robot that rotates inside four walls, and what its eight sensors read over a turn."""
    size = 2.0 * (RADIUS + WALL_GAP)
    system = rig(size, size)
    robot = robot_at(system, (size / 2.0, size / 2.0, 0.0), in_place(TURNING))
    robot.equip(VirtualProximity("proximity"))
    program = robot.decide(ReadsProximity("reads", TICK))
    go(system, tau / TURNING + 0.5 * TICK)
    readings = list(zip(*(heard.values for heard in program.heard), strict=True))
    angles = tuple(float(tick) for tick in range(len(program.heard)))
    return ReadingsTable(
        "figure-4-turn", {"angle_deg": angles, **{f"PROX{n}": tuple(r) for n, r in enumerate(readings)}}
    )


def light_response() -> ReadingsTable:
    """Figure 5: robots that face a lamp with PROX0, each a centimetre further away from it than the one before."""
    centimetres = range(1, 61)
    system = rig(2.0 * len(INTENSITIES) + 2.0, 1.2 * (len(centimetres) + 1))
    looks = RINGS["paper"].bearings[0]
    programs: dict[float, list[Reads]] = {intensity: [] for intensity in INTENSITIES}
    for column, intensity in enumerate(INTENSITIES):
        for row, cm in enumerate(centimetres, 1):
            x, y = 2.0 * column + 1.0, 1.2 * row
            robot = robot_at(system, (x, y, -looks))
            robot.equip(VirtualLight("light"))
            programs[intensity].append(robot.decide(ReadsLight("reads", inf)))
            system.add(Lamp(x + RADIUS + 0.01 * cm * (1.0 - 1e-9), y, intensity))  # at 50 cm, it is within
    go(system, 0.0)
    readings = {f"i={i:g}": tuple(each.heard[0].values[0] for each in programs[i]) for i in INTENSITIES}
    return ReadingsTable("figure-5", {"distance_cm": tuple(map(float, centimetres)), **readings})


def ground_stripes() -> ReadingsTable:
    """Figure 6, straight over stripes: three sensors, and where the middle one is."""
    system = rig(1.0, 0.5, things=[Floor((Stripes(STRIPE, GREYS),))])
    robot = robot_at(system, (0.1, 0.25, 0.0), straight(CROSSING))
    robot.equip(VirtualGround("ground"))
    program = robot.decide(ReadsGround("reads", TICK))
    go(system, 10.0 + 0.5 * TICK)
    return _ground("figure-6-stripes", program)


def ground_sectors() -> ReadingsTable:
    """Figure 6, in rotation over sectors."""
    system = rig(1.0, 1.0, things=[Floor((Sectors(0.5, 0.5, GREYS),))])
    robot = robot_at(system, (0.5, 0.5, -radians(22.5)), in_place(TURNING))
    robot.equip(VirtualGround("ground"))
    program = robot.decide(ReadsGround("reads", TICK))
    go(system, tau / TURNING + 0.5 * TICK)
    return _ground("figure-6-sectors", program)


def _ground(name: str, program: Reads) -> ReadingsTable:
    left, centre, right = zip(*(heard.values for heard in program.heard), strict=True)
    return ReadingsTable(name, {"time_s": _times(program), "left": left, "centre": centre, "right": right})


def towards_an_obstacle() -> tuple[ReadingsTable, ReadingsTable]:
    """Figures 7 and 8: six robots drive to obstacles at six speeds; their distances, and their left step counters."""
    start = 0.2
    edge = start + RADIUS + OBSTACLE
    rows = [0.3 * number + 0.2 for number in range(len(DRIVEN_CM))]
    system = rig(1.0, rows[-1] + 0.2, [box(edge + 0.05, y, 0.1, 0.2) for y in rows])
    distances, steps = [], []
    for speed_cm, y in zip(DRIVEN_CM, rows, strict=True):
        robot = robot_at(system, (start, y, 0.0), straight(speed_cm / 100.0))
        robot.equip(VirtualTimeOfFlight("time_of_flight"))
        robot.equip(VirtualEncoders("encoders"))
        distances.append(robot.decide(ReadsTimeOfFlight("reads_time_of_flight", TICK)))
        steps.append(robot.decide(ReadsEncoders("reads_encoders", TICK)))
    go(system, 16.0 + 0.5 * TICK)
    heads = [f"{speed_cm:g} cm/s" for speed_cm in DRIVEN_CM]
    times = {"time_s": _times(distances[0])}
    far = {
        head: tuple(float(t.range_mm) for t in program.heard) for head, program in zip(heads, distances, strict=True)
    }
    counted = {head: tuple(float(t.left) for t in program.heard) for head, program in zip(heads, steps, strict=True)}
    return ReadingsTable("figure-7", times | far), ReadingsTable("figure-8", times | counted)


def encoder_wrap() -> ReadingsTable:
    """Further than 16 bits can count: 12 cm/s straight on, and the left step counter."""
    speed = DRIVEN_CM[-1] / 100.0
    system = rig(FAR + 0.4, 0.4)
    robot = robot_at(system, (0.2, 0.2, 0.0), straight(speed))
    robot.equip(VirtualEncoders("encoders"))
    program = robot.decide(ReadsEncoders("reads", 5.0 * TICK))
    go(system, FAR / speed)
    way = tuple(speed * 5.0 * TICK * tick for tick in range(len(program.heard)))
    return ReadingsTable("figure-8-wrap", {"way_m": way, "left": tuple(float(heard.left) for heard in program.heard)})


def camera_picture() -> CameraPicture:
    """Figure 9: two robots whose front LEDs are at the edges of what a camera shows, and a blue lamp straight ahead."""
    depth = 0.263  # as in Table 4
    aside = depth * tan(radians(15.0)) * (1.0 - 1e-9)
    eye = (0.2, 0.5, 0.0)
    system = rig(1.2, 1.0)
    camera = robot_at(system, eye)
    camera.equip(VirtualCamera("camera"))
    program = camera.decide(ReadsCamera("reads", inf))
    lights, poses = [], []
    for left in (aside, -aside):
        led = (eye[0] + AHEAD + depth, eye[1] + left)
        heading = pi + 0.3 * (1.0 if left > 0.0 else -1.0)  # it looks past the camera
        pose = (led[0] - RADIUS * cos(heading), led[1] - RADIUS * sin(heading), heading)
        other = robot_at(system, pose)
        other.equip(VirtualLeds("leds"))
        other.decide(Shines("shines", LedState(front=True)))
        lights.append(led)
        poses.append(pose)
    lamp = Lamp(eye[0] + AHEAD + 0.45, eye[1], colour=(0.0, 0.0, 1.0))
    system.add(lamp)
    go(system, 0.0)
    places = (lights[0], (lamp.x, lamp.y), lights[1])
    return CameraPicture((eye[0] + AHEAD, eye[1], eye[2]), tuple(poses), places, program.heard[-1].blobs)


def _times(program: Reads) -> tuple[float, ...]:
    """Of a program's ticks, counted and not added up (s)."""
    return tuple(round(TICK * tick, 6) for tick in range(len(program.heard)))
