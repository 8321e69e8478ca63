"""A camera above a field, its markers, and pictures of it, for tests."""

from __future__ import annotations

from math import radians
from typing import Any

import msgspec

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Mounting, corner_places
from devs_robotics.hil.lab.overhead_view import OverheadView, PictureQuality
from devs_robotics.hil.testing.camera_accuracy import FOCAL, HEIGHT, PUBLISHED_BEND, WIDTH, mounting_over

PLAN = MarkerPlan({1: 1, 2: 2, 17: 3}, corner_places(WIDTH, HEIGHT))
LENS = Lens.plain(640, 480, FOCAL * 640)
BENT = msgspec.structs.replace(LENS, distortion=PUBLISHED_BEND)
OVER = mounting_over(WIDTH, HEIGHT, radians(5.0))
PLACES = {1: (0.6, 0.7, 0.4), 2: (1.2, 0.8, -2.0), 3: (0.9, 1.4, 3.0)}
CLEAR = PictureQuality(0.4, 0.0)


def view(lens: Lens = LENS, mounting: Mounting = OVER, plan: MarkerPlan = PLAN, **options: Any) -> OverheadView:
    """A camera; its pictures have little blur and no noise, unless the options say otherwise."""
    return OverheadView(lens, mounting, plan, **{"look": CLEAR, **options})
