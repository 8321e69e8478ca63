"""The navigator and the collision map, by what they hear and say."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, remainder, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics import Glide, Glided
from devs_robotics.models.activities.range_ring import HALF_VIEW, NOTHING, RingScan
from devs_robotics.models.logistics.collision_map import FORESIGHT, CollisionMap, Foresight
from devs_robotics.models.logistics.layout import CarrierShape
from devs_robotics.models.logistics.messages import CollisionWarning, Consider, Considered, Go, GoalEnded, Loaded
from devs_robotics.models.logistics.navigator import Navigator
from tests.models.play import Said, settle, tell


def navigator() -> Navigator:
    model = Navigator("navigator")
    model.initialize()
    return model


def test_one_direction_is_taken_and_the_end_is_told_with_the_number() -> None:
    model = navigator()
    go = Go(7, (1.0,), 0.5, turn=0.2, speed=0.3)
    assert tell(model, (model.goal, go)) == [("wheels_ask", Glide(1.0, 0.5, 0.2, 0.3))]
    assert tell(model, (model.wheels.answer, Glided(0.5, 0.2))) == [("went", GoalEnded(7, "arrived", 0.2))]


def test_of_several_the_map_says_which_and_where_none_is_free_it_goes_slowly_a_short_way() -> None:
    model = navigator()
    go = Go(1, (1.0, 2.0), speed=0.5, anywhere=True)
    assert tell(model, (model.goal, go)) == [("consider", Consider((1.0, 2.0), 0.5, True))]
    assert tell(model, (model.considered, Considered(2.0, True))) == [("wheels_ask", Glide(2.0, 10.0, 0.0, 0.5))]
    other = navigator()
    tell(other, (other.goal, go))
    assert tell(other, (other.considered, Considered(3.0, False))) == [("wheels_ask", Glide(3.0, 0.2, 0.0, 0.1))]
    assert tell(other, (other.warning, CollisionWarning(True))) == [("wheels_ask", Glide())]  # slowly, not blindly


def test_a_warning_brakes_and_the_goal_has_ended_when_the_robot_stands() -> None:
    model = navigator()
    tell(model, (model.goal, Go(3, (0.0,), 1.0)))
    assert tell(model, (model.warning, CollisionWarning(True))) == [("wheels_ask", Glide())]
    assert tell(model, (model.wheels.answer, Glided(0.4, 0.0))) == []
    assert tell(model, (model.wheels.answer, Glided(0.0, 0.0))) == [("went", GoalEnded(3, "warned"))]


def test_a_goal_takes_the_place_of_another_and_only_its_end_is_told() -> None:
    model = navigator()
    tell(model, (model.goal, Go(1, (0.0,), 1.0)))
    assert tell(model, (model.goal, Go(2))) == [("wheels_ask", Glide())]
    assert tell(model, (model.wheels.answer, Glided(0.4, 0.0))) == []
    assert tell(model, (model.wheels.answer, Glided(0.0, 0.0))) == [("went", GoalEnded(2, "arrived"))]
    assert tell(model, (model.goal, Go(3))) == [("went", GoalEnded(3, "arrived"))]
    tell(model, (model.goal, Go(4, (0.0,), 1.0)))
    assert tell(model, (model.wheels.answer, Glided(0.1, 0.0, blocked=True))) == [("went", GoalEnded(4, "blocked"))]


def test_a_goal_that_is_to_be_free_ends_where_it_is_not_and_the_robot_stays() -> None:
    model = navigator()
    go = Go(1, (1.0,), 0.25, speed=0.3, stay=True)
    assert tell(model, (model.goal, go)) == [("consider", Consider((1.0,), 0.3))]
    assert tell(model, (model.considered, Considered(1.0, False))) == [("went", GoalEnded(1, "warned"))]
    assert tell(model, (model.goal, replace(go, number=2))) == [("consider", Consider((1.0,), 0.3))]
    assert tell(model, (model.considered, Considered(1.0, True))) == [("wheels_ask", Glide(1.0, 0.25, 0.0, 0.3))]
    assert tell(model, (model.goal, replace(go, number=3))) == [("consider", Consider((1.0,), 0.3))]  # while it goes
    assert tell(model, (model.considered, Considered(1.0, False))) == [("wheels_ask", Glide())]
    assert tell(model, (model.wheels.answer, Glided(0.1, 0.0))) == []
    assert tell(model, (model.wheels.answer, Glided(0.0, 0.0))) == [("went", GoalEnded(3, "warned"))]


def nothing(ahead: float, x: float = 0.0) -> RingScan:
    return RingScan((NOTHING,) * 16, x, 0.0, 0.0, ahead, 0.0)


def wall(ahead: float, distance: float) -> RingScan:
    """Something straight ahead of the edge."""
    return RingScan((distance, *(NOTHING,) * 15), 0.0, 0.0, 0.0, ahead, 0.0)


def looks(model: CollisionMap, *scans: RingScan) -> list[Said]:
    """What it says beside its questions, one look each period."""
    said: list[Said] = []
    for scan in scans:
        if model.phase == "pausing":
            model.lambdaf()
            model.ranging.ask.clear()
            model.deltint()
        model.ranging.answer.add(scan)
        model.deltext(0.0)
        model.ranging.answer.clear()
        if model.phase == "telling":
            model.lambdaf()
            said += [("warning", value) for value in model.warning.values]
            model.warning.clear()
            model.deltint()
    return said


def collision_map(foresight: Foresight = FORESIGHT) -> CollisionMap:
    model = CollisionMap("collision_map", foresight)
    model.initialize()
    return model


def test_it_tells_crossings_one_return_does_not_stop_a_robot_and_a_standing_one_is_not_warned() -> None:
    ahead = wall(0.5, 0.125)  # at 0.25 m from the middle: where 0.5 m/s leads in 0.5 s
    likely, over = ("warning", CollisionWarning(True)), ("warning", CollisionWarning(False))
    assert looks(collision_map(), *[wall(0.0, 0.125)] * 20) == []
    model = collision_map()
    assert looks(model, ahead, *[nothing(0.5)] * 20) == []  # one false return
    model = collision_map()
    assert looks(model, *[ahead] * 2) == []
    assert looks(model, *[ahead] * 2) == [likely]
    assert looks(model, nothing(0.0)) == [over]


def test_of_directions_the_first_free_one_is_answered_and_else_the_least_likely() -> None:
    model = collision_map()
    looks(model, *[wall(0.0, 0.125)] * 20)
    assert tell(model, (model.consider, Consider((0.0, 0.1, pi), 0.5)), e=0.0) == [("considered", Considered(pi, True))]
    ((_, answer),) = tell(model, (model.consider, Consider((0.0, 0.4), 0.5)), e=0.0)
    assert answer == Considered(0.4, False)
    ((_, answer),) = tell(model, (model.consider, Consider((0.0,), 0.5, anywhere=True)), e=0.0)
    assert answer.free is False
    # of those that are free slowly the first: the robot of 0.125 m passes what is 0.25 m from its middle at the side
    assert 0.25 * abs(sin(answer.direction)) > 0.125 or cos(answer.direction) < 0.0


def test_it_warns_of_what_comes_from_the_side_and_of_a_robot_that_comes_towards_it() -> None:
    """Two robots head-on at 0.5 m/s each have 0.5 s left when both begin to brake, 0.12 s after the warning."""
    needed = 2.0 * 0.5 * (0.5 + 0.12)
    beyond = FORESIGHT.lookahead * 0.5 + FORESIGHT.beside * 0.5 + 0.1
    model = collision_map()
    assert looks(model, *[wall(0.5, beyond)] * 20) == []
    assert looks(model, *[wall(0.5, needed)] * 4) == [("warning", CollisionWarning(True))]
    aside = RingScan((NOTHING, 0.15, *(NOTHING,) * 14), 0.0, 0.0, 0.0, 0.5, 0.0)  # 0.105 m beside the way
    assert looks(collision_map(), *[aside] * 4) == [("warning", CollisionWarning(True))]


def comes(step: int, ahead: float) -> RingScan:
    """Something comes from the left, 0.7 m away at first, at 0.5 m/s; the robot goes ahead (m/s)."""
    values = [NOTHING] * 16
    values[4] = 0.7 - 0.5 * 0.02 * step
    return RingScan(tuple(values), ahead * 0.02 * step, 0.0, 0.0, ahead, 0.0)


def test_it_warns_of_what_comes_towards_it_from_where_it_does_not_go_straight() -> None:
    standing = [RingScan(comes(24, 0.0).values, 0.0, 0.0, 0.0, 0.3, 0.3)] * 20
    moving = [replace(comes(step, 0.0), ahead=0.3, left=0.3) for step in range(25)]
    assert looks(collision_map(), *standing) == []
    assert looks(collision_map(), *moving) == [("warning", CollisionWarning(True))]


def test_it_answers_no_direction_towards_what_has_come_nearer_a_moment_ago() -> None:
    model = collision_map()
    looks(model, *[comes(step, 0.0) for step in range(20)])
    ask = Consider((1.0, 2.0, -1.0), 0.5)
    assert tell(model, (model.consider, ask), e=0.0) == [("considered", Considered(-1.0, True))]
    later = collision_map()
    looks(later, *[comes(step, 0.0) for step in range(20)], *[nothing(0.0)] * 60)
    assert tell(later, (later.consider, ask), e=0.0) == [("considered", Considered(1.0, True))]


def test_a_fast_robot_is_warned_of_a_wall_beside_it_and_a_slow_one_is_not() -> None:
    beside = (NOTHING,) * 4 + (0.04,) + (NOTHING,) * 11
    for speed, narrow, expected in ((0.5, False, True), (0.1, False, False), (0.3, True, False)):
        model = collision_map(Foresight(threshold=9.0))  # nothing is ever in its way
        looks(model, nothing(0.0))
        tell(model, (model.goal, Go(1, (0.0,), 1.0, narrow=narrow)), e=0.0)
        said = looks(model, *[RingScan(beside, 0.0, 0.0, 0.0, speed, 0.0)] * 5)
        assert said == ([("warning", CollisionWarning(True))] if expected else [])


def test_a_robot_with_a_carrier_is_warned_of_a_single_leg() -> None:
    """Three frames of a return are as much in the disc of a tray as in that of a robot."""
    model = collision_map()
    tell(model, (model.loaded, Loaded(True, 0.0)), e=0.0)
    assert looks(model, *[wall(0.3, 0.4)] * 4) == [("warning", CollisionWarning(True))]


@pytest.mark.parametrize(("beside", "free"), [(NOTHING, True), (0.17, False), (0.4, True)])
def test_who_comes_out_from_between_legs_waits_while_somebody_stands_beside_the_end(beside: float, free: bool) -> None:
    values = [0.086 if sensor % 4 == 2 else NOTHING for sensor in range(16)]
    values[1] = beside
    model = collision_map()
    looks(model, *[RingScan(tuple(values), 0.0, 0.0, 0.0, 0.0, 0.0)] * 5)
    go = Go(1, (0.0,), 0.345, narrow=True, under=3, stay=True, alone=True)
    tell(model, (model.goal, go), e=0.0)
    assert tell(model, (model.consider, Consider((0.0,), 0.3)), e=0.0) == [("considered", Considered(0.0, free))]


def test_what_is_behind_the_goal_does_not_end_the_way() -> None:
    model = collision_map()
    looks(model, nothing(0.0))
    tell(model, (model.goal, Go(1, (0.0,), 0.1)), e=0.0)
    assert looks(model, *[wall(0.3, 0.35)] * 20) == []


@settings(max_examples=60, deadline=None)
@given(st.floats(-pi, pi), st.floats(0.02, 0.29), st.floats(-0.02, 0.02), st.floats(-0.02, 0.02))
def test_a_loaded_robot_does_not_see_the_legs_that_it_carries(yaw: float, reading: float, x: float, y: float) -> None:
    shape = CarrierShape()
    model = collision_map()
    tell(model, (model.loaded, Loaded(True, yaw, x, y)), e=0.0)
    assert model.phase == "seeing"
    values = [NOTHING] * 16
    for sensor in range(16):
        for leg_x, leg_y in shape.legs_from(x, y, yaw):
            off = remainder(atan2(leg_y, leg_x) - sensor * 2.0 * pi / 16.0, 2.0 * pi)
            if abs(off) <= HALF_VIEW + shape.leg_radius / hypot(leg_x, leg_y):
                values[sensor] = reading
    scan = RingScan(tuple(values), 0.0, 0.0, 0.0, 0.3, 0.0)
    assert looks(model, *[scan] * 10) == []
    assert model.grid.seen < 0
    values[round(yaw / (2.0 * pi / 16.0)) % 16] = 0.2  # between two legs
    looks(model, RingScan(tuple(values), 0.0, 0.0, 0.0, 0.3, 0.0))
    assert model.grid.seen >= 0


def test_a_robot_that_looks_along_a_side_of_its_tray_is_blind_in_four_sensors_only() -> None:
    model = collision_map()
    tell(model, (model.loaded, Loaded(True, 0.03, 0.005, -0.005)), e=0.0)
    hidden = {sensor for sensor in range(16) if not seen_by(model, sensor)}
    assert hidden == {2, 6, 10, 14}


def seen_by(model: CollisionMap, sensor: int) -> bool:
    """Whether a near return of one sensor is written into the map."""
    before = model.grid.seen = -1
    looks(model, RingScan(tuple(0.2 if each == sensor else NOTHING for each in range(16)), 0.0, 0.0, 0.0, 0.0, 0.0))
    return model.grid.seen > before


def test_the_sizes_of_a_carrier() -> None:
    shape = CarrierShape()
    assert shape.beside == pytest.approx(0.019)
    assert shape.to_leg == pytest.approx(0.086, abs=5e-4)
    assert shape.half_diagonal == pytest.approx(0.255, abs=5e-4)
    assert all(hypot(*leg) == pytest.approx(0.229, abs=5e-4) for leg in shape.legs)
    assert settle(navigator()) == []
