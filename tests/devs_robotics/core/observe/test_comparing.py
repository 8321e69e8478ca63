"""The first difference between two traces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.observe import (
    Changed,
    CutShort,
    Event,
    Received,
    Recorder,
    Sent,
    Started,
    first_difference,
    plain,
)
from tests.devs_robotics.core.observe.pair import Call, observe, recorded
from tests.devs_robotics.core.observe.random_traces import events, traces


def canonical(event: Event) -> object:
    """What counts in an event, by another way than comparing's."""
    if isinstance(event, Sent | Received):
        bag = sorted(msgspec.json.encode(plain(value), order="sorted") for value in event.values)
        return type(event), event.time, event.model, event.port, bag
    if isinstance(event, Started):
        return event.time, event.root, list(event.models.items())
    return event


def naive(expected: list[Event], seen: list[Event]) -> int | None:
    """Index of the first difference."""
    for index in range(max(len(expected), len(seen))):
        if index >= min(len(expected), len(seen)) or canonical(expected[index]) != canonical(seen[index]):
            return index
    return None


def shuffled(event: Event, seed: int) -> Event:
    if isinstance(event, Sent | Received):
        bag = random.Random(seed).sample(event.values, len(event.values))
        return type(event)(event.time, event.model, event.port, tuple(bag))
    return event


@given(traces, st.integers())
def test_the_order_within_a_bag_does_not_count(trace: list[Event], seed: int) -> None:
    assert first_difference(trace, [shuffled(event, seed) for event in trace]) is None


@given(traces, events, st.integers(0, 8), st.sampled_from(["replace", "insert", "delete", "swap"]))
def test_the_first_difference_is_where_a_trace_was_changed(
    trace: list[Event], other: Event, where: int, how: str
) -> None:
    at = min(where, len(trace) - 1)
    changed = list(trace)
    if how == "replace":
        changed[at] = other
    elif how == "insert":
        changed.insert(at + 1, other)
    elif how == "delete":
        del changed[at]
    else:
        changed[at:] = reversed(changed[at:])
    difference = first_difference(trace, changed)
    assert (None if difference is None else difference.index) == naive(trace, changed)
    if difference is not None:
        assert difference.words
        assert list(difference.before) == trace[max(0, difference.index - 5) : difference.index]
        assert str(difference).startswith("the traces differ at ")


@given(traces, st.integers(0, 8))
def test_a_prefix_differs_where_it_ends(trace: list[Event], length: int) -> None:
    prefix = trace[:length]
    longer, shorter = first_difference(prefix, trace), first_difference(trace, prefix)
    if len(prefix) == len(trace):
        assert longer is shorter is None
    else:
        assert longer is not None
        assert shorter is not None
        assert longer.index == shorter.index == len(prefix)
        assert (longer.expected, longer.seen, longer.words) == (
            None,
            trace[length],
            ("the expected trace ends before",),
        )
        assert (shorter.seen, shorter.words) == (None, ("the seen trace ends before",))


def endless(wrong: int) -> Iterator[Event]:
    for index in count():
        yield Sent(float(index), "a", "out", ("wrong" if index == wrong else index,))


def test_traces_are_read_no_further_than_the_difference() -> None:
    difference = first_difference(endless(-1), endless(1000))
    assert difference is not None
    assert (difference.index, difference.time, difference.model, difference.port) == (1000, 1000.0, "a", "out")


def test_the_message_says_where_what_was_expected_and_seen_and_what_came_before() -> None:
    recorder = Recorder()
    observe(recorder)
    seen = list(recorder.events)
    at = next(index for index, event in enumerate(seen) if isinstance(event, Received))
    event = seen[at]
    assert isinstance(event, Received)
    seen[at] = Received(event.time, event.model, event.port, (Call(0, 0.25), event.values[0]))
    assert str(first_difference(recorder.events, seen)) == (
        "the traces differ at 2 s in world/listener.heard (event 3):\n"
        "  value.loudness: expected 0.5, seen 0.25\n"
        "expected           2 s  world/listener  received   heard <- Call(number=0, loudness=inf), "
        "Call(number=0, loudness=0.5)\n"
        "seen               2 s  world/listener  received   heard <- Call(number=0, loudness=0.25), "
        "Call(number=0, loudness=inf)\n"
        "just before, in both:\n"
        "           0 s  started    world: 2 models\n"
        "           2 s  world/beacon  sent       call <- Call(number=0, loudness=inf), Call(number=0, loudness=0.5)\n"
        "           2 s  world/beacon  internal   -> silent for 2 s"
    )


def words(expected: Event, seen: Event) -> tuple[str, ...]:
    difference = first_difference([expected], [seen])
    assert difference is not None
    return difference.words


def test_each_field_that_differs_is_named() -> None:
    assert words(Changed(1.0, "a", "internal", 1.0, "on", 2.0), Changed(1.0, "a", "confluent", 1.0, "off", 2.0)) == (
        "kind: expected internal, seen confluent",
        "phase: expected on, seen off",
    )
    assert words(Sent(1.0, "a", "p", (1, 2, 2)), Sent(1.0, "a", "p", (2, 1, 1, 3))) == (
        "value expected, not seen: 2",
        "value seen, not expected: 1",
        "value seen, not expected: 3",
    )
    assert words(Sent(1.0, "a", "p", ([1, {"x": 2}],)), Sent(1.0, "a", "p", ([1, {"x": True}],))) == (
        "value[1].x: expected 2, seen true",
    )
    assert words(Sent(1.0, "a", "p", ()), Received(1.0, "a", "p", ())) == ("another kind of event",)
    assert words(Sent(1.0, "a", "p", ()), CutShort(1.0)) == ("the seen trace is cut short here",)
    here = Started(devs_robotics="1", time=0.0, root="a", models={"a/b": "B", "a/c": "C"})
    there = Started(devs_robotics="2", time=0.0, root="a", models={"a/b": "D", "a/d": "D"})
    assert words(here, there) == (
        "model a/b: expected a B, seen a D",
        "model a/c: expected, not seen",
        "model a/d: seen, not expected",
    )
    reordered = Started(devs_robotics="2", time=0.0, root="a", models={"a/c": "C", "a/b": "B"})
    assert words(here, reordered) == ("models: in another order",)
    assert first_difference([here], [msgspec.structs.replace(here, devs_robotics="2")]) is None


def test_two_runs_of_a_model_tell_the_same() -> None:
    assert first_difference(recorded(), recorded()) is None
