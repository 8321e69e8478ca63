"""What a worker does with experiments that are dangerous, cancelled, interrupted, changed, or of real robots."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.queueing import certifying, worker
from devs_robotics.scenarios.queueing.certifying import GateRuns
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.experiments import QueuedExperiment, QueueError
from devs_robotics.scenarios.queueing.submission import ExperimentWish, submitted
from devs_robotics.scenarios.queueing.worker import ArenaMeans, WorkerHooks, work_off
from devs_robotics.scenarios.running.results import OutputError
from devs_robotics.scenarios.running.run import run
from tests.scenarios.case_study.files import modules_as_they_were, standing, written
from tests.scenarios.queueing.queues import told

MEANS = ArenaMeans(arena="a", judging=GateRuns((1, 2)))
SHORT = ("wander", ["run.duration=1", "wandering.robots=1"])
CRASHING = ("convoy", ["convoy.robots=2", "run.rounds=12", "field.width=6 m", "leader.path=[[0, 0.5]]"])


LOCAL = """
class Mine:
    def move(self, turn, distance, speed, turn_rate):
        return turn, distance, False
    def stop(self):
        pass
    def ranges(self):
        return [None] * 7
"""

REAL = 'real={2={protocol="json", infrared="virtual", address="local:my_robot:Mine"}}'


@pytest.fixture(autouse=True)
def _drawn_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports take longer than the runs here."""
    monkeypatch.setattr("devs_robotics.scenarios.case_study.told.ToldCase.report", lambda *whatever: "a report")


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    return tmp_path / "queue"


def added(queue: Path, scenario: str, settings: list[str], **wish: object) -> int:
    new = submitted(scenario, settings, ExperimentWish(**wish))  # type: ignore[arg-type]
    with ExperimentQueue(queue, make=True) as there:
        return there.add([new])[0]


def as_it_stands(queue: Path, number: int = 1) -> QueuedExperiment:
    with ExperimentQueue(queue) as there:
        return there.experiment(number)


def hooks(
    tell: Callable[[str], None] = lambda text: None,
    interrupted: Callable[[], bool] = lambda: False,
    ready: Callable[[QueuedExperiment], bool] = lambda experiment: True,
) -> WorkerHooks:
    return WorkerHooks(interrupted, tell, ready)


def test_what_is_dangerous_is_refused_and_the_next_one_runs(
    queue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused where it would move real robots; stand-ins may run it."""
    monkeypatch.chdir(written(tmp_path / "mine", my_robot_py=LOCAL))
    monkeypatch.syspath_prepend(tmp_path / "mine")
    added(queue, CRASHING[0], [*CRASHING[1], REAL], stage="loop")
    added(queue, *CRASHING, stage="loop", lab="inside")
    lines = told(queue)
    assert lines[1] == "  is certified on 2 runs in the stage fast"
    assert lines[2].startswith("1 refused: it does not pass in 2 runs: ")
    assert "robot 1" in lines[2]
    assert lines[2].endswith("; change the scenario, or take the risk with --accept-risk")
    assert lines[6] == "  no address is given for robot 2: stand-ins play, which need no certificate"
    assert lines[-1] == "2 finished: every robot has completed 12 rounds"
    assert not (queue / "results" / "1").exists()
    assert str(as_it_stands(queue, 2).certificate).startswith("it does not pass in 2 runs")


def test_who_accepts_the_risk_runs_it_and_the_history_says_so(queue: Path) -> None:
    added(queue, *CRASHING, stage="loop", lab="inside")
    told(queue, accept_risk=True)
    with ExperimentQueue(queue) as there:
        assert [each.event for each in there.history(1)] == ["added", "begun", "risk accepted", "finished"]
    assert (as_it_stands(queue).certificate, as_it_stands(queue).outcome) == (None, "accepted")


def test_a_certificate_outlives_a_worker_and_is_for_all_seeds(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (1, 2):
        added(queue, "meet", ["run.duration=1", f"run.seed={seed}"], stage="loop", lab="inside")
    with monkeypatch.context() as patch:
        patch.setattr(worker, "run", lambda *whatever: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            told(queue)
    assert (as_it_stands(queue).state, as_it_stands(queue).deaths) == ("waiting", 1)
    verdict = as_it_stands(queue).certificate
    assert verdict is not None
    assert verdict.startswith("no violation in 2 runs: with a confidence of 95 %, in at most 77.6 % of runs")
    monkeypatch.setattr(certifying, "certify", None)  # it is not called
    assert [line for line in told(queue) if "finished" in line] == [
        f"{number} finished: the duration of 1 s is over" for number in (1, 2)
    ]
    assert as_it_stands(queue, 2).certificate == verdict
    assert len(list((queue / "certificates").iterdir())) == 1


def test_what_is_cancelled_while_it_runs_ends_soon_and_leaves_nothing(
    queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LOOKS", 0.0)
    added(queue, "wander", ["run.duration=20000"])
    added(queue, *SHORT)

    def cancelling(text: str) -> None:
        if text.startswith("experiment 1:"):
            with ExperimentQueue(queue) as other:
                assert other.cancel(1).state == "running"

    with ExperimentQueue(queue) as there:
        states = [each.state for each in work_off(there, MEANS, hooks(cancelling))]
    assert states == ["cancelled", "finished"]
    assert [path.name for path in (queue / "results").iterdir()] == ["2"]
    assert not list((queue / "at_work").iterdir())


def test_who_is_interrupted_puts_the_experiment_back(queue: Path) -> None:
    added(queue, "wander", ["run.duration=20000"])
    begun: list[str] = []
    with ExperimentQueue(queue) as there, pytest.raises(KeyboardInterrupt):
        list(work_off(there, MEANS, hooks(begun.append, interrupted=lambda: bool(begun))))
    found = as_it_stands(queue)
    assert (found.state, found.begun, found.deaths) == ("waiting", 1, 0)
    assert not (queue / "results" / "1").exists()


def test_who_is_interrupted_when_all_is_written_does_not_do_it_again(
    queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(queue, *SHORT)
    end = ExperimentQueue.end

    def interrupted(*arguments: object) -> None:
        monkeypatch.setattr(ExperimentQueue, "end", end)
        raise KeyboardInterrupt

    monkeypatch.setattr(ExperimentQueue, "end", interrupted)
    with pytest.raises(KeyboardInterrupt):
        told(queue)
    found = as_it_stands(queue)
    assert (found.state, found.outcome, found.begun) == ("finished", "accepted", 1)
    assert told(queue) == []


def test_what_nobody_has_foreseen_fails_the_experiment_and_not_the_worker(
    queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(queue, *SHORT)
    added(queue, *SHORT)
    done = run

    def broken(*arguments: object) -> None:
        monkeypatch.setattr(worker, "run", done)
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(worker, "run", broken)
    lines = told(queue)
    assert any(line.startswith("1 failed: ZeroDivisionError: oh") for line in lines)
    assert lines[-1] == "2 finished: the duration of 1 s is over"


def test_a_full_disk_ends_the_worker_and_the_experiment_waits(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added(queue, *SHORT)

    def full(*whatever: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("devs_robotics.scenarios.queueing.result_folders.to_disk", full)
        with pytest.raises(OutputError, match=r"^/.*No space left on device.*; experiment 1 waits again$"):
            told(queue)
    assert as_it_stands(queue).state == "waiting"
    assert told(queue)[-1] == "1 finished: the duration of 1 s is over"
    with ExperimentQueue(queue) as there:
        there._database.execute("PRAGMA max_page_count = 1")
        many = [submitted(*SHORT, ExperimentWish())] * 50
        with pytest.raises(QueueError, match="the disk is full: free some space, and give the same command again"):
            there.add(many)
        assert len(there.experiments()) == 1


def test_experiments_are_run_as_they_were_added(tmp_path: Path, queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever becomes of the file of the scenario; a changed case study is refused, until it is as it was."""
    folder = written(tmp_path / "mine", still_py=standing(), still_toml='case = "still"\nrun.duration = 0.25\n')
    monkeypatch.chdir(folder)
    for _ in range(3):
        with modules_as_they_were():
            added(queue, "still.toml", [])
    monkeypatch.chdir(tmp_path)
    (folder / "still.toml").write_text("nonsense")
    with modules_as_they_were():
        assert told(queue, at_most=1)[-1] == "1 finished: the duration of 0.25 s is over"
        (folder / "still.py").write_text(standing(words="Robots are changed."))
        assert (
            "2 failed: the file of still is not as it was when this was added: put it back and retry"
            in (told(queue, at_most=1)[-1])
        )
        (folder / "still.py").write_text(standing())
        assert told(queue, at_most=1)[-1] == "3 finished: the duration of 0.25 s is over"
        with ExperimentQueue(queue) as there:
            there.retry(2)
        (folder / "still.py").rename(tmp_path / "still.py")
        assert told(queue)[-1].startswith("2 failed: no module 'still' can be imported")
    assert Path.cwd() == tmp_path


def test_one_worker_takes_each_experiment_with_the_modules_of_that_moment(
    tmp_path: Path, queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {robots: standing(robots=robots, words="Stands. " * robots) for robots in (1, 2)}  # of two lengths: Python
    folder = written(tmp_path / "mine", still_py=texts[1])  # takes files of one second and one length for the same
    monkeypatch.chdir(folder)
    for robots, text in texts.items():
        (folder / "still.py").write_text(text)
        with modules_as_they_were():
            added(queue, "still.py", ["run.duration=0.25"])
        assert as_it_stands(queue, robots).state == "waiting"
    (folder / "still.py").write_text(texts[1])

    def changing(text: str) -> None:
        if text.startswith("experiment 2:"):
            (folder / "still.py").write_text(texts[2])

    with modules_as_they_were(), ExperimentQueue(queue) as there:
        assert [each.state for each in work_off(there, MEANS, hooks(changing))] == ["finished"] * 2
    for number in (1, 2):
        summary = json.loads((queue / "results" / str(number) / "summary.json").read_text())
        assert summary["scenario"]["standing"]["robots"] == number


@pytest.mark.wall_clock
def test_real_robots_move_only_when_somebody_has_set_the_arena_up(
    tmp_path: Path, queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "mine", my_robot_py=LOCAL)
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.syspath_prepend(tmp_path / "mine")
    settings = ["convoy.robots=2", "run.rounds=1", "noise.dnf=0", "noise.anf=0", REAL]
    with pytest.raises(BeginError, match="cannot live at the rate 10: leave out --rate"):
        added(queue, "convoy", settings, stage="loop", rate=10.0)
    added(queue, "convoy", settings, stage="loop")
    added(queue, *SHORT)
    asked: list[int] = []

    def ready(experiment: QueuedExperiment) -> bool:
        asked.append(experiment.number)
        return len(asked) > 1

    with ExperimentQueue(queue) as there:
        assert [each.number for each in work_off(there, MEANS, hooks(ready=ready))] == [2]
        assert there.experiment(1).state == "waiting"
        (first,) = work_off(there, MEANS, hooks(ready=ready))
    assert asked == [1, 1]
    assert first.real_robots
    assert first.certificate is not None
    assert (first.state, first.reason) == ("finished", "every robot has completed 1 rounds")


def test_an_experiment_that_kills_its_workers_is_given_up(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added(queue, *SHORT, deaths_allowed=2)
    with monkeypatch.context() as patch:
        patch.setattr(worker, "run", lambda *whatever: (_ for _ in ()).throw(SystemExit))
        for _ in range(2):
            with pytest.raises(SystemExit):
                told(queue)
    found = as_it_stands(queue)
    assert (found.state, found.reason) == ("failed", "the process that ran it died 2 times, so it was given up")
    with ExperimentQueue(queue) as there:
        there.retry(1)
    assert told(queue)[-1] == "1 finished: the duration of 1 s is over"


def test_arenas_have_experiments_of_their_own(queue: Path) -> None:
    added(queue, *SHORT, wanted_arena="hall")
    added(queue, *SHORT, priority=1)
    assert [line for line in told(queue, "cellar") if "finished" in line] == ["2 finished: the duration of 1 s is over"]
    assert as_it_stands(queue).state == "waiting"
    assert told(queue, "hall")[-1] == "1 finished: the duration of 1 s is over"
