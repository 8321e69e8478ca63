"""Conformance of a case without protocol tables: its runs are judged by acceptors, bodies, guards and links."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import to_builtins
from msgspec.structs import replace

from devs_robotics.experimental_frames.conformance.page import conformance_html, conformance_json
from devs_robotics.experimental_frames.conformance.records import Conformance, Finding, lines
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.conformance import Examination, Examined
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage


def examine(scenario: Scenario, wanted: Examination) -> Examined:
    """Judge a run of a large team, or of one with real robots.

    Raises:
        KeyboardInterrupt: the user has interrupted it
        OptionError: the level needs protocol tables, or real robots, or rounds are asked for
        DevsRoboticsError: the run cannot begin
    """
    if wanted.level not in ("large", "hybrid"):
        raise OptionError(
            f"--level {wanted.level}: the case study {scenario.case} has no protocol tables: take --level large or "
            "hybrid, which judge its runs by acceptors, bodies, guards and links"
        )
    if wanted.rounds is not None:
        raise OptionError(f"--rounds: the case study {scenario.case} counts none: leave it out, or set run.duration")
    stage: Stage = wanted.stage or ("loop" if wanted.level == "hybrid" else "fast")
    measured = scenario.model_copy(update={"frame": scenario.frame.model_copy(update={"approaches": True})})
    if wanted.level == "hybrid" and not set_up(measured, stage).real:
        remedy = "add a table [real.N]" if stage == "loop" else "take --stage loop or real"
        raise OptionError(f"--level hybrid: no robot is real in the stage {stage}: {remedy}, or take --level large")
    outcome = run(measured, replace(wanted.means, stage=stage), wanted.hooks)
    if outcome.ended == "interrupted":
        raise KeyboardInterrupt
    assert isinstance(outcome, CaseOutcome)
    robots = len(outcome.tracks.poses)
    done = Conformance(
        wanted.level,
        f"{robots} robot{'s' if robots != 1 else ''}, stage {stage}, {outcome.end_s:.1f} s simulated",
        tuple(_findings(outcome)),
        notes=tuple(_notes(outcome)),
        origin=dict(wanted.origin),
    )
    return Examined(
        done.ending,
        lines(done),
        to_builtins(done),
        {"conformance.json": lambda: conformance_json(done), "conformance.html": lambda: conformance_html(done)},
    )


def _notes(outcome: CaseOutcome) -> Iterator[str]:
    """What is not judged."""
    yield "Without protocol tables of the case study's own, what robots say to each other is not judged."


def _findings(outcome: CaseOutcome) -> Iterator[Finding]:
    """The acceptors', the bodies', the guards' and the links'."""
    fault = outcome.ended == "broken off"
    yield Finding("the frame accepts the run", outcome.ended == "accepted", outcome.reason, fault)
    if outcome.approaches is not None:
        trouble = outcome.approaches.verdict()
        limit = outcome.scenario.safety.approach
        kept = f"none came closer than {100.0 * limit:.3g} cm"
        allowed = getattr(outcome.approaches, "allowed", ())
        if allowed:
            kept += f" but as the case allows: {'; '.join(allowed)}"
        yield Finding("bodies keep apart", not trouble, trouble or kept)
    for number, robot in outcome.robots.items():
        refused = f"its guard refused {robot.refused:,} of its moves, for want of room" if robot.refused else "none"
        yield Finding(f"robot {number} is told no move without room", not robot.refused, refused)
        lost = ", ".join(f"{why} ({count:,})" for why, count in robot.dropped.items())
        yield Finding(f"robot {number} says nothing but valid messages", not lost, lost or "nothing was dropped")
