"""Looks at one picture after the other, tells where robots are, and keeps account of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import degrees, hypot, inf, pi, remainder

import numpy as np
from msgspec import Struct, field

from devs_robotics.core.robots.messages import Fix
from devs_robotics.core.robots.track_gate import LOST, TrackGate
from devs_robotics.hil.camera.camera_plan import MarkerPlan, Place
from devs_robotics.hil.camera.detection import Image
from devs_robotics.hil.camera.geometry import unseen_corners
from devs_robotics.hil.camera.localiser import Localiser, LookedAt
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.camera.sources import Exposure, Exposures

Publish = Callable[[list[Fix], float], None]
"""Gets the fixes of a picture, their `exposed` by `time.monotonic`, and the time now."""


class FilmAccount(Struct):
    """What the pictures so far have come to.

    Attributes:
        pictures: how many there were
        placed: how many of them could be used, since it was known where the camera is
        seen: pictures in which each robot was seen, by its number, whether they could be used or not
        covered: pictures in which each corner marker was not seen, likewise
        strange: pictures with each marker that belongs to nobody
        ages: time from the exposure until each picture's fixes were there (s)
        position_mm, heading_deg: errors of all fixes, where the truth is known
    """

    pictures: int = 0
    placed: int = 0
    seen: dict[int, int] = field(default_factory=dict)
    covered: dict[int, int] = field(default_factory=dict)
    strange: dict[int, int] = field(default_factory=dict)
    ages: list[float] = field(default_factory=list)
    position_mm: list[float] = field(default_factory=list)
    heading_deg: list[float] = field(default_factory=list)

    def miss(self, robots: Iterable[int], covered: Iterable[int]) -> None:
        """Add a picture that cannot be used, in which these robots are seen, and these corner markers are not."""
        _count(self.seen, robots)
        _count(self.covered, covered)

    def take(self, looked: LookedAt, exposure: Exposure, now: float) -> None:
        """Add a picture."""
        self.placed += 1
        self.ages.append(now - exposure.time)
        _count(self.seen, looked.places)
        _count(self.strange, looked.strange)
        _count(self.covered, looked.covered)
        for robot, place in looked.places.items():
            if exposure.truth is not None and robot in exposure.truth:
                position, heading = errors(place, exposure.truth[robot])
                self.position_mm.append(1000.0 * position)
                self.heading_deg.append(abs(degrees(heading)))


def _count(counts: dict[int, int], found: Iterable[int]) -> None:
    for each in found:
        counts[each] = counts.get(each, 0) + 1


def errors(place: Place, truth: Place) -> tuple[float, float]:
    """Distance from the truth (m), and how far the heading is turned counter-clockwise from it (rad)."""
    return hypot(place[0] - truth[0], place[1] - truth[1]), remainder(place[2] - truth[2], 2.0 * pi)


def film(
    exposures: Exposures,
    localiser: Localiser,
    publish: Publish = lambda fixes, now: None,
    *,
    draw: Callable[[Image, LookedAt | None], None] = lambda image, looked: None,
    share: Callable[[Exposure, LookedAt | None], None] = lambda exposure, looked: None,
    tell: Callable[[str], None] = lambda note: None,
    interrupted: Callable[[], bool] = lambda: False,
    lost: float = LOST,
    duration: float = inf,
) -> FilmAccount:
    """Look at pictures until there are no more, or until it is interrupted.

    Args:
        exposures: the pictures
        localiser: of the camera
        publish: gets the fixes of each
        draw: gets each, and what it says, when its fixes are published
        share: the same, with the time of its exposure
        tell: gets sentences for people, each when it begins to be true
        interrupted: asked after each picture whether to end
        lost: time without a fix after which it is told that a robot is not seen (s)
        duration: how long (s)

    Returns:
        what they came to
    """
    account, notes = FilmAccount(), _Notes(tell)
    gate = TrackGate(dict.fromkeys(localiser.plan.robots.values(), inf), lost)
    end = time.monotonic() + duration
    for exposure in exposures:
        if exposure is not None:
            account.pictures += 1
            looked = _look(exposure, localiser, publish, account, gate, notes)
            draw(exposure.image, looked)
            share(exposure, looked)
        notes.now(f"robot {change.robot} has not been seen for {lost:g} s" for change in gate.lose(time.monotonic()))
        if interrupted() or time.monotonic() >= end:
            break
    return account


def _look(
    exposure: Exposure, localiser: Localiser, publish: Publish, account: FilmAccount, gate: TrackGate, notes: _Notes
) -> LookedAt | None:
    """Look at one picture; returns what it says, None where nobody knows where the camera is."""
    try:
        looked = localiser.look(exposure.image)
    except CameraError as error:
        if localiser.pose is None and exposure.image.shape[:2] == (localiser.lens.height, localiser.lens.width):
            robots, unseen = localiser.plan.robots, unseen_corners(localiser.seen, localiser.plan)
            notes.state("camera", f"{error}{_who_covers(unseen, exposure.truth, localiser.plan)}")
            account.miss(
                (robots[marker] for marker in localiser.seen if marker in robots),
                unseen,
            )
            return None
        raise
    now = time.monotonic()
    account.take(looked, exposure, now)
    fixes = [Fix(robot, *place, exposure.time) for robot, place in sorted(looked.places.items())]
    publish(fixes, now)
    for fix in fixes:
        gate.judge(fix, now)
        if gate.found(fix.robot) is not None:
            notes.now([f"robot {fix.robot} is seen again"])
    names = ", ".join(map(str, looked.covered))
    many = "s" if len(looked.covered) > 1 else ""
    kept = (
        "the camera has been moved, so that nothing is told"
        if looked.moved
        else "the camera is taken to be where it was"
    )
    notes.state("camera", f"corner marker{many} {names} cannot be seen: {kept}" if names else "")
    for marker in looked.strange:
        notes.once(f"marker {marker} belongs to no robot, and is left out")
    for marker in looked.twice:
        notes.once(f"marker {marker} is there twice: give each robot one of its own")
    return looked


def _who_covers(unseen: Iterable[int], truth: Mapping[int, Place] | None, plan: MarkerPlan) -> str:
    """Which robots stand on corner markers that are not seen, where it is known where robots are."""
    standing = [
        f"robot {robot} stands on {marker}"
        for marker in unseen
        for robot, (x, y, _) in sorted((truth or {}).items())
        if hypot(x - plan.corners[marker][0], y - plan.corners[marker][1]) < 1.5 * plan.corner_size
    ]
    return f"; {', '.join(standing)}: have it begin elsewhere, or the markers lie outside" if standing else ""


class _Notes:
    """Tells people what is new."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[str] = set()
        self._states: dict[str, str] = {}

    def now(self, notes: Iterable[str]) -> None:
        """Tell each."""
        for note in notes:
            self._tell(note)

    def once(self, note: str) -> None:
        """Tell it if it was not told before."""
        if note not in self._told:
            self._told.add(note)
            self._tell(note)

    def state(self, about: str, note: str) -> None:
        """Tell it if it is another one than before; empty: all is well."""
        before = self._states.get(about, "")
        self._states[about] = note
        if note and note != before:
            self._tell(note)
        elif before and not note:
            self._tell("all corner markers are seen")


def summary(account: FilmAccount, localiser: Localiser) -> Iterator[str]:
    """What the pictures came to, as lines for people."""
    plan, pictures = localiser.plan, account.pictures
    yield f"pictures  {pictures}, of which {account.placed} could be used"
    if localiser.pose is not None:
        x, y, height = localiser.pose.place
        place = f"at ({x:.3f}, {y:.3f}) m, {height:.3f} m above the floor"
        yield f"camera    {place}; corners fit to {localiser.pose.error:.2f} px"
    for marker in sorted(plan.corners):
        yield f"corner {marker:3}  seen in {pictures - account.covered.get(marker, 0)} of {pictures}"
    for robot in sorted(plan.robots.values()):
        yield f"robot {robot:4}  seen in {account.seen.get(robot, 0)} of {pictures}"
    for marker, count in sorted(account.strange.items()):
        yield f"marker {marker:3}  belongs to no robot; seen in {count}"
    if account.ages:
        yield f"age       {_sizes([1000.0 * age for age in account.ages], 0)} ms (mean / p95 / max)"
    if account.position_mm:
        yield f"position  {_sizes(account.position_mm, 2)} mm off the truth (mean / p95 / max)"
        yield f"heading   {_sizes(account.heading_deg, 2)} degrees off the truth"


def _sizes(values: list[float], digits: int) -> str:
    sizes = float(np.mean(values)), float(np.quantile(values, 0.95)), max(values)
    return " / ".join(f"{size:.{digits}f}" for size in sizes)
