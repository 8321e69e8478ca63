"""The order of calls and of bags, elapsed times and changes of structure in the middle of an instant.

`reference` runs the same models by the rules alone. xdevs' coordinator cannot tell any of this: it takes coupled models
before atomic ones, and knows no changes of structure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.core.observe import Observer, TransitionKind
from tests.devs_robotics.core.reference import Notes, Reference

UNTIL = 4.0
Change = tuple[int, int, int, int]
"""What to do, and the numbers of those that it is done with."""


@dataclass
class House:
    """Where models live: what they share, and what they did, in their own words."""

    nests: list[Nest] = field(default_factory=list)
    tenants: list[Component] = field(default_factory=list)
    calls: Notes = field(default_factory=list)

    def change(self, change: Change) -> None:
        """Do something to the structure, if it can be done."""
        what, first, second, third = change
        tenant, nest = self.tenants[first % len(self.tenants)], self.nests[second % len(self.nests)]
        if what == 0 and tenant.parent is None:
            self._add(tenant, nest)
        elif what == 1 and isinstance(tenant.parent, Coupled):
            tenant.parent.remove_component(tenant)
        elif what == 2 and isinstance(tenant.parent, Coupled):
            tenant.parent.remove_component(tenant)
            self._add(tenant, nest)
        elif what >= 3:
            self._couple(nest, first, third, undo=what == 4)

    def _add(self, tenant: Component, nest: Nest) -> None:
        place: Component | None = nest
        while place is not None:
            if place is tenant:
                return
            place = place.parent
        nest.add_component(tenant)

    def _couple(self, nest: Nest, first: int, second: int, undo: bool) -> None:
        """Couple two ports, picked by number out of all that can be."""
        sources = [*nest.in_ports, *(port for child in nest.components for port in child.out_ports)]
        if not sources:
            return
        source = sources[first % len(sources)]
        targets = [port for child in nest.components if child is not source.parent for port in child.in_ports]
        targets += nest.out_ports if source.parent is not nest else []
        targets = [port for port in targets if _coupled(nest, source, port) is undo]
        if targets:
            target = targets[second % len(targets)]
            (nest.remove_coupling if undo else nest.add_coupling)(source, target)


def _coupled(nest: Nest, source: XdevsPort[Any], target: XdevsPort[Any]) -> bool:
    return any(target in couplings.get(source, {}) for couplings in (nest.ic, nest.eic, nest.eoc))


class Nest(Coupled):
    """A coupled model with two ports each way."""

    heard = In(str)
    also_heard = In(str)
    said = Out(str)
    also_said = Out(str)


class Machine(Atomic):
    """Goes through a list of time advances, tells of each call, and changes its house now and then.

    Args:
        advances: used one after the other and begun again; None stands for passive
        confluence: whether a confluent event takes the external transition first
        changes: of the structure, one in each transition
    """

    heard = In(str)
    also_heard = In(str)
    said = Out(str)
    also_said = Out(str)

    def __init__(
        self, name: str, house: House, advances: list[float | None], confluence: bool, changes: list[Change]
    ) -> None:
        super().__init__(name)
        self.house, self.advances, self.confluence, self.changes = house, advances, confluence, changes
        self.count = 0

    def initialize(self) -> None:
        self._next("started")

    def _next(self, phase: str) -> None:
        advance = self.advances[self.count % len(self.advances)]
        self.count += 1
        if advance is None or self.count > 30:  # a bound, so that feedback in zero time comes to an end
            self.passivate(phase)
        else:
            self.hold_in(phase, advance)

    def _note(self, *what: Any) -> None:
        self.house.calls.append((self.name, *what))

    def lambdaf(self) -> None:
        self._note("output")
        said, also_said = (self.said, self.also_said) if self.count % 2 else (self.also_said, self.said)
        said.add(f"{self.name}.{self.count}a")
        if self.count % 3:
            also_said.add(f"{self.name}.{self.count}b")
            said.add(f"{self.name}.{self.count}c")

    def deltint(self) -> None:
        self._note("internal")
        self._change()
        self._next("internal")

    def deltext(self, e: float) -> None:
        heard, also_heard = list(self.heard.values), list(self.also_heard.values)
        self._note("external", e, heard, also_heard)
        self._change()
        if len(heard) > len(also_heard):
            self.continuef(e)
        else:
            self._next("external")

    def deltcon(self) -> None:
        self._note("confluent")
        if self.confluence:
            self.deltext(0.0)
            self.deltint()
        else:
            super().deltcon()

    def exit(self) -> None:
        self._note("exit")

    def _change(self) -> None:
        if self.changes and self.count <= 30:
            self.house.change(self.changes[self.count % len(self.changes)])


class MixedMachine(Machine):
    """A machine one of whose inputs and one or both of whose outputs are plain xdevs ports."""

    def __init__(self, name: str, *rest: Any) -> None:
        super().__init__(name, *rest)
        plain = {"also_heard": self.input, "said": self.output}
        if name in ("m1", "m3"):
            plain["also_said"] = self.output
        for port_name, registered in plain.items():
            ports = self.in_ports if registered is self.input else self.out_ports
            port: XdevsPort[str] = XdevsPort(str, port_name)
            ports[[each.name for each in ports].index(port_name)] = registered[port_name] = port
            port.parent = self
            setattr(self, port_name, port)


class Watcher(Observer):
    """Notes all that happens, as the reference does."""

    def __init__(self) -> None:
        self.notes: Notes = []

    def sent(self, time: float, model: XdevsAtomic, port: XdevsPort[Any], values: tuple[Any, ...]) -> None:
        self.notes.append((time, "sent", model.name, port.name, list(values)))

    def received(self, time: float, model: XdevsAtomic, port: XdevsPort[Any], values: tuple[Any, ...]) -> None:
        self.notes.append((time, "received", model.name, port.name, list(values)))

    def changed(self, time: float, model: XdevsAtomic, kind: TransitionKind, elapsed: float) -> None:
        self.notes.append((time, kind, model.name, elapsed, model.phase, model.sigma))

    def joined(self, time: float, model: XdevsAtomic) -> None:
        self.notes.append((time, "joined", model.name))

    def left(self, time: float, model: XdevsAtomic) -> None:
        self.notes.append((time, "left", model.name))


Plan = tuple[list[Any], list[Change], int]
"""The machines, changes to be made before the start, and how many nests there are in the outermost."""

advances = st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, None]), min_size=1, max_size=4)
numbers = st.integers(0, 20)
couplings = st.lists(st.tuples(st.just(3), numbers, numbers, numbers), min_size=4, max_size=14)
kinds = st.sampled_from([0, 1, 2, 2, 3, 3, 4])
changes = st.lists(st.tuples(kinds, numbers, numbers, numbers), max_size=5)
makes = st.sampled_from([Machine, Machine, MixedMachine])
quiet: st.SearchStrategy[Any] = st.tuples(makes, advances, st.booleans(), st.builds(list))
restless = st.tuples(makes, advances, st.booleans(), changes)
plans = st.tuples(st.lists(quiet, min_size=2, max_size=6), couplings, st.integers(1, 3))
changing_plans = st.tuples(st.lists(quiet | restless, min_size=2, max_size=6), couplings, st.integers(1, 3))


def house_of(plan: Plan) -> House:
    """The machines dealt out to nests inside a root, coupled by the plan."""
    machines, choices, nests = plan
    house = House()
    house.nests = [Nest("root"), *(Nest(f"nest{number}") for number in range(1, nests))]
    for nest in house.nests[1:]:
        house.nests[0].add_component(nest)
    house.tenants = [make(f"m{number}", house, *each) for number, (make, *each) in enumerate(machines)]
    for number, tenant in enumerate(house.tenants):
        house.nests[number * 2 % nests].add_component(tenant)
    house.tenants += house.nests[1:]
    for choice in choices:
        house.change(choice)
    return house


Told = tuple[tuple[int, int], Notes, Notes]
"""How many steps and transitions there were, what was observed, and what the machines say that they did."""


def by_the_rules(plan: Plan) -> Told:
    house = house_of(plan)
    reference = Reference(house.nests[0])
    reference.run(UNTIL)
    return (reference.steps, reference.transitions), named(reference.notes), house.calls


def named(notes: Notes) -> Notes:
    """With names in the place of paths: a model may have moved."""
    return [(time, kind, path.rpartition("/")[2], *rest) for time, kind, path, *rest in notes]


def simulated(plan: Plan, seen: bool) -> Told:
    house, watcher = house_of(plan), Watcher()
    simulator = Simulator(house.nests[0])
    if seen:
        simulator.attach(watcher)
    simulator.run(UNTIL)
    return (simulator.steps, simulator.transitions), watcher.notes, house.calls


MOVING: Plan = (
    [
        (Machine, [0.5], False, []),
        (Machine, [0.0, 0.5], False, [(2, 0, 1, 0)]),
        (MixedMachine, [0.5], True, []),
    ],
    [(3, 0, 0, 0)] * 4,
    2,
)


@given(plans)
@settings(max_examples=80)
def test_calls_bags_and_elapsed_times_are_those_of_the_rules(plan: Plan) -> None:
    counts, notes, calls = by_the_rules(plan)
    assert simulated(plan, seen=True) == (counts, notes, calls)
    assert simulated(plan, seen=False) == (counts, [], calls)


@given(changing_plans)
@example(MOVING)
@settings(max_examples=120)
def test_so_they_are_while_the_structure_changes_in_mid_instant(plan: Plan) -> None:
    counts, notes, calls = by_the_rules(plan)
    assert simulated(plan, seen=True) == (counts, notes, calls)
    assert simulated(plan, seen=False) == (counts, [], calls)


def rest_by_the_rules(plan: Plan, steps: int) -> Notes:
    """What happens after so many steps."""
    reference = Reference(house_of(plan).nests[0])
    for _ in range(steps):
        if reference.next_time <= UNTIL:
            reference.step()
    reference.notes.clear()
    reference.run(UNTIL)
    return named(reference.notes)


def begun(plan: Plan, steps: int) -> Simulator:
    simulator = Simulator(house_of(plan).nests[0])
    simulator.run(UNTIL, max_steps=steps)
    return simulator


def rest(simulator: Simulator) -> Notes:
    watcher = Watcher()
    simulator.attach(watcher)
    simulator.run(UNTIL)
    return watcher.notes


@given(changing_plans, st.integers(0, 12))
@example(MOVING, 1)
@settings(max_examples=60)
def test_an_observer_that_comes_in_mid_instant_is_told_what_the_rules_say(plan: Plan, steps: int) -> None:
    assert rest(begun(plan, steps)) == rest_by_the_rules(plan, steps)


@given(changing_plans, st.integers(0, 12))
@example(MOVING, 1)
@settings(max_examples=25)
def test_a_simulation_that_is_resumed_in_mid_instant_goes_on_by_the_rules(plan: Plan, steps: int) -> None:
    with TemporaryDirectory() as folder:
        begun(plan, steps).save(Path(folder) / "here")
        resumed = Simulator.resume(Path(folder) / "here")
    assert rest(resumed) == rest_by_the_rules(plan, steps)
