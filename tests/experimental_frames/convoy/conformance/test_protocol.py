"""The protocol's tables by themselves: they hang together, and say what the paper says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.experimental_frames.convoy.conformance.derivation import stimuli
from devs_robotics.experimental_frames.convoy.conformance.messages import Sight
from devs_robotics.experimental_frames.convoy.conformance.protocol import (
    BACK,
    BOTH,
    CONDITIONS,
    DONE,
    DRIVES,
    EFFECTS,
    FRONT,
    HEARD,
    HELD,
    LOST,
    Kind,
    Limits,
    Machine,
    ProtocolMemory,
)

SIGHT = Sight(offset=0.2, nearest=0.25, farthest=0.65, too_close=0.45, spacing=0.5)
LIMITS = Limits(looks=4, recoveries=1, turns=3)


def machines() -> list[Machine]:
    kinds: list[Kind] = ["leader", "scripted leader", "follower"]
    return [*(Machine(kind, LIMITS) for kind in kinds), Machine("follower", LIMITS, last=True)]


def sight(machine: Machine) -> Sight | None:
    return SIGHT if machine.kind == "follower" else None


MACHINES = pytest.mark.parametrize("machine", machines(), ids=lambda m: f"{m.kind}{' (last)' if m.last else ''}")


@MACHINES
def test_every_word_of_a_table_means_something(machine: Machine) -> None:
    for rule in machine.rules:
        assert rule.heard in HEARD
        assert rule.does in ("", *DONE)
        assert CONDITIONS.keys() >= set(rule.only_if)
        assert EFFECTS.keys() >= set(rule.sets)
        assert rule.then == LOST or any(rule.then == other.state for other in machine.rules)


@MACHINES
@settings(max_examples=30)
@given(data=st.data())
def test_what_a_robot_hears_tells_what_it_has_to_do(machine: Machine, data: st.DataObject) -> None:
    """On a walk through the table, at most one line fits what is heard, but for a leader that has gone right round."""
    (memory,) = {after for _, after in machine.answers(machine.start, "begin")} or {machine.start}
    for _ in range(data.draw(st.integers(0, 40))):
        stimulus = data.draw(st.sampled_from(stimuli(machine, sight(machine))))
        answers = [(rule, after) for rule, after in machine.answers(memory, *stimulus) if rule.sought]
        assert len({rule.does for rule, _ in answers}) <= (2 if memory.turns == LIMITS.turns else 1)
        if answers:
            memory = answers[-1][1]
        assert 0 <= memory.looks <= LIMITS.looks
        assert memory.recoveries <= LIMITS.recoveries
        assert memory.back_ups <= LIMITS.back_ups


@MACHINES
def test_no_robot_drives_while_avoid_has_its_motor_nor_once_it_is_lost(machine: Machine) -> None:
    for rule in machine.rules:
        assert rule.state != LOST
        if rule.state in HELD and rule.heard != "handed back":
            assert not rule.does


def test_a_follower_sets_off_when_both_neighbours_have_said_so_whichever_came_first() -> None:
    machine = Machine("follower", LIMITS)
    for first, second, between in (("front moved", "caught up", BACK), ("caught up", "front moved", FRONT)):
        ((rule, memory),) = machine.answers(ProtocolMemory(BOTH), first, "ahead" if first == "front moved" else "")
        assert (rule.does, memory.state) == ("", between)
        ((rule, _),) = machine.answers(memory, second, "ahead" if second == "front moved" else "")
        assert rule.does in DRIVES


def test_a_last_robot_never_waits_for_one_behind_it() -> None:
    last = Machine("follower", LIMITS, last=True)
    assert not any(rule.heard == "caught up" for rule in last.rules)
    assert {rule.then for rule in last.rules if rule.does == "inform"} == {FRONT}
