"""Messages of ROS 2 beside those that robots speak: maps, the clock, and parts of markers, as bytes (CDR)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from devs_robotics.hil.protocols.ros2.messages import Stamp
from devs_robotics.hil.protocols.ros2.type_store import type_store, write

MARKERS = "visualization_msgs/msg/MarkerArray"
GRID = "nav_msgs/msg/OccupancyGrid"
CLOCK = "rosgraph_msgs/msg/Clock"

Cells = np.ndarray[tuple[int, ...], np.dtype[np.int8]]
"""Of a map: 0 free, 100 occupied; a row per y, from below."""


def made(kind: str, *fields: Any) -> Any:
    """A message, or a part of one, of a type such as ``geometry_msgs/msg/Point``, of its fields in their order."""
    return _class(kind)(*fields)


@cache
def _class(kind: str) -> Any:
    return type_store().types[kind]


def header(frame: str, time: float) -> Any:
    """A header: a frame and a time (s)."""
    return made("std_msgs/msg/Header", _stamp(time), frame)


def write_clock(time: float) -> bytes:
    """What time it is (s)."""
    return write(CLOCK, made(CLOCK, _stamp(time)))


def write_grid(frame: str, cells: Cells, size: float, corner: tuple[float, float], time: float) -> bytes:
    """A map of cells.

    Args:
        frame: of the field
        cells: of it
        size: of a cell (m)
        corner: of the first cell, in the field (m)
        time: of it (s)
    """
    rows, columns = cells.shape
    place = made("geometry_msgs/msg/Point", *corner, 0.0)
    origin = made("geometry_msgs/msg/Pose", place, made("geometry_msgs/msg/Quaternion", 0.0, 0.0, 0.0, 1.0))
    facts = made("nav_msgs/msg/MapMetaData", _stamp(time), size, columns, rows, origin)
    return write(GRID, made(GRID, header(frame, time), facts, cells.ravel()))


def _stamp(time: float) -> Any:
    stamp = Stamp.of(time)
    return made("builtin_interfaces/msg/Time", stamp.sec, stamp.nanosec)
