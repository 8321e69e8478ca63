"""Tests derived from the protocol: they leave nothing out, and are as short as can be."""

from __future__ import annotations

from itertools import product

import pytest

from devs_robotics.experimental_frames.convoy.conformance.derivation import Derived, Stimulus, derive, stimuli
from devs_robotics.experimental_frames.convoy.conformance.messages import Sight
from devs_robotics.experimental_frames.convoy.conformance.protocol import LOST, Limits, Machine, ProtocolMemory, Rule
from tests.experimental_frames.convoy.conformance.test_protocol import LIMITS, MACHINES, SIGHT, sight


def derived(machine: Machine) -> Derived:
    return derive(machine, sight(machine))


@MACHINES
def test_each_line_of_the_table_has_a_test(machine: Machine) -> None:
    tests = derived(machine)
    assert not tests.beyond
    assert {case.rule for case in tests.cases if case.rule} == {rule for rule in machine.rules if rule.sought}


@MACHINES
def test_in_each_state_a_robot_hears_everything_that_is_out_of_protocol_there(machine: Machine) -> None:
    every = {(state, heard) for state in states(machine) for heard in stimuli(machine, sight(machine))}
    in_protocol = {
        (rule.state, each)
        for rule in machine.rules
        for each in stimuli(machine, sight(machine))
        if rule.heard == each[0]
    }
    out = {(case.state, case.steps[case.at].stimulus) for case in derived(machine).cases if case.rule is None}
    assert out == every - in_protocol


def states(machine: Machine) -> set[str]:
    lost = {rule.then for rule in machine.rules if rule.then == LOST}
    return {rule.state for rule in machine.rules if rule.heard != "begin"} | lost


@MACHINES
def test_each_test_is_a_walk_by_the_table_that_goes_through_what_it_is_about(machine: Machine) -> None:
    for case in derived(machine).cases:
        memory, gone = machine.start, []
        for step in case.steps:
            answers = {after: rule for rule, after in machine.answers(memory, *step.stimulus)}
            assert step.after in answers or (not answers and step.after.state == memory.state)
            gone.append(answers.get(step.after))
            memory = step.after
        assert gone[case.at] == case.rule
        if case.rule is None or case.rule.does != "inform":
            assert memory.state == LOST or (gone[-1] is not None and gone[-1].does == "inform")


@MACHINES
def test_no_shorter_sequence_leads_to_a_line_of_the_table(machine: Machine) -> None:
    """Held against all sequences of up to four things heard, tried one by one."""
    words = stimuli(machine, sight(machine))
    shortest: dict[Rule, int] = {}
    for length in range(4):
        for sequence in product(words, repeat=length):
            for rule in walked(machine, sequence):
                shortest.setdefault(rule, length)
    found = {case.rule: case.at + 1 - beginning(machine) for case in derived(machine).cases if case.rule}
    for rule, length in shortest.items():
        assert found[rule] == length
    assert all(length > 3 for rule, length in found.items() if rule not in shortest)


def beginning(machine: Machine) -> int:
    return sum(1 for _ in machine.answers(machine.start, "begin"))


def walked(machine: Machine, sequence: tuple[Stimulus, ...]) -> set[Rule]:
    """The lines that can be gone through last, where the whole sequence is by the table."""
    memories: set[ProtocolMemory] = {machine.start}
    last: set[Rule] = set()
    for stimulus in ([Stimulus("begin")] if beginning(machine) else []) + list(sequence):
        answers = [answer for memory in memories for answer in machine.answers(memory, *stimulus) if answer[0].sought]
        memories, last = {after for _, after in answers}, {rule for rule, _ in answers}
    return last


@pytest.mark.parametrize(("looks", "recoveries"), [(0, 0), (2, 0), (2, 2), (6, 1)])
def test_giving_up_takes_every_look_of_every_scan(looks: int, recoveries: int) -> None:
    tests = derive(Machine("follower", Limits(looks=looks, recoveries=recoveries)), SIGHT)
    (case,) = (case for case in tests.cases if case.rule and case.rule.does == "give up")
    seen_nothing = sum(step.stimulus == ("seen", "nothing") for step in case.steps)
    assert seen_nothing == (looks + 1) * (recoveries + 1)


def test_what_cannot_be_seen_with_these_settings_is_not_played() -> None:
    narrow = Sight(offset=0.2, nearest=0.45, farthest=0.65, too_close=0.45, spacing=0.5)
    tests = derive(Machine("follower", LIMITS), narrow)
    assert all(step.stimulus != ("seen", "too close") for case in tests.cases for step in case.steps)
    assert {rule.detail for rule in tests.beyond} == {"too close"}
