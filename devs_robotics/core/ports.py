"""Typed ports, declared in a model's class body.

``heard = In(str)`` in the body of a model gives every instance a port of its own, registered with xdevs, that
type checkers know as ``Port[str]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, Self, TypeVar, overload

from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


class Source(Protocol[T_co]):
    """Anything that values can be taken from: a port as the sending end of a coupling."""

    @property
    def values(self) -> Iterator[T_co]:
        """The values in it."""
        ...


class Sink(Protocol[T_contra]):
    """Anything that values can be put into: a port as the receiving end of a coupling."""

    def add(self, val: T_contra) -> None:
        """Put a value into it."""
        ...


class Port(XdevsPort[T]):
    """An xdevs port that keeps its values in a list and tells the simulator when it was written.

    ``p_type`` may be a class, a union of classes, or None for values of any type.
    """

    p_type: type[T] | UnionType | None  # type: ignore[assignment]  # xdevs knows no unions

    def __init__(self, p_type: type[T] | UnionType | None = None, name: str | None = None, serve: bool = False) -> None:
        super().__init__(None, name or "port", serve)
        self.p_type = p_type
        self._values: list[T] = []  # type: ignore[assignment]  # a list needs half a deque's memory
        self._written: list[Any] | None = None
        """Where a simulator wants to hear that this port was written, and what it wants to hear:"""
        self._route: Any = None
        self._copies: Sequence[list[T]] = ()
        """Further lists that a value goes to."""

    def add(self, val: T) -> None:
        """Put a value into the port; raises ModelError when it is not of the port's type."""
        p_type = self.p_type
        if type(val) is not p_type and p_type is not None and not isinstance(val, p_type):
            raise ModelError(
                f"port {port_path(self)} carries {type_name(p_type)} but was given {val!r} "
                f"({type(val).__name__}): send {type_name(p_type)}, or declare the port for both"
            )
        self._values.append(val)
        if self._written is not None:
            self._written.append(self._route)
            if self._copies:
                for values in self._copies:
                    values.append(val)

    def clear(self) -> None:
        """Take everything out of the port."""
        self._values.clear()
        self._bag.clear()

    def add_to_bag(self, port: XdevsPort[T]) -> None:
        """Receive what is in `port`, as xdevs' coordinators want it."""
        if getattr(port, "_written", None) is not None:
            raise ModelError(
                f"{port_path(port)} is in use by a Simulator: close that one before another kernel runs the model"
            )
        super().add_to_bag(port)

    def __getstate__(self) -> dict[str, Any]:
        """What is saved and copied: not the values of the moment, nor what a simulator has put here."""
        return {**self.__dict__, "_values": [], "_bag": [], "_written": None, "_route": None, "_copies": ()}

    def __bool__(self) -> bool:
        return bool(self._values or self._bag)

    @property
    def values(self) -> Iterator[T]:  # type: ignore[override]  # xdevs promises a generator
        """The values in the port, in the order in which they came."""
        if self._bag:
            return chain(self._values, *(port.values for port in self._bag))
        return iter(self._values)

    def __str__(self) -> str:
        return f"{self.name}<{type_name(self.p_type)}>"


class _PortDeclaration(Generic[T]):
    """What stands in a class body; each instance of the class gets its own `Port` in its place."""

    direction = ""

    def __init__(self, p_type: type[T] | UnionType | None = None) -> None:
        self.p_type = p_type
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(self, instance: Component, owner: type) -> Port[T]: ...
        def __get__(self, instance: Component | None, owner: type) -> Self | Port[T]: ...

    def bind(self, component: Component) -> None:
        """Give `component` its own port of this declaration."""
        port = Port(self.p_type, self.name)
        add_port(component, port, self.direction)
        setattr(component, self.name, port)  # through its dict, each component would need one


class In(_PortDeclaration[T]):
    """An input port for values of the given type: ``heard = In(str)``; ``In()`` takes any value.

    Type checkers want to be told what a union holds: ``heard: In[str | bytes] = In(str | bytes)``.
    """

    direction = "in"


class Out(_PortDeclaration[T]):
    """An output port for values of the given type: ``said = Out(str)``; ``Out()`` sends any value."""

    direction = "out"


def add_port(component: Component, port: Port[Any], direction: str) -> None:
    """Register a port with its component; raises ModelError when the name is taken."""
    taken = component.input if direction == "in" else component.output
    if port.name in taken:
        raise ModelError(f"model {component_path(component)} already has a port named {port.name!r}: rename one")
    if direction == "in":
        component.add_in_port(port)
    else:
        component.add_out_port(port)


class Declares:
    """Base of models whose class bodies declare ports; each instance gets a port for each declaration.

    Declarations move from the class to ``_declared``, where those of its bases stand first: an attribute of an
    instance is found faster when its class has none of that name.
    """

    _declared: ClassVar[dict[str, Any]]

    def __copy__(self) -> NoReturn:
        """Refused with a ModelError: a shallow copy would share its ports with the original."""
        raise ModelError(f"{self!r} cannot be copied without its ports: use copy.deepcopy, or make another instance")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        declared: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            declared.update(vars(base).get("_declared", {}))
            for name, value in vars(base).items():
                if hasattr(value, "bind") and hasattr(value, "__set_name__"):
                    declared[name] = value
                else:
                    declared.pop(name, None)
        for name in vars(cls).keys() & declared.keys():
            delattr(cls, name)
        cls._declared = declared


def bind_declared_ports(component: Component) -> None:
    """Give a new component a port for each declaration in its class and its bases, bases first."""
    declared: dict[str, Any] = getattr(component, "_declared", {})
    for declaration in declared.values():
        declaration.bind(component)


def type_name(p_type: object) -> str:
    """A port type as a reader would write it."""
    if p_type is None:
        return "any value"
    return p_type.__name__ if isinstance(p_type, type) else str(p_type)


def types_agree(sent: object, received: object) -> bool:
    """Whether every value of the type `sent` is also of the type `received`; None stands for any value."""
    if sent is received or sent is None or received is None:
        return True
    members = sent.__args__ if isinstance(sent, UnionType) else (sent,)
    return all(issubclass(member, received) for member in members)  # type: ignore[arg-type]


def component_path(component: Component | None) -> str:
    """Where a component stands in the model tree: ``experiment/robot3/motor``."""
    names: list[str] = []
    while component is not None:
        names.append(component.name)
        component = component.parent
    return "/".join(reversed(names))


def port_path(port: XdevsPort[Any]) -> str:
    """Where a port stands in the model tree: ``experiment/robot3/motor.done``."""
    return f"{component_path(port.parent)}.{port.name}" if port.parent is not None else port.name
