"""Records what every atomic model of a tree does, whichever simulator runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdevs.models import Component, Port
from xdevs.sim import Coordinator

from devs_robotics import Simulator
from devs_robotics.ports import component_path
from devs_robotics.wiring import atomic_models

Trace = dict[str, list[tuple[Any, ...]]]
"""By model path: (time, function, bags of its ports, phase, sigma) in order. Bags are multisets: sorted."""


def record(model: Component, clock: Callable[[], float]) -> Trace:
    """Make each atomic model below `model` note its outputs and transitions; call before a simulator is made."""
    trace: Trace = {}
    for atomic in atomic_models(model):
        _spy(atomic, clock, trace.setdefault(component_path(atomic), []))
    return trace


def _spy(model: Any, clock: Callable[[], float], events: list[tuple[Any, ...]]) -> None:
    output, internal, external, confluent = model.lambdaf, model.deltint, model.deltext, model.deltcon
    nested = [False]

    def bags(ports: list[Port[Any]]) -> tuple[Any, ...]:
        return tuple((port.name, tuple(sorted(map(repr, port.values)))) for port in ports if port)

    def lambdaf() -> None:
        output()
        events.append((clock(), "output", bags(model.out_ports)))

    def note(kind: str, given: tuple[Any, ...], function: Callable[..., None], *args: float) -> None:
        if nested[0]:  # xdevs' deltcon calls deltint and deltext: that is one transition
            function(*args)
            return
        nested[0] = True
        function(*args)
        nested[0] = False
        events.append((clock(), kind, given, model.phase, model.sigma))

    model.lambdaf = lambdaf
    model.deltint = lambda: note("internal", (), internal)
    model.deltext = lambda e: note("external", bags(model.in_ports), external, e)
    model.deltcon = lambda: note("confluent", bags(model.in_ports), confluent)


def trace_ours(model: Component, until: float) -> Trace:
    """What the models do under our simulator, up to and including `until`."""
    simulator: list[Simulator] = []
    trace = record(model, lambda: simulator[0].time if simulator else 0.0)
    simulator.append(Simulator(model))
    simulator[0].run(until=until)
    return trace


def trace_xdevs(model: Any, until: float) -> Trace:
    """What the models do under xdevs' own coordinator, up to and including `until`."""
    coordinator = Coordinator(model)
    trace = record(model, lambda: coordinator.clock.time)
    coordinator.initialize()
    coordinator.clock.time = coordinator.time_next
    while coordinator.clock.time <= until:  # simulate_time leaves out what happens at its very end
        coordinator.simulate(1)
    return trace
