"""Whether a JSON robot does what it was told, and nothing else."""

from __future__ import annotations

from collections import deque
from math import hypot, inf, pi, remainder

from devs_robotics.hil.protocols.protocol import TRIES
from devs_robotics.hil.robot_protocol import Busy, Moved, Ranges, State, Told

REMEMBERED = 16
"""Number of the last moves that are known."""

COASTING = 0.5
"""Longest time for which a robot rolls on after a move (s)."""

WINDOW = 1.0
"""Time for which a robot that stands is held against its own reckoning (s); then a new one begins."""

DRIFT, TWIST = 0.03, 0.2
"""Way and turn (m, rad) within one `WINDOW` above which a robot at no move is taken to have moved."""


class Obedience:
    """Compares what a robot says of itself with what it was told; each method returns what is wrong, or nothing."""

    def __init__(self) -> None:
        self._known: deque[int] = deque(maxlen=REMEMBERED)
        """Numbers of moves that it was told, or spoke of when it was met."""
        self._foreign_answers = 0
        self._since = -inf
        self.new_session()

    def new_session(self) -> None:
        """It has started anew: what it speaks of first, somebody told it before."""
        self._known.clear()
        self._standing: State | None = None
        self._last: int | None = None
        """The move that it has ended last; None until it has said so."""

    def told(self, move: int) -> None:
        """It is told to make this move."""
        if move not in self._known:
            self._known.append(move)

    def state(self, state: State, time: float) -> str:
        """What it says of itself with a heartbeat."""
        if self._last is None:
            self._known += (state.moving, state.last)
            self._last = state.last
        for number in (state.moving, state.last):
            if number and number not in self._known:
                return f"speaks of a move {number} that it was never told"
        return self._strays(state, time)

    def moved(self, moved: Moved, given: int) -> str:
        """A move has ended; `given` is the last number that was given. Of smaller ones its next heartbeat tells."""
        if self._last is None:
            return ""
        if moved.id > given:
            return f"has made a move {moved.id} that it was never told"
        if moved.ended == "replaced" and moved.id in self._known:
            return f"has given move {moved.id} up for another one that it was not told"
        return ""

    def asked(self, state: State, given: int) -> str:
        """What its equipment was asked, as its heartbeat says; `given` is the last number that was given before."""
        if self._last is None or not state.asked or state.asked <= given:
            return ""
        return f"was asked something (id {state.asked}) that nobody here asked"

    def answer(self, answer: Ranges | Told | Busy, given: int) -> str:
        """An answer to no question. The first ones may be for a run before this one."""
        self._foreign_answers += answer.id > given
        return "answers questions that it was never asked" if self._foreign_answers >= TRIES else ""

    def _strays(self, state: State, time: float) -> str:
        """See whether a robot that is at no move comes away from where it stands."""
        if state.moving or state.last != self._last:
            self._standing, self._since, self._last = None, time + COASTING, state.last
            return ""
        place = self._standing
        if place is None or time - self._since > WINDOW:
            if time >= self._since:
                self._standing, self._since = state, time
            return ""
        gone = hypot(state.x - place.x, state.y - place.y)
        turned = abs(remainder(state.heading - place.heading, 2.0 * pi))
        if gone <= DRIFT and turned <= TWIST:
            return ""
        return f"has moved {100.0 * gone:.1f} cm and {turned:.2f} rad by its own reckoning, though it makes no move"
