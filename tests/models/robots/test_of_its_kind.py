"""Teams that use the motor and range sensors of their kind: in arrays they do what ordinary models do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devs_robotics import Actuator, Atomic, Drive, Driven, ModelError, Sense, Sensor, Simulator, Touch
from devs_robotics.core.population import Population
from devs_robotics.core.population.replay import differences
from devs_robotics.models.environment import Field
from devs_robotics.models.robots import (
    CaseSystem,
    Inertia,
    Robot,
    UsualBody,
    round_differential,
    team_system,
    virtual_equipment,
)
from tests.benchmarks.swarms import swarm
from tests.swarm_traces import said


@pytest.mark.parametrize(
    ("strategy", "options"),
    [
        ("auto", {"alike": False, "as_models": (2, 5)}),
        ("grid", {"alike": False}),
        ("grid", {"tells_poses": True}),
        ("grid", {}),
    ],
)
def test_what_they_say_is_what_models_say(strategy: Any, options: dict[str, Any]) -> None:
    """With poses told, and at exact contacts, event by event; else ahead of time."""
    common: dict[str, Any] = {"strategy": strategy, "area": 0.4}
    expected = said("wander", 7, 12.0, "models", **common)
    assert said("wander", 7, 12.0, "arrays", **common, **options) == expected
    turned = [value for _, _, port, value in expected if port == "motor_ask" and value.turn]
    assert len(expected) > 100
    assert turned


def test_they_can_be_saved_and_go_on_as_before_and_prove_themselves(tmp_path: Path) -> None:
    system, root = swarm("wander", 6, "arrays", area=0.4)
    (team,) = system.in_arrays
    team.population.keep(team.numbers)
    with Simulator(root) as simulator:
        simulator.run(3.0)
        simulator.save(tmp_path / "run")
        simulator.run(6.0)
        grid: Any = system.environment.space
        expected = grid.arcs.poses(6.0)
    assert differences(team.population) == {}
    with Simulator.resume(tmp_path / "run") as resumed:
        resumed.run(6.0)
        model: Any = resumed.model
        (again,) = model.components
        seen = again.environment.space.arcs.poses(6.0)
    assert [column.tolist() for column in seen] == [column.tolist() for column in expected]


def test_auto_takes_models_which_are_faster_where_poses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_system, "ENOUGH_ON_GRID", 2)
    assert not swarm("wander", 3, "auto")[0].in_arrays
    assert swarm("walk", 3, "auto")[0].in_arrays


class Goes(Atomic):
    """It drives, and asks its whiskers."""

    motor = Actuator(Drive, Driven)
    whiskers = Sensor(Sense, Touch)


class Going(Population, of=Goes):
    """The same."""


class Drives(Atomic):
    """It drives."""

    motor = Actuator(Drive, Driven)


class Driving(Population, of=Drives):
    """The same."""


@pytest.mark.parametrize(
    ("kind", "model", "sentence"),
    [
        ({}, Drives, r"robot1's motor makes each motion as a whole.*take a kind of robot with continuous=True"),
        ({"inertia": Inertia(1.0)}, Drives, "robot1 uses its motor, a RampMotor, which has no twin"),
        ({"continuous": True}, Goes, "robot1 uses its whiskers, a VirtualWhiskers, which has no twin"),
    ],
)
def test_what_has_no_twin_is_told(kind: dict[str, Any], model: type[Atomic], sentence: str) -> None:
    system = CaseSystem(
        "system",
        Field(3.0, 3.0),
        UsualBody(0.05, 0.14, 5.3, 0.03),
        1,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    system.population = "arrays"

    def put_together(robot: Robot) -> None:
        robot.decide(model("goes"))

    with pytest.raises(ModelError, match=f"a team cannot be in arrays: {sentence}"):
        system.add_team([(1.0, 1.0, 0.0)], round_differential(**kind), put_together)
