"""The e-puck2's time of flight sensor in the environment model: one ray straight ahead; asked, or watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from devs_robotics import Crossed, ModelError, Sense, Sensor, Service, TimeOfFlight, Watch
from devs_robotics.core.robots.epuck2.sensing.time_of_flight import reading_mm
from devs_robotics.core.robots.epuck2.time_of_flight import FARTHEST_MM, NEAREST_MM
from devs_robotics.models.activities.element_readings import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.environment.questions import Cast, Distances
from devs_robotics.models.environment.sensing import Noticed, Watching

REACH = FARTHEST_MM / 1000.0
"""How far the ray goes, from the edge of the body (m)."""

HALF_MM = 0.5
"""A reading is at least n where the distance is at least n less this, before rounding (mm)."""


class TimeOfFlightSensor(Elements):
    """One ray straight ahead from the edge of the body, without width.

    Args:
        noise: of its readings
    """

    kind = "time of flight"

    def __init__(self, noise: ReadingNoise | None = None) -> None:
        super().__init__(1, noise)

    def question(self, robot: int) -> Cast:
        """One ray."""
        return Cast(robot, (0.0,), REACH)

    def readings(self, answer: Any, errors: Sequence[float]) -> tuple[float, ...]:
        """Whole millimetres."""
        return tuple([float(reading_mm(*each)) for each in zip(answer.values, errors, strict=True)])


class VirtualTimeOfFlight(VirtualReading):
    """A time of flight sensor, asked one time at a time.

    Its states are those of a `VirtualActivity`.

    Ports:
        time_of_flight: a question, and the distance (20 to 2000 mm; 2000 where nothing is nearer)
        world: a ray cast in the environment

    Args:
        noise: of its readings
    """

    time_of_flight = Service(Sense, TimeOfFlight)
    world = Sensor(Cast, Distances)

    def __init__(self, name: str, noise: ReadingNoise | None = None) -> None:
        super().__init__(name, TimeOfFlightSensor(noise))

    def answer(self, answer: Distances) -> TimeOfFlight:
        """Whole millimetres."""
        return TimeOfFlight(int(self.read(answer)[0]))


class VirtualTimeOfFlightWatch(VirtualWatch):
    """The same sensor, which tells by itself when what it reads has changed.

    Levels (mm) may be watched at their instants, too, if there is no noise: by a `Watch` without a period.

    Its states and ports are those of a `VirtualWatch`.

    Args:
        noise: of its readings
    """

    def __init__(self, name: str, noise: ReadingNoise | None = None) -> None:
        super().__init__(name, TimeOfFlightSensor(noise))

    def ask(self, question: Watch) -> Watching:
        """A watch of the distance."""
        for level in question.levels:
            if not NEAREST_MM < level <= FARTHEST_MM:
                raise ModelError(
                    f"robot {self.robot}'s {self.name} has no level {level:g}: give one above {NEAREST_MM}, at most "
                    f"{FARTHEST_MM} mm"
                )
        self._looked_for = {}
        if question.period or not question.levels or self.elements.noise is not None:
            return super().ask(question)
        self._looked_for = {(level - HALF_MM) / 1000.0: level for level in question.levels}
        return Watching(self.elements.question(self.robot), tuple(sorted(self._looked_for)))

    def crossed(self, noticed: Noticed) -> Crossed:
        """The ray ends on the level now, and the last bit must not say that it does not."""
        crossed = super().crossed(noticed)
        return replace(crossed, values=(max(crossed.level, *crossed.values),)) if noticed.rising else crossed
