"""A random walk: straight on for an exponential time, then a turn by chance; a turn at once where something is near."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Actuator, Atomic, Crossed, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.population import Common, Draw, Draws, Population, exact
from devs_robotics.core.population.rows import Places

MEAN = 4.0
"""Time between two turns (s)."""

ROLLING = 0.04
"""Speed of a wheel while a robot turns on the spot (m/s)."""

NEAR = 1000.0
"""Reading of one of the two sensors ahead above which something is near."""


class WalkAtRandom(Atomic):
    """The decision model.

    ===========  =======================  ============================  ===========
    phase        time advance             output                        next phase
    ===========  =======================  ============================  ===========
    beginning    0                        proximity: the watch          setting out
    setting out  0                        wheels: straight on; walked   straight
    straight     by chance; 0, where      wheels: on the spot; walked   turning
                 something is near ahead
    turning      by chance                wheels: straight on; walked   straight
    ===========  =======================  ============================  ===========

    Ports:
        wheels: speeds of the two wheels
        proximity: a watch of the sensors
        walked: what it does now: ``straight`` or ``turn``

    Args:
        speed: of the wheels while it goes straight on (m/s)
        axle: distance between the wheels (m)
        period: between two points at which the sensors are read (s)
        length: chance, for how long it goes straight on
        angle: chance, by how much it turns
    """

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)
    walked = Out(str)

    def __init__(self, name: str, speed: float, axle: float, period: float, length: Draw, angle: Draw) -> None:
        super().__init__(name)
        self.speed, self.axle, self.period = speed, axle, period
        self.length, self.angle = length, angle

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def deltext(self, e: float) -> None:
        """Turn now, where something is near ahead."""
        near = False
        for crossed in self.proximity.answer.values:
            near = crossed.values[0] > NEAR or crossed.values[7] > NEAR
        if near and self.phase == "straight":
            self.hold_in("straight", 0.0)
        else:
            self.continuef(e)

    def lambdaf(self) -> None:
        """Watch, or drive."""
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(period=self.period))
        elif self.phase == "straight":
            self.wheels.ask.add(Wheels(-ROLLING, ROLLING))
            self.walked.add("turn")
        else:
            self.wheels.ask.add(Wheels(self.speed, self.speed))
            self.walked.add("straight")

    def deltint(self) -> None:
        """Choose for how long."""
        if self.phase == "straight":
            self.hold_in("turning", exact.tick(self.angle() * (pi * self.axle / ROLLING)))
        elif self.phase == "beginning":
            self.activate("setting out")
        else:
            self.hold_in("straight", exact.tick(-MEAN * exact.log(1.0 - self.length())))


class WalksAtRandom(Population, of=WalkAtRandom):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    speed = Common()
    axle = Common()
    period = Common()
    length = Draws()
    angle = Draws()

    def initialize(self, who: Places) -> None:
        """Watch the sensors."""
        self.activate(who, "beginning")

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """Turn now, where something is near ahead."""
        near = np.zeros(len(who), bool)
        for some, crossed in self.proximity.answer.each(who):
            values = crossed.column("values")
            near[np.searchsorted(who, some)] = (values[:, 0] > NEAR) | (values[:, 7] > NEAR)
        near &= self.in_phase(who, "straight")
        self.hold_in(who[near], "straight", 0.0)
        self.continuef(who[~near], e[~near])

    def lambdaf(self, who: Places) -> None:
        """Watch, or drive."""
        begins, straight = self.in_phase(who, "beginning"), self.in_phase(who, "straight")
        if begins.any():
            self.proximity.ask.send(who[begins], Watch(period=self.period))
        going = who[~(begins | straight)]
        self.wheels.ask.send(who[straight], Wheels(-ROLLING, ROLLING))
        self.walked.send(who[straight], "turn")
        self.wheels.ask.send(going, Wheels(self.speed, self.speed))
        self.walked.send(going, "straight")

    def deltint(self, who: Places) -> None:
        """Choose for how long."""
        begins, straight = self.in_phase(who, "beginning"), self.in_phase(who, "straight")
        turning, going = who[straight], who[~(begins | straight)]
        if turning.size:
            self.hold_in(turning, "turning", exact.tick(self.angle(turning) * (pi * self.axle / ROLLING)))
        if begins.any():
            self.activate(who[begins], "setting out")
        if going.size:
            self.hold_in(going, "straight", exact.tick(-MEAN * exact.log(1.0 - self.length(going))))
