"""The newest picture of a camera above a field, and how places in the field are seen in it, in a file of its own.

The camera's process writes it, and a live view reads it. The file is always replaced as a whole: who reads it never
sees half of one, and neither waits for the other.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 1 << 20
"""Longest file of a picture; a longer one is none."""

MOST_SIDE = 4096
"""Largest width and height (pixels)."""

AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How a file is opened, so that nobody waits for who is at the other end, should it be a pipe."""

JPEG = b"\xff\xd8"
"""How pictures begin."""

Pixels = Annotated[int, Meta(ge=1, le=MOST_SIDE)]
Row = tuple[float, float, float]


class Calibration(Struct, frozen=True):
    """How places are seen in a picture: a pinhole, and what its lens bends (Brown's model, as OpenCV has it).

    Attributes:
        fx, fy: focal lengths (pixels of this picture)
        cx, cy: where its axis meets the picture, from the middle of the upper left pixel (pixels)
        distortion: k1, k2, p1, p2, k3
        rotation: from the field's axes to the camera's: right, down, ahead (3 rows of 3)
        place: of the camera in the field (m)
        height: of the robots' markers above the floor (m)
    """

    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float]
    rotation: tuple[Row, Row, Row]
    place: Row
    height: float

    @property
    def numbers(self) -> list[float]:
        """All of them in a row, as they are listed above."""
        rotation = [value for row in self.rotation for value in row]
        return [self.fx, self.fy, self.cx, self.cy, *self.distortion, *rotation, *self.place, self.height]


class OverheadPicture(Struct, frozen=True):
    """A picture.

    Attributes:
        exposed: Unix time of the middle of its exposure (s)
        width, height: of it (pixels)
        jpeg: the picture
        calibration: how places are seen in it; None: nobody knows where the camera is
    """

    exposed: float
    width: Pixels
    height: Pixels
    jpeg: bytes
    calibration: Calibration | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(OverheadPicture).decode


def write_picture(path: Path, picture: OverheadPicture) -> None:
    """Put a picture in the place of the one before.

    Raises:
        OSError: it cannot be written
    """
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(_encode(picture))
    new.replace(path)


class PictureReader:
    """Reads the newest picture of a file, once each.

    Args:
        path: of the file, which need not be there yet

    Attributes:
        trouble: why the file holds no picture, since the last look; empty: it does, or is not there
    """

    def __init__(self, path: Path) -> None:
        self.trouble = ""
        self._path = path
        self._known: tuple[int, ...] = ()

    def read(self) -> OverheadPicture | None:
        """A picture that is new since the last call; None: there is none."""
        try:
            about = self._path.stat()
            known = about.st_ino, about.st_mtime_ns, about.st_size
            if known == self._known:
                return None
            self._known, self.trouble = known, ""
            return self._picture(about)
        except FileNotFoundError:
            self._known, self.trouble = (), ""
            return None
        except (OSError, ValueError, RecursionError) as exc:
            why = exc.strerror or exc if isinstance(exc, OSError) else exc
            self.trouble = f"{self._path} holds no picture of devs-robotics camera --share ({why})"
            return None

    def _picture(self, about: os.stat_result) -> OverheadPicture:
        """What is in the file; raises a ValueError where that is no picture."""
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is no file")
        if about.st_size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES >> 20} MB")
        with os.fdopen(os.open(self._path, AT_ONCE), "rb") as file:
            picture = _decode(file.read(MOST_BYTES + 1))
        if not picture.jpeg.startswith(JPEG):
            raise ValueError("what is in it is no JPEG")
        return picture
