"""Which lists the ports of a model tree keep their values in while it is simulated, and whom an output reaches.

Values are not carried from port to port: an output writes straight into the bag of its receiver, and one list is the
bag of all ports that receive from one output alone. Only where outputs cross, so that an input receives from several
outputs one of which has other receivers as well, are values copied, in the moment in which they are written.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.model_node import ModelNode, Nowhere, PortValues, Route
from devs_robotics.core.ports import Port
from devs_robotics.core.wiring import destinations

NOWHERE = Nowhere()


class _LentList(list[Any]):
    """A list that xdevs' own ports keep their values in while they are simulated; a copy of them has its own again."""

    def __reduce_ex__(self, protocol: object) -> tuple[type, tuple[()]]:
        return deque, ()


class _CopyingList(_LentList):
    """Copies values as they are written, for a port that does not do so itself."""

    def __init__(self, copies: list[PortValues]) -> None:
        super().__init__()
        self._copies = copies

    def append(self, value: Any) -> None:
        super().append(value)
        for values in self._copies:
            values.append(value)


def _list_for(*ports: XdevsPort[Any]) -> PortValues:
    """A list for ports to share."""
    return [] if all(isinstance(port, Port) for port in ports) else _LentList()


class Routes:
    """The lists and routes of one model tree; made anew when its structure changes.

    Args:
        root: the model tree
        node_of: the node of each atomic model
        written: where an output says that it was written, by its route

    Attributes:
        inputs: by input port of a coupled root, its route
    """

    def __init__(self, root: Component, node_of: dict[Component, ModelNode], written: list[Route]) -> None:
        self.inputs: dict[XdevsPort[Any], Route] = {}
        self._root = root
        self._node_of = node_of
        self._written = written
        self._bags: dict[XdevsPort[Any], PortValues] = {}
        for node in node_of.values():
            node.forget_outputs()
            for port in node.model.in_ports:
                port.clear()  # a simulation that was broken off may have left something
        alone = self._root in node_of  # an atomic root receives through the ports into which values are put
        ends = {port: [port] if alone else destinations(port) for port in self._sources()}
        self._senders = Counter(chain.from_iterable(ends.values()))
        for port, reached in ends.items():
            self._lay(port, reached)

    def _node(self, port: XdevsPort[Any]) -> ModelNode | None:
        """The node of the atomic model that a port belongs to."""
        return None if port.parent is None else self._node_of.get(port.parent)

    def _sources(self) -> Iterator[XdevsPort[Any]]:
        """The ports into which values are put: inputs of the root, and outputs of atomic models.

        Not the outputs of an atomic root: they are left for its user.
        """
        yield from self._root.in_ports
        for node in self._node_of.values():
            if node.model is not self._root:
                yield from node.model.out_ports

    def _lay(self, port: XdevsPort[Any], reached: list[XdevsPort[Any]]) -> None:
        """Give a port, and those that receive from it alone, a list; and its route."""
        senders = self._senders
        sender = self._node(port) if port.parent is not self._root else None
        nodes = {end: node for end in reached if (node := self._node(end)) is not None}
        inputs = [end for end in reached if end in nodes]
        crossing = [end for end in inputs if senders[end] > 1]
        copies: list[PortValues] = []
        if len(inputs) == len(reached) == 1 and not (crossing and sender is not None and port in sender.heard):
            values, more_bags = self._bag(inputs[0]), []
        else:
            more_bags = [self._bag(end) for end in crossing]
            copies = more_bags + [end._values for end in reached if end not in nodes]
            sharing = [end for end in inputs if senders[end] == 1]
            values = _list_for(port, *sharing) if isinstance(port, Port) or not copies else _CopyingList(copies)
            for end in sharing:
                end._values = values  # type: ignore[assignment]
        targets = list(dict.fromkeys(nodes.values()))
        more = (targets[1:], more_bags) if len(targets) > 1 or more_bags else None
        self._tell(port, sender, (values, targets[0] if targets else NOWHERE, more), copies)

    def _bag(self, port: XdevsPort[Any]) -> PortValues:
        """The list of an input of an atomic model."""
        bag = self._bags.get(port)
        if bag is None:
            self._bags[port] = port._values = bag = _list_for(port)
        return bag

    def _tell(self, port: XdevsPort[Any], sender: ModelNode | None, route: Route, copies: list[PortValues]) -> None:
        """Let the port say when it is written, or let the simulator look."""
        port._values = route[0]
        if isinstance(port, Port):
            port._written, port._route, port._copies = self._written, route, copies
        elif sender is not None:
            sender.look_at(route)
        if sender is None:
            self.inputs[port] = route


def release(ports: Iterable[XdevsPort[Any]]) -> None:
    """Give ports containers of their own again, as they had before a simulation."""
    for port in ports:
        port._values = deque()
        if isinstance(port, Port):
            port._values = []
            port._written, port._route, port._copies = None, None, ()
