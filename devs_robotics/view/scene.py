"""What stands still in a picture of a run, and who moves in it: plain data, for any page or tool that draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from devs_robotics.core.former_names import former_classes
from devs_robotics.core.robots.track_gate import LOST

BodyKind = Literal["virtual", "counterpart", "real", "outside"]
"""Kinds of what is drawn: a virtual robot, the model's counterpart of a real one, a real robot as it is seen from
outside, or a robot that another program moves."""


class Disc(Struct, frozen=True, tag="circle", tag_field="shape"):
    """A circle (m)."""

    x: float
    y: float
    radius: float


class Outline(Struct, frozen=True, tag="polygon", tag_field="shape"):
    """A closed polygon, by its corners (m)."""

    corners: tuple[tuple[float, float], ...]


class Polyline(Struct, frozen=True, tag="line", tag_field="shape"):
    """A line from point to point (m).

    Attributes:
        points: that it leads through
        width: of the line; 0: as thin as can be seen
    """

    points: tuple[tuple[float, float], ...]
    width: float = 0.0


Shape = Disc | Outline | Polyline
"""What obstacles and marks look like."""


class Obstacle(Struct, frozen=True):
    """Something that stands in the field.

    Attributes:
        shape: of it
        name: for people; empty: none
    """

    shape: Disc | Outline
    name: str = ""


class Mark(Struct, frozen=True):
    """Something that a case study wants to be seen: an item, a zone, a battery's level, a path.

    Attributes:
        shape: of it, in the field, or, where it belongs to a robot, in that robot's frame; None: only its text
        text: that stands there, or beside the robot
        colour: by name or as ``#rrggbb``; empty: as the page draws such things
        filled: whether its area is filled
        robot: number of the robot that it belongs to; 0: nobody's
    """

    shape: Shape | None = None
    text: str = ""
    colour: str = ""
    filled: bool = False
    robot: int = 0


class SceneBody(Struct, frozen=True):
    """One thing that moves.

    Attributes:
        slot: its place in states and timelines, from 0; it is not used again
        robot: number of the robot, from 1; 0 where it is none
        name: for people
        kind: virtual, counterpart, real or outside
        radius: of its body (m)
        speed, turn_rate: pace of its motions as a whole, turn and way (m/s, rad/s); 0: it makes none
        colour: by name or as ``#rrggbb``; empty: as the page draws its kind
        beams: of its range sensors, from its heading, counter-clockwise (rad)
        reach: of the beams, from the edge of the body (m)
        seen: of a real robot, who says where it is, such as "fixes of the tracking system"
    """

    slot: int
    robot: int
    name: str
    kind: BodyKind = "virtual"
    radius: float = 0.1
    speed: float = 0.0
    turn_rate: float = 0.0
    colour: str = ""
    beams: tuple[float, ...] = ()
    reach: float = 0.0
    seen: str = ""

    @property
    def is_thing(self) -> bool:
        """Whether it is no robot, and must not look like one."""
        return not self.robot and self.kind != "outside"


class Scene(Struct, frozen=True, kw_only=True):
    """A field from above, as a viewer is told of it once.

    Attributes:
        title: of the run
        stage: of the run
        width, height: of the field, which begins at (0, 0) (m)
        walled: whether there are walls round it
        obstacles: in it
        bodies: who moves, slot 0 first
        marks: what a case study declares, by identity; they may change while the run goes on
        follow: number of the robot that a case study is about; 0: none
        published: what others have published, by the names of series over time
        tracks: for how long tracks are drawn at first (s)
        rays: most rays of sensors in one picture
        arrows: how many times as long errors of counterparts are drawn at first
        unseen: time after which it is unsure where a real robot is that no fix tells of (simulated s)
    """

    title: str
    stage: str = "fast"
    width: float
    height: float
    walled: bool = True
    obstacles: tuple[Obstacle, ...] = ()
    bodies: tuple[SceneBody, ...] = ()
    marks: dict[str, Mark] = {}
    follow: int = 0
    published: dict[str, float] = {}
    tracks: float = 30.0
    rays: int = 200
    arrows: int = 1
    unseen: float = LOST


if not TYPE_CHECKING:  # type checkers would take any name for one that it knows
    __getattr__ = former_classes(__name__, {"Line": Polyline})
