"""What came of a level, as it is read on a terminal."""

from __future__ import annotations

import pytest

from devs_robotics.experimental_frames.conformance.records import (
    SHOWN,
    Conformance,
    ConformanceTable,
    Finding,
    lines,
)
from devs_robotics.experimental_frames.conformance.violations import Violation
from tests.immutable import changeable

HOLDS, WRONG, OPEN = (Finding(title, holds, "so") for title, holds in (("one", True), ("two", False), ("three", None)))
FAULT = Finding("its link", False, "lost", fault=True)


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [
        ((HOLDS,), "conforms"),
        ((HOLDS, OPEN, OPEN), "conforms so far: 2 of 3 findings need a longer run to be decided"),
        ((HOLDS, WRONG), "does not conform: 1 of 2 findings does not hold"),
        ((WRONG, WRONG, OPEN), "does not conform: 2 of 3 findings do not hold"),
        ((WRONG, FAULT), "does not conform: 1 of 2 findings does not hold"),
        ((HOLDS, OPEN, FAULT), "broken off: a robot, a link or a clock failed, which says nothing of the models"),
    ],
)
def test_a_verdict_counts_what_does_not_hold_and_what_is_open(findings: tuple[Finding, ...], verdict: str) -> None:
    assert Conformance("team", "it", findings).verdict == verdict
    assert lines(Conformance("team", "it", findings))[-1] == verdict


def violations(count: int) -> tuple[Violation, ...]:
    return tuple(Violation(float(n), 2, "front", f"violation {n}", ("a", "b"), "in order") for n in range(count))


@pytest.mark.parametrize(("count", "more"), [(1, []), (SHOWN, []), (SHOWN + 1, ["and 1 more"]), (9, ["and 6 more"])])
def test_the_first_violations_are_shown_with_their_messages_and_the_others_counted(count: int, more: list[str]) -> None:
    shown = [line.strip() for line in lines(Conformance("team", "it", (WRONG,), violations(count)))]
    assert sum(line.startswith("violation ") for line in shown) == min(count, SHOWN)
    assert shown.count("a") == shown.count("b") == min(count, SHOWN)
    assert [line for line in shown if line.startswith("and ")] == more


def test_tables_of_numbers_are_aligned_and_tables_of_words_left_to_the_page() -> None:
    numbers = ConformanceTable("times (s)", ("robot", "rounds"), (("1", "12"), ("10", "3")))
    words = ConformanceTable("tests", ("test", "verdict"), (("what", "conforms"),), words=True)
    shown = lines(Conformance("team", "it", (HOLDS,), tables=(numbers, words), notes=("a note",)))
    assert shown == [
        "team: developmental testing of a small team; it",
        "  ok  one  so",
        "",
        "  times (s)",
        "    robot  rounds",
        "    1          12",
        "    10          3",
        "  a note",
        "conforms",
    ]


def test_what_is_found_cannot_be_changed() -> None:
    assert changeable("devs_robotics.experimental_frames.convoy.conformance") == set()
