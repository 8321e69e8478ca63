"""Plans: as text, and those that are refused."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab import plan_text
from devs_robotics.hil.lab.floor import LabFloor, LabSectors, LabStripes
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.plan import LabCharger, LabDisc, LabPlan
from tests.hil.lab.small_lab import lab_plan, stand_in

SLIGHTLY_NEGATIVE: dict[str, dict[str, Any]] = {
    key: {key: -1e-9} for key in ("latency", "jitter", "stretch", "swerve", "range_noise", "resolution")
}
SQUARE = ((0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5))


def test_a_plan_survives_its_text() -> None:
    plan = lab_plan(
        stand_in(beams=(0.1, -0.1)),
        stand_in(2, acceleration=2.5),
        discs=(LabDisc(1.0, 2.0, 0.5),),
        polygons=(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),),
        rate=3.0,
    )
    assert plan_text.decode(plan_text.encode(plan)) == plan


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (lab_plan(stand_in(x=0.01)), "cannot stand at (0.01, 1)"),
        (lab_plan(stand_in(), stand_in(2, x=1.05)), "cannot stand at"),
        (lab_plan(stand_in(), polygons=(SQUARE,)), "cannot stand at"),
        (lab_plan(stand_in(), discs=(LabDisc(1.1, 1.0, 0.1),)), "cannot stand at"),
        (lab_plan(stand_in(1, "morse")), "speaks 'morse'"),
        (lab_plan(stand_in(), stand_in(y=2.0)), "two robots of the lab have the number 1"),
    ],
)
def test_a_lab_that_cannot_be_is_refused(plan: LabPlan, words: str) -> None:
    with pytest.raises(DevsRoboticsError, match=words.replace("(", r"\(").replace(")", r"\)")):
        Laboratory(plan)


def test_robots_may_touch_though_rounding_says_that_they_overlap() -> None:
    one, other = stand_in(x=0.1 + 0.2, radius=0.1), stand_in(2, x=0.3 + 0.2, radius=0.1)
    assert other.x - one.x - 0.2 < 0.0
    Laboratory(lab_plan(one, other))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (lab_plan(rate=0.0), "the lab has the rate 0"),
        (lab_plan(width=-1.0), "the lab has the width -1"),
        (lab_plan(stand_in(7, radius=0.0)), "robot 7 of the lab has the radius 0"),
        (lab_plan(stand_in(acceleration=0.0)), "acceleration 0"),
        (lab_plan(height=0.0), "the lab has the height 0"),
        (lab_plan(tracking_period=0.0), "the lab has the tracking_period 0"),
        (lab_plan(tracking_delay=-0.1), "tracking system of the lab has a negative noise or delay"),
        (lab_plan(stand_in(speed=0.0)), "robot 1 of the lab has the speed 0"),
        (lab_plan(stand_in(turn_rate=-1.0)), "robot 1 of the lab has the turn_rate -1"),
        *(
            (
                lab_plan(stand_in(), stand_in(2, **SLIGHTLY_NEGATIVE[key])),
                "robot 2 of the lab has a negative latency, slip, noise",
            )
            for key in SLIGHTLY_NEGATIVE
        ),
        (lab_plan(stand_in(charge=1.1)), "robot 1 of the lab has the charge 1.1"),
        (lab_plan(chargers=(LabCharger(1.0, 1.0, 0.1, 0.0),)), "a charger of the lab has the rate 0"),
        (
            lab_plan(floor=LabFloor((LabStripes(0.0, (0.0,), 0.0, 0.0, 0.0),))),
            "the stripes on the floor of the lab has the w",
        ),
        (
            lab_plan(floor=LabFloor((LabSectors(0.0, 0.0, (), 0.0),))),
            "the sectors on the floor of the lab have no greys",
        ),
        (lab_plan(polygons=(SQUARE[:2],)), "polygon"),
        (lab_plan(polygons=((SQUARE[0], SQUARE[1], SQUARE[1], SQUARE[2]),)), "polygon"),
        (lab_plan(polygons=((*SQUARE, SQUARE[-1]),)), "polygon"),
        (lab_plan(polygons=((*SQUARE, SQUARE[0]),)), "polygon"),
    ],
)
def test_sizes_that_cannot_be_are_refused(plan: LabPlan, words: str) -> None:
    with pytest.raises(plan_text.PlanError, match=words):
        plan_text.decode(plan_text.encode(plan))


def test_an_infinite_acceleration_and_no_latency_are_none() -> None:
    plan = lab_plan(stand_in(latency=0.0, acceleration=inf))
    assert b'"acceleration":null' in plan_text.encode(plan)
    assert plan_text.decode(plan_text.encode(plan)) == plan


def test_a_plan_without_a_proximity_response_is_of_the_paper_and_an_unknown_one_is_refused() -> None:
    text = plan_text.encode(lab_plan(stand_in()))
    assert plan_text.decode(text.replace(b',"proximity":"paper"', b"")).robots[0].proximity == "paper"
    with pytest.raises(plan_text.PlanError, match="proximity"):
        plan_text.decode(text.replace(b'"proximity":"paper"', b'"proximity":"radar"'))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b'{"width": 1}',
        b'{"robots": [null]}',
        b'{"robots": 3}',
        b"\xff",
        b'{"\xff": 1}',
        b"[" * 100_000,
    ],
)
def test_text_that_is_no_plan_is_refused(text: bytes) -> None:
    with pytest.raises(plan_text.PlanError, match="the plan of the lab cannot be read: "):
        plan_text.decode(text)
