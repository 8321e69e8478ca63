"""CarrierTree: the behaviour tree of a robot that looks for carriers, picks one up, and takes it to the drop zone."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, log, pi, remainder, sqrt, tau
from typing import Any

from py_trees.behaviour import Behaviour

from devs_robotics import Actuator, In, Out, Sense, Sensor, Stream
from devs_robotics.models.logistics.carry_tree import carry_tree
from devs_robotics.models.logistics.layout import (
    CAMERAS,
    CARRY_SPEED,
    FIT_SPEED,
    LIFT,
    PREDOCK,
    RADIUS,
    SEARCH_SPEED,
    SHAPE,
    UP,
    CarrierShape,
    turned,
)
from devs_robotics.models.logistics.leaves import Glimpse
from devs_robotics.models.logistics.messages import (
    AskTags,
    AskZone,
    CarrierMoved,
    CollisionWarning,
    CompassReading,
    DockingEnded,
    Go,
    GoalEnded,
    LifterMoved,
    Loaded,
    MoveLifter,
    TagsSeen,
    ZoneReading,
)
from devs_robotics.models.logistics.rules import RULES, CarryRules
from devs_robotics.models.logistics.way_in import WayIn
from devs_robotics.models.trees import BehaviourTree

HEEDED = 3.0
"""On seeing a tag a robot heeds that carrier alone for so long (s)."""

FRESH = 0.5
"""What was seen so long ago is seen (s)."""


ALIGNED = 0.03
"""By how much a robot under a carrier may be turned from a side of that before it raises it (rad)."""


class CarrierTree(BehaviourTree):
    """Explores until it sees a carrier in the search zone, picks that up, takes it to the drop zone, and again.

    The tree, node by node, is that of arXiv 2203.13809, section "behaviour trees". Ours are: carriers count in the
    search zone only, since one in the drop zone is done; what is raised is not picked up; poses are means of frames
    seen while standing; after a failed docking it explores for some seconds; it leaves a carrier along one of its axes.

    Ports, besides those of a `BehaviourTree`:
        compass, zone, vision, lifter: its equipment
        go, went: goals of the navigator, and how they ended
        warning: whether a collision is likely
        loaded: what it carries, for the collision map
        docking: how attempts have ended, for frames
        moved_carrier: what it has raised or put down, as far as it knows, for frames

    Args:
        number: of the robot, for frames
        stream: of random numbers
        rules: how it goes about it
        shape: of carriers
        tick, idle_ticks: those of a `BehaviourTree`
    """

    compass = Sensor(Sense, CompassReading)
    zone = Sensor(AskZone, ZoneReading)
    vision = Sensor(AskTags, TagsSeen)
    lifter = Actuator(MoveLifter, LifterMoved)
    went = In(GoalEnded)
    warning = In(CollisionWarning)
    go = Out(Go)
    loaded = Out(Loaded)
    docking = Out(DockingEnded)
    moved_carrier = Out(CarrierMoved)

    def __init__(
        self,
        name: str,
        number: int,
        stream: Stream,
        rules: CarryRules = RULES,
        shape: CarrierShape = SHAPE,
        *,
        tick: float = 0.1,
        idle_ticks: bool = False,
    ) -> None:
        super().__init__(name, tick=tick, idle_ticks=idle_ticks)
        self.number, self.stream, self.rules, self.shape = number, stream, rules, shape
        self.cause = ""
        """Why the last attempt failed."""
        self.glimpses: list[Glimpse] = []
        self.last_glimpse = 0.0
        self.estimate = Glimpse(0, 0, 0.0, 0.0, 0.0)

    def initialize(self) -> None:
        """Know nothing."""
        self.goals = 0
        self.cause, self.glimpses, self.last_glimpse = "", [], 0.0
        self._above = False
        self._since = 0.0
        self._heeded, self._heeded_at = 0, -inf
        self._is_loaded = self._is_under = self._has_come_in = self._is_at_predock = False
        self._readings = 0
        """Of the compass, since it has turned last."""
        self._yaw = 0.0
        """Of the carrier that it is under, from its heading (rad)."""
        self._not_before = self._zone_since = 0.0
        self._carried = 0
        """Number of what it carries, or has carried last."""
        self._way_in = WayIn()
        self._docking = self._refusals = 0
        """Number of the goal that leads under a carrier, and how often in a row its way was not free."""
        self._leaving = self._failures = 0
        """Number of the goal that leads out from under a carrier, and how often that failed."""
        super().initialize()

    def grow(self) -> Behaviour:
        """Explore, pick up, take to the drop zone; whatever fails begins anew."""
        return carry_tree(self)

    # what it hears

    def hear(self, name: str, value: Any) -> None:
        """Keep what tags were seen; write to the board what the tree goes by."""
        if name == "vision":
            if not self._is_loaded:
                self._see(value)
        elif name == "warning":
            self.write("likely", value.likely)
        elif name == "zone":
            if value.zone != self.board.get("zone"):
                self._zone_since = self.now
            self.write("zone", value.zone)
        elif name == "compass":
            self._readings += 1
            mean = self.board["compass"].heading if self._readings > 1 else value.heading
            off = remainder(value.heading - mean, tau) / self._readings
            self.write("compass", CompassReading(remainder(mean + off, tau)))
        else:
            if name == "went":
                self._ended(value)
            self.write(name, value)

    def _ended(self, went: GoalEnded) -> None:
        """Know how far the robot has come in under a carrier, and how often it was not to come in."""
        self._way_in.turned(went.turned)
        self._way_in.ended(went.number, self.now)
        if went.number == self._docking and went.how == "warned" and not self._way_in.is_inside:
            self._refusals += 1

    def _see(self, seen: TagsSeen) -> None:
        glimpses = [
            Glimpse(int(each[0]), int(each[1]), *each[2:5])
            for each in zip(seen.cameras, seen.tags, seen.x, seen.y, seen.yaw, seen.height, strict=True)
            if each[0] == UP or each[5] < LIFT / 2.0
        ]
        above = next((each for each in glimpses if each.camera == UP), None)
        if above is not None:
            self.write("map", above.carrier)
        around = [each for each in glimpses if each.camera != UP]
        if self.now - self._heeded_at < HEEDED and self._heeded:
            around = [each for each in around if each.carrier == self._heeded]
        if around:
            self._heeded, self._heeded_at = around[0].carrier, self.now
            self.write("tag", around[0].carrier)
        looked_at = above if self._above else around[0] if around else None
        if looked_at is not None and self.now - seen.age >= self._since:
            self.glimpses.append(looked_at)
            self.last_glimpse = self.now
            self.write("glimpses", len(self.glimpses))

    def begin_look(self, *, above: bool) -> None:
        """Forget glimpses: what is exposed from now on counts."""
        self._above, self._since, self.last_glimpse = above, self.now, self.now
        self.glimpses = []

    # what it goes by

    def sees_carrier(self) -> bool:
        """Whether a carrier is seen that may be picked up."""
        if self._is_under or not self.passed(self._not_before) or self.board.get("zone") != "search":
            return False  # who is between legs comes out first
        return self.sees_map() or self.fresh("tag", FRESH)

    def sees_map(self) -> bool:
        """Whether the robot is under a carrier."""
        return not self._is_under and self.fresh("map", FRESH)

    def sees_tag(self) -> bool:
        """Whether the tag that it heeds was not lost, and it has not come in under that carrier already."""
        is_refused = self._refusals >= self.rules.refusals
        if self.fresh("tag", 2.0 * FRESH) and not self._way_in.is_inside and not is_refused:
            return True
        self.cause = self.cause or "lost"
        return False

    def is_at_predock(self) -> bool:
        """Whether it is where docking begins."""
        return self._is_at_predock

    def is_centred(self) -> bool:
        """Whether the middle of the tray is above the robot."""
        if hypot(self.estimate.x, self.estimate.y) <= self.rules.tolerance:
            return True
        self.cause = "missed"
        return False

    def is_lifted(self, moved: LifterMoved) -> bool:
        """Whether there is a carrier on the lifter."""
        if not moved.loaded:
            self.cause = "missed"
        return moved.loaded

    def is_inside(self) -> bool:
        """Whether it has been in the drop zone for some time."""
        return self.board.get("zone") == "drop" and self.passed(self._zone_since + self.rules.surely)

    def may_put_down(self) -> bool:
        """Whether it is in the drop zone, and no collision is likely."""
        return self.is_inside() and not self.board.get("likely", False)

    # what it says

    def stop(self) -> Go:
        """A goal: stand still."""
        self.cause = ""
        return self._goal()

    def to_predock(self) -> Go | None:
        """Before the tag, so that the camera that saw it faces it; none where it is there."""
        tag = self.estimate
        dx, dy = turned(PREDOCK, 0.0, tag.yaw)
        x, y = tag.x + dx, tag.y + dy
        turn = remainder(tag.yaw + pi - CAMERAS[tag.camera], tau) if tag.camera < UP else 0.0
        way = hypot(x, y)
        self._is_at_predock = way <= self.rules.tolerance
        if self._is_at_predock:
            return None
        speed = CARRY_SPEED if way > 5.0 * self.rules.tolerance else FIT_SPEED
        return self._goal((atan2(y, x),), way, turn=turn, speed=speed)

    def to_dock(self) -> Go:
        """Under the carrier, straight to its middle; only what is straight ahead counts, not its legs."""
        tag = self.estimate
        self._is_at_predock = False
        dx, dy = turned(-self.shape.half, 0.0, tag.yaw)
        x, y = tag.x + dx, tag.y + dy
        way = hypot(x, y)
        goal = self._goal((atan2(y, x),), way, speed=CARRY_SPEED, under=tag.carrier, stay=True, alone=True, middle=way)
        self._way_in.begin(goal.number, self.now, goal.directions[0], way)
        self._docking = goal.number
        return goal

    def to_centre(self) -> Go | None:
        """Below the middle of the tray, ahead along a side of it: so each leg is in the view of one sensor only."""
        x, y = self.estimate.x, self.estimate.y
        way, turn = hypot(x, y), remainder(self.estimate.yaw, pi / 2.0)
        self._yaw = self.estimate.yaw
        if way <= self.rules.tolerance / 4.0:
            return None if abs(turn) <= ALIGNED else self._goal(turn=turn)
        return self._goal((atan2(y, x),), way, turn=turn, speed=FIT_SPEED, under=self.estimate.carrier)

    def way_to_search(self) -> Go:
        """Straight on in a direction by chance, about -x; from under a carrier along one of its axes."""
        went = self.board.get("went")
        if self._is_under and went is not None and went.number == self._leaving:
            self._failures += 1
            if went.how == "arrived" or (self._has_come_in and not self._way_in.is_inside):
                self._is_under = self._has_come_in = False
                self._way_in.forget()
        if self._is_under:
            return self._leave()
        variance = self.rules.search_variance if self.board.get("zone") == "search" else self.rules.other_variance
        return self._goal(self._directions(pi, variance), speed=SEARCH_SPEED, anywhere=True)

    def way_to_drop(self) -> Go:
        """The same about +x."""
        return self._goal(self._directions(0.0, self.rules.other_variance), speed=CARRY_SPEED, anywhere=True)

    @property
    def yaw_in_map(self) -> float:
        """Of the carrier that it is under, as far as the compass says (rad)."""
        heading: float = self.board["compass"].heading
        return heading + self._yaw

    def along(self, side: int, distance: float, *, speed: float = CARRY_SPEED) -> Go:
        """A way along a side of the tray that it carries, if that is free: only there no leg hides what is on the way.

        Args:
            side: 0: that nearest to +x; 1: that to the left of it, and so on
            distance: how far (m)
            speed: largest (m/s)
        """
        quarters = side - round(self.yaw_in_map / (pi / 2.0))
        return self._goal((self._yaw + quarters * pi / 2.0,), distance, speed=speed, stay=True)

    def turned_by(self, angle: float) -> Go:
        """A goal: turn (rad)."""
        return self._goal(turn=angle)

    def take_load(self) -> Loaded:
        """There is a carrier on the lifter now."""
        self._is_loaded = True
        self._yaw = self.estimate.yaw
        return Loaded(True, self._yaw, self.estimate.x, self.estimate.y)

    def drop_load(self) -> Loaded:
        """It stands on the floor, and the robot under it."""
        self._is_loaded, self._is_under, self._failures = False, True, 0
        self._heeded, self._heeded_at = 0, -inf
        return Loaded(False)

    def raised(self) -> CarrierMoved:
        """It carries what was above it."""
        self._carried = self.estimate.carrier
        return CarrierMoved(self._carried, self.number, True, False)

    def put_down(self) -> CarrierMoved:
        """It has brought it, if it is where it believes to be."""
        return CarrierMoved(self._carried, self.number, False, self.board.get("zone") == "drop")

    def docked(self) -> DockingEnded:
        """An attempt has succeeded."""
        self._way_in.forget()
        self._refusals = 0
        return DockingEnded(self.number, self.estimate.carrier, "docked")

    def failed(self) -> DockingEnded:
        """An attempt has failed; who has come in between the legs goes out again where it came in."""
        if self._way_in.is_inside and not self._is_under:
            self._is_under = self._has_come_in = True
            self._carried, self._failures = self.estimate.carrier, 0
        self._not_before = self.now + self.rules.pause
        self._is_at_predock, self._refusals = False, 0
        ended = DockingEnded(self.number, self._heeded, self.cause or "lost")
        self.cause = ""
        return ended

    def _goal(self, directions: tuple[float, ...] = (), distance: float = 0.0, **how: Any) -> Go:
        """The next goal; `how` has what else a `Go` says."""
        self._way_in.ended(self.goals, self.now)
        self.goals += 1
        goal = Go(self.goals, directions, distance, narrow=bool(how.get("under")), **how)
        if goal.turn:
            self._readings = 0
        return goal

    def _leave(self) -> Go:
        """Along the axis of the carrier that is nearest to -x, until nothing of the robot is between its legs.

        It never takes the other axis: on its way along one it stands before the legs beside the other. Nor does it
        leave a row backwards, to the wall: where somebody passes before the row, it waits. Where it came in there may
        be what does not go away, so there it does not wait for ever.
        """
        is_row, middle, speed = self.rules.places == "row", 0.0, CARRY_SPEED
        waits = is_row
        if self._has_come_in:
            way, middle, axes = self._way_in.gone, -self._way_in.left, [self._way_in.outwards] * 2
            speed, waits = FIT_SPEED, is_row and self._failures < self.rules.waits
        else:
            heading = self.board["compass"].heading
            axes = [self._yaw + side * pi / 2.0 for side in range(4)]
            nearest = min(axes, key=lambda axis: abs(remainder(heading + axis - pi, tau)))
            way = self.shape.half + RADIUS + 2.0 * self.rules.tolerance
            axes = [nearest] if is_row else [nearest, nearest + pi]
        if self._failures % 2:
            axes.reverse()
        how = {"speed": speed, "short": way, "under": self._carried, "stay": waits}
        goal = self._goal(tuple(axes), way, alone=is_row, middle=middle, **how)
        self._leaving = goal.number
        if self._has_come_in:
            self._way_in.begin_out(goal.number, self.now, speed)
        return goal

    def _directions(self, mean: float, variance: float) -> tuple[float, ...]:
        """Directions from the heading, by chance about one in the map (rad)."""
        heading, spread = self.board["compass"].heading, sqrt(variance)
        return tuple([mean + spread * self._normal() - heading for _ in range(self.rules.draws)])

    def _normal(self) -> float:
        one, other = (1.0 - self.stream.uniform()) / 2.0, self.stream.uniform()
        return sqrt(-2.0 * log(max(one, 1e-300))) * cos(pi * other)
