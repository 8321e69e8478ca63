"""What plays the equipment of the case logistics in the laboratory: omniwheels that drive, sensors, carriers, lifters.

It shares no code with the models: ways are trapezoids of speed, sensors cast rays.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from math import atan2, cos, hypot, inf, pi, radians, remainder, sin, tau
from typing import Any

from devs_robotics.hil.lab.courses import Course, Pose, Ramp
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene
from devs_robotics.hil.lab.omniwheel_drive import OmniwheelDrive

BODY, LIFT = 0.125, 0.052
"""Radius of a robot, and how much higher a raised tray is (m)."""

SPEED, ACCELERATION, TURN_RATE, TURN_ACCELERATION = 2.0, 2.0, 3.0, 6.0

RAYS = (-11.0, -5.5, 0.0, 5.5, 11.0)
"""In which a sensor of the ring looks, from its axis (deg)."""

Tray = tuple[float, float, float]
"""Middle (m) and yaw (rad)."""


class SlideCourse(Course):
    """A way in a direction, while the body turns: each from rest to rest, or braked from where it is.

    Args:
        start: when it begins (s)
        pose: where
        direction: of the way, from the heading there (rad)
        way: how much of it has been gone after a time
        rotation: the same of the turn
    """

    def __init__(self, start: float, pose: Pose, direction: float, way: Ramp | Slowing, rotation: Ramp | Slowing):
        self.end = start + max(way.duration, rotation.duration)
        self._start, self._pose, self._direction = start, pose, direction
        self.way, self.rotation = way, rotation
        self._now = start
        self.gone = self.turned = 0.0
        """So far (m, rad)."""
        self.sign = 1.0
        """Of the turn."""
        self.blocked = False

    def advance(self, time: float) -> Pose:
        """Where the body is at a time."""
        self._now = time
        self.gone = self.way.covered(time - self._start)
        self.turned = self.sign * self.rotation.covered(time - self._start)
        towards = self._pose.heading + self._direction
        x, y = self._pose.x + self.gone * cos(towards), self._pose.y + self.gone * sin(towards)
        return Pose(x, y, remainder(self._pose.heading + self.turned, tau))

    def block(self, share: float, pose: Pose) -> None:
        """It ends there."""
        self.gone = hypot(pose.x - self._pose.x, pose.y - self._pose.y)
        self.blocked = True

    @property
    def direction(self) -> float:
        """Of the way, from the heading now (rad)."""
        return self._direction - self.turned

    @property
    def speed(self) -> float:
        """Of the body now (m/s)."""
        return self.way.speed(self._now - self._start)

    @property
    def turn_rate(self) -> float:
        """Of the body now (rad/s)."""
        return self.sign * self.rotation.speed(self._now - self._start)


class Slowing:
    """A length covered while a speed is lost evenly."""

    def __init__(self, speed: float, acceleration: float) -> None:
        self._from, self._rate = speed, acceleration
        self.duration = speed / acceleration

    def covered(self, time: float) -> float:
        """How much of it is covered after a time."""
        into = min(time, self.duration)
        return self._from * into - 0.5 * self._rate * into * into

    def speed(self, time: float) -> float:
        """How fast it is covered after a time."""
        return max(0.0, self._from - self._rate * time)


class PlayedOmniwheels(EquipmentStandIn):
    """Drives bodies; a command on the way is carried out after braking, and of several that come only the last one."""

    def begin(self, scene: LabScene) -> None:
        """Nobody moves."""
        self.scene = scene
        self.commands: defaultdict[int, deque[dict[str, Any]]] = defaultdict(deque)
        self.courses: dict[int, SlideCourse] = {}
        self.before: dict[int, tuple[float, float]] = {}
        """How far the command had come before it braked (m, rad)."""
        self.reports: defaultdict[int, deque[dict[str, Any]]] = defaultdict(deque)
        self.told: dict[int, tuple[float, float]] = {}
        scene.shared["courses"] = self.courses

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        """Begin, or brake; the end is told unasked."""
        self._look(robot)
        self.commands[robot].append(question)
        if robot not in self.courses:
            self._next(robot, pose, time)
        elif isinstance(self.courses[robot].way, Ramp):
            course = self.courses[robot]
            slow = Slowing(course.speed, ACCELERATION), Slowing(abs(course.turn_rate), TURN_ACCELERATION)
            braking = SlideCourse(time, pose, course.direction, *slow)
            braking.sign = course.sign
            self.before[robot] = course.gone, course.turned
            self._put(robot, braking)

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """Ends, and how far it has come."""
        self._look(robot)
        if robot not in self.courses and self.commands[robot]:
            self._next(robot, pose, time)
        if self.reports[robot]:
            return self.reports[robot].popleft()
        if robot in self.courses and self._gone(robot) != self.told.get(robot):
            self.told[robot] = self._gone(robot)
            return {**self._report(robot), "under_way": True}
        return None

    def _look(self, robot: int) -> None:
        """See whether a course is over."""
        course = self.courses.get(robot)
        if course is not None and self.scene.course(robot) is not course:
            blocked = course.blocked or course._now < course.end - 1e-9
            self.reports[robot].append({**self._report(robot), "blocked": blocked})
            self.commands[robot].popleft()
            del self.courses[robot]
            self.told.pop(robot, None)
            self.before.pop(robot, None)

    def _gone(self, robot: int) -> tuple[float, float]:
        course, (gone, turned) = self.courses[robot], self.before.get(robot, (0.0, 0.0))
        return gone + course.gone, turned + course.turned

    def _report(self, robot: int) -> dict[str, Any]:
        gone, turned = self._gone(robot)
        return {"distance": gone, "turn": turned}

    def _next(self, robot: int, pose: Pose, time: float) -> None:
        """Carry out the last command; those before it are over."""
        commands = self.commands[robot]
        while len(commands) > 1 or (commands and not (commands[0]["distance"] or commands[0]["turn"])):
            commands.popleft()
            self.reports[robot].append({"distance": 0.0, "turn": 0.0})
        if commands:
            command = commands[0]
            way = Ramp(command["distance"], min(command["speed"], SPEED), ACCELERATION)
            turn = Ramp(abs(command["turn"]), TURN_RATE, TURN_ACCELERATION)
            course = SlideCourse(time, pose, command["direction"], way, turn)
            course.sign = 1.0 if command["turn"] >= 0.0 else -1.0
            self._put(robot, course)

    def _put(self, robot: int, course: SlideCourse) -> None:
        self.courses[robot] = course
        self.scene.drive(robot, course)


class Trays:
    """The carriers of a laboratory: on the floor, or on a robot that has raised its lifter."""

    def __init__(self, scene: LabScene) -> None:
        told = scene.settings
        self.half = told["tray"] / 2.0
        self.leg_radius = told["leg_radius"]
        self.leg = self.half - self.leg_radius
        self.floor: dict[int, Tray] = {number: (x, y, yaw) for number, (x, y, yaw) in enumerate(told["places"], 1)}
        self.on: dict[int, tuple[int, Tray]] = {}
        """By carrier: the robot, and where in its frame."""

    def places(self, poses: dict[int, Pose]) -> Iterator[tuple[int, Tray, bool]]:
        """Number, place, and whether it rides."""
        for number, tray in self.floor.items():
            yield number, tray, False
        for number, (robot, (ahead, left, yaw)) in self.on.items():
            pose = poses[robot]
            c, s = cos(pose.heading), sin(pose.heading)
            yield number, (pose.x + c * ahead - s * left, pose.y + s * ahead + c * left, pose.heading + yaw), True

    def legs(self, tray: Tray) -> Iterator[tuple[float, float]]:
        """Of a tray."""
        x, y, yaw = tray
        for quarter in range(4):
            angle, far = yaw + pi / 4.0 + quarter * pi / 2.0, self.leg * 2.0**0.5
            yield x + far * cos(angle), y + far * sin(angle)


class WithTrays(EquipmentStandIn):
    """What has to know the carriers."""

    def begin(self, scene: LabScene) -> None:
        """All carriers stand where they were put."""
        self.scene = scene
        self.trays: Trays = scene.shared.setdefault("trays", Trays(scene))
        self.side = float(scene.settings["side"])


class PlayedRing(WithTrays):
    """Sees walls, robots and legs by rays, exactly; with the odometry of who asks."""

    def begin(self, scene: LabScene) -> None:
        """Nobody has moved."""
        super().begin(scene)
        self.starts: dict[int, Pose] = {}

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """Readings and odometry."""
        start = self.starts.setdefault(robot, pose)
        poses = self.scene.poses()
        discs = [(there.x, there.y, BODY) for other, there in poses.items() if other != robot]
        for _, tray, _ in self.trays.places(poses):
            discs += [(x, y, self.trays.leg_radius) for x, y in self.trays.legs(tray)]
        discs = [(x - pose.x, y - pose.y, r) for x, y, r in discs if hypot(x - pose.x, y - pose.y) < 2.0]
        values = []
        for sensor in range(16):
            axis = pose.heading + sensor * tau / 16.0
            seen = min(self._ray(pose, axis + radians(off), discs) for off in RAYS) - BODY
            values.append(seen if seen <= 1.3 else -1.0)
        c, s = cos(start.heading), sin(start.heading)
        dx, dy = pose.x - start.x, pose.y - start.y
        course: SlideCourse | None = self.scene.shared.get("courses", {}).get(robot)
        if course is None:
            ahead, left = _kept_velocity(self.scene.course(robot))
        else:
            ahead, left = course.speed * cos(course.direction), course.speed * sin(course.direction)
        return {
            "values": values,
            "x": c * dx + s * dy,
            "y": c * dy - s * dx,
            "heading": pose.heading - start.heading,
            "ahead": ahead,
            "left": left,
        }

    def _ray(self, pose: Pose, direction: float, discs: list[tuple[float, float, float]]) -> float:
        ux, uy = cos(direction), sin(direction)
        across = ((self.side - pose.x) / ux if ux > 0.0 else -pose.x / ux) if ux else inf
        along = ((self.side - pose.y) / uy if uy > 0.0 else -pose.y / uy) if uy else inf
        nearest = min(across, along)
        for x, y, radius in discs:
            ahead, aside = x * ux + y * uy, x * uy - y * ux
            if ahead > 0.0 and abs(aside) < radius:
                nearest = min(nearest, ahead - (radius * radius - aside * aside) ** 0.5)
        return nearest


def _kept_velocity(course: Course | None) -> tuple[float, float]:
    """How fast a body goes ahead and to its left whose robot has omniwheels by itself, as one of ROS 2 has (m/s)."""
    if not isinstance(course, OmniwheelDrive):
        return 0.0, 0.0
    return course.velocity.ahead, course.velocity.left


class PlayedVision(WithTrays):
    """Tells ten times per second which tags and marker maps are seen, exactly, of 50 ms ago at most."""

    def begin(self, scene: LabScene) -> None:
        """All eyes are closed."""
        super().begin(scene)
        self.open: dict[int, bool] = {}

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        """Open or close the eyes."""
        self.open[robot] = question["wanted"]

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """What is seen, nearest first."""
        if not self.open.get(robot):
            return None
        seen = sorted(self._seen(robot, pose))[:8]
        if not seen:
            return None
        _, cameras, tags, x, y, yaw, height = zip(*seen, strict=True)
        lists = {"cameras": cameras, "tags": tags, "x": x, "y": y, "yaw": yaw, "height": height}
        return {"age": 0.0, **{name: list(values) for name, values in lists.items()}}

    def _seen(self, robot: int, pose: Pose) -> Iterator[tuple[float, int, int, float, float, float, float]]:
        c, s = cos(pose.heading), sin(pose.heading)
        for number, (x, y, yaw), rides in self.trays.places(self.scene.poses()):
            dx, dy, turned = x - pose.x, y - pose.y, yaw - pose.heading
            ahead, left = c * dx + s * dy, c * dy - s * dx
            height = LIFT if rides else 0.0
            if hypot(ahead, left) <= 0.15:
                yield hypot(ahead, left), 4, number, ahead, left, turned, height
            for quarter in range(4):
                normal = turned + quarter * pi / 2.0
                tag_x, tag_y = ahead + self.trays.half * cos(normal), left + self.trays.half * sin(normal)
                for camera, angle in enumerate((17.0, -17.0, 129.0, -129.0)):
                    axis = radians(angle)
                    from_x, from_y = tag_x - 0.11 * cos(axis), tag_y - 0.11 * sin(axis)
                    towards = atan2(from_y, from_x)
                    is_ahead = abs(remainder(towards - axis, tau)) <= radians(60.0)
                    faces = abs(remainder(towards + pi - normal, tau)) <= radians(60.0)
                    if hypot(from_x, from_y) <= 1.0 and is_ahead and faces:
                        yield hypot(from_x, from_y), camera, number, tag_x, tag_y, remainder(normal, tau), height


class PlayedMapCompass(EquipmentStandIn):
    """Tells the true heading."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """The heading."""
        return {"heading": pose.heading}


class PlayedZone(WithTrays):
    """Tells the zone whenever it has changed."""

    def begin(self, scene: LabScene) -> None:
        """Nobody has asked."""
        super().begin(scene)
        self.told: dict[int, str] = {}

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """The zone."""
        self.told[robot] = self._zone(pose)
        return {"zone": self.told[robot]}

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """The zone, if it is another."""
        if robot not in self.told or self._zone(pose) == self.told[robot]:
            return None
        return self.answer(robot, {}, pose, time)

    def _zone(self, pose: Pose) -> str:
        x = pose.x - self.side / 2.0
        return "search" if x < 0.0 else "drop" if x > 1.25 else ""


class PlayedLifter(WithTrays):
    """Raises what is above, and puts it down."""

    takes = 5.0

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """Whether it carries something then."""
        trays, c, s = self.trays, cos(pose.heading), sin(pose.heading)
        mine = next((number for number, (by, _) in trays.on.items() if by == robot), None)
        if question["up"] and mine is None:
            for number, (x, y, yaw) in trays.floor.items():
                if hypot(x - pose.x, y - pose.y) <= 0.03:
                    mine = number
                    dx, dy = x - pose.x, y - pose.y
                    trays.on[number] = robot, (c * dx + s * dy, c * dy - s * dx, yaw - pose.heading)
                    del trays.floor[number]
                    break
        elif not question["up"] and mine is not None:
            place = next(tray for number, tray, _ in trays.places(self.scene.poses()) if number == mine)
            del trays.on[mine]
            trays.floor[mine] = place
            mine = None
        return {"loaded": mine is not None}
