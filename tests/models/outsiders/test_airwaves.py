"""What happens to calls on their way."""

from __future__ import annotations

import re
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.models.environment import Heeded
from devs_robotics.models.outsiders import Airwaves, Starter
from tests.models.play import settle, tell


def airwaves(delay: float = 0.0, loss: float = 0.0, seed: int = 1) -> Airwaves:
    made = Airwaves("airwaves", delay, loss, seed)
    made.initialize()
    return made


def heard(made: Airwaves, *calls: Heeded, e: float = 1.0) -> list[Heeded]:
    return [call for _, call in tell(made, *((made.called, call) for call in calls), e=e)]


def test_each_call_is_heard_exactly_the_delay_later() -> None:
    made = airwaves(delay=0.5)
    first, second, third = (Heeded(1, text, (2,), False) for text in "abc")
    assert heard(made, first, second, e=1.0) == []
    assert heard(made, third, e=0.25) == []
    assert made.ta() == 0.25
    made.lambdaf()
    assert list(made.heard.values) == [first, second]
    made.heard.clear()
    made.deltint()
    assert made.ta() == 0.25
    made.lambdaf()
    assert list(made.heard.values) == [third]
    made.heard.clear()
    made.deltint()
    assert (made.ta(), settle(made)) == (inf, [])


def test_the_share_that_is_lost_is_the_loss() -> None:
    made = airwaves(loss=0.25)
    count = sum(len(call.hearers) for _ in range(2000) for call in heard(made, Heeded(1, "", (2, 3), False)))
    assert count + made.lost == 4000
    assert 0.22 < made.lost / 4000 < 0.28


@given(st.integers(0, 99), st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=20))
def test_a_robot_more_does_not_change_what_the_others_hear(seed: int, callers: list[int]) -> None:
    few, many = airwaves(loss=0.5, seed=seed), airwaves(loss=0.5, seed=seed)
    for caller in callers:
        others = tuple(robot for robot in (1, 2, 3) if robot != caller)
        one = [robot for call in heard(few, Heeded(caller, "", others, False)) for robot in call.hearers]
        more = [robot for call in heard(many, Heeded(caller, "", (*others, 4), False)) for robot in call.hearers]
        assert [robot for robot in more if robot != 4] == one
        heard(many, Heeded(4, "", (1, 2, 3), False))


@pytest.mark.parametrize(
    ("delay", "loss", "told"),
    [
        (-1.0, 0.0, "delay must be at least 0, not -1"),
        (nan, 0.0, "delay must be at least 0, not nan"),
        (0.0, 1.5, "loss is a share from 0 to 1, not 1.5"),
    ],
)
def test_airwaves_that_cannot_be_say_why(delay: float, loss: float, told: str) -> None:
    with pytest.raises(ModelError, match=re.escape(told)):
        airwaves(delay, loss)


def test_who_waits_for_nobody_is_told() -> None:
    with pytest.raises(ModelError, match="cannot wait for 0 robots"):
        Starter("starter", 0)
