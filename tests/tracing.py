"""What every atomic model of a tree does, under our simulator and under xdevs' own coordinator, told in one form."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from xdevs.models import Atomic, Component, Port
from xdevs.sim import Coordinator, SimulationClock

from devs_robotics import Simulator
from devs_robotics.core.observe import Observer, TransitionKind
from devs_robotics.core.ports import component_path
from devs_robotics.core.wiring import atomic_models

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

    def changed(self, time: float, model: Atomic, kind: TransitionKind, elapsed: float) -> None:
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
    """What the models do under xdevs' own coordinator, up to and including `until`.

    It is told what it does not know: that an event which an input leaves to `continuef` keeps its time to the last bit,
    and that the next time of a coupled model is that of one of its components, not a sum which may round to another.
    """
    coordinator = Coordinator(model)
    spies = {atomic: _Spy(atomic, coordinator.clock) for atomic in atomic_models(model)}
    coordinator.initialize()
    _keep_times(coordinator, spies)
    coordinator.clock.time = coordinator.time_next
    while coordinator.clock.time <= until:  # simulate_time leaves out what happens at its very end
        coordinator.simulate(1)
    return {component_path(atomic): spy.events for atomic, spy in spies.items()}


def _keep_times(coordinator: Coordinator, spies: dict[Atomic, _Spy]) -> None:
    """Have every processor below a coordinator, and itself, keep exact times after each change of state."""

    def change(processor: Any, next_time: Callable[[], float]) -> None:
        change_state = processor.deltfcn

        def deltfcn() -> Any:
            changed = change_state()
            processor.time_next = next_time()
            return changed

        processor.deltfcn = deltfcn

    for simulator in coordinator.simulators:
        spy = spies[simulator.model]
        spy.due = simulator.time_next
        change(simulator, lambda spy=spy: spy.due)  # type: ignore[misc]
    for inner in coordinator.coordinators:
        _keep_times(inner, spies)
    change(coordinator, lambda: min((processor.time_next for processor in coordinator.processors), default=inf))


class _Spy:
    """Makes an atomic model note its outputs and transitions.

    Attributes:
        events: so far
        due: time of its next internal event (s)
    """

    def __init__(self, model: Any, clock: SimulationClock) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.due = inf
        self._model = model
        self._clock = clock
        self._last = clock.time
        self._nested = False
        self._left: Any = None
        """What `continuef` has made of sigma, given the elapsed time."""
        output, internal, external, confluent = model.lambdaf, model.deltint, model.deltext, model.deltcon
        self._continuef = model.continuef
        model.lambdaf = lambda: self._output(output)
        model.deltint = lambda: self._note("internal", internal)
        model.deltext = lambda e: self._note("external", external, e)
        model.deltcon = lambda: self._note("confluent", confluent)
        model.continuef = self._continue

    def _output(self, function: Callable[[], None]) -> None:
        function()
        if sent := _bags(self._model.out_ports):
            self.events.append((self._clock.time, "output", sent))

    def _continue(self, e: float) -> None:
        self._continuef(e)
        self._left = self._model.sigma if e == self._clock.time - self._last else None

    def _note(self, kind: str, function: Callable[..., None], *elapsed: float) -> None:
        if self._nested:  # xdevs' deltcon calls deltint and deltext: that is one transition
            function(*elapsed)
            return
        now, model = self._clock.time, self._model
        received = _bags(model.in_ports) if kind != "internal" else ()
        self._nested, self._left = True, None
        function(*elapsed)
        self._nested = False
        if kind == "external" and self._left is not None and model.ta() is self._left:
            model.sigma = self.due - now
        else:
            self.due = now + model.ta()
        self.events.append((now, kind, received, model.phase, model.sigma, now - self._last))
        self._last = now


def _bags(ports: list[Port[Any]]) -> Bags:
    return tuple(_bag(port, tuple(port.values)) for port in ports if port)
