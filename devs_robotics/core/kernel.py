"""One step of Parallel DEVS over a flat list of atomic models: outputs, transitions, and when the next ones are due.

This is where the time goes. The loops do for each event no more than they must; what is rare stands in functions of
its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from heapq import heapify, heappop, heappush
from math import inf
from operator import attrgetter
from typing import Any, NoReturn
from warnings import warn

from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError, ObserverError, ResolutionWarning
from devs_robotics.core.faults import blame, coarse_time, early_change, endless_chain, stray_output
from devs_robotics.core.node import Node, Route, Values
from devs_robotics.core.ports import Port, port_path

ROUGH = 1e-3
"""A time advance that is rounded by more than this part of itself is worth a warning."""

COARSE = 2.0**-53 / ROUGH
"""Only time advances below this part of the time can be rounded by so much."""

Input = tuple[float, int, XdevsPort[Any], tuple[Any, ...]]
"""When it comes (s), a number that keeps inputs of one time in order, the port, and the values."""

_by_order = attrgetter("order")


class Kernel(ABC):
    """The schedule of a simulation, and how it goes on by one step; what a user calls is the `Simulator`.

    Attributes:
        time: simulated time of the last event (s)
        steps: how often the set of imminent models was handled
        transitions: how many internal, external and confluent transitions were made
        zero_time_limit: so many steps without any advance of time are refused as an endless chain
    """

    def __init__(self, zero_time_limit: int) -> None:
        self.zero_time_limit = zero_time_limit
        self.time = 0.0
        self.steps = 0
        self.transitions = 0
        self._zero_steps = 0
        self._coarse_told = False
        self._nodes: dict[Component, Node] = {}
        """By atomic model, in the order of the model tree."""
        self._written: list[Route] = []
        """The routes of the outputs that were written in this step."""
        self._changes: list[Component] = []
        """The coupled models whose structure has changed."""
        self._heap: list[tuple[float, int, Node]] = []
        """Internal events to come; an entry whose time is not its node's next one is no longer true."""
        self._heap_limit = 0
        self._soon: list[Node] = []
        """Models whose time advance is zero: they go next and need no heap."""
        self._in_order = True
        """Whether these stand in the order of the model tree."""
        self._inputs: list[Input] = []
        """Inputs of the root model to come."""
        self._input_routes: dict[XdevsPort[Any], Route] = {}
        """Where the root model's inputs lead."""
        self._root_values: list[Values] = []
        """What the root model's outputs keep their values in."""

    def _next_time(self) -> float:
        """Time of the next event, internal or an input (s)."""
        if self._changes:
            self._restructure()
        if self._soon:
            return self.time
        heap = self._heap
        while heap and heap[0][2].next != heap[0][0]:
            heappop(heap)
        time = heap[0][0] if heap else inf
        return min(time, self._inputs[0][0]) if self._inputs else time

    def _step(self, time: float) -> None:
        """All outputs of the imminent models, then all transitions."""
        if time > self.time:
            self.time = time
            self._zero_steps = 0
        else:
            self._check_progress()
        for values in self._root_values:
            values.clear()
        if self._inputs:
            self._put_inputs()
        imminent = self._take_imminent()
        receivers: list[Node] = []
        self._send(imminent, receivers)
        sent = len(self._written)
        self._change(imminent)
        self._receive(receivers)
        if len(self._written) != sent:
            self._refuse_output(sent)
        for bag, _, more in self._written:
            bag.clear()
            if more is not None:
                for other in more[1]:
                    other.clear()
        self._written.clear()
        self.steps += 1
        if len(self._heap) > self._heap_limit:
            self._rebuild_heap()
        if self._changes:
            self._restructure()

    def _put_inputs(self) -> None:
        """Put the inputs of this time into the bags of their receivers."""
        inputs, written = self._inputs, self._written
        while inputs and inputs[0][0] <= self.time:
            port, values = heappop(inputs)[2:]
            try:
                port.extend(iter(values))
            except Exception as exc:
                error = ModelError(f"{port_path(port)} at {self.time:.9g} s cannot be given {values!r}: {exc}")
                self._break_off(error, exc)
            if not isinstance(port, Port):
                written.append(self._input_routes[port])

    def _take_imminent(self) -> list[Node]:
        """The models whose time has come, in the order of the model tree."""
        time, imminent, heap = self.time, self._soon, self._heap
        self._soon = []
        while heap and heap[0][0] <= time:
            node = heappop(heap)[2]
            if node.next == time:
                node.next = -inf  # it may stand there twice
                imminent.append(node)
                self._in_order = False
        if not self._in_order:
            self._in_order = True
            if len(imminent) > 1:
                imminent.sort(key=_by_order)
        return imminent

    def _send(self, imminent: list[Node], receivers: list[Node]) -> None:
        """Call the output functions, and note who receives."""
        written = self._written
        node = None
        try:
            for node in imminent:
                call = node.output  # Python 3.11 calls a local variable faster than a slot
                call()
                if node.values:
                    if node.route is not None:
                        written.append(node.route)
                    else:
                        _look(node, written)
        except BaseException as exc:
            self._fail(node, exc)
        for _, target, more in written:
            if not target.receives:
                target.receives = True
                receivers.append(target)  # type: ignore[arg-type]  # what is told already is Nowhere
            if more is not None:
                for other in more[0]:
                    if not other.receives:
                        other.receives = True
                        receivers.append(other)
        if self._changes:
            self._fail(None, early_change(self._changes[0], self.time))

    def _change(self, imminent: list[Node]) -> None:
        """The transitions of the imminent models."""
        now, soon = self.time, self._soon
        coarse = now * COARSE
        node = None
        try:
            for node in imminent:
                if node.receives:
                    node.receives = False
                    call = node.confluent
                else:
                    call = node.internal
                call()
                advance = node.model.ta() if node.asks else node.model.sigma
                if type(advance) is not float and type(advance) is not int:
                    advance = node.plain(advance)
                if advance == 0.0:
                    soon.append(node)  # `last` can wait: the next transition has no use for it
                    continue
                node.last = now
                if advance == inf:
                    node.next = inf
                else:
                    if advance < coarse:
                        self._warn_of_coarse_time(node, advance)
                    self._plan(node, advance)
        except BaseException as exc:
            self._fail(node, exc)
        self.transitions += len(imminent)

    def _receive(self, receivers: list[Node]) -> None:
        """The transitions of the models that receive something and are not imminent."""
        now, soon, heap = self.time, self._soon, self._heap
        at_once, made, node = len(soon), 0, None
        try:
            for node in receivers:
                if node.receives:
                    node.receives = False
                    external = node.external
                    external(now - node.last)
                    node.last = now
                    made += 1
                    advance = node.model.ta() if node.asks else node.model.sigma
                    if type(advance) is not float and type(advance) is not int:
                        advance = node.plain(advance)
                    when = now + advance
                    if (advance is node.model._sigma_left and node.continues(advance, now)) or when == node.next:
                        continue  # it stands in the heap already, or is infinite
                    if now < when < inf:  # not warned of: what is left of a time advance may be as small as it likes
                        node.next = when
                        heappush(heap, (when, node.order, node))
                    else:
                        self._plan(node, advance)
        except BaseException as exc:
            self._fail(node, exc)
        self.transitions += made
        if len(soon) > at_once:
            self._in_order = False

    def _plan(self, node: Node, advance: float) -> None:
        """Note when the next internal event of a model is due."""
        when = self.time + advance
        if when > self.time:
            node.next = when
            if when != inf:
                heappush(self._heap, (when, node.order, node))
        elif when == self.time:  # zero, or what rounding has left of it
            node.next = when
            self._soon.append(node)
        else:
            raise ModelError(f"the time advance is {advance}: make it zero or more (infinity to wait for ever)")

    def _rebuild_heap(self) -> None:
        """Leave out what is no longer true, so that the heap does not grow for ever."""
        nodes = self._nodes.values()
        self._heap = [(node.next, node.order, node) for node in nodes if self.time < node.next < inf]
        heapify(self._heap)
        self._heap_limit = 2 * len(nodes) + 1000

    def _check_progress(self) -> None:
        self._zero_steps += 1
        if self._zero_steps > self.zero_time_limit and self._soon:
            busy = [node.model for node in self._soon[:5]]
            self._fail(self._soon[0], endless_chain(self.zero_time_limit, busy, self.time))

    def _refuse_output(self, sent: int) -> NoReturn:
        """An output port was written in a transition, or when its model was initialised: say which."""
        route = self._written[sent]
        ports = ((node, port) for node in self._nodes.values() for port in node.model.out_ports)
        node, port = next((pair for pair in ports if getattr(pair[1], "_route", None) is route), (None, None))
        self._fail(node, stray_output(port))

    def _warn_of_coarse_time(self, node: Node, advance: float) -> None:
        lost = abs(self.time + advance - self.time - advance)
        if not self._coarse_told and lost > ROUGH * abs(advance):
            self._coarse_told = True
            warn(coarse_time(node.model, self.time, advance), ResolutionWarning, stacklevel=5)

    @abstractmethod
    def _restructure(self) -> None:
        """Follow changes of the structure."""

    def _fail(self, node: Node | None, exc: BaseException) -> NoReturn:
        """Break off for a fault of a model, or of an observer; Ctrl-C is none."""
        if isinstance(exc, KeyboardInterrupt):
            raise exc
        if isinstance(exc, ObserverError):
            self._break_off(exc, exc.__cause__)
        self._break_off(exc if node is None else blame(node.model, self.time, exc), exc)

    @abstractmethod
    def _break_off(self, error: BaseException, cause: BaseException | None) -> NoReturn:
        """End the simulation with an error."""


def _look(node: Node, written: list[Route]) -> None:
    """Note which of a model's outputs were written, where they do not say so themselves."""
    for route in node.looked:
        if route[0]:
            written.append(route)
