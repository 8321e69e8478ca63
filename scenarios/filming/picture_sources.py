"""The pictures that a camera's file, or an option, names."""

from __future__ import annotations

from math import tan
from pathlib import Path

from devs_robotics.hil.camera.camera_plan import Lens
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.camera.sources import Exposures, from_device, from_film, from_folder, from_laboratory
from devs_robotics.hil.lab.overhead_view import OverheadView, PictureQuality
from devs_robotics.scenarios.filming.camera_file import CameraFile, mounting, read_lens

TRUTH = ".jsonl"

LONGEST_NUMBER = 9
"""Digits of a device's number."""


def is_device(source: str) -> bool:
    """Whether this is the number of a device, or the address of one, whose pictures come at their own times."""
    return (source.isascii() and source.isdigit() and len(source) <= LONGEST_NUMBER) or "://" in source


def lens_for(file: CameraFile, source: str, beside: Path) -> Lens:
    """The lens of a source: the laboratory's is known, unless there is a file.

    Args:
        file: of the camera
        source: of the pictures
        beside: folder that relative paths are meant from

    Raises:
        CameraError: there is none
    """
    path = beside / file.camera.lens
    if source.endswith(TRUTH) and not path.exists():
        return Lens.plain(
            file.camera.width, file.camera.height, 0.5 * file.camera.width / tan(0.5 * file.rendered.view)
        )
    return read_lens(path)


def view_of(file: CameraFile, lens: Lens) -> OverheadView:
    """The camera above the laboratory."""
    rendered = file.rendered
    look = PictureQuality(rendered.blur, rendered.noise)
    return OverheadView(lens, mounting(file), file.plan, rendered.radius, look, rendered.seed)


def exposures(file: CameraFile, source: str, lens: Lens | None, *, live: bool) -> Exposures:
    """The pictures of a source.

    Args:
        file: of the camera
        source: number of a device, address of one, or a path
        lens: of the camera; the laboratory needs it
        live: whether they come at their times, and those of a laboratory that is running

    Raises:
        CameraError: there is no such source
    """
    if is_device(source):
        name = source if "://" in source else int(source)
        return from_device(name, file.camera.width, file.camera.height, file.camera.latency)
    path = Path(source)
    if not path.exists():
        raise CameraError(f"there is no {source!r}: name the number of a camera, a film, or a folder of pictures")
    if path.is_dir():
        return from_folder(path, 1.0 / file.camera.period, paced=live)
    if path.suffix == TRUTH:
        if lens is None:
            raise CameraError(f"{source} is no picture of a board: name a camera, a film, or a folder of pictures")
        return from_laboratory(path, view_of(file, lens), file.camera.period, followed=live)
    return from_film(path, paced=live)
