"""Parts of frames that tests name in scenarios."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np

from devs_robotics import Atomic, Coupled, In, Out
from devs_robotics.experimental_frames.frame import Verdict
from devs_robotics.models.convoy import RoundDone
from devs_robotics.models.environment import Disturbance, Motion


class Everything(Atomic):
    """Keeps whatever comes, and when."""

    values = In[Any]()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.seen: list[tuple[float, Any]] = []
        self._time = 0.0

    def deltext(self, e: float) -> None:
        self._time += e
        self.seen += [(self._time, value) for value in self.values.values]

    def result(self) -> dict[str, float]:
        return {"values": len(self.seen)}


class Turns(Atomic):
    """Largest turn of a motion (rad), times a weight."""

    motion = In(Motion)

    def __init__(self, name: str, weight: float = 1.0, least: int = 0) -> None:
        super().__init__(name)
        if weight < 0.0:
            raise ValueError(f"a weight of {weight:g} is none: give a positive one")
        self.weight = weight
        self.turns: list[float] = []

    def deltext(self, e: float) -> None:
        self.turns += [abs(motion.turn) for motion in self.motion.values]

    def result(self) -> dict[str, float | str]:
        return {"largest_rad": self.weight * max(self.turns, default=nan), "verdict": "smooth"}


class Referee(Atomic):
    """Ends the run when a robot has completed so many rounds."""

    round_done = In(RoundDone)
    verdict = Out(Verdict)

    def __init__(self, name: str, rounds: int, *, accepts: bool = True) -> None:
        super().__init__(name)
        self.rounds = rounds
        self.accepts = accepts

    def deltext(self, e: float) -> None:
        self.continuef(e)
        if any(done.round == self.rounds for done in self.round_done.values):
            self.activate("deciding")

    def lambdaf(self) -> None:
        self.verdict.add(Verdict(self.accepts, f"{self.rounds} rounds are enough"))


class Slope(Coupled):
    """A floor on which robots go further than they should: a generator, and coupled, to be one of these too."""

    motion = In(Motion)
    disturbance = Out(Disturbance)

    def __init__(self, name: str, stretch: float = 0.1) -> None:
        super().__init__(name)
        inner = _Slope("floor", stretch)
        self.add_component(inner)
        self.add_coupling(self.motion, inner.motion)
        self.add_coupling(inner.disturbance, self.disturbance)


class _Slope(Atomic):
    motion = In(Motion)
    disturbance = Out(Disturbance)

    def __init__(self, name: str, stretch: float) -> None:
        super().__init__(name)
        self.stretch = stretch
        self.robots: list[int] = []

    def deltext(self, e: float) -> None:
        self.robots += [motion.robot for motion in self.motion.values if motion.distance]
        if self.robots:
            self.activate()

    def lambdaf(self) -> None:
        for robot in self.robots:
            self.disturbance.add(Disturbance(robot, self.stretch, 0.0))

    def deltint(self) -> None:
        self.robots.clear()
        self.passivate()


class Faulty(Everything):
    """Has nothing to say for itself."""

    def __init__(self, name: str, result: str = "raise") -> None:
        super().__init__(name)
        self.given = result

    def result(self) -> Any:
        if self.given == "raise":
            return {"mean": 1.0 / 0.0}
        if self.given == "leave":
            raise SystemExit(0)
        return GIVEN[self.given]


class Unspeakable:
    """Cannot even be shown."""

    def __repr__(self) -> str:
        raise SystemExit(0)


GIVEN: dict[str, Any] = {
    "three": 3,
    "nothing": None,
    "none": {"good": 1.0, "mean": None},
    "beyond floats": {"mean": 10**400, "good": 1.0},
    "beyond digits": {"mean": 10**5000, "good": 1.0},
    "infinite": {"mean": inf, "good": 1.0},
    "lone surrogate": {"good": 1.0, "word": "\ud800"},
    "bytes": {"good": 1.0, "word": b"1.5"},
    "complex": {"good": 1.0, "mean": 1j},
    "array": {"good": 1.0, "mean": np.ones(1)},
    "object": {"good": 1.0, "mean": Unspeakable()},
    "key": {"good": 1.0, "no name": 1.0},
    "number as key": {"good": 1.0, 3: 1.0},
    "plain": {
        "float": np.float32(0.5),
        "int": np.int64(3),
        "bool": np.bool_(True),
        "scalar": np.array(0.25),
        "word": np.str_("word"),
        "large": 10**30,
        "missing": nan,
        "fraction": Fraction(1, 4),
        "decimal": Decimal("0.5"),
    },
}
