"""Why the stages of a study differ, as far as their scenario says it: noise of models, bodies of stand-ins, clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees
from typing import Any

from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.report.markup import marked
from devs_robotics.experimental_frames.report.sections import Section
from devs_robotics.experimental_frames.study.records import Study

STAND_IN = "a stand-in"
"""What a run says of a robot that the laboratory plays."""


def reasons_section(study: Study) -> Section:
    """What makes the stages differ although their decision models are the same."""
    return Section("Why stages differ", says=tuple(_reasons(study)))


def _reasons(study: Study) -> Iterator[str]:
    scenario = study.scenario
    yield f"Where every robot is virtual, motions err as the scenario says: {_model_noise(scenario)}."
    played: dict[str, set[int]] = {}
    outside: dict[str, set[int]] = {}
    for run in study.runs:
        for robot, player in run.robots.items():
            (played if player.startswith(STAND_IN) else outside).setdefault(run.stage, set()).add(robot)
    for stage, robots in played.items():
        yield marked(
            "<b>{}</b>: {} {} played by {}, whose motions err by their own rules, and not by the scenario’s noise: {}.",
            stage,
            numbered(sorted(robots)),
            "is" if len(robots) == 1 else "are",
            "a stand-in" if len(robots) == 1 else "stand-ins",
            _stand_in_noise(scenario.get("stand_in", {})),
        )
    for stage, robots in outside.items():
        are, bodies = ("is", "its own body") if len(robots) == 1 else ("are", "their own bodies")
        yield marked("<b>{}</b>: {} {} real, with the errors of {}.", stage, numbered(sorted(robots)), are, bodies)
    yield from _clocks(study)


def _model_noise(scenario: Mapping[str, Any]) -> str:
    noise = scenario.get("noise", {})
    dnf, anf = noise.get("dnf", 0.0), noise.get("anf", 0.0)
    if not dnf and not anf:
        return "not at all"
    return f"up to {100.0 * dnf:g} % of each distance, and {anf:g} degrees of heading per centimetre"


def _stand_in_noise(table: Mapping[str, Any]) -> str:
    if table.get("perfect"):
        return "not at all (stand_in.perfect)"
    stretch, swerve = table.get("stretch", 0.0), table.get("swerve", 0.0)
    gain = table.get("acceleration")
    wheels = "" if gain is None else f", with wheels that gain {gain:g} m/s per second"
    slowest = table.get("latency", 0.0) + table.get("jitter", 0.0)
    return (
        f"up to {100.0 * stretch:g} % of each distance, {degrees(swerve):.3g} degrees of heading per metre{wheels}; "
        f"their range readings by {1000.0 * table.get('range_noise', 0.0):g} mm (standard deviation), and their "
        f"messages take up to {1000.0 * slowest:g} ms each way"
    )


def _clocks(study: Study) -> Iterator[str]:
    """How late events were, in the stages that have a clock."""
    for stage in study.stages:
        late = [run.lateness.p99 for run in study.of(stage) if run.lateness is not None]
        if late:
            yield marked(
                "<b>{}</b>: events wait for a clock; in the worst run one in a hundred was more than {} ms late.",
                stage,
                f"{1000.0 * max(late):,.1f}",
            )
