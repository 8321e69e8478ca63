"""A program as the published library makes it walks a maze in the served world, and talks to others there."""

from __future__ import annotations

from devs_robotics.core.robots.outside import Ordered
from tests.scenarios.serving.published_robot import PublishedRobot
from tests.scenarios.serving.wire import Wire, arena_with, stands


def wall(x: float, y: float, length: float, orientation: int) -> dict[str, object]:
    return {"type": "wall", "parameters": {"x": x, "y": y, "orientation": orientation, "width": length, "height": 8}}


MAZE = arena_with(
    wall(-90, -90, 180, 0),
    wall(-90, 90, 180, 0),
    wall(-90, -90, 180, 90),
    wall(90, -90, 180, 90),
    wall(-90, -30, 140, 0),  # a gap at its right end
    wall(-50, 30, 140, 0),  # and one at its left
)


def start(wire: Wire) -> None:
    wire.simulator.inject(wire.world.order, Ordered("start"))
    wire.go_on(wire.time)


def test_a_published_program_walks_through_a_maze_and_touches_nothing() -> None:
    wire = Wire(MAZE)
    robot = PublishedRobot(wire, 10, -60, -60, 0)
    robot.handle()
    assert robot.state == "WAIT"
    start(wire)
    robot.handle()
    assert robot.state == "RUN"
    field = wire.world.environment.space.field
    visited: list[tuple[float, float]] = []
    for _ in range(60):
        left, ahead, right = robot.proximity([-90, 0, 90])
        if ahead > 22:
            robot.forward(min(10, ahead - 18))
        else:
            robot.turn(90 if left > right else -90)
        visited.append((robot.x, robot.y))
        assert field.clearance(0) > 0.0
        if robot.x > 60 and robot.y > 30:
            break
        robot.handle()
        robot.sleep(1.0)
    assert visited[-1][0] > 60
    assert visited[-1][1] > 30
    corridors = [sum(low < y < high for _, y in visited) for low, high in ((-90, -30), (-30, 30), (30, 90))]
    assert min(corridors) > 5, "it went through all three"
    assert wire.world.gateway.repaired == 1
    assert wire.world.dropped == {}
    assert wire.time > 60.0, "its own sleeps and moves took their time"


def test_whoever_answers_the_roll_call_stays_and_others_are_missed() -> None:
    wire = Wire(MAZE)
    robot = PublishedRobot(wire, 10, -60, -60, 0)
    wire.put(stands(11, 60, 60))
    while wire.time < 500.0:
        robot.sleep(1.0)
        robot.handle()
    assert wire.world.presence.robots == [10]


def test_two_programs_hear_each_other_and_acknowledge() -> None:
    wire = Wire(MAZE)
    first, second = PublishedRobot(wire, 1, -60, -60, 0), PublishedRobot(wire, 2, -10, -60, 180)
    first.publish("comm/out/simple", '{"id":1,"msg":"1 REQ"}')
    second.handle()
    second.publish("comm/out/simple", '{"id":2,"msg":"1 2 ACK","dist":60}')
    first.handle()
    assert (first.heard, second.heard) == (["1 2 ACK"], ["1 REQ"])
    assert first.distance() == 50 - 6 - 6
