"""The kernels that are compared.

A kernel is a generator function that does three things, of which each ends with a `yield`, where the time is taken:
it makes the model, it sets itself up, and it runs. What it yields first can be watched, see `counting`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any

from msgspec import Struct
from simpy import Environment
from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Component, Coupled
from xdevs.sim import Coordinator

from devs_robotics import Simulator
from devs_robotics.core.wiring import atomic_models
from tests.benchmarks.kernel.counting import DEVS, PYJEVSIM, Note, watch, watch_processes
from tests.benchmarks.kernel.devstone import declared
from tests.benchmarks.kernel.ring import ring_of, simpy_ring_of, xdevs_ring_of
from tests.benchmarks.kernel.work import Devstone, Ring, Work

Phases = Iterator[Any]
Make = Callable[[Work], Coupled]


def declared_ports(work: Work) -> Coupled:
    """The model written for this project."""
    return declared(work) if isinstance(work, Devstone) else ring_of(work.stations)


def xdevs_model(work: Work) -> Coupled:
    """The model written for xdevs."""
    if isinstance(work, Devstone):
        return DEVStone("devstone", work.kind, work.width, work.depth, 0, 0)
    return xdevs_ring_of(work.stations)


def ours(make: Make, work: Work, steps: int | None) -> Phases:
    model = make(work)
    yield model
    simulator = Simulator(model)
    yield
    simulator.run(until=inf if steps is None else steps)
    yield


def xdevs(work: Work, steps: int | None, *, flatten: bool = False) -> Phases:
    model = xdevs_model(work)
    yield model
    coordinator = Coordinator(model, flatten=flatten)
    coordinator.initialize()
    yield
    coordinator.simulate(sys.maxsize if steps is None else steps)
    yield


def simpy(work: Work, steps: int | None) -> Phases:
    assert isinstance(work, Ring)
    assert steps is not None
    environment = Environment()
    processes = simpy_ring_of(work.stations, environment)
    yield processes
    for process in processes:
        environment.process(process)
    yield
    environment.run(until=steps + 0.5)
    yield


def floor(make: Make, work: Work, steps: int | None) -> Phases:
    """Calls the models' functions as a run calls them, with no kernel; what they send stays in their ports."""
    model = make(work)
    record = _record(make(work), steps)
    yield model
    atomics = list(atomic_models(model))
    for atomic in atomics:
        atomic.initialize()
    functions = {call: _bound(atomics[call[0]], call[1]) for call in dict.fromkeys(record)}
    calls = [functions[call] for call in record]
    yield
    for call in calls:
        call()
    yield


def _record(model: Component, steps: int | None) -> list[tuple[int, str]]:
    record: list[tuple[int, str]] = []
    watch(atomic_models(model), DEVS, lambda *call: record.append(call))
    Simulator(model).run(until=inf if steps is None else steps)
    return record


def _bound(model: Any, name: str) -> Callable[[], None]:
    function = getattr(model, name)
    return partial(function, 0.0) if name == "deltext" else function  # these models ask for no elapsed time


def _watch_devs(model: Component, note: Note) -> None:
    watch(atomic_models(model), DEVS, note)


def _watch_pyjevsim(models: Any, note: Note) -> None:
    watch(models, PYJEVSIM, note)


class Kernel(Struct, frozen=True):
    """A kernel, and how the models that it yields are watched."""

    phases: Callable[[Work, int | None], Phases]
    watch: Callable[[Any, Note], None] = _watch_devs


KERNELS: dict[str, Kernel] = {
    "ours": Kernel(partial(ours, declared_ports)),
    "ours-xdevs": Kernel(partial(ours, xdevs_model)),
    "xdevs": Kernel(xdevs),
    "xdevs-flat": Kernel(partial(xdevs, flatten=True)),
    "simpy": Kernel(simpy, watch_processes),
    "floor": Kernel(partial(floor, declared_ports)),
    "floor-xdevs": Kernel(partial(floor, xdevs_model)),
}
"""Those that are always there."""


def kernel_named(name: str) -> Kernel:
    """The kernel that `work` calls so; raises ImportError when it is not installed."""
    if name == "pyjevsim":
        from tests.benchmarks.kernel.pyjevsim_models import pyjevsim

        return Kernel(pyjevsim, _watch_pyjevsim)
    return KERNELS[name]
