"""From a scenario to the coupled model that runs it."""

from __future__ import annotations

from math import inf

from experimental_frames.convoy import ConvoyAcceptor, ConvoyFrame, Experiment, Formation, MotionNoise
from models.convoy import (
    Avoid,
    ConvoyRobot,
    ConvoySystem,
    Follower,
    FollowerRules,
    Leader,
    LeaderRules,
    Start,
    virtual_equipment,
)
from models.environment import Environment
from scenarios.geometry import Pose, field_of, initial_poses, starts
from scenarios.schema import Scenario


def experiment(scenario: Scenario) -> Experiment:
    """The convoy under its experimental frame; the stage `fast`, in which everything is virtual."""
    return Experiment("experiment", convoy_system(scenario), convoy_frame(scenario))


def convoy_system(scenario: Scenario) -> ConvoySystem:
    """Robots and environment, without a frame."""
    poses = initial_poses(scenario)
    return ConvoySystem("system", convoy_robots(scenario, poses), environment(scenario, poses))


def convoy_frame(scenario: Scenario) -> ConvoyFrame:
    """Generator, transducer and acceptor."""
    convoy, run = scenario.convoy, scenario.run
    return ConvoyFrame(
        "frame",
        MotionNoise("generator", convoy.robots, run.seed, scenario.noise.dnf, scenario.noise.anf),
        Formation("formation", initial_poses(scenario), convoy.distance, scenario.frame.parted),
        ConvoyAcceptor("acceptor", convoy.robots, run.rounds, inf if run.duration is None else run.duration),
    )


def environment(scenario: Scenario, poses: list[Pose]) -> Environment:
    """The field with a body for each robot."""
    field, robot = field_of(scenario), scenario.robot
    for x, y, heading in poses:
        field.add_body(x, y, heading, robot.radius)
    return Environment("environment", field, robot.speed, robot.turn_rate, robot.whisker_reach)


def convoy_robots(scenario: Scenario, poses: list[Pose]) -> list[ConvoyRobot]:
    """The leader and its followers, each with virtual equipment."""
    rules = scenario.leader
    beams = scenario.infrared.leader_beams
    leader = Leader(
        "convoy", LeaderRules(rules.step, rules.turn, rules.swing, rules.clearance, beams, rules.path), last=False
    )
    robots = [_robot(scenario, 1, leader, beams)]
    for robot, start in enumerate(starts(poses), 2):
        robots.append(_robot(scenario, robot, _follower(scenario, robot, start), (0.0,)))
    return robots


def _follower(scenario: Scenario, robot: int, start: Start) -> Follower:
    rules, radius = scenario.follower, scenario.robot.radius
    return Follower(
        "convoy",
        robot,
        FollowerRules(
            spacing=scenario.convoy.distance,
            body_offset=2.0 * radius,
            front_radius=radius,
            nearest=rules.nearest,
            farthest=rules.farthest,
            tolerance=rules.tolerance,
            scan_step=rules.scan_step,
            scan_limit=rules.scan_limit,
            recovery_step=rules.recovery_step,
            recoveries=rules.recoveries,
            correction=rules.correction,
        ),
        start,
        last=robot == scenario.convoy.robots,
    )


def _robot(scenario: Scenario, robot: int, decisions: Leader | Follower, beams: tuple[float, ...]) -> ConvoyRobot:
    infrared = scenario.infrared
    equipment = virtual_equipment(robot, beams, infrared.range, infrared.resolution)
    return ConvoyRobot(f"robot{robot}", decisions, Avoid("avoid", scenario.robot.back_off), equipment)
