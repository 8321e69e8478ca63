"""``devs-robotics conform``: its exit status, what it shows, what it writes, and what it refuses."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError, __version__
from devs_robotics.core.observe import JsonLines
from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.scenarios.commands import conform
from devs_robotics.scenarios.convoy.conformance import LevelRuns, team
from devs_robotics.scenarios.convoy.conformance.team_level import ROUNDS
from devs_robotics.scenarios.convoy.runs import load as load_convoy
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from tests.experimental_frames.convoy.conformance.mutants import AnswersTwice, WearsOut, broken
from tests.scenarios.case_runs import patience

SMALL = ["--set", "follower.scan_limit=12 deg", "--set", "follower.recoveries=1", "--set", "leader.turn=60 deg"]


def go(*arguments: object) -> tuple[int, str]:
    """Exit status and output."""
    parser = argparse.ArgumentParser()
    conform.add_arguments(parser)
    shown: list[str] = []
    status = conform.execute(parser.parse_args(list(map(str, arguments))), shown.append)
    return status, "\n".join(shown)


def test_one_robot_conforms_and_its_tests_are_written_down(tmp_path: Path) -> None:
    status, shown = go("convoy", "--level", "single", *SMALL, "--out", tmp_path)
    assert status == 0
    assert "ok  robot in the middle: transitions" in shown
    assert shown.splitlines()[-2:] == ["conforms", f"report: {tmp_path / 'conformance.html'}"]
    written = json.loads((tmp_path / "conformance.json").read_text())
    assert written["ending"] == "conforms"
    assert written["level"] == "single"
    origin = written["origin"]
    assert (origin["scenario"], origin["seed"], len(origin["sha256"])) == ("convoy", "1", 64)
    assert origin["devs-robotics"] == __version__
    verdicts = {row[2] for table in written["tables"] for row in table["rows"]}
    assert verdicts == {"conforms"}
    page = (tmp_path / "conformance.html").read_text()
    assert "waits for its front: front moved" in page
    assert f"scenario convoy; sha256 {origin['sha256']}; seed 1; devs-robotics {__version__}" in page
    assert "http" not in page


def test_a_broken_robot_does_not_conform_and_its_last_messages_are_shown(tmp_path: Path) -> None:
    with broken(AnswersTwice):
        status, shown = go("convoy", "--level", "team", "--rounds", 3, "--out", tmp_path)
    assert status == 1
    assert "robot 2 said more than one thing at once" in shown
    assert "said CaughtUp(robot=2) (b_ready_out)" in shown
    assert shown.splitlines()[-2].startswith("does not conform: ")
    written = json.loads((tmp_path / "conformance.json").read_text())
    assert written["ending"] == "does not conform"
    assert {(each["robot"], each["rule"]) for each in written["violations"]} == {(2, "once")}
    assert "does not conform" in (tmp_path / "conformance.html").read_text()


def test_a_large_team_is_judged_by_what_it_does() -> None:
    arguments = ("convoy", "--level", "large", "--rounds", 50, "--set", "convoy.robots=6")
    assert go(*arguments)[0] == 4
    with broken(WearsOut):
        status, shown = go(*arguments)
    assert status == 1
    assert "robot 2, it cannot find its front robot" in shown


def test_a_mean_error_is_no_larger_than_the_largest_one_beside_it(tmp_path: Path) -> None:
    go("convoy", "--level", "large", "--rounds", 8, "--set", "convoy.robots=6", "--out", tmp_path)
    (table,) = json.loads((tmp_path / "conformance.json").read_text())["tables"]
    mean, largest = (
        table["head"].index(metric_named(name).head) for name in ("error_at_completed_rounds_m", "largest_error_m")
    )
    assert all(0.0 < float(row[mean]) <= float(row[largest]) for row in table["rows"])


def test_no_heading_of_a_column_keeps_a_table_from_fitting_its_page(tmp_path: Path) -> None:
    go("convoy", "--level", "team", "--rounds", 2, "--out", tmp_path)
    page = (tmp_path / "conformance.html").read_text()
    assert ">held by Avoid</th>" in page
    unbroken = re.findall(r"^([^{}]*)\{[^}]*white-space: nowrap", page, flags=re.M)
    assert unbroken
    assert not [selectors for selectors in unbroken if "th" in selectors.replace(".", " ").split()]


def test_a_run_that_is_too_short_for_a_verdict_says_so_and_what_to_do() -> None:
    status, shown = go("convoy", "--level", "large", "--rounds", 8, "--set", "convoy.robots=6")
    assert status == 4
    assert "??  as it is: formation" in shown
    assert "undecided, 8 rounds are too few: " in shown
    assert "; leave out --rounds, so that the run is as long as it must be" in shown
    assert shown.splitlines()[-1] == "conforms so far: 3 of 12 findings need a longer run to be decided"


def test_without_a_number_of_rounds_a_run_is_as_long_as_the_verdict_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.scenarios.convoy.conformance.large_level.ROUNDS", 20)
    monkeypatch.setattr("devs_robotics.scenarios.convoy.conformance.large_level.MOST_ROUNDS", 80)
    status, shown = go("convoy", "--level", "large", "--set", "convoy.robots=6", "--set", "run.rounds=60")
    assert status == 4
    assert "as it is: 20 rounds leave open whether the formation is coherent; 40 follow" in shown
    assert "as it is: 40 rounds leave open whether the formation is coherent; 60 follow" in shown
    assert "as it is: rounds                      60 of 60" in shown


def test_without_a_number_of_rounds_a_team_goes_as_many_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ROUNDS == 30
    monkeypatch.setattr("devs_robotics.scenarios.convoy.conformance.team_level.ROUNDS", 3)
    runs = [
        team(load_convoy("convoy", of), LevelRuns(rounds=rounds), sizes=(2,)).findings
        for rounds, of in ((None, ()), (3, ()), (None, ["run.rounds=2"]))
    ]
    assert runs[0] == runs[1] != runs[2]


def test_a_scripted_leader_and_few_rounds_will_do_for_a_team() -> None:
    status, shown = go("convoy_by_hand", "--level", "team", "--rounds", 5)
    assert status == 0
    assert "narrow" not in shown


def test_a_follower_of_ones_own_is_named_in_the_scenario() -> None:
    of = "tests.experimental_frames.convoy.conformance.mutants"
    for name, verdict in (("AnswersTwice", "does not conform"), ("WearsOut", "conforms")):
        _, shown = go("convoy", "--level", "single", *SMALL, "--set", f"follower.model={of}:{name}")
        assert shown.splitlines()[-1].startswith(verdict)
        assert "leader: transitions                          17 of 17" in shown
    for target, sentence in (
        (f"{of}:Missing", f"--set: follower.model: the follower '{of}:Missing' is not there: {of} has no class"),
        (
            "devs_robotics.models.convoy:Leader",
            "'devs_robotics.models.convoy:Leader' is no follower: derive it from devs_robotics.models.convoy.Follower",
        ),
        ("nowhere:Follower", "no module 'nowhere' can be imported"),
    ):
        with pytest.raises(DevsRoboticsError, match=sentence):
            go("convoy", "--level", "single", "--set", f"follower.model={target}")


@pytest.mark.wall_clock
def test_a_team_can_be_watched_in_real_time_and_with_stand_ins() -> None:
    status, shown = go("convoy_in_the_loop", "--level", "team", "--rounds", 2, "--stage", "realtime", "--rate", 100)
    assert status == 0, shown
    status, shown = go(
        "convoy_in_the_loop",
        "--level",
        "hybrid",
        "--rounds",
        2,
        "--rate",
        4,
        *(f"--set={each}" for each in patience((2, 3))),
    )
    assert status == 4, shown
    assert "real: 2 (a stand-in), 3 (a stand-in)" in shown
    assert shown.splitlines()[-1].startswith("conforms so far: 1 of 8 findings")


def test_a_run_of_real_robots_is_reviewed_from_its_trace(tmp_path: Path) -> None:
    path, of = tmp_path / "run.jsonl", load("convoy_in_the_loop", ["run.rounds=3"])
    outcome = run(of, Means(stage="loop", lab="inside"), Hooks(observers=[(JsonLines(path), ["robot*"])]))
    assert outcome.ended == "accepted", outcome.reason
    status, shown = go("convoy_in_the_loop", "--level", "final", "--trace", path)
    assert status == 0, shown
    assert "links lost: none" in shown


@pytest.mark.wall_clock
def test_stand_ins_that_cannot_keep_up_say_nothing_of_the_models_and_the_rate_is_to_be_lowered() -> None:
    # so slow that on no machine, busy or not, an answer can come in time
    hopeless = [f"--set=real.{robot}.{key}=0.1 s" for robot in (2, 3) for key in ("answer_within", "link_within")]
    hopeless.append("--set=stand_in.latency=5 s")
    for level in ("team", "hybrid"):
        status, shown = go("convoy_in_the_loop", "--level", level, "--stage", "loop", "--rate", 40, *hopeless)
        assert status == 3, shown
        assert "broken off at rate 40, at which stand-ins may answer too late: lower it, " in shown
        assert "for instance with --rate 10 (robot " in shown
        assert shown.splitlines()[-1].startswith("broken off: ")
        assert shown.count("2 robots, ") <= 1  # the next run would go the same way


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--level", "final"], "--level final reviews a recorded run: add --trace FILE"),
        (["--level", "team", "--trace", "x.jsonl"], "--level team reviews no record, .*: leave out --trace"),
        (["--level", "single", "--rounds", "3"], "--level single runs no scenario: leave out --rounds"),
        (["--level", "hybrid", "--stage", "fast"], "in the stage fast no robot is real"),
        (["--level", "hybrid", "--stage", "distributed"], "in the stage distributed no robot is real"),
        (["--level", "team", "--stage", "distributed"], "in the stage distributed no monitor hears the robots"),
        (["--level", "team", "--rate", "10"], "--rate has no effect in the stage fast"),
        (["--level", "large", "--set", "convoy.robots=4"], "the level large is for 6 robots or more"),
        (["--level", "final", "--trace", "nowhere.jsonl"], "cannot read the trace nowhere.jsonl"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(DevsRoboticsError, match=sentence):
        go("convoy", *arguments)
