"""What looks at a lab from outside."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from statistics import fmean, pstdev

import msgspec
import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.lab.observers import TRUTH_PERIOD, TrackingSystem, Truth
from devs_robotics.hil.robot_protocol import Fix
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, move, stand_in


def test_fixes_have_the_noise_of_the_plan_in_either_direction() -> None:
    lab = SmallLab(stand_in(heading=0.5), stand_in(2, y=2.0), tracking_period=0.01, tracking_noise=0.05)
    fixes: list[Fix] = []
    TrackingSystem(lab.laboratory, lambda data: fixes.append(msgspec.json.decode(data, type=Fix)))
    lab.wait(10.0)
    mine = [fix for fix in fixes if fix.robot == 1]
    assert len(mine) == len(fixes) / 2 == near(1001, 1)
    for values, true in (([fix.x for fix in mine], 1.0), ([fix.y for fix in mine], 1.0)):
        assert fmean(values) == near(true, 0.01)
        assert pstdev(values) == near(0.05, 0.005)
    assert {fix.heading for fix in mine} == {0.5}
    assert len({fix.x - fix.y for fix in mine}) > 1000  # each has its own


def test_fixes_come_late_in_the_order_of_the_looks_and_say_how_old_they_are() -> None:
    plan = {"tracking_period": 0.02, "tracking_delay": 0.045, "tracking_jitter": 0.034, "tracking_heading_noise": 0.02}
    lab = SmallLab(stand_in(), stand_in(2, y=2.0), **plan)
    heard: list[tuple[float, Fix]] = []
    TrackingSystem(lab.laboratory, lambda data: heard.append((lab.now, msgspec.json.decode(data, type=Fix))))
    lab.say(move(1, distance=0.1))
    lab.wait(20.0)
    ages = [fix.age for _, fix in heard if fix.age is not None]
    assert len(ages) == len(heard) > 1900
    assert min(ages) == near(0.046, 0.001)
    assert max(ages) == near(0.078, 0.001)
    looks = [time - (fix.age or 0.0) for time, fix in heard if fix.robot == 1]
    assert looks == [near(0.02 * number) for number in range(len(looks))]
    for look, (_, fix) in zip(looks, [each for each in heard if each[1].robot == 1], strict=True):
        assert fix.x == near(1.0 + min(0.1, 0.5 * look))
    assert pstdev([fix.heading for _, fix in heard if fix.robot == 2]) == near(0.02, 0.002)


def test_the_truth_is_where_robots_are_and_how_fast_they_go() -> None:
    lab, file = SmallLab(stand_in()), io.StringIO()
    Truth(lab.laboratory, file)
    lab.say(move(1, distance=0.1))
    lab.wait(0.31)
    lines = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [line["t"] for line in lines] == [near(TRUTH_PERIOD * number) for number in range(7)]
    assert [line["x"] for line in lines] == [near(1.0 + min(0.1, 0.5 * line["t"])) for line in lines]
    assert [line["speed"] for line in lines[1:]] == [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]


def test_a_record_that_cannot_be_written_any_more_is_an_error_with_the_files_name() -> None:
    lab, file = SmallLab(stand_in()), open("/dev/full", "w")  # noqa: PTH123, SIM115
    Truth(lab.laboratory, file)
    with pytest.raises(DevsRoboticsError, match=r"written to /dev/full \(No space left on device\): choose another"):
        lab.wait(0.1)
    with suppress(OSError):
        file.close()
