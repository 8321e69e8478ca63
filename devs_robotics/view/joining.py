"""Who joins a world while it runs, as the scene has it: a robot, a robot of an outside program, or a thing."""

from __future__ import annotations

from devs_robotics.models.environment.traits import Traits
from devs_robotics.view.scene import SceneBody

ROBOT = "robot"
"""Kind of the traits of a robot; whatever else joins is a thing, such as the leg of a carrier."""


def joined_body(body: int, slot: int, radius: float, traits: Traits, outside: str = "") -> SceneBody:
    """Who has joined, to be drawn.

    Args:
        body: its number in the environment, from 0
        slot: its place in states and timelines
        radius: of its body (m)
        traits: what it is
        outside: what a robot is called whose program is outside; empty for others
    """
    return SceneBody(
        slot=slot,
        robot=0 if outside or traits.kind != ROBOT else body + 1,
        name=outside or f"{traits.kind or 'body'} {body + 1}",
        kind="outside" if outside else "virtual",
        radius=radius,
        colour=traits.colour,
    )
