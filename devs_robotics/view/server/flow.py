"""What waits for one viewer, and when it may be sent; knows no socket and no clock.

A state replaces the one that waits, and no more than two are unanswered: so what is drawn is never old, whatever lies
between. Of events the oldest are dropped, and counted. A status replaces the one before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import inf

from msgspec import Struct

from devs_robotics.view.replay import MarkChange
from devs_robotics.view.server.messages import Want, written
from devs_robotics.view.states import numbered

UNANSWERED = 2
"""Most states that a page has not answered."""

EVENTS = 1000
"""Most events that wait."""

POINTS = 5000
"""Most values of each series that wait."""

TEXTS = 256
"""Most other messages that wait; a viewer for whom there are more is given up."""

PATIENCE = 10.0
"""A viewer who has not answered a state for so long (s) is gone."""

FASTEST = 60.0
"""Most states per second that a page may want."""

EARLY = 0.003
"""States may come earlier by this than a page's rate says (s), so that a rhythm of the same rate loses none."""

RAY = "see"
"""Kind of the events that may be wanted of some robots only."""

Item = Sequence[object]


class Waiting(Struct):
    """One message to be sent: text, or bytes."""

    data: str | bytes


class Flow:
    """What waits for one viewer.

    Attributes:
        want: what the viewer wants
        dropped: states that were replaced before they could be sent
        is_stuck: whether more waits than can be kept
    """

    def __init__(self) -> None:
        self.want = Want(rate=0.0)
        self.dropped = 0
        self.is_stuck = False
        self._texts: deque[str] = deque()
        self._status: str | None = None
        self._state: bytes | None = None
        self._events: deque[Item] = deque(maxlen=EVENTS)
        self._events_time = 0.0
        self._skipped = 0
        self._series: dict[str, deque[tuple[float, float]]] = {}
        self._metrics_time = 0.0
        self._marks: dict[str, MarkChange] = {}
        self._number = 0
        self._unanswered: deque[tuple[int, float]] = deque()
        """Numbers of states, and when they were sent (s)."""
        self._due = 0.0
        self._picture: bytes | None = None
        self._pictured = 0
        """Number of the picture that is unanswered; 0: none is."""

    def take_want(self, want: Want, latest: bytes | None) -> None:
        """The viewer wants something else from now on; who looks again gets the latest state at once."""
        looked = self.want.rate > 0.0
        rate = want.rate if 0.0 < want.rate < inf else 0.0
        self.want = Want(min(rate, FASTEST), want.events, want.metrics, want.robots, want.pictures)
        if not self.want.rate:
            self._state = None
        elif not looked:
            self._state, self._due = latest, 0.0
        if not want.events:
            self._events.clear()
        if not want.metrics:
            self._series.clear()
        if not (want.pictures and rate):
            self._picture = None

    def say(self, text: str) -> None:
        """Send a text, in order, before any state that comes later."""
        self._texts.append(text)
        self.is_stuck = self.is_stuck or len(self._texts) > TEXTS

    def tell_status(self, text: str) -> None:
        """Send how the run is."""
        self._status = text

    def show(self, state: bytes) -> None:
        """Send a state, if one is wanted."""
        if self.want.rate:
            self.dropped += self._state is not None
            self._state = state

    def show_picture(self, picture: bytes) -> None:
        """Send a picture of the camera, if one is wanted."""
        if self.want.rate and self.want.pictures:
            self._picture = picture

    def tell_events(self, time: float, items: Iterable[Item], skipped: int) -> None:
        """Send what happened, if it is wanted."""
        if not self.want.events:
            return
        robots = self.want.robots
        wanted = [item for item in items if robots is None or item[0] != RAY or item[2] in robots]
        self._skipped += skipped + max(0, len(self._events) + len(wanted) - EVENTS)
        self._events.extend(wanted)
        self._events_time = time

    def tell_metrics(self, time: float, series: dict[str, list[tuple[float, float]]]) -> None:
        """Send new values, if they are wanted."""
        if self.want.metrics:
            for name, values in series.items():
                self._series.setdefault(name, deque(maxlen=POINTS)).extend(values)
            self._metrics_time = time

    def tell_marks(self, changes: Iterable[MarkChange]) -> None:
        """Send how marks have changed; of each only the last change, if the viewer is slow."""
        self._marks.update((change.name, change) for change in changes)

    def answered(self, number: int) -> None:
        """The page has a state, and all before it."""
        while self._unanswered and self._unanswered[0][0] <= number <= self._number:
            self._unanswered.popleft()
        if self._pictured <= number <= self._number:
            self._pictured = 0

    def next(self, now: float) -> Waiting | None:
        """What is to be sent now; None: nothing."""
        if self._texts:
            return Waiting(self._texts.popleft())
        if self._status is not None:
            text, self._status = self._status, None
            return Waiting(text)
        if self._state is not None and len(self._unanswered) < UNANSWERED and now >= self._due - EARLY:
            self._number += 1
            self._unanswered.append((self._number, now))
            self._due = max(self._due, now - 1.0 / self.want.rate) + 1.0 / self.want.rate
            state, self._state = self._state, None
            return Waiting(numbered(state, self._number))
        if self._picture is not None and not self._pictured:
            self._number += 1
            self._pictured = self._number
            picture, self._picture = self._picture, None
            return Waiting(numbered(picture, self._number))
        if len(self._unanswered) >= UNANSWERED:  # who does not read gets nothing else either
            return None
        if self._marks and self.want.rate:
            changes = sorted(self._marks.values(), key=lambda change: change.time)
            self._marks.clear()
            return Waiting(written("marks", changes=changes))
        if self._events or self._skipped:
            items, skipped = list(self._events), self._skipped
            self._events.clear()
            self._skipped = 0
            return Waiting(written("events", t=self._events_time, items=items, skipped=skipped))
        if self._series:
            series = {name: list(values) for name, values in self._series.items()}
            self._series.clear()
            return Waiting(written("metrics", t=self._metrics_time, series=series, marks=[]))
        return None

    def wait(self, now: float) -> float | None:
        """How long there is nothing to be sent, if nothing new comes (s); None: until something does."""
        if self._state is not None and len(self._unanswered) < UNANSWERED:
            return max(0.0, self._due - EARLY - now)
        if self._unanswered:
            return max(0.0, self._unanswered[0][1] + PATIENCE - now)
        return None

    def is_gone(self, now: float) -> bool:
        """Whether the viewer has not answered for long."""
        return bool(self._unanswered) and now - self._unanswered[0][1] >= PATIENCE
