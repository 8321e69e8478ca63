"""Messages of Foxglove's schemas of which pictures in 3D are made, and their JSON schemas.

Fields and their names are those of ``@foxglove/schemas`` 2.1.0 (https://github.com/foxglove/foxglove-sdk, MIT), which
Foxglove and Lichtblick know: `FrameTransforms` tells where things are, `SceneUpdate` what they look like. Lengths in
metres, colours from 0 to 1.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Struct

Integer = Annotated[int, "uint32"]


class Time(Struct, frozen=True):
    """A time since the beginning of the run; `nsec` is less than a second (ns)."""

    sec: int
    nsec: int


class Duration(Struct, frozen=True):
    """A time span; zero is for ever."""

    sec: int = 0
    nsec: int = 0


class Vector3(Struct, frozen=True):
    """A place, or a size."""

    x: float
    y: float
    z: float


class Point3(Struct, frozen=True):
    """A point."""

    x: float
    y: float
    z: float


class Quaternion(Struct, frozen=True):
    """An orientation."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


class Color(Struct, frozen=True):
    """Red, green, blue, and how far it covers what is behind it."""

    r: float
    g: float
    b: float
    a: float


class FoxglovePose(Struct, frozen=True):
    """Where something is, in its frame."""

    position: Vector3 = Vector3(0.0, 0.0, 0.0)
    orientation: Quaternion = Quaternion()


class KeyValuePair(Struct, frozen=True):
    """Further data."""

    key: str
    value: str


class ArrowPrimitive(Struct, frozen=True):
    """An arrow along its own x."""

    pose: FoxglovePose
    shaft_length: float
    shaft_diameter: float
    head_length: float
    head_diameter: float
    color: Color


class CubePrimitive(Struct, frozen=True):
    """A box."""

    pose: FoxglovePose
    size: Vector3
    color: Color


class SpherePrimitive(Struct, frozen=True):
    """An ellipsoid."""

    pose: FoxglovePose
    size: Vector3
    color: Color


class CylinderPrimitive(Struct, frozen=True):
    """A cylinder along its own z."""

    pose: FoxglovePose
    size: Vector3
    bottom_scale: float
    top_scale: float
    color: Color


STRIP, LOOP, LIST = range(3)
"""Of points in a `LinePrimitive`."""


class LinePrimitive(Struct, frozen=True):
    """Lines; `type` says how the points are joined. Not scaled: the thickness is one of metres."""

    type: Annotated[int, "foxglove.LineType", ("LINE_STRIP", "LINE_LOOP", "LINE_LIST")]
    pose: FoxglovePose
    thickness: float
    scale_invariant: bool
    points: tuple[Point3, ...]
    color: Color
    colors: tuple[Color, ...] = ()
    indices: tuple[Integer, ...] = ()


class TriangleListPrimitive(Struct, frozen=True):
    """Triangles, of three points each."""

    pose: FoxglovePose
    points: tuple[Point3, ...]
    color: Color
    colors: tuple[Color, ...] = ()
    indices: tuple[Integer, ...] = ()


class TextPrimitive(Struct, frozen=True):
    """A text."""

    pose: FoxglovePose
    billboard: bool
    font_size: float
    scale_invariant: bool
    color: Color
    text: str


class ModelPrimitive(Struct, frozen=True):
    """A model in a file of another tool's."""

    pose: FoxglovePose
    scale: Vector3
    color: Color
    override_color: bool
    url: str
    media_type: str
    data: bytes


class SceneEntity(Struct, frozen=True, kw_only=True):
    """Something that is seen; another of the same id takes its place. Its parts stand in one frame."""

    timestamp: Time
    frame_id: str
    id: str
    lifetime: Duration = Duration()
    frame_locked: bool = True
    metadata: tuple[KeyValuePair, ...] = ()
    arrows: tuple[ArrowPrimitive, ...] = ()
    cubes: tuple[CubePrimitive, ...] = ()
    spheres: tuple[SpherePrimitive, ...] = ()
    cylinders: tuple[CylinderPrimitive, ...] = ()
    lines: tuple[LinePrimitive, ...] = ()
    triangles: tuple[TriangleListPrimitive, ...] = ()
    texts: tuple[TextPrimitive, ...] = ()
    models: tuple[ModelPrimitive, ...] = ()


class SceneEntityDeletion(Struct, frozen=True):
    """Something is seen no longer."""

    timestamp: Time
    type: Annotated[int, "foxglove.SceneEntityDeletionType", ("MATCHING_ID", "ALL")]
    id: str


class SceneUpdate(Struct, frozen=True):
    """What is seen anew, otherwise, or no longer."""

    deletions: tuple[SceneEntityDeletion, ...] = ()
    entities: tuple[SceneEntity, ...] = ()


class FrameTransform(Struct, frozen=True):
    """Where a frame is in another one, from a time on."""

    timestamp: Time
    parent_frame_id: str
    child_frame_id: str
    translation: Vector3
    rotation: Quaternion


class FrameTransforms(Struct, frozen=True):
    """Where frames are."""

    transforms: tuple[FrameTransform, ...]


def time(seconds: float) -> Time:
    """A simulated time (s)."""
    nanoseconds = round(seconds * 1e9)
    return Time(nanoseconds // 1_000_000_000, nanoseconds % 1_000_000_000)


def name_of(message: type[Struct]) -> str:
    """Of a schema."""
    return f"foxglove.{message.__name__.removeprefix('Foxglove')}"


def schema_of(message: Any) -> dict[str, Any]:
    """The JSON schema of messages of a class, with nothing that it only refers to: as tools want it."""
    if message in (Time, Duration):
        seconds = {"type": "integer"} | ({"minimum": 0} if message is Time else {})
        nanoseconds = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
        title = message.__name__.lower()
        return {"type": "object", "title": title, "properties": {"sec": seconds, "nsec": nanoseconds}}
    if message in _PLAIN:
        return dict(_PLAIN[message])
    if get_origin(message) is Annotated:
        title, names = get_args(message)[1:]
        return {"title": title, "oneOf": [{"title": name, "const": value} for value, name in enumerate(names)]}
    if get_origin(message) is tuple:
        return {"type": "array", "items": schema_of(get_args(message)[0])}
    fields = get_type_hints(message, include_extras=True)
    properties = {name: schema_of(kind) for name, kind in fields.items()}
    return {"title": name_of(message), "type": "object", "properties": properties, "required": list(properties)}


_PLAIN: dict[Any, dict[str, Any]] = {
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    Integer: {"type": "integer", "minimum": 0},
}
