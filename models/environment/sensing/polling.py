"""Polling: every watch is looked at on every point of its raster, as a program would; for comparison."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from devs_robotics import ModelError
from devs_robotics.models.environment.sensing.strategy import Notices, Strategy
from devs_robotics.models.environment.sensing.watch import StrategyName, Watched


class PollingStrategy(Strategy):
    """Asks each question at every point of its raster, whatever has changed."""

    name: ClassVar[StrategyName] = "polling"

    def look_at(self, watches: list[Watched]) -> Notices:
        """Ask the questions."""
        now, told = self.world.field.now, []
        for watched in watches:
            if watched.raster is None:
                raise ModelError(
                    f"robot {watched.robot} watches levels at their instants, which polling cannot: give the watch a "
                    'period, or take sensing.strategy = "predict"'
                )
            self.looks += 1
            answer = watched.outlook.question.answer(self.world)
            told += [(watched.port, notice) for notice in watched.notices(answer)]
            self.wake(watched, watched.raster.after(now))
        return told

    def changed(self, bodies: Iterable[int]) -> None:
        """Nothing: it looks all the time."""

    def jumped(self, bodies: Iterable[int]) -> None:
        """Nothing: it looks all the time."""

    def relisted(self, bodies: Iterable[int]) -> None:
        """Nothing: it asks the field."""
