"""``devs-robotics queue`` as a user types it, and what is said of mistakes."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from devs_robotics.scenarios.commands.queue import FOLDER, STATES
from devs_robotics.scenarios.commands.queue_lines import list_lines
from devs_robotics.scenarios.queueing import experiments
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from tests.paths import ROOT
from tests.scenarios.commands.calling import called
from tests.scenarios.queueing.queues import new

SHORT = ("wander", "--set", "run.duration=1", "--set", "wandering.robots=1")


@pytest.fixture(autouse=True)
def _drawn_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.scenarios.case_study.told.ToldCase.report", lambda *whatever: "a report")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return tmp_path


def queue(here: Path, *words: object, status: int = 0) -> str:
    """What the command shows."""
    result = asked(here, *words)
    assert (result.returncode, result.stderr) == (status, ""), result.stderr
    return result.stdout


def asked(here: Path, *words: object) -> CompletedProcess[str]:
    return called("queue", *words, cwd=here)


def as_json(here: Path, *words: object) -> Any:
    shown = queue(here, *words, "--json")
    assert shown.count("\n") == 1
    return json.loads(shown)


def test_it_is_told_how_many_an_experiment_waits_for(here: Path) -> None:
    assert queue(here, "add", *SHORT, "--seeds", "2").endswith("behind 0 that wait\n")
    assert queue(here, "add", *SHORT, "--priority", "5").endswith("behind 0 that wait\n")
    assert queue(here, "add", *SHORT, "--priority", "5").endswith("behind 1 that waits\n")
    assert queue(here, "add", *SHORT).endswith("behind 4 that wait\n")
    assert "  priority     5\n" in queue(here, "show", "3")
    assert "priority" not in queue(here, "show", "1")


def test_experiments_go_from_the_queue_to_a_table(here: Path) -> None:
    assert queue(here, "add", *SHORT, "--seeds", "2") == "experiments 1 to 2 added to queue, behind 0 that wait\n"
    assert queue(here, "add", *SHORT, "--name", "mine") == "experiment 3 added to queue, behind 2 that wait\n"
    first, *rows, counts = queue(here, "list").splitlines()
    assert first.split() == ["number", "state", "scenario", "stage", "arena", "waited", "took", "outcome"]
    assert rows[0].split()[:4] == ["1", "waiting", "wander", "run.duration=1"]
    assert (len(rows), counts) == (3, "3 waiting")
    assert queue(here, "cancel", "2") == "experiment 2: cancelled\n"
    assert queue(here, "work", "--count", "1").splitlines()[-1] == "1 done, 1 waiting"
    assert queue(here, "work").splitlines()[-1] == "1 done, 0 waiting"
    shown = queue(here, "show", "mine").splitlines()
    assert shown[0] == "experiment 3 (mine): finished, accepted"
    assert [line.split()[1] for line in shown[-3:]] == ["added", "begun", "finished"]
    assert queue(here, "collect", "--out", "all").splitlines() == [
        "results of 2 of 3 experiments that are over",
        "table: all/experiments.csv",
    ]
    with (here / "all" / "experiments.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["number"], row["name"], row["state"], row["outcome"]) for row in table] == [
        ("1", "", "finished", "accepted"),
        ("2", "", "cancelled", ""),
        ("3", "mine", "finished", "accepted"),
    ]
    assert float(table[0]["waited_s"]) >= 0.0
    summary = json.loads((here / "all" / "3" / "summary.json").read_text())
    assert summary["scenario_sha256"] == table[2]["scenario_sha256"]
    assert "2 were there already" in queue(here, "collect", "--out", "all")
    assert queue(here, "list", "--state", "cancelled").splitlines()[1].split()[:2] == ["2", "cancelled"]


def test_programs_are_told_the_same(here: Path) -> None:
    assert as_json(here, "add", *SHORT, "--name", "x") == {"queue": "queue", "numbers": [1]}
    (waiting,) = as_json(here, "list")["experiments"]
    assert (waiting["number"], waiting["name"], waiting["state"], waiting["waited_s"]) == (1, "x", "waiting", None)
    done = as_json(here, "work", "--arena", "hall")
    assert (done["arena"], done["waiting"], [each["outcome"] for each in done["done"]]) == ("hall", 0, ["accepted"])
    shown = as_json(here, "show", "1")
    assert [entry["event"] for entry in shown["history"]] == ["added", "begun", "finished"]
    assert Path(shown["results"]) == here / "queue" / "results" / "1"
    assert as_json(here, "collect", "--out", "c")["folders"] == {"1": "c/1"}
    as_json(here, "add", *SHORT)
    assert as_json(here, "cancel", "2")["experiments"][0]["state"] == "cancelled"
    assert as_json(here, "retry", "2")["experiments"][0]["state"] == "waiting"


def test_quiet_says_nothing(here: Path) -> None:
    for words in (("add", *SHORT), ("list",), ("work",), ("show", "1"), ("collect", "--out", "c")):
        assert queue(here, *words, "--quiet") == ""


def test_a_failed_experiment_is_in_the_status_and_in_the_table(here: Path) -> None:
    fault = (
        "--set",
        "frame.parts.bomb.model=tests.scenarios.sweeps.bombs:Bomb",
        "--set",
        "frame.parts.bomb.fuse=environment",
    )
    queue(here, "add", *SHORT, *fault)
    with pytest.MonkeyPatch.context() as patch:
        from tests.scenarios.sweeps.bombs import FUSE

        patch.setenv(FUSE, "lit")
        said = queue(here, "work", status=2)
    assert "\n  failed: " in said
    assert queue(here, "collect", "--out", "c").startswith("results of 1 of 1 experiments")
    assert "1,,wander," in (here / "c" / "experiments.csv").read_text()
    queue(here, "retry", "1")
    assert queue(here, "work").splitlines()[-1] == "1 done, 0 waiting"
    assert queue(here, "collect", "--out", "c").startswith("results of 1 of 1 experiments that are over\n")
    assert json.loads((here / "c" / "1" / "summary.json").read_text())["outcome"] == "accepted"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("list --queue nowhere", "there is no queue in nowhere: add an experiment to it, or name another folder"),
        ("add nowander", "there is no such file or shipped scenario: did you mean 'wander'?"),
        ("add wander --set run.duration=-1", "run.duration"),
        ("add wander --rate 2", "--rate has no effect in the stage fast: leave it out, or run in realtime"),
        ("add wander --name x --seeds 3", "--name is for one experiment, and --seeds for several: leave out one"),
        ("add wander --name there", "an experiment named there is in the queue already, with the number 1"),
        ("add wander --name 12", "--name 12: a name of digits only would be taken for a number: add a letter"),
        ("add wander --name a/b", "--name: 'a/b' is no name: take at most 40 letters"),
        ("add wander --arena ../b", "--arena: '../b' is no name: take at most 40 letters"),
        ("work --arena ../b", "--arena: '../b' is no name: take at most 40 letters"),
        ("show 9", "there is no experiment 9 in this queue: devs-robotics queue list shows which there are"),
        ("cancel 1 9", "there is no experiment 9 in this queue: devs-robotics queue list shows which there are"),
        ("retry 1", "experiment 1 (there) is waiting, and is not to be tried again"),
        ("collect 1 --out c", "experiment 1 (there) is waiting: its results can be collected when it is over"),
        ("collect --out file", "--out: file cannot be written (File exists): free or choose another place"),
        ("lst", "there is no action 'lst': did you mean 'list'?"),
        ("add wander --prioriti 3", "there is no option --prioriti: did you mean --priority?"),
    ],
)
def test_mistakes_have_their_sentence(here: Path, words: str, sentence: str) -> None:
    queue(here, "add", *SHORT, "--name", "there")
    (here / "file").touch()
    result = asked(here, *words.split())
    assert (result.returncode, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert [each["state"] for each in as_json(here, "list")["experiments"]] == ["waiting"]


def test_another_queue_in_the_folder_is_not_mixed_up(here: Path) -> None:
    for name in ("one", "two"):
        queue(here, "add", *SHORT, "--queue", name)
        queue(here, "work", "--queue", name)
    queue(here, "collect", "--queue", "one", "--out", "c")
    result = asked(here, "collect", "--queue", "two", "--out", "c")
    assert result.returncode == 2
    assert "--out: c/1 is of something else: choose another folder, or empty this one" in result.stderr


def test_ctrl_c_ends_a_worker_that_waits_and_one_that_works(here: Path) -> None:
    queue(here, "add", "wander", "--set", "run.duration=100000")
    worker = subprocess.Popen(
        [sys.executable, "-m", "devs_robotics", "queue", "work", "--wait"],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline().startswith("experiment 1: wander, run.duration=100000")
    result = asked(here, "work")
    assert (result.returncode, result.stdout) == (2, "")
    assert "another process works in the arena arena: wait for it, or name another one by --arena" in result.stderr
    assert queue(here, "cancel", "1") == "experiment 1: to be cancelled soon\n"
    assert worker.stdout.readline().startswith("  cancelled: cancelled while it ran")
    queue(here, "add", "wander", "--set", "run.duration=100000")
    assert worker.stdout.readline().startswith("experiment 2: wander")
    worker.send_signal(signal.SIGINT)
    out, err = worker.communicate(timeout=60)
    assert (worker.returncode, out, err) == (130, "1 done, 1 waiting\n", "")
    assert [each["state"] for each in as_json(here, "list")["experiments"]] == ["cancelled", "waiting"]


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_heads_of_the_list_stand_in_one_line_of_a_terminal(here: Path, columns: int) -> None:
    with ExperimentQueue(here, make=True) as queue:
        settings = tuple(f"cleaning.key{number}=1234" for number in range(12))
        queue.add([new(source="/somewhere/cleaning.toml", settings=settings[:number]) for number in range(12)])
        queue.add([new(name="a" * 40, wanted_arena="b" * 10)])
        with queue.arena("hall"):
            for state in ("finished", "failed"):
                claimed = queue.claim("hall")
                assert claimed is not None
                queue.end(claimed, state, "accepted", "a reason that is as long as reasons often are, and longer" * 2)
        there = queue.experiments()
    head, *rows = list_lines(there, columns)
    assert len(head) <= columns
    at = head.index("outcome")
    assert all(row[at - 2 : at] == "  " for row in rows if len(row) > at)
    assert [row.split()[:2] for row in rows] == [[str(each.number), each.state] for each in there]
    assert settings[-2] not in rows[-2]
    assert settings[-2] in list(list_lines(there))[-2], "where there is no terminal, nothing is cut"


def test_the_states_of_the_command_are_those_of_the_queue() -> None:
    assert experiments.STATES == STATES
    assert Path("queue") == FOLDER
    assert experiments.DEATHS == 3
