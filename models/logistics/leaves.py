"""Leaves of the behaviour tree of carrying: going somewhere, and looking at a tag or a marker map while standing."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, remainder, tau
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from py_trees.common import Status

from devs_robotics.models.logistics.layout import SIDES
from devs_robotics.models.logistics.messages import Go
from devs_robotics.models.trees import TreeLeaf

if TYPE_CHECKING:
    from devs_robotics.models.logistics.carry import CarrierTree

LOOKS = 8
"""Number of frames whose mean is taken."""

LOST = 1.0
"""What was not seen for so long is lost (s)."""


class Glimpse(Struct, frozen=True):
    """Where a tag, or a marker map, is from the robot: camera, carrier, pose (m, m, rad)."""

    camera: int
    carrier: int
    x: float
    y: float
    yaw: float


class GoTo(TreeLeaf):
    """Gives the navigator a goal when it is entered, and runs until that has ended; it succeeds where it arrived.

    Args:
        goal: makes the goal; None: the robot is there already
        stops: whether the navigator is told to stop when the leaf is interrupted
    """

    def __init__(self, name: str, goal: Callable[[], Go | None], *, stops: bool = True) -> None:
        super().__init__(name)
        self.goal, self.stops = goal, stops
        self.number = 0
        """Of the goal; 0: none."""

    def initialise(self) -> None:
        """Give the goal."""
        made = self.goal()
        self.number = 0 if made is None else made.number
        if made is not None:
            carry = cast("CarrierTree", self.tree)
            carry.send(carry.go, made)

    def update(self) -> Status:
        """Success where the robot arrived, failure where something ended its way."""
        if not self.number:
            return Status.SUCCESS
        went = self.tree.board.get("went")
        if went is None or went.number != self.number:
            return Status.RUNNING
        if went.how == "arrived":
            return Status.SUCCESS
        cast("CarrierTree", self.tree).cause = went.how
        return Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        """Stop what is under way."""
        if new_status is Status.INVALID and self.status is Status.RUNNING and self.stops:
            carry = cast("CarrierTree", self.tree)
            carry.send(carry.go, carry.stop())

    def callables(self) -> tuple[object, ...]:
        """What makes the goal."""
        return (self.goal,)


class LookAt(TreeLeaf):
    """Looks, while the robot stands, until there are enough frames for a mean; it fails when there are none for 1 s.

    Args:
        above: whether the marker map above is looked at; else the tag that the robot heeds
    """

    def __init__(self, name: str, *, above: bool) -> None:
        super().__init__(name)
        self.above = above

    def initialise(self) -> None:
        """Forget what was seen on the way."""
        cast("CarrierTree", self.tree).begin_look(above=self.above)

    def update(self) -> Status:
        """Success with enough frames."""
        carry = cast("CarrierTree", self.tree)
        if len(carry.glimpses) >= LOOKS:
            carry.estimate = mean(carry.glimpses)
            return Status.SUCCESS
        if self.tree.passed(carry.last_glimpse + LOST):
            carry.cause = "lost"
            return Status.FAILURE
        return Status.RUNNING


def mean(glimpses: list[Glimpse]) -> Glimpse:
    """The mean of glimpses by the camera that saw the last one, of the same side of the carrier."""
    last = glimpses[-1]
    kept = [
        each
        for each in glimpses
        if each.camera == last.camera and abs(remainder(each.yaw - last.yaw, tau)) < pi / SIDES
    ]
    off = sum(remainder(each.yaw - last.yaw, tau) for each in kept) / len(kept)
    count = len(kept)
    x, y = sum(each.x for each in kept) / count, sum(each.y for each in kept) / count
    return Glimpse(last.camera, last.carrier, x, y, remainder(last.yaw + off, tau))
