"""How near bodies come, against looking at very many points of each way."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, pi

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import astuple

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.experimental_frames.instruments.approach import Approach, Approaches, approaches
from devs_robotics.models.environment import Circle, Field, Motion, PoseChange, Segment, Shape, box
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.play import tell

WIDTH, HEIGHT, LIMIT = 4.0, 3.0, 0.02
OBSTACLES = (Circle(2.0, 1.5, 0.3), box(0.8, 2.0, 0.4, 0.7, 0.4), Segment(3.0, 0.2, 3.4, 2.0))
POINTS = 100

Place = tuple[float, float]
places = st.tuples(st.floats(-0.2, WIDTH + 0.2), st.floats(-0.2, HEIGHT + 0.2))
radii = st.sampled_from([0.05, 0.1, 0.3])
standing = st.lists(st.tuples(places, radii), min_size=1, max_size=5)
journeys = st.lists(st.tuples(st.integers(0, 4), places), max_size=8)


def frame(bodies: Sequence[tuple[Place, float]], obstacles: tuple[Shape, ...] = ()) -> Approaches:
    poses = [(x, y, 0.0) for (x, y), _ in bodies]
    return Approaches("approaches", WIDTH, HEIGHT, obstacles, [radius for _, radius in bodies], poses, LIMIT)


def go(transducer: Approaches, robot: int, x: float, y: float, e: float = 1.0) -> None:
    assert tell(transducer, (transducer.pose_change, PoseChange(robot, x, y, 0.0)), e=e) == []


class Reference:
    """Knows how far things are from a point, and nothing of ways."""

    def __init__(self, bodies: list[tuple[Place, float]]) -> None:
        self.places: list[Place] = []
        self.radii = [radius for _, radius in bodies]
        self.smallest = [inf] * len(bodies)
        self.surely = [0, 0]
        self.perhaps = [0, 0]
        for body, (place, _) in enumerate(bodies):
            self.places.append(place)
            self._look(body, None, place)

    def move(self, body: int, place: Place) -> None:
        start, self.places[body] = self.places[body], place
        self._look(body, start, place)

    def _look(self, body: int, start: Place | None, end: Place) -> None:
        (x0, y0), (x1, y1) = start or end, end
        way = [(x0 + k / POINTS * (x1 - x0), y0 + k / POINTS * (y1 - y0)) for k in range(POINTS + 1)]
        closest = [min(gaps) for gaps in zip(*(self._gaps(body, *point) for point in way), strict=True)]
        before = self._gaps(body, *start) if start else [inf] * len(closest)
        slack = hypot(x1 - x0, y1 - y0) / POINTS / 2 + 1e-9
        for kind, limit in enumerate((LIMIT, 0.0)):
            self.surely[kind] += sum(b > limit + 1e-6 and c < limit for b, c in zip(before, closest, strict=True))
            self.perhaps[kind] += sum(
                b > limit - 1e-6 and c < limit + slack for b, c in zip(before, closest, strict=True)
            )
        self.smallest[body] = min(self.smallest[body], *closest)
        others = [other for other in range(len(self.places)) if other != body]
        for other, gap in zip(others, closest[: len(others)], strict=True):
            self.smallest[other] = min(self.smallest[other], gap)

    def _gaps(self, body: int, x: float, y: float) -> list[float]:
        radius = self.radii[body]
        gaps = [
            hypot(ox - x, oy - y) - self.radii[other] for other, (ox, oy) in enumerate(self.places) if other != body
        ]
        gaps += [x, WIDTH - x, y, HEIGHT - y]
        gaps += [obstacle.distance(x, y) for obstacle in OBSTACLES]
        return [gap - radius for gap in gaps]


@given(standing, journeys)
def test_the_closest_approach_is_that_of_the_nearest_of_many_points(
    bodies: list[tuple[Place, float]], moves: list[tuple[int, Place]]
) -> None:
    transducer, reference = frame(bodies, OBSTACLES), Reference(bodies)
    for body, (x, y) in moves:
        go(transducer, body % len(bodies) + 1, x, y)
        reference.move(body % len(bodies), (x, y))
    for approach, sampled in zip(transducer.nearest, reference.smallest, strict=True):
        assert sampled - 6.0 / POINTS / 2 <= approach.distance <= sampled + 1e-9
    counted = (transducer.dangers, transducer.collisions)
    for surely, count, perhaps in zip(reference.surely, counted, reference.perhaps, strict=True):
        assert surely <= count <= perhaps
    assert (transducer.verdict() is None) == (min(reference.smallest) >= LIMIT) or transducer.dangers


@given(standing, journeys, st.integers(1, 40))
@example([((0.0, 0.0), 0.05)], [(0, (0.0, 5e-324))], 1)
def test_it_does_not_matter_how_many_ways_are_measured_at_once(
    bodies: list[tuple[Place, float]], moves: list[tuple[int, Place]], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(approaches, "MOST_GAPS", most)
        piecemeal = frame(bodies, OBSTACLES)
    whole = frame(bodies, OBSTACLES)
    for body, (x, y) in moves:
        for transducer in (piecemeal, whole):
            go(transducer, body % len(bodies) + 1, x, y)
    assert piecemeal.nearest == whole.nearest
    assert (piecemeal.dangers, piecemeal.collisions) == (whole.dangers, whole.collisions)
    assert piecemeal.verdict() == whole.verdict()


turns_and_drives = st.lists(
    st.tuples(st.integers(1, 3), st.floats(-pi, pi), st.floats(-2.0, 2.0).map(lambda way: round(way, 2))), max_size=12
)


@given(turns_and_drives)
def test_a_motion_that_the_environment_stops_ends_in_a_collision_and_no_deeper(
    motions: list[tuple[int, float, float]],
) -> None:
    field = Field(WIDTH, HEIGHT, OBSTACLES)
    bodies = [((0.3, 0.3), 0.1), ((1.0, 1.0), 0.1), ((3.6, 2.5), 0.1)]
    for (x, y), radius in bodies:
        field.add_body(x, y, 0.0, radius)
    space, transducer, stopped = space_manager(field), frame(bodies, OBSTACLES), False
    for robot, turn, distance in motions:
        for name, value in tell(space, (space.motion, Motion(robot, turn, distance))):
            if name == "pose_change":
                tell(transducer, (transducer.pose_change, value))
            stopped = stopped or getattr(value, "blocked", False)
    assert (transducer.collisions > 0) == stopped
    assert all(approach.distance > -1e-9 for approach in transducer.nearest)


def test_passing_by_is_an_approach_though_both_ends_are_far_away() -> None:
    transducer = frame([((1.0, 1.0), 0.1), ((2.0, 1.215), 0.1)])
    go(transducer, 1, 3.0, 1.0, e=2.5)
    assert transducer.nearest == [Approach(1, "robot 2", near(0.015), 2.5)] * 2
    assert (transducer.dangers, transducer.collisions) == (1, 0)
    assert transducer.verdict() == (
        "robot 1 came within 1.5 cm of robot 2 at 2.5 s: it has to keep 2 cm (closer approaches in all: 1, "
        "collisions among them: 0)"
    )


def test_a_contact_is_one_collision_however_long_it_lasts() -> None:
    transducer = frame([((1.0, 1.0), 0.1), ((2.0, 1.0), 0.1)])
    go(transducer, 1, 1.8, 1.0)
    go(transducer, 1, 1.79, 1.0)  # it has not got away yet
    go(transducer, 1, 1.0, 1.0)
    assert (transducer.dangers, transducer.collisions) == (1, 1)
    go(transducer, 2, 1.2, 1.0)
    assert (transducer.dangers, transducer.collisions) == (2, 2)
    assert str(transducer.nearest[0]) == "robot 1 hit robot 2 at 1.0 s"


def test_robots_that_move_at_once_are_taken_one_after_the_other() -> None:
    side_by_side = [((1.0, 1.0), 0.1), ((1.3, 1.0), 0.1)]
    ahead, behind = frame(side_by_side), frame(side_by_side)
    first, second = PoseChange(1, 1.3, 1.0, 0.0), PoseChange(2, 1.6, 1.0, 0.0)
    tell(behind, (behind.pose_change, first), (behind.pose_change, second))
    tell(ahead, (ahead.pose_change, second), (ahead.pose_change, first))
    assert behind.collisions == 1  # robot 1 went where robot 2 still stood
    assert ahead.collisions == 0


def test_a_turn_on_the_spot_brings_nothing_nearer() -> None:
    transducer = frame([((1.0, 1.0), 0.1), ((1.21, 1.0), 0.1)])
    tell(transducer, (transducer.pose_change, PoseChange(1, 1.0, 1.0, 2.0)))
    assert (transducer.dangers, transducer.collisions) == (1, 0)


@pytest.mark.parametrize(
    ("place", "other"),
    [
        ((0.11, 1.0), "the wall at x = 0 m"),
        ((3.89, 1.0), "the wall at x = 4 m"),
        ((2.5, 0.11), "the wall at y = 0 m"),
        ((2.5, 2.89), "the wall at y = 3 m"),
        ((1.59, 1.5), "obstacle 1"),
        ((0.8, 1.99), "obstacle 2"),
        ((3.2, 1.1), "obstacle 3"),
    ],
)
def test_walls_and_obstacles_are_named(place: Place, other: str) -> None:
    transducer = frame([(place, 0.1)], OBSTACLES)
    (approach,) = transducer.nearest
    assert approach.other == other
    assert approach.distance < LIMIT


def test_robots_that_stand_too_close_at_first_are_told_of() -> None:
    assert frame([((1.0, 1.0), 0.1), ((1.201, 1.0), 0.1)]).verdict() == (
        "robot 2 came within 0.1 cm of robot 1 at 0.0 s: it has to keep 2 cm (closer approaches in all: 1, "
        "collisions among them: 0)"
    )


def test_a_robot_alone_in_an_empty_field_is_near_to_its_walls_only() -> None:
    assert frame([((1.0, 2.0), 0.1)]).nearest == [Approach(1, "the wall at x = 0 m", near(0.9), 0.0)]


def shipped(scenario: str, *, observed: bool) -> tuple[CaseExperiment, Approaches]:
    setup = set_up(load(scenario, ["run.rounds=40"]))
    model, bodies = experiment(setup), [setup.scenario.robot.radius] * len(setup.robots)
    transducer = Approaches("approaches", setup.width, setup.height, setup.obstacles, bodies, setup.poses, LIMIT)
    if observed:
        model.add_component(transducer)
        model.add_coupling(model.system.pose_change, transducer.pose_change)
    with Simulator(model) as simulator:
        simulator.run(stop=model.verdict)
    return model, transducer


@pytest.mark.parametrize("scenario", ["convoy_in_the_loop", "convoy_obstacles"])
def test_the_shipped_convoys_keep_their_distance_whether_observed_or_not(scenario: str) -> None:
    model, transducer = shipped(scenario, observed=True)
    assert transducer.verdict() is None
    assert all(0.1 < approach.distance <= 0.3 + 1e-9 for approach in transducer.nearest)
    unobserved, _ = shipped(scenario, observed=False)
    assert list(map(astuple, model.frame.formation.rows)) == list(map(astuple, unobserved.frame.formation.rows))


def test_without_walls_there_is_none_to_come_near_to() -> None:
    poses, obstacles = [(0.15, 1.0, 0.0), (3.0, 1.0, 0.0)], [Circle(-1.0, 1.0, 0.3)]
    transducer = Approaches("approaches", WIDTH, HEIGHT, obstacles, [0.1, 0.1], poses, LIMIT, walled=False)
    go(transducer, 1, -0.59, 1.0)
    assert (transducer.dangers, transducer.collisions) == (1, 0)
    assert [each.other for each in transducer.nearest] == ["obstacle 1", "robot 2"]
