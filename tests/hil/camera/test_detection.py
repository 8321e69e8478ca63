"""Markers in pictures."""

from __future__ import annotations

from math import radians
from typing import Any

import numpy as np
import pytest

from devs_robotics.hil.camera.camera_plan import FAMILIES, Lens, MarkerPlan
from devs_robotics.hil.camera.detection import MarkerDetector, dictionary
from devs_robotics.hil.camera.geometry import marker_corners
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.lab.overhead_view import PictureQuality
from tests.hil.camera.overhead import LENS, PLACES, PLAN, view

SHARP = Lens.plain(960, 720, 0.75 * 960)


def off(detector: MarkerDetector, look: PictureQuality, number: int = 0) -> tuple[float, float]:
    """How far corner markers' corners are found from where they are (pixels): mean, largest."""
    camera = view(SHARP, look=look)
    seen = detector.detect(camera.picture(PLACES, number))
    errors = [
        np.linalg.norm(seen[marker] - camera.pixels(marker_corners(place, PLAN.corner_size)), axis=1)
        for marker, place in PLAN.corners.items()
    ]
    return float(np.mean(errors)), float(np.max(errors))


def test_edges_tell_the_corners_of_large_markers_to_a_tenth_of_a_pixel() -> None:
    mean, largest = off(MarkerDetector("4x4"), PictureQuality())
    assert (mean < 0.12, largest < 0.3) == (True, True)
    rough, _ = off(MarkerDetector("4x4", refined=False), PictureQuality())
    assert rough > 3.0 * mean


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_seen(family: str) -> None:
    plan = MarkerPlan(PLAN.robots, PLAN.corners, family, size=0.12)
    picture = view(SHARP, plan=plan).picture(PLACES)
    assert set(MarkerDetector(family).detect(picture)) == {1, 2, 17, *PLAN.corners}


def test_colours_make_no_difference() -> None:
    picture = view().picture(PLACES)
    coloured = opencv().cvtColor(picture, opencv().COLOR_GRAY2BGR)
    grey, colour = MarkerDetector("4x4").detect(picture), MarkerDetector("4x4").detect(coloured)
    assert list(grey) == list(colour) == sorted(grey)
    assert all(np.abs(grey[marker] - colour[marker]).max() < 0.05 for marker in grey)


def test_a_marker_that_is_there_twice_is_told_of_and_not_told() -> None:
    camera = view(plan=MarkerPlan({1: 1, 2: 2}, PLAN.corners))
    once, again = camera.picture({1: PLACES[1]}), camera.picture({1: (1.3, 1.3, 0.0)})
    both = np.where(camera.picture({}) == once, again, once).astype(np.uint8)
    detector = MarkerDetector("4x4")
    assert 1 not in detector.detect(both)
    assert detector.twice == (1,)
    assert 1 in detector.detect(once)
    assert not detector.twice


@pytest.mark.parametrize("look", [PictureQuality(0.6, 12.0), PictureQuality(1.2, 4.0), PictureQuality(motion=5)])
def test_poor_pictures_of_nothing_show_nothing(look: PictureQuality) -> None:
    empty = view(plan=MarkerPlan({1: 1}, {}), look=look).picture({})
    assert MarkerDetector("4x4").detect(empty) == {}


def test_markers_in_the_dark_are_left_as_they_are_found() -> None:
    picture = view(SHARP).picture(PLACES)
    dim = (picture // 14 + 40).astype(np.uint8)
    seen = MarkerDetector("4x4").detect(dim)
    assert all(np.isfinite(corners).all() for corners in seen.values())


def test_a_family_that_there_is_not_is_told() -> None:
    with pytest.raises(CameraError, match="there is no family '3x3' of markers: take one of 4x4, 5x5, 6x6, 7x7"):
        dictionary("3x3")


def test_a_tilted_marker_far_from_the_middle_is_seen() -> None:
    places: Any = {1: (0.3, 1.75, radians(45.0))}
    assert 1 in MarkerDetector("4x4").detect(view(LENS, look=PictureQuality()).picture(places))
