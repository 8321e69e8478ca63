"""Activities: what stands between a decision model and the world (Hu & Zeigler, section 3.1).

A decision model declares what it senses and does as `Sensor` and `Actuator` ports. An activity offers the other
end of that conversation as a `Service`. `equip` couples the two; which activity it is, the decision model never
learns:

=================  ==========================  =====================================
activity           the paper's name            its other side is coupled to
=================  ==========================  =====================================
virtual            abstractActivity            the environment model
hardware           RTActivity                  boundary ports that carry packets
in the loop        HILActivity                 both
=================  ==========================  =====================================
"""

from __future__ import annotations

from itertools import count
from types import UnionType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

from xdevs.models import Component

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic, Coupled
from devs_robotics.core.ports import Port, add_port, port_path

Q = TypeVar("Q")
R = TypeVar("R")


class Exchange(Generic[Q, R]):
    """Two ports of one model that belong together: `ask` carries questions or commands, `answer` the answers."""

    __slots__ = ("answer", "ask")

    def __init__(self, ask: Port[Q], answer: Port[R]) -> None:
        self.ask = ask
        self.answer = answer


class _ExchangeDeclaration(Generic[Q, R]):
    """What stands in a class body; each instance of the class gets its own `Exchange` in its place."""

    ask_direction = "out"
    answer_direction = "in"

    def __init__(self, asks: type[Q] | UnionType, answers: type[R] | UnionType) -> None:
        self.asks = asks
        self.answers = answers
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: Component, owner: type) -> Exchange[Q, R]: ...
        def __get__(self, instance: Component | None, owner: type) -> Self | Exchange[Q, R]: ...

    def bind(self, component: Component) -> None:
        """Give `component` its own two ports, ``<name>_ask`` and ``<name>_answer``."""
        ask: Port[Q] = Port(self.asks, f"{self.name}_ask")
        answer: Port[R] = Port(self.answers, f"{self.name}_answer")
        add_port(component, ask, self.ask_direction)
        add_port(component, answer, self.answer_direction)
        component.__dict__[self.name] = Exchange(ask, answer)


class Sensor(_ExchangeDeclaration[Q, R]):
    """What a decision model senses: in ``infrared = Sensor(Sense, Ranges)`` a Sense asks, and Ranges answer."""


class Actuator(_ExchangeDeclaration[Q, R]):
    """What a decision model does: in ``motor = Actuator(Drive, Driven)`` a Drive acts, and Driven reports it."""


class Service(_ExchangeDeclaration[Q, R]):
    """What an activity offers a decision model: the other end of a `Sensor` or an `Actuator`."""

    ask_direction = "in"
    answer_direction = "out"


class Activity(Atomic):
    """Base of all activities: an atomic model that offers one or more services."""


def exchanges_of(model: Component, *kinds: type) -> dict[str, Exchange[Any, Any]]:
    """The exchanges that a model's class declares, by their names.

    Args:
        model: of any class
        kinds: which ones: `Sensor`, `Actuator` or `Service`, or several of them
    """
    declared: dict[str, Any] = getattr(model, "_declared", {})
    return {name: model.__dict__[name] for name, each in declared.items() if isinstance(each, kinds)}


def equip(robot: Coupled, needs: Exchange[Q, R], service: Exchange[Q, R]) -> None:
    """Couple, inside `robot`, a decision model's sensor or actuator to the activity's service for it."""
    robot.add_coupling(needs.ask, service.ask)
    robot.add_coupling(service.answer, needs.answer)


def lead_out(parent: Coupled, inner: Port[Q], name: str) -> Port[Q]:
    """Lead an output port of one of `parent`'s components out to a new port of `parent` itself."""
    port: Port[Q] = Port(inner.p_type, name)
    add_port(parent, port, "out")
    parent.add_coupling(inner, port)
    return port


def lead_in(parent: Coupled, inner: Port[Q], name: str) -> Port[Q]:
    """Lead an input port of one of `parent`'s components out to a new port of `parent` itself."""
    port: Port[Q] = Port(inner.p_type, name)
    add_port(parent, port, "in")
    parent.add_coupling(port, inner)
    return port


def expose(robot: Coupled, inner: Exchange[Q, R], name: str) -> Exchange[Q, R]:
    """Lead an exchange of one of `robot`'s components out to ports of `robot` itself, named after `name`."""
    return Exchange(lead_out(robot, inner.ask, f"{name}_ask"), lead_in(robot, inner.answer, f"{name}_answer"))


def lead_through(root: Coupled, port: Port[Q], direction: Literal["in", "out"]) -> Port[Q]:
    """The port of a component of `root` through which the values of a port of any depth leave, or come in.

    The coupled models on the way get ports for it, ``<component>_<port>``, once.

    Raises:
        ModelError: the port belongs to no model inside `root`
    """
    while port.parent is not None and port.parent.parent is not root:
        nest = port.parent.parent
        if not isinstance(nest, Coupled):
            raise ModelError(f"{port_path(port)} is no port of a model inside {root.name}: add the model first")
        port = lead_on(nest, port, direction)
    return port


def lead_on(nest: Coupled, port: Port[Q], direction: Literal["in", "out"]) -> Port[Q]:
    """The port of `nest`, ``<component>_<port>``, that leads to one of its components' ports; it is made once.

    Another one that has this name by chance is left alone; the new one then gets a number at its end.
    """
    assert port.parent is not None
    name, ports = f"{port.parent.name}_{port.name}", nest.output if direction == "out" else nest.input
    for number in count(2):
        known = ports.get(name)
        if known is None:
            return (lead_out if direction == "out" else lead_in)(nest, port, name)
        couplings = nest.eoc.get(port, {}) if direction == "out" else nest.eic.get(known, {})
        if isinstance(known, Port) and (known if direction == "out" else port) in couplings:
            return known
        name = f"{port.parent.name}_{port.name}_{number}"
    raise AssertionError("some number is free")
