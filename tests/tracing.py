"""What every atomic model of a tree does, under our simulator and under xdevs' own coordinator, told in one form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdevs.models import Atomic, Component, Port
from xdevs.sim import Coordinator

from devs_robotics import Simulator
from devs_robotics.observe import Kind, Observer
from devs_robotics.ports import component_path
from devs_robotics.wiring import atomic_models

Trace = dict[str, list[tuple[Any, ...]]]
"""By model path, in order: (time, "output", bags) and (time, kind of transition, bags, phase, sigma, elapsed time).

Bags are multisets, and sorted: xdevs' coordinator takes coupled models before atomic ones.
"""

Bags = tuple[tuple[str, tuple[str, ...]], ...]


class Tracer(Observer):
    """Notes what our simulator tells of its models."""

    def __init__(self, model: Component) -> None:
        self.trace: Trace = {component_path(atomic): [] for atomic in atomic_models(model)}
        self._sent: dict[Atomic, Bags] = {}
        self._received: dict[Atomic, Bags] = {}

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        self._sent[model] = (*self._sent.get(model, ()), _bag(port, values))

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        self._received[model] = (*self._received.get(model, ()), _bag(port, values))

    def changed(self, time: float, model: Atomic, kind: Kind, elapsed: float) -> None:
        events = self.trace[component_path(model)]
        if model in self._sent:
            events.append((time, "output", self._sent.pop(model)))
        events.append((time, kind, self._received.pop(model, ()), model.phase, model.sigma, elapsed))


def _bag(port: Port[Any], values: tuple[Any, ...]) -> tuple[str, tuple[str, ...]]:
    return port.name, tuple(sorted(map(repr, values)))


def trace_ours(model: Component, until: float) -> Trace:
    """What the models do under our simulator, up to and including `until`."""
    tracer = Tracer(model)
    with Simulator(model) as simulator:
        simulator.attach(tracer)
        simulator.run(until=until)
    return tracer.trace


def trace_xdevs(model: Any, until: float) -> Trace:
    """What the models do under xdevs' own coordinator, up to and including `until`."""
    coordinator = Coordinator(model)
    trace = _record(model, lambda: coordinator.clock.time)
    coordinator.initialize()
    coordinator.clock.time = coordinator.time_next
    while coordinator.clock.time <= until:  # simulate_time leaves out what happens at its very end
        coordinator.simulate(1)
    return trace


def _record(model: Component, clock: Callable[[], float]) -> Trace:
    """Make each atomic model below `model` note its outputs and transitions."""
    trace: Trace = {}
    for atomic in atomic_models(model):
        _spy(atomic, clock, trace.setdefault(component_path(atomic), []))
    return trace


def _spy(model: Any, clock: Callable[[], float], events: list[tuple[Any, ...]]) -> None:
    output, internal, external, confluent = model.lambdaf, model.deltint, model.deltext, model.deltcon
    nested, last = [False], [clock()]

    def bags(ports: list[Port[Any]]) -> Bags:
        return tuple(_bag(port, tuple(port.values)) for port in ports if port)

    def lambdaf() -> None:
        output()
        if sent := bags(model.out_ports):
            events.append((clock(), "output", sent))

    def note(kind: str, given: tuple[Any, ...], function: Callable[..., None], *args: float) -> None:
        if nested[0]:  # xdevs' deltcon calls deltint and deltext: that is one transition
            function(*args)
            return
        nested[0] = True
        function(*args)
        nested[0] = False
        events.append((clock(), kind, given, model.phase, model.sigma, clock() - last[0]))
        last[0] = clock()

    model.lambdaf = lambdaf
    model.deltint = lambda: note("internal", (), internal)
    model.deltext = lambda e: note("external", bags(model.in_ports), external, e)
    model.deltcon = lambda: note("confluent", bags(model.in_ports), confluent)
