"""Markers to be printed: each as a picture, and all of them as a PDF in their true sizes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from devs_robotics.hil.camera.calibration import BoardPlan, charuco_board
from devs_robotics.hil.camera.camera_plan import RIM, MarkerPlan
from devs_robotics.hil.camera.detection import dictionary
from devs_robotics.hil.camera.opencv import CameraError, opencv

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages

CELL = 40
"""Pixels of a cell in pictures."""

A4 = (0.210, 0.297)
"""Of a page (m)."""

INCH = 0.0254


def marker_picture(family: str, marker: int) -> NDArray[np.uint8]:
    """A marker with its white rim.

    Raises:
        CameraError: the family has no such marker
    """
    kind = dictionary(family)
    count = len(kind.bytesList)
    if not 0 <= marker < count:
        raise CameraError(f"markers of the family {family!r} have ids from 0 to {count - 1}: there is no {marker}")
    side = (int(kind.markerSize) + 2) * CELL
    printed = opencv().aruco.generateImageMarker(kind, marker, side, borderBits=1)
    return np.pad(np.asarray(printed, dtype=np.uint8), RIM * CELL, constant_values=255)


def write_markers(folder: Path, plan: MarkerPlan, board: BoardPlan | None = None) -> list[Path]:
    """Write a PNG for each marker, one for the board that calibrates lenses, and ``print.pdf`` with all in their sizes.

    Args:
        folder: which is made where there is none
        plan: of the markers
        board: of the board

    Returns:
        the files

    Raises:
        CameraError: a marker is larger than a page, the family has none such, or the folder cannot be written
    """
    board = board or BoardPlan()
    cells = int(dictionary(plan.family).markerSize) + 2
    rim = (cells + 2.0 * RIM) / cells
    sheets = [
        (f"robot_{robot}_marker_{marker}", marker_picture(plan.family, marker), plan.size * rim)
        for marker, robot in sorted(plan.robots.items(), key=lambda each: each[1])
    ]
    sheets += [
        (f"corner_marker_{marker}", marker_picture(plan.family, marker), plan.corner_size * rim)
        for marker in sorted(plan.corners)
    ]
    sheets.append(("board", _board_picture(board), board.columns * board.square))
    try:
        return _write(folder, sheets)
    except OSError as error:
        raise CameraError(f"{folder} cannot be written ({error.strerror}): name another folder") from error


def _write(folder: Path, sheets: list[tuple[str, NDArray[np.uint8], float]]) -> list[Path]:
    from matplotlib.backends.backend_pdf import PdfPages

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    pdf = folder / "print.pdf"
    with PdfPages(pdf, metadata={"CreationDate": None}) as pages:
        for name, picture, width in sheets:
            _page(pages, name, picture, width)
            files.append(folder / f"{name}.png")
            files[-1].write_bytes(opencv().imencode(".png", picture)[1].tobytes())
    return [*files, pdf]


def _page(pages: PdfPages, name: str, picture: NDArray[np.uint8], width: float) -> None:
    """A page with a picture in its true width (m), and its name below it."""
    from matplotlib.figure import Figure

    height = width * picture.shape[0] / picture.shape[1]
    across, down = A4 if height >= width or width <= A4[0] else A4[::-1]
    if width > across or height > down:
        raise CameraError(f"{name} is {100 * width:.1f} cm wide, more than a page: make it smaller")
    page = Figure(figsize=(across / INCH, down / INCH))
    left, bottom = 0.5 * (1.0 - width / across), 0.5 * (1.0 - height / down)
    axes = page.add_axes((left, bottom, width / across, height / down))
    axes.imshow(picture, cmap="gray", vmin=0, vmax=255, interpolation="nearest", aspect="auto")
    axes.axis("off")
    label = f"{name.replace('_', ' ')}, {1000 * width:.0f} mm wide: print without scaling"
    page.text(0.5, max(0.02, bottom - 0.03), label, ha="center", size=9)
    pages.savefig(page)  # type: ignore[no-untyped-call]


def _board_picture(board: BoardPlan) -> NDArray[np.uint8]:
    size = (board.columns * 4 * CELL, board.rows * 4 * CELL)
    return np.asarray(charuco_board(board).generateImage(size), dtype=np.uint8)
