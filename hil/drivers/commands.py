"""Commands: drives in their order, and how far the robot has got with the first of them."""

from __future__ import annotations

from collections import deque

from devs_robotics import Drive, Driven

NEGLIGIBLE = 1e-3
"""What is left of a move (m, rad) below which it is not made."""


class Commands:
    """Drives that have not been answered; the first is carried out, in parts if it is interrupted."""

    def __init__(self) -> None:
        self._drives: deque[Drive] = deque()
        self._turn = self._distance = 0.0
        self.idle_parts = 0
        """How many parts of the first have ended without getting anywhere, one after the other."""
        self.late_parts = 0
        """How many parts of the first were not over when they had to be."""

    def __len__(self) -> int:
        return len(self._drives)

    def put(self, drive: Drive) -> None:
        """Take one more command."""
        self._drives.append(drive)

    def part_ended(self, turn: float, distance: float) -> None:
        """The robot has got so much further with the first."""
        self._turn += turn
        self._distance += distance
        if abs(turn) < NEGLIGIBLE and abs(distance) < NEGLIGIBLE:
            self.idle_parts += 1
        else:
            self.idle_parts = 0

    def rest(self) -> Drive | None:
        """What is left of the first; None if nothing is. A robot that went too far does not go back."""
        drive = self._drives[0]
        turn, distance = _left(drive.turn, self._turn), _left(drive.distance, self._distance)
        return Drive(turn, distance) if turn or distance else None

    def finish(self, *, blocked: bool = False) -> Driven:
        """The first is over; the next one takes its place."""
        driven = Driven(self._turn, self._distance, blocked)
        self._drives.popleft()
        self._turn = self._distance = 0.0
        self.idle_parts = self.late_parts = 0
        return driven


def _left(commanded: float, done: float) -> float:
    if not done:
        return commanded
    left = commanded - done
    return left if left * commanded > 0.0 and abs(left) >= NEGLIGIBLE else 0.0
