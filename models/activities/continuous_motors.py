"""The continuous motors of many robots, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Atomic, ModelError
from devs_robotics.core.population import Common, Population
from devs_robotics.core.population.rows import Places
from devs_robotics.models.activities.continuous_motor import COAST, INSTANT, ContinuousMotor

Floats = NDArray[np.float64]


class ContinuousMotors(Population, of=ContinuousMotor):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    pace = Common()

    def __init__(self, members: Sequence[Atomic], robots: Sequence[int]) -> None:
        super().__init__(members, robots)
        count = len(members)
        self._overriding = np.zeros(count, bool)
        self._has_command, self._command = np.zeros(count, bool), np.zeros((2, count))
        self._has_report = np.zeros(count, bool)
        self._under_way = np.zeros(count, np.int64)
        self._legs = np.zeros(count, np.int64)
        """How many legs of the motion are left, of which the present one is the first."""
        self._second = np.zeros((3, count))
        """Speed, turn rate and duration of the leg after the present one."""
        self._first_speed = np.zeros(count)
        self._left = np.full(count, inf)
        self._velocity = np.zeros((2, count))
        self._turned, self._gone = np.zeros(count), np.zeros(count)
        self._was_blocked = np.zeros(count, bool)
        """Of a report: whether something has ended the motion."""
        self._must_stop = np.zeros(count, bool)

    def deltext(self, who: Places, e: Floats) -> None:
        """Take a command, or hear that the robot has run into something."""
        self._pass(who, e)
        stopped = np.zeros(len(self.robots), bool)
        for some, halted in self.world.answer.each(who):
            stopped[some] |= halted.column("stopped")
        self._run_into(who[stopped[who] & (self._legs[who] > 0) & (self._first_speed[who] != 0.0)])
        for some, command in self.override_ask.each(who):
            self._overriding[some] = True
            self._take(some, command.column("turn"), command.column("distance"))
        for some, command in self.drive_ask.each(who):
            free = ~self._overriding[some]
            self._take(some[free], command.column("turn")[free], command.column("distance")[free])
        at_once = self._has_command[who] | self._has_report[who]
        self.sigma[who] = np.minimum(np.where(at_once, 0.0, inf), self._left[who])

    def lambdaf(self, who: Places) -> None:
        """Begin a motion or a leg, stop, or report."""
        stops = who[self._must_stop[who]]
        self.world.ask.send(stops, self.robots[stops], 0.0, 0.0)
        commanded, reporting = self._has_command[who], self._has_report[who]
        begin = who[commanded]
        first, _, _ = self._legs_of(begin)
        self._turn_to(begin, first[0], first[1])
        report = who[~commanded & reporting]
        for port, overriding in ((self.drive_answer, False), (self.override_answer, True)):
            some = report[self._overriding[report] == overriding]
            port.send(some, self._turned[some], self._gone[some], self._was_blocked[some])
        others = who[~commanded & ~reporting]
        next_leg = others[self._legs[others] > 1]
        self._turn_to(next_leg, self._second[0, next_leg], self._second[1, next_leg])
        at_rest = others[self._legs[others] == 0]
        zeros = np.zeros(len(at_rest))
        self._turn_to(at_rest, zeros, zeros)

    def deltint(self, who: Places) -> None:
        """Go on with the motion, or wait."""
        self._must_stop[who] = False
        commanded, reporting = self._has_command[who], self._has_report[who]
        begin = who[commanded]
        self._begin(begin)
        self._has_command[begin] = False
        self._under_way[begin] = 1
        reported = who[~commanded & reporting]
        self._has_report[reported] = self._overriding[reported] = False
        others = who[~commanded & ~reporting]
        self._pass(others, self.sigma[others])
        self._go_on(others)
        self.sigma[who] = np.where(self._has_report[who], 0.0, self._left[who])

    def _take(self, who: Places, turn: Floats, distance: Floats) -> None:
        """Commands that take the place of others."""
        self._has_command[who], self._has_report[who] = True, False
        self._command[0, who], self._command[1, who] = turn, distance

    def _run_into(self, who: Places) -> None:
        """Something has ended the motions of these robots, which they report."""
        self._legs[who] = 0
        self._left[who], self._velocity[:, who] = inf, nan  # which the environment holds back
        self._must_stop[who] = True
        self._under_way[who] -= 1
        reporting = who[self._under_way[who] == 0]
        self._has_report[reporting] = self._was_blocked[reporting] = True

    def _legs_of(self, who: Places) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """What commands are made of: speed, turn rate and duration of two legs, and whether there is a second one."""
        turn, distance = self._command[0, who], self._command[1, who]
        if not np.isfinite(turn + distance).all():
            place = int(np.flatnonzero(~np.isfinite(turn + distance))[0])
            raise ModelError(
                f"robot {self.robots[who[place]]} is told to turn by {turn[place]} rad and drive {distance[place]} m: "
                "its decision model must send finite angles and distances"
            )
        rate, speed = np.copysign(self.pace.turn_rate, turn), np.copysign(self.pace.speed, distance)
        turning, driving = turn / rate, distance / speed
        turns, drives = turning >= INSTANT, driving >= INSTANT
        zeros = np.zeros(len(who))
        drive = np.stack((np.where(drives, speed, 0.0), zeros, np.where(drives, driving, 0.0)))
        first: Floats = np.where(turns, np.stack((zeros, rate, turning)), drive)
        return first, drive, turns & drives

    def _begin(self, who: Places) -> None:
        first, second, two = self._legs_of(who)
        self._legs[who] = 1 + two
        self._second[:, who] = second
        self._begin_leg(who, first)
        self._turned[who] = self._gone[who] = 0.0

    def _begin_leg(self, who: Places, leg: Floats) -> None:
        self._first_speed[who], self._left[who] = leg[0], leg[2]
        self._velocity[:, who] = leg[:2]

    def _go_on(self, who: Places) -> None:
        """Legs have ended, or robots have stopped."""
        stopped = who[self._legs[who] == 0]
        self._velocity[:, stopped], self._left[stopped] = 0.0, inf
        going = who[self._legs[who] > 0]
        self._legs[going] -= 1
        further = going[self._legs[going] > 0]
        self._begin_leg(further, self._second[:, further])
        ended = going[self._legs[going] == 0]
        self._left[ended] = np.where((self._velocity[:, ended] != 0.0).any(axis=0), COAST, inf)
        self._under_way[ended] = 0
        self._has_report[ended], self._was_blocked[ended] = True, False

    def _pass(self, who: Places, seconds: Floats) -> None:
        """Time passes on legs, or while robots roll on at the ends of motions."""
        moving = self._legs[who] > 0
        some, past = who[moving], seconds[moving]
        self._turned[some] += self._velocity[1, some] * past
        self._gone[some] += self._velocity[0, some] * past
        left = self._left[who] - seconds
        self._left[who] = np.where(left < INSTANT, 0.0, left)

    def _turn_to(self, who: Places, speed: Floats, turn_rate: Floats) -> None:
        """Ask for other velocities, where they are other ones."""
        other = (speed != self._velocity[0, who]) | (turn_rate != self._velocity[1, who])
        some = who[other]
        self.world.ask.send(some, self.robots[some], speed[other], turn_rate[other])
