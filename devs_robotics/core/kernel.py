"""One step of Parallel DEVS over a flat list of atomic models: outputs, then transitions, then the next time advances.

This is where the time goes. The loops do for each event no more than they must; what is rare stands in functions of
its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappush
from math import inf
from typing import Any, NoReturn
from warnings import warn

from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError, ObserverError, ResolutionWarning
from devs_robotics.core.faults import blame, coarse_time, early_change, endless_chain, stray_output
from devs_robotics.core.model_node import ModelNode, PortValues, Route
from devs_robotics.core.ports import Port, port_path
from devs_robotics.core.schedule import Schedule

ROUGH = 1e-3
"""Relative rounding error of a time advance above which a warning is given."""

COARSE = 2.0**-53 / ROUGH
"""Ratio of a time advance to the time below which it can be rounded by so much."""


class Kernel:
    """Handles one step at a time: takes the models that are due from a schedule, and plans there what comes next.

    It knows neither observers nor how long a run lasts. A step that breaks off leaves the simulation unfit to go on.

    Args:
        schedule: what is to come
        zero_time_limit: number of steps without any advance of time above which they are refused as an endless chain
        root_values: what the output ports of the root model keep their values in

    Attributes:
        steps: how often the set of imminent models was handled
        transitions: how many internal, external and confluent transitions were made
        zero_steps: how many steps were handled since time advanced
        written: the routes of the outputs that were written in this step
        changes: the coupled models whose structure has changed since this list was emptied
        input_routes: where the inputs of the root model lead
    """

    def __init__(self, schedule: Schedule, zero_time_limit: int, root_values: Sequence[PortValues]) -> None:
        self.zero_time_limit = zero_time_limit
        self.steps = 0
        self.transitions = 0
        self.zero_steps = 0
        self.written: list[Route] = []
        self.changes: list[Component] = []
        self.input_routes: dict[XdevsPort[Any], Route] = {}
        self._schedule = schedule
        self._root_values = root_values
        self._coarse_told = False

    def step(self, time: float) -> None:
        """All outputs of the models that are due at a time (s), then all transitions.

        Raises:
            ModelError: a model broke a rule or raised an exception; the message names its path and the time
            ObserverError: an observer failed
        """
        schedule = self._schedule
        if time > schedule.time:
            schedule.time = time
            self.zero_steps = 0
        else:
            self._check_progress()
        for values in self._root_values:
            values.clear()
        if schedule.inputs:
            self._put_inputs()
        imminent = schedule.take_imminent()
        receivers: list[ModelNode] = []
        self._send(imminent, receivers)
        sent = len(self.written)
        self._change(imminent)
        self._receive(receivers)
        if len(self.written) != sent:
            self._refuse_output(sent)
        for bag, _, more in self.written:
            bag.clear()
            if more is not None:
                for other in more[1]:
                    other.clear()
        self.written.clear()
        self.steps += 1

    def join(self, node: ModelNode) -> None:
        """Initialise a model, and plan its first internal event; raises ModelError as `step` does."""
        try:
            node.model.initialize()
            self._schedule.plan(node, node.plain(node.model.ta()))
        except BaseException as exc:
            self._fail(node, exc)
        if self.written:
            self._refuse_output(0)

    def _put_inputs(self) -> None:
        """Put the inputs of this time into the bags of their receivers."""
        for port, values in self._schedule.take_inputs():
            try:
                port.extend(iter(values))
            except Exception as exc:
                raise ModelError(
                    f"{port_path(port)} at {self._schedule.time:.9g} s cannot be given {values!r}: {exc}"
                ) from exc
            if not isinstance(port, Port):
                self.written.append(self.input_routes[port])

    def _send(self, imminent: list[ModelNode], receivers: list[ModelNode]) -> None:
        """Call the output functions, and note who receives."""
        written = self.written
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
        if self.changes:
            raise early_change(self.changes[0], self._schedule.time)

    def _change(self, imminent: list[ModelNode]) -> None:
        """The transitions of the imminent models."""
        schedule = self._schedule
        now, due = schedule.time, schedule.due
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
                    due.append(node)  # `last` can wait: the next transition has no use for it
                    continue
                node.last = now
                if advance == inf:
                    node.next = inf
                else:
                    if advance < coarse:
                        self._warn_of_coarse_time(node, advance)
                    schedule.plan(node, advance)
        except BaseException as exc:
            self._fail(node, exc)
        self.transitions += len(imminent)

    def _receive(self, receivers: list[ModelNode]) -> None:
        """The transitions of the models that receive something and are not imminent."""
        schedule = self._schedule
        now, due, heap = schedule.time, schedule.due, schedule.heap
        at_once, made, node = len(due), 0, None
        try:
            for node in receivers:
                if node.receives:
                    node.receives = False
                    external = node.external
                    external(now - node.last)
                    node.last = now
                    made += 1
                    model = node.model
                    advance = model.ta() if node.asks else model.sigma
                    if type(advance) is not float and type(advance) is not int:
                        advance = node.plain(advance)
                    if advance is model._sigma_left and node.continues(advance, now):
                        continue
                    if advance == 0.0:
                        node.next = now
                        due.append(node)
                        continue
                    when = now + advance
                    if when == node.next:
                        continue  # it stands in the heap already, or is infinite
                    if now < when < inf:  # not warned of: what is left of a time advance may be as small as it likes
                        node.next = when
                        heappush(heap, (when, node.order, node))
                    else:
                        schedule.plan(node, advance)
        except BaseException as exc:
            self._fail(node, exc)
        self.transitions += made
        if len(due) > at_once:
            schedule.due_in_order = False

    def _check_progress(self) -> None:
        self.zero_steps += 1
        due = self._schedule.due
        if self.zero_steps > self.zero_time_limit and due:
            busy = [node.model for node in due[:5]]
            self._fail(due[0], endless_chain(self.zero_time_limit, busy, self._schedule.time))

    def _refuse_output(self, sent: int) -> NoReturn:
        """An output port was written in a transition, or when its model was initialised: say which."""
        route = self.written[sent]
        ports = ((node, port) for node in self._schedule.nodes.values() for port in node.model.out_ports)
        node, port = next((pair for pair in ports if getattr(pair[1], "_route", None) is route), (None, None))
        self._fail(node, stray_output(port))

    def _warn_of_coarse_time(self, node: ModelNode, advance: float) -> None:
        now = self._schedule.time
        if not self._coarse_told and abs(now + advance - now - advance) > ROUGH * abs(advance):
            self._coarse_told = True
            warn(coarse_time(node.model, now, advance), ResolutionWarning, stacklevel=5)

    def _fail(self, node: ModelNode | None, exc: BaseException) -> NoReturn:
        """Break off for a fault of a model, or of an observer; Ctrl-C is none."""
        if isinstance(exc, KeyboardInterrupt):
            raise exc
        if isinstance(exc, ObserverError):
            raise exc from exc.__cause__
        raise (exc if node is None else blame(node.model, self._schedule.time, exc)) from exc


def _look(node: ModelNode, written: list[Route]) -> None:
    """Note which of a model's outputs were written, where they do not say so themselves."""
    for route in node.looked:
        if route[0]:
            written.append(route)
