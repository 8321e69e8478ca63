"""Bodies that join and leave, are carried, and follow trajectories: where they are, what they touch, who is told."""

from __future__ import annotations

from math import cos, hypot, inf, isnan, pi, remainder, sin, tau
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Fix, ModelError
from devs_robotics.models.environment import (
    Become,
    Carry,
    Cast,
    Field,
    Follow,
    Halted,
    Join,
    Leave,
    Motion,
    MotionEnded,
    PutDown,
    SpaceManager,
    Traits,
    Twist,
    Watching,
)
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.sensing import Noticed, StrategyName
from tests.approximately import near
from tests.models.environment.driven import Run, drive
from tests.models.environment.spaces import space_manager
from tests.models.play import tell

RADIUS = 0.035
SIZE = 0.9


def field_with(*poses: tuple[float, float, float], size: float = SIZE, walled: bool = True) -> Field:
    field = Field(size, size, walled=walled)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    return field


PROFILE = Profile(0.5, 0.3, 0.4, 0.6, ((1.0, 0.2), (1.0, -0.2), (1.0, -0.2), (1.0, 0.2)))


@pytest.mark.parametrize("strategy", ["predict", "batch", "polling"])
def test_what_follows_a_profile_is_where_the_profile_is_and_stays_at_its_end(strategy: StrategyName) -> None:
    seen: list[float] = []

    def between(field: Field, now: float, following: float) -> None:
        for time in (now, 0.5 * (now + following), following):
            if time >= 0.5:
                assert field.bodies.pose(0, time) == near_pose(PROFILE.pose(time))
                seen.append(time)

    run = drive(
        field_with((0.3, 0.4, 0.6)),
        [Watching(Cast(1, (0.0, pi), 0.05), period=0.1)],
        later=[(0.5, Follow(1, PROFILE))],
        until=9.0,
        strategy=strategy,
        between=between,
    )
    assert max(seen) == 9.0
    assert not run.space.field.bodies.moving
    assert not run.space.field.bodies.paths
    assert (strategy == "polling") or run.events < 60  # no look after its end at 4.5 s


def near_pose(pose: tuple[float, float, float]) -> Any:
    return pytest.approx(pose, abs=1e-12)


@given(st.floats(-pi, pi), st.sampled_from([0.05, -0.1]), st.sampled_from([0.0, 0.7, -2.0]), st.floats(0.0, 5.0))
@settings(max_examples=25, deadline=None)
def test_what_is_carried_keeps_its_place_on_its_carrier(heading: float, speed: float, rate: float, time: float) -> None:
    """Against composing the poses: of a carrier on an arc, of what it carries, and of what that carries."""
    field = field_with(*((x, 2.0, heading) for x in (1.0, 2.0, 3.0)), size=4.0, walled=False)
    load = [(0.1, Carry(1, 2, 0.1, -0.05, 0.3)), (0.2, Carry(2, 3, -0.02, 0.04, -1.0))]
    drive(field, [Twist(1, speed, rate)], later=load, until=0.3 + time)
    first, second, third = (field.pose(body) for body in range(3))
    assert second == near_angle(composed(first, (0.1, -0.05, 0.3)))
    assert third == near_angle(composed(second, (-0.02, 0.04, -1.0)))


def composed(frame: tuple[float, float, float], place: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, heading = frame
    ahead, left, turned = place
    return (
        x + cos(heading) * ahead - sin(heading) * left,
        y + sin(heading) * ahead + cos(heading) * left,
        heading + turned,
    )


class near_angle:  # noqa: N801
    """Equals a pose up to rounding, and full turns of its heading."""

    def __init__(self, pose: tuple[float, float, float]) -> None:
        self.pose = pose

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, tuple)
        off = remainder(other[2] - self.pose[2], tau)
        return hypot(other[0] - self.pose[0], other[1] - self.pose[1]) < 1e-9 and abs(off) < 1e-9

    __hash__ = None  # type: ignore[assignment]


def told(run: Run, robot: int) -> list[tuple[float, float]]:
    """When a robot's first beam was told which distance."""
    return [(each.time, each.values[0]) for each in run.noticed if each.robot == robot]


WATCH = Watching(Cast(1, (0.0,), 0.05), period=0.1)


@pytest.mark.parametrize("strategy", ["predict", "batch", "polling"])
def test_who_joins_is_seen_and_who_leaves_is_not(strategy: StrategyName) -> None:
    """Whatever its size: the first one is as large as the field has none yet."""
    changes = [(1.0, Join(2, 0.44, 0.4, 0.0, 0.08)), (2.0, Leave(2)), (3.0, Join(3, 0.41, 0.4, 0.0, RADIUS))]
    run = drive(field_with((0.3, 0.4, 0.0)), [WATCH], later=changes, until=4.0, strategy=strategy)
    expected = [(0.0, inf), (1.0, near(0.025)), (2.0, inf), (3.0, near(0.04))]
    assert [(near(time, 0.1 + 1e-9), value) for time, value in told(run, 1)] == expected
    assert all(isnan(each) for each in run.space.field.pose(1))


def test_a_large_body_that_joins_is_not_driven_into() -> None:
    """Larger than all for which lists of neighbours were made."""
    run = drive(
        field_with((0.2, 0.4, 0.0)), [Twist(1, 0.1, 0.0)], later=[(0.5, Join(2, 0.7, 0.4, 0.0, 0.15))], until=9.0
    )
    assert run.space.field.pose(0)[0] == near(0.7 - 0.15 - RADIUS)
    assert [(time, each.stopped) for time, each in run.stopped] == [(near(3.15), True)]


def test_who_was_held_by_a_body_that_leaves_goes_on() -> None:
    run = drive(field_with((0.2, 0.4, 0.0), (0.4, 0.4, 0.0)), [Twist(1, 0.1, 0.0)], later=[(2.0, Leave(2))], until=3.0)
    assert [(time, each.stopped) for time, each in run.stopped] == [(near(1.3), True), (2.0, False)]
    assert run.space.field.pose(0)[0] == near(0.2 + 0.13 + 0.1)


def test_who_is_before_a_robot_after_a_fix_is_not_driven_into() -> None:
    run = drive(
        field_with((0.2, 0.4, 0.0), (0.4, 0.7, 0.0)),
        [Twist(1, 0.1, 0.0)],
        later=[(0.5, Fix(2, 0.4, 0.4, 0.0))],
        until=3.0,
    )
    assert run.space.field.clearance(0) == near(0.0, 1e-6)


def test_who_follows_a_profile_stops_at_its_first_contact_and_gives_it_up() -> None:
    profile = Profile(0.0, 0.2, 0.4, 0.0, ((1.0, 0.2), (1.0, 0.0)))
    run = drive(
        field_with((0.2, 0.4, 0.0), (0.4, 0.4, 0.0)), [], later=[(0.0, Follow(1, profile)), (5.0, Leave(2))], until=9.0
    )
    ((time, stopped),) = run.stopped
    assert stopped == Halted(1, True)
    assert profile.pose(time)[0] == near(0.33)
    assert run.space.field.pose(0) == (near(0.33), 0.4, 0.0)


def test_who_is_told_otherwise_leaves_its_profile() -> None:
    profile = Profile(0.0, 0.2, 0.4, 0.0, ((4.0, 0.0),), speed=0.1)
    run = drive(
        field_with((0.2, 0.4, 0.0)), [], later=[(0.0, Follow(1, profile)), (1.0, Twist(1, -0.1, 0.0))], until=1.5
    )
    assert run.space.field.pose(0) == (near(0.25), 0.4, 0.0)


def test_levels_are_told_at_their_instants_on_a_profile_too() -> None:
    """Of a robot, and of what stands there; and those of walls, both ways."""
    profile = Profile(0.0, 0.3, 0.4, 0.0, ((2.0, 0.2), (2.0, -0.2)))
    watch = Watching(Cast(1, (0.0,), 0.1), levels=(0.04,))
    run = drive(field_with((0.3, 0.4, 0.0), (0.6, 0.4, 0.0)), [watch], later=[(0.0, Follow(1, profile))], until=3.0)
    _, crossed, *_ = run.noticed
    assert profile.pose(crossed.time)[0] == near(0.6 - 2 * RADIUS - 0.04)
    back = Profile(0.0, 0.66, 0.4, 0.0, ((1.0, 0.0), (1.0, -0.4), (2.0, 0.0)), speed=0.12)
    run = drive(field_with((0.66, 0.4, 0.0)), [watch], later=[(0.0, Follow(1, back))], until=4.0)
    _, there, away = run.noticed
    assert (there.rising, away.rising) == (False, True)
    assert [back.pose(each.time)[0] for each in (there, away)] == [near(SIZE - RADIUS - 0.04)] * 2


def test_what_is_carried_touches_nothing_and_is_seen() -> None:
    """The carrier drives on, and so does who meets the cargo first; a beam that passes by the carrier ends at it."""
    field = field_with((0.3, 0.4, 0.0), (0.1, 0.1, 0.0), (0.6, 0.45, 0.0))
    run = drive(
        field, [Twist(1, 0.05, 0.0)], later=[(0.0, Carry(1, 2, 0.06, 0.06))], until=4.0,
    )  # fmt: skip
    assert not run.stopped
    assert field.pose(0) == (near(0.5), 0.4, 0.0)
    assert field.clearance(0) == near(hypot(0.1, 0.05) - 2 * RADIUS)
    assert field.cast(2, pi - 0.1, 0.5) < 0.02


def test_a_carried_robot_does_not_drive_and_is_where_its_carrier_takes_it() -> None:
    space = space_manager(field_with((0.3, 0.4, 0.0), (0.1, 0.1, 0.0)))
    said = tell(space, (space.body_change, Carry(1, 2, -0.05)))
    assert [(value.robot, value.x) for name, value in said if name == "pose_change"] == [(2, near(0.25))]
    assert tell(space, (space.motion, Motion(2, 0.0, 0.1))) == [("moved2", MotionEnded(2, 0.0, 0.0, True))]
    tell(space, (space.twist, Twist(2, 0.1, 0.0)), (space.fix, Fix(2, 0.8, 0.8, 0.0)))
    said = tell(space, (space.motion, Motion(1, 0.0, 0.1)))
    assert [(value.robot, value.x) for name, value in said if name == "pose_change"] == [
        (1, near(0.4)),
        (2, near(0.35)),
    ]
    tell(space, (space.body_change, PutDown(1, 2)))
    tell(space, (space.motion, Motion(1, 0.0, 0.1)))
    assert space.field.pose(1) == (near(0.35), 0.4, 0.0)


def test_who_leaves_takes_along_what_it_carries_and_is_not_answered() -> None:
    space = space_manager(field_with((0.3, 0.4, 0.0), (0.1, 0.1, 0.0), (0.5, 0.4, pi)))
    tell(space, (space.body_change, Carry(1, 2)), (space.body_change, Leave(1)))
    assert all(isnan(space.field.pose(body)[0]) for body in (0, 1))
    assert tell(space, (space.question, Cast(1, (0.0,), 1.0))) == []
    ((_, distances),) = tell(space, (space.question, Cast(3, (0.0,), 1.0)))
    assert distances.values == (near(0.5 - RADIUS),)


def test_traits_have_defaults_and_can_be_changed() -> None:
    space = space_manager(field_with((0.3, 0.4, 0.0)))
    assert space.field.bodies.traits == [Traits("robot", "", "virtual", 0.1)]
    door, red = Traits("door", reality="real", height=2.0), Traits(colour="red")
    tell(space, (space.body_change, Join(2, 0.6, 0.4, 0.0, 0.1, door)), (space.body_change, Become(1, red)))
    assert space.field.bodies.traits == [red, door]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Join(5, 0.5, 0.5, 0.0, 0.1), "numbers are given in turn, and not used again: the next one is 4"),
        (Join(3, 0.5, 0.5, 0.0, 0.1), "not used again"),
        (Join(4, inf, 0.5, 0.0, 0.1), "a finite pose and a radius of more than 0 m"),
        (Leave(3), "there is no body 3, or not any more"),
        (Carry(1, 4), "there is no body 4"),
        (Carry(2, 1), "body 2 cannot carry body 1, by which it is carried itself, or which it is"),
        (Carry(1, 1), "body 1 cannot carry body 1"),
        (PutDown(2, 1), "it does not carry that"),
        (Follow(2, Profile(0.0, 0.0, 0.0, 0.0, ())), "it is carried, and moves with its carrier"),
        (Follow(1, Profile(0.0, inf, 0.0, 0.0, ())), "poses and speeds of a trajectory must be finite"),
    ],
)
def test_what_cannot_be_is_told(change: Any, words: str) -> None:
    space: SpaceManager = space_manager(field_with((0.3, 0.4, 0.0), (0.1, 0.1, 0.0), (0.5, 0.4, pi)))
    tell(space, (space.body_change, Carry(1, 2)), (space.body_change, Leave(3)))
    with pytest.raises(ModelError, match=words):
        tell(space, (space.body_change, change))


@pytest.mark.parametrize("strategy", ["predict", "batch"])
def test_a_world_in_which_all_rest_has_no_events_whoever_is_carried(strategy: StrategyName) -> None:
    changes = [(0.0, Carry(1, 2, 0.1)), (0.0, Join(4, 0.5, 0.7, 0.0, 0.05)), (1.0, Leave(3))]
    field = field_with((0.3, 0.4, 0.0), (0.1, 0.1, 0.0), (0.5, 0.4, pi))
    run = drive(field, [WATCH], later=changes, until=1000.0, strategy=strategy)
    assert run.events < 12
    assert all(isinstance(each, Noticed) or each.time <= 1.2 for each in run.noticed)
