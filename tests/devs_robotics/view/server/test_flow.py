"""What waits for one viewer: little, and nothing old."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Mark
from devs_robotics.view.server.flow import EVENTS, PATIENCE, TEXTS, Flow
from devs_robotics.view.server.messages import Want
from devs_robotics.view.states import packed, unpacked


def state(time: float) -> bytes:
    return packed(0, time, 0.0, 1, np.zeros((3, 1)), np.ones(1))


def looking(**want: Any) -> Flow:
    flow = Flow()
    flow.take_want(Want(**{"rate": 60.0, **want}), None)
    return flow


def taken(flow: Flow, now: float) -> list[Any]:
    found: list[Any] = []
    while (waiting := flow.next(now)) is not None:
        data = waiting.data
        found.append(json.loads(data) if isinstance(data, str) else unpacked(data))
    return found


def test_nobody_gets_what_he_does_not_want() -> None:
    flow = Flow()
    flow.show(state(1.0))
    flow.tell_events(1.0, [("log", 1.0, "hello")], 0)
    flow.tell_metrics(1.0, {"share": [(1.0, 0.5)]})
    assert taken(flow, 0.0) == []
    assert flow.wait(0.0) is None


@given(st.lists(st.sampled_from(["show", "take", "answer"]), max_size=80))
def test_no_more_than_two_states_are_unanswered_and_the_newest_waits(steps: list[str]) -> None:
    flow, shown, sent, answered, now = looking(), 0, 0, 0, 0.0
    for step in steps:
        now += 1.0
        if step == "show":
            shown += 1
            flow.show(state(float(shown)))
        elif step == "answer" and answered < sent:
            answered += 1
            flow.answered(answered)
        for each in taken(flow, now):
            sent += 1
            assert each.number == sent
            assert each.time == shown
        assert sent - answered <= 2


def test_who_reads_again_gets_the_newest_at_once() -> None:
    flow = looking()
    for second in range(10):
        flow.show(state(float(second)))
        taken(flow, float(second))
    assert flow.dropped == 7
    flow.answered(2)
    assert [each.time for each in taken(flow, 9.0)] == [9.0]


def test_who_answers_once_a_second_gets_states_that_are_no_older_than_that() -> None:
    flow, ages, unanswered = looking(), [], []
    for tick in range(1, 601):
        now = tick / 60.0
        flow.show(state(now))
        unanswered += taken(flow, now)
        if tick % 60 == 0:  # it reads what there is
            ages += [now - each.time for each in unanswered]
            flow.answered(unanswered[-1].number)
            unanswered.clear()
            unanswered += taken(flow, now)
    assert len(ages) >= 18
    assert max(ages) <= 1.0 + 1e-9
    assert flow.dropped > 500


def test_a_page_gets_no_more_states_per_second_than_it_wants() -> None:
    flow, count = looking(rate=10.0), 0
    for tick in range(600):
        now = tick / 60.0
        flow.show(state(now))
        for each in taken(flow, now):
            flow.answered(each.number)
            count += 1
    assert 98 <= count <= 101


def test_a_hidden_page_gets_the_latest_state_when_it_is_shown_again() -> None:
    flow = looking()
    flow.take_want(Want(rate=0.0), None)
    flow.show(state(1.0))
    flow.tell_status("{}")
    assert taken(flow, 0.0) == [{}]
    flow.take_want(Want(rate=5.0), state(2.0))
    assert [each.time for each in taken(flow, 0.0)] == [2.0]


@pytest.mark.parametrize("rate", [-1.0, float("inf"), float("nan")])
def test_a_rate_that_is_none_is_none(rate: float) -> None:
    assert looking(rate=rate).want.rate == 0.0


def test_the_oldest_events_are_dropped_and_counted() -> None:
    flow = looking(events=True)
    for number in range(3):
        flow.tell_events(1.0, [("log", 1.0, f"{number} {each}") for each in range(EVENTS // 2)], number)
    (told,) = taken(flow, 0.0)
    assert told["skipped"] == EVENTS // 2 + 3
    assert len(told["items"]) == EVENTS
    assert told["items"][-1] == ["log", 1.0, f"2 {EVENTS // 2 - 1}"]


def test_rays_may_be_wanted_of_some_robots_only() -> None:
    flow = looking(events=True, robots=[2])
    flow.tell_events(1.0, [("see", 1.0, 1, []), ("see", 1.0, 2, []), ("say", 1.0, 1, None, "hello")], 0)
    (told,) = taken(flow, 0.0)
    assert told["items"] == [["see", 1.0, 2, []], ["say", 1.0, 1, None, "hello"]]


def test_a_status_takes_the_place_of_the_one_before_and_texts_come_first() -> None:
    flow = looking()
    flow.show(state(1.0))
    flow.tell_status('{"n": 1}')
    flow.tell_status('{"n": 2}')
    flow.say('{"n": 0}')
    assert [each if isinstance(each, dict) else each.time for each in taken(flow, 0.0)] == [{"n": 0}, {"n": 2}, 1.0]


def test_who_does_not_answer_is_gone_after_a_while() -> None:
    flow = looking()
    flow.show(state(1.0))
    taken(flow, 1.0)
    assert flow.wait(2.0) == pytest.approx(PATIENCE - 1.0)
    assert not flow.is_gone(PATIENCE)
    assert flow.is_gone(PATIENCE + 1.0)
    flow.answered(1)
    assert not flow.is_gone(1e9)


@given(st.integers(-5, 10))
def test_an_answer_to_what_was_never_sent_answers_nothing(number: int) -> None:
    flow = looking()
    flow.show(state(1.0))
    taken(flow, 1.0)
    flow.answered(number)
    assert flow.is_gone(100.0) == (number != 1)


def test_for_whom_too_much_waits_is_given_up() -> None:
    flow = looking()
    for _ in range(TEXTS):
        flow.say("{}")
    assert not flow.is_stuck
    flow.say("{}")
    assert flow.is_stuck


def test_of_marks_a_slow_viewer_gets_the_last_and_a_hidden_page_gets_them_later() -> None:
    flow = looking()
    for number in range(5):
        flow.tell_marks([MarkChange(float(number), "a", Mark(text=str(number))), MarkChange(float(number), "b", None)])
    (told,) = taken(flow, 0.0)
    assert [(time, name, mark and mark["text"]) for time, name, mark in told["changes"]] == [
        (4.0, "a", "4"),
        (4.0, "b", None),
    ]
    flow.take_want(Want(rate=0.0), None)
    flow.tell_marks([MarkChange(5.0, "a", None)])
    assert taken(flow, 0.0) == []
    flow.take_want(Want(rate=30.0), None)
    (told,) = taken(flow, 0.0)
    assert told == {"type": "marks", "changes": [[5.0, "a", None]]}
