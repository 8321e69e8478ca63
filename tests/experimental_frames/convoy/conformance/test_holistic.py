"""What is held against a large team, and what is left open since its run was short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics.experimental_frames.coherence import Coherence
from devs_robotics.experimental_frames.conformance.records import Conformance, Finding
from devs_robotics.experimental_frames.convoy import RoundRow, measure
from devs_robotics.experimental_frames.convoy.conformance.holistic import SETTLED, formation, rounds_ahead, task
from tests.experimental_frames.convoy.test_formation import three_rounds

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


def row(time: float, robot: int, number: int) -> RoundRow:
    return RoundRow(number, robot, time, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, adjustments=0)


IN_STEP = [row(1, 1, 1), row(2, 2, 1), row(3, 1, 2), row(4, 2, 2)]
KEPT_UP = three_rounds().rows


@pytest.mark.parametrize(
    ("rounds", "rows", "lost", "wrong"),
    [
        (3, KEPT_UP, {}, []),
        (4, KEPT_UP, {}, ["rounds"]),
        (3, [*KEPT_UP, row(10, 1, 4), row(11, 1, 5)], {}, ["synchronisation"]),
        (3, KEPT_UP, {2: "it is tired"}, ["robots lost", "formation"]),
    ],
)
def test_a_team_has_done_its_task_when_all_rounds_are_completed_in_step_and_nobody_is_lost(
    rounds: int, rows: list[RoundRow], lost: dict[int, str], wrong: list[str]
) -> None:
    """The metrics are of a run with three rounds."""
    metrics = measure(three_rounds(), 0, 9.0)
    verdict = replace(RISING, verdict="not" if lost else "coherent")
    found = list(task("it", rounds, rows, metrics, lost, verdict, "run longer"))
    assert [finding.title.removeprefix("it: ") for finding in found if not finding.holds] == wrong
    assert found[0].note == f"3 of {rounds}"
    assert found[1].note == ("robot 2, it is tired" if lost else "none")
    assert found[2].note.endswith(f" ahead at most; a wave takes {metrics.synchronisation_delay_s:.2f} s per robot")


def test_a_robot_that_runs_ahead_of_its_back_robot_is_counted() -> None:
    assert rounds_ahead(IN_STEP, 2) == 1
    assert rounds_ahead([row(1, 1, 1), row(2, 1, 2), row(3, 2, 1)], 2) == 2  # and so it is before its first round
    assert rounds_ahead([row(1, 1, 1), row(2, 1, 2), row(3, 1, 3)], 2) == 3
    assert rounds_ahead([row(1, 2, 1), row(2, 2, 2)], 2) == 0  # the last robot has none behind it
    assert rounds_ahead([*IN_STEP[:3], row(5, 1, 3), row(5, 2, 2)], 2) == 1  # at one instant there is no order
    assert rounds_ahead([*IN_STEP[:3], row(5, 1, 3), row(6, 2, 2)], 2) == 2
    assert rounds_ahead([*IN_STEP, row(5, 1, 3), row(6, 1, 4)], 2) == 2  # the last instant counts, too
    assert rounds_ahead([row(1, 1, 1), row(1, 2, 1), row(2, 1, 2), row(3, 1, 3), row(4, 2, 2)], 2) == 2
