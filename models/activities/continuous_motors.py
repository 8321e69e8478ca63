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
        self._has_command = np.zeros(count, bool)
        self._wanted, self._wanted_second = np.zeros((3, count)), np.zeros((3, count))
        """Of a command: speed, turn rate and duration of its legs."""
        self._wanted_legs = np.zeros(count, np.int64)
        self._has_report = np.zeros(count, bool)
        self._under_way = np.zeros(count, np.int64)
        self._legs = np.zeros(count, np.int64)
        """How many legs of the motion are left, of which the present one is the first."""
        self._second = np.zeros((3, count))
        """Speed, turn rate and duration of the leg after the present one."""
        self._first_speed = np.zeros(count)
        self._left = np.full(count, inf)
        self._velocity = np.zeros((2, count))
        self._rest = np.zeros((3, count))
        self._turned, self._gone = np.zeros(count), np.zeros(count)
        self._was_blocked = np.zeros(count, bool)
        """Of a report: whether something has ended the motion."""
        self._must_stop = np.zeros(count, bool)

    def deltext(self, who: Places, e: Floats) -> None:
        """Take a command, or hear that the robot has run into something."""
        self._pass(who, e)
        stopped = np.zeros(len(self.robots), bool)
        for some, told in self.world.answer.each(who):
            stopped[some] |= told.column("stopped")
        halted = who[stopped[who] & (self._legs[who] > 0) & (self._first_speed[who] != 0.0)]
        if halted.size:
            self._run_into(halted)
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
        self._turn_to(begin, self._wanted)
        self._tell(who[~commanded & reporting])
        others = who[~commanded & ~reporting]
        legs = self._legs[others]
        self._turn_to(others[legs > 1], self._second)
        self._turn_to(others[legs == 0], self._rest)

    def deltint(self, who: Places) -> None:
        """Go on with the motion, or wait."""
        self._must_stop[who] = False
        commanded, reporting = self._has_command[who], self._has_report[who]
        begin = who[commanded]
        if begin.size:
            self._begin(begin)
        reported = who[~commanded & reporting]
        self._has_report[reported] = self._overriding[reported] = False
        others = who[~commanded & ~reporting]
        if others.size:
            self._pass(others, self.sigma[others])
            self._go_on(others)
        self.sigma[who] = np.where(self._has_report[who], 0.0, self._left[who])

    def _tell(self, who: Places) -> None:
        """The reports of these robots, to the layer that has commanded each."""
        if who.size:
            overriding = self._overriding[who]
            for port, some in ((self.drive_answer, who[~overriding]), (self.override_answer, who[overriding])):
                port.send(some, self._turned[some], self._gone[some], self._was_blocked[some])

    def _take(self, who: Places, turn: Floats, distance: Floats) -> None:
        """Commands, which take the place of others, and the legs that they are made of: a turn, and then a drive."""
        if not np.isfinite(turn + distance).all():
            place = int(np.flatnonzero(~np.isfinite(turn + distance))[0])
            raise ModelError(
                f"robot {self.robots[who[place]]} is told to turn by {turn[place]} rad and drive {distance[place]} m: "
                "its decision model must send finite angles and distances"
            )
        self._has_command[who], self._has_report[who] = True, False
        rate, speed = np.copysign(self.pace.turn_rate, turn), np.copysign(self.pace.speed, distance)
        turning, driving = turn / rate, distance / speed
        turns, drives = turning >= INSTANT, driving >= INSTANT
        speed, driving = np.where(drives, speed, 0.0), np.where(drives, driving, 0.0)
        wanted, second = self._wanted, self._wanted_second
        wanted[0, who] = np.where(turns, 0.0, speed)
        wanted[1, who] = np.where(turns, rate, 0.0)
        wanted[2, who] = np.where(turns, turning, driving)
        second[0, who], second[2, who] = speed, driving
        self._wanted_legs[who] = 1 + (turns & drives)

    def _run_into(self, who: Places) -> None:
        """Something has ended the motions of these robots, which they report."""
        self._legs[who] = 0
        self._left[who], self._velocity[:, who] = inf, nan  # which the environment holds back
        self._must_stop[who] = True
        self._under_way[who] -= 1
        reporting = who[self._under_way[who] == 0]
        self._has_report[reporting] = self._was_blocked[reporting] = True

    def _begin(self, who: Places) -> None:
        """Motions as they are commanded."""
        self._has_command[who] = False
        self._under_way[who] = 1
        self._legs[who], self._second[:, who] = self._wanted_legs[who], self._wanted_second[:, who]
        self._begin_leg(who, self._wanted[:, who])
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

    def _turn_to(self, who: Places, legs: Floats) -> None:
        """Ask for the velocities of these legs of all, where they are other ones."""
        if who.size:
            speed, turn_rate = legs[0, who], legs[1, who]
            other = (speed != self._velocity[0, who]) | (turn_rate != self._velocity[1, who])
            some = who[other]
            self.world.ask.send(some, self.robots[some], speed[other], turn_rate[other])
