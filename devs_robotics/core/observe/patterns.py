"""Patterns of paths: which models, and which of their ports, are meant.

``robot*/motor`` means every atomic model whose path has these segments one after the other, so also all models
below a coupled model; ``robot*/motor.done`` means one port of the models whose path ends so. ``*``, ``?`` and ``[]``
stand for parts of a segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import translate
from typing import Any

from msgspec import Struct
from xdevs.models import Port

from devs_robotics.core.errors import DevsRoboticsError

MANY = 1000
"""Number of models among which a name that was meant is looked for."""


class Pattern(Struct, frozen=True):
    """One pattern, ready to be held against paths.

    Attributes:
        text: as it was written
        segments: of the path, each a regular expression
        port: of the port's name; None where all ports are meant, and the model itself
    """

    text: str
    segments: tuple[re.Pattern[str], ...]
    port: re.Pattern[str] | None

    def names_model(self, path: str) -> bool:
        """Whether the model of this path is meant, with all its ports."""
        return self.port is None and self._runs(path.split("/"), 0)

    def names_port(self, path: str, port: str) -> bool:
        """Whether this port of the model of this path is meant."""
        if self.port is not None and self.port.match(port) is None:
            return False
        names = path.split("/")
        return self._runs(names, 0 if self.port is None else len(names) - len(self.segments))

    def _runs(self, names: Sequence[str], start: int) -> bool:
        """Whether the segments stand one after the other in `names`, somewhere from `start` on."""
        count = len(self.segments)
        return any(
            all(segment.match(name) for segment, name in zip(self.segments, names[at:], strict=False))
            for at in range(max(start, 0), len(names) - count + 1)
        )


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; raises DevsRoboticsError when it is empty in parts."""
    path, dot, port = text.partition(".")
    segments = path.strip("/").split("/")
    if not all(segments) or (dot and not port):
        raise DevsRoboticsError(
            f"{text!r} is no pattern of models or ports: write one such as robot*/motor or robot3/motor.done"
        )
    expressions = tuple(re.compile(translate(segment)) for segment in segments)
    return Pattern(text, expressions, re.compile(translate(port)) if dot else None)


class Selection:
    """What several patterns mean together; none of them means everything."""

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        self.patterns = [parse_pattern(text) for text in patterns]

    def has_model(self, path: str) -> bool:
        """Whether the model of this path is meant as a whole."""
        return not self.patterns or any(pattern.names_model(path) for pattern in self.patterns)

    def has_port(self, path: str, port: str) -> bool:
        """Whether values through this port are meant."""
        return not self.patterns or any(pattern.names_port(path, port) for pattern in self.patterns)

    def ports(self, path: str, ports: Iterable[Port[Any]]) -> list[Port[Any]]:
        """Those of a model's ports that are meant."""
        return [port for port in ports if self.has_port(path, port.name)]

    def check(self, models: Iterable[tuple[str, Sequence[Port[Any]]]]) -> None:
        """Raise DevsRoboticsError if one of the patterns means nothing among these paths and ports."""
        known = list(models)
        for pattern in self.patterns:
            if not any(
                pattern.names_model(path) or any(pattern.names_port(path, port.name) for port in ports)
                for path, ports in known
            ):
                names = [name for path, ports in known[:MANY] for name in (path, *(f"{path}.{p.name}" for p in ports))]
                alike = get_close_matches(pattern.text, names, n=3, cutoff=0.0)
                raise DevsRoboticsError(
                    f"no model or port fits the pattern {pattern.text!r}: there is {', '.join(alike)}"
                )
