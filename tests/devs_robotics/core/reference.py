"""Parallel DEVS as docs/semantics.md has it, and as slow as it likes: each step looks at every model and coupling.

Only ports of xdevs' own do not say when they are written: their receivers are noted when the output function is over.

It shares no code with the simulator. By the rules alone it tells in which order models are called and in which order
their bags are, the elapsed times, and what becomes of events when an input continues or the structure changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import Any

from xdevs.models import Atomic, Component, Coupled, Port

from devs_robotics.core.ports import Port as OurPort

Notes = list[tuple[Any, ...]]
"""(time, kind, path, ...) in the order in which it happened."""


class Reference:
    """Runs a model tree.

    Attributes:
        time: simulated time of the last step (s)
        steps, transitions: how many there were
        notes: what happened
    """

    def __init__(self, root: Coupled) -> None:
        self.root = root
        self.time = 0.0
        self.steps = 0
        self.transitions = 0
        self.notes: Notes = []
        self.last: dict[Atomic, float] = {}
        self.next: dict[Atomic, float] = {}
        self.paths: dict[Atomic, str] = {}
        self.follow_structure()

    @property
    def next_time(self) -> float:
        """Time of the next event (s)."""
        return min(self.next.values(), default=inf)

    def run(self, until: float) -> None:
        """Handle every event up to and including `until`."""
        while self.next_time <= until and self.next_time < inf:
            self.step()

    def step(self) -> None:
        """All outputs, then all transitions, then changes of the structure."""
        self.time = self.next_time
        self.steps += 1
        imminent = [model for model in self.next if self.next[model] == self.time]
        bags, receivers = self.deliver(imminent)
        for model in imminent:
            if model in receivers:
                self.change(model, "confluent", bags)
            else:
                self.change(model, "internal", {})
        for model in receivers:
            if model not in imminent:
                self.change(model, "external", bags)
        self.follow_structure()

    def deliver(self, imminent: list[Atomic]) -> tuple[dict[Port[Any], list[Any]], list[Atomic]]:
        """Call the output functions; what comes to each input, and the models that receive, the first one first."""
        sent: list[tuple[Port[Any], Any]] = []
        told: list[Port[Any]] = []
        for model in imminent:
            values = self.output_of(model)
            sent += values
            written = [port for port, _ in values]
            told += [port for port in written if isinstance(port, OurPort)]
            told += [port for port in model.out_ports if port in written and not isinstance(port, OurPort)]
            for port in model.out_ports:
                if bag := [value for source, value in values if source is port]:
                    self.notes.append((self.time, "sent", self.paths[model], port.name, bag))
        bags: dict[Port[Any], list[Any]] = {}
        for source, value in sent:
            for end in ends(source):
                if isinstance(end.parent, Atomic):
                    bags.setdefault(end, []).append(value)
        reached = (end.parent for source in told for end in ends(source))
        return bags, list(dict.fromkeys(model for model in reached if isinstance(model, Atomic)))

    def output_of(self, model: Atomic) -> list[tuple[Port[Any], Any]]:
        """What an output function writes, in the order in which it does so."""
        written: list[tuple[Port[Any], Any]] = []
        for port in model.out_ports:
            port.add = partial(_note, written, port)  # type: ignore[method-assign]
        try:
            model.lambdaf()
        finally:
            for port in model.out_ports:
                del port.add
        return written

    def change(self, model: Any, kind: str, bags: dict[Port[Any], list[Any]]) -> None:
        """A transition, with what it has to do with time."""
        elapsed = self.time - self.last[model]
        for port in model.in_ports:
            port.clear()
            port.extend(iter(bags.get(port, [])))
            if port:
                self.notes.append((self.time, "received", self.paths[model], port.name, list(port.values)))
        continued: list[float] = []
        model.continuef = continued.append
        if kind == "external":
            sigma = model.sigma
            model.deltext(elapsed)
            if continued == [elapsed] and model.sigma is sigma:
                model.sigma = self.next[model] - self.time  # and the event stays where it is
            else:
                assert not continued
                self.next[model] = self.time + model.ta()
        else:
            getattr(model, {"internal": "deltint", "confluent": "deltcon"}[kind])()
            self.next[model] = self.time + model.ta()
        del model.continuef
        self.last[model] = self.time
        self.transitions += 1
        for port in model.in_ports:
            port.clear()
        self.notes.append((self.time, kind, self.paths[model], elapsed, model.phase, model.sigma))

    def follow_structure(self) -> None:
        """Take note of who has come and gone, and of the order in which they stand now."""
        there = list(atomics(self.root))
        for model in [model for model in self.next if model not in there]:
            model.exit()
            self.notes.append((self.time, "left", self.paths.pop(model)))
            del self.next[model], self.last[model]
        first = not self.paths
        last, due = self.last, self.next
        self.last, self.next = {}, {}
        for model in there:
            if model in due:
                self.last[model], self.next[model] = last[model], due[model]
                continue
            model.initialize()
            self.paths[model] = path(model)
            self.last[model], self.next[model] = self.time, self.time + model.ta()
            if not first:
                self.notes.append((self.time, "joined", self.paths[model]))


def _note(written: list[tuple[Port[Any], Any]], port: Port[Any], value: Any) -> None:
    written.append((port, value))


def atomics(model: Component) -> Iterator[Atomic]:
    """The atomic models of a tree, in its order."""
    if isinstance(model, Atomic):
        yield model
    elif isinstance(model, Coupled):
        for component in model.components:
            yield from atomics(component)


def ends(port: Port[Any]) -> list[Port[Any]]:
    """Where couplings lead from a port in the end; a port that two paths reach stands twice."""
    model = port.parent
    assert model is not None
    targets: list[Port[Any]] = []
    if isinstance(model, Coupled) and model.input.get(port.name) is port:
        targets += model.eic.get(port, {})
    elif model.parent is not None:
        targets += model.parent.ic.get(port, {})
        targets += model.parent.eoc.get(port, {})
    found = []
    for target in targets:
        found += [target] if isinstance(target.parent, Atomic) else ends(target)
    return found


def path(model: Component) -> str:
    """Where a model stands: its name after those of the models around it."""
    return model.name if model.parent is None else f"{path(model.parent)}/{model.name}"
