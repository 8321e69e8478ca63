"""Teams: as models or in arrays robots do the same, to the last bit; what cannot be in arrays is refused."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, In, ModelError, Obstructed, Simulator, Watch
from devs_robotics.core.population.replay import differences
from devs_robotics.core.robots.epuck2.body import AXLE, RADIUS
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.environment import Field
from devs_robotics.models.environment.sensing import StrategyName
from devs_robotics.models.robots import CaseSystem, Robot, UsualBody, epuck2, team_system, virtual_equipment
from devs_robotics.models.robots.team import PopulationChoice, Team
from devs_robotics.scenarios.diffusion import Diffuse
from devs_robotics.scenarios.wander import Wander
from tests.devs_robotics.core.population.walking import Walk


class Notes(Atomic):
    """Writes down what comes, and when."""

    decided = In(str | float)
    obstructed = In(Obstructed)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.now = 0.0
        self.all: list[tuple[float, Any]] = []

    def deltext(self, e: float) -> None:
        self.now += e
        self.all += [(self.now, each) for each in (*self.decided.values, *self.obstructed.values)]
        self.passivate()


def system_of(
    population: PopulationChoice, robots: int, area: float, seed: int, decides: type[Atomic] = Diffuse, **other: Any
) -> tuple[CaseSystem, Team]:
    side = sqrt(area * robots)
    made = CaseSystem(
        "system",
        Field(side, side),
        UsualBody(RADIUS, 0.14, 5.3, 0.03),
        seed,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    made.population = population
    made.strategy = other.pop("strategy", "auto")

    def put_together(robot: Robot) -> None:
        robot.equip(VirtualWheels("wheels", AXLE, 0.14))
        robot.equip(VirtualProximityWatch("proximity"))
        robot.decide(
            Diffuse("diffuse", 0.05, 0.1) if decides is Diffuse else Walk("walk", robot.number, seed)  # as it is
        )

    team = made.add_team(made.free_poses(robots, epuck2()), epuck2(), put_together, **other)
    made.complete(corrected=False)
    return made, team


def run(made: CaseSystem, team: Team, output: str, seconds: float) -> tuple[list[Any], list[Any]]:
    """What robots said and heard, with the times, and where they are in the end."""
    root, notes = Coupled("root"), Notes("notes")
    root.add_component(made)
    root.add_component(notes)
    for port in team.said(output):
        made_port = _led_out(made, port)
        root.add_coupling(made_port, notes.decided)
    for port in team.answered("wheels"):
        root.add_coupling(_led_out(made, port), notes.obstructed)
    with Simulator(root) as simulator:
        simulator.run(seconds)
    key = sorted(notes.all, key=lambda each: (each[0], repr(each[1])))
    return key, [made.field.pose(body) for body in range(len(made.robots))]


def _led_out(made: CaseSystem, port: Any) -> Any:
    from devs_robotics.core.robots.activity import lead_on, lead_through

    return lead_on(made, lead_through(made, port, "out"), "out")


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    st.sampled_from((Diffuse, Walk)),
    st.integers(1, 25),
    st.sampled_from((0.03, 0.08, 0.16)),
    st.integers(0, 2**32 - 1),
    st.sampled_from(("predict", "batch")),
    st.sets(st.integers(1, 25), max_size=4),
)
def test_a_team_in_arrays_does_what_ordinary_models_do(
    decides: type[Atomic], robots: int, area: float, seed: int, strategy: StrategyName, apart: set[int]
) -> None:
    output = "decided" if decides is Diffuse else "turned"
    expected = run(*system_of("models", robots, area, seed, decides, strategy=strategy), output, 5.0)
    seen = run(*system_of("arrays", robots, area, seed, decides, strategy=strategy), output, 5.0)
    assert seen == expected
    mixed = run(*system_of("arrays", robots, area, seed, decides, strategy=strategy, as_models=apart), output, 5.0)
    assert mixed == expected
    assert expected[0] or robots < 10, "something was said"


def test_a_run_in_arrays_is_proven_by_replay() -> None:
    made, team = system_of("arrays", 20, 0.08, 5)
    assert team.arrays is not None
    team.arrays.population.keep([2, 11, 20])
    run(made, team, "decided", 10.0)
    kept = team.arrays.population.kept
    assert min(len(each.heard) for each in kept.values()) > 2
    assert differences(team.arrays.population) == {}


def test_auto_takes_arrays_for_teams_that_are_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_system, "ENOUGH", 6)
    assert system_of("auto", 5, 0.16, 1)[1].arrays is None
    assert system_of("models", 6, 0.16, 1)[1].arrays is None
    large = system_of("auto", 6, 0.16, 1)[1].arrays
    assert large is not None
    assert large.numbers == list(range(1, 7))


def small(population: PopulationChoice, put_together: Any, robots: Iterable[int] = (1, 2)) -> Team:
    made = CaseSystem(
        "system",
        Field(3.0, 3.0),
        UsualBody(0.05, 0.14, 5.3, 0.03),
        1,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    made.population = population
    team = made.add_team([(0.5 * robot, 1.0, 0.0) for robot in robots], None, put_together)
    made.complete(corrected=False)
    with Simulator(made) as simulator:
        simulator.run(1.0)
    return team


class Unlike(Diffuse):
    """It has no twin of its own."""


class Exact(Diffuse):
    """It watches a level at its instant."""

    def lambdaf(self) -> None:
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(levels=(1000.0,)))
        else:
            super().lambdaf()


def with_equipment(*models: Any) -> Any:
    def put_together(robot: Robot) -> None:
        robot.equip(VirtualWheels("wheels", AXLE, 0.14))
        robot.equip(VirtualProximityWatch("proximity"))
        for number, model in enumerate(models if len(models) < 2 else models[:1] * robot.number):
            robot.decide(model(f"decides{number}", 0.05, 0.1))

    return put_together


def by_its_motor(robot: Robot) -> None:
    robot.decide(Wander("wander", None, 0.1, 0.2))  # type: ignore[arg-type]  # it is never asked


@pytest.mark.parametrize(
    ("put_together", "sentence"),
    [
        (with_equipment(Unlike), r"Unlike has no twin: write one, class \.\.\.\(Population, of=Unlike\)"),
        (with_equipment(Diffuse, Diffuse), "robot2 has 2 decision models, and a population is of one each"),
        (with_equipment(), "robot1 has 0 decision models"),
        (by_its_motor, "robot1's motor makes each motion as a whole"),
    ],
)
def test_what_cannot_be_in_arrays_is_refused_and_auto_takes_models(put_together: Any, sentence: str) -> None:
    with pytest.raises(ModelError, match=f'a team cannot be in arrays: {sentence}.*run.population = "models"'):
        small("arrays", put_together)


def test_watches_at_exact_instants_are_refused() -> None:
    from devs_robotics.scenarios.diffusion import Diffuses

    class Exacts(Diffuses, of=Exact):
        """It asks as its model does."""

        def lambdaf(self, who: Any) -> None:
            begins = self.in_phase(who, "beginning")
            self.proximity.ask.send(who[begins], Watch(levels=(1000.0,)))

    assert Exacts.of is Exact
    with pytest.raises(ModelError, match=r'robot 1 watches proximity at exact instants.*run\.population = "models"'):
        small("arrays", with_equipment(Exact))
    assert small("models", with_equipment(Exact)).arrays is None


def test_a_run_in_arrays_can_be_saved_and_goes_on_as_before(tmp_path: Path) -> None:
    made, _ = system_of("arrays", 12, 0.06, 3)
    with Simulator(made) as simulator:
        simulator.run(3.0)
        simulator.save(tmp_path / "run")
        simulator.run(8.0)
    with Simulator.resume(tmp_path / "run") as resumed:
        resumed.run(8.0)
        again = resumed.model
    assert isinstance(again, CaseSystem)
    assert [again.field.pose(body) for body in range(12)] == [made.field.pose(body) for body in range(12)]
