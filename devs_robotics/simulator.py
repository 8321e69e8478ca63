"""The simulator: runs any xdevs model, flat and event by event.

The cost of an event depends on the models that take part in it, never on how many others there are.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from heapq import heappop, heappush
from math import inf
from operator import attrgetter
from typing import Any

from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.errors import ModelError
from devs_robotics.ports import Port, component_path
from devs_robotics.wiring import atomic_models, destinations

ZERO_TIME_LIMIT = 100_000
"""So many steps at one instant are taken for an endless chain of zero-time events."""


class _Node:
    """One atomic model as the simulator sees it; the model's functions are looked up once."""

    __slots__ = (
        "confluent",
        "external",
        "imminent",
        "internal",
        "last",
        "model",
        "next",
        "order",
        "output",
        "receives",
        "scanned",
        "time_advance",
        "written",
    )

    def __init__(self, model: XdevsAtomic, order: int) -> None:
        self.model = model
        self.order = order
        self.last = 0.0
        self.next = inf
        self.imminent = False
        self.receives = False
        self.output: Callable[[], None] = model.lambdaf
        self.internal: Callable[[], None] = model.deltint
        self.external: Callable[[float], None] = model.deltext
        self.confluent: Callable[[], None] = model.deltcon
        overridden = "ta" in vars(model) or type(model).ta is not XdevsAtomic.ta
        self.time_advance: Callable[[], float] | None = model.ta if overridden else None
        self.written: list[XdevsPort[Any]] = []
        self.scanned: list[XdevsPort[Any]] = []
        """Output ports that do not say when they were written: other people's xdevs ports."""
        for port in model.out_ports if model.parent is not None else ():  # a root's outputs are left for its user
            if isinstance(port, Port):
                port._written = self.written
            else:
                self.scanned.append(port)


_Route = list[tuple[Any, "_Node | None"]]
"""Where one output port leads: the container of values to fill, and the node that receives them."""

_by_order = attrgetter("order")


class Simulator:
    """Runs a model, atomic or coupled, ours or anyone's for xdevs.

    ``Simulator(model).run(until=10)`` handles every event up to and including time 10. Time starts at 0 and is in
    seconds. Models imminent at the same instant are taken in the order in which they stand in the model tree.

    Attributes:
        time: simulated time of the last event (s)
        steps: how often the set of imminent models was handled
        transitions: how many internal, external and confluent transitions were made
    """

    def __init__(self, model: Component) -> None:
        if model.parent is not None:
            raise ModelError(f"{component_path(model)} is part of another model: simulate the root of the tree")
        self.model = model
        self.time = 0.0
        self.steps = 0
        self.transitions = 0
        self._zero_steps = 0
        self._heap: list[tuple[float, int, _Node]] = []
        self._soon: list[_Node] = []
        """Models with a time advance of zero: they go next and need no heap."""
        self._root_values = [port._values for port in model.out_ports]
        self._acting: _Node | None = None
        collecting = gc.isenabled()
        gc.disable()  # building makes many long-lived objects and no garbage
        try:
            self._nodes, self._routes = _wire(model)
            self._start()
        finally:
            if collecting:
                gc.enable()

    def _start(self) -> None:
        for node in self._nodes:
            self._acting = node
            try:
                node.model.initialize()
                self._schedule(node)
            except Exception as exc:
                raise self._blame(exc) from exc
        self._acting = None

    @property
    def next_time(self) -> float:
        """Time of the next event (s); infinite when every model is passive."""
        if self._soon:
            return self.time
        heap = self._heap
        while heap and heap[0][2].next != heap[0][0]:
            heappop(heap)
        return heap[0][0] if heap else inf

    def run(self, until: float = inf, *, max_steps: int | None = None, stop: XdevsPort[Any] | None = None) -> None:
        """Handle events in the order of their times.

        The output ports of the root model hold what the last step sent through them.

        Args:
            until: time of the last events to be handled (s)
            max_steps: how many steps to take at most
            stop: an output port of the root model; the run ends after a step that sends something through it

        Raises:
            ModelError: a model broke a rule or raised an exception; the message names its path and the time
        """
        last_step = inf if max_steps is None else self.steps + max_steps
        while self.steps < last_step:
            time = self.next_time
            if time > until or time == inf:
                return
            try:
                self._step(time)
            except Exception as exc:
                raise self._blame(exc) from exc
            if stop is not None and stop._values:
                return

    def close(self) -> None:
        """Call every model's `exit`."""
        for node in self._nodes:
            node.model.exit()

    def _step(self, time: float) -> None:
        """All outputs of the imminent models, then all transitions, then their new schedules."""
        self._check_progress(time)
        for values in self._root_values:
            values.clear()
        imminent = self._take_imminent(time)
        receivers, filled = self._send(imminent)
        for node in imminent:
            self._acting = node
            if node.receives:
                node.confluent()
            else:
                node.internal()
        for node in receivers:
            node.receives = False
            if not node.imminent:
                self._acting = node
                node.external(time - node.last)
                imminent.append(node)
        for values in filled:
            values.clear()
        for node in imminent:
            self._acting = node
            node.imminent = False
            node.last = time
            self._schedule(node)
        self._acting = None
        self.transitions += len(imminent)
        self.steps += 1

    def _send(self, imminent: list[_Node]) -> tuple[list[_Node], list[Any]]:
        """Take the outputs of the imminent models to where they lead: to receivers, and into their bags."""
        receivers: list[_Node] = []
        filled: list[Any] = []
        for node in imminent:
            self._acting = node
            node.output()
            written = node.written
            if written:
                for port in written:
                    self._deliver(port, receivers, filled)
                written.clear()
            for port in node.scanned:
                if port._values:
                    self._deliver(port, receivers, filled)
        return receivers, filled

    def _take_imminent(self, time: float) -> list[_Node]:
        """The models whose time has come, in the order of the model tree."""
        imminent = self._soon
        self._soon = []
        for node in imminent:
            node.imminent = True
        heap = self._heap
        while heap and heap[0][0] <= time:
            node = heappop(heap)[2]
            if node.next == time and not node.imminent:
                node.imminent = True
                imminent.append(node)
        if len(imminent) > 1:
            imminent.sort(key=_by_order)
        return imminent

    def _deliver(self, port: XdevsPort[Any], receivers: list[_Node], filled: list[Any]) -> None:
        values = port._values
        for target_values, target in self._routes[port]:
            if not target_values and target is not None:
                filled.append(target_values)
                if not target.receives:
                    target.receives = True
                    receivers.append(target)
            target_values.extend(values)
        values.clear()

    def _schedule(self, node: _Node) -> None:
        advance = node.model.sigma if node.time_advance is None else node.time_advance()
        if advance == 0:
            node.next = self.time
            self._soon.append(node)
        elif advance > 0:
            when = self.time + advance
            if when == self.time:
                raise ModelError(
                    f"a time advance of {advance:.3g} s cannot be told from zero at {self.time:.9g} s: "
                    f"use coarser steps, or zero"
                )
            if when != node.next:  # else it stands in the heap already, or both are infinite
                node.next = when
                if when != inf:
                    heappush(self._heap, (when, node.order, node))
        else:
            raise ModelError(f"the time advance is {advance}: make it zero or more (infinity to wait for ever)")

    def _check_progress(self, time: float) -> None:
        if time > self.time:
            self.time = time
            self._zero_steps = 0
            return
        self._zero_steps += 1
        if self._zero_steps > ZERO_TIME_LIMIT:
            busy = ", ".join(component_path(node.model) for node in self._soon[:5])
            self._acting = self._soon[0] if self._soon else None
            raise ModelError(
                f"time has not advanced for {ZERO_TIME_LIMIT} steps ({busy} next): "
                f"give one of these models a time advance above zero"
            )

    def _blame(self, exc: Exception) -> ModelError:
        node = self._acting
        if node is None:
            return ModelError(f"at {self.time:.9g} s: {exc}")
        model = node.model
        what = str(exc) if isinstance(exc, ModelError) else f"{type(exc).__name__}: {exc}"
        return ModelError(
            f"{component_path(model)} at {self.time:.9g} s (phase {model.phase!r}, sigma {model.sigma:.9g}): {what}"
        )


def _wire(model: Component) -> tuple[list[_Node], dict[XdevsPort[Any], _Route]]:
    nodes = [_Node(atomic, order) for order, atomic in enumerate(atomic_models(model))]
    node_of: dict[Component, _Node] = {node.model: node for node in nodes}
    if len(node_of) != len(nodes):
        twice = next(node.model for node in nodes if node_of[node.model] is not node)
        raise ModelError(f"{component_path(twice)} stands twice in the model: make another instance")
    routes: dict[XdevsPort[Any], _Route] = {}
    for node in nodes:
        for port in node.model.out_ports:
            routes[port] = [
                (end._values, node_of.get(end.parent) if end.parent is not None else None) for end in destinations(port)
            ]
    return nodes, routes
