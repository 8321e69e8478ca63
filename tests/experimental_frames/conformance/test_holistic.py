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


FINDINGS = st.builds(Finding, st.just("it"), st.sampled_from([True, False, None]), st.just(""))
FAULT = Finding("its link", False, "lost", fault=True)


@given(st.lists(FINDINGS, min_size=1))
def test_what_is_open_is_neither_held_against_a_team_nor_hidden(findings: list[Finding]) -> None:
    done = Conformance("large", "it", tuple(findings))
    holds = {finding.holds for finding in findings}
    assert (done.ending == "conforms") == (holds == {True})
    assert (done.ending == "does not conform") == (False in holds)
    assert (done.ending == "conforms so far") == (None in holds and False not in holds)
    assert done.verdict.partition(":")[0] == done.ending


@given(st.lists(FINDINGS), st.integers(0))
def test_a_fault_hides_nothing_that_is_wrong_and_nothing_is_right_that_it_kept_from_being_told(
    findings: list[Finding], place: int
) -> None:
    wrong = any(finding.holds is False for finding in findings)
    findings.insert(place % (len(findings) + 1), FAULT)
    assert Conformance("team", "it", tuple(findings)).ending == ("does not conform" if wrong else "broken off")


def test_a_robot_that_runs_ahead_of_its_back_robot_is_counted() -> None:
    def row(time: float, robot: int, number: int) -> RoundRow:
        return RoundRow(number, robot, time, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, adjustments=0)

    in_step = [row(1, 1, 1), row(2, 2, 1), row(3, 1, 2), row(4, 2, 2)]
    assert rounds_ahead(in_step) == 1
    assert rounds_ahead([*in_step[:3], row(5, 1, 3), row(5, 2, 2)]) == 1  # at one instant there is no order
    assert rounds_ahead([*in_step[:3], row(5, 1, 3), row(6, 2, 2)]) == 2
    assert rounds_ahead([*in_step, row(5, 1, 3), row(6, 1, 4)]) == 2  # the last instant counts, too
    assert rounds_ahead([row(1, 1, 1), row(1, 2, 1), row(2, 1, 2), row(3, 1, 3), row(4, 2, 2)]) == 2
