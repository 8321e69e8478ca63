"""The robot of the JSON protocol, with a clock that the test drives."""

from __future__ import annotations

import random
from math import inf, pi

import msgspec
import pytest

from devs_robotics.hil.lab.json_robot import REMEMBERED, JsonStandIn
from devs_robotics.hil.robot_protocol import LARGEST, SILENCE, Heartbeat, Ranges, Sense, State, Stop
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, move, stand_in


def json_robot(lab: SmallLab) -> JsonStandIn:
    robot = lab.laboratory.robots[1]
    assert isinstance(robot, JsonStandIn)
    return robot


def test_it_stops_by_itself_when_the_host_has_been_silent() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, distance=2.0))
    lab.attend(1.0)
    lab.say(Heartbeat(1, 1))
    lab.wait(SILENCE - 0.001)
    assert lab.speed() == 0.5
    lab.wait(0.001)
    assert lab.speed() == 0.0
    (report,) = lab.moved()
    assert (report.ended, report.distance) == ("silence", near(0.5 * (1.0 + SILENCE)))
    lab.wait(1.0)
    assert lab.pose()[0] == near(1.0 + report.distance)


def test_a_host_that_never_beats_can_move_it_for_a_moment_only() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, distance=2.0))
    lab.wait(3.0)
    assert [report.ended for report in lab.moved()] == ["silence"]
    assert lab.pose()[0] == near(1.0 + 0.5 * SILENCE)


def test_it_stops_by_itself_at_the_deadline() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, distance=2.0, deadline=0.7))
    lab.attend(3.0)
    assert [(report.ended, report.distance) for report in lab.moved()] == [("deadline", near(0.35))]


def test_it_stops_when_it_is_told_and_only_then_says_so() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, turn=1.0, distance=2.0))
    lab.attend(1.0)
    lab.say(Stop(1))
    lab.say(Stop(1))
    assert [(report.ended, report.turn, report.distance) for report in lab.moved()] == [("stopped", 1.0, near(0.25))]


def test_another_move_takes_the_place_of_one_that_is_under_way() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, turn=1.0))
    lab.attend(0.25)
    lab.say(move(2, turn=-0.5))
    lab.attend(1.0)
    assert [(report.id, report.ended, report.turn) for report in lab.moved()] == [
        (1, "replaced", near(0.5)),
        (2, "done", -0.5),
    ]
    assert lab.pose()[2] == near(0.0)


def test_a_move_is_carried_out_once_and_told_as_often_as_it_is_asked_for() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(5, distance=0.1))
    lab.wait(0.1)
    lab.say(move(5, distance=0.1))  # it is under way
    lab.wait(0.3)
    pose = lab.pose()
    lab.say(move(5, distance=0.1))
    lab.wait(1.0)
    first, second = lab.moved()
    assert first == second
    assert lab.pose() == pose
    lab.say(move(6, distance=0.1))
    lab.wait(1.0)
    lab.say(move(5, distance=0.1))  # a late one
    lab.wait(1.0)
    assert [report.id for report in lab.moved()] == [5, 5, 6, 5]
    assert lab.pose()[0] == near(1.2)


def test_it_remembers_many_moves() -> None:
    lab = SmallLab(stand_in())
    for number in range(1, REMEMBERED + 1):
        lab.say(move(number, turn=0.001))
        lab.wait(0.001)
    pose = lab.pose()
    lab.say(move(1, turn=0.001))
    lab.wait(0.001)
    assert lab.pose() == pose


def test_of_more_moves_it_forgets_the_one_that_ended_first() -> None:
    lab = SmallLab(stand_in())
    for number in range(1, REMEMBERED + 2):
        lab.say(move(number, turn=0.001))
        lab.wait(0.001)
    before = lab.pose()[2]
    for number in (2, REMEMBERED + 1):
        lab.say(move(number, turn=0.001))
        lab.wait(0.001)
    assert lab.pose()[2] == before
    lab.say(move(1, turn=0.001))
    lab.wait(0.001)
    assert lab.pose()[2] == near(before + 0.001)


def test_a_move_is_as_slow_as_it_is_told_to_be() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, turn=1.0, distance=0.2, turn_rate=0.5, speed=0.1))
    lab.attend(1.0)
    assert lab.pose()[2] == near(0.5)
    lab.attend(2.0)
    assert lab.speed() == near(0.1)
    lab.attend(0.99)
    assert lab.moved() == []
    lab.attend(0.02)
    assert lab.moved()[0].ended == "done"


def test_a_turn_speeds_up_as_fast_as_its_wheels_do() -> None:
    lab = SmallLab(stand_in(acceleration=0.05))  # its wheels are 53/70 of its diameter of 10 cm apart
    lab.say(move(1, turn=1.0))
    rate = 2.0 * 0.05 / (0.1 * 53 / 70)
    lab.attend(0.5)
    assert lab.pose()[2] == near(0.5 * rate * 0.25, 1e-6)
    lab.attend(2.0 / rate**0.5 - 0.5 - 0.01)
    assert lab.moved() == []
    lab.attend(0.02)
    assert lab.moved()[0].turn == 1.0


def test_the_last_move_is_the_one_that_ended_last_whatever_its_number() -> None:
    lab = SmallLab(stand_in())
    for number in (6, 5):
        lab.say(move(number, turn=0.01))
        lab.wait(0.1)
    lab.wait(0.1)
    assert lab.reports(State)[-1].last == 5


def test_on_its_second_move_it_reckons_from_the_end_of_the_first() -> None:
    lab = SmallLab(stand_in(y=0.5))
    lab.say(move(1, turn=pi / 2, distance=0.5))
    lab.attend(2.0)
    lab.say(move(2, turn=pi / 4, distance=1.0))
    lab.attend(pi / 8 + 1.0)
    state = lab.reports(State)[-1]
    assert (state.moving, state.heading) == (2, near(3 * pi / 4))
    gone = -state.x * 2**0.5
    assert 0.4 < gone <= 0.5
    assert state.y == near(0.5 - state.x)


def test_a_message_may_have_the_largest_length() -> None:
    lab = SmallLab(stand_in())
    lab.tell(msgspec.json.encode(Sense(1, 1)).ljust(LARGEST))
    assert len(lab.reports(Ranges)) == 1
    lab.tell(msgspec.json.encode(Sense(1, 2)).ljust(LARGEST + 1))
    assert json_robot(lab).dropped == {"too long": 1}


def test_its_heart_beats_ten_times_a_second() -> None:
    lab = SmallLab(stand_in())
    lab.wait(1.0)
    assert [time for time, data in lab.heard[1] if b'"state"' in data] == [near(0.1 * number) for number in range(11)]


def test_noise_makes_no_range_negative() -> None:
    lab = SmallLab(stand_in(x=3.95, range_noise=0.01))
    for number in range(50):
        lab.say(Sense(1, number))
    values = [report.values[0] for report in lab.reports(Ranges)]
    assert min(values) == 0.0 < max(values)


def test_limits_of_the_robot_hold_whatever_it_is_told() -> None:
    lab = SmallLab(stand_in())
    lab.say(move(1, turn=1.0, distance=1.0, speed=50.0, turn_rate=50.0))
    lab.attend(2.4)
    assert lab.moved() == []
    lab.attend(0.2)
    assert lab.moved()[0].ended == "done"


def test_wheels_that_speed_up_take_longer() -> None:
    lab = SmallLab(stand_in(acceleration=1.0))
    lab.say(move(1, distance=1.0))
    lab.attend(2.45)
    assert lab.moved() == []
    lab.attend(0.1)
    assert lab.moved()[0].distance == 1.0


def test_state_is_told_at_every_heartbeat_with_what_the_wheels_say() -> None:
    lab = SmallLab(stand_in(heading=1.0, stretch=0.1))
    lab.wait(0.25)
    lab.say(move(3, turn=pi / 2, distance=0.5))
    lab.attend(0.5)
    states = lab.reports(State)
    assert [state.count for state in states] == list(range(1, len(states) + 1))
    assert (states[-1].moving, states[-1].last) == (3, 0)
    lab.attend(2.0)
    state = lab.reports(State)[-1]
    assert (state.moving, state.last) == (0, 3)
    assert (state.x, state.y, state.heading) == (near(0.0), near(0.5), near(pi / 2))
    assert {report.session for report in lab.reports(object)} == {json_robot(lab).session}


def test_ranges_are_seen_from_left_to_right_and_rounded() -> None:
    beams = (pi / 2, 0.0, -pi / 2)
    lab = SmallLab(stand_in(x=3.512, beams=beams, resolution=0.01), stand_in(2, x=3.512, y=1.5))
    lab.say(Sense(1, 9))
    (report,) = lab.reports(Ranges)
    assert (report.id, report.values, report.touching) == (9, (0.4, 0.44, None), False)


def test_noise_of_ranges_has_the_deviation_of_the_plan() -> None:
    lab = SmallLab(stand_in(x=3.5, range_noise=0.01))
    for number in range(400):
        lab.say(Sense(1, number))
    values = [report.values[0] for report in lab.reports(Ranges)]
    mean = sum(values) / len(values)
    assert mean == near(0.45, 0.002)
    assert (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5 == near(0.01, 0.0015)


def test_messages_take_their_latency_either_way_and_keep_their_order() -> None:
    lab = SmallLab(stand_in(latency=0.05, jitter=0.2))
    for number in range(1, 51):
        lab.say(Sense(1, number))
        lab.wait(0.01)
    lab.wait(1.0)
    reports = lab.reports(Ranges)
    assert [report.id for report in reports] == list(range(1, 51))
    first = next(time for time, data in lab.heard[1] if b'"ranges"' in data)
    assert 0.1 <= first <= 0.5


def test_a_lost_link_silences_the_host() -> None:
    lab = SmallLab(stand_in(latency=0.1))
    lab.say(move(1, distance=2.0))
    lab.attend(1.0)
    lab.laboratory.robots[1].link_lost()  # and with it the heartbeat that was still on its way
    lost = lab.now
    lab.wait(SILENCE)
    assert lab.speed() == 0.0
    assert lab.now == near(lost + SILENCE)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"type":"moved","robot":1}',
        b'{"type":"move","robot":1,"id":1,"turn":NaN,"distance":0,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":1,"id":1,"turn":1e999,"distance":0,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":1,"id":1,"turn":1,"distance":1e9,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":1,"id":1,"turn":1,"distance":1,"speed":0,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":1,"id":0,"turn":1,"distance":1,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":1,"id":1.5,"turn":1,"distance":1,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"move","robot":2,"id":1,"turn":1,"distance":1,"speed":1,"turn_rate":1,"deadline":1}',
        b'{"type":"sense","robot":1,"id":1,"more":1}',
        b" " * LARGEST + b'{"type":"sense","robot":1,"id":1}',
        b'{"type":"sense","robot":1,"id":1',
        b'{"type":"m\xc2ve"}',
        b'{"more":' + b"[" * 4000,
    ],
)
def test_what_is_no_command_of_this_robot_is_counted_and_dropped(data: bytes) -> None:
    lab = SmallLab(stand_in())
    lab.tell(data)
    lab.wait(0.05)
    assert sum(json_robot(lab).dropped.values()) == 1
    assert lab.speed() == 0.0
    assert lab.moved() == []
    assert lab.reports(Ranges) == []


def test_ten_thousand_frames_of_garbage_do_not_move_it() -> None:
    lab = SmallLab(stand_in())
    numbers = random.Random(1)
    valid = msgspec.json.encode(move(1, turn=1.0, distance=1.0))
    sent = 0
    while sent < 10_000:
        frame = bytearray(valid)
        for _ in range(numbers.randrange(3, 30)):
            frame[numbers.randrange(len(frame))] = numbers.randrange(256)
        data = bytes(frame) if sent % 2 else numbers.randbytes(numbers.randrange(300))
        if b'"move"' in data and data.startswith(b'{"type"') and data.endswith(b"}"):
            continue  # it may be a move
        lab.tell(data)
        sent += 1
    lab.wait(1.0)
    assert sum(json_robot(lab).dropped.values()) == 10_000
    assert lab.pose() == (1.0, 1.0, 0.0)
    lab.say(Sense(1, 1))
    assert len(lab.reports(Ranges)) == 1


def test_without_a_limit_of_acceleration_it_is_at_its_speed_at_once() -> None:
    lab = SmallLab(stand_in(acceleration=inf))
    lab.say(move(1, distance=1.0))
    lab.wait(0.001)
    assert lab.speed() == 0.5
