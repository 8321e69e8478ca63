"""From a scenario to the coupled model that runs it."""

from __future__ import annotations

from math import inf

from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.convoy import ConvoyAcceptor, ConvoyExperiment, ConvoyFrame, Formation
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.models.convoy import (
    Avoid,
    ConvoyRobot,
    ConvoySystem,
    Follower,
    FollowerRules,
    Leader,
    LeaderRules,
    RelativePose,
)
from devs_robotics.models.environment import Environment
from devs_robotics.scenarios.convoy.beginning import starts
from devs_robotics.scenarios.convoy.decisions import follower_class, leader_class
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import unmade
from devs_robotics.scenarios.setup.equipment import equipment_of
from devs_robotics.scenarios.setup.instruments import add_further, approaches
from devs_robotics.scenarios.setup.setup import RobotSetup, Setup


def experiment(setup: Setup[ConvoyScenario]) -> ConvoyExperiment:
    """The convoy under its experimental frame, with the activities of the setup's stage.

    Raises:
        DevsRoboticsError: somebody's class cannot be made
        PartError: a part of a frame cannot be made, or coupled to what there is in this stage
    """
    model = ConvoyExperiment("experiment", convoy_system(setup), convoy_frame(setup))
    add_further(model, setup)
    return model


def convoy_system(setup: Setup[ConvoyScenario]) -> ConvoySystem:
    """Robots and environment, without a frame."""
    corrects = setup.scenario.tracking.corrects
    return ConvoySystem("system", convoy_robots(setup), environment(setup), corrected=corrects)


def convoy_frame(setup: Setup[ConvoyScenario]) -> ConvoyFrame:
    """Generator, transducers and acceptor."""
    scenario = setup.scenario
    convoy, run = scenario.convoy, scenario.run
    return ConvoyFrame(
        "frame",
        MotionNoise("generator", convoy.robots, run.seed, scenario.noise.dnf, scenario.noise.anf),
        Formation("formation", setup.poses, convoy.distance, scenario.frame.parted),
        ConvoyAcceptor("acceptor", convoy.robots, run.rounds, inf if run.duration is None else run.duration),
        approaches(setup) if scenario.frame.approaches else None,
    )


def environment(setup: Setup[ConvoyScenario]) -> Environment:
    """The field with a body for each robot."""
    field, robot = setup.field(), setup.scenario.robot
    for x, y, heading in setup.poses:
        field.add_body(x, y, heading, robot.radius)
    strategy = setup.scenario.sensing.strategy
    return Environment("environment", field, robot.speed, robot.turn_rate, robot.whisker_reach, strategy=strategy)


def convoy_robots(setup: Setup[ConvoyScenario]) -> list[ConvoyRobot]:
    """The leader and its followers."""
    scenario, (leader, *followers) = setup.scenario, setup.robots
    robots = [_robot(setup, leader, decisions_of_leader(scenario))]
    for robot, start in zip(followers, starts(setup.poses), strict=True):
        robots.append(_robot(setup, robot, decisions_of_follower(scenario, robot.number, start)))
    return robots


def decisions_of_leader(scenario: ConvoyScenario) -> Leader:
    """The leader's decision model."""
    rules, beams = scenario.leader, scenario.infrared.leader_beams
    wanted = LeaderRules(rules.step, rules.turn, rules.swing, rules.clearance, beams, rules.path)
    with user_code(lambda why: unmade(rules.model, why)):
        return leader_class(scenario)("convoy", wanted, last=False)


def decisions_of_follower(scenario: ConvoyScenario, robot: int, start: RelativePose) -> Follower:
    """A follower's decision model; its front robot stands at `start`."""
    rules, radius = scenario.follower, scenario.robot.radius
    wanted = FollowerRules(
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
    )
    with user_code(lambda why: unmade(rules.model, why)):
        return follower_class(scenario)("convoy", robot, wanted, start, last=robot == scenario.convoy.robots)


def _robot(setup: Setup[ConvoyScenario], robot: RobotSetup, decisions: Leader | Follower) -> ConvoyRobot:
    avoid = Avoid("avoid", setup.scenario.robot.back_off)
    return ConvoyRobot(f"robot{robot.number}", decisions, avoid, equipment_of(setup, robot.number))
