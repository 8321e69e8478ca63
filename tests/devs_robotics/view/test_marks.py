"""Marks that follow messages."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

import pytest

from devs_robotics import Atomic, In, Out, Simulator
from devs_robotics.models.environment import Circle
from devs_robotics.view.drawable import MarkError
from devs_robotics.view.marks import Marks, Shown
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Disc, Mark, Polyline


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


def changes(
    how: Callable[[int], Any], lasts: float = float("inf"), until: float = 5.0, trouble: str = ""
) -> list[MarkChange]:
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
    assert trouble in marks.trouble
    assert bool(trouble) == bool(marks.trouble)
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


NO_MARKS: dict[str, Any] = {
    "a number": Mark(Disc(nan, 1.0, 0.3)),
    "an infinity": Mark(Polyline(((0.0, 0.0), (1e300, 0.0)))),
    "a text": Mark(text=5),  # type: ignore[arg-type]
    "a shape": Mark(Circle(1.0, 1.0, 0.5)),  # type: ignore[arg-type]
    "a surrogate": Mark(text="\ud800"),
    "points": Mark(Polyline(())),
    "anything": 3,
}


@pytest.mark.parametrize("wrong", NO_MARKS.values(), ids=NO_MARKS)
def test_marks_that_cannot_be_drawn_are_told_at_the_start_and_left_out_later(wrong: Any) -> None:
    if isinstance(wrong, Mark):
        with pytest.raises(MarkError, match=r"^marks made of 'it' "):
            Marks([("it", wrong)])
    assert [each.name for each in changes(lambda number: {"it": wrong}, trouble="ticks.said made of 'it' ")] == []


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda number: number, "must return marks by their names"),
        (lambda number: {3: None}, "must name marks by texts"),
        (lambda number: 1 / 0, "failed: ZeroDivisionError"),
    ],
)
def test_a_fault_in_marks_ends_no_run_and_is_told_with_its_port(how: Any, said: str) -> None:
    assert changes(how, trouble=f"ticks.said {said}") == []


@pytest.mark.parametrize(("how", "lasts"), [(3, 1.0), (dict, -1.0), (dict, nan)])
def test_what_cannot_be_shown_is_told(how: Any, lasts: float) -> None:
    with pytest.raises(MarkError, match="how must be a function, and lasts more than 0 s"):
        Marks([Shown(Ticks().said, how, lasts)])
