"""The system under test of a case study: places, numbers, couplings, and who answers whom."""

from __future__ import annotations

import re
from math import hypot, nan
from typing import Any

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from devs_robotics import Coupled, Fix, In, ModelError, Out, Simulator
from devs_robotics.core.observe.memory import Recorder
from devs_robotics.core.robots.fix_quality import FixQuality
from devs_robotics.models.environment import Circle, Lamp, PoseChange, Shape, box
from devs_robotics.models.robots import RobotKind
from devs_robotics.models.robots.case_system import ASIDE
from devs_robotics.models.tracking import OverheadCamera
from tests.approximately import near
from tests.models.robots.small_world import Errand, Eye, Light, Seen, Watcher, small_system

SHAPES = st.lists(
    st.one_of(
        st.builds(Circle, st.floats(0.0, 4.0), st.floats(0.0, 4.0), st.floats(0.05, 0.5)),
        st.builds(box, st.floats(0.0, 4.0), st.floats(0.0, 4.0), st.floats(0.1, 0.8), st.floats(0.1, 0.8)),
    ),
    max_size=4,
)


@given(st.integers(1, 12), SHAPES, st.integers(0, 9), st.floats(0.05, 0.3))
def test_at_free_places_bodies_touch_nothing_and_a_robot_more_moves_none(
    robots: int, obstacles: list[Shape], seed: int, radius: float
) -> None:
    kind = RobotKind(radius=radius)
    system = small_system(obstacles=obstacles, seed=seed)
    poses = system.free_poses(robots, kind)
    for number, (x, y, _) in enumerate(poses):
        system.add_robot(poses[number], kind)
        edges = (x, y, 4.0 - x, 4.0 - y, *(shape.distance(x, y) for shape in obstacles))
        assert min(edges) >= radius + ASIDE - 1e-9
        for other in poses[:number]:
            assert hypot(x - other[0], y - other[1]) >= 2.0 * radius + ASIDE - 1e-9
    assert small_system(obstacles=obstacles, seed=seed).free_poses(robots + 1, kind)[:-1] == poses
    assume(robots > 1)
    assert small_system(obstacles=obstacles, seed=seed + 1).free_poses(robots, kind) != poses


@given(st.integers(0, 9), SHAPES, st.integers(0, 9), st.floats(0.0, 0.5))
def test_places_for_other_things_keep_their_distance_and_depend_on_no_robot_nor_on_each_other(
    number: int, obstacles: list[Shape], seed: int, room: float
) -> None:
    def right(x: float, y: float) -> bool:
        return x > y

    try:
        places = small_system(obstacles=obstacles, seed=seed).free_places(number, "item", room, right)
    except ModelError:
        reject()
    for x, y in places:
        assert right(x, y)
        assert min(x, y, 4.0 - x, 4.0 - y, *(shape.distance(x, y) for shape in obstacles)) >= room - 1e-9
    system = small_system(obstacles=obstacles, seed=seed)
    poses = system.free_poses(2)
    others = system.free_places(3, "door", room, right)
    assert system.free_places(number + 1, "item", room, right)[:number] == places
    assert not {*places} & {*others}
    assert small_system(obstacles=obstacles, seed=seed).free_poses(2) == poses


def test_a_second_team_keeps_clear_of_the_first() -> None:
    system = small_system(width=1.2, height=1.2)
    for pose in system.free_poses(4):
        system.add_robot(pose)
    for x, y, _ in system.free_poses(3):
        assert all(hypot(x - robot.pose[0], y - robot.pose[1]) >= 0.2 + ASIDE for robot in system.robots)


@pytest.mark.parametrize(("side", "robots", "first"), [(0.27, 2, 1), (0.5, 7, 4)])
def test_where_there_is_no_room_it_says_for_which_robot(side: float, robots: int, first: int) -> None:
    sentence = (
        rf"^there is no room for robot \d of {robots} in a field of {side:g} m x {side:g} m: make field.width and "
    )
    with pytest.raises(ModelError, match=sentence) as told:
        small_system(width=side, height=side).free_poses(robots)
    assert int(re.findall(r"\d+", str(told.value))[0]) >= first - 2


def test_more_robots_than_the_field_has_room_for_are_refused_at_once() -> None:
    sentence = "^there is no room for 5000 robots of radius 0.1 m in a field of 10 m x 10 m: make field.width and "
    with pytest.raises(ModelError, match=sentence):
        small_system(width=10.0, height=10.0).free_poses(5000)


@pytest.mark.parametrize(
    ("pose", "kind", "sentence"),
    [
        ((nan, 1.0, 0.0), None, "robot 1: its pose must be x (m), y (m) and heading (rad), three numbers, not (nan,"),
        ((1.0, 1.0), None, "robot 1: its pose must be x (m), y (m) and heading (rad), three numbers, not (1.0, 1.0)"),
        ("110", None, "robot 1: its pose must be x (m), y (m) and heading (rad), three numbers, not '110'"),
        ((1, 1, 0), "round", "robot 1: 'round' is no kind of robot: take robots.round_differential(...), or leave"),
        ((1, 1, 0), RobotKind(radius=0.0), "robot 1: its radius must be a number above zero, not 0.0"),
        ((1, 1, 0), RobotKind(reach=-1.0), "robot 1: its reach must be a number above zero, not -1.0"),
        ((1, 1, 0), RobotKind(beams=(nan,)), "robot 1: its beams and its resolution must be numbers, not (nan,)"),
    ],
)
def test_a_robot_that_is_none_is_told_by_its_number(pose: Any, kind: Any, sentence: str) -> None:
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}"):
        small_system().add_robot(pose, kind)


def test_robots_are_numbered_from_1_and_have_streams_of_their_own() -> None:
    system = small_system()
    one, two = (system.add_robot((x, 1.0, 0.0)) for x in (1.0, 2.0))
    assert [(robot.name, robot.number) for robot in system.robots] == [("robot1", 1), ("robot2", 2)]
    drawn = {
        system.stream(who, what).uniform()
        for who, what in ((one, "turn"), (two, "turn"), (one, "step"), (None, "turn"))
    }
    assert len(drawn) == 4
    assert small_system().stream(one, "turn").uniform() in drawn


def test_a_robot_moves_as_its_kind_says_or_else_as_the_scenario_says() -> None:
    system = small_system()
    usual, fast = (
        system.add_robot((1.0, y, 0.0), kind).decide(Errand())
        for y, kind in ((1.0, RobotKind()), (2.0, RobotKind(speed=0.4, radius=0.2)))
    )
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run()
    assert [(errand.reports[0][0], errand.reports[0][1].distance) for errand in (usual, fast)] == [
        (near(2.0, within=1e-5), 0.4),
        (near(1.0, within=1e-5), 0.4),
    ]
    assert system.field.radius == [0.1, 0.2]


def test_what_else_is_in_the_world_answers_and_is_told_of_every_move() -> None:
    system = small_system()
    light = Light()
    system.add(light)
    watchers = []
    for y in (1.0, 2.0):
        robot = system.add_robot((1.0, y, 0.0))
        robot.equip(Eye("eye"))
        robot.decide(Errand())
        watchers.append(robot.decide(Watcher()))
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run()
    assert [watcher.seen for watcher in watchers] == [[Seen(1, 1)], [Seen(2, 2)]]
    time, change = light.moves[-1]
    assert (time, change) == (near(2.0, within=1e-5), PoseChange(2, near(1.4), 2.0, 0.0))


def test_of_several_that_could_answer_the_first_that_was_added_does() -> None:
    system = small_system()
    first, second = Light("first"), Light("second")
    system.add(first)
    system.add(second)
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(Eye("eye"))
    robot.decide(Watcher())
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run()
    assert (first.questions, second.questions) == (1, 0)


def test_where_nothing_answers_it_says_whom_and_what_to_add() -> None:
    system = small_system()
    system.add_robot((1.0, 1.0, 0.0)).equip(Eye("eye"))
    sentence = (
        "nothing in the world answers robot1's eye (Sense to Seen): add a WorldModel that does by system.add(...), "
        "with @answers"
    )
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}$"):
        system.complete(corrected=False)


class Bell(Watcher):
    """Has ports that are no exchange."""

    rung = Out(Seen)
    heard = In(Seen)
    counted = In(int)


def belfry(name: str) -> tuple[Coupled, Bell]:
    """A bell two models deep."""
    outer, inner, bell = Coupled(name), Coupled("inner"), Bell("bell")
    outer.add_component(inner)
    inner.add_component(bell)
    return outer, bell


def test_ports_of_any_depth_are_coupled_and_those_on_the_way_are_made_once() -> None:
    system = small_system()
    (tower, one), (other_tower, other) = belfry("tower"), belfry("other")
    system.add(tower)
    system.add(other_tower)
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(Eye("eye"))
    decides = robot.decide(Bell("bell"))
    system.couple(one.rung, other.heard)
    system.couple(one.rung, decides.heard)
    system.couple(decides.rung, other.heard)
    assert [list(model.output) for model in (tower, other_tower)] == [["inner_bell_rung"], []]
    assert [list(model.input) for model in (tower, other_tower)] == [[], ["inner_bell_heard"]]
    assert list(robot.input) == ["bell_heard"]
    with pytest.raises(ModelError, match="couple them once"):
        system.couple(one.rung, other.heard)


def test_a_port_that_has_the_name_by_chance_is_left_alone() -> None:
    system = small_system()
    tower, one = Coupled("tower"), Bell("a")
    twin = Coupled("a_b")
    tower.add_component(one)
    tower.add_component(twin)
    inner = Bell("c")
    twin.add_component(inner)
    system.add(tower)
    sink, sinks = belfry("sinks")
    system.add(sink)
    system.couple(one.rung, sinks.heard)
    taken = tower.output["a_rung"]
    other = Bell("other")
    tower.add_component(other)
    tower.remove_coupling(one.rung, taken)
    tower.add_coupling(other.rung, taken)
    system.couple(one.rung, sinks.heard)
    assert list(tower.output) == ["a_rung", "a_rung_2"]
    assert set(tower.eoc[one.rung]) == {tower.output["a_rung_2"]}


def test_a_coupling_that_cannot_be_says_why() -> None:
    system = small_system()
    tower, bell = belfry("tower")
    system.add(tower)
    for source, target, sentence in (
        ("rung", bell.heard, "system.couple takes two ports of models, not 'rung'"),
        (bell.rung, None, "system.couple takes two ports of models, not None"),
        (
            bell.rung,
            bell.counted,
            "system/tower.inner_bell_rung sends Seen but system/tower.inner_bell_counted takes int",
        ),
        (bell.rung, Bell("stranger").heard, "stranger.heard is no port of a model inside system: add the model first"),
    ):
        with pytest.raises(ModelError, match=re.escape(sentence)):
            system.couple(source, target)  # type: ignore[arg-type]


def test_a_thing_is_found_in_the_field_by_its_type() -> None:
    system = small_system()
    lamp = system.add(Lamp(1.0, 2.0))
    assert system.field.things.of(Lamp) == [lamp]
    assert all(component.name != "lamp" for component in system.components)


def test_what_is_no_model_is_not_added() -> None:
    sentence = (
        "system.add takes a thing or a model, not 'light': derive it from devs_robotics.study.Thing or WorldModel"
    )
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}$"):
        small_system().add("light")  # type: ignore[type-var]


def test_a_camera_above_the_field_is_told_where_robots_are() -> None:
    system = small_system()
    system.add_robot((1.0, 2.0, 0.5))
    system.add_robot((3.0, 2.0, -0.5))
    camera = system.add(OverheadCamera("camera", (1, 2), FixQuality(0.5, 0.05, 0.0, 0.0, 0.0, 0.0)))
    system.complete(corrected=False)
    recorder = Recorder()
    with Simulator(system) as simulator:
        simulator.attach(recorder)
        simulator.run(until=1.0)
    seen = recorder.values("system/camera", port="fix")
    assert seen == [
        Fix(1, 1.0, 2.0, 0.5, at) if robot == 1 else Fix(2, 3.0, 2.0, -0.5, at) for at in (0.0, 0.5) for robot in (1, 2)
    ]
    assert list(camera.fix_of) == [1, 2]
