"""What the host and the nodes of a distributed run must work out alike: who has which models."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from devs_robotics.core.distribution import Partition, Session, partition
from devs_robotics.core.distribution.control import HOST
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.experimental_frames.frame.taps import TAP
from devs_robotics.scenarios.case import case_of, resolve
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.schema import Scenario

Owners = Mapping[str, tuple[int, ...]]
"""The robots of each node, by its name; all others are the host's."""


LARGEST = 1e6
"""No honest robot says a larger number."""


class OfItself(Struct, frozen=True):
    """Whether what comes from a robot's models is of that robot, and no number in it is infinite or huge.

    What is tapped inside a robot for a frame's part may be infinite, as what a range sensor says of nothing is.

    Attributes:
        robots: numbers by the path of the robot's model, without the root
    """

    robots: dict[str, int]

    def __call__(self, port: str, value: Any) -> bool:
        """Judge a value by the port that sends it."""
        model, _, name = port.partition(".")
        robot = self.robots.get(model)
        if robot is None:
            return True
        return getattr(value, "robot", robot) == robot and _is_sane(value, infinite=name.startswith(TAP))


def _is_sane(value: Any, *, infinite: bool) -> bool:
    if isinstance(value, Struct):
        value = astuple(value)
    if isinstance(value, tuple):
        return all(_is_sane(item, infinite=infinite) for item in value)
    if not isinstance(value, int | float):
        return True
    return abs(value) <= LARGEST or (infinite and isinf(value))


def likeness(scenario: Scenario) -> str:
    """A hash of what the robots' models are made from: all but what the case study says may differ.

    Parts of further frames have ports of the robots' models led out to them, and so they count.
    """
    data, usual = scenario.model_dump(), type(scenario)().model_dump()
    for key in case_of(scenario).may_differ:
        table, _, name = key.partition(".")
        if name:
            data[table][name] = usual[table][name]
        else:
            data[table] = usual[table]
    data["frame"]["parts"] = scenario.frame.parts
    return fingerprint(resolve(type(scenario).model_validate({**data, "case": scenario.case})))


def divide(model: Experiment, owners: Owners, session: Session) -> Partition:
    """The part of one process, with the robots' models at their nodes and all else at the host.

    Args:
        model: of the whole experiment; at the host it is the root of the part
        owners: who has which robots
        session: as this process sees it
    """
    names = {robot.number: f"{model.system.name}/{robot.name}" for robot in model.system.robots}
    places = {f"{model.name}/{names[robot]}": node for node, robots in owners.items() for robot in robots}
    titles = {node: f"node {node} ({numbered(robots)})" for node, robots in owners.items()}
    fits = OfItself({path: robot for robot, path in names.items()})
    parts = partition(model, {model.name: HOST, **places}, session, {HOST: "the host", **titles}, fits)
    return parts[session.here]
