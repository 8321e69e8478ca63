"""Derives tests of a single robot from its protocol: shortest sequences of what it hears, found breadth first.

For each line of the table there is a test that goes through it, and for each state and everything that the protocol
does not have a robot hear in it, one in which it hears just that. Each test goes on to the end of the round, where
the robot's own account of its motions shows whether it went wrong on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.experimental_frames.convoy.conformance.messages import Sight
from devs_robotics.experimental_frames.convoy.conformance.protocol import DETAILS, HEARD, Machine, ProtocolMemory, Rule


class Stimulus(NamedTuple):
    """Something to have a robot hear; `detail` says what it means, where it may mean several things."""

    heard: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.heard} ({self.detail})" if self.detail else self.heard


class Step(Struct, frozen=True):
    """What a robot hears, and what it should then be doing."""

    stimulus: Stimulus
    after: ProtocolMemory


class ProtocolTest(Struct, frozen=True):
    """A test of one robot.

    Attributes:
        rule: the line of the table that it is about; None where it is about something out of protocol
        state: in which the robot is by then
        at: number of the step that it is about
        steps: what the robot hears, from the start on
    """

    rule: Rule | None
    state: str
    at: int
    steps: tuple[Step, ...]

    @property
    def title(self) -> str:
        """What it is about, for people."""
        return str(self.rule) if self.rule is not None else f"{self.state}: {self.steps[self.at].stimulus} -> nothing"


class Derived(Struct, frozen=True):
    """The tests of a robot.

    Attributes:
        cases: one for each line, and for each state and stimulus out of protocol
        beyond: lines that no sequence reaches with these settings
    """

    cases: tuple[ProtocolTest, ...]
    beyond: tuple[Rule, ...]


def stimuli(machine: Machine, sight: Sight | None) -> list[Stimulus]:
    """All that a robot can be had to hear."""
    found: list[Stimulus] = []
    for heard in HEARD[1:]:
        who = "leader" if machine.kind != "follower" else "follower"
        if (heard == "front moved" and who == "leader") or (heard == "caught up" and machine.last):
            continue
        for detail in DETAILS.get(heard) or DETAILS.get(f"{heard} by a {who}") or ("",):
            if heard != "seen" or sight is None or sight.reading(detail) is not None:
                found.append(Stimulus(heard, detail))
    return found


def derive(machine: Machine, sight: Sight | None = None) -> Derived:
    """The tests of a robot with this protocol."""
    explored = _Explored(machine, stimuli(machine, sight))
    cases = [*explored.lines(), *explored.out_of_protocol()]
    reached = {case.rule for case in cases}
    return Derived(tuple(cases), tuple(rule for rule in machine.rules if rule.sought and rule not in reached))


class _Explored:
    """All that a robot can come to, and the shortest way to each."""

    def __init__(self, machine: Machine, all_stimuli: list[Stimulus]) -> None:
        self.machine = machine
        self.stimuli = all_stimuli
        self.ways: dict[ProtocolMemory, tuple[Step, ...]] = {}
        self.moves: list[tuple[ProtocolMemory, Step, Rule]] = []
        begin = self._begin()
        queue = deque([begin])
        while queue:
            memory = queue.popleft()
            for step, rule in self.following(memory):
                self.moves.append((memory, step, rule))
                if step.after not in self.ways:
                    self.ways[step.after] = (*self.ways[memory], step)
                    queue.append(step.after)

    def _begin(self) -> ProtocolMemory:
        """Where a robot is when the simulation has started."""
        start = self.machine.start
        for rule, after in self.machine.answers(start, "begin"):
            step = Step(Stimulus("begin"), after)
            self.moves.append((start, step, rule))
            self.ways[after] = (step,)
            return after
        self.ways[start] = ()
        return start

    def following(self, memory: ProtocolMemory) -> Iterator[tuple[Step, Rule]]:
        """What the protocol has a robot hear next, and do."""
        for stimulus in self.stimuli:
            for rule, after in self.machine.answers(memory, *stimulus):
                if rule.sought:
                    yield Step(stimulus, after), rule

    def lines(self) -> Iterator[ProtocolTest]:
        """A test for each line of the table: the shortest that goes through it."""
        seen: set[Rule] = set()
        for memory, step, rule in self.moves:
            if rule not in seen:
                seen.add(rule)
                before = self.ways.get(memory, ())
                yield ProtocolTest(
                    rule, memory.state, len(before), (*before, step, *self._to_the_end(step.after, rule.does))
                )

    def out_of_protocol(self) -> Iterator[ProtocolTest]:
        """A test for each state and everything that a robot should not hear in it."""
        seen: set[tuple[str, Stimulus]] = set()
        for memory, way in self.ways.items():
            for stimulus in self.stimuli:
                if (memory.state, stimulus) in seen or any(self.machine.answers(memory, stimulus.heard)):
                    continue
                seen.add((memory.state, stimulus))
                newest = stimulus.heard == "front moved" and memory.way  # its front robot's newest word counts
                after = replace(memory, way=stimulus.detail) if newest else memory
                yield ProtocolTest(
                    None, memory.state, len(way), (*way, Step(stimulus, after), *self._to_the_end(after))
                )

    def _to_the_end(self, memory: ProtocolMemory, done: str = "") -> tuple[Step, ...]:
        """The shortest way to the end of the round; there is none once a robot is lost."""
        return () if done == "inform" else self._shortest(memory, lambda rule: rule.does == "inform")

    def _shortest(self, start: ProtocolMemory, wanted: Callable[[Rule], bool]) -> tuple[Step, ...]:
        ways: dict[ProtocolMemory, tuple[Step, ...]] = {start: ()}
        queue = deque([start])
        while queue:
            memory = queue.popleft()
            for step, rule in self.following(memory):
                way = (*ways[memory], step)
                if wanted(rule):
                    return way
                if step.after not in ways:
                    ways[step.after] = way
                    queue.append(step.after)
        return ()
