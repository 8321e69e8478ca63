"""A run that people may watch while it goes on: its view in a process of its own, and what leads there.

Only runs that are to be watched import this.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import Struct

from devs_robotics import FastClock, Lateness, Run
from devs_robotics.core.realtime.clock import PacedClock
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.models.activities import HardwareMotor
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.viewing.listening import Series, listened, models_of
from devs_robotics.scenarios.viewing.listening import patterns as ports_of
from devs_robotics.scenarios.viewing.scene import scene_of, seen_slots
from devs_robotics.view.control import Control
from devs_robotics.view.feed import LINES, Feed, Observed
from devs_robotics.view.marks import Marks
from devs_robotics.view.replay import Replay
from devs_robotics.view.server.process import BegunProcess, ViewProcess
from devs_robotics.view.server.serving import Serving, check
from devs_robotics.view.shared import About, RunState, SharedBlock, encode
from devs_robotics.view.tap import Sources, Tap
from devs_robotics.view.watcher import FixWatcher, Listened

WHERE = "view.json"
"""File in the run's folder that says where its view is, while the run goes on."""


class Where(Struct, frozen=True):
    """Where the view of a run is.

    Attributes:
        block: file that the run and its view share
        link: to look at it
        pid: of the run's process
    """

    block: str
    link: str
    pid: int


class ViewedRun:
    """What viewers get of a run, through the memory that it shares with its view, whoever serves that.

    Args:
        block: this memory
        pace: of a fast run (simulated seconds per real second); None: as fast as the events allow
        sleep: waits so long, where viewers have the run wait (real s)
        monotonic: tells the time (s)

    Attributes:
        feed: of the run, once it has begun
        is_over: whether the run is
    """

    def __init__(
        self,
        block: SharedBlock,
        pace: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.block = block
        self.feed: Feed | None = None
        self.is_over = False
        self._untold: deque[str] = deque(maxlen=LINES)
        """Sentences for people that viewers cannot read yet."""
        self._pace = pace
        self._sleep = sleep
        self._monotonic = monotonic

    def clock(self) -> FastClock | PacedClock:
        """Of a run that waits for nobody."""
        return PacedClock(inf if self._pace is None else self._pace)

    def telling(self, tell: Callable[[str], None]) -> Callable[[str], None]:
        """What tells people of a run, so that viewers read it, too."""

        def telling(sentence: str) -> None:
            tell(sentence)
            self._untold.append(sentence)
            self._hand_on()

        return telling

    def _hand_on(self) -> None:
        """Let viewers read what people were told, from when there is a run."""
        while self.feed is not None and self._untold:
            self.feed.log(self._untold.popleft())

    def begin(
        self,
        setup: Setup[Any],
        model: Experiment,
        run: Run,
        lateness: Lateness | None,
        away: Collection[int],
        interrupted: Callable[[], bool],
        tell: Callable[[str], None],
        marks: Marks | None = None,
    ) -> Callable[[], None]:
        """The run begins: viewers may see it from now on.

        Args:
            setup: of the run
            model: of the whole experiment
            run: that begins
            lateness: of its events, if it is measured
            away: robots whose models run elsewhere
            interrupted: whether it is to end
            tell: gets sentences for people
            marks: what its case study declares, where somebody follows them already

        Returns:
            what is to be called between its steps
        """
        environment = model.system.environment
        crowds = environment.space.field.crowds
        if crowds:
            raise OptionError(
                f"{sum(map(len, crowds)):,} robots in arrays, of which one stands for all, cannot be looked at while "
                "they run: record them (--record run.jsonl), and look at that (devs-robotics view run.jsonl); or take "
                'fewer, or run.population = "models"'
            )
        if marks is None:
            marks = _marks_of(setup, model, run, away)
        motors = {robot.number: robot.equipment.motor for robot in model.system.robots if robot.number not in away}
        clocks = {each.name: each for each in environment.components if isinstance(each, TimeManager)}
        bodies = environment.space.field.bodies
        sources = Sources(
            run=run,
            space=environment.space,
            scene=scene_of(setup, model, marks.begin),
            seen=seen_slots(setup, model),
            clocks={n: clocks[f"time{n}"] for n in range(1, len(setup.robots) + 1) if f"time{n}" in clocks},
            motors={number: motor for number, motor in motors.items() if isinstance(motor, HardwareMotor)},
        )
        fixes = FixWatcher()
        control = Control(run, setup.stage, lambda: (*bodies.x, *bodies.y, *bodies.heading), self._sleep)
        observed = Observed(partial(_listened, model, away), _fixes(model), marks)
        tap = Tap(self.block, sources, fixes)
        self.feed = Feed(
            self.block,
            run,
            tap,
            control,
            fixes,
            observed,
            Series(model).take,
            lateness,
            setup.scenario.view.rate,
            interrupted=interrupted,
            tell=tell,
            monotonic=self._monotonic,
        )
        self._hand_on()
        about = About(
            session=token_hex(8),
            pid=os.getpid(),
            title=sources.scene.title,
            stage=setup.stage,
            rate=control.pace,
            control=control.allowed,
            refused=control.refused,
            follow=sources.scene.follow,
            pictures=setup.scenario.view.rate,
        )
        self.block.about.write(encode(about))
        return self.feed.report

    def ended(self, ended: str, reason: str) -> None:
        """The run is over."""
        self.is_over = True
        if self.feed is not None:
            state: RunState = "failed" if ended in ("failed", "broken off") else "ended"
            self.feed.ended(state, f"{ended}: {reason}")

    def offer(self, replay: Replay) -> None:
        """Let what was recorded be seen in place of the run that is over."""
        self.block.replay_path.write_bytes(msgspec.msgpack.encode(replay))
        self.block.replay_path.chmod(0o600)
        if self.feed is not None:
            self.feed.offer(str(self.block.replay_path))


class LiveView(ViewedRun):
    """The view of a run in a process of its own, from before the run begins until after its end.

    Args:
        serving: where and how it is served
        pace: of a fast run (simulated seconds per real second); None: as fast as the events allow
        folder: of the run's results, where others find the view; None: nowhere
        begun: a process that is ready for it, if there is one
        tell: called at once with a sentence about what has failed in the view, from a thread of its own

    Attributes:
        link: to look at it; empty where there is no page

    Raises:
        DevsRoboticsError: it cannot be served so
    """

    def __init__(
        self,
        serving: Serving,
        pace: float | None = None,
        folder: Path | None = None,
        begun: BegunProcess | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        check(serving)
        super().__init__(SharedBlock.create(), pace)
        self._folder = None if folder is None else folder.absolute()
        self._tell = tell
        self._process = ViewProcess(serving, self.block.path, begun, self._complain)
        try:
            self.link = self._process.start()
        except BaseException:
            self.block.remove()
            raise

    def __enter__(self) -> Self:
        self._say_where()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.stop()
        self.block.remove()
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / WHERE).unlink()

    def is_there(self) -> bool:
        """Whether the view's process is there."""
        return self._process.alive

    def _complain(self, what: str) -> None:
        if self._tell is not None:
            self._tell(what if self.is_over else f"{what}: the run goes on")

    def _say_where(self) -> None:
        """Let others find the view by the run's folder."""
        if self._folder is None or not self.link:
            return
        where = Where(str(self.block.path), self._process.looking_link, os.getpid())
        with suppress(OSError):  # the results' files will tell that the folder cannot be written
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / WHERE).write_bytes(msgspec.json.encode(where))


def _listened(model: Experiment, away: Collection[int]) -> tuple[list[Listened], list[str]]:
    """The ports of which viewers are told, and patterns of their paths."""
    heard = listened(model, away)
    return heard, ports_of(heard)


def _marks_of(setup: Setup[Any], model: Experiment, run: Run, away: Collection[int]) -> Marks:
    """What a case study declares, followed from now on: nobody could make up for messages that were missed."""
    marks = Marks(case_of(setup.scenario).marks(model), keep=False)
    if patterns := marks.patterns(models_of(model, away)):
        run.simulator.attach(marks, *patterns)
    return marks


def _fixes(model: Experiment) -> list[str]:
    """The port through which fixes come, as a pattern."""
    tracker = model.tracker
    if tracker is None or tracker.fix.parent is None:
        return []
    return [f"*/{tracker.fix.parent.name}.{tracker.fix.name}"]
