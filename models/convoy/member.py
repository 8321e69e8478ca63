"""What the decision models of leader and followers have in common."""

from __future__ import annotations

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Ranges, Sense, Sensor
from devs_robotics.models.convoy.messages import CaughtUp, Inhibit, Release, RoundDone, Sync, WayLost
from devs_robotics.models.convoy.planning import Odometry


class Member(Atomic):
    """A robot's place in the convoy: one motor, one set of infrared sensors, its neighbours, and the layer above.

    A subclass decides what follows what: `_start_if_ready`, `_moved`, `_saw` and `_resume` each end with a call of
    `_drive`, `_look`, `_inform` or `_give_up`, or wait.

    Ports:
        motor: a command, and the report of its end
        infrared: a question, and the ranges
        b_ready_in: the back robot has followed
        f_ready_out: how it has moved in this round, for the back robot
        inhibited: the layer above has taken the motor over
        released: the layer above has handed the motor back
        round_done: a round is complete, for an experimental frame
        lost: it has given up, for an experimental frame

    Args:
        robot: number in the convoy, 1 being the leader
        last: no robot follows this one, so it waits for none
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    b_ready_in = In(CaughtUp)
    f_ready_out = Out(Sync)
    inhibited = In(Inhibit)
    released = In(Release)
    round_done = Out(RoundDone)
    lost = Out(WayLost)

    def __init__(self, name: str, robot: int, *, last: bool) -> None:
        super().__init__(name)
        self.robot = robot
        self.round = 0
        self.adjustments = 0
        self._last = last
        self._back_ready = True
        self._held = False
        """The layer above has the motor."""
        self._odometry = Odometry()
        self._command = Drive()
        self._reason = ""
        self.phase = "waiting"

    # what a subclass decides

    def _start_if_ready(self) -> None:
        """Begin a round if everything it needs is there."""

    def _moved(self, driven: Driven) -> None:
        """A motion has ended."""

    def _saw(self, ranges: Ranges) -> None:
        """A reading has come."""

    def _resume(self) -> None:
        """The layer above has handed the motor back in the middle of a round."""
        self._look()

    # what it can do next

    def _drive(self, turn: float, distance: float) -> None:
        self._command = Drive(turn, distance)
        self.activate("drive")

    def _look(self) -> None:
        self.activate("look")

    def _inform(self) -> None:
        self.round += 1
        self.activate("inform")

    def _give_up(self, reason: str) -> None:
        self._reason = reason
        self.activate("give up")

    # DEVS functions

    def lambdaf(self) -> None:
        """Command the motor, ask the sensors, or tell the neighbours."""
        phase = self.phase
        if phase == "drive":
            self.motor.ask.add(self._command)
        elif phase == "look":
            self.infrared.ask.add(Sense())
        elif phase == "inform":
            self._tell_neighbours()
        elif phase == "give up":
            self.lost.add(WayLost(self.robot, self._reason))

    def deltint(self) -> None:
        """Wait for what was asked for, or for the next round."""
        if self.phase == "inform":
            self._back_ready = self._last
            self._odometry = Odometry()
            self.adjustments = 0
            self.passivate("waiting")
            self._go_on()
        else:
            self.passivate(_WAITING_FOR[self.phase])

    def deltext(self, e: float) -> None:
        """Hear neighbours and the layer above; take what motor and sensors report."""
        self.sigma = max(0.0, self.sigma - e)
        if self.b_ready_in:
            self._back_ready = True
        if self.inhibited:
            self._held = True
            if self.phase not in ("waiting", "lost"):
                self.passivate("inhibited")
        for release in self.released.values:
            self._held = False
            self._odometry.add(release.turn, release.distance)
            if self.phase == "inhibited":
                self._resume()
        if self.phase == "moving":
            for driven in self.motor.answer.values:
                self._odometry.add(driven.turn, driven.distance)
                self._moved(driven)
        elif self.phase == "looking":
            for ranges in self.infrared.answer.values:
                self._saw(ranges)
        elif self.phase == "waiting":
            self._go_on()

    def _go_on(self) -> None:
        """Begin a round if everything is there, the motor included: a command to one that is not its own is lost."""
        if not self._held:
            self._start_if_ready()

    def _tell_neighbours(self) -> None:
        self.f_ready_out.add(self._odometry.sync(self.robot))
        self.round_done.add(RoundDone(self.robot, self.round, self.adjustments))


_WAITING_FOR = {"drive": "moving", "look": "looking", "give up": "lost"}
