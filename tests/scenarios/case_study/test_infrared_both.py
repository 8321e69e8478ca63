"""``infrared = "both"``: a real robot that sees what is really there, and virtual robots too."""

from __future__ import annotations

from math import inf, radians

import pytest

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Ranges, Sense, Sensor
from devs_robotics.scenarios.running.means import Means
from devs_robotics.study import CaseStudy, CaseSystem, Frame, Transducer, metric, robots, run
from tests.approximately import near


class Look(Atomic):
    """Looks once, and does nothing else."""

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.infrared.ask.add(Sense())


class Seen(Transducer):
    """What robot 2 has seen to its left and ahead."""

    ranges = In(Ranges)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.values: tuple[float, ...] = (inf, inf)

    def deltext(self, e: float) -> None:
        for ranges in self.ranges.values:
            self.values = ranges.values

    @metric("seen to the left", unit="m")
    def left(self) -> float:
        return self.values[0]

    @metric("seen ahead", unit="m")
    def ahead(self) -> float:
        return self.values[1]


class Facing(CaseStudy):
    """Robot 2 stands before the wall, and has robot 1 to its left."""

    def build(self, system: CaseSystem) -> None:
        kind = robots.round_differential(beams=(radians(90.0), 0.0), reach=1.0, radius=0.1)
        for y in (2.0, 1.5):
            system.add_robot((3.5, y, 0.0), kind).decide(Look("look"))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        seen = frame.add(Seen("seen"))
        frame.couple(system.robots[1].infrared.answer, seen.ranges)


def seen(infrared: str) -> tuple[float, float]:
    outcome = run(
        Facing(),
        "loop",
        duration=2.0,
        means=Means(lab="inside"),
        field={"width": 4.0, "height": 4.0},
        stand_in={"perfect": True},
        real={"2": {"infrared": infrared}},
    )
    assert outcome.robots[2].infrared == infrared
    found = outcome.frames["seen"]
    return float(found.get("left", inf)), float(found["ahead"])


@pytest.mark.parametrize(
    ("infrared", "left"),
    [("real", inf), ("virtual", near(0.3)), ("both", near(0.3))],
)
def test_a_virtual_robot_is_seen_by_those_who_ask_the_environment(infrared: str, left: float) -> None:
    """The stand-ins' arena has walls, and no virtual robots."""
    assert seen(infrared) == (left, near(0.4))
