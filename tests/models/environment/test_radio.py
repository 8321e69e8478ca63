"""The radio: who hears what, when, and what is lost."""

from __future__ import annotations

import re
from math import hypot, inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import ModelError, Port, Simulator
from devs_robotics.models.environment import Heard, Pose, PoseChange, Radio, Say
from tests.models.play import settle, tell

TICK = 2.0**-20
"""Times of motions are whole ticks (s)."""

places = st.tuples(st.integers(-20, 20), st.integers(-20, 20)).map(lambda at: (at[0] / 8.0, at[1] / 8.0, 0.0))
teams = st.lists(places, min_size=2, max_size=6)
Talk = list[tuple[float, int, str]]
"""When (s), who, and what."""


def radio(poses: list[Pose], **settings: Any) -> Radio:
    made = Radio("radio", poses, settings.pop("seed", 1), **settings)
    for robot in range(1, len(poses) + 1):
        assert made.offer(robot, Say, Heard) is not None
    return made


def mouth(of: Radio, robot: int) -> Port[Say]:
    """Through which a robot says something."""
    port = of.input[f"said{robot}"]
    assert isinstance(port, Port)
    return port


def talks(robots: int) -> st.SearchStrategy[Talk]:
    said = st.tuples(st.integers(0, 2**22).map(lambda ticks: ticks * TICK), st.integers(1, robots), st.text(max_size=3))
    return st.lists(said, max_size=12).map(sorted)


def heard(of: Radio, talk: Talk) -> dict[int, list[tuple[float, Heard]]]:
    """What each robot hears when so much is said; nothing else happens in the meantime."""
    ears: dict[int, list[tuple[float, Heard]]] = {robot: [] for robot in of._where}
    with Simulator(of) as simulator:
        for when, robot, text in talk:
            simulator.inject(mouth(of, robot), Say(text), at=when)
        while simulator.next_time < inf:
            simulator.run(max_steps=1)
            came = [(robot, message) for robot in ears for message in of.output[f"heard{robot}"].values]
            for robot, message in came:
                ears[robot].append((simulator.time, message))
    return ears


@given(st.data(), teams, st.integers(0, 30), st.integers(0, 2**21))
def test_all_in_reach_hear_and_nobody_else_exactly_the_delay_later(
    data: st.DataObject, poses: list[Pose], eighths: int, delay: int
) -> None:
    talk = data.draw(talks(len(poses)))
    reach = eighths / 8.0
    made = radio(poses, reach=reach, delay=delay * TICK)
    expected: dict[int, list[tuple[float, Heard]]] = {robot: [] for robot in range(1, len(poses) + 1)}
    for when, sender, text in talk:
        for robot, (x, y, _) in enumerate(poses, 1):
            distance = hypot(x - poses[sender - 1][0], y - poses[sender - 1][1])
            if robot != sender and distance <= reach:
                expected[robot].append((when + delay * TICK, Heard(sender, text, (), distance)))
    assert heard(made, talk) == expected
    assert (made.said, made.heard, made.lost) == (len(talk), sum(map(len, expected.values())), 0)


@given(st.floats(0.0, 1e3), st.floats(0.0, 10.0))
def test_a_message_that_comes_alone_comes_at_the_sum_of_the_times_to_the_last_bit(when: float, delay: float) -> None:
    made = radio([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], delay=delay)
    assert heard(made, [(when, 1, "a")])[2] == [(when + delay, Heard(1, "a", (), 1.0))]


@given(st.data(), st.lists(places, min_size=3, max_size=5), st.integers(0, 99))
def test_a_robot_more_does_not_change_what_the_others_hear_of_each_other(
    data: st.DataObject, poses: list[Pose], seed: int
) -> None:
    talk = data.draw(talks(len(poses)))
    last = len(poses)
    few = heard(radio(poses[:-1], seed=seed, loss=0.5), [each for each in talk if each[1] != last])
    many = heard(radio(poses, seed=seed, loss=0.5), talk)
    for robot in range(1, last):
        assert [each for each in many[robot] if each[1].sender != last] == few[robot]


@given(st.permutations([1, 2, 3]), st.permutations([1, 2, 3]))
def test_the_order_in_a_bag_changes_nothing(moves: list[int], talk: list[int]) -> None:
    made = radio([(0.0, 0.0, 0.0)] * 3, reach=5.0, loss=0.3)
    said = tell(
        made,
        *((made.pose_change, PoseChange(robot, float(robot), 0.0, 0.0)) for robot in moves),
        *((mouth(made, robot), Say(str(robot))) for robot in talk),
    )
    again = radio([(float(robot), 0.0, 0.0) for robot in (1, 2, 3)], reach=5.0, loss=0.3)
    assert said == tell(again, *((mouth(again, robot), Say(str(robot))) for robot in (1, 2, 3)))


def test_the_share_that_is_lost_is_the_loss() -> None:
    made = radio([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], loss=0.25)
    for _ in range(2000):
        tell(made, (mouth(made, 1), Say("a")))
    assert (made.said, made.heard + made.lost) == (2000, 4000)
    assert 0.22 < made.lost / 4000 < 0.28


@pytest.mark.parametrize(("loss", "heard_by"), [(0.0, 1), (1.0, 0)])
def test_nothing_or_all_may_be_lost(loss: float, heard_by: int) -> None:
    made = radio([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], loss=loss)
    for _ in range(300):
        assert len(tell(made, (mouth(made, 1), Say("a")))) == heard_by


def test_it_counts_where_the_robots_are_when_something_is_said() -> None:
    made = radio([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)], reach=1.0, delay=0.5)
    made.initialize()
    assert (made.phase, made.ta()) == ("silent", inf)
    near = (made.pose_change, PoseChange(2, 0.6, 0.8, 0.0))
    assert tell(made, near, (mouth(made, 1), Say("here", (2.0,)))) == []
    assert (made.phase, made.ta()) == ("carrying", 0.5)
    assert tell(made, (made.pose_change, PoseChange(2, 9.0, 0.0, 0.0)), e=0.25) == []
    assert made.ta() == 0.25
    made.lambdaf()
    assert list(made.output["heard2"].values) == [Heard(1, "here", (2.0,), 1.0)]
    made.deltint()
    assert (made.phase, settle(made)) == ("silent", [])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"reach": -1.0}, "radio 'radio': reach must be at least 0, not -1"),
        ({"reach": nan}, "radio 'radio': reach must be at least 0, not nan"),
        ({"delay": -0.1}, "radio 'radio': delay must be at least 0, not -0.1"),
        ({"loss": 10.0}, "radio 'radio': loss is a share from 0 to 1, not 10"),
    ],
)
def test_a_radio_that_cannot_be_says_why(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(ModelError, match=re.escape(sentence)):
        radio([(0.0, 0.0, 0.0)], **settings)


def test_a_robot_without_a_pose_is_named_and_other_questions_are_not_answered() -> None:
    made = radio([(0.0, 0.0, 0.0)])
    sentence = "radio 'radio' was given 1 poses and knows none of robot 2: give it the pose of each robot"
    with pytest.raises(ModelError, match=re.escape(sentence)):
        made.offer(2, Say, Heard)
    assert made.offer(1, Say, Say) is None
    assert made.offer(1, Say, Heard) is None, "its transceiver has it already; a second one asks the next radio"
