"""Infrared range sensors: virtual, and in the loop."""

from __future__ import annotations

from collections import deque
from math import inf

from devs_robotics import Ranges, RangeSensor, Sense, Sensor
from devs_robotics.models.environment.questions import Cast, Distances


class VirtualInfrared(RangeSensor):
    """Infrared range sensors in the environment model; the paper's IR abstractActivity.

    Exact up to `reach`, then rounded to whole steps of `resolution` as the real sensors are; noise-free.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  ========================  =====================================
    state     time advance  output                    next state
    ========  ============  ========================  =====================================
    waiting   ∞                                       asked, or answered
    asked     0             world: the question       waiting
    answered  0             ranging: the ranges       waiting
    ========  ============  ========================  =====================================

    Ports:
        ranging: a question, and the ranges
        world: a question to the environment model, and the answer

    Args:
        robot: number of the robot in the environment
        bearings: of the beams, from the robot's heading (rad)
        reach: largest distance that is seen (m)
        resolution: step of a reading (m); 0 for exact readings
    """

    world = Sensor(Cast, Distances)

    def __init__(self, name: str, robot: int, bearings: tuple[float, ...], reach: float, resolution: float) -> None:
        super().__init__(name)
        self.bearings, self.reach = tuple(bearings), reach
        self._question = Cast(robot, bearings, reach)
        self._steps_per_metre = 1.0 / resolution if resolution else 0.0
        self._asked = False
        self._reading: Ranges | None = None

    def deltext(self, e: float) -> None:
        """Ask the environment, or take its answer."""
        if self.ranging.ask:
            self._asked = True
        for answer in self.world.answer.values:
            self._reading = self._read(answer)
        self.sigma = 0.0 if self._asked or self._reading is not None else inf

    def lambdaf(self) -> None:
        """Pass the question on, or the reading back."""
        if self._asked:
            self.world.ask.add(self._question)
        if self._reading is not None:
            self.ranging.answer.add(self._reading)

    def deltint(self) -> None:
        """Wait."""
        self._asked = False
        self._reading = None
        self.sigma = inf

    def _read(self, answer: Distances) -> Ranges:
        return Ranges(tuple([self._rounded(value) for value in answer.values]))

    def _rounded(self, distance: float) -> float:
        per_metre = self._steps_per_metre
        return round(distance * per_metre) / per_metre if per_metre and distance < inf else distance


class LoopInfrared(VirtualInfrared):
    """A real robot's infrared range sensors in the loop; the paper's IR HILActivity.

    It asks the robot and the environment model at once. When both have answered, each beam's reading is the nearer of
    the two: so a real robot sees what is really there, and virtual robots, walls and obstacles too.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  =================================  ======================================
    state     time advance  output                             next state
    ========  ============  =================================  ======================================
    waiting   ∞                                                asked; answered, when both have
    asked     0             device and world: the question     waiting
    answered  0             ranging: the nearer ranges         waiting
    ========  ============  =================================  ======================================

    Ports, besides those of a `VirtualInfrared`:
        device: a question to the robot, and its ranges
    """

    device = Sensor(Sense, Ranges)

    def __init__(self, name: str, robot: int, bearings: tuple[float, ...], reach: float, resolution: float) -> None:
        super().__init__(name, robot, bearings, reach, resolution)
        self._real: deque[Ranges] = deque()
        self._modelled: deque[Ranges] = deque()
        """What the robot, and the environment model, have answered; either answers each question once, in order."""

    def deltext(self, e: float) -> None:
        """Ask both, or take their answers."""
        self._asked = self._asked or bool(self.ranging.ask)
        self._real += self.device.answer.values
        self._modelled += [self._read(answer) for answer in self.world.answer.values]
        self.sigma = 0.0 if self._asked or self._both_have_answered else inf

    def lambdaf(self) -> None:
        """Pass the question on, or the nearer readings back."""
        if self._asked:
            self.device.ask.add(Sense())
            self.world.ask.add(self._question)
        for real, modelled in zip(self._real, self._modelled, strict=False):
            self.ranging.answer.add(Ranges(tuple(map(min, real.values, modelled.values))))

    def deltint(self) -> None:
        """Wait."""
        self._asked = False
        while self._both_have_answered:
            self._real.popleft()
            self._modelled.popleft()
        self.sigma = inf

    @property
    def _both_have_answered(self) -> bool:
        return bool(self._real and self._modelled)
