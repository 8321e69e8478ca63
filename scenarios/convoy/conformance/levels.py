"""One level of conformance, from what is asked to what is told of it."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from devs_robotics.experimental_frames.conformance.page import conformance_html, conformance_json
from devs_robotics.experimental_frames.conformance.records import Conformance, lines
from devs_robotics.scenarios.conformance import Examination, Examined
from devs_robotics.scenarios.convoy.conformance.final_level import final
from devs_robotics.scenarios.convoy.conformance.hybrid_level import hybrid
from devs_robotics.scenarios.convoy.conformance.large_level import large
from devs_robotics.scenarios.convoy.conformance.runs import LevelRuns
from devs_robotics.scenarios.convoy.conformance.single_level import single
from devs_robotics.scenarios.convoy.conformance.team_level import team
from devs_robotics.scenarios.convoy.settings import ConvoyScenario


def examine(scenario: ConvoyScenario, wanted: Examination) -> Examined:
    """Hold the robots of a scenario against their protocol, at one level.

    Raises:
        KeyboardInterrupt: the user has interrupted it
        DevsRoboticsError: the level cannot begin
    """
    done = replace(_gone_through(scenario, wanted), origin=dict(wanted.origin))
    return Examined(
        done.ending,
        lines(done),
        to_builtins(done),
        {"conformance.json": lambda: conformance_json(done), "conformance.html": lambda: conformance_html(done)},
    )


def _gone_through(scenario: ConvoyScenario, wanted: Examination) -> Conformance:
    if wanted.level == "single":
        return single(scenario)
    if wanted.level == "final":
        assert wanted.trace is not None, "the command asks for it"
        return final(scenario, wanted.trace)
    runs = LevelRuns(wanted.stage, wanted.rounds, wanted.means, wanted.hooks)
    return {"team": team, "large": large, "hybrid": hybrid}[wanted.level](scenario, runs)
