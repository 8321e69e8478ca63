"""A behaviour tree that is a DEVS decision model: it ticks on a grid, and only where a tick could do something."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import nullcontext
from math import ceil, floor, inf, isfinite
from typing import Any

from msgspec import Struct
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite
from py_trees.decorators import Decorator

from devs_robotics import Actuator, Atomic, Exchange, ModelError, Out, Port, Sensor, Stream
from devs_robotics.core.ports import component_path
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.models.trees.checks import check_tree, nodes_of, polls
from devs_robotics.models.trees.leaves import Pause, Perform, TimeLimit, TreeLeaf
from devs_robotics.models.trees.watched import WatchedTick, is_watched

PER_SECOND = 2.0**30
"""Instants of ticks per second, as those of the environment: floats hold them exactly."""

EARLY = 1e-9
"""By how much sooner a deadline counts (s), so that rounding never makes it a tick late."""


class TreeStatus(Struct, frozen=True):
    """What a behaviour tree is at, sent when it changes.

    Attributes:
        status: of the root: RUNNING, SUCCESS or FAILURE
        tip: name of the node that the last tick ended in
    """

    status: str
    tip: str


class BehaviourTree(Atomic):
    """A decision model whose decisions are a behaviour tree; write `grow`, and the ports that it needs.

    Inputs are written to the board (`hear`), and do no more. A tick goes through the tree once; what it decides is sent
    at the same instant. Ticks are at whole multiples of `tick`. One that follows a tick without any news would do
    nothing, and is left out: what the model sends is what it would send if it ticked at every instant of the grid.
    What comes at the very instant of a tick counts at the next one, in whatever order the events of that instant fall.

    =======  ========================  ===================  ==========================================================
    phase    time advance              output               next phase
    =======  ========================  ===================  ==========================================================
    ticking  until the next tick       none                 acting where the tick decided something, else as `waiting`
    acting   0                         what was decided     ticking, or waiting where nothing is to come
    waiting  ∞                                              ticking, when something comes
    =======  ========================  ===================  ==========================================================

    Ports:
        status: what the tree is at

    Args:
        tick: between two instants of the grid (s); 0: no grid, the tree ticks at once when something has come
        idle_ticks: make the ticks that would do nothing, too; for comparisons

    Attributes:
        board: what is known, by name; write it by `write`
        now: the simulated time of the tick (s)
        root: of the tree
        ticks: how many there were

    Raises:
        ModelError: a tick is no time; when a simulation starts: the tree has something in it that it must not have
    """

    status = Out(TreeStatus)

    def __init__(self, name: str | None = None, *, tick: float = 0.1, idle_ticks: bool = False) -> None:
        super().__init__(name)
        if not (tick == 0.0 or (isfinite(tick) and tick >= 1e-6)) or (idle_ticks and tick == 0.0):
            raise ModelError(
                f"behaviour tree {self.name}: tick={tick!r} with idle_ticks={idle_ticks} is no grid: give a tick of "
                "seconds, as 0.1, or tick=0 without idle ticks"
            )
        self.tick, self.idle_ticks = tick, idle_ticks
        self.root: Behaviour
        self.board: dict[str, Any] = {}
        self.now = 0.0
        self.ticks = 0
        self._last = 0.0
        """When the last tick was (s)."""
        self._due = 0.0
        """When the next one is, as it is scheduled (s)."""
        self._planned = 0.0
        """When the next one is by what is new (s)."""
        self._wake = inf
        """The first deadline (s)."""

    @abstractmethod
    def grow(self) -> Behaviour:
        """Make the tree; called whenever a simulation starts. Returns its root."""

    def hear(self, name: str, value: Any) -> None:
        """Write what came to the board; by default under the name of its sensor, actuator or input port.

        Overwrite it to write crossings (nearer than 30 cm, or not) instead of values that change all the time: the
        tree is ticked when what is on the board changes.
        """
        self.write(name, value)

    def write(self, name: str, value: Any) -> None:
        """Write a value to the board; the tree is ticked if it is another than before."""
        if name in self._aging or name not in self.board or self.board[name] != value:
            self._news()
        self.board[name] = value
        self._written[name] = self.now

    def passed(self, time: float) -> bool:
        """Whether a time (s) has come; if not, the tree is ticked when it has."""
        if self.now >= time - EARLY:
            return True
        self._wake = min(self._wake, time)
        return False

    def fresh(self, name: str, seconds: float) -> bool:
        """Whether something has been written under a name less than some seconds ago."""
        self._aging.add(name)
        return name in self._written and not self.passed(self._written[name] + seconds)

    def ask(self, exchange: Exchange[Any, Any], message: Any) -> int:
        """Ask a sensor, or command an actuator, at the end of this tick; returns how many answers come until its own.

        Raises:
            ModelError: it is no sensor or actuator of this model
        """
        name = next((name for name, each in self._exchanges.items() if each is exchange), None)
        if name is None:
            there = ", ".join(self._exchanges) or "none"
            raise ModelError(f"{component_path(self)} has no sensor or actuator {exchange!r}: it has {there}")
        self._outstanding[name] += 1
        self.send(exchange.ask, message)
        return self._outstanding[name]

    def send(self, port: Port[Any], message: Any) -> None:
        """Send a message through an output port at the end of this tick."""
        self._sent.append((port.name, message))

    def initialize(self) -> None:
        """Grow the tree, check it, and tick at once."""
        self._exchanges = exchanges_of(self, Sensor, Actuator)
        self._names = {each.answer.name: name for name, each in self._exchanges.items()}
        self._outstanding = dict.fromkeys(self._exchanges, 0)
        self._streams = [each for each in vars(self).values() if isinstance(each, Stream)]
        self.board, self._written = {}, dict[str, float]()
        self._aging: set[str] = set()
        self._sent: list[tuple[str, Any]] = []
        self.now, self.ticks = 0.0, 0
        self._version, self._told = 0, TreeStatus("INVALID", "")
        self._state: list[Any] = []
        self._planned, self._wake, self._due, self._last = 0.0, inf, 0.0, 0.0
        self.root = self.grow()
        check_tree(self, self.root)
        self._nodes = nodes_of(self.root)
        self._composites = [node for node in self._nodes if isinstance(node, Composite)]
        self._counting = [node for node in self._nodes if isinstance(node, Decorator | Pause)]
        self._performing = [node for node in self._nodes if isinstance(node, Perform)]
        self._polling = [node for node in self._nodes if polls(node)]
        for node in self._nodes:
            if isinstance(node, TreeLeaf | TimeLimit):
                node.tree = self
        self.hold_in("ticking", 0.0)

    def lambdaf(self) -> None:
        """Send what the last tick decided."""
        if self.phase == "acting":
            for name, message in self._sent:
                self.output[name].add(message)

    def deltint(self) -> None:
        """Tick; or wait, when all is sent."""
        if self.phase == "acting":
            self._sent = []
            self._plan()
            return
        self.now = self._due
        self._tick()
        if self._sent:
            self.activate("acting")
        else:
            self._plan()

    def deltext(self, e: float) -> None:
        """Hear what has come, and see when to tick."""
        self.now += e
        for port in self.in_ports:
            name = self._names.get(port.name)
            for value in port.values:
                if name is not None:
                    self._answered(name, value)
                self.hear(port.name if name is None else name, value)
        due = self._next()
        if self.phase == "acting" or due == self._due:
            self.continuef(e)
        else:
            self._plan()

    def __getstate__(self) -> dict[str, Any]:
        """What is saved and copied: all but py_trees' generators, which nothing needs."""
        for node in self.__dict__.get("_nodes", ()):
            node.iterator = None
        return self.__dict__

    def _answered(self, name: str, value: Any) -> None:
        exchange = self._exchanges[name]
        self._outstanding[name] = max(0, self._outstanding[name] - 1)
        for leaf in self._performing:
            if leaf.exchange is exchange and leaf.hear(value):
                self._news()

    def _news(self) -> None:
        """Something is new: tick at the next instant of the grid."""
        self._version += 1
        self._planned = min(self._planned, self._instant_after(self.now))

    def _tick(self) -> None:
        self._planned, self._wake, self._last = inf, inf, self.now
        self.ticks += 1
        version, before = self._version, self._state
        with WatchedTick() if is_watched(self.ticks) else nullcontext():
            reached = set(map(id, self.root.tick()))
        self._state = self._state_now()
        polled = any(id(node) in reached for node in self._polling)
        if polled or self._sent or self._version != version or self._state != before:
            self._news()
        tip = self.root.tip()
        told = TreeStatus(self.root.status.value, tip.name if tip is not None else "")
        if told != self._told:
            self._told = told
            self.send(self.status, told)

    def _state_now(self) -> list[Any]:
        """What a tick can change in the nodes, and the next one goes by."""
        state: list[Any] = [each.left for each in self._streams]
        state += [node.status for node in self._nodes]
        state += [node.current_child for node in self._composites]
        for node in self._counting:
            state += _counted(node)
        return state

    def _next(self) -> float:
        """When to tick next (s)."""
        if self.tick == 0.0:
            return min(self._planned, max(self._wake, self.now))
        if self.idle_ticks:
            return self._instant_after(self._last) if self.ticks else 0.0
        if self._wake == inf:
            return self._planned
        instant = self._instant(ceil((self._wake - EARLY) / self.tick))
        return min(self._planned, instant if instant > self._last else self._instant_after(self._last))

    def _plan(self) -> None:
        self._due = self._next()
        self.hold_in("waiting" if self._due == inf else "ticking", max(0.0, self._due - self.now))

    def _instant(self, number: int) -> float:
        return float(round(number * self.tick * PER_SECOND)) / PER_SECOND

    def _instant_after(self, time: float) -> float:
        """The first instant of the grid after a time (s)."""
        if self.tick == 0.0:
            return time
        number = floor(time / self.tick)
        while self._instant(number) <= time:
            number += 1
        return self._instant(number)


def _counted(node: Behaviour) -> list[Any]:
    """What a node remembers besides its status: a deadline, or how often its child was done."""
    known = vars(node)
    until = known.get("until") if node.status is Status.RUNNING else None
    return [known.get("successes"), known.get("failures"), known.get("final_status"), until]
