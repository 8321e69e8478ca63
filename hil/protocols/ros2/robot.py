"""The protocol of ROS 2 robots on wheels: velocity commands, and odometry on which their moves are closed loops."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, inf, pi, remainder

import msgspec
from msgspec import Struct

from devs_robotics.core.robots.messages import Drive, Glide, Glided, Obstructed, Wheels
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.epuck_equipment import SERVICES, kind_of
from devs_robotics.hil.protocols.events import (
    Blocked,
    Dropped,
    Found,
    GivenUp,
    Lost,
    Moved,
    Output,
    Stopped,
)
from devs_robotics.hil.protocols.protocol import Protocol
from devs_robotics.hil.protocols.ros2 import packets
from devs_robotics.hil.protocols.ros2.epuck_topics import COUNTS, EpuckTopics, is_sensor
from devs_robotics.hil.protocols.ros2.graph import Matched, read_matched
from devs_robotics.hil.protocols.ros2.kept_glides import KeptGlides
from devs_robotics.hil.protocols.ros2.kept_velocity import KeptVelocity
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    OdometryReport,
    Stamp,
    read_battery,
    read_odometry,
    write_twist,
    write_twist_stamped,
)
from devs_robotics.hil.protocols.ros2.motion import (
    ACCELERATION,
    MESSAGES,
    TOLERANCE,
    TURN_ACCELERATION,
    TURN_TOLERANCE,
    BaseMotion,
    BaseState,
    Ending,
    LegPlan,
)
from devs_robotics.hil.protocols.ros2.sensing import RangeSensing
from devs_robotics.hil.protocols.ros2.topic_equipment import TopicEquipment
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

AT_REST = BaseVelocity(0.0, 0.0)
"""The command to stand still."""

LOW = 0.15
"""Charge of the battery below which it is told of with every fault."""

LAST_WORDS = 3
"""Number of commands to stop that are sent at the end."""

_SENSORS = *COUNTS, "battery"
_SERVICES = {"wheels": (Wheels, Obstructed), "omniwheels": (Glide, Glided)}

_ENDS: dict[Ending, type[Moved] | type[Blocked] | type[Stopped]] = {
    "moved": Moved,
    "blocked": Blocked,
    "stopped": Stopped,
}


class Ros2Robot(Protocol):
    """A base that obeys ``linear.x`` and ``angular.z``, and ``linear.y`` where it is on omniwheels.

    Its moves are closed loops on its odometry, of which only differences count. Commands leave 20 times per second
    while a move runs, and for half a second after it zeros; then nothing, so that a multiplexer can hand over.

    Many such robots keep their last velocity when their host dies (docs/ros2.md): `devs-robotics probe` measures it.

    It may also be told the speeds of its wheels (`Wheels`), which it keeps: their velocity leaves as often. A move ends
    that, and speeds that are told during a move are taken up when it has ended. One on omniwheels or mecanum wheels may
    be told to go in any direction (`Glide`), in closed loop on odometry, too.

    Its range sensors are a lidar, where its static transforms say that it is, or in the middle of its body where they
    say nothing; or single sensors. Whiskers are its bumper, where it tells of one, or made up from the lidar.

    Attributes:
        kept: what its wheels were told
        glides: what its omniwheels were told
        sensing: its range sensors and whiskers
        topics: equipment of its own, which a program on it plays
        epuck: its sensors, where it is an e-puck2
        delay: tau (s): as the address says, or as it was measured from when a leg began until it showed, plus a period
    """

    kind = "a robot of ROS 2"
    schemes = ("ros2", "ros2+zenoh")
    equipment = None
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
        self.glides = KeptGlides(self._plans)
        self.sensing = RangeSensing(self.now, settings)
        self.topics = TopicEquipment(robot)
        self.epuck = EpuckTopics()
        self._base = ""
        self._odometry: OdometryReport | None = None
        self._state: BaseState | None = None
        self._heard_at = -inf
        self._resting = 0
        """Number of messages in a row that say that it is at rest."""
        self._motion: BaseMotion | None = None
        self._zeros_until = -inf
        self._obeys = False
        self._delays: list[float] = []
        self._charge = inf

    @classmethod
    def has_by_itself(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether it is its wheels: what they roll is a velocity."""
        return _SERVICES.get(kind_of(name)) == (asks, answers)

    @classmethod
    def carries(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether it is its wheels, sensors of an e-puck2, or anything else that a program on it may play."""
        kind = kind_of(name)
        if kind in _SENSORS:
            return (asks, answers) in SERVICES[kind]
        return kind not in _SERVICES or cls.has_by_itself(name, asks, answers)

    # hooks

    def stop_message(self) -> list[bytes]:
        """Zero, three times: what is sent best effort on the way may be lost."""
        return [self._velocity(AT_REST)] * LAST_WORDS

    def connect(self) -> Iterator[Output]:
        """Stand still, and wait for odometry."""
        self._resting = 0
        self._give_up_motion()
        self.glides.silent()
        yield self._velocity(AT_REST)

    def begin(self, drive: Drive) -> Iterator[Output]:
        """Begin a move."""
        assert self._state is not None  # it was found by its odometry
        self.kept.end()
        yield from self.glides.end()
        self._motion = BaseMotion(drive, self._state, *self._plans(), self.now.time, obeys=self._obeys)
        yield from self._drive()

    def halt(self) -> Iterator[Output]:
        """Stand still; how far it got is told once it does."""
        yield self._velocity(AT_REST)
        if self._motion is not None:
            self._motion.halt(self.now.time)
        elif self.now.under_way is not None:
            yield Stopped(0.0, 0.0)

    def tick(self) -> Iterator[Output]:
        """Command, and see whether it is still heard."""
        if self.now.time - self._heard_at > SILENCE:
            goes = self._motion is not None or self.kept.goes or self.glides.goes
            if self.now.ready or goes:  # it may hear though it is not heard
                yield self._velocity(AT_REST)
            self._give_up_motion()
            self.glides.silent()
            if self.now.ready:
                yield Lost(f"its odometry has been silent for {SILENCE:g} s")
        elif self._motion is not None:
            yield from self._drive()
        elif self.now.ready and (self.kept.goes or self.glides.goes):
            yield from self._keep()
        elif self.now.time < self._zeros_until:
            yield self._velocity(AT_REST)

    def ask(self, name: str, data: PlainData, again: bool) -> Iterator[Output]:
        """Have it keep what its wheels are told, or ask a program on it."""
        kind = kind_of(name)
        if kind in _SENSORS:
            yield from self.epuck.ask(name, data, self.now.time, again=again)
            return
        if kind not in _SERVICES:
            assert self._odometry is not None  # it was found by that
            yield from self.topics.ask(name, data, again, self._odometry.stamp, self._matched.equipment)
            return
        if kind == "omniwheels":
            self.kept.end()
            yield from self.glides.put(name, data, self._state if self.now.ready else None, self.now.time)
            return
        told = self.kept.keep(name, data, self.now.time)
        yield from self.glides.end()
        if self.now.ready and self._motion is None:
            yield from self._keep()
        yield told

    def _keep(self) -> Iterator[Output]:
        """Tell what its wheels were told; zeros are told again for a while."""
        velocity = self.glides.velocity(self.now.time) or self.kept.velocity
        if velocity is not None:
            self._zeros_until = self.now.time + AFTERWARDS
            yield self._velocity(velocity)

    def _give_up_motion(self) -> None:
        """The move that is under way is over once the robot is seen to stand; what is left is a move of its own."""
        if self._motion is not None:
            self._motion.halt(self.now.time)

    def sense(self) -> Iterator[Output]:
        """Wait for the first scan that begins after the question."""
        return self.sensing.sense(self._matched)

    def feel(self) -> Iterator[Output]:
        """Wait for the bumper, or for such a scan, too."""
        return self.sensing.feel(self._matched)

    def feed(self, data: bytes) -> Iterator[Output]:
        """A message has come."""
        topic, message = packets.unpack(data)
        try:
            if topic == packets.ODOM:
                yield from self._odometry_came(read_odometry(message))
            elif self.sensing.hears(topic):
                yield from self.sensing.came(topic, message, self._base)
            elif topic == packets.BATTERY:
                self._charge = read_battery(message).charge
                yield from self.epuck.charged(self._charge, self.now.time)
            elif is_sensor(topic):
                yield from self.epuck.came(topic, message, self.now.time)
            elif topic == packets.TOLD:
                yield from self.topics.told(message)
            elif topic == packets.GRAPH:
                yield from self._matched_came(read_matched(message))
            elif topic != packets.TF:
                yield Dropped("no topic that is known")
        except MessageError as error:
            yield Dropped(str(error))
        except msgspec.MsgspecError:
            yield Dropped("no word of what was found out")

    def reminded(self, what: str) -> Iterator[Output]:
        """A watch of a sensor is at a point of its raster."""
        return self.epuck.sensors.reminded(what)

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
        return max(super().patience, 2.0 * self.sensing.period + 0.1)

    @property
    def remark(self) -> str:
        """That the battery is low, where it is."""
        return f"its battery is at {100.0 * self._charge:.0f} %" if self._charge < LOW else ""

    # what comes

    def _matched_came(self, matched: Matched) -> Iterator[Output]:
        self._matched = matched
        if matched.equipment:
            yield from self.topics.found()
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
            if jumped and (self.now.under_way is not None or self.kept.goes or self.glides.goes):
                yield GivenUp(
                    f"says that it has jumped by {step:.2f} m and {turned:.2f} rad in the middle of a move: its "
                    "odometry was reset, or its program has restarted; put it back, and let nobody reset it"
                )
                return
            heading = state.heading + turned
        else:
            heading = odometry.heading
        self._odometry, self._base, self._heard_at = odometry, odometry.child_frame, self.now.time
        speed, turn_rate, aside = odometry.speed, odometry.turn_rate, odometry.aside
        self._state = BaseState(odometry.x, odometry.y, heading, speed, turn_rate, aside)
        self._resting = 0 if self._state.moves else self._resting + 1
        yield from self._moved_on(self._state)

    def _moved_on(self, state: BaseState) -> Iterator[Output]:
        motion = self._motion
        yield from self.kept.heard(state, self.now.time, moves=motion is not None, delay=self.delay)
        if motion is None and self.now.ready:
            yield from self.glides.heard(state, self.now.time)
            took = self.glides.take_delay()
            if took is not None:
                self._measure(took)
        if motion is not None:
            motion.heard(state, self.now.time)
            took = motion.take_delay()
            if took is not None:
                self._measure(took)
            if motion.ending is not None:
                self._motion = None
                self._zeros_until = self.now.time + AFTERWARDS
                yield self._velocity(AT_REST)
                yield _ENDS[motion.ending](motion.turned, motion.gone)
        if not self.now.ready and self._resting >= MESSAGES and not self._matched.refusal:
            yield Found()

    def _jumped(self, step: float, turned: float, passed: float) -> bool:
        kept = self.kept.velocity or BaseVelocity(0.0, 0.0)
        speed = max(self.settings.speed, abs(kept.speed))
        turn_rate = max(self.settings.turn_rate, abs(kept.turn_rate))
        return step > 2.0 * speed * passed + JUMP or abs(turned) > 2.0 * turn_rate * passed + TURN_JUMP

    # what it is told

    def _drive(self) -> Iterator[Output]:
        assert self._motion is not None
        yield self._velocity(BaseVelocity(*self._motion.command(self.now.time)))

    def _velocity(self, velocity: BaseVelocity) -> bytes:
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
