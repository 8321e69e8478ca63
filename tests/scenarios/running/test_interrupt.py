"""Signals to a command: it ends in order, or stops and goes on, whatever becomes of its terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from devs_robotics import Atomic
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running.interrupt import Interrupt, pausing, taken_at_once
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.wander import Wandering
from devs_robotics.study import CaseSystem, Frame, metric

COMMAND = (sys.executable, "-m", "devs_robotics")
LONG = ("run", "convoy", "--stage", "realtime", "--set", "convoy.robots=2")
HIDE, SHOW = b"\x1b[?25l", b"\x1b[?25h"
PATIENCE = 60.0


class Terminal:
    """A terminal with a command in it.

    Args:
        arguments: of the command
    """

    def __init__(self, *arguments: str, ignored: tuple[signal.Signals, ...] = ()) -> None:
        self._ours, theirs = pty.openpty()
        self.shown = b""

        def become_its_command() -> None:
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=become_its_command,  # noqa: PLW1509
        )
        os.close(theirs)
        self._reader = Thread(target=self._read)
        self._reader.start()

    def close(self) -> None:
        """The window is closed."""
        if self._ours >= 0:
            ours, self._ours = self._ours, -1
            os.close(ours)

    def wait_until_shown(self, text: bytes) -> None:
        """Wait until something can be seen."""
        wait_for(lambda: text in self.shown or self.process.poll() is not None)
        assert self.process.poll() is None, self.shown

    @property
    def state(self) -> str:
        """Of the process: T when it is stopped."""
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def _read(self) -> None:
        while self._ours >= 0:
            try:
                ready = os.read(self._ours, 4096)
            except OSError:
                return
            self.shown += ready

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.close()


@contextmanager
def terminal(*arguments: str, ignored: tuple[signal.Signals, ...] = ()) -> Iterator[Terminal]:
    made = Terminal(*arguments, ignored=ignored)
    try:
        yield made
    finally:
        made.end()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.wall_clock
def test_a_run_whose_window_is_closed_writes_its_results(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with terminal(*LONG, "--out", str(out)) as window:
        window.wait_until_shown(HIDE)
        wait_for((out / "summary.json").exists)
        window.close()
        assert window.process.wait(PATIENCE) == 130
    assert json.loads((out / "summary.json").read_text())["outcome"] == "interrupted"
    assert (out / "report.html").exists()


@pytest.mark.wall_clock
def test_nohup_is_respected(tmp_path: Path) -> None:
    with terminal(*LONG, "--out", str(tmp_path / "out"), ignored=(signal.SIGHUP,)) as window:
        window.wait_until_shown(HIDE)
        window.process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            window.process.wait(1.0)
        window.process.send_signal(signal.SIGTERM)
        assert window.process.wait(PATIENCE) == 130


@pytest.mark.wall_clock
def test_ctrl_z_shows_the_cursor_and_the_run_goes_on(tmp_path: Path) -> None:
    with terminal(*LONG, "--out", str(tmp_path / "out")) as window:
        window.wait_until_shown(HIDE)
        window.process.send_signal(signal.SIGTSTP)
        wait_for(lambda: window.state == "T")
        wait_for(lambda: window.shown.rfind(SHOW) > window.shown.rfind(HIDE))
        window.process.send_signal(signal.SIGCONT)
        wait_for(lambda: window.state != "T")
        window.process.send_signal(signal.SIGQUIT)
        assert window.process.wait(PATIENCE) == 130
        wait_for(lambda: b"the user interrupted the run" in window.shown)
        assert window.shown.rfind(SHOW) > window.shown.rfind(HIDE)


@pytest.mark.wall_clock
def test_ctrl_z_stops_a_sweep_which_goes_on_afterwards(tmp_path: Path) -> None:
    words = ("sweep", "convoy", "--set", "convoy.robots=2", "--set", "run.rounds=50", "--replicates", "20")
    with terminal(*words, "--jobs", "1", "--out", str(tmp_path / "out")) as window:
        window.wait_until_shown(HIDE)
        window.process.send_signal(signal.SIGTSTP)
        wait_for(lambda: window.state == "T")
        window.process.send_signal(signal.SIGCONT)
        assert window.process.wait(PATIENCE) == 0
        wait_for(lambda: b"20 of 20 runs are done" in window.shown)


def by_hand(*numbers: signal.Signals) -> Interrupt:
    with Interrupt() as interrupt:
        for number in numbers:
            os.kill(os.getpid(), number)
    return interrupt


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_asks_for_an_orderly_end_and_a_second_one_by_hand_ends_at_once(number: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in signal.valid_signals()]
    assert by_hand(number).requested
    assert not by_hand().requested
    with pytest.raises(KeyboardInterrupt):
        by_hand(number, signal.SIGINT)
    assert [signal.getsignal(each) for each in signal.valid_signals()] == before


def test_a_hangup_comes_several_times_by_itself() -> None:
    assert by_hand(signal.SIGTERM, signal.SIGHUP, signal.SIGHUP).requested


def test_who_has_to_be_told_of_a_pause_is_told_and_nobody_afterwards() -> None:
    told: list[str] = []

    def outer(stop: Callable[[], None]) -> None:
        told.append("outer")

    def inner(stop: Callable[[], None]) -> None:
        told.append("inner")

    with pausing(outer):
        with suppress(ZeroDivisionError), pausing(inner):
            assert not by_hand(signal.SIGTSTP).requested
            raise ZeroDivisionError
        by_hand(signal.SIGTSTP)
    assert told == ["inner", "outer"]


def test_in_what_may_end_at_once_the_first_signal_ends_it() -> None:
    with Interrupt() as interrupt, pytest.raises(KeyboardInterrupt), taken_at_once():
        os.kill(os.getpid(), signal.SIGINT)
    assert interrupt.requested
    assert by_hand(signal.SIGINT).requested  # and afterwards it is as it was before


def test_what_another_thread_does_is_not_ended_in_the_main_one() -> None:
    entered, over = Event(), Event()

    def work() -> None:
        with taken_at_once():
            entered.set()
            over.wait(PATIENCE)

    thread = Thread(target=work)
    thread.start()
    entered.wait(PATIENCE)
    assert by_hand(signal.SIGINT).requested
    over.set()
    thread.join()


class Patient(Atomic):
    """Its metric takes long, and somebody presses Ctrl-C meanwhile."""

    @metric("what nobody waits for")
    def slow(self) -> float:
        os.kill(os.getpid(), signal.SIGINT)
        deadline = time.monotonic() + 5.0
        while time.monotonic() < deadline:
            pass
        return 1.0


class Patiently(Wandering):
    """They wander, and somebody computes what they did."""

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        frame.add(Patient("first"))
        super().frame(frame, system)
        frame.add(Patient("second"))


def test_ctrl_c_ends_the_computation_of_a_metric_and_all_else_is_kept() -> None:
    with Interrupt() as interrupt:
        outcome = run(scenario_of(Patiently(robots=1), duration=5.0), hooks=Hooks(lambda: interrupt.requested))
    assert outcome.ended == "interrupted"
    assert outcome.reason == "the user interrupted the computation of results: what first, second measured is missing"
    assert outcome.frames.keys() == {"coverage"}
    assert isinstance(outcome, CaseOutcome)
    assert len(outcome.tracks.rows) > 0
    with Interrupt() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        outcome = run(scenario_of(Patiently(robots=1), duration=5.0), hooks=Hooks(lambda: interrupt.requested))
    assert outcome.reason == "the user interrupted the run: what first, second measured is missing"
    with pytest.raises(KeyboardInterrupt):  # where nobody asked for an orderly end, as in a notebook
        run(scenario_of(Patiently(robots=1), duration=5.0))
