"""A user of a driver on the wall clock, where a busy machine may make every move take longer."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from devs_robotics import Drive, Driven, Fault, Ranges
from devs_robotics.hil.testing.driver_bench import LOOK, User, Wish


class PatientUser(User):
    """Waits for the end of a move, however long it takes, unless it wants the robot to stand; all later waits as long.

    Attributes:
        moves, looks: numbers of moves, and of looks with its range sensors, that it has wanted
    """

    def __init__(self, wishes: Iterable[tuple[float, Wish]]) -> None:
        super().__init__(wishes)
        self.moves = self.looks = 0

    @property
    def is_content(self) -> bool:
        """Whether it has all that it wanted, or never will."""
        answered = self.looks == sum(isinstance(message, Ranges) for _, message in self.told)
        has_all = not self.wishes and answered and self.moves == len(self.motions)
        return has_all or any(isinstance(message, Fault) for _, message in self.told)

    @property
    def motions(self) -> list[tuple[float, Driven]]:
        """The moves, with the times of their ends."""
        return [(time, message) for time, message in self.told if isinstance(message, Driven)]

    def deltint(self) -> None:
        """Note what it has wanted."""
        wish = self.wishes[0][1]
        self.moves += isinstance(wish, Drive)
        self.looks += wish == LOOK
        super().deltint()

    def _wait(self) -> None:
        if self.wishes and self.moves > len(self.motions) and self.wishes[0][1] != Drive():
            self.hold_in("patient", inf)
            return
        late = max(0.0, self.time - self.wishes[0][0]) if self.wishes else 0.0
        self.wishes = [(time + late, wish) for time, wish in self.wishes]
        super()._wait()
