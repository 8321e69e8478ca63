"""What the convoy's keys must be to each other, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from devs_robotics.scenarios.convoy.beginning import line_length
from devs_robotics.scenarios.convoy.decisions import check_decisions
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.settings.checks import check_obstacles
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.setup.setup import set_up


def check(scenario: ConvoyScenario) -> Iterator[Problem]:
    """Every way in which the convoy's keys disagree."""
    for rule in (_ends, _spacing, _leader, _field, _places, _sight, check_decisions):
        yield from rule(scenario)


def _ends(scenario: ConvoyScenario) -> Iterator[Problem]:
    run, transient = scenario.run, scenario.frame.transient_rounds
    if run.rounds is not None and transient is not None and transient >= run.rounds:
        yield Problem(
            ("frame.transient_rounds", "run.rounds"),
            f"leaves out {transient} rounds of {run.rounds}, so that nothing is measured: make it less than run.rounds",
        )


def _spacing(scenario: ConvoyScenario) -> Iterator[Problem]:
    distance, radius = scenario.convoy.distance, scenario.robot.radius
    infrared, follower = scenario.infrared, scenario.follower
    if distance <= 2 * radius:
        yield Problem(
            ("convoy.distance", "robot.radius"),
            f"{distance:g} m leaves no room between two bodies of radius {radius:g} m: "
            f"make it more than {2 * radius:g} m",
        )
    elif distance - 2 * radius >= infrared.range:
        yield Problem(
            ("convoy.distance", "robot.radius", "infrared.range"),
            f"{distance:g} m puts the front robot out of infrared range: "
            f"make it at most {infrared.range + 2 * radius:g} m, or infrared.range larger",
        )
    if scenario.frame.parted <= distance:
        yield Problem(
            ("frame.parted", "convoy.distance"),
            f"{scenario.frame.parted:g} m would call a robot lost that is at its place: "
            f"make it more than convoy.distance ({distance:g} m)",
        )
    if follower.nearest >= distance - follower.tolerance:
        yield Problem(
            ("follower.nearest", "convoy.distance", "follower.tolerance"),
            f"a front robot at its right place would be ignored: make it less than {distance - follower.tolerance:g} m",
        )
    if follower.farthest <= distance:
        yield Problem(
            ("follower.farthest", "convoy.distance"),
            f"a front robot at its right place would be ignored: make it more than {distance:g} m",
        )
    if follower.scan_limit < follower.scan_step:
        yield Problem(("follower.scan_limit", "follower.scan_step"), "is less than follower.scan_step: make it more")


def _leader(scenario: ConvoyScenario) -> Iterator[Problem]:
    leader, infrared = scenario.leader, scenario.infrared
    if leader.path:
        if not any(turn or distance for turn, distance in leader.path):
            yield Problem(("leader.path",), "never moves, and time would stand still: add a turn or a distance")
        return
    if leader.clearance > infrared.range:
        yield Problem(
            ("leader.clearance", "infrared.range"),
            f"{leader.clearance:g} m is further than the infrared range of {infrared.range:g} m: make it less",
        )
    if leader.step >= leader.clearance:
        yield Problem(
            ("leader.step", "leader.clearance"),
            f"a step of {leader.step:g} m would lead past what was found free ({leader.clearance:g} m): "
            f"make it less than leader.clearance",
        )


def _field(scenario: ConvoyScenario) -> Iterator[Problem]:
    convoy, table, radius = scenario.convoy, scenario.field, scenario.robot.radius
    needed = line_length(scenario) + 2 * radius
    if convoy.poses is None:
        if table.width is not None and table.width < needed:
            yield Problem(
                ("field.width", "convoy.robots", "convoy.distance", "robot.radius"),
                f"{table.width:g} m is too small for a line of {convoy.robots} robots, {needed:g} m long: "
                f"make it at least {needed:g} m, or leave it out",
            )
        if table.height is not None and table.height < 2 * radius:
            yield Problem(
                ("field.height", "robot.radius"),
                f"{table.height:g} m is narrower than a robot: make it more",
            )
    elif len(convoy.poses) != convoy.robots:
        yield Problem(
            ("convoy.poses", "convoy.robots"),
            f"has {len(convoy.poses)} poses for {convoy.robots} robots: give one for each robot",
        )


def _places(scenario: ConvoyScenario) -> Iterator[Problem]:
    """Bodies in each other, in walls or in obstacles. Only where a first body would otherwise be put anywhere."""
    if any(_field(scenario)) or any(check_obstacles(scenario)):
        return
    setup, radius = set_up(scenario), scenario.robot.radius
    where = "convoy.poses" if scenario.convoy.poses is not None else "field.obstacles"
    for robot, (x, y, _) in enumerate(setup.poses, 1):
        if setup.walled and not (radius <= x <= setup.width - radius and radius <= y <= setup.height - radius):
            yield Problem(
                (where, "field.width", "field.height", "robot.radius"),
                f"robot {robot} at ({x:g}, {y:g}) m would not be inside the walls: move it",
            )
        for number, obstacle in enumerate(setup.obstacles, 1):
            if obstacle.distance(x, y) < radius:
                yield Problem(
                    (where, "field.obstacles", "robot.radius"),
                    f"robot {robot} at ({x:g}, {y:g}) m would stand in obstacle {number}: move one of them",
                )
    if scenario.convoy.poses is not None:
        for first, second in _overlapping(setup.poses, 2 * radius):
            yield Problem(
                ("convoy.poses", "robot.radius"),
                f"robots {first} and {second} would stand in each other: move them {2 * radius:g} m apart or more",
            )


def _overlapping(poses: list[tuple[float, float, float]], apart: float) -> Iterator[tuple[int, int]]:
    """Pairs of robots whose centres are closer than `apart`, found along x."""
    order = sorted(range(len(poses)), key=lambda index: poses[index][0])
    for place, first in enumerate(order):
        for second in order[place + 1 :]:
            if poses[second][0] - poses[first][0] >= apart:
                break
            if hypot(poses[second][0] - poses[first][0], poses[second][1] - poses[first][1]) < apart:
                yield min(first, second) + 1, max(first, second) + 1


def _sight(scenario: ConvoyScenario) -> Iterator[Problem]:
    """Each follower must be able to see its front robot at the beginning."""
    poses = scenario.convoy.poses
    if poses is None or len(poses) != scenario.convoy.robots:
        return
    reach = scenario.infrared.range + 2 * scenario.robot.radius
    for robot, (front, own) in enumerate(pairwise(poses), 2):
        gap = hypot(front[0] - own[0], front[1] - own[1])
        if gap > reach:
            yield Problem(
                ("convoy.poses", "infrared.range", "robot.radius"),
                f"robot {robot} stands {gap:g} m behind its front robot, which it can see to {reach:g} m only: "
                f"move it closer",
            )
