"""What reports say in words."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics.experimental_frames.report.wording import counts, stage_in_words

STAND_IN, AT_AN_ADDRESS = {"played_by": "a stand-in"}, {"played_by": "mqtt://192.0.2.7/robot/2"}
LATE, NEVER_LATE = {"maximum": 0.002}, {"maximum": 0.0}
FIVEFOLD, ONCE = {"rate": 5.0, "lateness": LATE}, {"rate": 1.0, "lateness": LATE}
WAITS_FOR_NOBODY = {"rate": 1.0, "lateness": NEVER_LATE}


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ({}, "as fast as its events allow; every robot is virtual"),
        (
            {"clock": FIVEFOLD, "robots": {}, "nodes": {}},
            "at 5 simulated seconds per real second; every robot is virtual",
        ),
        (
            {"clock": WAITS_FOR_NOBODY, "robots": {"2": STAND_IN}},
            "as fast as its events allow; robot 2 is real, played by a stand-in",
        ),
        ({"clock": ONCE, "robots": {"2": AT_AN_ADDRESS}}, "in real time; robot 2 is real"),
        ({"clock": ONCE, "robots": {"2": STAND_IN}}, "in real time; robot 2 is real, played by a stand-in"),
        (
            {"clock": ONCE, "robots": {"2": STAND_IN, "3": STAND_IN}},
            "in real time; robots 2, 3 are real, played by stand-ins",
        ),
        (
            {"clock": ONCE, "robots": {"2": AT_AN_ADDRESS, "3": STAND_IN}, "nodes": {"a": {}, "b": {}}},
            "in real time; robots 2, 3 are real, robot 3 played by a stand-in; robots’ models ran at 2 nodes",
        ),
    ],
)
def test_a_stage_is_told_with_its_pace_its_real_robots_and_its_nodes(summary: dict[str, Any], words: str) -> None:
    assert stage_in_words(summary) == words


def test_kinds_are_counted() -> None:
    assert counts({}) == "none"
    assert counts({"no JSON": 1200, "too long": 1}) == "1,200 no JSON, 1 too long"
