"""A run for Foxglove and Lichtblick: where robots are, and what they, the field and its marks look like.

Poses are on the topic ``/view/transforms``: in a recording a motion as a whole is one message with the times at which
it began, had turned and ended, logged at the first of these; what lies between, these tools join by straight lines.
What things look like is on ``/view/scene``. The frame of the field is ``map``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, isnan, sin
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from devs_robotics.view import foxglove_schemas as fox
from devs_robotics.view.colours import INK, KINDS, MARK, OBSTACLE, rgb
from devs_robotics.view.posing import along, way
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Disc, Mark, Obstacle, Outline, Polyline, Scene, SceneBody, Shape
from devs_robotics.view.timeline import HEADING, SLOT, SPEED, TIME, TURN_RATE, Columns, X, Y

FIELD = "map"
"""Frame of the field."""
TRANSFORMS, SCENE = "/view/transforms", "/view/scene"

WALL, FLAT = 0.1, 0.002
"""Heights of walls and obstacles, and of what lies on the floor (m)."""
THIN = 0.01
"""Thickness of lines that have none (m)."""
COVERING = {"real": 1.0, "virtual": 0.6, "counterpart": 0.35, "outside": 0.8}
"""How far bodies cover what is behind them."""

Corners = tuple[tuple[float, float], ...]


class MessageSink(Protocol):
    """Where messages go: an MCAP file, or a server."""

    def add(self, topic: str, schema_name: str, schema: dict[str, Any], time: float, message: object, /) -> None:
        """Take a message of a topic, at a time (s)."""


class Foxglove:
    """Tells others' tools the poses and the looks of a run.

    Args:
        file: that has begun when something is told
        scene: of the run
    """

    def __init__(self, file: MessageSink, scene: Scene) -> None:
        self._file = file
        self._scene = scene
        self._bodies = {body.slot: body for body in scene.bodies}
        self._last: dict[int, list[float]] = {}
        """Last change of each body that is there."""
        self._schemas: dict[type[Struct], dict[str, Any]] = {
            each: fox.schema_of(each) for each in (fox.SceneUpdate, fox.FrameTransforms)
        }

    def begin(self, time: float, poses: Iterable[tuple[float, float, float]]) -> None:
        """What there is, and where who is there stands."""
        there = [(slot, pose) for slot, pose in enumerate(poses) if not isnan(pose[0])]
        bodies = (_looks(self._body(slot), time) for slot, _ in there)
        marks = (_marked(name, mark, self._frame_of(mark), time) for name, mark in self._scene.marks.items())
        self._see(time, entities=(*_standing(self._scene, time), *bodies, *marks))
        for slot, pose in there:
            self._last[slot] = [time, slot, *pose, 0.0, 0.0]
            self._place(slot, [(time, *pose)])

    def poses(self, rows: Columns) -> None:
        """Changes, in the order of time."""
        for row in rows.tolist():
            time, slot = row[TIME], int(row[SLOT])
            last = self._last.get(slot)
            if isnan(row[X]):
                if last is not None:
                    self._see(time, (fox.SceneEntityDeletion(fox.time(time), 0, self._body(slot).name),))
                    del self._last[slot]
                continue
            if last is None:
                self._see(time, entities=(_looks(self._body(slot), time),))
                self._place(slot, [(time, row[X], row[Y], row[HEADING])])
            else:
                self._go(last, row)
            self._last[slot] = row

    def join(self, bodies: Iterable[SceneBody]) -> None:
        """Who has come."""
        self._bodies.update((body.slot, body) for body in bodies)

    def mark(self, change: MarkChange) -> None:
        """A mark has changed."""
        if change.mark is None:
            self._see(change.time, (fox.SceneEntityDeletion(fox.time(change.time), 0, f"mark {change.name}"),))
        else:
            entity = _marked(change.name, change.mark, self._frame_of(change.mark), change.time)
            self._see(change.time, entities=(entity,))

    def finish(self, time: float) -> None:
        """The run is over: who is still on an arc has come so far."""
        for slot, last in self._last.items():
            if (last[SPEED] or last[TURN_RATE]) and not isnan(last[SPEED]) and time > last[TIME]:
                pose = along(last, time)
                self._go(last, [time, slot, *pose, 0.0, 0.0])

    def _go(self, last: list[float], row: list[float]) -> None:
        slot = int(row[SLOT])
        body = self._body(slot)
        self._place(slot, way(last, row, (body.speed, body.turn_rate), real=body.kind == "real"))

    def _body(self, slot: int) -> SceneBody:
        if slot not in self._bodies:
            self._bodies[slot] = SceneBody(slot, 0, f"body {slot + 1}")
        return self._bodies[slot]

    def _frame_of(self, mark: Mark) -> str:
        return next((body.name for body in self._scene.bodies if body.robot == mark.robot), FIELD)

    def _see(
        self,
        time: float,
        deletions: tuple[fox.SceneEntityDeletion, ...] = (),
        entities: tuple[fox.SceneEntity, ...] = (),
    ) -> None:
        self._write(SCENE, time, fox.SceneUpdate(deletions, entities))

    def _place(self, slot: int, poses: list[tuple[float, float, float, float]]) -> None:
        """Poses with their times; one message, at the first of these, so that players know the others in time."""
        name = self._body(slot).name
        self._write(TRANSFORMS, poses[0][0], fox.FrameTransforms(tuple(_placed(name, *pose) for pose in poses)))

    def _write(self, topic: str, time: float, message: Struct) -> None:
        kind = type(message)
        self._file.add(topic, fox.name_of(kind), self._schemas[kind], time, message)


class LivePictures(Foxglove):
    """Tells others' tools how a run is now, again and again.

    Args:
        sink: takes it
        scene: of the run, with the marks that there are
    """

    def __init__(self, sink: MessageSink, scene: Scene) -> None:
        super().__init__(sink, scene)
        self._marks = dict(scene.marks)
        self._there: dict[int, tuple[float, float, float]] = {}
        """Where who is there was told to be."""

    def again(self) -> None:
        """Somebody has come who knows nothing: all is told with the next poses."""
        self._there.clear()

    def show(self, time: float, poses: Iterable[tuple[float, float, float]]) -> None:
        """Where everybody is at a time (s), slot 0 first; not a number for who is not there."""
        there = {slot: pose for slot, pose in enumerate(poses) if not isnan(pose[0])}
        new = [slot for slot in there if slot not in self._there]
        gone = [slot for slot in self._there if slot not in there]
        if not self._there:
            marks = (_marked(name, mark, self._frame_of(mark), time) for name, mark in self._marks.items())
            self._see(time, entities=(*_standing(self._scene, time), *marks))
        if new or gone:
            deletions = (fox.SceneEntityDeletion(fox.time(time), 0, self._body(slot).name) for slot in gone)
            self._see(time, tuple(deletions), tuple(_looks(self._body(slot), time) for slot in new))
        moved = [slot for slot, pose in there.items() if self._there.get(slot) != pose]
        if moved:
            transforms = (_placed(self._body(slot).name, time, *there[slot]) for slot in moved)
            self._write(TRANSFORMS, time, fox.FrameTransforms(tuple(transforms)))
        self._there = there

    def mark(self, change: MarkChange) -> None:
        """A mark has changed."""
        if change.mark is None:
            self._marks.pop(change.name, None)
        else:
            self._marks[change.name] = change.mark
        super().mark(change)


def _placed(name: str, time: float, x: float, y: float, heading: float) -> fox.FrameTransform:
    """Where something is in the field."""
    turned = fox.Quaternion(0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading))
    return fox.FrameTransform(fox.time(time), FIELD, name, fox.Vector3(x, y, 0.0), turned)


def _standing(scene: Scene, time: float) -> Iterator[fox.SceneEntity]:
    """Walls and obstacles."""
    edge = ((0.0, 0.0), (scene.width, 0.0), (scene.width, scene.height), (0.0, scene.height))
    height, cover = (WALL, 1.0) if scene.walled else (0.0, 0.4)
    ink = _colour("", INK, cover)
    yield fox.SceneEntity(
        timestamp=fox.time(time), frame_id=FIELD, id="field", lines=(_line(edge, height, THIN, ink, closed=True),)
    )
    for number, obstacle in enumerate(scene.obstacles, 1):
        yield _obstacle(number, obstacle, time)


def _obstacle(number: int, obstacle: Obstacle, time: float) -> fox.SceneEntity:
    colour = _colour("", OBSTACLE)
    shape = obstacle.shape
    cylinders: tuple[fox.CylinderPrimitive, ...] = ()
    lines: tuple[fox.LinePrimitive, ...] = ()
    triangles: tuple[fox.TriangleListPrimitive, ...] = ()
    if isinstance(shape, Disc):
        cylinders = (_cylinder(shape, WALL, colour),)
    else:
        lines = (_line(shape.corners, WALL, THIN, _colour("", INK), closed=True),)
        triangles = (_triangles([*_sides(shape.corners, WALL), *_area(shape.corners, WALL)], colour),)
    return fox.SceneEntity(
        timestamp=fox.time(time),
        frame_id=FIELD,
        id=f"obstacle {number}",
        cylinders=cylinders,
        lines=lines,
        triangles=triangles,
        texts=(_text(obstacle.name, 2.0 * WALL),) if obstacle.name else (),
    )


def _looks(body: SceneBody, time: float) -> fox.SceneEntity:
    """A cylinder; on a robot's is an arrow that says where it looks."""
    colour = _colour(body.colour, KINDS[body.kind], COVERING[body.kind])
    r = body.radius
    tail = fox.FoxglovePose(fox.Vector3(0.0, 0.0, 1.05 * r))
    arrow = fox.ArrowPrimitive(tail, 0.7 * r, 0.15 * r, 0.5 * r, 0.4 * r, _colour("", INK))
    return fox.SceneEntity(
        timestamp=fox.time(time),
        frame_id=body.name,
        id=body.name,
        metadata=(fox.KeyValuePair("kind", body.kind),),
        arrows=() if body.is_thing else (arrow,),
        cylinders=(_cylinder(Disc(0.0, 0.0, r), r, colour),),
    )


def _marked(name: str, mark: Mark, frame: str, time: float) -> fox.SceneEntity:
    colour = _colour(mark.colour, MARK)
    shape = mark.shape
    above = 0.0 if frame == FIELD else 3.0 * WALL
    cylinders: tuple[fox.CylinderPrimitive, ...] = ()
    lines: tuple[fox.LinePrimitive, ...] = ()
    triangles: tuple[fox.TriangleListPrimitive, ...] = ()
    if isinstance(shape, Disc) and mark.filled:
        cylinders = (_cylinder(shape, FLAT, colour, above),)
    elif isinstance(shape, Outline) and mark.filled and (area := _area(shape.corners, FLAT + above)):
        triangles = (_triangles(area, colour),)
    elif shape is not None:
        width = shape.width if isinstance(shape, Polyline) else 0.0
        closed = not isinstance(shape, Polyline)
        lines = (_line(_points(shape), FLAT + above, width or THIN, colour, closed=closed),)
    return fox.SceneEntity(
        timestamp=fox.time(time),
        frame_id=frame,
        id=f"mark {name}",
        cylinders=cylinders,
        lines=lines,
        triangles=triangles,
        texts=(_text(mark.text, 2.0 * WALL, *_middle(shape)),) if mark.text else (),
    )


def _points(shape: Shape) -> Corners:
    if isinstance(shape, Disc):
        turns = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False).tolist()
        return tuple((shape.x + shape.radius * cos(turn), shape.y + shape.radius * sin(turn)) for turn in turns)
    return shape.corners if isinstance(shape, Outline) else shape.points


def _middle(shape: Shape | None) -> tuple[float, float]:
    if shape is None:
        return 0.0, 0.0
    if isinstance(shape, Disc):
        return shape.x, shape.y
    points = np.array(_points(shape))
    return float(points[:, 0].mean()), float(points[:, 1].mean())


def _sides(corners: Corners, height: float) -> Iterator[fox.Point3]:
    """Two triangles for each side of a polygon that stands."""
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        low, other, high, over = (
            fox.Point3(x0, y0, 0.0), fox.Point3(x1, y1, 0.0), fox.Point3(x1, y1, height), fox.Point3(x0, y0, height),
        )  # fmt: skip
        yield from (low, other, high, low, high, over)


def _area(corners: Corners, height: float) -> list[fox.Point3]:
    """Triangles that cover a convex polygon; none for another one."""
    if not _is_convex(corners):
        return []
    points = [fox.Point3(x, y, height) for x, y in corners]
    return [point for k in range(1, len(points) - 1) for point in (points[0], points[k], points[k + 1])]


def _is_convex(corners: Corners) -> bool:
    sides = np.diff(np.array([*corners, *corners[:2]]), axis=0)
    turns = sides[:-1, 0] * sides[1:, 1] - sides[:-1, 1] * sides[1:, 0]
    return bool((turns >= 0.0).all() or (turns <= 0.0).all())


def _cylinder(disc: Disc, height: float, colour: fox.Color, above: float = 0.0) -> fox.CylinderPrimitive:
    middle = fox.Vector3(disc.x, disc.y, above + 0.5 * height)
    size = fox.Vector3(2.0 * disc.radius, 2.0 * disc.radius, height)
    return fox.CylinderPrimitive(fox.FoxglovePose(middle), size, 1.0, 1.0, colour)


def _line(points: Corners, height: float, width: float, colour: fox.Color, *, closed: bool) -> fox.LinePrimitive:
    kind = fox.LOOP if closed else fox.STRIP
    return fox.LinePrimitive(
        kind, fox.FoxglovePose(), width, False, tuple(fox.Point3(x, y, height) for x, y in points), colour
    )


def _triangles(points: list[fox.Point3], colour: fox.Color) -> fox.TriangleListPrimitive:
    return fox.TriangleListPrimitive(fox.FoxglovePose(), tuple(points), colour)


def _text(text: str, height: float, x: float = 0.0, y: float = 0.0) -> fox.TextPrimitive:
    return fox.TextPrimitive(fox.FoxglovePose(fox.Vector3(x, y, height)), True, 12.0, True, _colour("", INK), text)


def _colour(colour: str, otherwise: str, cover: float = 1.0) -> fox.Color:
    red, green, blue = rgb(colour, otherwise)
    return fox.Color(red / 255.0, green / 255.0, blue / 255.0, cover)
