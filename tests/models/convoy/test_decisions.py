"""Leader, follower and Avoid, each alone: what they command, ask and tell, one step after the other."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, radians, remainder, sin
from typing import Any

import msgspec
import pytest

from devs_robotics import Drive, Driven, Ranges, Sense, Touch
from devs_robotics.models.convoy import (
    Avoid,
    CaughtUp,
    Follower,
    FollowerRules,
    Leader,
    LeaderRules,
    RelativePose,
    RoundDone,
    Sync,
    WayLost,
)
from devs_robotics.models.convoy.leader import FULL_TURNS, room
from devs_robotics.models.convoy.messages import Inhibit, Release
from tests.approximately import near
from tests.models.play import Said, settle, tell

BEAMS = (pi / 2, 0.0, -pi / 2)
FREE = Ranges((inf, inf, inf))
LOOK: Said = ("infrared_ask", Sense())


def drive(turn: float, distance: float) -> Said:
    return ("motor_ask", Drive(near(turn), near(distance)))


# the leader


def leader(path: tuple[tuple[float, float], ...] = ()) -> Leader:
    rules = LeaderRules(step=0.3, turn=0.5, swing=0.2, clearance=0.5, beams=BEAMS, path=path)
    model = Leader("convoy", rules, last=False)
    model.initialize()
    return model


def done(
    model: Leader | Follower | Avoid, turn: float = 0.0, distance: float = 0.0, blocked: bool = False
) -> list[Said]:
    return tell(model, (model.motor.answer, Driven(turn, distance, blocked)))


def saw(model: Leader | Follower, *ranges: float) -> list[Said]:
    return tell(model, (model.infrared.answer, Ranges(ranges)))


def test_a_leader_looks_drives_informs_and_waits_for_the_one_behind() -> None:
    model = leader()
    assert settle(model) == [LOOK]
    assert saw(model, inf, inf, inf) == [drive(0.0, 0.3)]
    assert done(model, 0.0, 0.3) == [("f_ready_out", Sync(1, 0.0, 0.3, 0.0)), ("round_done", RoundDone(1, 1, 0))]
    assert tell(model, (model.b_ready_in, CaughtUp(2))) == [LOOK]


def test_a_leader_turns_until_the_way_is_free_and_a_little_on() -> None:
    model = leader()
    settle(model)
    assert saw(model, inf, 0.4, inf) == [drive(0.5, 0.0)]
    assert done(model, 0.5) == [LOOK]
    assert saw(model, inf, 0.45, 0.3) == [drive(0.5, 0.0)]
    done(model, 0.5)
    assert saw(model, inf, inf, 0.3) == [drive(0.2, 0.0)]
    done(model, 0.2)
    assert saw(model, inf, inf, 0.3) == [drive(0.0, 0.3)]
    assert ("f_ready_out", Sync(1, near(1.2), 0.3, 0.0)) in done(model, 0.0, 0.3)


def test_a_leader_that_was_blocked_looks_again() -> None:
    model = leader()
    settle(model)
    saw(model, inf, inf, inf)
    assert done(model, 0.0, 0.1, blocked=True) == [LOOK]


def test_an_inhibited_leader_looks_again() -> None:
    model = leader()
    settle(model)
    saw(model, inf, inf, inf)
    assert tell(model, (model.inhibited, Inhibit())) == []
    assert tell(model, (model.released, Release(0.0, -0.05))) == [LOOK]


def test_a_leader_with_no_way_out_wants_less_room_each_time_round_and_gives_up_at_last() -> None:
    model = leader()
    answer, turns = settle(model), 0
    while answer == [LOOK]:
        answer = saw(model, 0.05, 0.05, 0.05)
        if answer == [drive(0.5, 0.0)]:
            turns += 1
            answer = done(model, 0.5)
    assert answer == [("lost", WayLost(1, "no way is free all round it"))]
    assert turns * 0.5 >= FULL_TURNS * 2 * pi
    tight = leader()
    answer = settle(tight)
    while answer == [LOOK]:  # room enough for half the clearance
        answer = saw(tight, 0.3, 0.3, 0.3)
        if answer == [drive(0.5, 0.0)]:
            answer = done(tight, 0.5)
    assert answer == [drive(0.2, 0.0)]


def test_a_scripted_leader_begins_its_path_again() -> None:
    model = leader(path=((0.1, 0.2), (-0.3, 0.4)))
    assert settle(model) == [drive(0.1, 0.2)]
    done(model, 0.1, 0.2)
    assert tell(model, (model.b_ready_in, CaughtUp(2))) == [drive(-0.3, 0.4)]
    done(model, -0.3, 0.4)
    assert tell(model, (model.b_ready_in, CaughtUp(2))) == [drive(0.1, 0.2)]


def test_room_to_the_sides_counts_twofold() -> None:
    assert room((0.3, 0.5, inf), BEAMS) == 0.5
    assert room((0.2, 0.5, inf), BEAMS) == 0.4
    assert room((inf, inf, inf), BEAMS) == inf


# a follower

RULES = FollowerRules(
    spacing=0.5,
    body_offset=0.2,
    front_radius=0.1,
    nearest=0.25,
    farthest=0.65,
    tolerance=0.05,
    scan_step=radians(6),
    scan_limit=radians(12),
    recovery_step=0.1,
    recoveries=1,
    correction=0.0,
)


def follower(last: bool = False) -> Follower:
    return Follower("convoy", 3, RULES, RelativePose(0.5, 0.0, 0.0), last=last)


def front_moves(model: Follower, alpha: float = 0.0, distance: float = 0.3) -> list[Said]:
    return tell(model, (model.f_ready_in, Sync(2, alpha, distance, 0.0)))


def informs(round_number: int, adjustments: int, sync: Any) -> list[Said]:
    return [
        ("f_ready_out", sync),
        ("round_done", RoundDone(3, round_number, adjustments)),
        ("b_ready_out", CaughtUp(3)),
    ]


def by_port(said: list[Said]) -> list[Said]:
    return sorted(said, key=lambda item: item[0])


def test_a_follower_moves_when_its_front_robot_has_moved() -> None:
    model = follower()
    model.initialize()
    assert settle(model) == []
    assert front_moves(model) == [drive(0.0, 0.3)]
    assert done(model, 0.0, 0.3) == [LOOK]
    assert by_port(saw(model, 0.3)) == by_port(informs(1, 0, Sync(3, 0.0, 0.3, 0.0)))


def test_a_follower_turns_to_where_it_predicts_its_front_robot() -> None:
    model = follower()
    (turn,) = front_moves(model, pi / 2)
    alpha = turn[1].turn
    assert 0.5 < alpha < 0.6
    assert turn[1].distance == 0.0
    (move,) = done(model, alpha)
    assert move[1].turn == 0.0
    assert move[1].distance == near((0.5**2 + 0.3**2) ** 0.5 - 0.5)


def test_a_follower_waits_for_the_robot_behind_it() -> None:
    model = follower()
    front_moves(model)
    done(model, 0.0, 0.3)
    saw(model, 0.3)
    assert front_moves(model) == []
    assert tell(model, (model.b_ready_in, CaughtUp(4))) == [drive(0.0, 0.3)]


def test_the_last_follower_waits_for_nobody_behind() -> None:
    model = follower(last=True)
    front_moves(model)
    done(model, 0.0, 0.3)
    saw(model, 0.3)
    assert front_moves(model) == [drive(0.0, 0.3)]


def test_a_follower_scans_to_both_sides_and_faces_the_centre_of_what_it_finds() -> None:
    model = follower()
    front_moves(model)
    done(model, 0.0, 0.3)
    assert saw(model, inf) == [drive(radians(6), 0.0)]
    done(model, radians(6))
    assert saw(model, inf) == [drive(radians(-12), 0.0)]
    done(model, radians(-12))
    half_width = 0.2013579207903308  # asin(0.1 / 0.5)
    assert saw(model, 0.3) == [drive(-(half_width - radians(3)), 0.0)]
    done(model, -(half_width - radians(3)))
    said = by_port(saw(model, 0.3))
    beta = radians(-6) - (half_width - radians(3))
    assert said == by_port(informs(1, 3, Sync(3, 0.0, 0.3, near(beta))))


@pytest.mark.parametrize("reading", [0.04, 0.46])
def test_what_cannot_be_the_front_robot_is_not_taken_for_it(reading: float) -> None:
    model = follower()
    front_moves(model)
    done(model, 0.0, 0.3)
    assert saw(model, reading) == [drive(radians(6), 0.0)]


def test_a_follower_that_is_too_close_backs_up() -> None:
    model = follower()
    front_moves(model)
    done(model, 0.0, 0.3)
    assert saw(model, 0.24) == [drive(0.0, -0.06)]
    assert done(model, 0.0, -0.06) == [LOOK]
    assert by_port(saw(model, 0.3)) == by_port(informs(1, 1, Sync(3, 0.0, near(0.24), 0.0)))


def test_a_follower_recovers_and_then_gives_up() -> None:
    model = follower()
    front_moves(model)
    answer = done(model, 0.0, 0.3)
    commands = []
    while answer == [LOOK]:
        answer = saw(model, inf)
        if answer[0][0] == "motor_ask":
            commands.append(answer[0][1])
            answer = done(model, commands[-1].turn, commands[-1].distance)
    assert answer == [("lost", WayLost(3, "it cannot find its front robot"))]
    assert [command.distance for command in commands] == [0, 0, 0, 0, near(0.1), 0, 0, 0, 0]
    assert sum(command.turn for command in commands[:5]) == near(0.0)  # it goes on where it was heading
    assert front_moves(model) == []


def test_an_inhibited_follower_waits_and_then_looks_for_its_front_robot() -> None:
    model = follower()
    front_moves(model)
    assert tell(model, (model.inhibited, Inhibit())) == []
    assert done(model, 0.0, 0.3) == []  # the motor is not its own now
    assert tell(model, (model.released, Release(0.0, -0.05))) == [LOOK]
    assert by_port(saw(model, 0.3)) == by_port(informs(1, 0, Sync(3, 0.0, -0.05, 0.0)))


def test_a_waiting_follower_is_not_disturbed() -> None:
    model = follower()
    assert tell(model, (model.inhibited, Inhibit())) == []
    assert tell(model, (model.released, Release(0.0, 0.0))) == []
    assert front_moves(model) == [drive(0.0, 0.3)]


@pytest.mark.parametrize(("taken", "seen"), [(3.1, -3.1), (-3.1, 3.1), (3.0, 3.1), (0.5, 0.4)])
def test_a_follower_takes_the_short_way_from_the_heading_that_it_took_to_the_one_that_it_sees(
    taken: float, seen: float
) -> None:
    rules = msgspec.structs.replace(RULES, correction=0.25, tolerance=0.5, farthest=0.9)
    model = Follower("convoy", 3, rules, RelativePose(0.5, 0.0, taken), last=False)
    front_moves(model, distance=0.2)
    x, y = 0.5 + 0.2 * cos(seen), 0.2 * sin(seen)
    said = done(model, atan2(y, x))
    if said != [LOOK]:
        assert done(model) == [LOOK]
    saw(model, hypot(x, y) - rules.body_offset)
    corrected = taken + 0.25 * remainder(seen - taken, 2.0 * pi)
    assert remainder(model.delta + atan2(y, x) - corrected, 2.0 * pi) == near(0.0)
    assert abs(model.delta) <= pi


# Avoid


def test_avoid_takes_the_motor_over_backs_off_and_hands_it_back() -> None:
    model = Avoid("avoid", 0.05)
    said = tell(model, (model.whiskers.answer, Touch(True)))
    assert by_port(said) == [("inhibit", Inhibit()), drive(0.0, -0.05)]
    assert tell(model, (model.whiskers.answer, Touch(True))) == []
    assert done(model, 0.0, -0.04, blocked=True) == [("release", Release(0.0, -0.04))]
    assert by_port(tell(model, (model.whiskers.answer, Touch(True)))) == by_port(said)


def test_avoid_lets_free_whiskers_be() -> None:
    model = Avoid("avoid", 0.05)
    assert tell(model, (model.whiskers.answer, Touch(False))) == []
