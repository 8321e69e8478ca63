"""The cases phototaxis, line_following and battery with real e-pucks, played inside: what they do, and the replay."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import Charge, DevsRoboticsError
from devs_robotics.experimental_frames.study.decisions import decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.models.environment import Picture
from devs_robotics.scenarios.battery import Patrolling
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.line_following import LineFollowing
from devs_robotics.scenarios.phototaxis import Phototaxis
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from devs_robotics.study import CaseStudy, CaseSystem, Floor
from tests.approximately import near

NONE = "a robot that speaks json does not have by itself"

PROTOCOLS = ("epuck-ascii", "epuck-binary", "epuck2-wifi")


def real(*protocols: str, **keys: Any) -> dict[str, Any]:
    """Tables of robots from 1 on."""
    return {str(number): {"protocol": protocol, **keys} for number, protocol in enumerate(protocols, 1)}


def inside(scenario: Scenario, stage: Stage) -> tuple[CaseOutcome, Hearing]:
    """A run with stand-ins in its thread; and what its decision models heard."""
    hearing = Hearing()
    outcome = run(scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(hearing, of_robots)]))
    assert isinstance(outcome, CaseOutcome)
    assert outcome.ended == "accepted", outcome.reason
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds
    assert found.models == len(outcome.tracks.poses)
    return outcome, hearing


SHORT: dict[str, Any] = {
    "phototaxis": scenario_of(Phototaxis(robots=3), duration=40.0, seed=1),
    "line_following": scenario_of(LineFollowing(), duration=8.0),
    "battery": scenario_of(
        Patrolling(robots=2, charge=0.2501, recharge=4.0), duration=24.0, seed=3, field={"width": 0.7, "height": 0.7}
    ),
}
"""Of each case a run in which something happens."""

SENSORS = {"phototaxis": ("light", "proximity"), "line_following": ("ground",), "battery": ("light", "proximity")}


@pytest.mark.parametrize("case", SHORT)
def test_in_the_loop_wheels_and_sensors_of_some_are_real_by_themselves_and_no_decision_model_learns_of_it(
    case: str,
) -> None:
    outcome, _ = inside(SHORT[case], "loop")
    assert 0 < len(outcome.robots) < len(outcome.tracks.poses)
    for robot in outcome.robots.values():
        assert robot.protocol == "epuck2-wifi"
        assert {"wheels", *SENSORS[case]} <= set(robot.equipment)
    _check(case, outcome)


@pytest.mark.parametrize("case", SHORT)
def test_with_all_robots_real_it_goes_as_with_none_whatever_they_speak(case: str) -> None:
    """Where nothing is said of a robot it speaks by Wi-Fi."""
    scenario = SHORT[case].model_copy(update={"real": scenario_of(Phototaxis(), real=real(*PROTOCOLS[:2])).real})
    outcome, _ = inside(scenario, "real")
    assert [robot.protocol for robot in outcome.robots.values()] == list(PROTOCOLS[: len(outcome.robots)])
    _check(case, outcome)


def _check(case: str, outcome: CaseOutcome) -> None:
    """What the case is there for has been done."""
    match case:
        case "phototaxis":
            assert outcome.frames["arrivals"]["share"] == 1.0
        case "line_following":
            assert float(outcome.frames["following"]["laps"]) > 0.07
            assert all(float(outcome.frames[f"on_line{robot}"]["share"]) > 0.9 for robot in (1, 2))
        case "battery":
            endurance = outcome.frames["endurance"]
            assert endurance["returns_per_robot"] == 1.0
            assert endurance["stranded"] == 0
            assert float(endurance["docked_share"]) == near(3.0 / 24.0, 0.02), "three quarters of 4 s"


def test_two_runs_are_the_same_to_the_last_bit() -> None:
    scenario = scenario_of(Patrolling(robots=2), duration=3.0, real=real("epuck-binary"))
    (one, heard), (other, again) = (inside(scenario, "loop") for _ in range(2))
    assert one.tracks.rows == other.tracks.rows
    assert [str(each) for each in heard.transitions] == [str(each) for each in again.transitions]


def test_a_virtual_battery_hears_real_wheels() -> None:
    """And one that is real as long as it takes its own."""
    said: dict[str, list[Charge]] = {}
    for kind in ("virtual", "real"):
        study = Patrolling(robots=1, charge=0.2509, battery="simple", recharge=1e6)
        scenario = scenario_of(study, duration=12.0, real=real("epuck2-wifi", equipment={"battery": kind}))
        _, hearing = inside(scenario, "loop")
        (heard,) = hearing.transitions.values()
        said[kind] = [charge for each in heard for charge in each.heard.get("battery_answer", ())]
    for charges in said.values():
        assert [charge.low for charge in charges] == [False, True]
        assert [charge.value for charge in charges] == [near(0.2509, 0.001), near(0.25, 0.001)]


def test_light_that_is_virtual_is_that_of_the_counterpart_and_leads_a_real_robot_to_the_lamp() -> None:
    table = real("epuck2-wifi", equipment={"light": "virtual"})
    outcome, _ = inside(scenario_of(Phototaxis(robots=1), duration=40.0, real=table), "loop")
    assert outcome.robots[1].equipment == ("wheels", "proximity")
    assert outcome.frames["arrivals"]["share"] == 1.0


# what cannot be served is refused


@pytest.mark.parametrize("case", ["diffusion", "phototaxis", "line_following", "battery"])
def test_a_robot_without_wheels_of_its_own_is_refused_in_the_loop(case: str) -> None:
    scenario, problems = validate({"case": case, "real": {"1": {"protocol": "json"}}})
    assert scenario is None
    (problem,) = map(str, problems)
    assert problem == (
        f"real.1.protocol: it would stand still: it is driven by its wheels, which {NONE}: let it speak 'epuck-ascii', "
        "'epuck-binary', 'epuck2-wifi' or 'ros2', make its motor 'virtual', or say that it has some: "
        'equipment = { wheels = "real" }'
    )
    scenario, problems = validate({"case": case, "real": {"1": {"protocol": "json", "motor": "virtual"}}})
    assert scenario is not None, problems


class Alone(Patrolling):
    """As a case study of somebody's who has not thought of real robots."""

    when_real = {}  # noqa: RUF012


def test_so_is_one_that_the_case_study_names_itself() -> None:
    with pytest.raises(DevsRoboticsError, match=r"^real\.1\.protocol: it would stand still: .* let it speak"):
        set_up(scenario_of(Alone(robots=1)), "loop")


def test_who_wants_a_stand_in_with_wheels_that_speaks_json_is_told_what_has_them() -> None:
    scenario = scenario_of(LineFollowing(), real=real("json", motor="virtual"))
    with pytest.raises(DevsRoboticsError, match=r"no stand-in can play the wheels of robot 1, .* let it speak 'epuck-"):
        laboratory_plan(set_up(scenario, "real"), "mqtt://here", 1.0)


class Painted(LineFollowing):
    """A floor that is a function."""

    def build(self, system: CaseSystem) -> None:
        super().build(system)
        (floor,) = system.field.things.of(Floor)
        system.field.things.__init__()  # type: ignore[misc]
        system.add(Floor((*floor.patterns, Picture(lambda x, y: None))))


def test_a_floor_that_is_a_function_is_refused_where_a_stand_in_would_look_at_it() -> None:
    with pytest.raises(DevsRoboticsError, match=r"pattern Picture, which is no data .* give real\.1\.address"):
        laboratory_plan(set_up(scenario_of(Painted()), "real"), "mqtt://here", 1.0)
    blind = real("epuck2-wifi", equipment={"ground": "virtual"})
    assert laboratory_plan(set_up(scenario_of(Painted(), real=blind), "loop"), "mqtt://here", 1.0).floor is None


def test_a_case_study_that_says_it_wrongly_is_told() -> None:
    class Wrong(CaseStudy):
        """Wrong."""

        when_real = {"protokol": "epuck2-wifi"}  # noqa: RUF012

        def build(self, system: CaseSystem) -> None:
            system.add_robot((1.0, 1.0, 0.0))

    with pytest.raises(DevsRoboticsError, match=r"^Wrong\.when_real is wrong: .*protokol"):
        set_up(scenario_of(Wrong()), "real")
