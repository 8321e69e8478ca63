"""The omniwheels of a real robot, with a guard: what would run into a wall, an obstacle or a robot is not begun."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import inf

from msgspec.structs import replace

from devs_robotics import Actuator, Asked, Glide, Glided, Out, Sensor
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.omniwheels import WAY, possible_glide
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.environment.messages import ArcMotion, Halted
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, stopping_way
from devs_robotics.models.environment.questions import ProbeAside, Room

FASTEST = 100.0
"""In place of an infinite speed, which wires do not carry (m/s)."""

STAND = Glide(speed=FASTEST)
"""A command to stand still."""

REACTION = 0.2
"""Time that a real robot goes on before it brakes (s): 0.1 s until it tells where it is, and 0.1 s until it obeys."""

MARGIN = 0.002
"""Room that a real robot keeps ahead (m)."""

BESIDE = 0.05
"""Room that it keeps beside other robots (m)."""

HELD = 0.1
"""Time after which it is told that a command was refused (s): who asks again does not do so in zero time."""

OLD = 1e-9
"""A report is due so much earlier (s): a rounding error."""


@dataclass(slots=True)
class _Sent:
    """A command that the robot has got, and has not ended.

    Attributes:
        command: what was wanted
        since: when it was sent (s)
        refused: the robot was told to stand still instead, or to brake on the way
        own: it is the guard's, and nobody waits for its report
    """

    command: Glide
    since: float
    refused: bool = False
    own: bool = False


class HardwareOmniwheels(HardwareActivity):
    """The omniwheels of a real robot: its counterpart in the environment goes where they say that it has gone.

    A guard asks the environment, or the map that it is in real execution, how far the way is free: before a command is
    passed on, and whenever the robot tells how far it has come. It has to be free as far as the robot goes until it
    stands. Instead of a command that is refused the robot is told to stand still; who comes near to something on its
    way is told to brake. Either is told as a command that was blocked, and no sooner than `HELD` after it came.

    A motion of the counterpart is told as three: a turn to the direction, the way, and a turn back.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ==================  =========================================  =======================================
    state     time advance        output                                     next state
    ========  ==================  =========================================  =======================================
    waiting   ∞; until a report   room: whether the way is free; device:     told, when a command, an answer of the
              is due              commands; world and reported: where it     map, or word of the robot has come, or
                                  has gone; wheels: ends of commands         a report is due
    told      0                   the same                                   waiting
    ========  ==================  =========================================  =======================================

    Ports, besides those of a `HardwareActivity`:
        wheels: commands, and the reports of their ends
        world: motions of the counterpart, which nothing stops
        room: how far the way is free
        reported: the motions of the counterpart, for frames

    Args:
        way: limits along the line, with which the robot brakes, too (m/s and so on)

    Attributes:
        refused: how many commands the guard refused
        stopping: how far the robot goes when its host dies, which is to be free, too; None: no further than it was told
    """

    world = Actuator(ArcMotion, Halted)
    room = Sensor(ProbeAside, Room)
    reported = Out(ArcMotion)

    robot: int = 0

    def __init__(self, name: str, way: MotionLimits = WAY) -> None:
        super().__init__(name, "wheels", Glide, Glided)
        self.way = way
        self.refused = 0
        self.stopping: StoppingDistance | None = None
        self._now = 0.0
        self._wanted: deque[Glide] = deque()
        """Commands that the robot has not got."""
        self._asks: deque[bool] = deque()
        """Of each question that the map has not answered, whether it is about the first of them; else it is about the
        way that the robot is on."""
        self._sent: deque[_Sent] = deque()
        self._gone = self._turned = 0.0
        """How far the command that is carried out has come, as was told last (m, rad)."""
        self._motions: list[ArcMotion] = []
        self._probe: ProbeAside | None = None
        self._commands: list[Glide] = []
        self._due: deque[tuple[float, Glided]] = deque()
        """Reports, and from when on they are told (s)."""

    def deltext(self, e: float) -> None:
        """Take commands, what the robot tells, and what the map says."""
        self._now += e
        self._wanted += [possible_glide(self.robot, command) for command in self._service.ask.values]
        for told in self.device.answer.values:
            if told.name == self.name and isinstance(told.answer, Glided) and self._sent:
                self._came(told.answer)
        for room in self.room.answer.values:
            self._decide(room.way)
        self._go_on()

    def lambdaf(self) -> None:
        """Pass on what has come."""
        for motion in self._motions:
            self.world.ask.add(motion)
            self.reported.add(motion)
        if self._probe is not None:
            self.room.ask.add(self._probe)
        for command in self._commands:
            self.device.ask.add(Asked(self.name, command))
        for report in self._reports():
            self._service.answer.add(report)

    def deltint(self) -> None:
        """Wait."""
        for _ in self._reports():
            self._due.popleft()
        self._now += self.sigma
        self._motions.clear()
        self._commands.clear()
        self._probe = None
        self._go_on()

    def _reports(self) -> list[Glided]:
        """What is told at the end of the present state."""
        then, told = self._now + self.sigma + OLD, []
        for due, report in self._due:
            if due > then:
                break
            told.append(report)
        return told

    def _came(self, glided: Glided) -> None:
        """The robot has come so far, or has ended a command."""
        first = self._sent[0]
        way, turn = glided.distance - self._gone, glided.turn - self._turned
        if way or turn:
            direction = first.command.direction - self._turned
            self._motions += [
                ArcMotion(self.robot, direction, 0.0),
                ArcMotion(self.robot, 0.0, way),
                ArcMotion(self.robot, turn - direction, 0.0),
            ]
        if glided.under_way:
            self._gone, self._turned = glided.distance, glided.turn
            return
        self._sent.popleft()
        self._gone = self._turned = 0.0
        if first.own:
            return
        if first.refused:
            self._due.append((first.since + HELD, replace(glided, blocked=True)))
        else:
            self._due.append((self._now, glided))

    def _go_on(self) -> None:
        """Ask the map about the first command that the robot has not got, or else about the way that it is on."""
        while self._wanted and not self._wanted[0].distance and not self._asks:
            self._send(self._wanted.popleft(), refused=False)
        if self._wanted and not self._asks:
            self._ask(self._wanted[0], about_wanted=True)
        elif self._motions and not self._asks and len(self._sent) == 1 and self._is_on_way:
            self._ask(self._sent[0].command, self._gone, self._turned)
        says = self._probe is not None or self._motions or self._commands
        self.sigma = 0.0 if says else max(0.0, self._due[0][0] - self._now) if self._due else inf

    @property
    def _is_on_way(self) -> bool:
        """Whether the robot is on a way that the guard has not ended."""
        return bool(self._sent[0].command.distance) and not self._sent[0].refused

    def _ask(self, command: Glide, gone: float = 0.0, turned: float = 0.0, *, about_wanted: bool = False) -> None:
        """Ask whether a way is free until the robot stands, or to its end."""
        speed = min(command.speed, self.way.speed)
        stands = speed * REACTION + stopping_way(speed, self.way.acceleration, self.way.jerk)
        alone = 0.0 if self.stopping is None else self.stopping.of(speed)  # beyond the end of its way, too
        reach = MARGIN + max(min(stands, command.distance - gone), alone)
        self._probe = ProbeAside(self.robot, command.direction - turned, reach, BESIDE, sensor=self.name)
        self._asks.append(about_wanted)

    def _decide(self, way: float) -> None:
        """The map has said how far the way is free (m; infinite: far enough)."""
        barred = way < inf
        if self._asks.popleft():
            self._send(self._wanted.popleft(), refused=barred)
        elif barred and len(self._sent) == 1 and self._is_on_way:
            self.refused += 1
            self._sent[0].refused = True
            self._sent.append(_Sent(STAND, self._now, own=True))
            self._commands.append(STAND)

    def _send(self, command: Glide, *, refused: bool) -> None:
        self.refused += refused
        sent = STAND if refused else _finite(command)
        self._sent.append(_Sent(sent, self._now, refused))
        self._commands.append(sent)


def _finite(command: Glide) -> Glide:
    return command if command.speed < FASTEST else replace(command, speed=FASTEST)
