"""How well a camera above a field finds robots, in pictures of which it is known where these are."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import cos, degrees, hypot, pi, radians, remainder, sin, tan

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import PCG64, Generator, SeedSequence

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Mounting, Place, corner_places
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.lab.overhead_view import OverheadView, PictureQuality

WIDTH, HEIGHT = 1.8, 1.95
"""Of the field (m)."""

ROBOTS = 10

POSES = 120
"""Robots in all pictures of a row together."""

FOCAL = 0.75
"""Focal length, in widths of a picture."""

TURN = radians(2.0)
"""Of the camera: nobody hangs one up quite straight."""

PUBLISHED_BEND = (-0.303, 0.210, -1.0e-4, 9.9e-4, -0.191)
"""Distortion of the lens of the published testbed."""


class Conditions(Struct, frozen=True):
    """What pictures are like: one row of the table.

    Attributes:
        name: for people
        width, height: of the pictures (pixels)
        family: of the markers
        refined: whether corners are refined
        bent: whether the lens is the published one
        tilt: of the camera (rad)
        look: blur, noise and motion
        flat: whether the height of robots' markers is left out of account, as where a floor's picture is straightened
    """

    name: str
    width: int = 1280
    height: int = 960
    family: str = "4x4"
    refined: bool = True
    bent: bool = False
    tilt: float = radians(5.0)
    look: PictureQuality = PictureQuality()
    flat: bool = False


ROWS = (
    Conditions("640 x 480, 6x6", 640, 480, "6x6"),
    Conditions("640 x 480", 640, 480),
    Conditions("1280 x 960, 6x6", family="6x6"),
    Conditions("1280 x 960"),
    Conditions("1920 x 1440", 1920, 1440),
    Conditions("corners not refined", refined=False),
    Conditions("the published lens", bent=True),
    Conditions("tilted 15 degrees", tilt=radians(15.0)),
    Conditions("blur 1.5 px, noise 10", look=PictureQuality(1.5, 10.0)),
    Conditions("motion blur 7 px", look=PictureQuality(motion=7)),
    Conditions("motion blur 11 px", look=PictureQuality(motion=11)),
    Conditions("markers taken to be flat", flat=True),
)


class Accuracy(Struct, frozen=True):
    """What a row came to.

    Attributes:
        conditions: of the row
        poses: robots in all pictures
        seen: how many of them were found
        side: mean length of a robot's marker (pixels)
        position_mm: errors: mean, 95th percentile, largest
        heading_deg: errors without their signs: mean, 95th percentile, largest
        cpu_ms: processor time for a picture
    """

    conditions: Conditions
    poses: int
    seen: int
    side: float
    position_mm: tuple[float, float, float]
    heading_deg: tuple[float, float, float]
    cpu_ms: float


def lens_of(conditions: Conditions) -> Lens:
    """The lens of a row."""
    plain = Lens.plain(conditions.width, conditions.height, FOCAL * conditions.width)
    return (
        Lens(plain.width, plain.height, plain.fx, plain.fy, plain.cx, plain.cy, PUBLISHED_BEND)
        if conditions.bent
        else plain
    )


def mounting_over(width: float, height: float, tilt: float, above: float = 2.3, turn: float = TURN) -> Mounting:
    """A camera whose axis meets the middle of a field of a size (m)."""
    aside = above * tan(tilt)
    return Mounting(0.5 * width + aside * sin(turn), 0.5 * height - aside * cos(turn), above, tilt, turn)


def measure(conditions: Conditions, poses: int = POSES, seed: int = 1) -> Accuracy:
    """Make the pictures of a row, and find the robots in them; each picture has `ROBOTS` of them.

    Args:
        conditions: of the row
        poses: robots in all pictures together
        seed: of where they stand, and of the noise
    """
    plan = MarkerPlan({robot: robot for robot in range(1, ROBOTS + 1)}, corner_places(WIDTH, HEIGHT), conditions.family)
    lens = lens_of(conditions)
    view = OverheadView(lens, mounting_over(WIDTH, HEIGHT, conditions.tilt), plan, look=conditions.look, seed=seed)
    known = replace(plan, height=0.0) if conditions.flat else plan
    localiser = Localiser(known, lens, refined=conditions.refined)
    positions: list[float] = []
    headings: list[float] = []
    cpu = 0.0
    scenes = list(_scenes(plan, poses // ROBOTS, seed))
    for number, scene in enumerate(scenes):
        picture = view.picture(scene, number)
        begun = time.process_time()
        try:
            found = localiser.look(picture).places
        except CameraError:  # no corner marker is seen
            found = {}
        cpu += time.process_time() - begun
        for robot, (x, y, heading) in found.items():
            true_x, true_y, true_heading = scene[robot]
            positions.append(1000.0 * hypot(x - true_x, y - true_y))
            headings.append(abs(degrees(remainder(heading - true_heading, 2.0 * pi))))
    side = lens.fx * plan.size / (2.3 - plan.height)
    cpu_ms = 1000.0 * cpu / len(scenes)
    return Accuracy(conditions, ROBOTS * len(scenes), len(positions), side, _sizes(positions), _sizes(headings), cpu_ms)


def table(rows: Sequence[Conditions] = ROWS, poses: int = POSES, seed: int = 1) -> Iterator[str]:
    """The rows as lines for people, each as soon as it is there."""
    yield heading()
    for conditions in rows:
        yield row_of(measure(conditions, poses, seed))


def heading() -> str:
    """What stands above the rows, two lines."""
    kinds = f"{'pictures':24} {'px':>3}  {'seen':>10}  {'position mm':>21}  {'heading deg':>12}  {'CPU ms':>6}"
    return f"{kinds}\n{'':24} {'':>3}  {'':>10}  {'mean / p95 / max':>21}  {'mean / p95':>12}"


def row_of(got: Accuracy) -> str:
    """A row as a line for people."""
    position = " / ".join(f"{each:.2f}" for each in got.position_mm) if got.seen else ""
    turned = " / ".join(f"{each:.1f}" for each in got.heading_deg[:2]) if got.seen else ""
    seen = f"{got.seen} of {got.poses}"
    return f"{got.conditions.name:24} {got.side:3.0f}  {seen:>10}  {position:>21}  {turned:>12}  {got.cpu_ms:6.0f}"


def _sizes(errors: list[float]) -> tuple[float, float, float]:
    if not errors:
        return 0.0, 0.0, 0.0
    return float(np.mean(errors)), float(np.quantile(errors, 0.95)), max(errors)


def _scenes(plan: MarkerPlan, pictures: int, seed: int) -> Iterator[dict[int, Place]]:
    """Where robots stand in each picture: apart from each other, and not on corner markers."""
    random = Generator(PCG64(SeedSequence(seed, spawn_key=(1 << 20,))))

    def free(x: float, y: float, others: Sequence[Place]) -> bool:
        corners = all(hypot(x - at[0], y - at[1]) > 0.25 for at in plan.corners.values())
        return corners and all(hypot(x - at[0], y - at[1]) > 0.17 for at in others)

    for _ in range(pictures):
        places: list[Place] = []
        while len(places) < len(plan.robots):
            x, y = random.uniform(0.15, WIDTH - 0.15), random.uniform(0.15, HEIGHT - 0.15)
            if free(x, y, places):
                places.append((float(x), float(y), float(random.uniform(-pi, pi))))
        yield dict(zip(plan.robots.values(), places, strict=True))
