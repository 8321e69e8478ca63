"""The event queue by itself, without a simulator: against a plain table of times."""

from __future__ import annotations

from math import inf, nan
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdevs.models import Atomic as XdevsAtomic

from devs_robotics import Atomic, In, ModelError
from devs_robotics.core.model_node import ModelNode
from devs_robotics.core.schedule import HEAP_SLACK, Schedule


class Idle(Atomic):
    heard = In(str)


def schedule_of(count: int) -> tuple[Schedule, list[ModelNode]]:
    schedule = Schedule()
    nodes = [ModelNode(Idle(f"m{number}"), 0.0) for number in range(count)]
    schedule.follow({node.model: node for node in nodes})
    return schedule, nodes


def numbers(nodes: list[ModelNode]) -> list[int]:
    return [node.order for node in nodes]


ADVANCES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0, inf])


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), ADVANCES), max_size=6), max_size=12))
def test_the_imminent_models_are_those_of_a_plain_table_in_the_order_of_the_tree(
    rounds: list[list[tuple[int, float]]],
) -> None:
    """In each round some models are planned anew, as after inputs, and those that are then due are taken."""
    schedule, nodes = schedule_of(5)
    times = [inf] * 5
    for plans in rounds:
        for number, advance in dict(plans).items():
            if times[number] != schedule.time:  # one that is due makes its transition before it is planned anew
                schedule.plan(nodes[number], advance)
                times[number] = schedule.time + advance
        schedule.due_in_order = False
        assert schedule.next_time() == min(times)
        if min(times) < inf:
            schedule.time = min(times)
            assert numbers(schedule.take_imminent()) == [n for n, time in enumerate(times) if time == schedule.time]
            times = [inf if time == schedule.time else time for time in times]


def test_a_time_advance_that_rounding_swallows_is_due_now() -> None:
    schedule, (node,) = schedule_of(1)
    schedule.time = 1e9
    schedule.plan(node, 1e-9)
    assert schedule.next_time() == 1e9
    assert schedule.take_imminent() == [node]


@pytest.mark.parametrize("advance", [-1.0, -inf, nan])
def test_time_does_not_run_backwards(advance: float) -> None:
    schedule, (node,) = schedule_of(1)
    with pytest.raises(ModelError, match=r"the time advance is .*: make it zero or more \(infinity to wait for ever\)"):
        schedule.plan(node, advance)
    assert schedule.next_time() == inf


def test_inputs_of_one_time_keep_their_order_and_count_as_events() -> None:
    schedule, (node,) = schedule_of(1)
    port = cast("Idle", node.model).heard
    schedule.plan(node, 2.0)
    for time, value in [(3.0, "late"), (1.0, "first"), (1.0, "second")]:
        schedule.add_input(time, port, (value,))
    assert schedule.next_time() == 1.0
    assert list(schedule.take_inputs()) == []
    schedule.time = 1.0
    assert list(schedule.take_inputs()) == [(port, ("first",)), (port, ("second",))]
    assert schedule.next_time() == 2.0


def test_events_of_models_that_are_gone_are_dropped_and_the_others_numbered_anew() -> None:
    schedule, nodes = schedule_of(4)
    for node, advance in zip(nodes, [1.0, 0.0, 0.0, 1.0], strict=True):
        schedule.plan(node, advance)
    _, due, _, later = nodes
    schedule.follow({node.model: node for node in (later, due)})
    assert numbers([later, due]) == [0, 1]
    assert schedule.take_imminent() == [due]
    schedule.time = schedule.next_time()
    assert schedule.time == 1.0
    assert schedule.take_imminent() == [later]
    assert schedule.next_time() == inf


def test_entries_that_no_longer_hold_are_left_out_in_time() -> None:
    schedule, (fed, ticking) = schedule_of(2)
    longest = 0
    for step in range(5 * HEAP_SLACK):
        schedule.plan(fed, 1e6)
        schedule.plan(ticking, 1.0)
        schedule.time = schedule.next_time()
        assert schedule.take_imminent() == [ticking]
        longest = max(longest, len(schedule.heap))
        assert schedule.time == step + 1
    assert longest <= HEAP_SLACK + 5


def test_a_restored_schedule_has_the_same_to_come() -> None:
    schedule, nodes = schedule_of(4)
    schedule.time = 5.0
    for node, advance in zip(nodes, [2.0, 0.0, inf, 0.0], strict=True):
        schedule.plan(node, advance)
    port = cast("Idle", nodes[0].model).heard
    schedule.add_input(6.0, port, ("a", "b"))
    models = [cast("XdevsAtomic", node.model) for node in nodes]
    restored = Schedule.restored(5.0, models, schedule.saved())
    seen = []
    for each in (schedule, restored):
        events = []
        while each.next_time() < inf:
            each.time = each.next_time()
            events.append((each.time, list(each.take_inputs()), numbers(each.take_imminent())))
        seen.append(events)
    assert seen[0] == seen[1] == [(5.0, [], [1, 3]), (6.0, [(port, ("a", "b"))], []), (7.0, [], [0])]
