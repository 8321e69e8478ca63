"""A robot's battery: its charge falls by itself, and it says so at the instant when a level is reached."""

from __future__ import annotations

from math import inf

from devs_robotics import Activity, AskCharge, Charge, In, ModelError, Sensor, Service
from devs_robotics.models.batteries.charger import AskCharger
from devs_robotics.models.batteries.discharge import Discharge
from devs_robotics.models.batteries.messages import Recharge, WheelSpeed


class Battery(Activity):
    """Equipment that holds a charge; a robot has it by ``robot.equip(Battery("battery", batteries.shipped("cubic")))``.

    There are no ticks: at constant speed of the wheels it is known when the charge reaches the next level that is
    watched, or 0. That is the one event it waits for, and each change of the speed changes it. An empty battery stops
    nothing by itself; its robot's decision model is told, and does.

    =========  ==============================  ==============================  ==============================
    phase      time advance                    output                          next phase
    =========  ==============================  ==============================  ==============================
    answering  0                               charge, once per question;      lasting
                                               world: a question, at first
                                               and when the wheels stop
    lasting    until the next watched level,   charge, which is at this level  answering, if it was asked, or
               or until it is full; ∞, if it                                   the wheels have stopped
               is empty, or stays full
    =========  ==============================  ==============================  ==============================

    Ports:
        power: questions, and the charge; it is also told unasked when it falls to a watched level, when it is empty,
            and when it is full again
        wheel_speed: how fast the wheels turn, after each change
        recharge: whether it is being charged, and how fast
        world: whether there is a charger where the robot is at rest, and how fast that charges

    Args:
        discharge: how the charge falls
        charge: at first, from 1 to 0

    Raises:
        ModelError: the charge is none
    """

    robot: int = 0

    power = Service(AskCharge, Charge)
    wheel_speed = In(WheelSpeed)
    recharge = In(Recharge)
    world = Sensor(AskCharger, Recharge)

    def __init__(self, name: str, discharge: Discharge, charge: float = 1.0) -> None:
        super().__init__(name)
        if not 0.0 <= charge <= 1.0:
            raise ModelError(f"battery {name!r}: its charge must be from 0 to 1, not {charge!r}")
        self.discharge = discharge
        self.charge = charge
        """At the last event."""
        self._speed = self._told_rate = self._charger_rate = 0.0
        """Of the wheels (m/s), and at which it is charged, as it was told, and by a charger (1/s)."""
        self._asks = True
        """Whether it has still to ask for a charger."""
        self._levels: set[float] = {0.0}
        self._goal: float | None = None
        """The charge that it has at its next event; None, if it stays as it is."""
        self._answers: list[Charge] = []

    def initialize(self) -> None:
        """Ask for a charger, and last from now on."""
        self.activate("answering")

    def lambdaf(self) -> None:
        """Tell that a level is reached, or answer."""
        if self.phase == "lasting" and self._goal is not None:
            self.power.answer.add(self._told(self._goal))
        for charge in self._answers:
            self.power.answer.add(charge)
        if self._asks:
            self.world.ask.add(AskCharger(self.robot, sensor=self.name))

    def deltint(self) -> None:
        """Last until the next level."""
        if self.phase == "lasting" and self._goal is not None:
            self.charge = self._goal
        self._answers.clear()
        self._asks = False
        self._last()

    def deltext(self, e: float) -> None:
        """Let time pass, and take what has changed, and questions."""
        self._pass(e)
        for wheels in self.wheel_speed.values:
            self._speed, self._charger_rate = wheels.value, 0.0
            self._asks = not wheels.value
        for recharge in self.recharge.values:
            self._told_rate = recharge.rate
        for recharge in self.world.answer.values:
            self._charger_rate = 0.0 if self._speed else recharge.rate
        for question in self.power.ask.values:
            self._levels.update(question.below)
            self._answers.append(self._told(self.charge))
        if self._answers or self._asks:
            self.activate("answering")
        else:
            self._last()

    def _pass(self, seconds: float) -> None:
        """Let the charge change; where rounding brings it to the next level a little early, that is told now."""
        if self._goal is None or seconds <= 0.0:
            return
        if self._rate:
            self.charge = min(self._goal, self.charge + self._rate * seconds)
        else:
            self.charge = max(self._goal, self.discharge.charge_after(self.charge, self._speed, seconds))
        if self.charge == self._goal:
            self._answers.append(self._told(self.charge))

    @property
    def _rate(self) -> float:
        """At which it is charged (1/s); 0: it is not."""
        return max(self._told_rate, self._charger_rate)

    def _told(self, charge: float) -> Charge:
        return Charge(charge, charge <= max(self._levels))

    def _last(self) -> None:
        """Expect the next level."""
        self._goal, wait = None, inf
        if self._rate and self.charge < 1.0:
            self._goal, wait = 1.0, (1.0 - self.charge) / self._rate
        elif not self._rate and self.charge > 0.0:
            self._goal = max(level for level in self._levels if level < self.charge)
            wait = self.discharge.seconds_until(self.charge, self._goal, self._speed)
        self.hold_in("lasting", wait)
