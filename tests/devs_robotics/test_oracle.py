"""Our traces are those of xdevs' own coordinator, an independent implementation of Parallel DEVS."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdevs.examples.devstone.devstone import HI, HO, LI, HOmod
from xdevs.examples.devstone.generator import Generator
from xdevs.examples.gpt.models import Gpt
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, Out
from tests.tracing import Trace, trace_ours, trace_xdevs

UNTIL = 12.0


class Machine(Atomic):
    """Goes through a list of time advances; every output tells how often it has changed state.

    Args:
        advances: used one after the other and begun again; None stands for passive
        confluence: whether a confluent event takes the external transition first
    """

    heard = In(int)
    also_heard = In(int)
    said = Out(int)
    also_said = Out(int)

    def __init__(self, name: str, advances: list[float | None], confluence: bool, start: bool) -> None:
        super().__init__(name)
        self.advances, self.confluence, self.start = advances, confluence, start
        self.changes = 0

    def initialize(self) -> None:
        if self.start:
            self._next("started")

    def _next(self, phase: str) -> None:
        advance = self.advances[self.changes % len(self.advances)]
        self.changes += 1
        if advance is None or self.changes > 40:  # a bound, so that feedback in zero time comes to an end
            self.passivate(phase)
        else:
            self.hold_in(phase, advance)

    def lambdaf(self) -> None:
        self.said.add(self.changes)
        if self.changes % 3 == 0:
            self.also_said.add(-self.changes)

    def deltint(self) -> None:
        self._next("internal")

    def deltext(self, e: float) -> None:
        total = sum(self.heard.values) - sum(self.also_heard.values)
        if total % 2:
            self.continuef(e)
        else:
            self._next(f"external {total} after {e}")

    def deltcon(self) -> None:
        if self.confluence:
            self.deltext(0.0)
            self.deltint()
        else:
            super().deltcon()


Tree = tuple[Any, ...]
"""("machine", advances, confluence, start) or ("coupled", children, couplings)."""

advances = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0, 2.0, None]), min_size=1, max_size=4)
machines = st.tuples(st.just("machine"), advances, st.booleans(), st.booleans())
picks = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=8)
trees = st.recursive(
    machines,
    lambda inner: st.tuples(st.just("coupled"), st.lists(inner, min_size=1, max_size=4), picks),
    max_leaves=10,
)


class Nest(Coupled):
    """A coupled model with two ports each way, as a `Machine` has."""

    heard = In(int)
    also_heard = In(int)
    said = Out(int)
    also_said = Out(int)


def build(tree: Tree, name: str = "top") -> Machine | Nest:
    if tree[0] == "machine":
        return Machine(name, *tree[1:])
    nest = Nest(name)
    for number, child in enumerate(tree[1]):
        nest.add_component(build(child, f"c{number}"))
    couple(nest, tree[2])
    return nest


def couple(nest: Nest, choices: list[tuple[int, int]]) -> None:
    """Couplings picked by number out of all that are allowed: EIC, IC with fan-in, fan-out and feedback, EOC."""
    sources = [*nest.in_ports, *(port for child in nest.components for port in child.out_ports)]
    for first, second in choices:
        source = sources[first % len(sources)]
        inner = [port for child in nest.components if child is not source.parent for port in child.in_ports]
        outer = nest.out_ports if source.parent is not nest else []
        targets = [port for port in (*inner, *outer) if not _coupled(nest, source, port)]
        if targets:
            nest.add_coupling(source, targets[second % len(targets)])


def _coupled(nest: Nest, source: XdevsPort[Any], target: XdevsPort[Any]) -> bool:
    return any(target in couplings.get(source, {}) for couplings in (nest.ic, nest.eic, nest.eoc))


def root(tree: Tree) -> Nest:
    """A coupled model, since xdevs' coordinator wants one."""
    nest = Nest("root")
    nest.add_component(build(tree))
    return nest


@given(trees)
@settings(max_examples=300)
def test_random_hierarchies_leave_the_same_trace(tree: Tree) -> None:
    assert trace_ours(root(tree), UNTIL) == trace_xdevs(root(tree), UNTIL)


def flattened(nest: Nest) -> Coupled:
    """The same machines in one coupled model, coupled directly where nested couplings lead."""
    from devs_robotics.wiring import atomic_models, destinations

    flat = Coupled("flat")
    pairs = []
    machines = list(atomic_models(nest))
    for machine in machines:
        pairs += [(port, end) for port in machine.out_ports for end in destinations(port)]
    for number, machine in enumerate(machines):
        machine.name, machine.parent = f"m{number}", None
        flat.add_component(machine)
    for source, end in dict.fromkeys(pairs):
        flat.add_coupling(source, end)
    return flat


def anonymous(trace: Trace) -> list[list[tuple[Any, ...]]]:
    return list(trace.values())


def doubled(nest: Nest) -> bool:
    from devs_robotics.wiring import atomic_models, destinations

    ends = [destinations(port) for machine in atomic_models(nest) for port in machine.out_ports]
    return any(len(set(ports)) < len(ports) for ports in ends)


@given(trees)
def test_closure_under_coupling(tree: Tree) -> None:
    """A nested model and its flat equivalent leave the same trace (where no port is reached by two paths)."""
    if not doubled(root(tree)):
        nested, flat = trace_ours(root(tree), UNTIL), trace_ours(flattened(root(tree)), UNTIL)
        assert anonymous(nested) == anonymous(flat)


def devstone(kind: Callable[..., Any], width: int, depth: int) -> XdevsCoupled:
    root = XdevsCoupled("root")
    stone, source = kind("stone", depth, width, 0, 0), Generator("source", 1)
    root.add_component(source)
    root.add_component(stone)
    for port in stone.in_ports:
        root.add_coupling(source.o_out[0], port)
    return root


@pytest.mark.parametrize("kind", [LI, HI, HO, HOmod])
def test_devstone_models_of_xdevs_run_unmodified(kind: Callable[..., Any]) -> None:
    assert trace_ours(devstone(kind, 5, 4), 5.0) == trace_xdevs(devstone(kind, 5, 4), 5.0)


def test_the_generator_processor_transducer_example_of_xdevs_runs_unmodified() -> None:
    def results(trace: Callable[[Any, float], Trace]) -> tuple[list[str], list[str]]:
        model, printed = Gpt("gpt", 3, 4, 100), io.StringIO()
        with redirect_stdout(printed):
            events = trace(model, 110.0)
        return sorted(events), [line.split("@ t = 1")[0] for line in printed.getvalue().splitlines()]

    assert results(trace_ours) == results(trace_xdevs)
