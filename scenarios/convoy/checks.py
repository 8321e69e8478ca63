"""What the convoy's keys must be to each other, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from devs_robotics.scenarios.case_study.case_study import Disagreement
from devs_robotics.scenarios.convoy.beginning import line_length
from devs_robotics.scenarios.convoy.decision_models import check_decisions
from devs_robotics.scenarios.convoy.settings import ConvoyScenario


def check(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    """Every way in which the convoy's keys disagree."""
    for rule in (_ends, _population, _spacing, _leader, _field, _sight, check_decisions):
        yield from rule(scenario)


def _ends(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    run, transient = scenario.run, scenario.frame.transient_rounds
    if run.rounds is not None and transient is not None and transient >= run.rounds:
        yield (
            ("frame.transient_rounds", "run.rounds"),
            f"leaves out {transient} rounds of {run.rounds}, so that nothing is measured: make it less than run.rounds",
        )


def _population(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    if scenario.run.population == "arrays":
        yield (
            ("run.population",),
            'is "arrays", and a convoy has no twin that decides in them: make it "models", or leave it out',
        )
    if scenario.sensing.strategy == "grid":
        yield (
            ("sensing.strategy",),
            'is "grid", and robots of a convoy make motions, and ask: leave it out',
        )


def _spacing(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    distance, radius = scenario.convoy.distance, scenario.robot.radius
    infrared, follower = scenario.infrared, scenario.follower
    if distance <= 2 * radius:
        yield (
            ("convoy.distance", "robot.radius"),
            (
                f"{distance:g} m leaves no room between two bodies of radius {radius:g} m: "
                f"make it more than {2 * radius:g} m"
            ),
        )
    elif distance - 2 * radius >= infrared.range:
        yield (
            ("convoy.distance", "robot.radius", "infrared.range"),
            (
                f"{distance:g} m puts the front robot out of infrared range: "
                f"make it at most {infrared.range + 2 * radius:g} m, or infrared.range larger"
            ),
        )
    if scenario.frame.parted <= distance:
        yield (
            ("frame.parted", "convoy.distance"),
            (
                f"{scenario.frame.parted:g} m would call a robot lost that is at its place: "
                f"make it more than convoy.distance ({distance:g} m)"
            ),
        )
    if follower.nearest >= distance - follower.tolerance:
        yield (
            ("follower.nearest", "convoy.distance", "follower.tolerance"),
            f"a front robot at its right place would be ignored: make it less than {distance - follower.tolerance:g} m",
        )
    if follower.farthest <= distance:
        yield (
            ("follower.farthest", "convoy.distance"),
            f"a front robot at its right place would be ignored: make it more than {distance:g} m",
        )
    if follower.scan_limit < follower.scan_step:
        yield (("follower.scan_limit", "follower.scan_step"), "is less than follower.scan_step: make it more")


def _leader(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    leader, infrared = scenario.leader, scenario.infrared
    if leader.path:
        if not any(turn or distance for turn, distance in leader.path):
            yield (("leader.path",), "never moves, and time would stand still: add a turn or a distance")
        return
    if leader.clearance > infrared.range:
        yield (
            ("leader.clearance", "infrared.range"),
            f"{leader.clearance:g} m is further than the infrared range of {infrared.range:g} m: make it less",
        )
    if leader.step >= leader.clearance:
        yield (
            ("leader.step", "leader.clearance"),
            (
                f"a step of {leader.step:g} m would lead past what was found free ({leader.clearance:g} m): "
                f"make it less than leader.clearance"
            ),
        )


def _field(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    convoy, table, radius = scenario.convoy, scenario.field, scenario.robot.radius
    needed = line_length(scenario) + 2 * radius
    if convoy.poses is None:
        if table.width is not None and table.width < needed:
            yield (
                ("field.width", "convoy.robots", "convoy.distance", "robot.radius"),
                (
                    f"{table.width:g} m is too small for a line of {convoy.robots} robots, {needed:g} m long: "
                    f"make it at least {needed:g} m, or leave it out"
                ),
            )
        if table.height is not None and table.height < 2 * radius:
            yield (
                ("field.height", "robot.radius"),
                f"{table.height:g} m is narrower than a robot: make it more",
            )
    elif len(convoy.poses) != convoy.robots:
        yield (
            ("convoy.poses", "convoy.robots"),
            f"has {len(convoy.poses)} poses for {convoy.robots} robots: give one for each robot",
        )


def _sight(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    """Each follower must be able to see its front robot at the beginning."""
    poses = scenario.convoy.poses
    if poses is None or len(poses) != scenario.convoy.robots:
        return
    reach = scenario.infrared.range + 2 * scenario.robot.radius
    for robot, (front, own) in enumerate(pairwise(poses), 2):
        gap = hypot(front[0] - own[0], front[1] - own[1])
        if gap > reach:
            yield (
                ("convoy.poses", "infrared.range", "robot.radius"),
                (
                    f"robot {robot} stands {gap:g} m behind its front robot, which it can see to {reach:g} m only: "
                    f"move it closer"
                ),
            )
