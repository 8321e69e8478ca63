"""From a scenario to the coupled model that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from devs_robotics import Device, DevsRoboticsError
from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.convoy import ConvoyAcceptor, ConvoyExperiment, ConvoyFrame, Formation
from devs_robotics.experimental_frames.frame import add_part, make_part
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.hil.tracking import Tracker
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
from devs_robotics.models.robots import Optics, equipment, virtual_equipment
from devs_robotics.scenarios.decisions import follower_class, leader_class
from devs_robotics.scenarios.geometry import Pose, field_of, initial_poses, starts
from devs_robotics.scenarios.parts import Part, parts
from devs_robotics.scenarios.schema import Scenario
from devs_robotics.scenarios.stages import Stage


def experiment(scenario: Scenario, stage: Stage = "fast") -> ConvoyExperiment:
    """The convoy under its experimental frames, with the activities of a stage.

    Raises:
        PartError: a part of a frame cannot be made, or coupled to what there is in this stage
    """
    model = ConvoyExperiment("experiment", convoy_system(scenario, stage), convoy_frame(scenario))
    if model.wires:
        model.track(Tracker("tracker", frozenset(model.wires)))
        poses = initial_poses(scenario)
        model.localise(Localisation("localisation", {robot: poses[robot - 1] for robot in model.wires}))
    for name, table in scenario.frame.parts.items():
        add_part(model, make_part(name, table.model, table.keys), table.taps, table.drives)
    return model


def convoy_system(scenario: Scenario, stage: Stage = "fast") -> ConvoySystem:
    """Robots and environment, without a frame."""
    poses = initial_poses(scenario)
    robots = convoy_robots(scenario, poses, parts(scenario, stage))
    return ConvoySystem("system", robots, environment(scenario, poses), corrected=scenario.tracking.corrects)


def convoy_frame(scenario: Scenario) -> ConvoyFrame:
    """Generator, transducers and acceptor."""
    convoy, run = scenario.convoy, scenario.run
    return ConvoyFrame(
        "frame",
        MotionNoise("generator", convoy.robots, run.seed, scenario.noise.dnf, scenario.noise.anf),
        Formation("formation", initial_poses(scenario), convoy.distance, scenario.frame.parted),
        ConvoyAcceptor("acceptor", convoy.robots, run.rounds, inf if run.duration is None else run.duration),
        approaches(scenario) if scenario.frame.approaches else None,
    )


def approaches(scenario: Scenario) -> Approaches:
    """A transducer of how near bodies come to each other and to all else."""
    field = field_of(scenario)
    return Approaches(
        "approaches",
        field.width,
        field.height,
        field.obstacles,
        [scenario.robot.radius] * scenario.convoy.robots,
        initial_poses(scenario),
        scenario.safety.approach,
    )


def environment(scenario: Scenario, poses: list[Pose]) -> Environment:
    """The field with a body for each robot."""
    field, robot = field_of(scenario), scenario.robot
    for x, y, heading in poses:
        field.add_body(x, y, heading, robot.radius)
    return Environment("environment", field, robot.speed, robot.turn_rate, robot.whisker_reach)


def convoy_robots(scenario: Scenario, poses: list[Pose], real: Mapping[int, Part]) -> list[ConvoyRobot]:
    """The leader and its followers, virtual but for those that are named `real`."""
    robots = [_robot(scenario, 1, decisions_of_leader(scenario), scenario.infrared.leader_beams, real.get(1))]
    for robot, start in enumerate(starts(poses), 2):
        robots.append(_robot(scenario, robot, decisions_of_follower(scenario, robot, start), (0.0,), real.get(robot)))
    return robots


def decisions_of_leader(scenario: Scenario) -> Leader:
    """The leader's decision model."""
    rules, beams = scenario.leader, scenario.infrared.leader_beams
    wanted = LeaderRules(rules.step, rules.turn, rules.swing, rules.clearance, beams, rules.path)
    with user_code(lambda why: _unmade(rules.model, why)):
        return leader_class(scenario)("convoy", wanted, last=False)


def decisions_of_follower(scenario: Scenario, robot: int, start: RelativePose) -> Follower:
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
    with user_code(lambda why: _unmade(rules.model, why)):
        return follower_class(scenario)("convoy", robot, wanted, start, last=robot == scenario.convoy.robots)


def _robot(
    scenario: Scenario, robot: int, decisions: Leader | Follower, beams: tuple[float, ...], part: Part | None
) -> ConvoyRobot:
    optics = Optics(beams, scenario.infrared.range, scenario.infrared.resolution)
    if part is None:
        tools = virtual_equipment(robot, optics)
    else:
        tools = equipment(robot, optics, part.kinds, _device(scenario, robot, part, optics))
    return ConvoyRobot(f"robot{robot}", decisions, Avoid("avoid", scenario.robot.back_off), tools)


def _device(scenario: Scenario, robot: int, part: Part, optics: Optics) -> Device:
    """What speaks with a real robot; slow to load, and of no use to the other stages."""
    from devs_robotics.hil.drivers import DriverSettings, driver_for

    body, real = scenario.robot, part.robot
    settings = DriverSettings(
        speed=body.speed,
        turn_rate=body.turn_rate,
        radius=body.radius,
        beams=optics.bearings if part.kinds.infrared == "real" else (),
        reach=optics.reach,
        resolution=optics.resolution,
        whisker_reach=body.whisker_reach,
        proximity=real.proximity,
        answer_within=real.answer_within,
        link_within=real.link_within,
    )
    with user_code(lambda why: _unmade(real.protocol, why)):
        return driver_for(real.protocol)("device", robot, real.address or "a stand-in", settings)


def _unmade(target: str, why: str) -> DevsRoboticsError:
    return DevsRoboticsError(f"{target!r} cannot be made, its __init__ raises {why}: mend the class")
