"""A random walk with a sensor, once a robot and in arrays."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Actuator, Atomic, Crossed, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.population import Column, Common, Draw, Draws, Population, exact
from devs_robotics.core.population.rows import Places

MEAN, RATE, NEAR = 3.0, 1.5, 1000.0


class Walk(Atomic):
    """Straight on for an exponential time, or until something is near; then a turn by chance."""

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)
    turned = Out(float)

    def __init__(self, name: str, robot: int, seed: int) -> None:
        super().__init__(name)
        self.angle = 0.0
        self.speed = 0.05
        self.length = Draw(seed, robot, "length")
        self.turn = Draw(seed, robot, "turn")

    def initialize(self) -> None:
        self.activate("beginning")

    def deltext(self, e: float) -> None:
        near = False
        for crossed in self.proximity.answer.values:
            near = near or crossed.values[0] > NEAR or crossed.values[7] > NEAR
        if near and self.phase == "straight":
            self.hold_in("straight", 0.0)
        else:
            self.continuef(e)

    def lambdaf(self) -> None:
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(period=0.1))
        elif self.phase == "straight":
            left = -self.speed if self.angle > 0.0 else self.speed
            self.wheels.ask.add(Wheels(left, -left))
            self.turned.add(self.angle)
        else:
            self.wheels.ask.add(Wheels(self.speed, self.speed))

    def deltint(self) -> None:
        if self.phase == "straight":
            self.hold_in("turning", exact.tick(abs(self.angle) / RATE))
        else:
            self.angle = (2.0 * self.turn() - 1.0) * pi
            self.hold_in("straight", exact.tick(-MEAN * exact.log(1.0 - self.length())))


class Walks(Population, of=Walk):
    """The same in arrays."""

    angle = Column(float)
    speed = Common()
    length = Draws()
    turn = Draws()

    def initialize(self, who: Places) -> None:
        self.activate(who, "beginning")

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        near = np.zeros(len(self.angle), bool)
        for some, crossed in self.proximity.answer.each(who):
            values = crossed.column("values")
            near[some] |= (values[:, 0] > NEAR) | (values[:, 7] > NEAR)
        stop = near[who] & self.in_phase(who, "straight")
        self.hold_in(who[stop], "straight", 0.0)
        self.continuef(who[~stop], e[~stop])

    def lambdaf(self, who: Places) -> None:
        begins, straight = self.in_phase(who, "beginning"), self.in_phase(who, "straight")
        self.proximity.ask.send(who[begins], Watch(period=0.1))
        turning, others = who[straight], who[~begins & ~straight]
        left = np.where(self.angle[turning] > 0.0, -self.speed, self.speed)
        self.wheels.ask.send(turning, left, -left)
        self.turned.send(turning, self.angle[turning])
        self.wheels.ask.send(others, Wheels(self.speed, self.speed))

    def deltint(self, who: Places) -> None:
        straight = self.in_phase(who, "straight")
        turning, going = who[straight], who[~straight]
        self.hold_in(turning, "turning", exact.tick(np.abs(self.angle[turning]) / RATE))
        self.angle[going] = (2.0 * self.turn(going) - 1.0) * pi
        self.hold_in(going, "straight", exact.tick(-MEAN * exact.log(1.0 - self.length(going))))
