"""What a robot of ROS 2 sees and feels: by its lidar, or by single range sensors, and by its bumper."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from devs_robotics.hil.protocols.events import Felt, GivenUp, Output, Ranged
from devs_robotics.hil.protocols.protocol import Situation
from devs_robotics.hil.protocols.ros2 import packets, scans
from devs_robotics.hil.protocols.ros2.graph import Matched
from devs_robotics.hil.protocols.ros2.hazards import bumps
from devs_robotics.hil.protocols.ros2.messages import (
    LidarScan,
    RangeReading,
    read_range,
    read_scan,
    read_transforms,
)
from devs_robotics.hil.protocols.ros2.mounts import SensorMounts
from devs_robotics.hil.protocols.settings import DriverSettings

SWEEP = 0.35
"""Bearing (rad) up to which whiskers that are made up from the scan feel, either way."""


class RangeSensing:
    """Questions to range sensors and whiskers, and what answers them.

    The answer is the first scan that begins after the question. Whiskers are the bumper of a robot that tells of one,
    or made up from the lidar.

    Args:
        now: what the driver knows of the robot
        settings: which beams are wanted, and how far whiskers reach

    Attributes:
        mounts: where the lidar is on the body
        period: time between two scans (s); 0 where none is known
    """

    def __init__(self, now: Situation, settings: DriverSettings) -> None:
        self._now, self._settings = now, settings
        self.mounts = SensorMounts()
        self.period = 0.0
        self._scanned_at = -inf
        self._sense_since: float | None = None
        self._feel_since: float | None = None
        self._ranges: dict[int, float] = {}
        self._has_bumper = False

    def sense(self, matched: Matched) -> Iterator[Output]:
        """Wait for the first scan that begins after the first time that it was asked for."""
        if self._sense_since is None:
            self._sense_since = self._now.time
            self._ranges.clear()
        elif matched.blind:
            yield GivenUp(f"has no range sensors that could be asked: {matched.blind}")
        if not self._settings.beams:
            self._sense_since = None
            yield Ranged(())

    def feel(self, matched: Matched) -> Iterator[Output]:
        """Wait for the bumper, or for such a scan, too; where there are single sensors, tell what they said last."""
        if matched.ranges:
            yield Felt(self._now.touching)
        elif self._feel_since is None:
            self._feel_since = self._now.time

    def hears(self, topic: str) -> bool:
        """Whether a packet is of a range sensor, of the bumper, or says where sensors are."""
        number = topic.removeprefix(packets.RANGE)
        return topic in (packets.SCAN, packets.HAZARDS, packets.TF_STATIC) or (number != topic and number.isdecimal())

    def came(self, topic: str, message: bytes, base: str) -> Iterator[Output]:
        """Such a packet has come, of a robot whose body has this frame.

        Raises:
            MessageError: it is no message of its type
        """
        if topic == packets.SCAN:
            yield from self._scan(read_scan(message), base)
        elif topic == packets.HAZARDS:
            yield from self._bumper(bumps(message))
        elif topic == packets.TF_STATIC:
            self.mounts.learn(read_transforms(message))
        else:
            yield from self._range(int(topic.removeprefix(packets.RANGE)), read_range(message))

    def _scan(self, scan: LidarScan, base: str) -> Iterator[Output]:
        now, settings = self._now.time, self._settings
        if self._scanned_at > -inf:
            self.period = max(scan.turn_time, min(now - self._scanned_at, 1.0))
        self._scanned_at = now
        began, mount = now - scan.turn_time, self.mounts.of(scan.frame, base)
        if settings.whisker_reach and not self._has_bumper:
            touching = scans.ahead(scan, SWEEP, settings.radius, mount) <= settings.whisker_reach
            asked = self._feel_since is not None and began >= self._feel_since
            if asked:
                self._feel_since = None
            if asked or touching != self._now.touching:
                yield Felt(touching)
        if self._sense_since is not None and began >= self._sense_since:
            values = scans.along(scan, settings.beams, settings.radius, mount)
            self._sense_since = None
            yield Ranged(values)

    def _bumper(self, touching: bool) -> Iterator[Output]:
        self._has_bumper = True
        if self._feel_since is not None or touching != self._now.touching:
            self._feel_since = None
            yield Felt(touching)

    def _range(self, number: int, reading: RangeReading) -> Iterator[Output]:
        """The answer, once all have told."""
        value = scans.of_range(reading)
        if self._sense_since is None:
            return
        self._ranges[number] = value
        wanted = range(len(self._settings.beams))
        if all(each in self._ranges for each in wanted):
            self._sense_since = None
            yield Ranged(tuple([self._ranges[each] for each in wanted]))
