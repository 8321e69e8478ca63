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


_Route = tuple[Any, list[tuple[Any, "_Node | None"]]]
"""An output port's values, and where they lead: bags to fill, each with the model that it belongs to."""


class _Node:
    """One atomic model as the simulator sees it; the model's functions are looked up once."""

    __slots__ = (
        "asks",
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
        "routes",
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
        self.asks = "ta" in vars(model) or type(model).ta is not XdevsAtomic.ta
        """Whether its time advance is a function of its own, and not just sigma."""
        self.routes: list[_Route] = []
        """All output ports, to be looked at one by one, where one of them does not say when it is written."""
        self.written: list[_Route] = []
        """Else the output ports that were written in this step, as they say themselves."""


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
        collecting = gc.isenabled()
        gc.disable()  # building makes many long-lived objects and no garbage
        try:
            self._nodes = _wire(model)
            self._start()
        finally:
            if collecting:
                gc.enable()

    def _start(self) -> None:
        for node in self._nodes:
            try:
                node.model.initialize()
            except Exception as exc:
                raise self._blame(node, exc) from exc
            self._schedule([node])

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
            self._step(time)
            if stop is not None and stop._values:
                return

    def close(self) -> None:
        """Call every model's `exit`."""
        for node in self._nodes:
            try:
                node.model.exit()
            except Exception as exc:
                raise self._blame(node, exc) from exc

    def _step(self, time: float) -> None:
        """All outputs of the imminent models, then all transitions, then the new schedules."""
        if time > self.time:
            self.time = time
            self._zero_steps = 0
        else:
            self._check_progress()
        for values in self._root_values:
            values.clear()
        active = self._take_imminent(time)
        filled: list[Any] = []
        receivers = self._send(active, filled)
        node = None
        try:
            for node in active:
                if node.receives:
                    node.confluent()
                else:
                    node.internal()
            for node in receivers:
                node.receives = False
                if not node.imminent:
                    node.external(time - node.last)
                    active.append(node)
        except Exception as exc:
            raise self._blame(node, exc) from exc
        for values in filled:
            values.clear()
        self._schedule(active)
        self.transitions += len(active)
        self.steps += 1

    def _send(self, imminent: list[_Node], filled: list[Any]) -> list[_Node]:
        """Take the outputs of the imminent models to where they lead; returns who received, and notes whose bags."""
        receivers: list[_Node] = []
        node = None
        try:
            for node in imminent:
                node.output()
                for values, ends in node.written or node.routes:
                    if values:
                        for bag, target in ends:
                            if not bag and target is not None:
                                filled.append(bag)
                                if not target.receives:
                                    target.receives = True
                                    receivers.append(target)
                            bag.extend(values)
                        values.clear()
                if node.written:
                    node.written.clear()
        except Exception as exc:
            raise self._blame(node, exc) from exc
        return receivers

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

    def _schedule(self, active: list[_Node]) -> None:
        """Ask the models that made a transition for their time advances."""
        now, heap, soon = self.time, self._heap, self._soon
        for node in active:
            node.imminent = False
            node.last = now
            advance = self._time_advance(node) if node.asks else node.model.sigma
            when = now + advance
            if when > now:
                if when != node.next:  # else it stands in the heap already, or both are infinite
                    node.next = when
                    if when != inf:
                        heappush(heap, (when, node.order, node))
            elif when == now:  # zero, or what rounding has left of it
                node.next = when
                soon.append(node)
            else:
                error = ModelError(f"the time advance is {advance}: make it zero or more (infinity to wait for ever)")
                raise self._blame(node, error)

    def _time_advance(self, node: _Node) -> float:
        """The time advance of a model with a function of its own for it."""
        try:
            return node.model.ta()
        except Exception as exc:
            raise self._blame(node, exc) from exc

    def _check_progress(self) -> None:
        self._zero_steps += 1
        if self._zero_steps > ZERO_TIME_LIMIT:
            busy = ", ".join(component_path(node.model) for node in self._soon[:5])
            error = ModelError(
                f"time has not advanced for {ZERO_TIME_LIMIT} steps ({busy} next): give one of these models "
                f"a time advance that a clock which reads {self.time:.9g} s can tell from zero"
            )
            raise self._blame(self._soon[0], error)

    def _blame(self, node: _Node | None, exc: Exception) -> ModelError:
        """The error that names the model, the time and the state in which `exc` came up."""
        what = str(exc) if isinstance(exc, ModelError) else f"{type(exc).__name__}: {exc}"
        assert node is not None
        model = node.model
        return ModelError(
            f"{component_path(model)} at {self.time:.9g} s (phase {model.phase!r}, sigma {model.sigma:.9g}): {what}"
        )


def _wire(model: Component) -> list[_Node]:
    """A node for each atomic model, with its outputs' routes."""
    nodes = [_Node(atomic, order) for order, atomic in enumerate(atomic_models(model))]
    node_of: dict[Component, _Node] = {node.model: node for node in nodes}
    if len(node_of) != len(nodes):
        twice = next(node.model for node in nodes if node_of[node.model] is not node)
        raise ModelError(f"{component_path(twice)} stands twice in the model: make another instance")
    for node in nodes:
        for port in (*node.model.in_ports, *node.model.out_ports):
            port.clear()  # a simulation that was broken off may have left something
        if node.model is model:
            break  # the outputs of an atomic root are left for its user
        ports = node.model.out_ports
        routes = [(port._values, _ends(port, node_of)) for port in ports]
        telling = [port for port in ports if isinstance(port, Port)]
        if len(telling) == len(ports):
            for port, route in zip(telling, routes, strict=True):
                port._route, port._written = route, node.written
        else:
            node.routes = routes
    return nodes


def _ends(output: XdevsPort[Any], node_of: dict[Component, _Node]) -> list[tuple[Any, _Node | None]]:
    """Where an output leads: the bags, and the nodes that they belong to (None for an output of the root)."""
    return [(end._values, None if end.parent is None else node_of.get(end.parent)) for end in destinations(output)]
