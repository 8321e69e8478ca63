"""The metrics of a run, as people read them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from devs_robotics import Lateness
from devs_robotics.experimental_frames.coherence import coherence
from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.convoy.case import SHOWN, SOMETIMES
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import columns, formation_coherence
from devs_robotics.scenarios.convoy.runs import run
from devs_robotics.scenarios.convoy.settings import ConvoyRunTable, ConvoyScenario, ConvoyTable


@pytest.fixture(scope="module")
def outcome() -> ConvoyOutcome:
    return run(resolve(ConvoyScenario(convoy=ConvoyTable(robots=3), run=ConvoyRunTable(rounds=80))))


def test_the_verdict_is_a_word_with_its_reasons_in_a_line_each(outcome: ConvoyOutcome) -> None:
    lines = outcome_lines(outcome)
    place = lines.index(f"  formation: {formation_coherence(outcome).verdict}")
    reasons = formation_coherence(outcome).reasons
    assert lines[place + 1 : place + 1 + len(reasons)] == [f"    {reason}" for reason in reasons]
    assert not any(line.startswith("    ") and line[4] != " " for line in lines[: place + 1])


def test_a_robot_that_is_lost_makes_it_not_coherent(outcome: ConvoyOutcome) -> None:
    lines = outcome_lines(replace(outcome, robots_lost={2: "it has lost its front robot"}))
    assert lines[lines.index("  formation: not coherent") + 1] == "    robot 2 is lost"


def test_metrics_are_told_as_they_are_declared(outcome: ConvoyOutcome) -> None:
    lines, values = outcome_lines(outcome), columns(outcome)
    for name in SHOWN:
        told = [line for line in lines if line.startswith(f"  {metric_named(name).title}  ")]
        if name in SOMETIMES:
            assert told == []
        else:
            (line,) = told
            metric = metric_named(name)
            assert line.split("  ")[-1].split() == [metric.text(float(values[name])), *metric.unit.split()]


def test_lateness_is_told_by_its_median_its_99th_percentile_and_its_maximum(outcome: ConvoyOutcome) -> None:
    timing = Lateness()
    for number in range(101):
        timing.record(float(number), number / 1000.0)
    (line,) = (line for line in outcome_lines(replace(outcome, timing=timing)) if "lateness" in line)
    assert " ".join(line.split()) == "lateness of events, median 50.0 ms; 99 %: 99.0 ms, max: 100.0 ms"


def test_lateness_is_not_told_where_nothing_is_late_by_construction(outcome: ConvoyOutcome) -> None:
    timing = Lateness()
    timing.record(1.0, 0.0)
    for none in (timing, Lateness()):
        assert not any("lateness" in line for line in outcome_lines(replace(outcome, timing=none)))


def test_nothing_is_shown_as_less_than_nothing(outcome: ConvoyOutcome) -> None:
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
