"""Who is there of the robots outside: a model on its own, which is told what they say."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from devs_robotics import Fix
from devs_robotics.core.robots.outside import (
    AskedForAll,
    Asks,
    Calls,
    Dismissed,
    FromOutside,
    Gathering,
    Hears,
    Introduces,
    IsThere,
    Logs,
    Portrait,
    RobotJoined,
    RobotLeft,
    SensorAnswer,
    Sighting,
    Stands,
)
from devs_robotics.models.environment import Become, Call, Heeded, Join, Leave, Look, Seen, Traits
from devs_robotics.models.outsiders import Doubled, Presence, Rules
from devs_robotics.models.outsiders.presence import UNKNOWN
from tests.models.play import settle, tell

REAL, VIRTUAL = Traits(reality="real"), Traits(reality="virtual")
RADIUS = 0.06


def presence(**options: Any) -> Presence:
    model = Presence("presence", **options)
    model.initialize()
    return model


def hear(model: Presence, *said: FromOutside, e: float = 1.0) -> list[tuple[str, Any]]:
    return tell(model, *((model.said, each) for each in said), e=e)


def test_a_robot_has_a_body_from_its_first_pose_on_and_is_moved_by_its_reports() -> None:
    model = presence(bodies=3)
    assert hear(model, IsThere(70, "real")) == [("told", RobotJoined(70, True))]
    assert hear(model, Stands(70, 1.0, 2.0, 0.5)) == [("body_change", Join(4, 1.0, 2.0, 0.5, RADIUS, REAL))]
    assert hear(model, Stands(70, 1.1, 2.0, 0.5)) == [("fix", Fix(4, 1.1, 2.0, 0.5))]
    assert hear(model, Introduces(5, (0.0, 0.0, 0.0), "virtual")) == [
        ("told", RobotJoined(5, False)),
        ("body_change", Join(5, 0.0, 0.0, 0.0, RADIUS, VIRTUAL)),
    ]
    assert model.robots == [5, 70]


def test_a_new_robot_that_does_not_say_its_reality_is_virtual_and_a_known_one_stays_what_it_is() -> None:
    model = presence()
    hear(model, Introduces(1, (0.0, 0.0, 0.0), "real"), Stands(2, 1.0, 1.0, 0.0))
    assert hear(model, Stands(1, 0.0, 0.0, 0.0)) == [("fix", Fix(1, 0.0, 0.0, 0.0))]
    assert hear(model, IsThere(1, "virtual")) == [], "the Java library says so of each robot"
    assert hear(model, Introduces(1, (3.0, 3.0, 0.0), "virtual")) == []
    assert hear(model, Stands(1, 0.0, 0.0, 0.0, "virtual"), e=9.0) == [
        ("body_change", Become(1, VIRTUAL)),
        ("fix", Fix(1, 0.0, 0.0, 0.0)),
    ]


def test_questions_are_asked_in_the_name_of_the_body_and_answered_to_the_robot() -> None:
    model = presence(bodies=1)
    hear(model, Stands(70, 1.0, 1.0, 0.0, "real"))
    asked = hear(model, Asks(70, "distance", sees=("real",)), Asks(70, "proximity", (1.0, 0.0)))
    assert asked == [
        ("distance_ask", Look(2, (0.0,), ("real",), sensor="distance")),
        ("proximity_ask", Look(2, (1.0, 0.0), sensor="proximity")),
    ]
    seen = (Sighting(0.3),)
    assert tell(model, (model.distance.answer, Seen(2, seen)), e=0.0) == [
        ("told", SensorAnswer(70, True, "distance", seen, RADIUS))
    ]


def test_without_a_pose_nothing_is_seen() -> None:
    model = presence()
    hear(model, IsThere(1))
    nothing = Sighting(inf)
    assert hear(model, Asks(1, "proximity", (0.0, 1.0))) == [
        ("told", SensorAnswer(1, False, "proximity", (nothing, nothing), RADIUS))
    ]
    assert hear(model, Calls(1, "a")) == []


def test_calls_reach_robots_by_their_numbers_and_no_bodies_of_models() -> None:
    model = presence(bodies=1)
    hear(model, Stands(9, 0.0, 0.0, 0.0), e=1.0)
    hear(model, Stands(7, 0.1, 0.0, 0.0, "real"), Stands(3, 0.2, 0.0, 0.0), e=1.0)
    assert hear(model, Calls(9, "near"), Calls(9, "far", 2.0, True)) == [
        ("call_ask", Call(2, "near", 0.6, False, sensor="call")),
        ("call_ask", Call(2, "far", 2.0, True, sensor="call")),
    ]
    assert tell(model, (model.call.answer, Heeded(2, "near", (1, 3, 4), False)), e=0.0) == [
        ("told", Hears(3, False, "near")),
        ("told", Hears(7, True, "near")),
    ]


def test_what_comes_at_one_instant_is_heard_poses_first_and_by_number() -> None:
    model = presence()
    answers = hear(model, Asks(2, "distance"), Asks(1, "distance"), Stands(2, 1.0, 0.0, 0.0), IsThere(1))
    nothing = (Sighting(inf),)
    assert answers == [
        ("told", RobotJoined(1, False)),
        ("told", RobotJoined(2, False)),
        ("told", SensorAnswer(1, False, "distance", nothing, RADIUS)),
        ("body_change", Join(1, 1.0, 0.0, 0.0, RADIUS, VIRTUAL)),
        ("distance_ask", Look(1, sensor="distance")),
    ]


def test_who_is_missed_is_taken_out_on_time_and_all_at_once() -> None:
    model = presence(rules=Rules(silence=10.0))
    hear(model, Stands(1, 0.0, 0.0, 0.0), Stands(2, 1.0, 0.0, 0.0), e=2.0)
    hear(model, Logs(1, "312"), e=4.0)
    assert model.ta() == 6.0
    hear(model, Asks(2, "distance"), e=3.0)
    assert model.ta() == 3.0
    model.deltint()
    assert model.time == 12.0
    assert settle(model) == [("told", RobotLeft(1)), ("body_change", Leave(1))]
    assert model.ta() == 7.0
    assert hear(model, Stands(1, 0.0, 0.0, 0.0), e=1.0) == [
        ("told", RobotJoined(1, False)),
        ("body_change", Join(3, 0.0, 0.0, 0.0, RADIUS, VIRTUAL)),
    ]


def test_a_model_without_robots_waits_for_ever() -> None:
    model = presence()
    assert model.ta() == inf
    hear(model, IsThere(1))
    hear(model, Dismissed(1))
    assert model.ta() == inf
    assert hear(model, Dismissed(1)) == []


def test_of_robots_that_are_models_nobody_outside_is_heard() -> None:
    model = presence(own={3})
    assert hear(model, Stands(3, 0.0, 0.0, 0.0), IsThere(3), Introduces(3), Dismissed(3)) == []
    assert model.robots == []
    assert model.dropped == {}


def test_messages_of_unknown_robots_are_counted() -> None:
    model = presence()
    assert hear(model, Asks(3, "distance"), Calls(3, "a"), Logs(3, "a")) == []
    assert model.dropped == {UNKNOWN: 3}


def test_viewers_hear_of_all_by_number() -> None:
    model = presence()
    hear(model, Stands(9, 1.0, 2.0, 0.0, "real"), e=1.0)
    hear(model, IsThere(2), e=1.0)
    assert hear(model, AskedForAll(0)) == [
        (
            "told",
            Gathering((Portrait(2, "virtual", None, 2.0, RADIUS), Portrait(9, "real", (1.0, 2.0, 0.0), 1.0, RADIUS))),
        )
    ]


def doubled(*reports: tuple[float, float, str | None]) -> list[Doubled]:
    """What is noticed of reports at times (s), x (m), realities."""
    model, found = presence(), []
    for wait, x, reality in reports:
        said = Stands(4, x, 0.0, 0.0, reality)  # type: ignore[arg-type]
        found += [value for port, value in hear(model, said, e=wait) if port == "doubled"]
    return found


def test_who_is_in_two_places_to_and_fro_is_two() -> None:
    assert len(doubled((0.5, 0.0, None), (0.5, 2.0, None), (0.5, 0.1, None), (0.5, 2.1, None))) == 1


def test_who_is_of_two_realities_is_two() -> None:
    assert len(doubled((0.5, 0.0, "real"), (0.5, 0.0, "virtual"), (0.5, 0.0, "real"))) == 1


@pytest.mark.parametrize(
    "reports",
    [
        [(0.5, 0.15 * step, "real") for step in range(20)],
        [(0.5, 0.0, None), (0.5, 2.0, None), (0.5, 2.1, None)],
        [(0.5, 0.0, None), (2.5, 2.0, None), (2.5, 0.1, None)],
        [(0.5, 0.0, "real"), (2.5, 0.0, "virtual")],
        [(0.5, 0.0, "real"), (0.5, 0.0, None), (0.5, 0.0, "real")],
    ],
)
def test_a_robot_that_drives_or_is_put_elsewhere_is_one(reports: list[tuple[float, float, str | None]]) -> None:
    assert doubled(*reports) == []
