"""Robots that are broken on purpose are caught, at the level that should catch them."""

from __future__ import annotations

from functools import partial

import pytest

from devs_robotics.observe import Observer
from experimental_frames.conformance.single import check_robot
from experimental_frames.conformance.team_monitor import DECISIONS, TeamMonitor, TeamObserver
from models.convoy import ConvoySystem, Leader
from models.convoy.member import Member
from scenarios.conformance import Means, large, team
from scenarios.conformance_parts import decisions, part_of, parts_of, player_of
from scenarios.loading import load
from tests.experimental_frames.conformance import mutants
from tests.experimental_frames.conformance.mutants import broken
from tests.paths import ROOT
from tests.scenarios.by_hand import ByHand

TEAM = load("convoy", ["convoy.robots=6", "follower.scan_limit=12 deg", "follower.recoveries=1", "leader.turn=60 deg"])

TABLE: dict[type[Member], tuple[bool, bool, bool]] = {
    mutants.DoesNotWaitForItsFront: (True, True, True),
    mutants.DoesNotWaitForItsBack: (True, True, True),
    mutants.ForgetsToInform: (True, True, True),
    mutants.ForgetsItsBack: (True, True, True),
    mutants.ForgetsItsFront: (True, True, True),
    mutants.AnswersTwice: (True, True, False),
    mutants.AnswersAgain: (True, True, False),
    mutants.InformsBeforeItHasMoved: (True, True, True),
    mutants.TellsTheWrongSide: (True, True, True),
    mutants.LooksAndDoesNotAdjust: (True, True, False),
    mutants.DoesNotLook: (True, True, False),
    mutants.IgnoresAvoid: (True, True, False),
    mutants.NeverGivesUp: (True, False, False),
    mutants.CommandsTwice: (True, True, False),
    mutants.CountsNothing: (True, True, False),
    mutants.LeadsWithoutWaiting: (True, True, True),
    mutants.WearsOut: (False, False, True),
}
"""Whether each is caught at the levels single, team and large; the first that does is the one that should."""

EACH = pytest.mark.parametrize("mutant", TABLE, ids=lambda mutant: mutant.__name__)


def caught_alone(mutant: type[Member] | None) -> bool:
    robot = 1 if mutant is not None and issubclass(mutant, Leader) else mutants.BROKEN
    with broken(mutant):
        tested = check_robot("it", part_of(TEAM, robot), partial(decisions, TEAM, robot), player_of(TEAM, robot))
    return not tested.conforms


def caught_in_a_team(mutant: type[Member] | None) -> bool:
    with broken(mutant):
        return not team(TEAM, Means(rounds=15), sizes=(4,)).conforms


def caught_at_large(mutant: type[Member] | None) -> bool:
    with broken(mutant):
        return not large(TEAM, Means(rounds=60 if mutant is mutants.WearsOut else 15)).conforms


@EACH
def test_a_single_robot_is_caught_on_the_bench(mutant: type[Member]) -> None:
    assert caught_alone(mutant) == TABLE[mutant][0]


@EACH
def test_a_robot_is_caught_in_a_small_team(mutant: type[Member]) -> None:
    assert caught_in_a_team(mutant) == TABLE[mutant][1]


@EACH
def test_a_robot_is_caught_by_what_a_large_team_does(mutant: type[Member]) -> None:
    assert caught_at_large(mutant) == TABLE[mutant][2]


def test_a_whole_robot_is_caught_nowhere() -> None:
    assert not caught_alone(None)
    assert not caught_in_a_team(None)
    assert not caught_at_large(None)


def test_every_broken_robot_is_caught_somewhere_and_the_three_that_matter_most_by_their_own_rule() -> None:
    assert all(any(levels) for levels in TABLE.values())
    for mutant, rule in (
        (mutants.DoesNotWaitForItsFront, "front"),
        (mutants.ForgetsToInform, "all"),
        (mutants.AnswersTwice, "once"),
    ):
        with broken(mutant):
            done = team(TEAM, Means(rounds=5), sizes=(3,))
        assert done.violations[0].rule == rule
        assert done.violations[0].robot == mutants.BROKEN


class Deaf(ConvoySystem):
    """A team in which robot 2 never hears robot 3; each robot by itself is whole."""

    def __init__(self, *arguments: object, **keys: object) -> None:
        super().__init__(*arguments, **keys)  # type: ignore[arg-type]
        if len(self.robots) > 2:
            self.remove_coupling(self.robots[2].b_ready_out, self.robots[1].b_ready_in)


def test_a_missing_wire_is_caught_in_a_team_and_not_on_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenarios.assembly.ConvoySystem", Deaf)
    assert not caught_alone(None)
    done = team(TEAM, Means(rounds=5), sizes=(3,))
    assert not done.conforms
    assert "each waits for another" in done.findings[0].note
    assert {(violation.robot, violation.rule) for violation in done.violations} == {(2, "silence")}


@pytest.mark.parametrize("mutant", [None, mutants.AnswersTwice, mutants.TellsTheWrongSide], ids=str)
def test_a_broken_robot_is_caught_with_real_robots_in_the_loop(mutant: type[Member] | None) -> None:
    of = load("convoy_in_the_loop", ["run.rounds=15", "field.width=5 m"])
    monitor = TeamMonitor(parts_of(of))
    observers: list[tuple[Observer, list[str]]] = [(TeamObserver(monitor), [DECISIONS])]
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
