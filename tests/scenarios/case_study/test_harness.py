"""A case study of anybody's as the harness knows it: what build, frame and check say, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan, pi, radians
from typing import Any, ClassVar

import pytest

from devs_robotics import In
from devs_robotics.scenarios.case import case_named, case_of, known_here, robots_of
from devs_robotics.scenarios.case_study.harness import StudyCase, study_case
from devs_robotics.scenarios.case_study.run import run as run_study
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.errors import BeginError, CaseError
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.settings.units import unit_of, usual_settings
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.wander import AROUND, Wander, Wandering
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Frame,
    Length,
    PoseChange,
    RobotKind,
    Transducer,
    metric,
    robots,
)


class Counting(Transducer):
    pose_change = In(PoseChange)
    seen = 0

    def deltext(self, e: float) -> None:
        self.time += e
        self.seen += len(list(self.pose_change.values))

    @metric("pose changes that were seen", digits=0)
    def changes(self) -> float:
        return float(self.seen)


class Parked(CaseStudy):
    """Robots stand where they are put."""

    x: Length = 2.0
    second: Length = 4.0
    robots: Count = 2
    defaults: ClassVar[dict[str, Any]] = {"field.width": 6.0, "field.height": 4.0, "run.duration": 1.0}

    def build(self, system: CaseSystem) -> None:
        kind = robots.round_differential(beams=(0.0,), reach=0.8)
        for number in range(self.robots):
            system.add_robot((self.x if number == 0 else self.second, 2.0, pi / 2.0), kind)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        counting = frame.add(Counting("counting"))
        frame.couple(system.pose_change, counting.pose_change)


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    """Case studies of this module are known by their names, as where `run` was given an object."""
    before = dict(known_here)
    yield
    known_here.clear()
    known_here.update(before)


def known(study: type[CaseStudy]) -> StudyCase:
    case = study_case(study, f"{study.__module__}:{study.__qualname__}")
    known_here[case.name] = case
    return case


def problems(study: type[CaseStudy], **tables: Any) -> list[str]:
    scenario, found = validate({"case": known(study).name, **tables})
    assert (scenario is None) == bool(found)
    return [str(problem) for problem in found]


def test_a_plan_is_what_build_adds() -> None:
    case = known(Parked)
    scenario = case.scenario()
    first, second = robots_of(scenario)
    assert (first.pose, second.pose) == ((2.0, 2.0, pi / 2.0), (4.0, 2.0, pi / 2.0))
    assert (first.radius, first.optics.reach) == (0.1, 0.8)
    assert (
        case.plan(scenario.model_copy(update={"robot": scenario.robot.model_copy(update={"radius": 0.2})}))
        .robots[0]
        .radius
        == 0.2
    )
    assert case_of(scenario) is case
    assert case_named(case.name) is case


@pytest.mark.parametrize("stage", ["fast", "loop"])
def test_it_is_built_twice_to_be_checked_and_once_to_be_run(stage: Stage) -> None:
    """Twice, for what is not the same each time must be found before a sweep of it begins."""
    built = []

    class Counted(Parked):
        def build(self, system: CaseSystem) -> None:
            built.append(system)
            super().build(system)

    scenario = scenario_of(Counted())
    assert len(built) == 2
    run(scenario, Means(stage=stage, lab="inside" if stage == "loop" else "process"))
    assert len(built) == 3
    run(scenario.model_copy(update={"run": scenario.run.model_copy(update={"seed": 2})}))
    assert len(built) == 5  # another plan, and the run


def test_a_class_that_has_changed_is_planned_anew() -> None:
    class Changing(Parked):
        more = 0

        def build(self, system: CaseSystem) -> None:
            for number in range(1 + self.more):
                system.add_robot((1.0 + number, 1.0, 0.0))

    assert [len(run_study(Changing()).tracks.poses) for Changing.more in (0, 2, 1)] == [1, 3, 2]


def test_one_class_is_one_case_by_each_name() -> None:
    assert study_case(Parked, "a") is study_case(Parked, "a")
    assert study_case(Parked, "a") is not study_case(Parked, "b")
    assert study_case(Parked, "a").example == "devs-robotics check a --keys"


def test_what_is_left_open_is_filled_in() -> None:
    class Open(CaseStudy):
        def build(self, system: CaseSystem) -> None:
            system.add_robot((1.0, 1.0, 0.0))

    resolved = known(Open).resolve(known(Open).scenario())
    assert (resolved.field.width, resolved.field.height, resolved.run.duration) == (10.0, 10.0, 60.0)
    assert known(Parked).resolve(known(Parked).scenario()).field.width == 6.0
    assert known(Open).short().run.duration == 1.0


def test_the_size_of_a_run_is_its_robots_times_its_time_or_what_the_case_study_says() -> None:
    class Costly(Parked):
        def size(self) -> float:
            return 7.0 * self.robots

    def size(study: type[CaseStudy], robots: int) -> float:
        scenario, _ = validate(
            {"case": known(study).name, study.table_name: {"robots": robots}, "run": {"duration": 30.0}}
        )
        assert scenario is not None
        return known(study).size(scenario)

    assert size(Parked, 1) == 30.0
    assert size(Parked, 2) == 60.0
    assert size(Costly, 2) == 14.0


def test_real_robots_of_the_loop_are_those_that_there_are() -> None:
    case = known(Parked)
    assert list(case.in_the_loop(case.scenario())) == [2]
    scenario, _ = validate({"case": case.name, "parked": {"robots": 1}})
    assert scenario is not None
    with pytest.raises(CaseError, match=r"^Parked.in_the_loop makes robot 2 real, and there are robots 1 to 1: name"):
        case.in_the_loop(scenario)

    class Wrong(Parked):
        in_the_loop: ClassVar[dict[int, dict[str, Any]]] = {2: {"motor": "steam"}}

    with pytest.raises(CaseError, match=r"^Wrong.in_the_loop is wrong: ValidationError: "):
        known(Wrong).in_the_loop(known(Wrong).scenario())


def test_its_laboratory_is_told_its_settings_or_what_it_says_after_build_as_plain_data() -> None:
    class Laid(Parked):
        def build(self, system: CaseSystem) -> None:
            super().build(system)
            self.places = system.free_places(1, "item", 0.5)

        def laboratory(self) -> dict[str, Any]:
            return {**super().laboratory(), "places": self.places}

    def told(study: type[CaseStudy]) -> dict[str, Any]:
        scenario, _ = validate({"case": known(study).name, study.table_name: {"x": "1 m"}})
        assert scenario is not None
        return known(study).laboratory(scenario)

    assert told(Parked) == {"x": 1.0, "second": 4.0, "robots": 2}
    ((x, y),) = told(Laid)["places"]
    assert (0.5 <= x <= 5.5, 0.5 <= y <= 3.5) == (True, True)
    assert told(Laid) == {"x": 1.0, "second": 4.0, "robots": 2, "places": [[x, y]]}


@pytest.mark.parametrize(
    ("said", "why"),
    [(object(), "TypeError: Encoding objects of type object"), ([1], "ValidationError: Expected `object`, got")],
)
def test_what_is_no_plain_data_for_its_laboratory_is_told(said: Any, why: str) -> None:
    class Odd(Parked):
        def laboratory(self) -> Any:
            return said

    with pytest.raises(BeginError, match=f"^Odd.laboratory failed: {why}"):
        known(Odd).laboratory(known(Odd).scenario())


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"parked": {"x": 0.05}}, "parked: robot 1 at (0.05, 2) m would not be inside the walls: move it"),
        (
            {"parked": {"second": 2.1}},
            "parked: robots 1 and 2 would stand in each other: move them 0.2 m apart or more",
        ),
        (
            {"field": {"obstacles": [{"shape": "circle", "x": 2.0, "y": 2.0, "radius": 0.2}]}},
            "parked: robot 1 at (2, 2) m would stand in obstacle 1: move one of them",
        ),
        ({"parked": {"x": "2 kg"}}, "parked.x: '2 kg' has the wrong unit: write it in m or the like, as in '2 cm'"),
        ({"parked": {"y": 2.0}}, "parked.y: there is no such key: did you mean 'parked.x'?"),
        ({"real": {"3": {}}}, "real.3: there is no robot 3 in a team of 2: remove the table"),
    ],
)
def test_places_and_keys_that_cannot_be_are_told(tables: dict[str, Any], sentence: str) -> None:
    assert problems(Parked) == []
    assert problems(Parked, **tables) == [sentence]


def test_a_field_without_room_for_all_is_told() -> None:
    tables = {"field": {"width": 1.0, "height": 1.0}, "wandering": {"robots": 30}}
    (found,) = problems(Wandering, **tables)
    assert found.startswith("wandering: ")
    assert "there is no room for robot" in found
    assert found.endswith("make field.width and field.height larger, or take fewer")


def test_settings_that_disagree_are_told_before_anything_is_built() -> None:
    assert problems(Wandering, wandering={"step": 0.6}) == [
        "wandering.step: robots see 1 m far, and go half of what is free: take 0.35 m at most"
    ]


def made(**methods: Any) -> type[CaseStudy]:
    return type("Made", (CaseStudy,), {"__module__": __name__, **methods})


def one_robot(self: CaseStudy, system: CaseSystem) -> None:
    system.add_robot((1.0, 1.0, 0.0))


def failing(*arguments: Any) -> Any:
    raise ValueError("of mine")


def leaving(*arguments: Any) -> Any:
    raise SystemExit(3)


def unwritten(*arguments: Any) -> Any:
    raise NotImplementedError("later")


def half_coupled(self: CaseStudy, frame: Frame, system: CaseSystem) -> None:
    frame.couple(system.pose_change, system.disturbance)


def no_part(self: CaseStudy, frame: Frame, system: CaseSystem) -> None:
    frame.add("coverage")  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        ({}, "made: Made has no method build(self, system): write one that adds robots"),
        ({"build": lambda self, system: None}, "made: Made.build adds no robot: call system.add_robot(pose, kind)"),
        ({"build": failing}, "made: Made.build failed: ValueError: of mine"),
        ({"build": leaving}, "made: Made.build failed: SystemExit: 3"),
        ({"build": lambda self: None}, "made: Made.build failed: TypeError: "),
        ({"build": one_robot, "frame": failing}, "made: Made.frame failed: ValueError: of mine"),
        ({"build": one_robot, "frame": unwritten}, "made: Made.frame failed: NotImplementedError: later"),
        (
            {"build": one_robot, "frame": half_coupled},
            "made: system.pose_change and system.disturbance are both outside of the frame: couple them in build, by",
        ),
        (
            {"build": one_robot, "frame": no_part},
            "made: frame.add takes a model, not 'coverage': derive it from devs_robotics.study.Transducer",
        ),
        ({"build": one_robot, "check": failing}, "made: Made.check failed: ValueError: of mine"),
    ],
)
def test_what_is_wrong_with_a_class_is_found_by_check(methods: dict[str, Any], sentence: str) -> None:
    (found,) = problems(made(**methods))
    assert found.replace("experiment/", "").startswith(sentence)


class Jumping(Wandering):
    """Robots wander that are moved when a motion has ended."""

    def build(self, system: CaseSystem) -> None:
        kind = robots.round_differential(beams=AROUND)
        for pose in system.free_poses(self.robots, kind):
            robot = system.add_robot(pose, kind)
            robot.decide(Wander("wander", system.stream(robot, "wander"), self.step, self.clearance))


def test_a_run_is_measured_by_the_parts_of_the_frame_and_by_what_all_runs_are() -> None:
    scenario, found = validate({"case": known(Jumping).name, "run": {"duration": 20.0}, "frame": {"approaches": True}})
    assert scenario is not None, found
    outcome = run(scenario)
    case = case_of(scenario)
    assert outcome.ended == "accepted"
    columns = case.columns(outcome)
    assert set(columns) == {
        "smallest_distance_m", "collisions", "simulated_s", "transitions", "cpu_s", "frames.coverage.share",
    }  # fmt: skip
    assert columns["simulated_s"] == 20.0
    assert [title for title, _, _ in case.lines(outcome)] == ["smallest distance between bodies", "collisions"]
    assert set(case.measurements(outcome)) == {"tracks.csv", "coverage.csv"}
    assert case.events(outcome) == {"pose_changes": len(outcome.tracks.rows)}  # type: ignore[attr-defined]
    assert case.headline(outcome).startswith("Jumping: 5 robots, seed 1, stage fast: 20.0 s simulated, ")


def test_what_a_frame_does_not_measure_is_not_shown() -> None:
    scenario, _ = validate({"case": known(Parked).name})
    assert scenario is not None
    outcome = run(scenario)
    assert case_of(scenario).lines(outcome) == []
    assert outcome.frames == {"counting": {"changes": 0.0}}
    assert isnan(float(case_of(scenario).columns(outcome).get("collisions", nan)))


def test_reports_are_told_units_and_usual_settings() -> None:
    name = known(Parked).name
    assert (unit_of("parked.x", name), unit_of("parked.robots", name), unit_of("field.width", name)) == ("m", "", "m")
    usual = usual_settings({"case": name, "parked": {"x": 1.0, "robots": 1}, "run": {"seed": 4, "duration": 9.0}})
    assert usual["parked"] == {"x": 2.0, "second": 4.0, "robots": 1}
    assert (usual["run"]["seed"], usual["run"]["duration"], usual["field"]["width"]) == (4, 9.0, 6.0)


def test_kinds_of_robot_say_what_the_scenario_leaves_open() -> None:
    class Mixed(CaseStudy):
        def build(self, system: CaseSystem) -> None:
            system.add_robot((2.0, 2.0, 0.0), RobotKind(radius=0.3))
            system.add_robot((4.0, 2.0, radians(90.0)))

    assert [robot.radius for robot in known(Mixed).plan(known(Mixed).scenario()).robots] == [0.3, 0.1]
