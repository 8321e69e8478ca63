"""Our traces are those of xdevs' own coordinator, an independent implementation of Parallel DEVS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.core.wiring import atomic_models, destinations
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
        self.heard_so_far: list[tuple[Any, ...]] = []
        """What came, as the model itself saw it."""

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
        self.heard_so_far.append((e, sorted(self.heard.values), sorted(self.also_heard.values), self.phase))
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


class MixedMachine(Machine):
    """A machine one of whose inputs and one of whose outputs are plain xdevs ports."""

    also_heard: XdevsPort[int]  # type: ignore[assignment]
    said: XdevsPort[int]  # type: ignore[assignment]

    def __init__(self, name: str, advances: list[float | None], confluence: bool, start: bool) -> None:
        super().__init__(name, advances, confluence, start)
        for ports, registered, port in (
            (self.in_ports, self.input, XdevsPort(int, "also_heard")),
            (self.out_ports, self.output, XdevsPort(int, "said")),
        ):
            ports[[each.name for each in ports].index(port.name)] = registered[port.name] = port
            port.parent = self
            setattr(self, port.name, port)


Tree = tuple[Any, ...]
"""("machine" or "mixed", advances, confluence, start) or ("coupled", children, couplings)."""

times = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 0.1, 0.29, 0.3, None]) | st.floats(0.01, 3.0)
advances = st.lists(times, min_size=1, max_size=4)
machines = st.tuples(st.sampled_from(["machine", "mixed"]), advances, st.booleans(), st.booleans())
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
    if tree[0] != "coupled":
        return (Machine if tree[0] == "machine" else MixedMachine)(name, *tree[1:])
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
@settings(max_examples=150)
def test_random_hierarchies_leave_the_same_trace(tree: Tree) -> None:
    assert trace_ours(root(tree), UNTIL) == trace_xdevs(root(tree), UNTIL)


def what_machines_heard(tree: Tree, run: Callable[[Nest], object]) -> list[list[tuple[Any, ...]]]:
    top = root(tree)
    run(top)
    return [model.heard_so_far for model in atomic_models(top) if isinstance(model, Machine)]


@given(trees)
@settings(max_examples=150)
def test_machines_hear_the_same_whether_observed_or_not(tree: Tree) -> None:
    """Without observers, values take shorter ways."""
    theirs = what_machines_heard(tree, lambda top: trace_xdevs(top, UNTIL))
    assert what_machines_heard(tree, lambda top: Simulator(top).run(until=UNTIL)) == theirs
    assert what_machines_heard(tree, lambda top: trace_ours(top, UNTIL)) == theirs


def flattened(nest: Nest) -> Coupled:
    """The same machines in one coupled model, coupled directly where nested couplings lead."""
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
    ends = [destinations(port) for machine in atomic_models(nest) for port in machine.out_ports]
    return any(len(set(ports)) < len(ports) for ports in ends)


@given(trees)
def test_closure_under_coupling(tree: Tree) -> None:
    """A nested model and its flat equivalent leave the same trace (where no port is reached by two paths)."""
    assume(not doubled(root(tree)))
    nested, flat = trace_ours(root(tree), UNTIL), trace_ours(flattened(root(tree)), UNTIL)
    assert anonymous(nested) == anonymous(flat)
