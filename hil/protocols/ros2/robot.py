"""The protocol of ROS 2 robots on wheels: velocity commands, and odometry on which their moves are closed loops."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, inf, pi, remainder

import msgspec
from msgspec import Struct

from devs_robotics.core.robots.messages import Drive, Obstructed, Wheels
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.events import (
    Blocked,
    Dropped,
    Felt,
    Found,
    GivenUp,
    Lost,
    Moved,
    Output,
    Ranged,
    Stopped,
)
from devs_robotics.hil.protocols.protocol import Protocol
from devs_robotics.hil.protocols.ros2 import packets, scans
from devs_robotics.hil.protocols.ros2.graph import Matched, read_matched
from devs_robotics.hil.protocols.ros2.hazards import bumps
from devs_robotics.hil.protocols.ros2.kept_velocity import KeptVelocity
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    LidarScan,
    OdometryReport,
    Stamp,
    read_battery,
    read_odometry,
    read_range,
    read_scan,
    read_transforms,
    write_twist,
    write_twist_stamped,
)
from devs_robotics.hil.protocols.ros2.motion import (
    ACCELERATION,
    MESSAGES,
    STILL,
    TOLERANCE,
    TURN_ACCELERATION,
    TURN_TOLERANCE,
    BaseMotion,
    BaseState,
    Ending,
    LegPlan,
)
from devs_robotics.hil.protocols.ros2.mounts import SensorMounts
from devs_robotics.hil.protocols.ros2.type_store import MessageError
from devs_robotics.hil.protocols.settings import DriverSettings

PERIOD = 0.05
"""Time between two velocity commands (s)."""

SILENCE = 0.3
"""Time without odometry (s) above which the robot is lost."""

AFTERWARDS = 0.5
"""Time after a move for which it is told to stand still (s); then nothing is told, so that others can command it."""

DELAY, SHORTEST_DELAY, LONGEST_DELAY = 0.2, 0.08, 0.6
"""Delay from a command until its effect is known that is assumed before it was measured, and its bounds (s)."""

JUMP, TURN_JUMP = 0.05, 0.3
"""Way and turn (m, rad), beyond twice what it can have moved, by which odometry may step."""

SWEEP = 0.35
"""Bearing (rad) up to which whiskers that are made up from the scan feel, either way."""

LOW = 0.15
"""Charge of the battery below which it is told of with every fault."""

LAST_WORDS = 3
"""Number of commands to stop that are sent at the end."""

_ENDS: dict[Ending, type[Moved] | type[Blocked] | type[Stopped]] = {
    "moved": Moved,
    "blocked": Blocked,
    "stopped": Stopped,
}


class Ros2Robot(Protocol):
    """A base on two wheels, or any that obeys ``linear.x`` and ``angular.z``: TurtleBot 3 and 4, Create 3, e-puck2.

    Its moves are closed loops on its odometry, of which only differences count. Commands leave 20 times per second
    while a move runs, and for half a second after it zeros; then nothing, so that a multiplexer can hand over.

    Many such robots keep their last velocity when their host dies (docs/ros2.md): `devs-robotics probe` measures it.

    It may also be told the speeds of its wheels (`Wheels`), which it keeps: their velocity leaves as often. A move ends
    that, and speeds that are told during a move are taken up when it has ended.

    Its range sensors are a lidar, where its static transforms say that it is, or in the middle of its body where they
    say nothing; or single sensors. Whiskers are its bumper, where it tells of one, or made up from the lidar.

    Attributes:
        kept: what its wheels were told
        delay: tau (s): as the address says, or as it was measured from when a leg began until it showed, plus a period
    """

    kind = "a robot of ROS 2"
    schemes = ("ros2", "ros2+zenoh")
    stand_in = "computer"
    measured_watchdog = True
    braking = 2.0 * ACCELERATION
    period = PERIOD
    check = "check that it is switched on, its domain, its namespace and its network (docs/ros2.md)"

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self.delay = DELAY
        self.kept = KeptVelocity(settings.axle)
        self._matched = Matched()
        self._mounts, self._base = SensorMounts(), ""
        self._odometry: OdometryReport | None = None
        self._state: BaseState | None = None
        self._heard_at = -inf
        self._resting = 0
        """Number of messages in a row that say that it is at rest."""
        self._motion: BaseMotion | None = None
        self._zeros_until = -inf
        self._obeys = False
        self._delays: list[float] = []
        self._sense_since: float | None = None
        self._feel_since: float | None = None
        self._scan_period = 0.0
        self._scanned_at = -inf
        self._ranges: dict[int, float] = {}
        self._charge = inf
        self._has_bumper = False

    @classmethod
    def carries(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether it is its wheels: what they roll is a velocity."""
        return name.partition("_")[0] == "wheels" and (asks, answers) == (Wheels, Obstructed)

    # hooks

    def stop_message(self) -> list[bytes]:
        """Zero, three times: what is sent best effort on the way may be lost."""
        return [self._velocity(0.0, 0.0)] * LAST_WORDS

    def connect(self) -> Iterator[Output]:
        """Stand still, and wait for odometry."""
        self._resting = 0
        self._give_up_motion()
        yield self._velocity(0.0, 0.0)

    def begin(self, drive: Drive) -> Iterator[Output]:
        """Begin a move."""
        assert self._state is not None  # it was found by its odometry
        self.kept.end()
        self._motion = BaseMotion(drive, self._state, *self._plans(), self.now.time, obeys=self._obeys)
        yield from self._drive()

    def halt(self) -> Iterator[Output]:
        """Stand still; how far it got is told once it does."""
        yield self._velocity(0.0, 0.0)
        if self._motion is not None:
            self._motion.halt(self.now.time)
        elif self.now.under_way is not None:
            yield Stopped(0.0, 0.0)

    def tick(self) -> Iterator[Output]:
        """Command, and see whether it is still heard."""
        if self.now.time - self._heard_at > SILENCE:
            if self.now.ready or self._motion is not None or self.kept.goes:  # it may hear though it is not heard
                yield self._velocity(0.0, 0.0)
            self._give_up_motion()
            if self.now.ready:
                yield Lost(f"its odometry has been silent for {SILENCE:g} s")
        elif self._motion is not None:
            yield from self._drive()
        elif self.kept.goes and self.now.ready:
            yield from self._keep()
        elif self.now.time < self._zeros_until:
            yield self._velocity(0.0, 0.0)

    def ask(self, name: str, data: PlainData, again: bool) -> Iterator[Output]:
        """Have it keep what its wheels are told."""
        told = self.kept.keep(name, data, self.now.time)
        if self.now.ready and self._motion is None:
            yield from self._keep()
        yield told

    def _keep(self) -> Iterator[Output]:
        """Tell what its wheels were told; zeros are told again for a while."""
        assert self.kept.velocity is not None
        self._zeros_until = self.now.time + AFTERWARDS
        yield self._velocity(self.kept.velocity.speed, self.kept.velocity.turn_rate)

    def _give_up_motion(self) -> None:
        """The move that is under way is over once the robot is seen to stand; what is left is a move of its own."""
        if self._motion is not None:
            self._motion.halt(self.now.time)

    def sense(self) -> Iterator[Output]:
        """Wait for the first scan that begins after the first time that it was asked for."""
        if self._sense_since is None:
            self._sense_since = self.now.time
            self._ranges.clear()
        elif self._matched.blind:
            yield GivenUp(f"has no range sensors that could be asked: {self._matched.blind}")
        if not self.settings.beams:
            self._sense_since = None
            yield Ranged(())

    def feel(self) -> Iterator[Output]:
        """Wait for the bumper, or for such a scan, too; where there are single sensors, tell what they said last."""
        if self._matched.ranges:
            yield Felt(self.now.touching)
        elif self._feel_since is None:
            self._feel_since = self.now.time

    def feed(self, data: bytes) -> Iterator[Output]:
        """A message has come."""
        topic, message = packets.unpack(data)
        try:
            if topic == packets.ODOM:
                yield from self._odometry_came(read_odometry(message))
            elif topic == packets.SCAN:
                yield from self._scan_came(read_scan(message))
            elif topic.startswith(packets.RANGE) and topic.removeprefix(packets.RANGE).isdecimal():
                reading = read_range(message)
                yield from self._range_came(int(topic.removeprefix(packets.RANGE)), scans.of_range(reading))
            elif topic == packets.HAZARDS:
                yield from self._bumper_told(bumps(message))
            elif topic == packets.BATTERY:
                self._charge = read_battery(message).charge
            elif topic == packets.TF_STATIC:
                self._mounts.learn(read_transforms(message))
            elif topic == packets.GRAPH:
                yield from self._matched_came(read_matched(message))
            elif topic != packets.TF:
                yield Dropped("no topic that is known")
        except MessageError as error:
            yield Dropped(str(error))
        except msgspec.MsgspecError:
            yield Dropped("no word of what was found out")

    # what the driver asks

    def duration(self, drive: Drive) -> float:
        """The bounds of its legs."""
        legs = zip(self._plans(), (abs(drive.turn), abs(drive.distance)), strict=True)
        return sum(plan.duration(length) + 2.0 * PERIOD for plan, length in legs if length)

    def deadline(self, drive: Drive) -> float:
        """Pulses take time too."""
        legs = zip(self._plans(), (drive.turn, drive.distance), strict=True)
        return super().deadline(drive) + sum(plan.correcting for plan, length in legs if length)

    @property
    def patience(self) -> float:
        """Two turns of its lidar, and time to come to rest, are not too long."""
        return max(super().patience, 2.0 * self._scan_period + 0.1)

    @property
    def remark(self) -> str:
        """That the battery is low, where it is."""
        return f"its battery is at {100.0 * self._charge:.0f} %" if self._charge < LOW else ""

    # what comes

    def _matched_came(self, matched: Matched) -> Iterator[Output]:
        self._matched = matched
        if matched.delay is not None:
            self.delay = matched.delay
        if matched.ranges and len(self.settings.beams) > matched.ranges:
            yield GivenUp(
                f"has {matched.ranges} range sensors by its address, and {len(self.settings.beams)} are wanted: give "
                "as many as ?range=, from left to right, or let its infrared be virtual"
            )
        if matched.refusal:
            yield GivenUp(matched.refusal)

    def _odometry_came(self, odometry: OdometryReport) -> Iterator[Output]:
        before, state = self._odometry, self._state
        passed = self.now.time - self._heard_at
        if before is not None and state is not None:
            by_stamp = odometry.stamp.seconds - before.stamp.seconds
            if -SILENCE < by_stamp < 0.0:
                yield Dropped("odometry that came after a later one")
                return
            passed = max(passed, by_stamp) if 0.0 < by_stamp < 10.0 * SILENCE else passed
            step = hypot(odometry.x - before.x, odometry.y - before.y)
            turned = remainder(odometry.heading - before.heading, 2.0 * pi)
            jumped = self._jumped(step, turned, passed)
            if jumped:
                self.kept.jumped()
            if jumped and (self.now.under_way is not None or self.kept.goes):
                yield GivenUp(
                    f"says that it has jumped by {step:.2f} m and {turned:.2f} rad in the middle of a move: its "
                    "odometry was reset, or its program has restarted; put it back, and let nobody reset it"
                )
                return
            heading = state.heading + turned
        else:
            heading = odometry.heading
        self._odometry, self._base, self._heard_at = odometry, odometry.child_frame, self.now.time
        self._state = BaseState(odometry.x, odometry.y, heading, odometry.speed, odometry.turn_rate)
        still = abs(odometry.speed) < STILL and abs(odometry.turn_rate) < STILL
        self._resting = self._resting + 1 if still else 0
        yield from self._moved_on(self._state)

    def _moved_on(self, state: BaseState) -> Iterator[Output]:
        motion = self._motion
        yield from self.kept.heard(state, self.now.time, moves=motion is not None)
        if motion is not None:
            motion.heard(state, self.now.time)
            took = motion.take_delay()
            if took is not None:
                self._measure(took)
            if motion.ending is not None:
                self._motion = None
                self._zeros_until = self.now.time + AFTERWARDS
                yield self._velocity(0.0, 0.0)
                yield _ENDS[motion.ending](motion.turned, motion.gone)
        if not self.now.ready and self._resting >= MESSAGES and not self._matched.refusal:
            yield Found()

    def _jumped(self, step: float, turned: float, passed: float) -> bool:
        kept = self.kept.velocity or BaseVelocity(0.0, 0.0)
        speed = max(self.settings.speed, abs(kept.speed))
        turn_rate = max(self.settings.turn_rate, abs(kept.turn_rate))
        return step > 2.0 * speed * passed + JUMP or abs(turned) > 2.0 * turn_rate * passed + TURN_JUMP

    def _scan_came(self, scan: LidarScan) -> Iterator[Output]:
        now = self.now.time
        if self._scanned_at > -inf:
            self._scan_period = max(scan.turn_time, min(now - self._scanned_at, 1.0))
        self._scanned_at = now
        began, mount = now - scan.turn_time, self._mounts.of(scan.frame, self._base)
        if self.settings.whisker_reach and not self._has_bumper:
            touching = scans.ahead(scan, SWEEP, self.settings.radius, mount) <= self.settings.whisker_reach
            asked = self._feel_since is not None and began >= self._feel_since
            if asked:
                self._feel_since = None
            if asked or touching != self.now.touching:
                yield Felt(touching)
        if self._sense_since is not None and began >= self._sense_since:
            values = scans.along(scan, self.settings.beams, self.settings.radius, mount)
            self._sense_since = None
            yield Ranged(values)

    def _bumper_told(self, touching: bool) -> Iterator[Output]:
        self._has_bumper = True
        if self._feel_since is not None or touching != self.now.touching:
            self._feel_since = None
            yield Felt(touching)

    def _range_came(self, number: int, value: float) -> Iterator[Output]:
        if self._sense_since is None:
            return
        self._ranges[number] = value
        wanted = range(len(self.settings.beams))
        if all(each in self._ranges for each in wanted):
            self._sense_since = None
            yield Ranged(tuple([self._ranges[each] for each in wanted]))

    # what it is told

    def _drive(self) -> Iterator[Output]:
        assert self._motion is not None
        yield self._velocity(*self._motion.command(self.now.time))

    def _velocity(self, speed: float, turn_rate: float) -> bytes:
        velocity = BaseVelocity(speed, turn_rate)
        if self._matched.stamped:
            return packets.pack(packets.CMD_VEL, write_twist_stamped(velocity, self._stamp()))
        return packets.pack(packets.CMD_VEL, write_twist(velocity))

    def _stamp(self) -> Stamp:
        """0, which counts as now; or what the robot's clock said last and what has passed since."""
        if not self._matched.stamps or self._odometry is None:
            return Stamp()
        return Stamp.of(self._odometry.stamp.seconds + max(0.0, self.now.time - self._heard_at))

    def _plans(self) -> tuple[LegPlan, LegPlan]:
        settings, said = self.settings, self._odometry
        way, turn = (inf, inf) if said is None else (said.deviation, said.turn_deviation)
        return (
            LegPlan(settings.turn_rate, TURN_ACCELERATION, TURN_TOLERANCE, self.delay, PERIOD, turn),
            LegPlan(settings.speed, ACCELERATION, TOLERANCE, self.delay, PERIOD, way),
        )

    def _measure(self, took: float) -> None:
        """A leg has begun to show so long after it was told."""
        self._obeys = True
        if self._matched.delay is None:
            self._delays = [*self._delays[-2:], took]
            self.delay = max(SHORTEST_DELAY, min(LONGEST_DELAY, max(self._delays) + PERIOD))
