"""Obstacles of an arena: what they are, and how viewers are told of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees
from typing import Any, Literal
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from devs_robotics.core.robots.outside import Realities, Reality
from devs_robotics.hil.pera_swarm.arena import WireArena, centimetres
from devs_robotics.hil.pera_swarm.values import LETTER

ObstacleKind = Literal["wall", "box", "cylinder", "sphere"]

TITLES: dict[ObstacleKind, str] = {"wall": "Wall", "box": "Box", "cylinder": "Cylinder", "sphere": "Sphere"}
GEOMETRY: dict[ObstacleKind, str] = {
    "wall": "BoxGeometry",
    "box": "BoxGeometry",
    "cylinder": "CylinderGeometry",
    "sphere": "SphereGeometry",
}


class ArenaObstacle(Struct, frozen=True):
    """An obstacle, in the field (m, rad).

    Attributes:
        kind: of thing
        name: for people
        x, y: its middle
        heading: along its length; 0 for round ones
        length, depth: of walls and boxes, along and across
        radius: of round ones
        height: above the floor, which sensing does not ask for
        colour: as "#rrggbb" or by name; empty: none
        reality: whether it is really there
    """

    kind: ObstacleKind
    name: str
    x: float
    y: float
    reality: Reality
    heading: float = 0.0
    length: float = 0.0
    depth: float = 0.0
    radius: float = 0.0
    height: float = 0.0
    colour: str = ""

    @property
    def is_round(self) -> bool:
        """Whether its footprint is a circle, and not a rectangle."""
        return self.kind in ("cylinder", "sphere")


def shown(arena: WireArena, obstacles: Sequence[ArenaObstacle], sees: Realities) -> list[dict[str, Any]]:
    """The obstacles of some realities, as viewers draw them; each keeps its id in every run."""
    return [_shown(arena, number, each) for number, each in enumerate(obstacles, 1) if each.reality in sees]


def _shown(arena: WireArena, number: int, obstacle: ArenaObstacle) -> dict[str, Any]:
    x_cm, y_cm = arena.point(obstacle.x, obstacle.y)
    uuid = uuid5(NAMESPACE_URL, f"obstacle {number} {obstacle}")
    geometry: dict[str, Any] = {"type": GEOMETRY[obstacle.kind]}
    if obstacle.kind == "sphere":
        geometry["radius"] = centimetres(obstacle.radius)
    elif obstacle.kind == "cylinder":
        geometry["radiusTop"] = geometry["radiusBottom"] = centimetres(obstacle.radius)
        geometry["height"] = centimetres(obstacle.height)
    else:
        geometry["width"] = centimetres(obstacle.length)
        geometry["height"] = centimetres(obstacle.height)
        geometry["depth"] = centimetres(obstacle.depth)
    return {
        "id": f"{uuid} ({TITLES[obstacle.kind]})",
        "reality": LETTER[obstacle.reality],
        "geometry": geometry,
        "material": {"type": "MeshStandardMaterial", "properties": {"color": obstacle.colour or "#808080"}},
        "position": {"x": x_cm, "y": y_cm},
        "rotation": {"x": 0, "y": round(degrees(obstacle.heading), 9), "z": 0},
    }
