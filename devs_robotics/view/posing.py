"""Where everybody is at any time of a timeline: the rule by which what lies between two changes is drawn.

- After a change, a body stands, goes on along the arc that the change gives, or, on a path, goes straight to its next
  change.
- Who stands, and has a pace in the scene, has reached its next change by a motion as a whole that ended then: it
  turned, the shorter way round, and then went straight. That took as long as its pace says, but no longer than it had
  stood; before, it stood.
- Fixes of a real robot are joined by straight lines where they are less than `JOINED` apart.
- Before a body's first change, and from the change on that says so, it is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, hypot, isnan, nan, remainder, tau

import numpy as np

from devs_robotics.view.scene import Scene
from devs_robotics.view.timeline import HEADING, SLOT, SPEED, TICK, TIME, TURN_RATE, WIDTH, Columns, Timeline, X, Y

Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

JOINED = 1.0
"""Time between two fixes from which on a real robot is drawn where it was seen last, and jumps (s)."""


class Posing:
    """Where everybody of a timeline is, at any time.

    Args:
        scene: tells the bodies' paces and kinds
        timeline: of the run
    """

    def __init__(self, scene: Scene, timeline: Timeline) -> None:
        self.begin, self.end, self.slots = timeline.begin, timeline.end, timeline.slots
        nowhere = np.full((self.slots, WIDTH), nan)
        nowhere[:, TIME], nowhere[:, SLOT] = self.begin, np.arange(self.slots)
        nowhere[:, SPEED : TURN_RATE + 1] = 0.0
        rows = np.vstack([nowhere, timeline.history()])
        rows = rows[np.argsort(rows[:, SLOT], kind="stable")]  # so that of two at one time the later stays the later
        self._rows = rows
        self._span = 2.0 ** np.ceil(np.log2(max(self.end - self.begin, 1.0)) + 1.0)
        self._keys = rows[:, SLOT] * self._span + (rows[:, TIME] - self.begin)
        self._first = np.arange(self.slots) * self._span
        self._pace = np.zeros((self.slots, 2))
        self._real = np.zeros(self.slots, dtype=bool)
        for body in scene.bodies:
            if body.slot < self.slots:
                self._pace[body.slot] = body.speed, body.turn_rate
                self._real[body.slot] = body.kind == "real"

    def at(self, time: float) -> Columns:
        """Poses at a time (s) of the timeline; shape (slots, 3): x, y (m), heading (rad); NaN: not there."""
        time = min(max(time, self.begin), self.end)
        last = np.searchsorted(self._keys, self._first + (time - self.begin), side="right") - 1
        now = self._rows[last]
        following = self._rows[np.minimum(last + 1, len(self._rows) - 1)]
        none = (following[:, SLOT] != now[:, SLOT]) | (last + 1 == len(self._rows))
        following[none] = nan
        return between(now, following, self._pace, self._real, np.full(self.slots, time))


def between(now: Columns, following: Columns, pace: Columns, real: Bools, times: Columns) -> Columns:
    """Poses between changes.

    Args:
        now: the last changes, in rows
        following: the next changes of the same bodies; not a number where there is none
        pace: speeds and turn rates of motions as a whole (m/s, rad/s); 0 for who makes none
        real: whose changes are fixes of a real robot
        times: one per row (s)
    """
    on_path = np.isnan(now[:, SPEED])
    now = np.where(on_path[:, None] & (np.arange(WIDTH) >= SPEED), 0.0, now)
    poses = _along_arcs(now, times - now[:, TIME])
    waits = (now[:, SPEED] == 0.0) & (now[:, TURN_RATE] == 0.0) & ~np.isnan(following[:, TIME])
    joined = np.flatnonzero(waits & (on_path | real & (following[:, TIME] - now[:, TIME] < JOINED)))
    poses[joined] = _straight(now[joined], following[joined], times[joined])
    waits &= ~on_path
    movers = np.flatnonzero(waits & ~real & (pace > 0.0).all(axis=1))
    poses[movers] = _in_motion(now[movers], following[movers], pace[movers], times[movers])
    return poses


TURNED = 0.2
"""Between two poses by which an arc is told to those who join them by straight lines (rad)."""


def way(
    now: Sequence[float], following: Sequence[float], pace: tuple[float, float], *, real: bool
) -> list[tuple[float, float, float, float]]:
    """The way from one change of a body to its next, for those who join poses by straight lines.

    Args:
        now: the last change, as a row
        following: the next one
        pace: speed and turn rate of motions as a whole (m/s, rad/s); 0 for who makes none
        real: whether the changes are fixes of a real robot

    Returns:
        times after the first change (s), with poses, the last of them the next change
    """
    begin, x, y, heading = now[TIME], now[X], now[Y], now[HEADING]
    end, *arrived = following[TIME], following[X], following[Y], following[HEADING]
    there = (end, arrived[0], arrived[1], arrived[2])
    if isnan(now[SPEED]):
        return [there]
    if now[SPEED] or now[TURN_RATE]:
        parts = max(1, ceil(abs(now[TURN_RATE]) * (end - begin) / TURNED))
        times = [begin + (end - begin) * part / parts for part in range(1, parts)] + [max(begin, end - TICK)]
        row = np.tile(np.asarray(now), (len(times), 1))
        poses = _along_arcs(row, np.array(times) - begin).tolist()
        return [*((time, *pose) for time, pose in zip(times, poses, strict=True)), there]
    if real and end - begin < JOINED:
        return [there]
    if not real and min(pace) > 0.0:
        turn = abs(remainder(there[3] - heading, tau)) / pace[1]
        whole = turn + hypot(there[1] - x, there[2] - y) / pace[0]
        took = min(whole, end - begin)
        if took > 0.0:
            return [(end - took, x, y, heading), (end - took * (1.0 - turn / whole), x, y, there[3]), there]
        return [there]
    return [(max(begin, end - TICK), x, y, heading), there]


def along(row: Sequence[float], time: float) -> tuple[float, float, float]:
    """Where a body is on the arc of its last change, given as a row, at a time (s)."""
    x, y, heading = _along_arcs(np.array([row]), np.array([time - row[TIME]]))[0].tolist()
    return x, y, heading


def _along_arcs(rows: Columns, since: Columns) -> Columns:
    """Poses so long (s) after the changes."""
    half = 0.5 * rows[:, TURN_RATE] * since
    chord = rows[:, SPEED] * since * np.sinc(half / np.pi)
    middle = rows[:, HEADING] + half  # a chord has the heading of half its arc
    return np.column_stack(
        (rows[:, X] + chord * np.cos(middle), rows[:, Y] + chord * np.sin(middle), rows[:, HEADING] + 2.0 * half)
    )


def _straight(one: Columns, other: Columns, time: Columns) -> Columns:
    """Of who goes straight from one change to the next, of which the second is later."""
    share = (time - one[:, TIME]) / (other[:, TIME] - one[:, TIME])
    return _present(one, other, one[:, X : HEADING + 1] + share[:, None] * _step(one, other))


def _in_motion(one: Columns, other: Columns, pace: Columns, time: Columns) -> Columns:
    """Of who stood and is at its next change by a motion as a whole: still standing, turning, or on its way."""
    step = _step(one, other)
    turning, going = np.abs(step[:, 2]) / pace[:, 1], np.hypot(step[:, 0], step[:, 1]) / pace[:, 0]
    whole = turning + going
    took = np.minimum(whole, other[:, TIME] - one[:, TIME])
    with np.errstate(divide="ignore", invalid="ignore"):
        done = np.where(whole > 0.0, (1.0 - (other[:, TIME] - time) / took) * whole, 0.0)  # as if it had been in time
        turned = np.where(turning > 0.0, np.clip(done / turning, 0.0, 1.0), 1.0)
        gone = np.where(going > 0.0, np.clip((done - turning) / going, 0.0, 1.0), 0.0)
    turned = np.where(done <= 0.0, 0.0, turned)
    return _present(one, other, one[:, X : HEADING + 1] + step * np.column_stack((gone, gone, turned)))


def _step(one: Columns, other: Columns) -> Columns:
    """From one pose to the other, the shorter way round."""
    step = other[:, X : HEADING + 1] - one[:, X : HEADING + 1]
    step[:, 2] -= tau * np.rint(step[:, 2] / tau)
    return step


def _present(one: Columns, other: Columns, poses: Columns) -> Columns:
    """Who is not there next stands until then."""
    leaves = np.isnan(other[:, X])
    return np.where(leaves[:, None], one[:, X : HEADING + 1], poses)
