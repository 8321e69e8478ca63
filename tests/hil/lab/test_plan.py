"""Plans: as text, and those that are refused."""

from __future__ import annotations

import pytest

from devs_robotics.errors import DevsRoboticsError
from hil.lab import plan_text
from hil.lab.laboratory import Laboratory
from hil.lab.plan import Disc, LabPlan
from tests.hil.lab.small_lab import lab_plan, stand_in

SQUARE = ((0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5))


def test_a_plan_survives_its_text() -> None:
    plan = lab_plan(
        stand_in(beams=(0.1, -0.1)),
        stand_in(2, acceleration=2.5),
        discs=(Disc(1.0, 2.0, 0.5),),
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
        (lab_plan(stand_in(), discs=(Disc(1.1, 1.0, 0.1),)), "cannot stand at"),
        (lab_plan(stand_in(1, "morse")), "speaks 'morse'"),
        (lab_plan(stand_in(), stand_in(y=2.0)), "two robots of the lab have the number 1"),
    ],
)
def test_a_lab_that_cannot_be_is_refused(plan: LabPlan, words: str) -> None:
    with pytest.raises(DevsRoboticsError, match=words.replace("(", r"\(").replace(")", r"\)")):
        Laboratory(plan)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (lab_plan(rate=0.0), "the lab has the rate 0"),
        (lab_plan(width=-1.0), "the lab has the width -1"),
        (lab_plan(stand_in(7, radius=0.0)), "robot 7 of the lab has the radius 0"),
        (lab_plan(stand_in(acceleration=0.0)), "acceleration 0"),
        (lab_plan(stand_in(latency=-1.0)), "negative latency"),
        (lab_plan(polygons=((*SQUARE, SQUARE[-1]),)), "polygon"),
    ],
)
def test_sizes_that_cannot_be_are_refused(plan: LabPlan, words: str) -> None:
    with pytest.raises(plan_text.PlanError, match=words):
        plan_text.decode(plan_text.encode(plan))


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
