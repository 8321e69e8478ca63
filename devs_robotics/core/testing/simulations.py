"""Simulates models in tests; `pytest_plugin` offers this as fixtures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Any, Protocol

from xdevs.models import Component, Port

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.observe import Observer, Recorder
from devs_robotics.core.ports import component_path
from devs_robotics.core.simulator import Simulator
from devs_robotics.core.times import plain_time

Inputs = Mapping[str, Iterable[tuple[float, Any]]]
"""What comes to the root model: by name of its input port, (time in s, value) in the order of the times."""


class Trace(Recorder):
    """All that a model did: the events of a `Recorder`, and what left it.

    Args:
        model: the root of a model tree
    """

    def __init__(self, model: Component) -> None:
        super().__init__()
        self._model = model
        self._outputs: dict[str, list[tuple[float, Any]]] = {port.name: [] for port in model.out_ports}

    def outputs(self, port: str) -> list[tuple[float, Any]]:
        """What the root model sent through an output port: (time in s, value), in the order in which it was sent.

        Raises:
            DevsRoboticsError: the root model has no such port
        """
        __tracebackhide__ = True
        if port not in self._outputs:
            raise _no_port(self._model, "output", port, self._model.out_ports)
        return self._outputs[port]

    def collect(self, time: float) -> None:
        """Note what the root model's output ports hold after a step at `time`."""
        for port in self._model.out_ports:
            self._outputs[port.name].extend((time, value) for value in port.values)


class Simulate(Protocol):
    """The type of the fixture ``simulate``."""

    def __call__(
        self, model: Component, *, until: float, inputs: Inputs | None = None, only: str | Sequence[str] = ()
    ) -> Trace:
        """Simulate a model, as fast as its events allow, and return what it did.

        Args:
            model: atomic or coupled, the root of a model tree
            until: time of the last events (s)
            inputs: what comes to the model's input ports
            only: patterns of the models or ports whose events are kept, as for ``Simulator.attach``

        Raises:
            DevsRoboticsError: the inputs or patterns do not fit the model
            ModelError: the model broke a rule or raised an exception
        """
        ...


class AssertTrace(Protocol):
    """The type of the fixture ``assert_trace``."""

    def __call__(
        self,
        model: Component,
        golden: str | Path,
        *,
        until: float,
        inputs: Inputs | None = None,
        only: str | Sequence[str] = (),
    ) -> Trace:
        """Simulate a model as ``simulate`` does, and fail the test when the trace is not that of a golden file.

        Args:
            model: atomic or coupled, the root of a model tree
            golden: name of the file, .jsonl; a relative one begins in the test module's folder
            until: time of the last events (s)
            inputs: what comes to the model's input ports
            only: patterns of the models or ports whose events are compared, as for ``Simulator.attach``
        """
        ...


class Simulations:
    """Runs the simulations of one test. They stay open, so that the models are as the last event left them."""

    def __init__(self) -> None:
        self._open: dict[Component, Simulator] = {}

    def run(
        self,
        model: Component,
        *,
        until: float,
        inputs: Inputs | None = None,
        only: str | Sequence[str] = (),
        also: Observer | None = None,
    ) -> Trace:
        """Simulate a model, as `Simulate` says; `also` is one more observer."""
        __tracebackhide__ = True
        until = plain_time(until, "the end of a simulation")
        if not 0 <= until < inf:
            raise DevsRoboticsError(f"a simulation in a test needs an end, not until={until!r}: give a time in seconds")
        arrivals = list(_arrivals(model, inputs or {}, until))
        if model in self._open:
            self._open.pop(model).close()
        simulator = self._open[model] = Simulator(model)
        trace = Trace(model)
        observers = [trace] if also is None else [trace, also]
        for observer in observers:
            simulator.attach(observer, *([only] if isinstance(only, str) else only))
        for port, time, value in arrivals:
            simulator.inject(port, value, at=time)
        while simulator.next_time <= until:
            simulator.run(until, max_steps=1)
            trace.collect(simulator.time)
        for observer in observers:
            simulator.detach(observer)
        return trace

    def close(self) -> None:
        """Close all simulators, also when closing one fails."""
        with ExitStack() as stack:
            for simulator in self._open.values():
                stack.callback(simulator.close)


def _arrivals(model: Component, inputs: Inputs, until: float) -> Iterator[tuple[Port[Any], float, Any]]:
    """The inputs one by one, checked."""
    __tracebackhide__ = True
    for name, arrivals in inputs.items():
        port = model.input.get(name)
        if port is None:
            raise _no_port(model, "input", name, model.in_ports)
        last = 0.0
        for arrival in arrivals:
            time = _time(arrival, name)
            if not last <= time <= until:
                raise DevsRoboticsError(
                    f"an input to {name!r} comes at {time} s, but the one before it at {last} s and the end at "
                    f"{until} s: put inputs in the order of their times, from 0 to until"
                )
            last = time
            yield port, time, arrival[1]


def _time(arrival: Any, name: str) -> float:
    __tracebackhide__ = True
    if isinstance(arrival, tuple) and len(arrival) == 2:
        return plain_time(arrival[0], f"the time of an input to {name!r}")
    raise DevsRoboticsError(f"an input to {name!r} is {arrival!r}: write a pair (time in seconds, value)")


def _no_port(model: Component, direction: str, name: str, ports: Sequence[Port[Any]]) -> DevsRoboticsError:
    known = ", ".join(port.name for port in ports) or "none"
    return DevsRoboticsError(
        f"model {component_path(model)} has no {direction} port named {name!r}: its {direction} ports are {known}"
    )
