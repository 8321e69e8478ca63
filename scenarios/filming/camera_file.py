"""A camera's file: what it looks at, which markers there are, and where its lens is written down."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from math import radians
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field, ValidationError

from devs_robotics.hil.camera.calibration import BoardPlan
from devs_robotics.hil.camera.camera_plan import (
    CORNER_INSET,
    CORNER_SIZE,
    MARKER_HEIGHT,
    MARKER_SIZE,
    MOST_PIXELS,
    Lens,
    MarkerPlan,
    Mounting,
    corner_places,
    id_count,
    on_a_line,
)
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.camera.sources import LATENCY
from devs_robotics.scenarios.settings.problems import Problem, ScenarioError
from devs_robotics.scenarios.settings.quantities import Angle, Duration, Length
from devs_robotics.scenarios.settings.sentences import dotted, place_of, sentence_of
from devs_robotics.scenarios.settings.tables import (
    Count,
    NotNegativeCount,
    PositiveAngle,
    PositiveLength,
    SettingsTable,
)
from devs_robotics.scenarios.settings.toml import NotTomlError, parsed


class CameraTable(SettingsTable):
    """The device."""

    source: str = "0"
    """Number of a device, a film, a folder of pictures, or what ``lab --truth`` writes."""
    width: Annotated[int, Field(ge=64, le=MOST_PIXELS)] = 1280
    """Of its pictures (pixels)."""
    height: Annotated[int, Field(ge=64, le=MOST_PIXELS)] = 960
    """Of its pictures (pixels)."""
    lens: str = "lens.json"
    """File that ``camera --calibrate`` writes; beside this one if it is a relative path."""
    latency: Annotated[Duration, Field(ge=0)] = LATENCY
    """From the middle of an exposure of a device until its picture is here (s)."""
    period: Annotated[Duration, Field(gt=0)] = 0.1
    """From one picture to the next, of a folder and of the laboratory (s)."""
    lost: Annotated[Duration, Field(gt=0)] = 1.0
    """Time without a fix after which it is told that a robot is not seen (s)."""


class FieldSizeTable(SettingsTable):
    """The field, whose corner is at (0, 0)."""

    width: PositiveLength = 1.8
    """Along x (m)."""
    height: PositiveLength = 1.95
    """Along y (m)."""


class CornerTable(SettingsTable):
    """A marker on the floor: where its middle lies, and whereto the right side of its code looks."""

    id: NotNegativeCount
    x: Length
    y: Length
    heading: Angle = 0.0


class MarkersTable(SettingsTable):
    """The markers."""

    family: Literal["4x4", "5x5", "6x6", "7x7"] = "4x4"
    """Of ArUco; 4x4 has the largest cells, 6x6 is that of the published testbed."""
    size: PositiveLength = MARKER_SIZE
    """Side of the robots' markers, without their white rims (m)."""
    height: Annotated[Length, Field(ge=0)] = MARKER_HEIGHT
    """Of the robots' markers above the floor (m)."""
    corner_size: PositiveLength = CORNER_SIZE
    """Side of the corner markers (m)."""
    inset: Length = CORNER_INSET
    """From the edges of the field to the middles of the corner markers 40 to 43 (m), where no corners are given; below
    0 they lie outside, where no robot covers them."""
    corners: tuple[CornerTable, ...] = ()
    """Four or more; none: 40 to 43, counter-clockwise from the corner at (0, 0)."""
    robots: dict[Annotated[str, Field(pattern=r"^[1-9]\d{0,8}$")], NotNegativeCount] = Field(default_factory=dict)
    """Id of the marker of each robot, by its number; none: robots 1 to 10 have the markers 1 to 10."""


class BoardTable(SettingsTable):
    """The board that calibrates lenses."""

    columns: Annotated[int, Field(ge=3, le=20)] = BoardPlan().columns
    """Of squares."""
    rows: Annotated[int, Field(ge=3, le=20)] = BoardPlan().rows
    """Of squares."""
    square: PositiveLength = BoardPlan().square
    """Side of a square (m)."""
    marker: PositiveLength = BoardPlan().marker
    """Side of the markers in them (m)."""


class RenderedTable(SettingsTable):
    """What the laboratory's pictures are like."""

    above: PositiveLength = 2.3
    """Height of the camera (m)."""
    tilt: Annotated[Angle, Field(ge=0, le=radians(45.0))] = radians(5.0)
    """Of its axis from the vertical (rad)."""
    view: Annotated[PositiveAngle, Field(lt=radians(150.0))] = radians(67.4)
    """Angle that is seen across a picture, without a lens file (rad)."""
    blur: Annotated[float, Field(ge=0, le=20)] = 0.6
    """Standard deviation (pixels)."""
    noise: Annotated[float, Field(ge=0, le=100)] = 4.0
    """Standard deviation (grey levels)."""
    radius: PositiveLength = 0.06
    """Of robots (m)."""
    seed: Count = 1
    """Of the noise."""


class CameraFile(SettingsTable):
    """All tables of a camera's file."""

    camera: CameraTable = CameraTable()
    field: FieldSizeTable = FieldSizeTable()
    markers: MarkersTable = MarkersTable()
    board: BoardTable = BoardTable()
    rendered: RenderedTable = RenderedTable()

    @property
    def plan(self) -> MarkerPlan:
        """The markers."""
        markers = self.markers
        given = {corner.id: (corner.x, corner.y, corner.heading) for corner in markers.corners}
        corners = given or corner_places(self.field.width, self.field.height, markers.inset)
        robots = {marker: int(robot) for robot, marker in markers.robots.items()} or {
            each: each for each in range(1, 11)
        }
        return MarkerPlan(robots, corners, markers.family, markers.size, markers.height, markers.corner_size)

    @property
    def board_plan(self) -> BoardPlan:
        """The board."""
        return BoardPlan(self.board.columns, self.board.rows, self.board.square, self.board.marker)


def read_camera_file(path: Path | None) -> CameraFile:
    """The tables of a camera's file; without one, all have their defaults.

    Raises:
        ScenarioError: it cannot be read, or with every mistake in it
    """
    if path is None:
        return CameraFile()
    try:
        data = parsed(path.read_text(encoding="utf-8-sig"))
        found = CameraFile.model_validate(_tuples(data))
    except OSError as error:
        raise ScenarioError(
            str(path), [Problem((), f"it cannot be read ({error.strerror}): check the path")]
        ) from error
    except UnicodeDecodeError as error:
        raise ScenarioError(str(path), [Problem((), "this is not a text file in UTF-8: save it as UTF-8")]) from error
    except NotTomlError as error:
        raise ScenarioError(str(path), [Problem((), f"this is not valid TOML: {error}")]) from error
    except ValidationError as error:
        raise ScenarioError(str(path), [_problem(dict(each)) for each in error.errors(include_url=False)]) from error
    if problems := list(_disagreements(found)):
        raise ScenarioError(str(path), problems)
    return found


def read_lens(path: Path) -> Lens:
    """The lens that a calibration has found.

    Raises:
        CameraError: there is none
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lens)
    except OSError as error:
        raise CameraError(
            f"the lens in {path} cannot be read ({error.strerror}): make it with devs-robotics camera --calibrate"
        ) from error
    except msgspec.MsgspecError as error:
        raise CameraError(
            f"{path} holds no lens ({error}): make it anew with devs-robotics camera --calibrate"
        ) from error


def keys() -> list[str]:
    """Every key of a camera's file."""
    return [
        f"{table}.{key}" for table, field in CameraFile.model_fields.items() for key in type(field.default).model_fields
    ]


def _disagreements(file: CameraFile) -> list[Problem]:
    problems = []
    markers, ids = file.markers, list(file.markers.robots.values())
    corners = [corner.id for corner in markers.corners] or list(file.plan.corners)
    if len(set(ids)) < len(ids):
        problems.append(Problem(("markers.robots",), "two robots have one marker: give each its own"))
    if len(set(corners)) < len(corners):
        problems.append(Problem(("markers.corners",), "two corners have one id: give each its own"))
    if len(corners) < 4:
        problems.append(Problem(("markers.corners",), f"there must be four or more, not {len(corners)}: add some"))
    if len(corners) >= 4 and on_a_line(file.plan.corners.values()):
        key = "markers.corners" if markers.corners else "markers.inset"
        problems.append(Problem((key,), "all corner markers lie on one line: spread them over the field"))
    problems += _too_large(file)
    for marker in sorted(set(file.plan.robots) & set(corners)):
        problems.append(Problem(("markers.robots",), f"marker {marker} lies in a corner: give that robot another one"))
    count = id_count(markers.family)
    for key, used in (("markers.robots", list(file.plan.robots)), ("markers.corners", corners)):
        problems += [
            Problem((key,), f"the family {markers.family!r} has no marker {marker}: take ids from 0 to {count - 1}")
            for marker in sorted(set(used))
            if marker >= count
        ]
    if file.board.marker >= file.board.square:
        problems.append(Problem(("board.marker",), "must be smaller than board.square: markers stand in squares"))
    return problems


def _too_large(file: CameraFile) -> Iterator[Problem]:
    """What is too large for the field: robots and markers that would fill every picture."""
    largest = 0.5 * min(file.field.width, file.field.height)
    sizes = {
        "markers.size": file.markers.size,
        "markers.corner_size": file.markers.corner_size,
        "rendered.radius": 2.0 * file.rendered.radius,
    }
    for key, size in sizes.items():
        if size > largest:
            field = f"a field of {file.field.width:g} m x {file.field.height:g} m"
            yield Problem((key,), f"{size:g} m is more than half of {field}: make it smaller, or the field larger")


def _problem(error: dict[str, Any]) -> Problem:
    key = dotted(place_of(error))
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(key, keys(), 1, 0.6)
        return Problem((key,), f"there is no such key: {f'did you mean {near[0]!r}?' if near else 'remove it'}")
    if error["type"] == "string_pattern_mismatch":
        return Problem((key,), "is no robot: write ROBOT = MARKER, with the number of a robot, from 1")
    return Problem((key,), sentence_of(error))


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(each) for key, each in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def mounting(file: CameraFile) -> Mounting:
    """Where the laboratory's camera hangs: its axis meets the middle of the field."""
    from devs_robotics.hil.testing.camera_accuracy import mounting_over

    return mounting_over(file.field.width, file.field.height, file.rendered.tilt, file.rendered.above)
