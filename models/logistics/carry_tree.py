"""The behaviour tree of carrying, node by node: what it asks and says is the decision model's, `CarrierTree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from py_trees.behaviour import Behaviour
from py_trees.behaviours import Failure
from py_trees.composites import Selector, Sequence
from py_trees.decorators import FailureIsRunning, SuccessIsRunning

from devs_robotics import Sense
from devs_robotics.models.logistics.leaves import GoTo, LookAt
from devs_robotics.models.logistics.messages import AskTags, AskZone, MoveLifter
from devs_robotics.models.logistics.row import RowOfCarriers, lowering, take_to_row
from devs_robotics.models.trees import Check, Deliver, Pause, Perform

if TYPE_CHECKING:
    from devs_robotics.models.logistics.carry import CarrierTree


def carry_tree(carry: CarrierTree) -> Behaviour:
    """Explore, pick up, take to the drop zone; whatever fails begins anew."""
    begin = Sequence(
        "begin",
        True,
        [
            Deliver("open eyes", carry.vision.ask, AskTags()),
            Deliver("ask for the zone", carry.zone.ask, AskZone()),
            Pause("one after the other", carry.rules.apart * (carry.number - 1)),
        ],
    )
    task = Sequence("carry", True, [_explore(carry), _pick_up(carry), _take(carry)])
    again = FailureIsRunning("whatever fails", SuccessIsRunning("again", task))
    return Sequence("robot", True, [begin, again])


def _explore(carry: CarrierTree) -> Behaviour:
    found = Sequence(
        "found", True, [Check("explore: carrier seen?", carry.sees_carrier), GoTo("explore: stop", carry.stop)]
    )
    return Selector("explore", False, [found, _roam(carry, "explore", carry.way_to_search)])


def _pick_up(carry: CarrierTree) -> Behaviour:
    centre = Sequence(
        "centre",
        True,
        [
            Check("pick up: marker map seen?", carry.sees_map),
            GoTo("pick up: stop below", carry.stop),
            LookAt("pick up: look up", above=True),
            GoTo("pick up: to the centre", carry.to_centre),
            LookAt("pick up: look up again", above=True),
            GoTo("pick up: correct", carry.to_centre),
            LookAt("pick up: look up at last", above=True),
            Check("pick up: centred?", carry.is_centred),
            _raise(carry),
            Deliver("pick up: load", carry.loaded, carry.take_load),
            Deliver("pick up: close eyes", carry.vision.ask, AskTags(False)),
            Deliver("pick up: tell", carry.moved_carrier, carry.raised),
            Deliver("pick up: docked", carry.docking, carry.docked),
        ],
    )
    dock = Sequence(
        "dock",
        True,
        [
            Check("pick up: at predock?", carry.is_at_predock),
            GoTo("pick up: dock", carry.to_dock, stops=False),
        ],
    )
    predock = Sequence(
        "predock",
        True,
        [
            Check("pick up: tag seen?", carry.sees_tag),
            LookAt("pick up: look", above=False),
            GoTo("pick up: to predock", carry.to_predock),
        ],
    )
    give_up = Sequence(
        "give up", True, [Deliver("pick up: failed", carry.docking, carry.failed), Failure("pick up: nothing seen")]
    )
    later = [SuccessIsRunning("docking", dock), SuccessIsRunning("nearing", predock)]
    return Selector("pick up", False, [centre, *later, give_up])


def _raise(carry: CarrierTree) -> Behaviour:
    """Raise the lifter; where nothing is on it then, lower it again, as a robot does not fit under trays with it up."""
    empty = Sequence(
        "empty", True, [Perform("pick up: lower again", carry.lifter, MoveLifter(False)), Failure("pick up: empty")]
    )
    return Selector("raise", True, [Perform("pick up: raise", carry.lifter, MoveLifter(True), carry.is_lifted), empty])


def _take(carry: CarrierTree) -> Behaviour:
    if carry.rules.places == "row":
        return take_to_row(carry, RowOfCarriers(carry))
    put_down = Sequence("put down", True, [Check("take: in the drop zone?", carry.may_put_down), *lowering(carry)])
    return Selector("take", False, [put_down, _roam(carry, "take", carry.way_to_drop)])


def _roam(carry: CarrierTree, phase: str, goal: Any) -> Behaviour:
    """Draw a direction and go, again and again."""
    roam = Sequence(
        f"{phase}: roam",
        True,
        [Perform(f"{phase}: compass", carry.compass, Sense()), GoTo(f"{phase}: go", goal, stops=False)],
    )
    return FailureIsRunning(f"{phase}: anyway", SuccessIsRunning(f"{phase}: on", roam))
