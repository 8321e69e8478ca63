"""Marks that follow messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devs_robotics import Atomic, In, Out, Simulator
from devs_robotics.core.errors import ObserverError
from devs_robotics.view.marks import MarkError, Marks, Shown
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Mark


class Ticks(Atomic):
    """Says 0, 1, 2, ... once a second."""

    heard = In(int)
    said = Out(int)

    def __init__(self) -> None:
        super().__init__("ticks")
        self.number = 0

    def initialize(self) -> None:
        self.hold_in("waiting", 1.0)

    def lambdaf(self) -> None:
        self.said.add(self.number)

    def deltint(self) -> None:
        self.number += 1
        self.hold_in("waiting", 1.0)


def changes(how: Callable[[int], Any], lasts: float = float("inf"), until: float = 5.0) -> list[MarkChange]:
    """How marks change in a run of some seconds."""
    model = Ticks()
    marks = Marks([("begin", Mark(text="begin")), Shown(model.said, how, lasts)])
    told: list[MarkChange] = []
    marks.tell = told.append
    with Simulator(model) as simulator:
        simulator.attach(marks, *marks.patterns())
        simulator.run(until)
    marks.finish(until)
    assert told == marks.changes
    return told


def test_only_what_changes_is_kept() -> None:
    here, even = Mark(text="here"), Mark(text="even")
    found = changes(lambda number: {"even": None if number % 2 else even, "always": here})
    assert [(change.time, change.name) for change in found] == [
        (1.0, "even"),
        (1.0, "always"),
        (2.0, "even"),
        (3.0, "even"),
        (4.0, "even"),
        (5.0, "even"),
    ]


def test_a_mark_goes_when_its_time_is_over_unless_it_is_made_anew() -> None:
    ping = {"ping": Mark(text="ping")}
    once = changes(lambda number: {} if number % 3 else ping, lasts=0.5)
    found = [(change.time, change.mark is None) for change in once]
    assert found == [(1.0, False), (1.5, True), (4.0, False), (4.5, True)]
    again = changes(lambda number: ping, lasts=1.5)
    assert [(change.time, change.mark is None) for change in again] == [(1.0, False)]


def test_a_mark_that_is_there_at_first_can_go() -> None:
    assert [change.name for change in changes(lambda number: {"begin": None})] == ["begin"]


@pytest.mark.parametrize("wrong", [Mark(), ("nest",), ("nest", 1), (1, Mark()), "nest"])
def test_what_is_no_mark_is_told(wrong: Any) -> None:
    with pytest.raises(MarkError, match="marks must yield names with marks"):
        Marks([wrong])


@pytest.mark.parametrize("port", [Ticks().heard, None, "said"])
def test_only_outputs_of_atomic_models_can_be_followed(port: Any) -> None:
    with pytest.raises(MarkError, match="Shown follows an output port of an atomic model"):
        Marks([Shown(port, dict)])


def test_what_makes_no_marks_is_told_with_its_port() -> None:
    with pytest.raises(ObserverError, match=r"ticks.said must return marks by their names"):
        changes(lambda number: number)
