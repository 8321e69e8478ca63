"""What a robot's parts need of the lab: its body, the arena, the time, and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from devs_robotics.hil.lab.agenda import Agenda
from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.courses import Slip
from devs_robotics.hil.lab.delay import Delay
from devs_robotics.hil.lab.equipment import Played
from devs_robotics.hil.lab.physics import Body, Physics
from devs_robotics.hil.lab.plan import LabPlan, StandIn
from devs_robotics.hil.lab.randomness import ErrorStream

AXLE_SHARE = 53.0 / 70.0
"""Distance between the wheels, as a share of the body's diameter; that of the e-puck, for all robots."""


class Surroundings:
    """One robot's place in the lab.

    Args:
        plan: of the robot
        body: that it moves
        physics: which moves all bodies
        agenda: of the lab
        lab: whose plan says what else there is, and the seed of random numbers
        equipment: of the robot's own, by its names
    """

    def __init__(
        self,
        plan: StandIn,
        body: Body,
        physics: Physics,
        agenda: Agenda,
        lab: LabPlan,
        equipment: Mapping[str, Played] | None = None,
    ) -> None:
        self.plan = plan
        self.body = body
        self.physics = physics
        self.agenda = agenda
        self.equipment = equipment or {}
        self.axle = AXLE_SHARE * 2.0 * plan.radius
        self.lab = lab
        self._stretch, self._swerve, self._range = map(self._stream, ("stretch", "swerve", "range"))

    @property
    def arena(self) -> Arena:
        """Where the body is."""
        return self.physics.arena

    @property
    def now(self) -> float:
        """The lab's time (s)."""
        return self.agenda.now

    def slip(self) -> Slip:
        """How the wheels will slip on one more drive."""
        return Slip(self._stretch.either_way(self.plan.stretch), self._swerve.either_way(self.plan.swerve))

    def see(self, bearing: float, reach: float, place: tuple[float, float] | None = None) -> float:
        """What a range sensor measures in a direction, noise included (m from its face); infinite beyond its reach.

        Args:
            bearing: from the front (rad)
            reach: of the sensor (m)
            place: where it is in the robot's frame, ahead and to the left (m); None for the body's edge
        """
        distance = self.arena.cast(self.body, bearing, reach, place)
        return distance if distance == inf else max(0.0, distance + self._range.normal(self.plan.range_noise))

    def delay(self, direction: str, deliver: Callable[[bytes], None]) -> Delay:
        """The robot's delay of messages in a direction: ``"incoming"`` or ``"outgoing"``."""
        return Delay(self.agenda, self.plan.latency, self.plan.jitter, self._stream(direction), deliver)

    def _stream(self, purpose: str) -> ErrorStream:
        return ErrorStream(self.lab.seed, self.plan.robot, purpose)
