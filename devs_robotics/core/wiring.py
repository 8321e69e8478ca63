"""From a model tree to what the simulator walks: the atomic models in order, and where each output leads.

The tree itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdevs.models import Atomic, Component, Coupled, Port

from devs_robotics.core.errors import ModelError
from devs_robotics.core.ports import component_path, port_path


def components(root: Component) -> Iterator[Component]:
    """All models of a tree, depth first, each before those inside it, in the order in which they were added."""
    pending = [root]
    while pending:
        current = pending.pop()
        yield current
        if isinstance(current, Coupled):
            pending.extend(reversed(current.components))


def is_inside(model: Component | None, root: Component | None) -> bool:
    """Whether a model is `root`, or stands in it at any depth."""
    while model is not None and model is not root:
        model = model.parent
    return model is not None


def atomic_models(root: Component) -> Iterator[Atomic]:
    """All atomic models of a tree, in the order of `components`."""
    for current in components(root):
        if isinstance(current, Atomic):
            yield current
        elif not isinstance(current, Coupled):
            raise ModelError(f"{component_path(current)} is neither an atomic nor a coupled model: make it one")


def destinations(output: Port[Any]) -> list[Port[Any]]:
    """The ports at the end of every path of couplings that starts at an atomic model's output.

    Input ports of atomic models, and output ports of the root model. A port that two paths reach stands twice:
    it receives each value twice, as it would through nested coordinators.
    """
    found: list[Port[Any]] = []
    pending = [output]
    while pending:
        port = pending.pop()
        ends = list(next_ports(port))
        if not ends and port is not output and _is_end(port):
            found.append(port)
        pending.extend(reversed(ends))
    return found


def _is_end(port: Port[Any]) -> bool:
    model = port.parent
    if isinstance(model, Atomic):
        return True
    return model is not None and model.parent is None and model.output.get(port.name) is port


def next_ports(port: Port[Any]) -> Iterator[Port[Any]]:
    """The ports to which couplings lead directly, inwards from an input and outwards from an output."""
    model = port.parent
    if model is None:
        return
    if isinstance(model, Coupled) and model.input.get(port.name) is port:
        yield from _targets(model.eic, port)
    elif model.parent is not None and model.output.get(port.name) is port:
        yield from _targets(model.parent.ic, port)
        yield from _targets(model.parent.eoc, port)


def _targets(couplings: dict[Port[Any], dict[Port[Any], Any]], port: Port[Any]) -> Iterator[Port[Any]]:
    for target, coupling in couplings.get(port, {}).items():
        if coupling.host is not None:
            raise ModelError(
                f"the coupling {port_path(port)} -> {port_path(target)} names a remote host, which this simulator "
                f"does not serve: couple the ports directly"
            )
        yield target
