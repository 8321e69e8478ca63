"""Bodies are solid, and a perfect robot is exact."""

from __future__ import annotations

from math import cos, hypot, pi, remainder, sin

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.courses import Manoeuvre, Slip, WheelDrive
from devs_robotics.hil.lab.physics import STEP, Body, Physics
from devs_robotics.hil.lab.plan import LabDisc
from devs_robotics.hil.robot_protocol import Ranges, Sense, Touch
from tests.approximately import near
from tests.hil.lab.scenes import arenas, gap
from tests.hil.lab.small_lab import SmallLab, move, stand_in

signed = st.floats(-1.0, 1.0)
commands = st.lists(st.tuples(st.booleans(), signed, signed), min_size=1, max_size=6)
moves = st.lists(st.tuples(st.floats(-4.0, 4.0), st.floats(-0.4, 0.4)), min_size=1, max_size=5)


@settings(max_examples=60)
@given(arenas(), commands, st.sampled_from([0.3, 2.0, float("inf")]), st.floats(-0.1, 0.1), signed)
def test_a_body_is_never_inside_anything(
    scene: tuple[Arena, list[Body]],
    commands: list[tuple[bool, float, float]],
    acceleration: float,
    stretch: float,
    swerve: float,
) -> None:
    arena, bodies = scene
    assume(bodies)
    physics = Physics(arena, bodies)
    slip = Slip(stretch, swerve)
    for number, (wheels, one, other) in enumerate(commands):
        for body in bodies[number % 2 :]:
            body.course = (
                WheelDrive(
                    physics.now,
                    body.pose,
                    (0.0, 0.0),
                    speeds=(0.0, 0.0),
                    targets=(one, other),
                    acceleration=acceleration,
                    axle=0.1,
                    slip=slip,
                )
                if wheels
                else Manoeuvre(
                    physics.now,
                    body.pose,
                    3 * one,
                    other,
                    speed=1.0,
                    turn_rate=5.0,
                    acceleration=acceleration,
                    axle=0.1,
                    slip=slip,
                )
            )
        until = physics.now + 0.5
        while physics.next_time <= until:
            physics.advance(physics.next_time)
            for body in bodies:
                others = [other for other in bodies if other is not body]
                assert gap(arena, body.x, body.y, others) - body.radius > -1e-9


@given(moves)
def test_a_perfect_robot_is_exact_move_after_move(moves: list[tuple[float, float]]) -> None:
    lab = SmallLab(stand_in(x=5.0, y=5.0, heading=0.3), width=10.0, height=10.0)
    x, y, heading = lab.pose()
    for number, (turn, distance) in enumerate(moves, start=1):
        begun = lab.now
        lab.say(move(number, turn, distance))
        lab.attend(abs(turn) / 2.0 + abs(distance) / 0.5 + 0.05)
        heading = remainder(heading + turn, 2 * pi)
        x, y = x + distance * cos(heading), y + distance * sin(heading)
        assert lab.pose() == (x, y, heading)
        report = lab.moved()[-1]
        assert (report.id, report.turn, report.distance, report.ended) == (number, turn, distance, "done")
        ended = next(time for time, data in lab.heard[1] if b'"moved"' in data and b'"id":%d,' % number in data)
        assert ended == begun + (abs(turn) / 2.0 + abs(distance) / 0.5)


def test_a_body_stops_where_it_first_touches_a_wall() -> None:
    lab = SmallLab(stand_in(x=3.5))
    lab.say(move(1, distance=1.0))
    lab.attend(2.0)
    assert lab.pose() == (near(3.95), 1.0, 0.0)
    (report,) = lab.moved()
    assert (report.ended, report.distance) == ("blocked", near(0.45))
    touched = next(time for time, data in lab.heard[1] if b'"moved"' in data)
    assert 0.9 - 1e-9 <= touched <= 0.9 + STEP
    lab.say(move(2, distance=-0.2))
    lab.attend(1.0)
    assert lab.pose()[0] == near(3.75)


def test_a_body_stops_at_an_obstacle_and_at_another_body() -> None:
    lab = SmallLab(stand_in(), stand_in(2, x=1.5), discs=(LabDisc(1.0, 1.6, 0.1),))
    lab.say(move(1, distance=1.0))
    lab.attend(3.0)
    assert lab.pose()[0] == near(1.4)
    lab.say(move(2, distance=-0.4))
    lab.attend(1.0)
    lab.say(move(3, turn=pi / 2, distance=1.0))
    lab.attend(3.0)
    assert lab.pose()[1] == near(1.45)
    assert lab.moved()[-1].distance == near(0.45)


def test_two_bodies_that_meet_head_on_touch_in_the_middle() -> None:
    lab = SmallLab(stand_in(), stand_in(2, x=2.0, heading=pi))
    for robot in (1, 2):
        lab.say(move(1, distance=1.0, robot=robot))
    for _ in range(30):
        lab.attend(0.1, robot=1)
        lab.attend(0.0, robot=2)
        lab.wait(0.0)
        if lab.now > 0.45:  # both have to hear the host
            break
    lab.wait(0.4)
    x1, x2 = lab.pose(1)[0], lab.pose(2)[0]
    assert x2 - x1 >= 0.1 - 1e-9


def test_an_obstructed_robot_with_slip_reports_what_its_wheels_did() -> None:
    lab = SmallLab(stand_in(x=3.0, stretch=0.2), seed=4)
    lab.say(move(1, distance=2.0))
    lab.attend(4.0)
    (report,) = lab.moved()
    gone = lab.pose()[0] - 3.0
    assert gone == near(0.95)
    assert report.ended == "blocked"
    assert abs(gone / report.distance - 1.0) <= 0.2
    assert report.distance != near(gone)


def test_slip_is_drawn_from_streams_that_other_robots_do_not_shift() -> None:
    def way(*others: int) -> float:
        robots = [stand_in(robot, y=0.2 * robot, stretch=0.1, swerve=0.2) for robot in (1, *others)]
        lab = SmallLab(*robots, seed=7)
        for robot in others:
            lab.say(move(1, distance=0.1, robot=robot))
        lab.say(move(1, distance=0.5))
        lab.attend(1.5)
        return lab.pose()[0]

    assert way() == way(2) == way(2, 3)
    assert way() != 1.5


def test_two_robots_slip_differently() -> None:
    lab = SmallLab(stand_in(stretch=0.1), stand_in(2, y=2.0, stretch=0.1))
    for robot in (1, 2):
        lab.say(move(1, distance=0.1, robot=robot))
    lab.wait(0.3)
    assert lab.pose(1)[0] != lab.pose(2)[0]


def test_whiskers_feel_what_is_ahead() -> None:
    lab = SmallLab(stand_in(x=3.0, whisker_reach=0.1))
    lab.say(move(1, distance=0.9))
    lab.attend(2.0)
    assert [touch.touching for touch in lab.reports(Touch)] == [True]
    lab.say(move(2, distance=-0.1))
    lab.attend(1.0)
    assert [touch.touching for touch in lab.reports(Touch)] == [True, False]
    assert lab.moved()[0].ended == "done"


def test_whiskers_that_touch_from_the_start_are_no_news() -> None:
    lab = SmallLab(stand_in(x=3.9, whisker_reach=0.1))
    lab.wait(0.5)
    assert lab.reports(Touch) == []
    lab.say(Sense(1, 1))
    assert lab.reports(Ranges)[0].touching
    lab.say(move(1, distance=-0.2))
    lab.attend(1.0)
    assert [touch.touching for touch in lab.reports(Touch)] == [False]


def test_more_stretch_does_not_shift_what_swerve_is_drawn() -> None:
    def bend(stretch: float) -> float:
        lab = SmallLab(stand_in(swerve=0.5, stretch=stretch))
        lab.say(move(1, distance=0.5))
        lab.attend(1.5)
        x, y, heading = lab.pose()
        chord = hypot(x - 1.0, y - 1.0)
        return heading / (chord / (sin(heading / 2) / (heading / 2)))

    assert bend(0.2) == near(bend(0.0))


def test_the_seed_changes_what_is_drawn() -> None:
    def way(seed: int) -> float:
        lab = SmallLab(stand_in(stretch=0.1), seed=seed)
        lab.say(move(1, distance=0.5))
        lab.attend(1.5)
        return lab.pose()[0]

    assert len({way(seed) for seed in (1, 2, 3)}) == 3
