"""Models of any shape, as xdevs has them, to be drawn and never run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from xdevs.models import Atomic, Component, Coupled, Port

TYPES = [int, str, None]

Tree = tuple[Any, ...]
"""(inputs, outputs, children, couplings): numbers of ports, trees or None for an atomic model, pairs of picks."""


class Leaf(Atomic):
    """Never run."""

    def initialize(self) -> None: ...
    def exit(self) -> None: ...
    def deltint(self) -> None: ...
    def deltext(self, e: float) -> None: ...
    def lambdaf(self) -> None: ...


class Other(Leaf):
    """Another class."""


ports = st.integers(0, 4)
picks = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=12)
leaves = st.tuples(ports, ports, st.none(), st.sampled_from([Leaf, Other]))
trees: st.SearchStrategy[Tree] = st.recursive(
    leaves,
    lambda inner: st.tuples(
        ports, ports, st.lists(inner, max_size=5) | st.builds(lambda one, n: [one] * n, inner, st.integers(3, 5)), picks
    ),
    max_leaves=12,
)
names = st.text(min_size=1, max_size=12) | st.sampled_from(["<a&b>", "x" * 70, 'say "so"', "数", "m7", "m08"])


def build(tree: Tree, name: str = "root", port: str = "") -> Component:
    """The model of a tree; ports are called ``in0``, ``out0`` and so on, with `port` behind."""
    inputs, outputs, children, rest = tree
    model = rest(name) if children is None else Coupled(name)
    for number in range(inputs):
        model.add_in_port(Port(TYPES[number % 3], f"in{number}{port}"))
    for number in range(outputs):
        model.add_out_port(Port(TYPES[number % 3], f"out{number}{port}"))
    if children is not None:
        for number, child in enumerate(children):
            model.add_component(build(child, f"m{number}", port))
        couple(model, rest)
    return model


def couple(model: Coupled, choices: list[tuple[int, int]]) -> None:
    """Couplings picked by number out of all that xdevs takes and DEVS allows, types aside."""
    sources = [*model.in_ports, *(port for child in model.components for port in child.out_ports)]
    inner = [port for child in model.components for port in child.in_ports]
    for first, second in choices:
        if not sources:
            return
        source = sources[first % len(sources)]
        targets = inner if source.parent is model else [*inner, *model.out_ports]
        if targets:
            model.add_coupling(source, targets[second % len(targets)])


def deep(levels: int) -> Component:
    """A leaf in so many coupled models, each within the next."""
    model: Component = Leaf("leaf")
    model.add_in_port(Port(int, "in"))
    for level in range(levels):
        outer = Coupled(f"level{level}")
        outer.add_in_port(Port(int, "in"))
        outer.add_component(model)
        outer.add_coupling(outer.in_ports[0], model.in_ports[0])
        model = outer
    return model


def models(model: Component) -> Iterator[Component]:
    """A model and all below it, depth first."""
    yield model
    if isinstance(model, Coupled):
        for component in model.components:
            yield from models(component)


def couplings(model: Component) -> list[tuple[str, Port[Any], Port[Any]]]:
    """The kind, source and target of each coupling of one model."""
    if not isinstance(model, Coupled):
        return []
    kinds = (("EIC", model.eic), ("IC", model.ic), ("EOC", model.eoc))
    return [(kind, a, b) for kind, table in kinds for a, targets in table.items() for b in targets]
