"""Where carriers are put down: in a row at the end of the drop zone, side by side, filled from the left."""

from __future__ import annotations

from math import pi, remainder
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.composites import Selector, Sequence
from py_trees.decorators import FailureIsRunning, FailureIsSuccess, SuccessIsRunning

from devs_robotics import Sense
from devs_robotics.models.logistics.layout import FIT_SPEED
from devs_robotics.models.logistics.leaves import GoTo
from devs_robotics.models.logistics.messages import AskTags, Go, MoveLifter
from devs_robotics.models.trees import Check, Deliver, Perform

if TYPE_CHECKING:
    from devs_robotics.models.logistics.carry import CarrierTree

READINGS = 8
"""Of the compass, whose mean is taken before a robot turns with its carrier."""

STRETCH = 0.25
"""Of a way towards the drop zone or along it (m): else the robot would pass gaps between carriers."""

BACK = 0.2
"""How far it goes back from what is in its way (m)."""

DEEP = 0.6
"""Longest way to the end of the drop zone (m)."""

OFF = 0.06
"""How far it goes back from the end (m): a wall nearer beside the way would warn it, as each return counts in the
middle of its sensor's view."""

LONG = 3.7
"""Longest way along the end (m)."""

LEFT, RIGHT = 1, -1
"""Sides, in quarters of a turn from +x."""


class RowOfCarriers:
    """The ways of a robot with a carrier to its place in the row; it goes along sides of the tray only.

    On its way it is like a robot that follows an obstacle's boundary until it can go on towards its goal (the Bug
    algorithms of Lumelsky and Stepanov, 1987, 10.1007/BF01840369): ahead, else aside; else back and then aside; and
    only where that is barred, too, to the other side. At first it goes to the right: the row is filled from the left.

    Args:
        carry: the decision model, which makes the goals
    """

    def __init__(self, carry: CarrierTree) -> None:
        self.carry = carry
        self.side = RIGHT

    def begin(self) -> Go:
        """Turn with the carrier, so that a side of the tray is ahead."""
        self.side = RIGHT
        return self.carry.turned_by(-remainder(self.carry.yaw_in_map, pi / 2.0))

    def ahead(self) -> Go:
        """Towards the drop zone."""
        return self.carry.along(0, STRETCH)

    def nose_ahead(self) -> Go:
        """The same, slowly: from near it sees gaps better."""
        return self.carry.along(0, STRETCH, speed=FIT_SPEED)

    def aside(self) -> Go:
        """Along what bars the way."""
        return self.carry.along(self.side, STRETCH)

    def nose_aside(self) -> Go:
        """The same, slowly."""
        return self.carry.along(self.side, STRETCH, speed=FIT_SPEED)

    def back(self) -> Go:
        """Away from what bars the way, and its neighbours."""
        return self.carry.along(2, BACK)

    def to_other_side(self) -> Go:
        """To the other side from now on."""
        self.side = -self.side
        return self.aside()

    def to_end(self) -> Go:
        """To the end of the drop zone."""
        return self.carry.along(0, DEEP, speed=FIT_SPEED)

    def off_end(self) -> Go:
        """A little back."""
        return self.carry.along(2, OFF, speed=FIT_SPEED)

    def along_end(self) -> Go:
        """To the left, until something is near."""
        return self.carry.along(LEFT, LONG)

    def up_to_next(self) -> Go:
        """The same slowly, which leads nearer to it."""
        return self.carry.along(LEFT, LONG, speed=FIT_SPEED)


def take_to_row(carry: CarrierTree, row: RowOfCarriers) -> Behaviour:
    """Turn, go to the drop zone, and there to the end of the row; put the carrier down."""
    compass = [Perform("take: compass", carry.compass, Sense()) for _ in range(READINGS)]
    square = Sequence("square up", True, [*compass, GoTo("take: square up", row.begin)])
    put_down = Sequence(
        "put down",
        True,
        [
            Check("take: in the drop zone?", carry.is_inside),
            _anyhow(GoTo("take: to its end", row.to_end)),
            _anyhow(GoTo("take: off its end", row.off_end)),
            _anyhow(GoTo("take: along its end", row.along_end)),
            _anyhow(GoTo("take: up to the next one", row.up_to_next)),
            Check("take: still there?", carry.may_put_down),
            *lowering(carry),
        ],
    )
    return Sequence("take", True, [square, Selector("bring", False, [put_down, _search(carry, row)])])


def lowering(carry: CarrierTree) -> list[Behaviour]:
    """Stop, and put the carrier down."""
    return [
        GoTo("take: stop", carry.stop),
        Perform("take: lower", carry.lifter, MoveLifter(False)),
        Deliver("take: unload", carry.loaded, carry.drop_load),
        Deliver("take: tell", carry.moved_carrier, carry.put_down),
        Deliver("take: open eyes", carry.vision.ask, AskTags()),
    ]


def _search(carry: CarrierTree, row: RowOfCarriers) -> Behaviour:
    """Towards the drop zone, and along what stands there to a gap; where all is barred, by chance as published."""
    back = Sequence(
        "back", True, [GoTo("take: back", row.back, stops=False), GoTo("take: along", row.aside, stops=False)]
    )
    ways = Selector(
        "ways",
        True,
        [
            GoTo("take: ahead", row.ahead, stops=False),
            GoTo("take: nose ahead", row.nose_ahead, stops=False),
            GoTo("take: aside", row.aside, stops=False),
            back,
            GoTo("take: nose aside", row.nose_aside, stops=False),
            GoTo("take: to the other side", row.to_other_side, stops=False),
            GoTo("take: anywhere", carry.way_to_drop, stops=False),
        ],
    )
    stretch = Sequence("stretch", True, [Perform("take: compass again", carry.compass, Sense()), ways])
    return FailureIsRunning("take: anyway", SuccessIsRunning("take: on", stretch))


def _anyhow(node: Behaviour) -> Behaviour:
    """Whatever comes of it, go on."""
    return FailureIsSuccess(f"{node.name}, anyhow", node)
