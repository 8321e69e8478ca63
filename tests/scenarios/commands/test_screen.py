"""The metrics of a run, as people read them."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from devs_robotics import Lateness
from devs_robotics.experimental_frames.coherence import coherence
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.convoy.beginning import resolve
from devs_robotics.scenarios.convoy.judging import formation_coherence
from devs_robotics.scenarios.running.outcome import Outcome
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Convoy, Run, Scenario


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return run(resolve(Scenario(convoy=Convoy(robots=3), run=Run(rounds=80))))


def test_the_verdict_is_a_word_with_its_reasons_in_a_line_each(outcome: Outcome) -> None:
    lines = outcome_lines(outcome)
    place = lines.index(f"  formation: {formation_coherence(outcome).verdict}")
    reasons = formation_coherence(outcome).reasons
    assert lines[place + 1 : place + 1 + len(reasons)] == [f"    {reason}" for reason in reasons]
    assert not any(line.startswith("    ") and line[4] != " " for line in lines[: place + 1])


def test_a_robot_that_is_lost_makes_it_not_coherent(outcome: Outcome) -> None:
    lines = outcome_lines(replace(outcome, robots_lost={2: "it has lost its front robot"}))
    assert lines[lines.index("  formation: not coherent") + 1] == "    robot 2 is lost"


def test_words_are_those_of_the_field(outcome: Outcome) -> None:
    text = "\n".join(outcome_lines(outcome))
    assert re.search(r"synchronisation delay +\d\.\d\d s +per robot of the line", text)
    assert re.search(r"adjustments +\d+ +\d\.\d\d per follower and round", text)


def test_lateness_is_told_by_its_median_its_99th_percentile_and_its_maximum(outcome: Outcome) -> None:
    timing = Lateness()
    for number in range(101):
        timing.record(float(number), number / 1000.0)
    (line,) = (line for line in outcome_lines(replace(outcome, timing=timing)) if "lateness" in line)
    assert line == "  lateness of events              50.0 ms    median; 99 %: 99.0 ms, max: 100.0 ms"


def test_nothing_is_shown_as_less_than_nothing(outcome: Outcome) -> None:
    """A number that rounds to zero has no sign; nor has a trend that goes down by less than is shown."""
    lines = outcome_lines(replace(outcome, metrics=replace(outcome.metrics, largest_error_m=-1e-9)))
    assert "-0.0" not in "\n".join(lines)
    errors = [0.07 + 0.01 * (number % 7) - 1e-10 * number for number in range(400)]
    reasons = coherence(range(400), errors, (), 0.15).reasons
    assert any(reason.startswith("the error does not rise: 0.00 cm per 100 rounds") for reason in reasons)


def test_the_lines_of_a_coherent_formation_fit_eighty_columns() -> None:
    errors = [0.07 + 0.03 * ((number * 37) % 101) / 101.0 for number in range(400)]
    found = coherence(range(400), errors, (), 0.15)
    assert (found.verdict, len(found.reasons)) == ("coherent", 3)
    assert max(len(f"    {reason}") for reason in found.reasons) <= 80
