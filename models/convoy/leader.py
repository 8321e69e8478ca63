"""The leader of a convoy: straight on unless something is ahead."""

from __future__ import annotations

from math import pi

from msgspec import Struct

from devs_robotics import Driven, Ranges
from models.convoy.member import Member

CIRCLES = 3
"""So often a leader turns round before it gives up; each time half as much room has to do."""


class LeaderRules(Struct, frozen=True):
    """How a leader moves.

    Attributes:
        step: distance driven in a round (m)
        turn: angle turned when there is something ahead, before looking again (rad)
        clearance: a reading below this is something ahead (m)
        path: turns (rad) and distances (m) to make instead, one pair a round, begun again at the end; or empty
    """

    step: float
    turn: float
    clearance: float
    path: tuple[tuple[float, float], ...] = ()


class Leader(Member):
    """Robot 1: decides the way of the convoy (paper 003, section 4.1).

    Each round it looks, turns away from the nearest thing until the way is free, and drives one step.

    Args:
        rules: how it moves
    """

    def __init__(self, name: str, rules: LeaderRules, *, last: bool) -> None:
        super().__init__(name, 1, last=last)
        self.rules = rules
        self._turned = 0.0
        self._side = 0.0

    def initialize(self) -> None:
        """Set off."""
        self._start_if_ready()

    def _start_if_ready(self) -> None:
        if not self._back_ready:
            return
        self._turned = self._side = 0.0
        if self.rules.path:
            turn, distance = self.rules.path[self.round % len(self.rules.path)]
            self._drive(turn, distance)
        else:
            self._look()

    def _saw(self, ranges: Ranges) -> None:
        rules = self.rules
        if min(ranges.values) >= rules.clearance / 2.0 ** int(self._turned / (2.0 * pi)):
            self._drive(0.0, rules.step)
        elif self._turned >= CIRCLES * 2.0 * pi:
            self._give_up("no way is free all round it")
        else:
            if not self._side:
                self._side = _free_side(ranges.values)
            self._turned += rules.turn
            self._drive(self._side * rules.turn, 0.0)

    def _moved(self, driven: Driven) -> None:
        if self.rules.path or (driven.distance and not driven.blocked):
            self._inform()
        else:
            self._look()


def _free_side(ranges: tuple[float, ...]) -> float:
    """The side away from the nearest thing: 1 for left, -1 for right; left if that is straight ahead.

    Args:
        ranges: readings of the beams, from left to right (m)
    """
    nearest = ranges.index(min(ranges))
    return -1.0 if nearest < len(ranges) // 2 else 1.0
