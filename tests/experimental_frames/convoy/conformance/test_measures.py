"""What robots did with their time, worked out by hand."""

from __future__ import annotations

from devs_robotics import Drive, Driven, Ranges, Sense
from devs_robotics.experimental_frames.convoy.conformance.measures import covered, delays, times
from devs_robotics.experimental_frames.convoy.conformance.protocol import BOTH, FRONT, LOOKING
from devs_robotics.models.convoy import CaughtUp, RoundDone, Sync
from devs_robotics.models.convoy.messages import Inhibit, Release
from tests.experimental_frames.convoy.conformance.test_team import Played


def test_the_time_of_each_robot_is_that_between_its_messages() -> None:
    """One thing is heard each second; robot 2 is held for one of them, and robot 3 for two."""
    played = Played()
    played.leads(1)  # until 2 s
    played.follows(2, 1)  # from 3 s to 5 s
    played.follows(3, 1)  # from 6 s to 8 s
    played.hears(2, inhibited=Inhibit())
    played.hears(2, released=Release(0.0, 0.0))
    played.hears(3, inhibited=Inhibit())
    played.time += 1.0
    played.hears(3, released=Release(0.0, 0.0))
    played.team.finish(20.0)
    table = times(played.team)
    assert table.head[2:7] == ("waits for front", "for back", "turns, moves", "looks, adjusts", "held by Avoid")
    assert table.rows == (
        ("1", "1", "0.0", "18.0", "1.0", "1.0", "0.0", "-", "-"),
        ("2", "1", "17.0", "0.0", "1.0", "1.0", "1.0", "3.00", "3.00"),
        ("3", "1", "16.0", "0.0", "1.0", "1.0", "2.0", "3.00", "3.00"),
    )


def test_how_far_a_robot_is_behind_its_front_robot_is_told_on_average_and_at_most() -> None:
    played = Played()
    played.leads(1)  # until 2 s
    played.time += 4.0
    played.follows(2, 1)  # until 9 s
    played.follows(3, 1)
    played.leads(2)  # until 15 s
    played.follows(2, 2)  # until 19 s
    robots = played.team.robots
    assert delays(robots[1], robots[2]) == [7.0, 4.0]
    assert [row[-2:] for row in times(played.team).rows][:2] == [("-", "-"), ("5.50", "7.00")]


def test_lines_of_the_followers_that_were_gone_through_are_counted_over_all_teams() -> None:
    first, second = Played(), Played()
    first.follows(2, 1)
    second.follows(3, 1)
    second.hears(3, inhibited=Inhibit())
    made, every = covered([first.team, second.team])
    followers = {rule for played in (first, second) for robot in (2, 3) for rule in played.team.robots[robot].made}
    assert made == followers
    assert {(rule.state, rule.heard) for rule in made} >= {(LOOKING, "seen"), (FRONT, "taken over")}
    assert every == {rule for robot in (2, 3) for rule in first.team.robots[robot].part.machine.rules}
    assert any(rule.state == BOTH for rule in every - made)


def test_a_leader_has_no_part_in_what_followers_went_through() -> None:
    played = Played()
    played.says(1, infrared_ask=Sense())
    played.hears(1, infrared_answer=Ranges((9.0,)))
    played.says(1, motor_ask=Drive(0.0, 0.2))
    played.hears(1, motor_answer=Driven(0.0, 0.2))
    played.says(1, f_ready_out=Sync(1, 0.0, 0.2, 0.0), round_done=RoundDone(1, 1, 0))
    played.hears(1, b_ready_in=CaughtUp(2))
    assert covered([played.team])[0] == set()
