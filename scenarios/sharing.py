"""What the host and the nodes of a distributed run must work out alike: who has which models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from devs_robotics.distribution import Part, Session, numbered, partition
from devs_robotics.distribution.control import HOST
from experimental_frames.convoy import Experiment
from scenarios.geometry import resolve
from scenarios.loading import fingerprint
from scenarios.schema import Clock, Frame, Run, Scenario

Owners = Mapping[str, tuple[int, ...]]
"""The robots of each node, by its name; all others are the host's."""


LARGEST = 1e6
"""No honest robot says a larger number."""


class OfItself(Struct, frozen=True):
    """Whether what comes from a robot's models is of that robot, and no number in it is infinite or huge.

    Attributes:
        robots: numbers by the path of the robot's model, without the root
    """

    robots: dict[str, int]

    def __call__(self, port: str, value: Any) -> bool:
        """Judge a value by the port that sends it."""
        robot = self.robots.get(port.partition(".")[0])
        return robot is None or (getattr(value, "robot", robot) == robot and _is_small(value))


def _is_small(value: Any) -> bool:
    if isinstance(value, Struct):
        value = astuple(value)
    if isinstance(value, tuple):
        return all(map(_is_small, value))
    return not isinstance(value, int | float) or abs(value) <= LARGEST


def likeness(scenario: Scenario) -> str:
    """A hash of what the robots' models are made from: all but the seed, the end, the frame and the pace of the run."""
    return fingerprint(resolve(scenario.model_copy(update={"run": Run(), "frame": Frame(), "clock": Clock()})))


def divide(model: Experiment, owners: Owners, session: Session) -> Part:
    """The part of one process, with the robots' models at their nodes and all else at the host.

    Args:
        model: of the whole convoy; at the host it is the root of the part
        owners: who has which robots
        session: as this process sees it
    """
    names = {robot.number: f"{model.system.name}/{robot.name}" for robot in model.system.robots}
    places = {f"{model.name}/{names[robot]}": node for node, robots in owners.items() for robot in robots}
    titles = {node: f"node {node} ({numbered(robots)})" for node, robots in owners.items()}
    fits = OfItself({path: robot for robot, path in names.items()})
    parts = partition(model, {model.name: HOST, **places}, session, {HOST: "the host", **titles}, fits)
    return parts[session.here]
