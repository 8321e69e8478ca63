"""A queue of experiments against a model of it, with workers that die; and what it refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from devs_robotics.scenarios.commands.queue_lines import experiment_lines, list_lines
from devs_robotics.scenarios.queueing.arena_lock import ArenaLock, is_held
from devs_robotics.scenarios.queueing.database import APPLICATION, FILE
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.experiments import DAMAGED, ENDED, QueuedExperiment, QueueError, Recipe
from tests.experimental_frames.portal.test_portal import recursion
from tests.scenarios.queueing.queues import new, over, told

ARENAS = ("a", "b")


class QueueMachine(RuleBasedStateMachine):
    """Two workers, and who adds, cancels and tries again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.queue = ExperimentQueue(self.folder / "queue", make=True)
        self.locks: dict[str, ArenaLock] = {}
        self.at_work: dict[str, QueuedExperiment] = {}
        self.states: dict[int, str] = {}
        self.deaths: dict[int, int] = {}
        self.cancelled: set[int] = set()
        self.keys: dict[int, tuple[int, int]] = {}
        self.only: dict[int, str | None] = {}

    @rule(priority=st.integers(0, 2), count=st.integers(1, 2), only=st.sampled_from([None, None, "a"]))
    def add(self, priority: int, count: int, only: str | None) -> None:
        wanted = [new(priority=priority, wanted_arena=only, deaths_allowed=2)] * count
        for number in self.queue.add(wanted):
            assert number == len(self.states) + 1
            self.states[number], self.deaths[number] = "waiting", 0
            self.keys[number], self.only[number] = (-priority, number), only

    @rule(arena=st.sampled_from(ARENAS))
    def begin(self, arena: str) -> None:
        if arena in self.at_work:
            with pytest.raises(QueueError, match="another process works in the arena"):
                self.queue.arena(arena)
            return
        if arena not in self.locks:
            self.locks[arena] = self.queue.arena(arena)
        can = [n for n, state in self.states.items() if state == "waiting" and self.only[n] in (None, arena)]
        found = self.queue.claim(arena)
        if found is None:
            assert not can
            return
        assert found.number == min(can, key=self.keys.__getitem__)
        self.at_work[arena] = found
        self.states[found.number] = "running"

    @precondition(lambda self: self.at_work)
    @rule(data=st.data(), how=st.sampled_from(["finish", "finish", "fail", "put back", "die", "die late"]))
    def goes_on(self, data: st.DataObject, how: str) -> None:
        arena = data.draw(st.sampled_from(sorted(self.at_work)))
        found = self.at_work.pop(arena)
        number = found.number
        if how == "finish":
            over(self.queue, found)
            self.states[number] = "finished"
        elif how == "fail":
            self.queue.end(found, "failed", "failed", "a fault")
            self.states[number] = "failed"
        elif how == "put back":
            self.queue.put_back(found, "interrupted")
            self.states[number] = "waiting"
        else:
            self._dies(arena, found, late=how == "die late")
        self.cancelled.discard(number)
        with pytest.raises(QueueError, match="somebody else has cared for it"):
            self.queue.end(found, "finished", "accepted", "twice")

    def _dies(self, arena: str, found: QueuedExperiment, *, late: bool) -> None:
        self.queue.results.begin(found.number)
        if late:
            self.queue.results.finish(self.queue.ended_now(found, "finished", "accepted", "done"))
            self.states[found.number] = "finished"
        else:
            self.deaths[found.number] += 1
            given_up = "failed" if self.deaths[found.number] == 2 else "waiting"
            self.states[found.number] = "cancelled" if found.number in self.cancelled else given_up
        self.locks.pop(arena).free()
        self.queue.close()
        self.queue = ExperimentQueue(self.folder / "queue")

    @precondition(lambda self: self.states)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.states)))
        if self.states[number] in ENDED:
            with pytest.raises(QueueError, match="cannot be cancelled"):
                self.queue.cancel(number)
        elif self.states[number] == "waiting":
            assert self.queue.cancel(number).state == "cancelled"
            self.states[number] = "cancelled"
        else:
            self.queue.cancel(number)
            self.cancelled.add(number)
            assert self.queue.cancel_wanted(number)

    @precondition(lambda self: self.states)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.states)))
        if self.states[number] in ("waiting", "running", "finished"):
            with pytest.raises(QueueError, match="is not to be tried again"):
                self.queue.retry(number)
        else:
            assert self.queue.retry(number).state == "waiting"
            self.states[number], self.deaths[number] = "waiting", 0

    @invariant()
    def all_are_there_once(self) -> None:
        there = self.queue.experiments()
        assert {each.number: each.state for each in there} == self.states
        for each in there:
            events = [entry.event for entry in self.queue.history(each.number)]
            assert events.count("finished") == (each.state == "finished")
            assert (self.queue.results.ended(each, self.queue.identity) is not None) == (each.state == "finished")

    def teardown(self) -> None:
        for lock in self.locks.values():
            lock.free()
        self.queue.close()
        rmtree(self.folder)


QueueMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
test_a_queue_does_what_its_model_does = QueueMachine.TestCase


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.floats(0.0, 100.0), st.floats(1.0, 100.0)), min_size=1, max_size=12))
def test_experiments_wait_as_long_as_the_portals_recursion_says(gaps_and_needs: list[tuple[float, float]]) -> None:
    """The queue that is used in earnest, with a clock that a test moves."""
    now = 0.0
    arrived, needs = [], []
    for gap, need in gaps_and_needs:
        now += gap
        arrived.append(now)
        needs.append(need)
    now, folder = 0.0, Path(mkdtemp())
    with ExperimentQueue(folder / "queue", make=True, clock=lambda: now) as queue, queue.arena("arena"):
        to_come, free = list(arrived), 0.0
        while True:
            now = max(free, now)
            while to_come and to_come[0] <= now:
                now, moment = to_come.pop(0), now
                queue.add([new()])
                now = moment
            found = queue.claim("arena")
            if found is None:
                if not to_come:
                    break
                now = to_come[0]
                continue
            free = now = now + needs[found.number - 1]
            over(queue, found)
        waits = [each.waited for each in queue.experiments()]
        took = [each.took for each in queue.experiments()]
    rmtree(folder)
    assert waits == pytest.approx(recursion(arrived, needs, 1), abs=1e-6)
    assert took == pytest.approx(needs, abs=1e-6)


def test_a_second_name_is_refused_with_all_that_was_to_be_added(tmp_path: Path) -> None:
    with ExperimentQueue(tmp_path / "queue", make=True) as queue:
        queue.add([new(name="one")])
        with pytest.raises(QueueError, match="an experiment named one is in the queue already, with the number 1"):
            queue.add([new(), new(name="one")])
        assert [each.number for each in queue.experiments()] == [1]
        assert queue.found("one") == queue.found("1")
        with pytest.raises(QueueError, match="there is no experiment 'two' in this queue"):
            queue.found("two")
        with pytest.raises(QueueError, match="there is no experiment 7 in this queue"):
            queue.found("7")


def test_results_of_an_earlier_beginning_do_not_count(tmp_path: Path) -> None:
    with ExperimentQueue(tmp_path / "queue", make=True) as queue:
        queue.add([new()])
        with queue.arena("a"):
            first = queue.claim("a")
            assert first is not None
            queue.results.begin(1)
            queue.results.finish(queue.ended_now(first, "failed", "failed", "a fault"))
            queue.put_back(first, "as if it were tried again")
            assert queue.claim("a") is not None
    with ExperimentQueue(tmp_path / "queue") as queue:
        found = queue.experiment(1)
    assert (found.state, found.deaths) == ("waiting", 1)


def test_a_lock_is_of_one_process_and_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    with ArenaLock(path) as mine, ArenaLock(path) as other:
        assert mine.take()
        assert is_held(path)
        assert not other.take()
        mine.free()
        assert not is_held(path)
        assert other.take()


def test_what_is_no_queue_is_refused_and_left_alone(tmp_path: Path) -> None:
    with pytest.raises(QueueError, match=r"there is no queue in .*nowhere: add an experiment to it"):
        ExperimentQueue(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    for name, reason in (("other", "is no queue, but another database"), ("text", "this is no database: put it back")):
        path = tmp_path / name / FILE
        path.parent.mkdir()
        if name == "text":
            path.write_text("no database at all\n" * 100)
        else:
            with closing(sqlite3.connect(path)) as database:
                database.execute("CREATE TABLE things (name)")
        before = path.read_bytes()
        for make in (False, True):
            with pytest.raises(QueueError, match=reason):
                ExperimentQueue(path.parent, make=make)
        assert path.read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(QueueError, match=r"the queue .*file cannot be made"):
        ExperimentQueue(tmp_path / "file", make=True)


def test_a_queue_of_a_later_version_is_refused(tmp_path: Path) -> None:
    with ExperimentQueue(tmp_path, make=True):
        pass
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        database.execute("PRAGMA user_version = 2")
    with pytest.raises(QueueError, match="made by a later version of devs-robotics: install that one"):
        ExperimentQueue(tmp_path)


def test_who_cannot_write_is_told_so(tmp_path: Path) -> None:
    with ExperimentQueue(tmp_path, make=True) as queue, ExperimentQueue(tmp_path) as other:
        other._database.execute("PRAGMA busy_timeout = 0")
        queue._database.execute("BEGIN IMMEDIATE")
        with pytest.raises(QueueError, match="another process has been writing for 30 s: try again when it is done"):
            other.add([new()])
        queue._database.execute("ROLLBACK")
        with suppress(QueueError):
            other.add([new()])
        assert len(queue.experiments()) == 1


DAMAGES = [
    *[
        f"UPDATE experiments SET {column} = {value}"
        for column in QueuedExperiment.__struct_fields__[1:]
        for value in ("X'FF00'", "'{'")
    ],
    "UPDATE experiments SET added_s = 9e999",
    "UPDATE experiments SET begun_s = -1",
    "UPDATE experiments SET settings = '[1]'",
    "UPDATE experiments SET settings = 7",
    "UPDATE experiments SET state = 'running', arena = '../elsewhere'",
    "UPDATE history SET time_s = 'noon'",
    "UPDATE history SET note = X'FF00'",
    "UPDATE queue SET id = X'00'",
    "DELETE FROM queue",
]
WHOLE = ("name", "source", "sha256", "certificate", "outcome", "reason")
"""Columns of any text."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_rows_are_told_in_a_sentence(tmp_path: Path, damage: str) -> None:
    with ExperimentQueue(tmp_path, make=True) as queue:
        queue.add([new()])
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute(damage)
    said = what_is_said(tmp_path)
    if said is None:
        assert damage.split()[3] in WHOLE
    else:
        assert "damaged" in said or "cannot be used" in said


def what_is_said(folder: Path) -> str | None:
    """Of a queue in which somebody looks at all that there is; None where nothing is wrong."""
    try:
        with ExperimentQueue(folder) as queue:
            list(list_lines(queue.experiments()))
            list(experiment_lines(queue.experiment(1), queue.history(1), None))
    except QueueError as exc:
        return str(exc)
    return None


@pytest.mark.parametrize("recipe", ["X'FF'", "'{'", "'{}'", "7"])
def test_a_damaged_recipe_is_of_its_experiment_only(tmp_path: Path, recipe: str) -> None:
    with ExperimentQueue(tmp_path, make=True) as queue:
        queue.add([new()])
        queue._database.execute(f"UPDATE experiments SET recipe = {recipe}")
    assert told(tmp_path)[-1] == f"1 failed: {DAMAGED}"


@pytest.mark.parametrize("scenario", ["{", "[]", "{}", '{"case": 7}', '{"case": "wander", "run": 1}'])
def test_a_damaged_scenario_is_of_its_experiment_only(tmp_path: Path, scenario: str) -> None:
    with ExperimentQueue(tmp_path, make=True) as queue:
        queue.add([new(recipe=Recipe(scenario=scenario, folder="/", here="/", sources={}))])
    assert told(tmp_path)[-1] == f"1 failed: {DAMAGED}"


def test_a_broken_file_of_an_arena_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "arenas" / "hall.lock"
    with ExperimentQueue(tmp_path, make=True) as queue:
        broken.write_text("no database at all\n" * 100)
        with pytest.raises(QueueError, match=r"hall\.lock, by which an arena is locked, .*: remove it while no worker"):
            queue.arena("hall")
        broken.unlink()
        broken.mkdir()
        with pytest.raises(QueueError, match=r"hall\.lock, by which an arena is locked, cannot be used"):
            queue.arena("hall")
        queue.arena("other").free()


@pytest.mark.parametrize("emptied", [False, True])
def test_results_of_a_queue_whose_database_is_lost_are_not_overwritten(tmp_path: Path, emptied: bool) -> None:
    with ExperimentQueue(tmp_path, make=True) as queue:
        queue.add([new()])
        there = queue.results.whole(1)
        there.mkdir(parents=True)
    (tmp_path / FILE).unlink()
    if emptied:
        (tmp_path / FILE).touch()
    with pytest.raises(QueueError, match="put the database back, or move the results away"):
        ExperimentQueue(tmp_path, make=True)
    assert there.is_dir()
    there.rmdir()
    with ExperimentQueue(tmp_path, make=True) as queue:
        assert queue.add([new()]) == [1]
