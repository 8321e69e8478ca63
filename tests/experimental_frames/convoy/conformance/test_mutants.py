"""Robots that are broken on purpose are caught, at the level that should catch them."""

from __future__ import annotations

from functools import partial

import pytest

from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.conformance.records import Conformance
from devs_robotics.experimental_frames.convoy.conformance.single import RobotResults, check_robot
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import (
    TeamMonitor,
    TeamObserver,
    of_decision_models,
)
from devs_robotics.experimental_frames.convoy.conformance.violations import RULES
from devs_robotics.models.convoy import Leader
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.robots import CaseSystem
from devs_robotics.scenarios.convoy.case import Convoy
from devs_robotics.scenarios.convoy.conformance import LevelRuns, large, team
from devs_robotics.scenarios.convoy.conformance.protocol_roles import (
    decisions,
    player_of,
    protocol_role,
    protocol_roles,
)
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.running.means import Watched
from tests.experimental_frames.convoy.conformance import mutants
from tests.experimental_frames.convoy.conformance.mutants import broken
from tests.paths import ROOT
from tests.scenarios.by_hand import ByHand

SCANS = ["follower.scan_limit=12 deg", "follower.recoveries=1", "leader.turn=60 deg"]
NOISE = ["noise.dnf=0.2", "noise.anf=0.1"]
TEAM = load("convoy", ["convoy.robots=6", *SCANS, *NOISE])

STUCK = "stuck"
"""Caught without a violation: each robot waits for another."""

TABLE: dict[type[Member], tuple[bool, str | None, bool]] = {
    mutants.DoesNotWaitForItsFront: (True, "front", True),
    mutants.DoesNotWaitForItsBack: (True, "back", True),
    mutants.ForgetsToInform: (True, "all", True),
    mutants.ForgetsItsBack: (True, "all", True),
    mutants.ForgetsItsFront: (True, "all", True),
    mutants.AnswersTwice: (True, "once", False),
    mutants.AnswersAgain: (True, "once", False),
    mutants.InformsBeforeItHasMoved: (True, "order", True),
    mutants.TellsTheWrongSide: (True, "motion", True),
    mutants.LooksAndDoesNotAdjust: (True, "order", False),
    mutants.DoesNotLook: (True, "order", False),
    mutants.IgnoresAvoid: (True, STUCK, False),
    mutants.NeverGivesUp: (True, None, False),
    mutants.CommandsTwice: (True, "once", False),
    mutants.CountsNothing: (True, "count", False),
    mutants.LeadsWithoutWaiting: (True, "back", True),
    mutants.WearsOut: (False, None, True),
}
"""Whether each is caught alone, by which rule in a small team, and whether in a large one."""

EACH = pytest.mark.parametrize("mutant", TABLE, ids=lambda mutant: mutant.__name__)


def number_of(mutant: type[Member] | None) -> int:
    """Of the robot that is broken."""
    return 1 if mutant is not None and issubclass(mutant, Leader) else mutants.BROKEN


def alone(mutant: type[Member] | None) -> RobotResults:
    robot = number_of(mutant)
    with broken(mutant):
        return check_robot("it", protocol_role(TEAM, robot), partial(decisions, TEAM, robot), player_of(TEAM, robot))


def in_a_team(mutant: type[Member] | None) -> Conformance:
    with broken(mutant):
        return team(TEAM, LevelRuns(rounds=15), sizes=(3,))


def at_large(mutant: type[Member] | None) -> Conformance:
    with broken(mutant):
        return large(TEAM, LevelRuns(rounds=60 if mutant is mutants.WearsOut else 15))


def caught(done: Conformance) -> bool:
    return done.ending == "does not conform"


@EACH
def test_a_broken_robot_is_caught_on_the_bench(mutant: type[Member]) -> None:
    assert alone(mutant).conforms != TABLE[mutant][0]


@EACH
def test_a_broken_robot_is_caught_in_a_small_team_by_its_rule_and_its_number(mutant: type[Member]) -> None:
    done, rule = in_a_team(mutant), TABLE[mutant][1]
    assert caught(done) == (rule is not None)
    assert {violation.robot for violation in done.violations} <= {number_of(mutant)}
    assert [violation.rule for violation in done.violations[:1]] == ([rule] if rule in RULES else [])
    assert any("each waits for another" in finding.note for finding in done.findings) or rule != STUCK


@EACH
def test_a_broken_robot_is_caught_by_what_a_large_team_does(mutant: type[Member]) -> None:
    assert caught(at_large(mutant)) == TABLE[mutant][2]


def test_a_whole_robot_is_caught_nowhere_and_every_broken_one_somewhere() -> None:
    assert alone(None).conforms
    assert not caught(in_a_team(None))
    assert not caught(at_large(None))
    assert all(any(levels) for levels in TABLE.values())


def deaf(self: Convoy, system: CaseSystem) -> None:
    """A team in which robot 2 never hears robot 3; each robot by itself is whole."""
    WHOLE(self, system)
    if len(system.robots) > 2:
        second, third = system.robots[1], system.robots[2]
        system.remove_coupling(third.output["convoy_b_ready_out"], second.input["convoy_b_ready_in"])


WHOLE = Convoy.build


def test_a_missing_wire_is_caught_in_a_team_and_not_on_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Convoy, "build", deaf)
    assert alone(None).conforms
    done = team(TEAM, LevelRuns(rounds=5), sizes=(3,))
    assert caught(done)
    assert "each waits for another" in done.findings[0].note
    assert {(violation.robot, violation.rule) for violation in done.violations} == {(2, "silence")}


@pytest.mark.parametrize(
    ("mutant", "rounds"), [(None, 6), (mutants.AnswersTwice, 3), (mutants.TellsTheWrongSide, 15)], ids=str
)
def test_a_broken_robot_is_caught_with_real_robots_in_the_loop(mutant: type[Member] | None, rounds: int) -> None:
    of = load("convoy_in_the_loop", [f"run.rounds={rounds}", "field.width=5 m"])
    monitor = TeamMonitor(protocol_roles(of))
    observers: list[tuple[Observer, Watched]] = [(TeamObserver(monitor), of_decision_models)]
    with broken(mutant):
        ByHand(of, "loop").run(observers)
    assert {violation.robot for violation in monitor.violations} == (set() if mutant is None else {mutants.BROKEN})


def test_the_table_is_that_of_the_document() -> None:
    text = (ROOT / "docs" / "conformance.md").read_text()
    for mutant, levels in TABLE.items():
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {words(mutant)} |"))
        cells = [cell.strip() for cell in row.strip("|").split("|")][1:4]
        assert cells == ["caught" if level else "–" for level in levels], mutant


def words(mutant: type[Member]) -> str:
    """A class's name as words: ``ForgetsItsBack`` is "forgets its back"."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in mutant.__name__).strip()
