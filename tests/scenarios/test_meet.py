"""The case meet: who hears whom, greets, turns away, and is counted, in every stage."""

from __future__ import annotations

from collections.abc import Iterable
from math import dist, isnan, radians
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import Heard, Say
from devs_robotics.models.half_way import LOOK
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.meet import GREETING, HELLO, Meetings, Met, Mingle
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.stages import Stage
from tests.approximately import near
from tests.models.play import Said, settle, tell
from tests.scenarios.case_runs import (
    model_of,
    outcome_of,
    results_on_a_hand_clock,
    tables,
    tables_of_another_process,
)

SMALL = ("run.duration=30", "meeting.robots=4")

SOON = ("run.duration=5", "meeting.robots=4", "meeting.reach=3")
"""They meet within seconds: for stages in which a second of the run costs much."""


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("meet", "meeting.robots=3", "meeting.reach=3")
    assert_trace(model, "traces/meet.jsonl", until=8.0, only="robot1/mingle")


# the decision model


def mingle() -> Mingle:
    """One that has said hello and waits for its ranges."""
    model = Mingle("mingle", Stream(1, 1, "mingle"), step=0.3, clearance=0.3, pause=10.0)
    model.initialize()
    assert sorted(settle(model, LOOK), key=lambda said: said[0]) == [
        ("infrared_ask", Sense()),
        ("radio_ask", Say(HELLO, (model.word,))),
    ]
    return model


def hears(model: Mingle, text: str, word: float, sender: int = 7, e: float = 1.0) -> list[Said]:
    return tell(model, (model.radio.answer, Heard(sender, text, (word,), 0.5)), e=e)


def test_it_goes_on_where_it_is_free_and_says_hello_again() -> None:
    model = mingle()
    assert tell(model, (model.infrared.answer, Ranges((0.5,)))) == [("motor_ask", Drive(distance=0.1))]
    assert len(tell(model, (model.motor.answer, Driven(0.0, 0.1)), within=LOOK)) == 2


def test_it_greets_whom_it_hears_by_his_word_counts_the_meeting_and_turns_away() -> None:
    model = mingle()
    assert sorted(hears(model, HELLO, 0.25), key=lambda said: said[0]) == [
        ("met", Met(7)),
        ("radio_ask", Say(GREETING, (0.25,))),
    ]
    assert model.phase == "waiting"
    ((_, away),) = tell(model, (model.infrared.answer, Ranges((9.0,))))
    assert away.distance == 0.0
    assert radians(120.0) <= away.turn <= radians(240.0)


@pytest.mark.parametrize("phase", ["waiting", "under way"])
def test_within_the_pause_it_does_not_meet_the_same_robot_again_but_others(phase: str) -> None:
    model = mingle()
    if phase == "under way":
        tell(model, (model.infrared.answer, Ranges((9.0,))))
    assert model.phase == phase
    assert len(hears(model, HELLO, 0.25)) == 2
    assert hears(model, HELLO, 0.25, e=9.75) == []
    assert len(hears(model, HELLO, 0.5, sender=8, e=0.0)) == 2
    assert len(hears(model, HELLO, 0.25, e=0.25)) == 2
    assert model.phase == phase


def test_a_greeting_for_it_is_a_meeting_that_the_other_one_tells_of_and_one_for_others_is_none() -> None:
    model = mingle()
    assert (hears(model, GREETING, 0.25), model.turning) == ([], False)
    assert (hears(model, GREETING, model.word), model.turning) == ([], True)
    assert hears(model, HELLO, 0.25) == [], "it has just met him"


def test_a_hello_and_the_ranges_at_one_instant_are_both_taken() -> None:
    model = mingle()
    said = tell(model, (model.radio.answer, Heard(7, HELLO, (0.25,), 0.5)), (model.infrared.answer, Ranges((9.0,))))
    assert {port for port, _ in said} == {"radio_ask", "met", "motor_ask"}
    assert dict(said)["motor_ask"].turn > 0.0
    assert model.phase == "under way"


# the transducer


met = st.tuples(st.integers(0, 60), st.integers(1, 4), st.integers(1, 4)).filter(lambda each: each[1] != each[2])


@given(st.lists(met, max_size=30).map(sorted))
def test_what_either_of_two_tells_within_the_pause_is_one_meeting(told: list[tuple[int, int, int]]) -> None:
    meetings, now = Meetings("meetings", 4, 10.0, 100.0), 0
    meetings.initialize()
    last: dict[frozenset[int], int] = {}
    counted: list[tuple[int, frozenset[int]]] = []
    for when, robot, other in told:
        tell(meetings, (meetings.met[robot], Met(other)), e=float(when - now))
        now = when
        pair = frozenset((robot, other))
        if when - last.get(pair, -10) >= 10:
            last[pair] = when
            counted.append((when, pair))
    series: Any = meetings.series()
    rows = list(zip(series["time_s"], series["robot"], series["other"], strict=True))
    assert [(when, frozenset(pair)) for when, *pair in rows] == counted
    assert all(one < other for _, one, other in rows)
    assert meetings.pairs() == len(last) / 6
    everybody = len(last) == 6
    assert isnan(meetings.all_met_s()) != everybody
    firsts = {pair: min(when for when, each in counted if each == pair) for pair in last}
    assert not everybody or meetings.all_met_s() == max(firsts.values())
    meetings.deltint()
    assert meetings.meetings_per_s() == len(counted) / 100.0


# runs


def apart(outcome: CaseOutcome, pair: Iterable[float], time: float) -> float:
    """How far two robots are from each other by what was told of them until a time (m)."""
    places = []
    for robot in map(int, pair):
        x, y, _ = outcome.tracks.poses[robot - 1]
        for row in outcome.tracks.rows:
            if row.robot == robot and row.time_s <= time:
                x, y = row.x_m, row.y_m
        places.append((x, y))
    return dist(*places)


@settings(max_examples=8)
@given(st.integers(0, 99), st.integers(2, 6))
def test_who_has_met_was_in_reach_and_all_messages_are_accounted_for(seed: int, robots: int) -> None:
    own = (f"run.seed={seed}", f"meeting.robots={robots}", "run.duration=40", "meeting.delay=0.0625")
    outcome = outcome_of("meet", *own)
    table = outcome.tables["meetings"]
    for when, *pair in zip(table["time_s"], table["robot"], table["other"], strict=True):
        heard = when - 0.0625, when - 0.0625 - LOOK  # who looks just then, greets when the look is over
        moves = (row.time_s for row in outcome.tracks.rows if heard[1] <= row.time_s <= heard[0])
        assert min(apart(outcome, pair, time) for time in (*heard, *moves)) <= 1.0
    measured, traffic = outcome.frames["meetings"], outcome.frames["traffic"]
    assert measured["meetings_per_s"] == near(len(table["time_s"]) / 40.0)
    assert 0.0 <= float(measured["pairs"]) <= 1.0
    assert float(traffic["heard"]) + float(traffic["lost"]) <= (robots - 1) * float(traffic["said"])
    assert float(traffic["heard"]) >= float(len(table["time_s"]))


def test_where_all_is_lost_nobody_meets_and_where_nothing_is_all_who_hear_do() -> None:
    lost = outcome_of("meet", *SMALL, "meeting.loss=1", "meeting.reach=9").frames
    assert (lost["meetings"]["pairs"], lost["traffic"]["heard"]) == (0.0, 0)
    all_heard = outcome_of("meet", *SMALL, "meeting.loss=0", "meeting.reach=9").frames
    assert (all_heard["meetings"]["pairs"], all_heard["traffic"]["lost"]) == (1.0, 0)
    assert all_heard["meetings"]["all_met_s"] == LOOK + 0.05


def test_the_same_seed_gives_the_same_tables_in_every_process_and_another_one_others() -> None:
    first = tables(outcome_of("meet", *SMALL))
    assert first == tables_of_another_process("meet", *SMALL)
    assert first != tables(outcome_of("meet", *SMALL, "run.seed=2"))


def test_a_real_robot_meets_virtual_ones_alike_every_time() -> None:
    one, again = (outcome_of("meet", *SOON, stage="loop", lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == {2}
    assert 2.0 in {*one.tables["meetings"]["robot"], *one.tables["meetings"]["other"]}


def test_in_real_time_the_robots_do_what_they_did_in_fast() -> None:
    assert str(results_on_a_hand_clock("meet", *SMALL)) == str(outcome_of("meet", *SMALL).frames)


def test_where_all_robots_are_real_they_meet_by_real_radio_alike_every_time() -> None:
    one, again = (outcome_of("meet", *SOON, stage="real", lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == {1, 2, 3, 4}
    meetings, traffic = one.frames["meetings"], one.frames["traffic"]
    assert float(meetings["pairs"]) > 0.0
    assert 0 < float(traffic["heard"]) <= 3 * float(traffic["said"])
    assert isnan(float(traffic["lost"])), "nobody knows"


def test_a_radio_that_is_real_is_heard_by_those_whose_radio_is_real() -> None:
    real = [f"real.{robot}.equipment.transceiver=real" for robot in (2, 3)]
    outcome = outcome_of("meet", *SOON, "meeting.reach=9", *real, stage="loop", lab="inside")
    table = outcome.tables["meetings"]
    assert set(zip(table["robot"], table["other"], strict=True)) == {(1.0, 4.0), (2.0, 3.0)}


@pytest.mark.wall_clock
@pytest.mark.parametrize(("stage", "rate", "lasts"), [("distributed", 10.0, 5), ("loop", 10.0, 5), ("real", 2.0, 20)])
def test_on_several_processes_and_on_the_wall_clock_robots_meet_too(stage: Stage, rate: float, lasts: int) -> None:
    outcome = outcome_of("meet", *SOON, f"run.duration={lasts}", stage=stage, rate=rate)
    assert float(outcome.frames["meetings"]["pairs"]) > 0.0


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"step": 0.5}, "robots see 1 m far, and go half of what is free: take 0.35 m at most"),
        ({"clearance": -0.1}, "must be at least 0 m: robots would drive into what they see"),
        ({"step": 0.0}, "meeting.step: must be more than 0 m: robots would stand still"),
        ({"reach": -1.0}, "meeting.reach: must be at least 0 m, not -1"),
        ({"delay": "-1 s"}, "meeting.delay: must be at least 0 s, not -1"),
        ({"loss": 10.0}, "meeting.loss: is a share from 0 to 1, not 10"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "meet", "meeting": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), problems
