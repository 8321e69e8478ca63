"""The run's side of a view: between steps it looks at what viewers want, and gives it to them.

It costs a look at a clock per report, and a look at the shared memory a few dozen times per second. While nobody looks
there is no observer, no copy, and nothing is counted up.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics.core.observe import Observer
from devs_robotics.core.realtime.lateness import Lateness
from devs_robotics.core.realtime.run import Run
from devs_robotics.view.control import Control
from devs_robotics.view.marks import Marks
from devs_robotics.view.shared import (
    BATCHES,
    MarksNow,
    ObservationBatch,
    RunState,
    RunStatus,
    SharedBlock,
    Wish,
    encode,
)
from devs_robotics.view.tap import Tap
from devs_robotics.view.watcher import FixWatcher, Item, Listened, Watcher

RATE = 30.0
"""Most looks per real second, unless another rate is set."""

IDLE = 0.1
"""Time between two looks at what viewers want while nobody looks (real s)."""

GONE = 2.0
"""Age of the last sign of life of a view above which it has died (real s)."""

MEASURED = 0.5
"""Time between two looks at what frames have measured (real s)."""

MOST_LINES = 5000
"""Number of new lines of a table that are read at once."""

RECENT = 1000
"""Number of the last events of whose lateness viewers are told."""

LINES = 100
"""Number of the last sentences for people that wait for viewers."""

_decode_wish = msgspec.msgpack.Decoder(Wish).decode

Series = Callable[[int], dict[str, list[tuple[float, float]]]]
"""Gives the new values over time, by name; of each table at most so many lines."""


class Observed(Struct, frozen=True):
    """What observers of viewers watch.

    Attributes:
        listened: finds the ports of which viewers are told, and patterns of their paths; called when the first viewer
            wants them, so that a run of which nobody wants to hear need not look for them
        fixes: paths of the ports of a tracking system, if there is one
        marks: what a case study declares; somebody keeps them
    """

    listened: Callable[[], tuple[Sequence[Listened], Sequence[str]]] = lambda: ((), ())
    fixes: Sequence[str] = ()
    marks: Marks | None = None


class Feed:
    """Gives viewers what they want of a run; `report` is called between its steps.

    Args:
        block: that the run and its view share
        run: that goes on
        tap: copies where everybody is
        control: obeys viewers
        fixes: keeps fixes, for the tap
        observed: what else viewers may hear of
        series: gives what frames have measured
        lateness: of the run's events, if it is measured
        rate: most looks per real second
        interrupted: whether the run is to end
        tell: gets sentences for people
        monotonic: tells the time (s)
    """

    def __init__(
        self,
        block: SharedBlock,
        run: Run,
        tap: Tap,
        control: Control,
        fixes: FixWatcher,
        observed: Observed,
        series: Series,
        lateness: Lateness | None = None,
        rate: float = RATE,
        interrupted: Callable[[], bool] = lambda: False,
        tell: Callable[[str], None] = lambda note: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.block = block
        self.tap = tap
        self.control = control
        self._run = run
        self._fixes = fixes
        self._observed = observed
        self._series = series
        self._lateness = lateness
        self._rate = rate
        self._interrupted = interrupted
        self._tell_people = tell
        self._has_failed = False
        self._monotonic = monotonic
        self._watcher: Watcher | None = None
        self._listened: tuple[Sequence[Listened], Sequence[str]] | None = None
        self._sees_fixes = False
        self._due = 0.0
        self._measure_at = 0.0
        self._wish = Wish()
        self._wish_number = 0
        self._obeyed = 0
        self._refusal = self._reason = self._replay = ""
        self._state: RunState = "running"
        self._told: object = None
        self._looked: object = None
        self._late: tuple[float, float] | None = None
        self._late_at = 0.0
        self._batches = 0
        self._lines: deque[Item] = deque(maxlen=LINES)
        self._marked = -1
        """How many messages had made marks when viewers were told of these."""

    @property
    def observers(self) -> int:
        """How many observers are attached."""
        return int(self._watcher is not None) + int(self._sees_fixes)

    def log(self, sentence: str) -> None:
        """Viewers are to read this, now or when they come."""
        self._lines.append(("log", self._run.now, sentence))

    def report(self) -> None:
        """Look at what viewers want, if it is time to, and stay here while they have the run wait.

        A fault in here is told, and ends the view, but not the run.
        """
        now = self._monotonic()
        if now < self._due and not self._run.stands:
            return
        try:
            self._serve(now)
        except Exception as exc:  # whatever it is: the run does not depend on who looks
            self._give_up(exc)

    def _give_up(self, error: Exception) -> None:
        """Show nothing any more."""
        self._has_failed, self._due = True, inf
        self.control.let_go()
        self._observe(Wish())
        self._tell_people(f"the view has failed ({type(error).__name__}: {error}): the run goes on without it")

    def _serve(self, now: float) -> None:
        self._attend(now)
        while self.control.waits() and not self._interrupted():
            self.control.rest()
            self._attend(self._monotonic())

    def ended(self, state: RunState, reason: str) -> None:
        """The run is over; viewers get a last state."""
        if state == "ended" and self._wish.rate and self._is_alive(self._monotonic()) and not self._has_failed:
            self._give_marks()
            self.tap.look()
            self._give(self._monotonic(), last=True)
        self._state, self._reason = state, reason[:1000]
        self._tell()

    def offer(self, replay: str) -> None:
        """What was recorded of the run is in this file."""
        self._replay = replay
        self._tell()

    def _attend(self, now: float) -> None:
        wish = self._read_wish(now)
        period = 1.0 / min(wish.rate, self._rate) if wish.rate else IDLE
        self._due = max(min(self._due, now) + period, now + 0.5 * period)
        if wish.command > self._obeyed:
            self._obeyed = wish.command
            self._refusal = self.control.obey(wish.do, wish.value)
        self._state = "paused" if self._run.stands else "running"
        self._run.look_period = 0.5 / self._rate if wish.rate else inf
        self.control.keep_pace()
        self._observe(wish)
        if wish.rate:
            self._look(now)
        else:
            self._looked = None
            if self._key != self._told:
                self._tell()

    @property
    def _key(self) -> tuple[object, ...]:
        return self._state, self._obeyed, self._refusal

    def _look(self, now: float) -> None:
        """Copy what is wanted; while the run waits, only what is new."""
        looked = *self._key, self._run.simulator.steps, self._run.now
        if self._run.stands and looked == self._looked:
            return
        self._looked = looked
        self._give_marks()
        self.tap.look()
        self._give(now)
        self._tell()

    def _read_wish(self, now: float) -> Wish:
        cell = self.block.wish
        if cell.written() != self._wish_number:
            found = cell.read()
            if found is not None:
                self._wish_number, self._wish = found[0], _decode_wish(found[1])
        if self._is_alive(now):
            return self._wish
        if self._run.stands and self._wish.beat:  # nobody is there any more who could let it go on
            self.control.let_go()
        return Wish(command=self._obeyed)

    def _is_alive(self, now: float) -> bool:
        return bool(self._wish.beat) and now - self._wish.beat < GONE

    def _observe(self, wish: Wish) -> None:
        """Attach the observers that are wanted, and detach those that nobody wants any more."""
        simulator = self._run.simulator
        if wish.events and self._watcher is None:
            if self._listened is None:
                self._listened = self._observed.listened()
            ports, patterns = self._listened
            if patterns:
                self._watcher = Watcher(ports)
                simulator.attach(self._watcher, *patterns)
        elif not wish.events and self._watcher is not None:
            watcher, self._watcher = self._watcher, None
            simulator.detach(watcher)
        if self._observed.fixes and bool(wish.rate) != self._sees_fixes:
            self._sees_fixes = bool(wish.rate)
            fixes: Observer = self._fixes
            if self._sees_fixes:
                simulator.attach(fixes, *self._observed.fixes)
            else:
                simulator.detach(fixes)

    def _give_marks(self) -> None:
        """Give the marks as they are now, if they are others than before."""
        marks, time = self._observed.marks, self._run.simulator.time
        if marks is None or (marks.made == self._marked and not marks.ends_by(time)):
            return
        data, cell = encode(MarksNow(time, marks.differing(time))), self.block.marks
        if len(data) <= cell.room:
            cell.write(data)
        elif self._marked >= 0:
            self._lines.append(("log", time, "marks are missing from now on: there are too many"))
        self._marked = marks.made

    def _give(self, now: float, *, last: bool = False) -> None:
        """Give what was heard and measured since the last time."""
        items, skipped = ([], 0) if self._watcher is None else self._watcher.take()
        if self._wish.events and self._lines:
            items = sorted([*items, *self._lines], key=_time_of)
            self._lines.clear()
        series: dict[str, list[tuple[float, float]]] = {}
        if self._wish.metrics and (last or now >= self._measure_at):
            self._measure_at = now + MEASURED
            series = self._series(MOST_LINES)
        if items or skipped or series:
            cell = self.block.batches[self._batches % BATCHES]
            self._batches += 1
            cell.write(_fitting(ObservationBatch(self._run.now, items, skipped, series), self._batches, cell.room))

    def _tell(self) -> None:
        """Tell how the run is."""
        self._told = self._key
        self.block.status.write(
            encode(
                RunStatus(
                    state=self._state,
                    time=self._run.now if self._state in ("running", "paused") else self._run.simulator.time,
                    pace=self.control.pace,
                    late=self._lately(),
                    looks=self.tap.looks,
                    observers=self.observers,
                    answered=self._obeyed,
                    refusal=self._refusal,
                    reason=self._reason,
                    replay=self._replay,
                )
            )
        )

    def _lately(self) -> tuple[float, float] | None:
        """The median and the 95 % percentile of the lateness of the last events (simulated s)."""
        now = self._monotonic()
        if self._lateness is not None and len(self._lateness.values) and now >= self._late_at:
            self._late_at = now + MEASURED
            values = sorted(self._lateness.values[-RECENT:])
            self._late = values[len(values) // 2], values[int(0.95 * (len(values) - 1))]
        return self._late


def _time_of(item: Item) -> Any:
    return item[1]


def _fitting(batch: ObservationBatch, number: int, room: int) -> bytes:
    """A batch with its number, as it fits into a cell: the rest is skipped."""
    data = encode((number, batch))
    while len(data) > room:
        half = batch.items[len(batch.items) // 2 + 1 :]
        missing = len(batch.items) - len(half)
        series = {name: values[-len(values) // 2 :] for name, values in batch.series.items()}
        batch = ObservationBatch(batch.time, half, batch.skipped + missing, series)
        data = encode((number, batch))
    return data
