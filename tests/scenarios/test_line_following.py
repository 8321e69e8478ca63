"""The case line_following: what its decision model does, and that robots keep to the line."""

from __future__ import annotations

from math import pi, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Crossed, Watch, Wheels
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import PoseChange
from devs_robotics.scenarios.line_following import GREY, Following, FollowLine, LineFollowing, OnLine
from devs_robotics.scenarios.settings.loading import validate
from tests.approximately import near
from tests.models.play import settle, tell
from tests.scenarios.case_runs import model_of, outcome_of, tables

BLACK, WHITE = 0.0, 1023.0


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("line_following", "line_following.robots=1")
    assert_trace(model, "traces/line_following.jsonl", until=4.0, only="robot1/follow")


def test_it_turns_to_the_side_of_the_line_and_to_the_same_side_where_it_has_lost_it() -> None:
    follow = FollowLine("follow", speed=0.06, period=0.05)
    follow.initialize()
    assert settle(follow) == [("ground_ask", Watch((GREY,), 0.05))]
    for readings, wheels, decision in (
        ((WHITE, BLACK, WHITE), Wheels(0.06, 0.06), "straight"),
        ((BLACK, BLACK, WHITE), Wheels(0.0, 0.06), "left"),
        ((WHITE, WHITE, BLACK), Wheels(0.06, 0.0), "right"),
    ):
        assert tell(follow, (follow.ground.answer, Crossed(readings))) == [
            ("wheels_ask", wheels),
            ("decided", decision),
        ]
    assert tell(follow, (follow.ground.answer, Crossed((WHITE, WHITE, WHITE)))) == [], "it turns on, to the right"


@pytest.mark.parametrize("settings", [(), ("line_following.noise=0.3",), ("line_following.line_width=0.012",)])
def test_robots_go_round_on_the_line_and_alike_every_time(settings: tuple[str, ...]) -> None:
    every = ("run.duration=60", *settings)
    outcome = outcome_of("line_following", *every)
    assert float(outcome.frames["following"]["laps"]) > 0.8
    for robot in (1, 2):
        assert float(outcome.frames[f"on_line{robot}"]["share"]) > 0.9
    if "noise" in str(settings):
        assert tables(outcome) == tables(outcome_of("line_following", *every))


def test_with_much_noise_they_lose_it() -> None:
    outcome = outcome_of("line_following", "run.duration=20", "line_following.noise=1.0")
    assert float(outcome.frames["on_line1"]["share"]) < 0.9
    quiet = LineFollowing(noise=0.5, robots=3).noise_free()
    assert isinstance(quiet, LineFollowing)
    assert (quiet.noise, quiet.robots) == (0.0, 3)


@given(st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=20))
def test_laps_are_counted_with_their_sign(turns: list[float]) -> None:
    from math import cos, sin

    following = Following("following", (1.0, 2.0), 1, 60.0)
    angle = 0.3
    tell(following, (following.pose_change, PoseChange(1, 1.0 + cos(angle), 2.0 + sin(angle), 0.0)), e=0.1)
    for turn in turns:
        angle += turn
        tell(following, (following.pose_change, PoseChange(1, 1.0 + cos(angle), 2.0 + sin(angle), 0.0)), e=0.1)
    assert following.laps() == near(sum(turns) / tau)
    assert abs(turns[0]) < pi


def test_time_on_the_line_is_that_of_the_sensor_in_the_middle() -> None:
    on_line = OnLine("on_line1", 10.0)
    on_line.initialize()
    for seen, e in ((BLACK, 0.0), (WHITE, 3.0), (BLACK, 4.0)):
        tell(on_line, (on_line.seen, Crossed((WHITE, seen, BLACK))), e=e)
    assert on_line.sigma == near(3.0)
    on_line.deltint()
    assert on_line.share() == near(0.6)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"speed": 0.0}, "robots would stand still"), ({"line_width": 0.0}, "there would be no line")],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "line_following", "line_following": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), [str(problem) for problem in problems]
