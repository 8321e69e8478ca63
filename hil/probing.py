"""Probes a robot of ROS 2: finds it, and measures after which time without commands it stops by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.realtime.transport import Arrival, Link
from devs_robotics.core.realtime.watchdog import FLUSH_TIMEOUT
from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2.graph import Matched, read_matched
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    OdometryReport,
    Stamp,
    read_odometry,
    write_twist,
    write_twist_stamped,
)
from devs_robotics.hil.protocols.ros2.packets import CMD_VEL, GRAPH, ODOM, pack, unpack
from devs_robotics.hil.protocols.ros2.type_store import MessageError
from devs_robotics.hil.transports.ros2_link import Ros2Link

FOUND_WITHIN = 8.0
"""Longest time in which a robot is found (s): discovery takes up to some seconds."""

SPEED, ROOM = 0.05, 0.3
"""With which it is driven (m/s), and the room that it needs ahead (m)."""

PERIOD, DRIVEN = 0.05, 1.0
"""Time between two commands, and time for which it is driven (s)."""

LONGEST = 2.0
"""Time after the last command (s) above which it does not stop by itself, and is stopped."""

SILENT = 1.0
"""Time without odometry (s) above which nothing is known of the robot."""

MOVES, FALLEN = 0.5, 0.75
"""Shares of the speed: above it, the robot moves; below it, it is stopping."""


class ProbeError(DevsRoboticsError):
    """A robot cannot be probed."""


class ProbedWatchdog(Struct, frozen=True):
    """What was measured.

    Attributes:
        stops_after: from the last command until its speed falls (s); None: not within `LONGEST`
        way: that it has gone since the last command (m)
        period: time between two messages of its odometry (s)
    """

    stops_after: float | None
    way: float
    period: float


class Ros2Probe:
    """A link to a robot that is driven by hand, without a model.

    Args:
        address: of the robot
    """

    def __init__(self, address: Ros2Address) -> None:
        self._link = Ros2Link(address)
        self._came: SimpleQueue[tuple[float, Arrival]] = SimpleQueue()
        self._odometry: list[tuple[float, OdometryReport]] = []
        self._reason = "nothing was heard"
        self._matched: Matched | None = None
        self._pause: Callable[[], None] | None = None

    def __enter__(self) -> Ros2Probe:
        self._link.open(lambda arrival: self._came.put((time.monotonic(), arrival)))
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop()
        self._link.close()

    @property
    def topics(self) -> Sequence[tuple[str, str, str]]:
        """Of the robot: full name, type, and who has it."""
        return self._link.found

    def find(self) -> Matched:
        """Wait until the robot is there, and tells its odometry.

        Raises:
            ProbeError: it is not, or must not be driven
        """
        until = time.monotonic() + FOUND_WITHIN
        while (self._matched is None or len(self._odometry) < 3) and time.monotonic() < until:
            self._hear(0.1)
        if self._matched is None:
            raise ProbeError(f"no robot was found within {FOUND_WITHIN:g} s: {self._reason}")
        if not self._odometry:
            raise ProbeError("the robot is there, but its odometry says nothing: see that its base is switched on")
        if self._matched.refusal:
            raise ProbeError(f"the robot {self._matched.refusal}")
        return self._matched

    def measure(self, interrupted: Callable[[], bool] = lambda: False) -> ProbedWatchdog | None:
        """Drive slowly, fall silent, and see after which time the robot stops; however it ends, the robot is stopped.

        Args:
            interrupted: asked again and again whether to end early

        Returns:
            None if it was ended early

        Raises:
            ProbeError: it does not move, it was lost meanwhile, or there was a pause
        """
        try:
            return self._measured(interrupted)
        finally:
            self._stop()
            self._link.flush(FLUSH_TIMEOUT)

    def pause(self, then: Callable[[], None]) -> None:
        """Stop the robot, do something, such as stop this process, and give the measurement up; returns at once.

        It may be called from a signal handler.
        """
        self._pause = then

    # parts

    def _measured(self, interrupted: Callable[[], bool]) -> ProbedWatchdog | None:
        begun = time.monotonic()
        last = begun
        while time.monotonic() - begun < DRIVEN:
            if interrupted():
                return None
            last = time.monotonic()
            self._tell(SPEED)
            self._hear(PERIOD)
            self._pause_if_asked()
        if self._speed() < MOVES * SPEED:
            raise ProbeError(
                f"the robot does not move, though it was told to go {SPEED:g} m/s for {DRIVEN:g} s: see that its "
                "motors are on and it is off its dock, and that nothing between takes its commands"
            )
        driven = len(self._odometry) - 1
        while time.monotonic() - last < LONGEST and not self._fallen(driven):
            if interrupted():
                return None
            self._hear(PERIOD)
            self._pause_if_asked()
        stops_after = self._fell_at(driven, last)
        if stops_after is None and time.monotonic() - self._odometry[-1][0] > SILENT:
            raise ProbeError(f"the robot's odometry fell silent while it drove ({self._reason}): see to its link")
        return ProbedWatchdog(stops_after, self._way(driven), self._period())

    def _pause_if_asked(self) -> None:
        """In the loops of a measurement, and not in the handler: that may have interrupted who is sending."""
        if self._pause is not None:
            then, self._pause = self._pause, None
            self._stop()
            self._link.flush(FLUSH_TIMEOUT)
            then()
            raise ProbeError("there was a pause, for which the robot was stopped, and nothing was measured: probe anew")

    def _fallen(self, since: int) -> bool:
        return any(self._is_slow(said) for _, said in self._odometry[since:])

    def _is_slow(self, said: OdometryReport) -> bool:
        return abs(said.speed) < FALLEN * SPEED

    def _fell_at(self, since: int, last: float) -> float | None:
        """Between which two messages it fell: the middle."""
        before = last
        for at, said in self._odometry[since:]:
            if self._is_slow(said):
                return max(0.0, 0.5 * (before + at) - last)
            before = at
        return None

    def _way(self, since: int) -> float:
        (_, start), (_, end) = self._odometry[since], self._odometry[-1]
        return float(((end.x - start.x) ** 2 + (end.y - start.y) ** 2) ** 0.5)

    def _period(self) -> float:
        times = [at for at, _ in self._odometry]
        return (times[-1] - times[0]) / max(1, len(times) - 1)

    def _speed(self) -> float:
        return abs(self._odometry[-1][1].speed)

    def _tell(self, speed: float) -> None:
        stamped = self._matched is not None and self._matched.stamped
        velocity = BaseVelocity(speed, 0.0)
        message = write_twist_stamped(velocity, Stamp()) if stamped else write_twist(velocity)
        self._link.send("", pack(CMD_VEL, message))

    def _stop(self) -> None:
        for _ in range(3):
            self._tell(0.0)

    def _hear(self, within: float) -> None:
        """Take what comes within a time (s)."""
        until = time.monotonic() + within
        while (left := until - time.monotonic()) > 0.0:
            try:
                at, arrival = self._came.get(timeout=left)
            except Empty:
                return
            self._take(at, arrival)

    def _take(self, at: float, arrival: Arrival) -> None:
        content = arrival.content
        if isinstance(content, Link):
            self._reason = content.reason or self._reason
            self._matched = self._matched if content.up else None
            return
        topic, message = unpack(content.data)
        if topic == GRAPH:
            self._matched = read_matched(message)
        elif topic == ODOM:
            try:
                self._odometry.append((at, read_odometry(message)))
            except MessageError as error:
                self._reason = str(error)
