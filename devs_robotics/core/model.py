"""Atomic and coupled models: xdevs models with declared ports, checked couplings and sensible defaults."""

from __future__ import annotations

from typing import Any, TypeVar

from xdevs import PHASE_ACTIVE
from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Component, Coupling
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError
from devs_robotics.core.ports import (
    Declares,
    Sink,
    Source,
    bind_declared_ports,
    component_path,
    port_path,
    type_name,
    types_agree,
)

T = TypeVar("T")


class Atomic(Declares, XdevsAtomic):
    """A DEVS atomic model; write those of its functions that do something.

    Untouched, a model waits for ever, sends nothing, and lets an input pass without changing its schedule.
    `phase` and `sigma` hold the state that xdevs' `hold_in`, `activate`, `passivate` and `continuef` set.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(_checked_name(name, type(self)))
        self._sigma_left: float | None = None
        """What `continuef` has left of sigma."""
        bind_declared_ports(self)

    def initialize(self) -> None:
        """Set the initial state; called once, when a simulation starts."""

    def exit(self) -> None:
        """Put things away; called once, when a simulation ends."""

    def lambdaf(self) -> None:
        """Output function: put values into output ports; called just before an internal transition."""

    def deltint(self) -> None:
        """Internal transition function: the time advance has passed. By default the model then waits for ever."""
        self.passivate()

    def deltext(self, e: float) -> None:
        """External transition function: inputs came, `e` seconds after the last transition."""
        self.continuef(e)

    def continuef(self, e: float) -> None:
        """Leave the next internal event as it is, `e` seconds after the last transition.

        While a simulation runs it keeps its time to the last bit, though floating-point numbers may not add up to it;
        after the transition `sigma` is what is left until then.
        """
        self.sigma = self._sigma_left = self.sigma - e

    def activate(self, phase: str = PHASE_ACTIVE) -> None:
        """Make the next internal event due at once."""
        self.phase = phase
        self.sigma = 0.0

    def deltcon(self) -> None:
        """Confluent transition function: inputs came just when the time advance has passed.

        By default the internal transition comes first, and then the external one with an elapsed time of 0.
        """
        self.deltint()
        self.deltext(0.0)


class Coupled(Declares, XdevsCoupled):
    """A DEVS coupled model: components and the couplings between their ports.

    Its structure may change while it is simulated: from outside between events, or from transition functions of its
    models, a network executive's for instance. A change made in a step takes effect when the step is over.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(_checked_name(name, type(self)))
        self._names: set[str] = set()
        bind_declared_ports(self)

    def add_component(self, component: Component) -> None:
        """Add a component; raises ModelError when its name is taken or it already has a place."""
        if component.parent is not None or component is self:
            raise ModelError(
                f"model {component_path(component)} already has a place in the tree and cannot also join "
                f"{component_path(self)}: make another instance"
            )
        if component.name in self._names:
            raise ModelError(
                f"model {component_path(self)} already has a component named {component.name!r}: "
                f"give the second one another name"
            )
        self._names.add(component.name)
        super().add_component(component)
        self._tell_change()

    def remove_component(self, component: Component) -> None:
        """Take a component out, with all its couplings; raises ModelError when it is not here.

        In a running simulation its pending event is dropped, what was sent to it in this step still reaches it, and
        then its `exit` is called. It may join again later, and then starts afresh.
        """
        if component.parent is not self:
            raise ModelError(
                f"{component_path(self)} cannot remove {component_path(component)}: it is not one of its components"
            )
        for couplings in (self.eic, self.ic, self.eoc):
            for source, targets in list(couplings.items()):
                for target in list(targets):
                    if component in (source.parent, target.parent):
                        self.remove_coupling(source, target)
        self.components.remove(component)
        self._names.discard(component.name)
        self._tell_change()
        component.parent = None

    def add_coupling(self, p_from: Source[T], p_to: Sink[T], host: object = None) -> None:
        """Couple two ports; raises ModelError when directions or types do not fit, or the coupling exists."""
        if not isinstance(p_from, XdevsPort) or not isinstance(p_to, XdevsPort):
            raise ModelError(f"{component_path(self)} can couple ports only, not {p_from!r} with {p_to!r}")
        couplings = self._coupling_set(p_from, p_to)
        if not types_agree(p_from.p_type, p_to.p_type):
            raise ModelError(
                f"{port_path(p_from)} sends {type_name(p_from.p_type)} but {port_path(p_to)} takes "
                f"{type_name(p_to.p_type)}: couple ports of one type"
            )
        targets = couplings.setdefault(p_from, {})
        if p_to in targets:
            raise ModelError(f"{port_path(p_from)} is already coupled to {port_path(p_to)}: couple them once")
        targets[p_to] = _CheckedCoupling(p_from, p_to, host)
        self._tell_change()

    def remove_coupling(self, coupling: Coupling[T] | XdevsPort[T], p_to: XdevsPort[T] | None = None) -> None:
        """Remove the coupling of two ports, or one that is given as xdevs' `Coupling`; raises ModelError without it."""
        p_from = coupling.port_from if isinstance(coupling, Coupling) else coupling
        p_to = coupling.port_to if isinstance(coupling, Coupling) else p_to
        for couplings in (self.eic, self.ic, self.eoc):
            targets = couplings.get(p_from, {})
            if p_to in targets:
                del targets[p_to]
                if not targets:
                    del couplings[p_from]
                self._tell_change()
                return
        ends = " and ".join(port_path(port) if isinstance(port, XdevsPort) else repr(port) for port in (p_from, p_to))
        raise ModelError(f"{component_path(self)} has no coupling of {ends} to remove")

    def _tell_change(self) -> None:
        """Let the simulator of the whole tree, if there is one, know that the structure is no longer the same."""
        root: Component = self
        while root.parent is not None:
            root = root.parent
        changes: list[Component] | None = getattr(root, "_changes", None)
        if changes is not None:
            changes.append(self)

    def _coupling_set(
        self, p_from: XdevsPort[Any], p_to: XdevsPort[Any]
    ) -> dict[XdevsPort[Any], dict[XdevsPort[Any], Coupling[Any]]]:
        """Which of EIC, IC and EOC the coupling belongs to."""
        sender, receiver = p_from.parent, p_to.parent
        if sender is not None and receiver is not None:
            if sender is self and receiver.parent is self and _has(self.input, p_from, receiver.input, p_to):
                return self.eic
            if sender.parent is self and receiver is self and _has(sender.output, p_from, self.output, p_to):
                return self.eoc
            if sender.parent is self and receiver.parent is self and _has(sender.output, p_from, receiver.input, p_to):
                return self.ic
        raise ModelError(
            f"{component_path(self)} cannot couple {port_path(p_from)} to {port_path(p_to)}: a coupling leads from "
            f"a component's output to a component's input, from an input of {self.name} inwards, or outwards to an "
            f"output of {self.name}, and both components must have been added to {self.name} first"
        )


class _CheckedCoupling(Coupling[Any]):
    """A coupling whose types have been checked; xdevs' own check takes no union."""

    def __init__(self, port_from: XdevsPort[Any], port_to: XdevsPort[Any], host: object) -> None:
        self.port_from = port_from
        self.port_to = port_to
        self.host = host


def _has(
    senders: dict[str, XdevsPort[Any]],
    p_from: XdevsPort[Any],
    receivers: dict[str, XdevsPort[Any]],
    p_to: XdevsPort[Any],
) -> bool:
    return senders.get(p_from.name) is p_from and receivers.get(p_to.name) is p_to


def _checked_name(name: str | None, cls: type) -> str:
    name = cls.__name__ if name is None else name
    if not name or any(char in name for char in "/. \t\n"):
        raise ModelError(f"{name!r} cannot name a model: use a word without blanks, slashes and dots")
    return name
