"""Pictures of the arena as a camera above it sees it: markers on the floor and on robots, bent, blurred and noisy.

Rays are traced from pixels to planes by code of its own, which shares nothing with what finds places in such pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, cos, floor, hypot, sin

import numpy as np
from msgspec import Struct
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import FAMILIES, RIM, Lens, MarkerPlan, Mounting, Place
from devs_robotics.hil.camera.opencv import opencv

SUPERSAMPLED = 3
"""Rays for each pixel, in either direction."""

WHITE, BLACK, FLOOR, ROBOT = 220, 30, 130, 70
"""Grey levels: of paper, print, the floor and robots."""

ROUNDS = 12
"""Steps in which a ray's bend is undone; each leaves less than half of the error."""

_Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


class PictureQuality(Struct, frozen=True):
    """What is between the light and a picture.

    Attributes:
        blur: standard deviation of its smoothing (pixels)
        noise: standard deviation of each pixel (grey levels)
        motion: pixels over which all is smeared along the rows while the shutter is open; 0 or 1: nothing is
    """

    blur: float = 0.6
    noise: float = 4.0
    motion: int = 0


USUAL = PictureQuality()


class Sheet(Struct, frozen=True):
    """Something flat and level: a sheet of paper, or a disc.

    Attributes:
        place: of its middle; its columns go along its heading
        height: above the floor (m)
        half: half of its length along its heading; of a disc its radius (m)
        cells: grey levels by row and column, square ones; None: a disc
    """

    place: Place
    height: float
    half: float
    cells: NDArray[np.uint8] | None


class OverheadView:
    """Makes the pictures of one camera.

    Args:
        lens, mounting: of the camera
        markers: what lies on the floor, and what robots carry
        radius: of robots (m)
        look: of the pictures
        seed: of their noise
    """

    def __init__(
        self,
        lens: Lens,
        mounting: Mounting,
        markers: MarkerPlan,
        radius: float = 0.06,
        look: PictureQuality = USUAL,
        seed: int = 1,
    ) -> None:
        self.lens = lens
        self.look = look
        self._markers = markers
        self._radius = radius
        self._seed = seed
        self._place = np.array([mounting.x, mounting.y, mounting.height])
        c, s, ct, st = cos(mounting.turn), sin(mounting.turn), cos(mounting.tilt), sin(mounting.tilt)
        ahead = np.array([-s * st, c * st, -ct])
        right = np.array([c, s, 0.0])
        self._axes = np.array([right, np.cross(ahead, right), ahead])
        """The camera's right, down and ahead, in the field."""
        self._codes: dict[int, NDArray[np.uint8]] = {}
        self._empty: tuple[frozenset[int], Picture, Picture] | None = None
        """The field without robots: which corner markers are covered, by rays and by pixels."""

    def picture(self, poses: Mapping[int, Place], number: int = 0, hidden: Sequence[int] = ()) -> Picture:
        """What it sees; grey levels by row from the top.

        Args:
            poses: of robots, by their numbers
            number: of the picture, which its noise depends on
            hidden: ids of markers that something covers
        """
        covered = frozenset(marker for marker in self._markers.corners if marker in hidden)
        if self._empty is None or self._empty[0] != covered:
            self._empty = (covered, *self._painted(self._corner_sheets(covered)))
        _, empty, pixels = self._empty
        canvas, pixels = empty.copy(), pixels.copy()
        boxes = [self._paint(canvas, sheet) for sheet in self._robot_sheets(poses, hidden)]
        for left, top, right, bottom in boxes:
            if left < right and top < bottom:
                part = canvas[SUPERSAMPLED * top : SUPERSAMPLED * bottom, SUPERSAMPLED * left : SUPERSAMPLED * right]
                pixels[top:bottom, left:right] = _reduced(part)
        return self._taken(pixels, number)

    def sheets(self, sheets: Sequence[Sheet], number: int = 0) -> Picture:
        """The same of sheets, the lowest first."""
        return self._taken(self._painted(sheets)[1], number)

    def _painted(self, sheets: Sequence[Sheet]) -> tuple[Picture, Picture]:
        """Sheets on the floor, by rays and by pixels."""
        canvas = np.full((SUPERSAMPLED * self.lens.height, SUPERSAMPLED * self.lens.width), FLOOR, dtype=np.uint8)
        for sheet in sheets:
            self._paint(canvas, sheet)
        return canvas, _reduced(canvas)

    def _taken(self, pixels: Picture, number: int) -> Picture:
        """Smeared, blurred and noisy."""
        cv2, look = opencv(), self.look
        picture = pixels.astype(np.float32)
        if look.motion > 1:
            picture = cv2.blur(picture, (look.motion, 1))
        if look.blur:
            picture = cv2.GaussianBlur(picture, (0, 0), look.blur)
        if look.noise:
            random = Generator(PCG64(SeedSequence(self._seed, spawn_key=(number,))))
            picture += np.float32(look.noise) * random.standard_normal(picture.shape, dtype=np.float32)
        return np.asarray(np.clip(np.rint(picture), 0, 255), dtype=np.uint8)

    def pixels(self, points: _Floats) -> _Floats:
        """Where points of the field are seen: rows of column and row (pixels, from the middle of the upper left one).

        Args:
            points: rows of x, y and z (m)
        """
        camera = (points - self._place) @ self._axes.T
        bent_x, bent_y = self._bend(camera[:, 0] / camera[:, 2], camera[:, 1] / camera[:, 2])
        return np.column_stack([self.lens.fx * bent_x + self.lens.cx, self.lens.fy * bent_y + self.lens.cy])

    # inside

    def _corner_sheets(self, covered: frozenset[int]) -> list[Sheet]:
        plan = self._markers
        return [
            self._marker(marker, place, 0.0, plan.corner_size)
            for marker, place in plan.corners.items()
            if marker not in covered
        ]

    def _robot_sheets(self, poses: Mapping[int, Place], hidden: Sequence[int]) -> list[Sheet]:
        plan, sheets = self._markers, []
        for robot, pose in poses.items():
            sheets.append(Sheet(pose, plan.height, self._radius, None))
            for marker, carrier in plan.robots.items():
                if carrier == robot and marker not in hidden:
                    sheets.append(self._marker(marker, pose, plan.height, plan.size))
        return sheets

    def _marker(self, marker: int, place: Place, height: float, size: float) -> Sheet:
        """A marker of a size, with its rim around it."""
        cells = self._cells(marker)
        return Sheet(place, height, 0.5 * size * len(cells) / (len(cells) - 2.0 * RIM), cells)

    def _cells(self, marker: int) -> NDArray[np.uint8]:
        """A marker with its rim, one number per cell."""
        if marker not in self._codes:
            aruco = opencv().aruco
            family = aruco.getPredefinedDictionary(getattr(aruco, FAMILIES[self._markers.family]))
            printed = aruco.generateImageMarker(family, marker, family.markerSize + 2, borderBits=1)
            paper = np.pad(printed, RIM, constant_values=255)
            self._codes[marker] = np.where(paper > 127, WHITE, BLACK).astype(np.uint8)
        return self._codes[marker]

    def _paint(self, canvas: Picture, sheet: Sheet) -> tuple[int, int, int, int]:
        """Paint a sheet over what is there; returns the pixels in which it is: left, top, right, bottom."""
        x, y, heading = sheet.place
        c, s = cos(heading), sin(heading)
        rows_per_column = 1.0 if sheet.cells is None else sheet.cells.shape[0] / sheet.cells.shape[1]
        upright = sheet.half * rows_per_column
        reach = hypot(sheet.half, upright)
        around = np.array([[x + dx, y + dy, sheet.height] for dx in (-reach, reach) for dy in (-reach, reach)])
        pixels = self.pixels(around)
        low, high = pixels.min(axis=0) - 1.0, pixels.max(axis=0) + 2.0
        left, right = max(0, floor(low[0])), min(self.lens.width, ceil(high[0]))
        top, bottom = max(0, floor(low[1])), min(self.lens.height, ceil(high[1]))
        box = left, top, right, bottom
        if left >= right or top >= bottom:
            return box
        columns = (np.arange(SUPERSAMPLED * left, SUPERSAMPLED * right) + 0.5) / SUPERSAMPLED - 0.5
        rows = (np.arange(SUPERSAMPLED * top, SUPERSAMPLED * bottom) + 0.5) / SUPERSAMPLED - 0.5
        points = self._meets(columns[None, :], rows[:, None], sheet.height)
        dx, dy = points[0] - x, points[1] - y
        ahead, aside = c * dx + s * dy, c * dy - s * dx
        part = canvas[SUPERSAMPLED * top : SUPERSAMPLED * bottom, SUPERSAMPLED * left : SUPERSAMPLED * right]
        if sheet.cells is None:
            part[ahead * ahead + aside * aside <= sheet.half * sheet.half] = ROBOT
            return box
        down, across = sheet.cells.shape
        column = np.floor((ahead + sheet.half) * (0.5 * across / sheet.half)).astype(np.int64)
        row = np.floor((upright - aside) * (0.5 * down / upright)).astype(np.int64)
        inside = (column >= 0) & (column < across) & (row >= 0) & (row < down)
        part[inside] = sheet.cells[row[inside], column[inside]]
        return box

    def _meets(self, columns: _Floats, rows: _Floats, height: float) -> tuple[_Floats, _Floats]:
        """Where the rays of pixels meet a level sheet."""
        shape = np.broadcast_shapes(columns.shape, rows.shape)
        bent_x = np.broadcast_to((columns - self.lens.cx) / self.lens.fx, shape)
        bent_y = np.broadcast_to((rows - self.lens.cy) / self.lens.fy, shape)
        x, y = bent_x, bent_y
        if any(self.lens.distortion):
            for _ in range(ROUNDS):
                again_x, again_y = self._bend(x, y)
                x, y = x + bent_x - again_x, y + bent_y - again_y
        right, down, ahead = self._axes
        ray = [x * right[axis] + y * down[axis] + ahead[axis] for axis in range(3)]
        way = (height - self._place[2]) / ray[2]
        return self._place[0] + way * ray[0], self._place[1] + way * ray[1]

    def _bend(self, x: _Floats, y: _Floats) -> tuple[_Floats, _Floats]:
        """Where the lens puts what a pinhole would see at x and y (Brown's model)."""
        k1, k2, p1, p2, k3 = self.lens.distortion
        square = x * x + y * y
        radial = 1.0 + square * (k1 + square * (k2 + square * k3))
        bent_x = x * radial + 2.0 * p1 * x * y + p2 * (square + 2.0 * x * x)
        bent_y = y * radial + p1 * (square + 2.0 * y * y) + 2.0 * p2 * x * y
        return bent_x, bent_y


def _reduced(canvas: Picture) -> Picture:
    """The mean of the rays of each pixel."""
    cv2, (height, width) = opencv(), canvas.shape
    size = (width // SUPERSAMPLED, height // SUPERSAMPLED)
    return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
