"""Wheels that are told to keep speeds until they are told others: what is set, and whether something holds them."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics.core.robots.epuck2.body import FASTEST, STEP_LENGTH
from devs_robotics.core.robots.messages import Obstructed, Rolled, Wheels
from devs_robotics.core.robots.plain_data import PlainData, plain, typed
from devs_robotics.hil.protocols.events import Output, Told
from devs_robotics.hil.protocols.step_control import FEW, STALLED

Speeds = tuple[int, int]


class KeptWheels:
    """Two wheels whose steps are counted.

    Attributes:
        name: of the equipment that they are
        speeds: that they are to keep (steps/s); None while nobody drives the robot in this way
        obstructed: whether they have not come on for some time, though they should
    """

    def __init__(self) -> None:
        self.name = ""
        self.speeds: Speeds | None = None
        self.obstructed = False
        self._came_on_at = 0.0

    @property
    def turn(self) -> bool:
        """Whether they are to turn."""
        return self.speeds is not None and self.speeds != (0, 0)

    def keep(self, name: str, data: PlainData) -> Told:
        """As equipment of a name they are told other speeds; larger ones than the robot obeys are cut."""
        wheels = typed(data, Wheels)
        assert isinstance(wheels, Wheels)
        self.name, self.speeds = name, (_steps(wheels.left), _steps(wheels.right))
        return Told(name, None)

    def end(self) -> None:
        """The robot is driven otherwise from now on."""
        self.speeds = None
        self.obstructed = False

    def set_going(self, time: float) -> None:
        """They are set to their speeds now (s), and need not have come on before."""
        self._came_on_at = time

    def count(self, left: int, right: int, as_of: float) -> Iterator[Output]:
        """They have come so many steps further; what is to be told of that.

        Args:
            left, right: steps
            as_of: what was told before this time, the robot had heard when it read them (s)
        """
        if self.speeds is None:
            return
        before, moved = self.obstructed, (left, right) != (0, 0)
        waited = as_of - self._came_on_at
        if moved or not self.turn:
            self._came_on_at = max(as_of, self._came_on_at)
            self.obstructed = False
        elif waited > STALLED and waited * max(map(abs, self.speeds)) >= FEW:
            self.obstructed = True
        if moved:
            yield Rolled(left * STEP_LENGTH, right * STEP_LENGTH)
        if self.obstructed != before:
            yield Told(self.name, plain(Obstructed(self.obstructed)), unasked=True)


def _steps(speed: float) -> int:
    return max(-FASTEST, min(FASTEST, round(speed / STEP_LENGTH)))
