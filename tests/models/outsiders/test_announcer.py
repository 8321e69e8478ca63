"""Robots that are models are told outside: at once when the broker is there, and then where they have gone."""

from __future__ import annotations

from math import inf

import pytest

from devs_robotics import Link, ModelError
from devs_robotics.core.robots.outside import OwnJoined, OwnMoved, Portrait
from devs_robotics.models.environment.questions import Locate, Whereabouts
from devs_robotics.models.outsiders import Announcer, OwnRobot
from tests.approximately import near
from tests.models.play import Said, settle, tell

OWN = {1: OwnRobot(41, "real", 0.06), 2: OwnRobot(42, "virtual", 0.06)}


def portrait(robot: int, *pose: float) -> Portrait:
    return Portrait(robot, OWN[robot - 40].reality, pose, 0.0, 0.06)  # type: ignore[arg-type]


def answered(model: Announcer, *poses: tuple[int, float, float, float]) -> list[Said]:
    return tell(model, (model.world.answer, Whereabouts(0, poses)), e=0.0)


def test_it_says_nothing_until_the_broker_is_there() -> None:
    model = Announcer("announcer", OWN)
    model.initialize()
    assert model.ta() == inf
    asked = tell(model, (model.linked, Link(up=True)))
    assert asked == [("world_ask", Locate(0, sensor="announcer", bodies=(1, 2)))]
    first = OwnMoved((portrait(41, 1.0, 2.0, 0.5), portrait(42, 3.0, 2.0, 0.5)))
    assert answered(model, (1, 1.0, 2.0, 0.5), (2, 3.0, 2.0, 0.5)) == [
        ("told", OwnJoined(portrait(41, 1.0, 2.0, 0.5))),
        ("told", OwnJoined(portrait(42, 3.0, 2.0, 0.5))),
        ("told", first),
        ("moved", first),
    ]
    assert model.ta() == near(0.5)


def test_then_it_tells_who_has_moved() -> None:
    model = Announcer("announcer", OWN)
    model.initialize()
    tell(model, (model.linked, Link(up=True)))
    answered(model, (1, 1.0, 2.0, 0.5), (2, 3.0, 2.0, 0.5))
    model.deltint()
    settle(model)
    assert answered(model, (1, 1.0, 2.0, 0.5), (2, 3.1, 2.0, 0.5))[0] == (
        "told",
        OwnMoved((portrait(42, 3.1, 2.0, 0.5),)),
    )
    model.deltint()
    settle(model)
    assert answered(model, (1, 1.0, 2.0, 0.5), (2, 3.1, 2.0, 0.5)) == [], "nobody has"


def test_when_the_broker_is_gone_it_is_silent_and_tells_all_anew_when_it_is_back() -> None:
    model = Announcer("announcer", OWN)
    model.initialize()
    tell(model, (model.linked, Link(up=True)))
    assert tell(model, (model.linked, Link(up=False))) == []
    assert model.ta() == inf
    assert answered(model, (1, 1.0, 2.0, 0.5)) == [], "what was asked before"
    tell(model, (model.linked, Link(up=True)))
    assert answered(model, (1, 1.0, 2.0, 0.5))[0] == ("told", OwnJoined(portrait(41, 1.0, 2.0, 0.5)))


def test_a_period_of_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match="its period must be above 0 s, not 0"):
        Announcer("announcer", OWN, 0.0)
