"""Queues whose processes are killed at any moment: nothing is lost, nothing is doubled, nothing in part looks whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.result_folders import RECORD
from tests.conftest import at_length
from tests.paths import ROOT

KILLS = 120 if at_length() else 25
"""How often a process is killed."""

BEGINNING = """
import json, os, random, signal, sys, time
from pathlib import Path
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.case_study.told import ToldCase
from devs_robotics.scenarios.queueing import experiment_queue, result_folders, worker

ToldCase.report = lambda *whatever: 'a report' * 1000  # to draw it takes most of the time of so short a run

queue = sys.argv[1] + '/../warm'

def forked(work):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os._exit(work())
    return child

def command(action, *words):
    return lambda: main(['queue', action, '--queue', queue, '--quiet', *words])

def add(number):
    words = ('--name', f'x{number}', '--seed', str(number), '--deaths', '1000', '--set', 'run.duration=1')
    return command('add', 'wander', *words)

for work in (add(1), command('work'), command('collect', '--out', queue + '/../warm/collected')):
    assert work() == 0  # what children need is loaded now
queue = sys.argv[1]
"""

RANDOMLY = (
    BEGINNING
    + """
chance = random.Random(int(sys.argv[2]))
kills = int(sys.argv[3])
works = {'a': command('work', '--arena', 'a'), 'b': command('work', '--arena', 'b'),
         'collect': command('collect', '--out', queue + '/../collected')}
running, added, killed = {}, 0, 0
while killed < kills or 'add' in running:
    if 'add' not in running:
        running['add'] = forked(add(added + 1))
    for name, work in works.items():
        if name not in running:
            running[name] = forked(work)
    name = 'add' if killed >= kills else chance.choice(sorted(running))
    if killed < kills:
        time.sleep(chance.uniform(0.0, 0.15))
        os.kill(running[name], signal.SIGKILL)
    status = os.waitpid(running.pop(name), 0)[1]
    killed += os.WIFSIGNALED(status)
    if name == 'add' and not os.WIFSIGNALED(status):  # it may have been killed before when it was done, and says so
        added += 1
for child in running.values():
    os.waitpid(child, 0)
for name in ('a', 'collect'):
    os.waitpid(forked(works[name]), 0)
print(json.dumps([killed, added]))
"""
)
"""Two workers, who adds, and who collects, are killed again and again."""

STEP_BY_STEP = (
    BEGINNING
    + """
def dying(work, step):
    '''Do something, but be killed before a step of it.'''
    left = step
    def counted(function):
        def first(*arguments, **more):
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **more)
        return first
    def killed():
        for owner, names in {
            experiment_queue.ExperimentQueue: ('_set', '_note', 'end', 'certified'),
            result_folders: ('write_atomically', 'to_disk', 'discard', 'prepare'),
            result_folders.Path: ('rename',),
            worker: ('run',),
            worker.results: ('write',),
        }.items():
            for name in names:
                setattr(owner, name, counted(getattr(owner, name)))
        return work()
    return killed

def waiting():
    with experiment_queue.ExperimentQueue(Path(queue)) as there:
        return there.experiments(['waiting'])

steps = [0, 0]
for what, work in enumerate((lambda number: add(number), lambda number: command('work', '--count', '1'))):
    step = number = 1
    while True:
        while what and not waiting():
            number += 1
            os.waitpid(forked(add(number)), 0)
        status = os.waitpid(forked(dying(work(number), step)), 0)[1]
        if not os.WIFSIGNALED(status):
            break
        steps[what] += 1
        step += 1
os.waitpid(forked(command('work')), 0)
print(json.dumps(steps))
"""
)
"""Who adds, and a worker, are killed at their first step, then at the second, and so on."""


def told(script: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def assert_each_is_finished_once(folder: Path, names: set[str]) -> None:
    """And its results are whole, and of its own seed, and no other results are there."""
    with ExperimentQueue(folder) as queue:
        found = queue.experiments()
        assert {each.name for each in found} == names
        assert len(found) == len(names)
        for each in found:
            assert (each.state, each.outcome) == ("finished", "accepted")
            events = [entry.event for entry in queue.history(each.number)]
            assert events.count("finished") == events.count("added") == 1
            assert events.count("begun") == each.begun == each.deaths + 1
            summary = json.loads((queue.results.whole(each.number) / "summary.json").read_text())
            assert (summary["outcome"], summary["seed"]) == ("accepted", each.seed)
            assert each.name == f"x{each.seed}"
            ended = queue.results.ended(each, queue.identity)
            assert ended is not None
            assert ended.reason == each.reason
        assert {int(path.name) for path in (folder / "results").iterdir()} == {each.number for each in found}


@pytest.mark.long
def test_killed_at_random_moments_each_experiment_is_finished_exactly_once(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    killed, added = json.loads(told(RANDOMLY, folder, 1, KILLS))
    assert killed >= KILLS
    assert added >= 2
    assert_each_is_finished_once(folder, {f"x{number}" for number in range(1, added + 1)})
    for path in (tmp_path / "collected").glob("[0-9]*"):  # whatever was collected is whole
        assert (path / RECORD).read_bytes() == (folder / "results" / path.name / RECORD).read_bytes()
        names = {each.name for each in path.iterdir()}
        assert names == {each.name for each in (folder / "results" / path.name).iterdir()}


@pytest.mark.long
def test_killed_at_each_step_each_experiment_is_finished_exactly_once(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    adding, working = json.loads(told(STEP_BY_STEP, folder))
    assert adding >= 1
    assert working >= 15
    with ExperimentQueue(folder) as queue:
        names = {each.name for each in queue.experiments()}
        assert sum(each.deaths for each in queue.experiments()) >= 10  # others died where nothing ran, or all was done
    assert_each_is_finished_once(folder, {str(name) for name in names})
