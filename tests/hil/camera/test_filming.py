"""One picture after the other: what is published, told, and kept account of."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from devs_robotics import Fix
from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan
from devs_robotics.hil.camera.filming import FilmAccount, film, summary
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.camera.sources import Exposure
from tests.hil.camera.overhead import LENS, PLACES, PLAN, view

CAMERA = view()
ALL = CAMERA.picture(PLACES)


def exposures(*hidden: tuple[int, ...], truth: bool = True) -> Iterator[Exposure | None]:
    for number, covered in enumerate(hidden):
        yield None
        picture = CAMERA.picture(PLACES, number, hidden=covered) if covered else ALL
        yield Exposure(picture, time.monotonic() - 0.02, PLACES if truth else None)


def run(*hidden: tuple[int, ...], lost: float = 1.0) -> tuple[FilmAccount, Localiser, list[str], list[list[Fix]]]:
    notes: list[str] = []
    published: list[list[Fix]] = []
    localiser = Localiser(PLAN, LENS)
    account = film(
        exposures(*hidden),  # type: ignore[arg-type]
        localiser,
        lambda fixes, now: published.append(fixes),
        tell=notes.append,
        lost=lost,
    )
    return account, localiser, notes, published


def test_fixes_carry_the_times_of_their_exposures() -> None:
    account, _, notes, published = run((), ())
    assert (account.pictures, account.placed, notes) == (2, 2, [])
    for fixes in published:
        assert [fix.robot for fix in fixes] == [1, 2, 3]
        assert len({fix.exposed for fix in fixes}) == 1
    assert published[0][0].exposed is not None
    assert published[1][0].exposed is not None
    assert published[0][0].exposed < published[1][0].exposed
    assert min(account.ages) >= 0.02
    assert max(account.position_mm) < 3.0
    assert max(account.heading_deg) < 4.0
    assert len(account.position_mm) == 6


def test_a_robot_that_stands_on_a_corner_marker_from_the_beginning_is_told() -> None:
    notes: list[str] = []
    poses = {**PLACES, 2: (PLAN.corners[42][0] - 0.04, PLAN.corners[42][1], 0.3)}
    taken = [Exposure(CAMERA.picture(poses, 0), time.monotonic(), truth) for truth in (poses, None)]
    film((each for each in taken), Localiser(PLAN, LENS), tell=notes.append)
    assert len(notes) == 2
    assert notes[0].startswith("corner marker 42 cannot be seen, so that nobody knows where the camera is")
    assert notes[0].endswith("; robot 2 stands on 42: have it begin elsewhere, or the markers lie outside")
    assert "stands on" not in notes[1]


def test_a_covered_corner_marker_is_told_once_and_when_it_is_seen_again() -> None:
    account, _, notes, _ = run((), (42,), (42,), ())
    assert notes == [
        "corner marker 42 cannot be seen: the camera is taken to be where it was",
        "all corner markers are seen",
    ]
    assert account.covered == {42: 2}


def test_until_it_is_known_where_the_camera_is_nothing_is_published_and_it_is_told_why() -> None:
    account, _, notes, published = run((40,), (40,), ())
    assert len(published) == 1
    assert (account.pictures, account.placed) == (3, 1)
    assert notes[0].startswith("corner marker 40 cannot be seen, so that nobody knows where the camera is")
    assert notes[1:] == ["all corner markers are seen"]


def test_what_is_seen_is_counted_where_nobody_knows_where_the_camera_is_too() -> None:
    account, localiser, _, _ = run((40,), (40, 17))
    lines = list(summary(account, localiser))
    assert lines[0] == "pictures  2, of which 0 could be used"
    assert {"corner  40  seen in 0 of 2", "corner  41  seen in 2 of 2"} < set(lines)
    assert {"robot    1  seen in 2 of 2", "robot    3  seen in 1 of 2"} < set(lines)


def test_a_robot_that_is_not_seen_for_a_while_is_told_and_has_no_fix() -> None:
    account, _, notes, published = run((), (17,), (17,), lost=1e-4)
    assert "robot 3 has not been seen for 0.0001 s" in notes
    assert [3 in [fix.robot for fix in fixes] for fixes in published] == [True, False, False]
    assert account.seen == {1: 3, 2: 3, 3: 1}
    _, _, notes, _ = run((), (17,), (), lost=1e-4)
    assert "robot 3 is seen again" in notes


def test_markers_of_nobody_and_those_that_are_there_twice_are_told_once() -> None:
    notes: list[str] = []
    few = view(plan=MarkerPlan({1: 1}, PLAN.corners))
    once, again = few.picture({1: PLACES[1]}), few.picture({1: (1.3, 1.3, 0.0)})
    both = np.where(few.picture({}) == once, again, once).astype(np.uint8)
    taken = (Exposure(image, time.monotonic()) for image in (once, once, both, both))
    account = film(taken, Localiser(MarkerPlan({2: 2}, PLAN.corners), LENS), tell=notes.append)
    assert notes == [
        "marker 1 belongs to no robot, and is left out",
        "marker 1 is there twice: give each robot one of its own",
    ]
    assert account.strange == {1: 2}
    assert "marker   1  belongs to no robot; seen in 2" in summary(account, Localiser(PLAN, LENS))


def test_pictures_of_another_size_end_it() -> None:
    with pytest.raises(CameraError, match="calibrate the lens with pictures of this size"):
        film(exposures(()), Localiser(PLAN, Lens.plain(320, 240, 240.0)))  # type: ignore[arg-type]


def test_it_ends_when_it_is_interrupted_or_its_time_is_over() -> None:
    assert film(exposures((), (), ()), Localiser(PLAN, LENS), interrupted=lambda: True).pictures == 0  # type: ignore[arg-type]
    assert film(exposures((), (), ()), Localiser(PLAN, LENS), duration=1e-9).pictures == 0  # type: ignore[arg-type]


def test_the_summary_says_what_was_seen() -> None:
    account, localiser, _, _ = run((), (42, 17))
    lines = list(summary(account, localiser))
    assert lines[0] == "pictures  2, of which 2 could be used"
    assert lines[1].startswith("camera    at (0.9")
    assert "corner  42  seen in 1 of 2" in lines
    assert "robot    3  seen in 1 of 2" in lines
    assert any(line.startswith("position  0.") for line in lines)
    assert any(line.startswith("age       ") for line in lines)
    assert next(summary(FilmAccount(), localiser)) == "pictures  0, of which 0 could be used"
