"""What a picture of a moment is made of: discs, lines and words, for whatever draws them.

Real robots are filled, virtual ones hollow, counterparts dashed, those of outside programs dotted: never by colour
alone. Metres, but for widths of lines, which are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, cos, floor, hypot, inf, isnan, sin
from typing import Literal

from msgspec import Struct

from devs_robotics.view import colours
from devs_robotics.view.export.extent import Extent
from devs_robotics.view.export.options import Window
from devs_robotics.view.posing import Posing
from devs_robotics.view.replay import MarkChange, Replay
from devs_robotics.view.scene import Disc, Mark, Outline, Polyline, Scene, SceneBody, Shape
from devs_robotics.view.timeline import Columns

Colour = tuple[int, int, int]
Dash = Literal["", "dashed", "dotted"]

GRID = "#e4e7ec"
DASHES: Mapping[str, Dash] = {"counterpart": "dashed", "outside": "dotted"}
LEAST = 2.5
"""Radius of a body in a picture at least (pixels)."""
COVERED = 0.35
"""How far marks without a colour cover what is behind them."""
READ = 4.5
NAMED = 12
"""Number of robots up to which their numbers are written."""
APART = 0.002
"""Errors that are less are no arrow (m)."""


class Round(Struct, frozen=True):
    """A disc or a circle; `least` is its radius at least (pixels)."""

    x: float
    y: float
    radius: float
    fill: Colour | None
    stroke: Colour | None
    width: float = 1.5
    dash: Dash = ""
    least: float = 0.0


class Way(Struct, frozen=True):
    """A polygon, or a line; `thick` is the width of a line that has one (m)."""

    points: tuple[tuple[float, float], ...]
    closed: bool
    fill: Colour | None
    stroke: Colour | None
    width: float = 1.5
    dash: Dash = ""
    thick: float = 0.0


class Words(Struct, frozen=True):
    """A text, centred at a place, raised by so much: by a length in the field (m), and by pixels.

    What names something small is left out where its radius, `of`, is less than `READ` pixels.
    """

    x: float
    y: float
    text: str
    colour: Colour
    above: float = 0.0
    raised: float = 0.0
    of: float = inf


Piece = Round | Way | Words
"""What pictures are made of; what comes later covers what came before."""


def colour(text: str, otherwise: str, cover: float = 1.0) -> Colour:
    """A colour as it looks on paper."""
    paper = colours.rgb(colours.PAPER, colours.PAPER)
    red, green, blue = (
        round(cover * part + (1.0 - cover) * ground)
        for part, ground in zip(colours.rgb(text, otherwise), paper, strict=True)
    )
    return red, green, blue


GROUND: Colour = (255, 255, 254)
"""White that is no paper: where pages are dark, it stays as it is."""

PAPER, INK, SOFT = (colour("", each) for each in (colours.PAPER, colours.INK, colours.SOFT))


class Moments:
    """What there is to be seen at each time of a recording.

    Args:
        replay: of the run
    """

    def __init__(self, replay: Replay) -> None:
        self.scene = replay.scene
        self.posing = Posing(replay.scene, replay.timeline)
        known = {body.slot: body for body in replay.scene.bodies}
        self.bodies = [
            known.get(slot, SceneBody(slot, 0, f"body {slot + 1}", radius=0.0)) for slot in range(replay.timeline.slots)
        ]
        """By slot; older recordings do not tell of those that joined later, whose radius is 0 then."""
        self._changes: Sequence[MarkChange] = replay.marks
        self._done, self._time = 0, float("-inf")
        self._marks = dict(replay.scene.marks)

    def marks(self, time: float) -> Mapping[str, Mark]:
        """The marks at a time (s); the same object as long as nothing changes."""
        if time < self._time:
            self._done, self._marks = 0, dict(self.scene.marks)
        self._time = time
        found = None
        while self._done < len(self._changes) and self._changes[self._done].time <= time:
            change = self._changes[self._done]
            found = dict(self._marks) if found is None else found
            if change.mark is None:
                found.pop(change.name, None)
            else:
                found[change.name] = change.mark
            self._done += 1
        self._marks = self._marks if found is None else found
        return self._marks


def grid(scene: Scene, box: Extent) -> Iterator[Piece]:
    """Lines in the field at even distances."""
    step, faint = box.step, colour("", GRID)
    x0, x1 = max(0.0, box.x0), min(scene.width, box.x1)
    y0, y1 = max(0.0, box.y0), min(scene.height, box.y1)
    for number in range(ceil(x0 / step), floor(x1 / step) + 1):
        yield Way(((number * step, y0), (number * step, y1)), False, None, faint, 1.0)
    for number in range(ceil(y0 / step), floor(y1 / step) + 1):
        yield Way(((x0, number * step), (x1, number * step)), False, None, faint, 1.0)


def metres(length: float) -> str:
    """A length for people."""
    return f"{length:g} m" if length >= 1.0 else f"{100.0 * length:g} cm"


def standing(scene: Scene, marks: Mapping[str, Mark]) -> Iterator[Piece]:
    """The field, obstacles, and the marks that belong to no robot."""
    nobodys = [mark for mark in marks.values() if not mark.robot and not _paper(scene, mark)]
    for mark in nobodys:
        if mark.filled or isinstance(mark.shape, Polyline):
            yield from _marked(mark)
    edge = ((0.0, 0.0), (scene.width, 0.0), (scene.width, scene.height), (0.0, scene.height))
    wall = colour("", colours.SOFT)
    yield Way(edge, True, None, wall, 2.0 if scene.walled else 1.0, "" if scene.walled else "dotted")
    for obstacle in scene.obstacles:
        yield _drawn(obstacle.shape, colour("", colours.OBSTACLE), wall)
        if obstacle.name:
            yield Words(*_middle(obstacle.shape), obstacle.name, INK)
    for mark in nobodys:
        if not mark.filled and not isinstance(mark.shape, Polyline):
            yield from _marked(mark)


def declared(moments: Moments, poses: Columns, marks: Mapping[str, Mark]) -> tuple[list[Piece], list[Piece]]:
    """What there is beside robots and obstacles: first marks of the field, and things that are no robots; then marks of
    robots, which lie over these."""
    there = [
        (body, (float(x), float(y), float(heading)))
        for body, (x, y, heading) in zip(moments.bodies, poses, strict=True)
        if body.kind != "real" and not isnan(x)
    ]
    low: list[Piece] = []
    for mark in marks.values():
        if not mark.robot and _paper(moments.scene, mark) and isinstance(mark.shape, Outline):
            low.append(Way(mark.shape.corners, True, GROUND, None))
        elif not mark.robot:
            low += _marked(mark)
    low += [piece for body, pose in there if body.is_thing for piece in _body(body, pose, chosen=False, clear=False)]
    owned = [(mark, body, pose) for mark in marks.values() for body, pose in there if mark.robot == body.robot > 0]
    return low, [piece for mark, body, pose in owned for piece in _marked(mark, pose, body.radius)]


def _paper(scene: Scene, mark: Mark) -> bool:
    """Whether it is a white ground, as paper is without it; the grid would be below."""
    whole = {(0.0, 0.0), (scene.width, 0.0), (scene.width, scene.height), (0.0, scene.height)}
    white = mark.filled and colour(mark.colour, colours.MARK) == PAPER
    return white and isinstance(mark.shape, Outline) and set(mark.shape.corners) == whole


def moving(moments: Moments, poses: Columns, marks: Mapping[str, Mark], window: Window, follow: int) -> Iterator[Piece]:
    """Bodies, with the marks that belong to them."""
    there = [
        (body, (float(x), float(y), float(heading)))
        for body, (x, y, heading) in zip(moments.bodies, poses, strict=True)
        if body.kind in window.kinds and not isnan(x)
    ]
    if window.arrows:  # then real robots lie below the models, which cover nothing
        there.sort(key=lambda each: each[0].kind != "real")
    owned: dict[int, list[Mark]] = {}
    for mark in marks.values():
        if mark.robot:
            owned.setdefault(mark.robot, []).append(mark)
    named = sum(body.robot > 0 for body, _ in there) <= NAMED
    for body, pose in there:
        yield from _body(body, pose, chosen=bool(follow) and body.robot == follow, clear=window.arrows)
        if named and body.robot and not (window.arrows and body.kind == "real"):
            yield Words(pose[0], pose[1], str(body.robot), INK, -body.radius, -9.0, body.radius)
    if window.arrows:
        yield from _errors(there)
    for body, pose in there:
        if body.kind != "real" or "counterpart" not in window.kinds:
            for mark in owned.get(body.robot, ()):
                yield from _marked(mark, pose, body.radius)


def _body(body: SceneBody, pose: tuple[float, float, float], *, chosen: bool, clear: bool) -> Iterator[Piece]:
    x, y, heading = pose
    own, r = colour(body.colour, colours.KINDS[body.kind]), body.radius
    nose = ((x, y), (x + r * cos(heading), y + r * sin(heading)))
    if body.is_thing:
        yield Round(x, y, r, colour(body.colour, colours.SOFT), None, least=LEAST)
        return
    if chosen:
        yield Round(x, y, 1.35 * r, colour("", colours.CHOSEN), None, least=1.5 * LEAST)
    if body.kind == "real":
        yield Round(x, y, r, own, own, 1.0, least=LEAST)
        yield Way(nose, False, None, PAPER, 1.5)
    else:
        yield Round(x, y, r, None if clear else PAPER, own, 1.5, DASHES.get(body.kind, ""), LEAST)
        yield Way(nose, False, None, own, 1.5)


def _errors(there: Sequence[tuple[SceneBody, tuple[float, float, float]]]) -> Iterator[Piece]:
    """A line from each real robot to its counterpart."""
    models = {body.robot: pose for body, pose in there if body.kind == "counterpart"}
    for body, (x, y, _) in there:
        if body.kind == "real" and body.robot in models:
            to_x, to_y, _ = models[body.robot]
            if hypot(to_x - x, to_y - y) > APART:
                yield Way(((x, y), (to_x, to_y)), False, None, colour("", "#cc3311"), 1.5)


def _marked(mark: Mark, pose: tuple[float, float, float] | None = None, radius: float = 0.0) -> Iterator[Piece]:
    """A mark in the field, or at a robot's pose."""
    own = colour(mark.colour, colours.MARK)
    shape = mark.shape if pose is None or mark.shape is None else _placed(mark.shape, pose)
    if shape is not None:
        fill = colour(mark.colour, colours.MARK, 1.0 if mark.colour else COVERED) if mark.filled else None
        yield _drawn(shape, fill, None if mark.filled and mark.colour else own)
    if mark.text:
        words = colour("", colours.INK)
        if pose is not None:
            yield Words(pose[0], pose[1], mark.text, words, radius, 10.0)
        elif isinstance(shape, Outline):  # within it, at its upper edge, where fewer robots are than in its middle
            xs, ys = zip(*shape.corners, strict=True)
            yield Words(0.5 * (min(xs) + max(xs)), max(ys), mark.text, words, 0.0, -9.0)
        elif shape is not None:
            above, raised = (shape.radius, 10.0) if isinstance(shape, Disc) else (0.0, 0.0)
            yield Words(*_middle(shape), mark.text, words, above, raised)


def _drawn(shape: Shape, fill: Colour | None, stroke: Colour | None) -> Piece:
    if isinstance(shape, Disc):
        return Round(shape.x, shape.y, shape.radius, fill, stroke, 1.2, least=2.0)
    if isinstance(shape, Polyline):
        return Way(shape.points, False, None, stroke or fill, 1.2, thick=shape.width)
    return Way(shape.corners, True, fill, stroke, 1.2)


def _middle(shape: Shape) -> tuple[float, float]:
    if isinstance(shape, Disc):
        return shape.x, shape.y
    points = shape.points if isinstance(shape, Polyline) else shape.corners
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _placed(shape: Shape, pose: tuple[float, float, float]) -> Shape:
    """A shape of a robot's frame, in the field."""
    x, y, heading = pose
    c, s = cos(heading), sin(heading)

    def put(place: tuple[float, float]) -> tuple[float, float]:
        return x + c * place[0] - s * place[1], y + s * place[0] + c * place[1]

    if isinstance(shape, Disc):
        return Disc(*put((shape.x, shape.y)), shape.radius)
    if isinstance(shape, Polyline):
        return Polyline(tuple(map(put, shape.points)), shape.width)
    return type(shape)(tuple(map(put, shape.corners)))
