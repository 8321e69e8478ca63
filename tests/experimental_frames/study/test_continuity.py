"""Model continuity: decision models' sources and decisions, compared between runs."""

from __future__ import annotations

import hashlib
import inspect
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Ranges, Simulator
from devs_robotics.experimental_frames.study.continuity import TOLERANCE, agreement, deviation_of
from devs_robotics.experimental_frames.study.decisions import Channel, DecisionModels, Decisions, Said, of_robots
from devs_robotics.models.convoy import Avoid, Follower
from devs_robotics.scenarios.convoy.runs import experiment, load, run
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.setup.setup import set_up

SMALL = ["convoy.robots=3", "run.rounds=5", "noise.dnf=0", "noise.anf=0"]


def decisions(*settings: str, until: float = inf) -> Decisions:
    """Of a small convoy."""
    observer = Decisions("round_done")
    model = experiment(set_up(load("convoy", [*SMALL, *settings])))
    with Simulator(model) as simulator:
        simulator.attach(observer, *of_robots(model))
        simulator.run(until=until, stop=model.verdict)
    return observer


def test_decision_models_are_those_of_a_robot_that_are_no_activities() -> None:
    observer = DecisionModels()
    run(load("convoy", SMALL), hooks=Hooks(observers=[(observer, of_robots)]))
    assert observer.classes == {
        "robot1/convoy": "devs_robotics.models.convoy.leader.Leader",
        "robot1/avoid": "devs_robotics.models.convoy.avoid.Avoid",
        "robot2/convoy": "devs_robotics.models.convoy.follower.Follower",
        "robot2/avoid": "devs_robotics.models.convoy.avoid.Avoid",
        "robot3/convoy": "devs_robotics.models.convoy.follower.Follower",
        "robot3/avoid": "devs_robotics.models.convoy.avoid.Avoid",
    }
    assert set(observer.sources) == {*observer.classes.values(), "devs_robotics.models.convoy.member.Member"}
    for cls in (Avoid, Follower):
        source = inspect.getsource(cls).encode()
        assert observer.sources[f"{cls.__module__}.{cls.__name__}"] == hashlib.sha256(source).hexdigest()


def test_the_same_run_decides_the_same() -> None:
    result = agreement(decisions(), decisions())
    assert result.holds
    assert (result.rounds, result.largest_deviation, result.largest_time_difference) == (5, 0.0, 0.0)
    assert result.values > 3 * 5 * 5


def test_what_each_port_carried_is_recorded() -> None:
    said = decisions().said
    assert [done.round for done in said[Channel("robot3/convoy", "round_done", True)].values] == [1, 2, 3, 4, 5]
    assert all(isinstance(value, Drive) for value in said[Channel("robot1/convoy", "motor_ask", True)].values)
    assert not said[Channel("robot1/avoid", "inhibit", True)].values
    assert {channel.model.partition("/")[2] for channel in said} == {"convoy", "avoid"}


def test_slower_robots_decide_the_same_only_later() -> None:
    result = agreement(decisions(), decisions("robot.speed=0.1"))
    assert result.holds
    assert result.largest_time_difference > 1.0


def test_a_run_that_ends_later_is_compared_as_far_as_both_went() -> None:
    short, long = decisions("run.rounds=3"), decisions("run.rounds=9")
    for one, other in ((short, long), (long, short)):
        result = agreement(one, other)
        assert result.holds
        assert result.rounds == 3


def test_another_decision_is_told_with_its_place_and_both_values() -> None:
    result = agreement(decisions("leader.path=[[0, 0.2]]"), decisions("leader.path=[[0, 0.2], [0, 0.2], [0, 0.19]]"))
    assert not result.holds
    assert str(result.difference) == (
        "value 3 through robot1/convoy.motor_ask (at 4.000 s) should be Drive(turn=0.0, distance=0.2) "
        "and is Drive(turn=0.0, distance=0.19)"
    )


def test_runs_in_which_nobody_has_completed_a_round_prove_nothing() -> None:
    result = agreement(decisions(), decisions(until=0.5))
    assert result.difference is None
    assert result.rounds == 0
    assert not result.holds
    assert not agreement(Decisions("round_done"), Decisions("round_done")).holds


def test_a_model_that_is_missing_is_told() -> None:
    result = agreement(decisions(), decisions("convoy.robots=2"))
    assert not result.holds
    assert str(result.difference).startswith("value 1 through robot3/convoy.f_ready_in (at 2.000 s) should be Sync(")
    assert str(result.difference).endswith(" and never came")


def made(values: dict[tuple[str, str], list[Any]]) -> Decisions:
    """Decisions in which these values went through these ports, one after the other, and then a round was done."""
    made = Decisions("round_done")
    number = 0
    for (model, port), through in values.items():
        order = range(number + 1, number + 1 + len(through))
        said = Said(list(through))
        said.times.extend(map(float, order))
        said.order.extend(order)
        number += len(through)
        made.said[Channel(model, port, port == "round_done")] = said
    return made


DONE = {("robot1/convoy", "round_done"): [1]}
values = st.lists(st.integers(0, 3), max_size=6)


@given(values, values)
def test_decisions_agree_if_and_only_if_their_values_do(one: list[int], other: list[int]) -> None:
    result = agreement(made({("robot1/convoy", "heard"): one} | DONE), made({("robot1/convoy", "heard"): other} | DONE))
    assert result.holds == (one == other)
    if result.difference is not None:
        index = result.difference.index
        assert one[:index] == other[:index]
        assert one[index : index + 1] != other[index : index + 1]


@given(values, values)
def test_what_comes_after_the_last_round_is_compared_as_far_as_both_have_it(one: list[int], other: list[int]) -> None:
    result = agreement(made(DONE | {("robot1/convoy", "heard"): one}), made(DONE | {("robot1/convoy", "heard"): other}))
    assert result.holds == all(a == b for a, b in zip(one, other, strict=False))


def test_the_earliest_difference_is_told() -> None:
    one = made({("robot2/convoy", "heard"): [1, 2]} | DONE | {("robot1/convoy", "heard"): [1, 2]})
    other = made({("robot2/convoy", "heard"): [1, 3]} | DONE | {("robot1/convoy", "heard"): [1, 3]})
    difference = agreement(one, other).difference
    assert difference is not None
    assert (difference.model, difference.index, difference.time) == ("robot2/convoy", 1, 2.0)
    assert str(difference) == "value 2 through robot2/convoy.heard (at 2.000 s) should be 2 and is 3"


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        (Drive(0.1, 0.2), Drive(0.1, 0.2), 0.0),
        (Drive(0.1, 0.2), Drive(0.1, 0.2 + 1e-12), pytest.approx(1e-12, rel=1e-3)),
        (Ranges((inf, 0.3)), Ranges((inf, 0.3)), 0.0),
        (Ranges((inf, 0.3)), Ranges((0.5, 0.3)), inf),
        (Ranges((0.3,)), Ranges((0.3, 0.3)), inf),
        (1, 1.0, 0.0),
        (True, 1.5, inf),
        ("a", "b", inf),
        ({"a": 1}, {"b": 1}, inf),
    ],
)
def test_values_are_as_far_apart_as_their_numbers(one: Any, other: Any, far: float) -> None:
    assert deviation_of(one, other) == far
    assert deviation_of(other, one) == far


def test_rounding_is_no_decision_but_anything_more_is() -> None:
    heard = ("robot1/convoy", "heard")
    one = made({heard: [0.5]} | DONE)
    rounded = agreement(one, made({heard: [0.5 + TOLERANCE / 2]} | DONE))
    assert rounded.holds
    assert 0.0 < rounded.largest_deviation <= TOLERANCE
    assert not agreement(one, made({heard: [0.5 + 2 * TOLERANCE]} | DONE)).holds
