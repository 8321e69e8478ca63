"""Component-level measures of a team, out of its monitors: what each robot did with its time, and how waves ran."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics.experimental_frames.conformance.records import ConformanceTable
from devs_robotics.experimental_frames.convoy.conformance.protocol import BACK, BOTH, FRONT, HELD, Rule
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import RobotMonitor
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor

_HEAD = (
    "robot", "rounds", "waits for front", "for back", "turns, moves", "looks, adjusts", "held by Avoid",
    "behind its front", "at most",
)  # fmt: skip


def times(team: TeamMonitor) -> ConformanceTable:
    """How long each robot did what (s in all), and how much later than its front robot it completed rounds (s)."""
    return ConformanceTable("time of each robot (s)", _HEAD, tuple(_row(team, number) for number in team.robots))


def followed(team: TeamMonitor) -> str:
    """How much of a team was followed, and how often it broke the protocol, in words."""
    found = len(team.violations)
    return f"{team.messages:,} messages, {found or 'no'} violation{'s' if found != 1 else ''}"


def delays(front: RobotMonitor, back: RobotMonitor) -> list[float]:
    """How much later than its front robot a robot completed each round (s)."""
    return [own - other for other, own in zip(front.informed, back.informed, strict=False)]


def covered(teams: Sequence[TeamMonitor]) -> tuple[set[Rule], set[Rule]]:
    """Lines of the followers' protocol that teams have gone through, and all that there are."""
    followers = [robot for team in teams for robot in team.robots.values() if robot.part.sight is not None]
    every = {rule for robot in followers for rule in robot.part.machine.rules}
    return {rule for robot in followers for rule in robot.made}, every


def _row(team: TeamMonitor, number: int) -> tuple[str, ...]:
    robot, front = team.robots[number], team.robots.get(number - 1)
    spent = robot.spent
    behind = [] if front is None else delays(front, robot)
    shown = (
        spent[FRONT] + spent[BOTH],
        spent[BACK],
        spent["turning"] + spent["moving"],
        spent["looking"] + spent["adjusting"],
        sum(spent[state] for state in HELD),
    )
    return (
        str(number),
        str(robot.rounds),
        *(f"{seconds:.1f}" for seconds in shown),
        f"{sum(behind) / len(behind):.2f}" if behind else "-",
        f"{max(behind):.2f}" if behind else "-",
    )
