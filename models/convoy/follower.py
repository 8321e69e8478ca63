"""A follower: keeps its place behind its front robot."""

from __future__ import annotations

from math import asin, pi, remainder

from msgspec import Struct

from devs_robotics import Driven, In, Out, Ranges
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import CaughtUp, Sync
from devs_robotics.models.convoy.planning import next_delta, plan, seen_delta
from devs_robotics.models.convoy.scanning import Scan

BACK_UPS = 2
"""Largest number of times that a follower backs up in one round when it is too close."""


class FollowerRules(Struct, frozen=True):
    """How a follower keeps its place.

    Attributes:
        spacing: wanted distance to the front robot, centre to centre (m)
        body_offset: what a range reading lacks to be the distance centre to centre (m)
        front_radius: of the front robot's body (m)
        nearest: smallest distance at which something is taken for the front robot (m)
        farthest: largest distance at which something is taken for the front robot (m)
        tolerance: shortfall of the spacing above which the follower is too close (m)
        scan_step: angle between two readings of a scan on one side (rad)
        scan_limit: largest angle of a scan to each side (rad)
        recovery_step: distance driven forward before it scans again (m)
        recoveries: number of times that it does so before it gives up
        correction: share of what it sees of the heading difference that it takes over each round; 0: equation (3) alone
    """

    spacing: float
    body_offset: float
    front_radius: float
    nearest: float
    farthest: float
    tolerance: float
    scan_step: float
    scan_limit: float
    recovery_step: float
    recoveries: int
    correction: float


class RelativePose(Struct, frozen=True):
    """The pose of the front robot relative to that of its follower.

    Attributes:
        gap: distance centre to centre (m)
        bearing: from the own heading (rad)
        delta: the front robot's heading minus the own (rad)
    """

    gap: float
    bearing: float
    delta: float


class Follower(Member):
    """Robots 2 to N: predict and turn, move, adjust, inform (Hu & Zeigler, section 4.1).

    A round begins when the front robot has moved and the back robot has caught up. If the scan does not find the
    front robot, it recovers: it goes a little further and scans again, some times, and then gives up as lost.

    =========  ============  ====================================  ==================================================
    phase      time advance  output                                next phase
    =========  ============  ====================================  ==================================================
    waiting    ∞                                                   drive (turn, or move if there is nothing to turn),
                                                                   when the front robot has moved and the back robot
                                                                   is ready; look, if there is nothing to move either
    drive      0             motor                                 moving
    moving     ∞                                                   drive (move), after the turn; look, otherwise
    look       0             infrared                              looking
    looking    ∞                                                   drive (adjust), if not in place; inform, if in
                                                                   place; or give up
    inform     0             f_ready_out, b_ready_out, round_done  waiting
    inhibited  ∞                                                   look, when the layer above releases the motor
    give up    0             lost                                  lost
    lost       ∞                                                   none
    =========  ============  ====================================  ==================================================

    The layer above can inhibit it in every phase; in waiting and lost the phase stays, and no round begins meanwhile.

    Ports, besides those of a `Member`:
        f_ready_in: the front robot has moved
        b_ready_out: it has followed the front robot

    Args:
        rules: how it keeps its place
        start: where its front robot stands at first
    """

    f_ready_in = In(Sync)
    b_ready_out = Out(CaughtUp)

    def __init__(self, name: str, robot: int, rules: FollowerRules, start: RelativePose, *, last: bool) -> None:
        super().__init__(name, robot, last=last)
        self.rules = rules
        self.gap = start.gap
        self.bearing = start.bearing
        self.delta = start.delta
        self._front: Sync | None = None
        self._before = (start.gap, start.bearing)
        self._planned = 0.0
        self._step = "turn"
        self._new_scan()
        self._recoveries = 0
        self._back_ups = 0
        self._centred = False

    def deltext(self, e: float) -> None:
        """Hear that the front robot has moved, and all that a member hears."""
        for sync in self.f_ready_in.values:
            self._front = sync
        super().deltext(e)

    def _start_if_ready(self) -> None:
        if self._front is None or not self._back_ready:
            return
        alpha, self._planned = plan(self.gap, self.bearing, self.delta, self._front, self.rules.spacing)
        self._before = (self.gap, self.bearing)
        self._new_scan()
        self._recoveries = self._back_ups = 0
        self._centred = False
        self._step = "turn"
        if alpha:
            self._drive(alpha, 0.0)
        else:
            self._moved(Driven(0.0, 0.0))

    def _moved(self, driven: Driven) -> None:
        if self._step == "turn" and self._planned:
            self._step = "move"
            self._drive(0.0, self._planned)
        else:
            self._step = "adjust"
            self._look()

    def _saw(self, ranges: Ranges) -> None:
        gap = ranges.values[len(ranges.values) // 2] + self.rules.body_offset
        if not self.rules.nearest <= gap <= self.rules.farthest:
            self._look_further()
            return
        self.gap = gap
        centring = self._scan.turn_to_centre(asin(min(1.0, self.rules.front_radius / self.gap)))
        if centring and not self._centred:
            self._centred = True
            self._new_scan()
            self._adjust(centring, 0.0)
        elif self.gap < self.rules.spacing - self.rules.tolerance and self._back_ups < BACK_UPS:
            self._back_ups += 1
            self._new_scan()
            self._adjust(0.0, self.gap - self.rules.spacing)
        else:
            self._end_round()

    def _look_further(self) -> None:
        rules = self.rules
        turn = self._scan.turn_to_next()
        if turn is not None:
            self._adjust(turn, 0.0)
        elif self._recoveries < rules.recoveries:
            self._recoveries += 1
            back_to_middle = -self._scan.offset
            self._new_scan()
            self._adjust(back_to_middle, rules.recovery_step)
        else:
            self._give_up("it cannot find its front robot")

    def _adjust(self, turn: float, distance: float) -> None:
        self.adjustments += 1
        self._drive(turn, distance)

    def _new_scan(self) -> None:
        self._scan = Scan(self.rules.scan_step, self.rules.scan_limit)

    def _resume(self) -> None:
        self._step = "adjust"
        self._new_scan()
        self._look()

    def _end_round(self) -> None:
        front = self._front
        assert front is not None
        seen = seen_delta(self._before, self._odometry, self.gap, front)
        if seen is not None:
            self.delta += self.rules.correction * remainder(seen - self.delta, 2.0 * pi)
        self.delta = next_delta(self.delta, front, self._odometry.turned)
        self.bearing = 0.0
        self._front = None
        self._inform()

    def _tell_neighbours(self) -> None:
        super()._tell_neighbours()
        self.b_ready_out.add(CaughtUp(self.robot))
