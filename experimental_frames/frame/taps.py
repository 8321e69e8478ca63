"""Taps: how a frame's parts are coupled to ports of any depth of a model that knows nothing of them.

A tap leads an output port out through the coupled models round it, a drive leads an input port in, each by couplings
alone. The models stay as they are, and so do the values that they send each other. Ports are named by patterns
(`devs_robotics.core.observe.patterns`): ``robot*/motor.world_ask``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, Literal

from xdevs.models import Component, Coupled, Port

from devs_robotics import Coupled as OurCoupled
from devs_robotics.core.errors import DevsRoboticsError, ModelError
from devs_robotics.core.observe.patterns import MANY, Pattern, parse_pattern
from devs_robotics.core.ports import component_path, port_path, type_name, types_agree
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.core.wiring import components, is_inside

TAP, DRIVE = "tap_", "drive_into_"
"""So begin the names of those ports that lead a value out of, or into, a coupled model; they go on with the path of the
port inside, and so have a dot, as no declared port has."""

Direction = Literal["out", "in"]


Wanted = str | Port[Any]
"""A port, or a pattern of some."""


class TapError(DevsRoboticsError):
    """A tap or a drive that cannot be."""


def tap(root: OurCoupled, patterns: Wanted | Sequence[Wanted], to: Port[Any]) -> list[Port[Any]]:
    """Couple all output ports that are wanted to an input port of one of `root`'s components.

    A port through which another one that is named is led out brings the values of both: each value comes once.

    Args:
        root: of the ports; its own, and those of the component of `to`, are left out
        patterns: ports, or patterns of ports, of which each must name one or more
        to: takes the values

    Returns:
        the ports that were tapped

    Raises:
        TapError: no such output port is there, or it sends what `to` does not take
    """
    tapped = _named(root, patterns, to, "out")
    for port in tapped:
        _check_types(port, to)
    for port in tapped:
        root.add_coupling(_led_out(root, port), to)
    return tapped


def drive(root: OurCoupled, patterns: Wanted | Sequence[Wanted], source: Port[Any]) -> list[Port[Any]]:
    """Couple an output port of one of `root`'s components to all input ports that are wanted.

    Args:
        root: of the ports; its own, and those of the component of `source`, are left out
        patterns: ports, or patterns of ports, of which each must name one or more
        source: sends the values

    Returns:
        the ports that are driven

    Raises:
        TapError: no such input port is there, or it does not take what `source` sends
    """
    driven = _named(root, patterns, source, "in")
    for port in driven:
        _check_types(source, port)
    for port in driven:
        root.add_coupling(source, _led_in(root, port))
    return driven


def _named(
    root: OurCoupled, patterns: Wanted | Sequence[Wanted], end: Port[Any], direction: Direction
) -> list[Port[Any]]:
    """The ports that patterns name, without those whose values another one of them brings already."""
    found: dict[Port[Any], None] = {}
    models: list[Component] = []
    for pattern in [patterns] if isinstance(patterns, str | Port) else patterns:
        if isinstance(pattern, Port):
            found[_port_in(root, pattern, end, direction)] = None
            continue
        if not isinstance(pattern, str):
            raise TapError(f"{pattern!r} is no port and no pattern of ports: write one such as robot*/motor.world_ask")
        wanted = _parsed(pattern)
        models = models or _models(root, end)
        named = list(_matches(wanted, models, direction))
        if not named:
            raise TapError(_nothing_fits(wanted, models, direction))
        found.update(dict.fromkeys(named))
    return [port for port in found if not any(outer in found for outer in _outwards(port, direction))]


def _models(root: OurCoupled, end: Port[Any]) -> list[Component]:
    """The models inside `root`, without that of the other end and those in it."""
    within = set() if end.parent is None else set(components(end.parent))
    return [model for model in components(root) if model is not root and model not in within]


def _port_in(root: OurCoupled, port: Port[Any], end: Port[Any], direction: Direction) -> Port[Any]:
    kind = "output" if direction == "out" else "input"
    if port.parent is root or not is_inside(port.parent, root) or is_inside(port.parent, end.parent):
        raise TapError(f"{port_path(port)} is no port of a model inside {root.name}: name one that is")
    if not any(port is own for own in _ports(_owner(port), direction)):
        raise TapError(f"{port_path(port)} is no {kind} port: name the one that it is coupled to")
    return port


def _parsed(pattern: str) -> Pattern:
    try:
        wanted = parse_pattern(pattern)
    except DevsRoboticsError as exc:
        raise TapError(str(exc)) from exc
    if wanted.port is None:
        raise TapError(f"{pattern!r} names no port: write one such as robot*/motor.world_ask")
    return wanted


def _matches(wanted: Pattern, models: Iterable[Component], direction: Direction) -> Iterator[Port[Any]]:
    for model in models:
        path = component_path(model)
        for port in _ports(model, direction):
            if wanted.names_port(path, port.name) and "." not in port.name:
                yield port


def _ports(model: Component, direction: Direction) -> Iterable[Port[Any]]:
    return model.out_ports if direction == "out" else model.in_ports


def _outwards(port: Port[Any], direction: Direction) -> Iterator[Port[Any]]:
    """The ports of the models round a port through which its values go on, or come."""
    above = None if port.parent is None else port.parent.parent
    if not isinstance(above, Coupled):
        return
    if direction == "out":
        outer = list(above.eoc.get(port, ()))
    else:
        outer = [source for source, targets in above.eic.items() if port in targets]
    for other in outer:
        yield other
        yield from _outwards(other, direction)


def _check_types(source: Port[Any], target: Port[Any]) -> None:
    if not types_agree(source.p_type, target.p_type):
        raise TapError(
            f"{port_path(source)} sends {type_name(source.p_type)} but {port_path(target)} takes "
            f"{type_name(target.p_type)}: name another port, or declare this one for both"
        )


def _led_out(root: OurCoupled, port: Any) -> Any:
    """The port of a component of `root` through which a port's values come."""
    while (nest := _nest(port)) is not root:
        name = f"{TAP}{_owner(port).name}.{port.name.removeprefix(TAP)}"
        port = nest.output[name] if name in nest.output else lead_out(nest, port, name)
    return port


def _led_in(root: OurCoupled, port: Any) -> Any:
    """The port of a component of `root` through which values go to a port."""
    while (nest := _nest(port)) is not root:
        name = f"{DRIVE}{_owner(port).name}.{port.name.removeprefix(DRIVE)}"
        port = nest.input[name] if name in nest.input else lead_in(nest, port, name)
    return port


def _owner(port: Port[Any]) -> Component:
    assert port.parent is not None
    return port.parent


def _nest(port: Port[Any]) -> OurCoupled:
    nest = _owner(port).parent
    if not isinstance(nest, OurCoupled):
        raise ModelError(f"{port_path(port)} cannot be led out: derive the models round it from devs_robotics.Coupled")
    return nest


def _nothing_fits(wanted: Pattern, models: list[Component], direction: Direction) -> str:
    opposite: Direction = "in" if direction == "out" else "out"
    kind, other = ("output", "input") if direction == "out" else ("input", "output")
    wrong = next(_matches(wanted, models, opposite), None)
    if wrong is not None:
        return (
            f"{port_path(wrong)}, which {wanted.text!r} names, is an {other} port, and an {kind} port is wanted: "
            f"name the one that it is coupled to"
        )
    names = (port_path(port).partition("/")[2] for model in models for port in _ports(model, direction))
    alike = get_close_matches(wanted.text, list(islice(names, MANY)), n=3, cutoff=0.0)
    return f"no {kind} port fits the pattern {wanted.text!r}: there is {', '.join(alike)}"
