"""The guard: refuses what would damage a real robot."""

from __future__ import annotations

from collections import deque
from math import inf

from msgspec import Struct

from devs_robotics import Activity, Actuator, Drive, Driven, Sensor, Service
from devs_robotics.models.environment.questions import Probe, Room


class Refusals(Struct, frozen=True):
    """Moves that a guard refused one after the other.

    Attributes:
        in_a_row: how many; who turns in between gets no further
        wanted: the way of the last of them (m)
        free: how much of it was free, and of the clearance beyond it (m)
    """

    in_a_row: int = 0
    wanted: float = 0.0
    free: float = 0.0


class Guard(Activity):
    """Stands between a motor and its robot: refuses moves that would leave the field or hit a known obstacle or robot.

    The environment, or the map that it is in real execution, says whether there is room. Instead of a refused move the
    robot is told to stand still, and the motor hears that the way was blocked when a virtual motor would have come to
    the end of the move: so a decision model that tries again does not do so in zero time. A move that comes while
    another is under way is judged from where the robot then is: the robot stops first.

    A robot that goes on for a while when its host dies needs that way too, beyond the end of its move.

    ===========  ============  =====================================  ===============================================
    phase        time advance  output                                 next phase
    ===========  ============  =====================================  ===============================================
    idle         ∞                                                    asking, on a command
    asking       ∞             room                                   moving, on the answer; asking, if there is a
                                                                      newer command by then
    moving       ∞             device: the command, or to stand       idle, when the robot has ended; stopped, if a
                               still if it was refused                new command comes just then; refusing, if it
                                                                      was refused; stopping, on a new command
    refusing     rest of the                                          idle; stopped, on a new command
                 move's time
    stopping     ∞             device: to stand still                 stop is due, when the robot has ended the move
    stop is due  ∞                                                    stopped, when the robot has stopped
    stopped      0             motor: what is still to be reported    settling
    settling     0                                                    asking
    ===========  ============  =====================================  ===============================================

    Outputs, and reports on motor, are sent at once: until then the time advance of any phase is 0.

    Ports:
        motor: commands from the motor, and reports to it
        device: commands to the robot, and its reports
        room: a question to the map whether there is room, and the answer

    Args:
        robot: number of the robot in the environment
        clearance: that is to be free beyond the end of a move (m)

    Attributes:
        refused: how many moves were
        in_vain: how many moves of some way were since one was let through
        hopeless: what was wanted, the last time that so many in a row were as never before
    """

    motor = Service(Drive, Driven)
    device = Actuator(Drive, Driven)
    room = Sensor(Probe, Room)

    def __init__(self, name: str, robot: int, clearance: float = 0.0) -> None:
        super().__init__(name)
        self.robot = robot
        self.clearance = clearance
        self.refused = self.in_vain = 0
        self.hopeless = Refusals()
        self.phase = "idle"
        self._queue: deque[Drive] = deque()
        self._refusing = False
        self._left = 0.0
        """How long a move that was refused would still take (s)."""
        self._refusal: Driven | None = None
        """What is to be said of it then."""
        self._probe: Probe | None = None
        self._command: Drive | None = None
        self._reports: list[Driven] = []

    def deltext(self, e: float) -> None:
        """Take a command, the map's answer, or the robot's report."""
        self._left -= e
        self._queue += self.motor.ask.values
        for driven in self.device.answer.values:
            self._answered(driven)
        for room in self.room.answer.values:
            self._decide(room)
        if self._queue:
            self._end_refusal()
        if self._queue and self.phase == "idle":
            if self._reports:
                self.phase = "stopped"
            else:
                self._ask()
        elif self._queue and self.phase == "moving":
            self.phase = "stopping"
            self._command = Drive()
        self._wait()

    def lambdaf(self) -> None:
        """Ask the map, pass a command on, or pass a report back."""
        if self._probe is not None:
            self.room.ask.add(self._probe)
        if self._command is not None:
            self.device.ask.add(self._command)
        for report in self._reports:
            self.motor.answer.add(report)

    def deltint(self) -> None:
        """Wait; or let the motor tell the map what has happened, and then ask it about the next command."""
        self._left -= self.sigma
        self._probe = self._command = None
        self._reports.clear()
        if self.phase == "stopped":
            self.phase = "settling"
        elif self.phase == "settling":
            self._ask()
        elif self._left <= 0.0:
            self._end_refusal()
        self._wait()

    def _wait(self) -> None:
        busy = self._probe is not None or self._command is not None or self._reports
        if busy or self.phase in ("stopped", "settling"):
            self.sigma = 0.0
        else:
            self.sigma = inf if self._refusal is None else max(0.0, self._left)

    def _end_refusal(self) -> None:
        """The time of a move that was refused is over, or another one takes its place."""
        if self._refusal is not None:
            self._reports.append(self._refusal)
            self._refusal = None
            self.phase = "idle"

    def _ask(self) -> None:
        """Ask whether there is room for the newest command; those before it are given up."""
        while len(self._queue) > 1:
            self._queue.popleft()
            self._reports.append(Driven(0.0, 0.0))
        self.phase = "asking"
        first = self._queue[0]
        self._probe = Probe(self.robot, first.turn, first.distance, self._beyond(first))

    def _beyond(self, command: Drive) -> float:
        """What is to be free beyond its end (m): who turns on the spot needs nothing."""
        return self.clearance if command.distance else 0.0

    def _decide(self, room: Room) -> None:
        if len(self._queue) > 1:  # there is a newer one by now
            self._ask()
            return
        command = self._queue.popleft()
        self._refusing = room.way < abs(command.distance) + self._beyond(command)
        self.refused += self._refusing
        if command.distance:
            self.in_vain = self.in_vain + 1 if self._refusing else 0
            if self.in_vain > self.hopeless.in_a_row:
                self.hopeless = Refusals(self.in_vain, abs(command.distance), room.way)
        self._left = room.duration
        self._command = Drive() if self._refusing else command
        self.phase = "moving"

    def _answered(self, driven: Driven) -> None:
        """The robot has ended a move, or has stopped as it was told to."""
        if self.phase == "stop is due":
            self.phase = "stopped"
            return
        if self._refusing:
            driven = Driven(driven.turn, driven.distance, blocked=True)
        if self.phase == "moving" and self._refusing:
            self._refusal, self.phase = driven, "refusing"
            return
        self._reports.append(driven)
        self.phase = "idle" if self.phase == "moving" else "stop is due"
