"""Arena files: JSON with the bounds of an arena, a channel and obstacles, in centimetres and degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from math import cos, sin
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.robots.colours import rgb
from devs_robotics.hil.pera_swarm.arena import WireArena, angle, metres
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle
from devs_robotics.hil.pera_swarm.values import REALITY
from devs_robotics.hil.robot_protocol import UNREADABLE

WALL_DEPTH_CM = 2.0
"""Walls are so thick, whatever their file says (cm)."""

LARGEST_CM = 1e7
"""Largest number in a file: no arena is so wide, and with larger ones sums are not finite."""

DEFAULT_HEIGHT_CM = 10.0
"""Of what does not say it; it plays no part in sensing (cm)."""


ENTRY_KEYS = ("type", "name", "description", "id", "reality", "parameters")
"""Of an obstacle; `id` means nothing here."""

PARAMETERS = ("x", "y", "orientation", "width", "depth", "height", "radius", "color")
"""Of obstacles of any type."""


class ArenaFileError(DevsRoboticsError):
    """An arena file cannot be used; its text names every mistake in it, one on each line."""


class ArenaFile(Struct, frozen=True):
    """What an arena file says.

    Attributes:
        arena: its bounds and its channel
        obstacles: in the order of the file
    """

    arena: WireArena
    obstacles: tuple[ArenaObstacle, ...]


def read_arena(data: bytes | str, name: str = "the arena file") -> ArenaFile:
    """What an arena file says.

    Args:
        data: its content
        name: of the file, for people

    Raises:
        ArenaFileError: it has mistakes; all of them are told
    """
    try:
        content = msgspec.json.decode(data)
    except UNREADABLE as error:
        raise ArenaFileError(f"{name} is no JSON ({error}): correct it there") from None
    if not isinstance(content, dict):
        raise ArenaFileError(f"{name} must be a JSON object with 'arena' and 'obstacles'")
    mistakes: list[str] = []
    _misspelt(content, ("arena", "channel", "obstacles"), "", mistakes)
    arena = _arena(content, mistakes)
    entries = content.get("obstacles", [])
    obstacles: list[ArenaObstacle] = []
    if not isinstance(entries, list):
        mistakes.append("'obstacles' must be an array")
        entries = []
    for number, entry in enumerate(entries, 1):
        found = _Entry(number, entry, arena).obstacle(mistakes)
        if found is not None:
            obstacles.append(found)
    if mistakes:
        raise ArenaFileError("\n".join(f"{name}: {mistake}" for mistake in mistakes))
    return ArenaFile(arena, tuple(obstacles))


def channel_mistake(channel: object) -> str:
    """What is wrong with a channel's name; empty: nothing."""
    if isinstance(channel, str) and 0 < len(channel) <= 15 and not set(channel) & set("/+#\0"):
        return ""
    return f"must be a text of 1 to 15 characters without '/', '+' and '#', not {channel!r}"


def _arena(content: dict[str, Any], mistakes: list[str]) -> WireArena:
    bounds = content.get("arena")
    if not isinstance(bounds, dict):
        mistakes.append("'arena' must be an object with xMin, xMax, yMin and yMax (cm)")
        return WireArena()
    _misspelt(bounds, ("xMin", "xMax", "yMin", "yMax", "units"), "arena.", mistakes)
    values: dict[str, float] = {}
    for key in ("xMin", "xMax", "yMin", "yMax"):
        given = bounds.get(key)
        value = _finite(given)
        if value is None:
            mistakes.append(f"'arena.{key}' must be a number of centimetres{_up_to(given)}, not {given!r}")
        else:
            values[key] = value
    for axis in "xy":
        low, high = values.get(f"{axis}Min"), values.get(f"{axis}Max")
        if low is not None and high is not None and low >= high:
            mistakes.append(
                f"'arena.{axis}Min' must be less than 'arena.{axis}Max', and {low:g} is not less than {high:g}"
            )
    if bounds.get("units", "cm") != "cm":
        mistakes.append(f"'arena.units' must be \"cm\", not {bounds['units']!r}")
    channel = content.get("channel", "v1")
    if mistake := channel_mistake(channel):
        mistakes.append(f"'channel' {mistake}")
    if mistakes:
        return WireArena()
    return WireArena(values["xMin"], values["xMax"], values["yMin"], values["yMax"], channel)


def _misspelt(given: dict[str, Any], known: Sequence[str], before: str, mistakes: list[str]) -> None:
    """Tell keys that are nearly others; those of which nothing is known may be of use to somebody else.

    Args:
        given: an object of the file
        known: its keys
        before: what stands before a key, for people
        mistakes: to which they are added
    """
    by_key = {key.casefold(): key for key in known}
    for key in given:
        if key in known:
            continue
        near = get_close_matches(key.casefold(), by_key, 1, 0.75)
        if near:
            mistakes.append(f"'{before}{key}': there is no such key: did you mean {by_key[near[0]]!r}?")


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) <= LARGEST_CM else None


def _up_to(value: object) -> str:
    """What to say of a number that is none of ours only because it is too large."""
    return f" up to {LARGEST_CM:g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""


class _Entry:
    """One obstacle of a file."""

    def __init__(self, number: int, entry: object, arena: WireArena) -> None:
        self.number = number
        self.entry = entry
        self.arena = arena
        self.mistakes: list[str] = []
        self.name = ""
        self.parameters: dict[str, Any] = {}

    def obstacle(self, mistakes: list[str]) -> ArenaObstacle | None:
        """The obstacle; None where there are mistakes, which are added to the others."""
        found = self._obstacle()
        called = f" ({self.name})" if self.name else ""
        mistakes += [f"obstacle {self.number}{called}: {mistake}" for mistake in self.mistakes]
        return None if self.mistakes else found

    def _obstacle(self) -> ArenaObstacle | None:
        entry = self.entry
        if not isinstance(entry, dict):
            self.mistakes.append(f"must be an object, not {entry!r}")
            return None
        name = entry.get("name", entry.get("description", ""))
        self.name = name if isinstance(name, str) else ""
        _misspelt(entry, ENTRY_KEYS, "", self.mistakes)
        kind, parameters = entry.get("type"), entry.get("parameters")
        maker = _MAKERS.get(kind) if isinstance(kind, str) else None
        if maker is None:
            self.mistakes.append(f"'type' must be one of {', '.join(_MAKERS)}, not {kind!r}")
        if entry.get("reality", "V") not in ("V", "R"):
            self.mistakes.append(f'\'reality\' must be "V" or "R", not {entry["reality"]!r}')
        if not isinstance(parameters, dict):
            self.mistakes.append("'parameters' must be an object")
        if maker is None or not isinstance(parameters, dict):
            return None
        self.parameters = parameters
        _misspelt(parameters, PARAMETERS, "parameters.", self.mistakes)
        values = maker(self)
        colour = parameters.get("color", "")
        if not isinstance(colour, str) or (colour and rgb(colour) is None):
            self.mistakes.append(f"'color' must be such as \"#FF0000\", not {colour!r}")
        if self.mistakes:
            return None
        return ArenaObstacle(
            kind=kind,  # type: ignore[arg-type]  # the makers have no other keys
            name=self.name,
            reality=REALITY[entry.get("reality", "V")],
            colour=colour,
            height=metres(self._number("height", DEFAULT_HEIGHT_CM)),
            **values,
        )

    def _number(self, key: str, default: float | None = None) -> float:
        value = self.parameters.get(key)
        found = default if value is None else _finite(value)
        if found is None:
            self.mistakes.append(f"'{key}' must be a number{_up_to(value)}, not {value!r}")
            return 1.0
        return found

    def _size(self, key: str) -> float:
        value = self._number(key)
        if value <= 0.0:
            self.mistakes.append(f"'{key}' must be more than 0, not {value:g}")
        return metres(value)

    def _wall(self) -> dict[str, float]:
        x_cm, y_cm, length_cm = self._number("x"), self._number("y"), self._number("width")
        heading = angle(self._number("orientation", 0.0))
        self._size("width")
        x, y = self.arena.place(x_cm + 0.5 * length_cm * cos(heading), y_cm + 0.5 * length_cm * sin(heading))
        return {"x": x, "y": y, "heading": heading, "length": metres(length_cm), "depth": metres(WALL_DEPTH_CM)}

    def _box(self) -> dict[str, float]:
        x, y = self.arena.place(self._number("x"), self._number("y"))
        heading = angle(self._number("orientation", 0.0))
        return {"x": x, "y": y, "heading": heading, "length": self._size("width"), "depth": self._size("depth")}

    def _round(self) -> dict[str, float]:
        x, y = self.arena.place(self._number("x"), self._number("y"))
        return {"x": x, "y": y, "radius": self._size("radius")}


_MAKERS: dict[str, Callable[[_Entry], dict[str, float]]] = {
    "wall": _Entry._wall,
    "box": _Entry._box,
    "cylinder": _Entry._round,
    "sphere": _Entry._round,
}


def field_table(arena: WireArena, obstacles: Iterable[ArenaObstacle]) -> dict[str, Any]:
    """What a scenario file would say of the same world in its table ``[field]``: an unwalled field in metres."""
    return {
        "width": arena.width,
        "height": arena.height,
        "walls": False,
        "obstacles": [_obstacle_table(each) for each in obstacles],
    }


def _obstacle_table(obstacle: ArenaObstacle) -> dict[str, Any]:
    told: dict[str, Any] = {"x": obstacle.x, "y": obstacle.y, "reality": obstacle.reality}
    if obstacle.colour:
        told["colour"] = obstacle.colour
    if obstacle.is_round:
        return {"shape": "circle", "radius": obstacle.radius, **told}
    size = {"width": obstacle.length, "height": obstacle.depth, "heading": obstacle.heading}
    return {"shape": "box", **size, **told}
