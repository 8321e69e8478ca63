"""The event queue: which models there are, when each of them is due, and what is to come from outside.

A model whose time advance is zero is due at once and goes to a list; only later events go through the heap, and those
that never come go nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from operator import attrgetter
from typing import Any

from xdevs.models import Atomic, Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model_node import ModelNode

HEAP_SLACK = 1000
"""Number of entries, beyond twice that of models, above which those that no longer hold are left out of the heap."""

Input = tuple[float, int, XdevsPort[Any], tuple[Any, ...]]
"""When it comes (s), a number that keeps inputs of one time in order, the port, and the values."""

_by_order = attrgetter("order")


class Schedule:
    """The simulated time, and the events to come: internal ones of the models, and inputs of the root model.

    Events of one time are taken together, in the order of the model tree.

    Attributes:
        time: simulated time of the last event (s)
        nodes: by atomic model, in the order of the model tree
        due: the models that are due now, since their time advance is zero
        due_in_order: whether these stand in the order of the model tree; who plans in another order makes it false
        heap: internal events after now; an entry whose time is not its node's next one no longer holds
        inputs: those to come, as a heap
    """

    __slots__ = ("_input_numbers", "_limit", "due", "due_in_order", "heap", "inputs", "nodes", "time")

    def __init__(self, time: float = 0.0) -> None:
        self.time = time
        self.nodes: dict[Component, ModelNode] = {}
        self.due: list[ModelNode] = []
        self.due_in_order = True
        self.heap: list[tuple[float, int, ModelNode]] = []
        self.inputs: list[Input] = []
        self._limit = 0
        """Number of entries above which the heap is built anew."""
        self._input_numbers = count()

    def next_time(self) -> float:
        """Time of the next event (s); infinite when there is none."""
        if self.due:
            return self.time
        heap = self.heap
        while heap and heap[0][2].next != heap[0][0]:
            heappop(heap)
        time = heap[0][0] if heap else inf
        return min(time, self.inputs[0][0]) if self.inputs else time

    def plan(self, node: ModelNode, advance: float) -> None:
        """Note that a model is due after a time advance (s), counted from now.

        Raises:
            ModelError: it is negative, or NaN
        """
        when = self.time + advance
        if when > self.time:
            node.next = when
            if when != inf:
                heappush(self.heap, (when, node.order, node))
        elif when == self.time:  # zero, or what rounding has left of it
            node.next = when
            self.due.append(node)
        else:
            raise ModelError(f"the time advance is {advance}: make it zero or more (infinity to wait for ever)")

    def take_imminent(self) -> list[ModelNode]:
        """The models whose time has come, in the order of the model tree; they are planned no longer."""
        time, imminent, heap = self.time, self.due, self.heap
        self.due = []
        while heap and heap[0][0] <= time:
            node = heappop(heap)[2]
            if node.next == time:
                node.next = -inf  # it may stand there twice
                imminent.append(node)
                self.due_in_order = False
        if not self.due_in_order:
            self.due_in_order = True
            if len(imminent) > 1:
                imminent.sort(key=_by_order)
        if len(heap) > self._limit:
            self._rebuild_heap()
        return imminent

    def add_input(self, time: float, port: XdevsPort[Any], values: tuple[Any, ...]) -> None:
        """Plan an input of the root model, at a time (s) that is not over."""
        heappush(self.inputs, (time, next(self._input_numbers), port, values))

    def take_inputs(self) -> Iterator[tuple[XdevsPort[Any], tuple[Any, ...]]]:
        """The ports and values of the inputs whose time has come; they are planned no longer."""
        while self.inputs and self.inputs[0][0] <= self.time:
            yield heappop(self.inputs)[2:]

    def follow(self, nodes: dict[Component, ModelNode]) -> None:
        """Go on with these models, by atomic model in the order of the tree; events of all others are dropped."""
        self.nodes = nodes
        for order, node in enumerate(nodes.values()):
            node.order = order
        self.due = [node for node in self.due if node.model in nodes]
        self.due_in_order = False
        self._rebuild_heap()

    def saved(self) -> dict[str, Any]:
        """All that is to come, for a checkpoint: plain values and ports, the models by their numbers in the tree."""
        return {
            "times": [(node.last, node.next) for node in self.nodes.values()],
            "soon": [node.order for node in self.due],
            "inputs": [(time, port, values) for time, _, port, values in sorted(self.inputs, key=lambda i: i[:2])],
        }

    @classmethod
    def restored(cls, time: float, models: Iterable[Atomic], state: Mapping[str, Any]) -> Schedule:
        """The schedule of these models at a time (s), from what `saved` gave."""
        schedule = cls(time)
        nodes = [ModelNode(model, time) for model in models]
        for node, times in zip(nodes, state["times"], strict=True):
            node.last, node.next = times
        schedule.due = [nodes[number] for number in state["soon"]]
        schedule.follow({node.model: node for node in nodes})
        for at, port, values in state["inputs"]:
            schedule.add_input(at, port, values)
        return schedule

    def _rebuild_heap(self) -> None:
        """Leave out what no longer holds, so that the heap does not grow for ever."""
        nodes = self.nodes.values()
        self.heap = [(node.next, node.order, node) for node in nodes if self.time < node.next < inf]
        heapify(self.heap)
        self._limit = 2 * len(nodes) + HEAP_SLACK
