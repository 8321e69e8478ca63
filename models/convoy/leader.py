"""The leader of a convoy: straight on unless something is ahead."""

from __future__ import annotations

from math import cos, pi

from msgspec import Struct

from devs_robotics import Driven, Ranges
from devs_robotics.models.convoy.member import Member

FULL_TURNS = 3
"""Number of full turns after which a leader gives up; after each, half as much clearance is enough."""


class LeaderRules(Struct, frozen=True):
    """How a leader moves.

    Attributes:
        step: distance driven per round (m)
        turn: angle turned when there is something ahead, before looking again (rad)
        swing: angle turned on once the way is free, so that it leads away from a wall and not along it (rad)
        clearance: clearance ahead (m) below which something is taken to be ahead
        beams: bearings of the range sensors (rad)
        path: turns (rad) and distances (m) to make instead, one pair per round, begun again at the end; or empty
    """

    step: float
    turn: float
    swing: float
    clearance: float
    beams: tuple[float, ...]
    path: tuple[tuple[float, float], ...] = ()


class Leader(Member):
    """Robot 1: decides the path of the convoy (Hu & Zeigler, section 4.1).

    Each round it looks, turns left until the way is free, and drives one step. Always to one side: where two
    walls meet, a leader that chose its side would turn into the corner and then right round, and in a narrow turn each
    robot cuts the corner shorter than the one ahead of it, until one stands still in the middle and the convoy folds.

    =========  ============  ========================  ==============================================================
    phase      time advance  output                    next phase
    =========  ============  ========================  ==============================================================
    waiting    ∞                                       look (drive, on a given path), when the back robot is ready
    look       0             infrared                  looking
    looking    ∞                                       drive: a step if the way is free, else a turn; or give up
    drive      0             motor                     moving
    moving     ∞                                       inform, after a step; look, after a turn or a blocked step
    inform     0             f_ready_out, round_done   waiting
    inhibited  ∞                                       look, when the layer above releases the motor
    give up    0             lost                      lost
    lost       ∞                                       none
    =========  ============  ========================  ==============================================================

    The layer above can inhibit it in every phase; in waiting and lost the phase stays, and no round begins meanwhile.
    Its ports are those of a `Member`.

    Args:
        rules: how it moves
    """

    def __init__(self, name: str, rules: LeaderRules, *, last: bool) -> None:
        super().__init__(name, 1, last=last)
        self.rules = rules
        self._turned = 0.0
        self._swung_out = False

    def initialize(self) -> None:
        """Set off."""
        self._start_if_ready()

    def _start_if_ready(self) -> None:
        if not self._back_ready:
            return
        self._turned = 0.0
        self._swung_out = False
        if self.rules.path:
            turn, distance = self.rules.path[self.round % len(self.rules.path)]
            self._drive(turn, distance)
        else:
            self._look()

    def _saw(self, ranges: Ranges) -> None:
        rules, values = self.rules, ranges.values
        if room(values, rules.beams) >= rules.clearance / 2.0 ** int(self._turned / (2.0 * pi)):
            if self._turned and not self._swung_out:
                self._swung_out = True
                self._drive(rules.swing, 0.0)
            else:
                self._drive(0.0, rules.step)
        elif self._turned >= FULL_TURNS * 2.0 * pi:
            self._give_up("no way is free all round it")
        else:
            self._turned += rules.turn
            self._drive(rules.turn, 0.0)

    def _moved(self, driven: Driven) -> None:
        if self.rules.path or (driven.distance and not driven.blocked):
            self._inform()
        else:
            self._look()


def room(ranges: tuple[float, ...], beams: tuple[float, ...]) -> float:
    """Clearance ahead (m): the least of all readings, where those to the sides count up to twofold.

    Args:
        ranges: readings (m)
        beams: their bearings (rad)
    """
    return min(reading / max(0.5, cos(bearing)) for reading, bearing in zip(ranges, beams, strict=True))
