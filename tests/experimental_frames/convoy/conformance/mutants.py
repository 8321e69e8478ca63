"""Robots that are broken on purpose, each in one way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from devs_robotics import Driven, Ranges
from devs_robotics.models.convoy import CaughtUp, Follower, Leader, RoundDone, Sync
from devs_robotics.models.convoy.member import Member

BROKEN = 2
"""Number of the robot that is."""


class DoesNotWaitForItsFront(Follower):
    """Takes it that its front robot has gone as it did before."""

    def _start_if_ready(self) -> None:
        if self._front is None:
            self._front = Sync(self.robot - 1, 0.0, 0.2, 0.0)
        super()._start_if_ready()


class DoesNotWaitForItsBack(Follower):
    """Takes it that its back robot has caught up."""

    def _start_if_ready(self) -> None:
        self._back_ready = True
        super()._start_if_ready()


class ForgetsToInform(Follower):
    """Counts its rounds and tells nobody."""

    def _tell_neighbours(self) -> None:
        self.round_done.add(RoundDone(self.robot, self.round, self.adjustments))


class ForgetsItsBack(Follower):
    """Never tells its back robot that it has moved."""

    def _tell_neighbours(self) -> None:
        super()._tell_neighbours()
        self.f_ready_out.clear()


class ForgetsItsFront(Follower):
    """Never tells its front robot that it has caught up."""

    def _tell_neighbours(self) -> None:
        Member._tell_neighbours(self)


class AnswersTwice(Follower):
    """Tells everything twice."""

    def _tell_neighbours(self) -> None:
        super()._tell_neighbours()
        super()._tell_neighbours()


class AnswersAgain(Follower):
    """Tells everything once more, a little later."""

    again = False

    def deltint(self) -> None:
        if self.phase == "inform" and not self.again:
            self.again = True
            self.hold_in("inform", 0.01)
        else:
            self.again = False
            super().deltint()


class InformsBeforeItHasMoved(Follower):
    """Tells that it has followed as soon as its front robot has moved."""

    def _start_if_ready(self) -> None:
        if self._front is not None and self._back_ready:
            self._end_round()


class TellsTheWrongSide(Follower):
    """Tells that it has turned right when it has turned left."""

    def _tell_neighbours(self) -> None:
        sync = self._odometry.sync(self.robot)
        self.f_ready_out.add(replace(sync, alpha=-sync.alpha))
        self.round_done.add(RoundDone(self.robot, self.round, self.adjustments))
        self.b_ready_out.add(CaughtUp(self.robot))


class LooksAndDoesNotAdjust(Follower):
    """Goes on whatever it sees."""

    def _saw(self, ranges: Ranges) -> None:
        self._end_round()


class DoesNotLook(Follower):
    """Goes on without looking."""

    def _moved(self, driven: Driven) -> None:
        if self._step == "turn" and self._planned:
            super()._moved(driven)
        else:
            self._end_round()


class IgnoresAvoid(Follower):
    """Goes on while Avoid has its motor."""

    def deltext(self, e: float) -> None:
        self.inhibited.clear()
        super().deltext(e)


class NeverGivesUp(Follower):
    """Scans again when it should give up."""

    def _give_up(self, reason: str) -> None:
        self._recoveries = 0
        self._new_scan()
        self._look()


class CommandsTwice(Follower):
    """Gives each command to its motor twice."""

    def lambdaf(self) -> None:
        super().lambdaf()
        for command in list(self.motor.ask.values):
            self.motor.ask.add(command)


class CountsNothing(Follower):
    """Tells that it has made no adjustments."""

    def _adjust(self, turn: float, distance: float) -> None:
        self._drive(turn, distance)


class WearsOut(Follower):
    """Goes ever shorter ways than it means to, once it has come far; says and does all in the right order."""

    def _drive(self, turn: float, distance: float) -> None:
        worn = self.round > 40 and distance > 0.0
        super()._drive(turn, distance * 0.1 if worn else distance)


class DawdlesBeforeItMoves(Follower):
    """Gives each command to its motor a little late."""

    def _drive(self, turn: float, distance: float) -> None:
        super()._drive(turn, distance)
        self.hold_in("drive", 0.01)


class LooksAfterItsTurn(Follower):
    """Takes it that it stands right once it has turned; the protocol allows that."""

    def _moved(self, driven: Driven) -> None:
        if driven.turn:
            self._planned = 0.0
        super()._moved(driven)


class LeadsWithoutWaiting(Leader):
    """A leader that goes on before its back robot has caught up."""

    def _start_if_ready(self) -> None:
        self._back_ready = True
        super()._start_if_ready()


@contextmanager
def broken(mutant: type[Member] | None) -> Iterator[None]:
    """Meanwhile the leader, or robot 2, of every scenario is of the broken class."""
    with pytest.MonkeyPatch.context() as patch:
        if mutant is not None and issubclass(mutant, Leader):
            patch.setattr("devs_robotics.scenarios.convoy.decision_models.leader_class", lambda scenario: mutant)
        elif mutant is not None:

            def follower(name: str, robot: int, *arguments: Any, **keys: Any) -> Follower:
                cls = mutant if robot == BROKEN else Follower
                made = cls(name, robot, *arguments, **keys)
                assert isinstance(made, Follower)
                return made

            patch.setattr("devs_robotics.scenarios.convoy.decision_models.follower_class", lambda scenario: follower)
        yield
