"""The host ends in the middle of a move: it is killed, interrupted, or breaks the run off by itself."""

from __future__ import annotations

import csv
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from devs_robotics import Lateness
from devs_robotics.hil.protocols import Output
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from tests.real_components import PATIENCE, Mosquitto
from tests.scenarios.faults.labs import BUSY, PAIR, STOPPED_WITHIN, Labs, Truth, pair, set_to, wait_for

pytestmark = pytest.mark.wall_clock

COMMAND = (sys.executable, "-m", "devs_robotics")
MARK = "DEVS_ROBOTICS_TEST"

STARTING = 4.0 * PATIENCE
"""A command that loads and connects on a busy machine takes so long at most (s)."""


@contextmanager
def command(*arguments: str, mark: str = "") -> Iterator[subprocess.Popen[str]]:
    """A command of the project, as from a shell; what it starts can be told by the mark."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, MARK: mark},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_in(host: subprocess.Popen[str], condition: Callable[[], bool]) -> None:
    """Wait for something while a command runs."""
    wait_for(lambda: host.poll() is not None or condition(), STARTING)
    assert host.poll() is None, host.communicate()[0]


def marked(mark: str) -> list[str]:
    """Processes that were started with a mark, or by one of them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:  # it has ended, or is not ours
            continue
    return found


def rows(file: Path) -> list[dict[str, str]]:
    """Of a table, in which each line is whole."""
    text = file.read_text() if file.exists() else ""
    found = list(csv.DictReader(text.splitlines(), strict=True))
    assert not text or text.endswith("\n")
    assert all(None not in row and None not in row.values() for row in found)
    return found


def rounds_of(truth: Truth, before: float) -> int:
    """How many moves a leader had ended by a time; it makes one per round."""
    records = [record for record in truth.records() if record.unix < before]
    return sum(first.speed > 0.0 and second.speed == 0.0 for first, second in pairwise(records))


def addresses(labs: Labs, *robots: int) -> list[str]:
    return set_to(*PAIR, *(f"real.{robot}.address='{labs.address(robot)}'" for robot in robots))


def test_robots_stop_when_their_host_is_killed_and_what_was_measured_is_on_disk(tmp_path: Path) -> None:
    out, mark = tmp_path / "out", secrets.token_hex(8)
    with Mosquitto() as broker, Labs(pair(), broker.address, tmp_path).running() as labs:
        leader, follower = labs.truths[1], labs.truths[2]
        arguments = ("run", "convoy", "--stage", "loop", "--accept-risk", *addresses(labs, 1, 2), "--out", str(out))
        with command(*arguments, mark=mark) as host:
            wait_for_in(host, lambda: len(rows(out / "rounds.csv")) >= 2 and follower.moves())
            killed_at = time.time()
            host.kill()
        assert follower.moved_at(killed_at)
        for truth in leader, follower:
            assert truth.still_after(killed_at + STOPPED_WITHIN, killed_at + 2.0 * STOPPED_WITHIN)
        done = rounds_of(leader, killed_at - 1.0)
    assert done
    assert len([row for row in rows(out / "rounds.csv") if row["robot"] == "1"]) >= done
    assert rows(out / "series.csv")
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["outcome"], summary["stage"]) == ("running", "loop")
    wait_for(lambda: not marked(mark))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all_robots_at_once_and_leaves_results_and_no_process(
    number: signal.Signals, tmp_path: Path
) -> None:
    """Robot 2 is played by the command's own lab, at a broker of its own."""
    out, mark = tmp_path / "out", secrets.token_hex(8)
    with Mosquitto() as broker, Labs(pair(), broker.address, tmp_path).running() as labs:
        leader = labs.truths[1]
        arguments = ("run", "convoy", "--stage", "loop", "--accept-risk", *addresses(labs, 1), "--out", str(out))
        with command(*arguments, mark=mark) as host:
            wait_for_in(host, leader.moves)
            assert len(marked(mark)) >= 3
            signalled_at = time.time()
            host.send_signal(number)
            said, _ = host.communicate(timeout=STARTING)
        assert host.returncode == 130, said
        assert leader.moved_at(signalled_at)
        assert leader.still_after(signalled_at + 2.0 * BUSY, signalled_at + STOPPED_WITHIN)
    assert not marked(mark)
    assert "interrupted: the user interrupted the run" in said
    assert json.loads((out / "summary.json").read_text())["outcome"] == "interrupted"
    assert {"rounds.csv", "series.csv", "report.html"} <= {file.name for file in out.iterdir()}


def test_a_models_fault_stops_the_robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Mosquitto() as broker, Labs(pair(), broker.address, tmp_path).running() as labs:
        leader = labs.truths[1]
        feed = JsonRobot.feed

        def fault(self: JsonRobot, data: bytes) -> Iterable[Output]:
            if leader.moves():
                raise ZeroDivisionError("oh")
            return feed(self, data)

        monkeypatch.setattr(JsonRobot, "feed", fault)
        outcome = run(labs.scenario, Means(stage="loop", accept_risk=True))
        ended = time.time()
        assert leader.moved_at(ended)
        assert leader.still_after(ended + BUSY, ended + STOPPED_WITHIN)
    assert outcome.ended == "failed"
    assert re.match("experiment/system/robot[12]/device at ", outcome.reason)
    assert re.search(r"ZeroDivisionError: oh \(\S*test_host\.py, line \d+\)$", outcome.reason)


def test_an_event_that_is_too_late_ends_the_run_and_stops_the_robots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = pair("clock.late=abort", "clock.max_lateness=1e-9 s")
    with Mosquitto() as broker, Labs(scenario, broker.address, tmp_path).running() as labs:
        leader = labs.truths[1]
        record = Lateness.record

        def record_while_it_moves(self: Lateness, time: float, late: float) -> None:
            if leader.moves():
                record(self, time, late)

        monkeypatch.setattr(Lateness, "record", record_while_it_moves)
        outcome = run(labs.scenario, Means(stage="loop", accept_risk=True))
        ended = time.time()
        assert leader.moved_at(ended)
        assert leader.still_after(ended + BUSY, ended + STOPPED_WITHIN)
    assert outcome.ended == "broken off"
    assert re.match(
        r"the event at \d+\.\d+ s was handled \d+\.\d ms late, and clock\.max_lateness is 1e-06 ms: use ",
        outcome.reason,
    )
