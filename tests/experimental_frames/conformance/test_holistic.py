"""What is held against a large team, and what is left open since its run was short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from experimental_frames.coherence import Coherence
from experimental_frames.conformance.holistic import SETTLED, formation, rounds_ahead
from experimental_frames.conformance.records import Conformance, Finding
from experimental_frames.convoy import RoundRow

RISING = Coherence("not", ("the error rises",), 0, 0.1, 0.2, 0.1, 0.0)


@pytest.mark.parametrize(
    ("verdict", "rounds", "lost", "holds"),
    [
        ("coherent", 40, [], True),
        ("not", SETTLED - 1, [], None),
        ("not", SETTLED, [], False),
        ("not", 10, [2], False),
        ("undecided", 10 * SETTLED, [], None),
    ],
)
def test_an_error_counts_in_a_long_run_only_and_a_lost_robot_always(
    verdict: str, rounds: int, lost: list[int], holds: bool | None
) -> None:
    found = formation("it", rounds, lost, replace(RISING, verdict=verdict), "run longer")
    assert found.holds is holds
    assert found.note.endswith("; run longer") == (holds is None)


@given(st.lists(st.sampled_from([True, False, None]), min_size=1))
def test_what_is_open_is_neither_held_against_a_team_nor_hidden(holds: list[bool | None]) -> None:
    done = Conformance("large", "it", tuple(Finding("it", each, "") for each in holds))
    assert done.conforms == (False not in holds)
    assert (done.verdict == "conforms") == (set(holds) == {True})
    assert done.verdict.startswith("conforms so far: ") == (None in holds and False not in holds)


def test_a_robot_that_runs_ahead_of_its_back_robot_is_counted() -> None:
    def row(time: float, robot: int, number: int) -> RoundRow:
        return RoundRow(number, robot, time, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, adjustments=0)

    in_step = [row(1, 1, 1), row(2, 2, 1), row(3, 1, 2), row(4, 2, 2)]
    assert rounds_ahead(in_step) == 1
    assert rounds_ahead([row(1, 1, 1), row(1, 2, 1), row(2, 1, 2), row(3, 1, 3), row(4, 2, 2)]) == 2
