"""Studies: several stages and seeds of one scenario."""

from __future__ import annotations

import io
import json
import re
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.study.comparing import rows
from devs_robotics.experimental_frames.study.verdict import continuity_holds, models_problem
from devs_robotics.models.convoy import Follower
from devs_robotics.scenarios.commands.arguments import seeds_of
from devs_robotics.scenarios.commands.study import (
    _robots_are_back,
    add_arguments,
    execute,
    stages_of,
    study_lines,
)
from devs_robotics.scenarios.comparison.study import StudyOrder, conduct, write
from devs_robotics.scenarios.convoy.comparison import COMPARED
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.stages import Stage
from tests.experimental_frames.study.studies import made_study

SMALL = ("convoy.robots=3", "run.rounds=4")
QUICK = 1000.0
"""Simulated seconds per real second."""


def order(*settings: str, stages: tuple[Stage, ...], seeds: tuple[int, ...], rate: float = QUICK) -> StudyOrder:
    everything = (*SMALL, *settings)
    scenario = load("convoy", everything)
    return StudyOrder(
        scenario=scenario, stages=stages, seeds=seeds, means=Means(rate=rate), source="convoy", settings=everything
    )


def studied(capsys: pytest.CaptureFixture[str], out: Path, *arguments: str) -> tuple[int, list[str]]:
    """The exit status and the output of the command."""
    parser = ArgumentParser()
    add_arguments(parser)
    settings = [word for setting in SMALL for word in ("--set", setting)]
    status = execute(parser.parse_args(["convoy", *settings, "--out", str(out), *arguments]), print)
    return status, capsys.readouterr().out.splitlines()


@pytest.mark.wall_clock
def test_the_stages_fast_and_realtime_measure_and_decide_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = studied(capsys, tmp_path, "--stages", "fast,realtime", "--seeds", "2", "--rate", f"{QUICK:g}")
    assert status == 0
    assert lines[0] == "model continuity, realtime: the decisions are those in fast mode"
    assert [line.partition(":")[0] for line in lines[1:5]] == [
        "[1 of 4] fast, seed 1",
        "[2 of 4] realtime, seed 1",
        "[3 of 4] fast, seed 2",
        "[4 of 4] realtime, seed 2",
    ]
    assert "4 of 4 runs accepted" in lines
    assert lines[-2:] == ["model continuity holds", f"report: {tmp_path / 'study.html'}"]
    data = json.loads((tmp_path / "study.json").read_text())
    for row in data["comparison"]:
        difference = row["differences"]["realtime"]
        assert difference["reading"] == "the same"
        assert difference["difference"]["mean"] == 0.0
    folders = {f"{stage}-{seed}" for stage in ("fast", "realtime") for seed in (1, 2)}
    assert {path.name for path in (tmp_path / "runs").iterdir()} == folders
    assert json.loads((tmp_path / "runs/fast-2/summary.json").read_text())["seed"] == 2
    assert (tmp_path / "runs.csv").read_text().startswith("stage,seed,ended,quantity,value\nfast,1,accepted,")


def test_a_run_that_fails_does_not_sink_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end_round = Follower._end_round
    rounds = []

    def fault(self: Follower) -> None:
        rounds.append(self.robot)
        if len(rounds) == 12:  # in the second run of two robots that complete four rounds each
            raise ZeroDivisionError("oh")
        end_round(self)

    monkeypatch.setattr(Follower, "_end_round", fault)
    lines: list[str] = []
    done = conduct(order(stages=("fast",), seeds=(1, 2, 3)), tmp_path, tell=lines.append)
    assert [run.ended for run in done.runs] == ["accepted", "failed", "accepted"]
    assert rows(done)[0].means["fast"].n == 2
    failed = done.runs[1]
    assert re.search(r"ZeroDivisionError: oh \(\S*test_study\.py, line \d+\)$", failed.reason)
    assert failed.command == ("devs-robotics run convoy --stage fast --seed 2 --set convoy.robots=3 --set run.rounds=4")
    assert lines[1].startswith("[2 of 3] fast, seed 2: failed, experiment/system/robot")
    assert (tmp_path / "runs/fast-2/summary.json").exists()


@pytest.mark.wall_clock
def test_in_the_loop_perfect_stand_ins_decide_the_same_and_a_run_that_cannot_begin_sinks_nothing(
    tmp_path: Path,
) -> None:
    """Robot 3 is real and cannot live at another rate than 1; for the proof a stand-in plays it."""
    patience = "answer_within=5, link_within=60"
    real = f'real={{2={{infrared="virtual", {patience}}}, 3={{address="mqtt://127.0.0.1:9/robot", {patience}}}}}'
    done = conduct(order(real, stages=("fast", "loop"), seeds=(1,), rate=5.0), tmp_path)
    (proof,) = done.proofs
    assert proof.holds, proof
    assert proof.agreement is not None
    assert proof.agreement.rounds == 4
    assert [(run.stage, run.ended) for run in done.runs] == [("fast", "accepted"), ("loop", "failed")]
    assert "cannot live at the rate 5" in done.runs[1].reason
    assert models_problem(done) == "no decision model was seen in loop"
    assert not continuity_holds(done)
    *_, page = write(tmp_path, done, rows(done))
    assert "cannot live at the rate 5" in page.read_text()


def test_a_study_that_is_interrupted_keeps_what_is_there(tmp_path: Path) -> None:
    lines: list[str] = []
    done = conduct(
        order(stages=("fast",), seeds=(1, 2, 3, 4)), tmp_path, interrupted=lambda: len(lines) == 2, tell=lines.append
    )
    assert done.interrupted
    assert [run.seed for run in done.runs] == [1, 2]
    paths = write(tmp_path, done, rows(done))
    assert [path.name for path in paths] == ["study.json", "runs.csv", "study.html"]
    page = paths[-1].read_text()
    assert "The user ended the study early" in page
    assert study_lines(done, rows(done))[-1].startswith("model continuity holds as far as was run: 2 of 4 runs ")


def test_a_study_of_one_stage_compares_nothing(tmp_path: Path) -> None:
    done = conduct(order(stages=("fast",), seeds=(7,)), tmp_path)
    assert done.proofs == []
    assert rows(done)[0].differences == {}
    assert "Differences to" not in write(tmp_path, done, rows(done))[-1].read_text()


@pytest.mark.parametrize(("seeds", "are"), [(1, "1 pair of runs is"), (3, "3 pairs of runs are")])
def test_that_pairs_are_too_few_is_said_once(seeds: int, are: str) -> None:
    values = {"fast": dict.fromkeys(range(seeds), 0.1), "loop": {seed: 0.2 + 0.1 * seed for seed in range(seeds)}}
    study = made_study(values)
    lines = study_lines(study, rows(study))
    sentence = f"{are} too few to tell a difference apart from chance: give more --seeds"
    assert [line for line in lines if "too few" in line] == [sentence]


def test_what_the_same_few_pairs_do_tell_is_told() -> None:
    study = made_study({"fast": dict.fromkeys(range(3), 0.1), "loop": dict.fromkeys(range(3), 0.1)})
    lines = study_lines(study, rows(study))
    assert not [line for line in lines if "too few" in line]
    assert len([line for line in lines if line.startswith("  loop") and line.endswith("  the same")]) == len(COMPARED)


@pytest.mark.parametrize(("typed", "goes_on"), [("\n", True), ("yes\n", True), ("", False)])
def test_whoever_puts_robots_back_presses_enter(
    typed: str, goes_on: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The question is no result: it goes to standard error, and where nobody can answer the study ends."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert _robots_are_back("loop", [2, 3]) is goes_on
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "loop: put robots 2, 3 where the scenario has them start, and press Enter (Ctrl-C and Enter to end here) "
    )


def test_stages_and_seeds_are_read() -> None:
    assert stages_of("fast, loop") == ("fast", "loop")
    assert seeds_of("3") == (1, 2, 3)
    assert seeds_of("1,2,5") == (1, 2, 5)
    assert seeds_of("5,") == (5,)


@pytest.mark.parametrize(
    ("stages", "sentence"),
    [
        ("fast,lop", "--stages: there is no stage 'lop': did you mean 'loop'?"),
        ("quick", "--stages: there is no stage 'quick': there are fast, realtime, loop, real"),
        ("fast,distributed", "--stages: in 'distributed' robots decide in other processes"),
        ("fast,fast", "--stages names 'fast' twice: name it once"),
        (",", "--stages names none: name some of fast, realtime, loop, real, such as fast,loop"),
    ],
)
def test_mistaken_stages_are_told(stages: str, sentence: str) -> None:
    with pytest.raises(DevsRoboticsError) as error:
        stages_of(stages)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("seeds", "sentence"),
    [
        ("0", "--seeds '0' leaves nothing to run: give at least 1"),
        ("-3", "--seeds '-3' leaves nothing to run: give at least 1"),
        (",", "--seeds ',' leaves nothing to run: give at least 1"),
        ("200000", "--seeds '200000' are too many: give at most 100000, or a list such as 200000,"),
        ("ten", "--seeds 'ten' are no seeds: give how many, or a list such as 1,2,5"),
        ("1.5", "--seeds '1.5' are no seeds: give how many, or a list such as 1,2,5"),
        ("1,-2", "--seeds: -2 is no seed: give numbers from 0 on"),
        ("1,2,1", "--seeds names 1 twice: name it once"),
    ],
)
def test_mistaken_seeds_are_told(seeds: str, sentence: str) -> None:
    with pytest.raises(DevsRoboticsError) as error:
        seeds_of(seeds)
    assert str(error.value) == sentence


def test_a_place_that_cannot_be_written_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DevsRoboticsError, match=r"--out: .* cannot be written"):
        studied(capsys, tmp_path / "file", "--stages", "fast")
    assert capsys.readouterr().out == ""


def test_real_robots_are_put_back_before_each_run(tmp_path: Path) -> None:
    """Nobody puts them back here, so the study ends before they move; the proof needs stand-ins only."""
    asked: list[tuple[str, list[int]]] = []

    def ready(stage: Stage, robots: Sequence[int]) -> bool:
        asked.append((stage, list(robots)))
        return False

    real = 'real={2={address="mqtt://127.0.0.1:9/robot"}, 3={}}'
    done = conduct(order(real, stages=("loop",), seeds=(1, 2)), tmp_path, ready=ready, interrupted=lambda: bool(asked))
    assert asked == [("loop", [2])]
    assert done.interrupted
    assert done.runs == []
