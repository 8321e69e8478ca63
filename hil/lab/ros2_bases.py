"""The bases of ROS 2 stand-ins: they keep the velocity that they were told, and reckon where that has led."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import hypot

from devs_robotics.hil.lab.courses import Course, Pose, Slip, WheelDrive, arc
from devs_robotics.hil.lab.omniwheel_drive import OmniwheelDrive, PlanarVelocity, slid
from devs_robotics.hil.lab.surroundings import Surroundings

STILL = PlanarVelocity()
"""The velocity of a base at rest."""


class Ros2Base(ABC):
    """A base that obeys velocity commands.

    Args:
        place: of its robot in the lab

    Attributes:
        told: the velocity that it keeps
        reckoned: where its wheels say that it is, from where it started
    """

    def __init__(self, place: Surroundings) -> None:
        self._place, self._body = place, place.body
        self.told = STILL
        self.reckoned = Pose(0.0, 0.0, 0.0)
        self._slip = Slip()

    def keep(self, velocity: PlanarVelocity) -> None:
        """Take up a velocity, as far as it can."""
        self.reckon()
        velocity = self._possible(velocity)
        if velocity == self.told and (self._runs or velocity == STILL):
            return
        if self.told == STILL:
            self._slip = self._place.slip()
        self.told = velocity
        self._body.course = self._course(velocity)

    @property
    def _runs(self) -> bool:
        """Whether its own course moves the body."""
        return self._body.course is not None and self._body.course is self._own

    @abstractmethod
    def reckon(self) -> None:
        """Find out where its wheels say that it is now."""

    @property
    @abstractmethod
    def velocity(self) -> PlanarVelocity:
        """As its wheels count it now."""

    @property
    @abstractmethod
    def _own(self) -> Course | None:
        """The course that it began last."""

    @abstractmethod
    def _course(self, velocity: PlanarVelocity) -> Course:
        """A course on which it takes a velocity up."""

    def _possible(self, velocity: PlanarVelocity) -> PlanarVelocity:
        """What it can do of a velocity."""
        plan, (ahead, left, turn) = self._place.plan, velocity
        wanted = hypot(ahead, left)
        if left and wanted > plan.speed:
            ahead, left = ahead * plan.speed / wanted, left * plan.speed / wanted
        return PlanarVelocity(_limited(ahead, plan.speed), left, _limited(turn, plan.turn_rate))


def _limited(value: float, most: float) -> float:
    return max(-most, min(most, value))


class TwoWheels(Ros2Base):
    """Two wheels, which know no way aside."""

    def __init__(self, place: Surroundings) -> None:
        super().__init__(place)
        self._drive: WheelDrive | None = None
        self._travel = (0.0, 0.0)

    def reckon(self) -> None:
        """Put together what both wheels have rolled."""
        if self._drive is None:
            return
        left, right = (now - before for now, before in zip(self._drive.travel, self._travel, strict=True))
        self._travel = self._drive.travel
        self.reckoned = arc(self.reckoned, 0.5 * (left + right), (right - left) / self._place.axle)

    @property
    def velocity(self) -> PlanarVelocity:
        """What both wheels roll."""
        if self._drive is None or not self._runs:
            return STILL
        left, right = self._drive.speeds
        return PlanarVelocity(0.5 * (left + right), 0.0, (right - left) / self._place.axle)

    @property
    def _own(self) -> Course | None:
        return self._drive

    def _possible(self, velocity: PlanarVelocity) -> PlanarVelocity:
        return super()._possible(velocity._replace(left=0.0))

    def _course(self, velocity: PlanarVelocity) -> Course:
        place, running = self._place, self._drive if self._runs else None
        half = 0.5 * place.axle * velocity.turn
        self._drive = WheelDrive(
            place.now,
            self._body.pose,
            self._travel,
            speeds=(0.0, 0.0) if running is None else running.speeds,
            targets=(velocity.ahead - half, velocity.ahead + half),
            acceleration=place.plan.acceleration,
            axle=place.axle,
            slip=self._slip,
        )
        return self._drive


class OmniwheelBase(Ros2Base):
    """Omniwheels or mecanum wheels."""

    def __init__(self, place: Surroundings) -> None:
        super().__init__(place)
        self._drive: OmniwheelDrive | None = None
        self._travel = STILL

    def reckon(self) -> None:
        """Put together what was gone ahead, aside and about."""
        if self._drive is None:
            return
        gone = (now - before for now, before in zip(self._drive.travel, self._travel, strict=True))
        self._travel = self._drive.travel
        self.reckoned = slid(self.reckoned, PlanarVelocity(*gone))

    @property
    def velocity(self) -> PlanarVelocity:
        """What its wheels count."""
        return STILL if self._drive is None or not self._runs else self._drive.velocity

    @property
    def _own(self) -> Course | None:
        return self._drive

    def _course(self, velocity: PlanarVelocity) -> Course:
        place, running = self._place, self._drive if self._runs else None
        self._drive = OmniwheelDrive(
            place.now,
            self._body.pose,
            self._travel,
            velocity=STILL if running is None else running.velocity,
            target=velocity,
            acceleration=place.plan.acceleration,
            turn_acceleration=2.0 * place.plan.acceleration / place.axle,
            slip=self._slip,
        )
        return self._drive
