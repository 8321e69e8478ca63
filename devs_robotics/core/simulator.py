"""The simulator: runs any xdevs model, flat and event by event.

The cost of an event depends on the models that take part in it, never on how many others there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import chain
from math import inf, isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core import checkpoint
from devs_robotics.core.errors import DevsRoboticsError, ModelError, ObserverError
from devs_robotics.core.faults import blame
from devs_robotics.core.garbage import collector_paused
from devs_robotics.core.kernel import Kernel
from devs_robotics.core.model_node import ModelNode
from devs_robotics.core.observe.observer import Observer
from devs_robotics.core.observe.watching import Observation, watch
from devs_robotics.core.ports import component_path, port_path
from devs_robotics.core.routes import Routes, release
from devs_robotics.core.schedule import Schedule
from devs_robotics.core.times import plain_time
from devs_robotics.core.wiring import atomic_models

ZERO_TIME_LIMIT = 100_000
"""Number of steps at one instant above which they are refused as an endless chain, unless another limit is set."""


class Simulator:
    """Runs a model, atomic or coupled, ours or anyone's for xdevs; its rules are those of docs/semantics.md.

    ``Simulator(model).run(until=10)`` handles every event up to and including time 10. Time starts at 0 and is in
    seconds. While a simulator is open the ports of the model are its own; `close` gives them back.

    It says how long a run lasts, follows changes of the structure, tells the observers, and saves and resumes. What is
    to come stands in its `Schedule`; its `Kernel` handles each step.

    Args:
        model: the root of a model tree; kept as attribute `model`
        zero_time_limit: number of steps without any advance of time above which they are refused as an endless chain
    """

    def __init__(self, model: Component, *, zero_time_limit: int = ZERO_TIME_LIMIT) -> None:
        if model.parent is not None:
            raise ModelError(f"{component_path(model)} is part of another model: simulate the root of the tree")
        self._set_up(model, Schedule(), zero_time_limit)
        with collector_paused():
            self._take_structure()

    def _set_up(self, model: Component, schedule: Schedule, zero_time_limit: int) -> None:
        self.model = model
        self._schedule = schedule
        self._kernel = Kernel(schedule, zero_time_limit, [port._values for port in model.out_ports])
        self._error: DevsRoboticsError | None = None
        self._watches: list[Observation] = []
        if not isinstance(model, XdevsAtomic):
            model._changes = self._kernel.changes  # type: ignore[attr-defined]  # see `Coupled`

    @property
    def time(self) -> float:
        """Simulated time of the last event (s)."""
        return self._schedule.time

    @property
    def steps(self) -> int:
        """How often the set of imminent models was handled."""
        return self._kernel.steps

    @property
    def transitions(self) -> int:
        """How many internal, external and confluent transitions were made."""
        return self._kernel.transitions

    @property
    def zero_time_limit(self) -> int:
        """Number of steps without any advance of time above which they are refused as an endless chain."""
        return self._kernel.zero_time_limit

    @property
    def next_time(self) -> float:
        """Time of the next event, internal or an input (s); infinite when there is none."""
        self._restructure()
        return self._schedule.next_time()

    def due(self, model: Component) -> float:
        """When an atomic model's next internal event is (s); infinite when it is passive, or not simulated here."""
        node = self._schedule.nodes.get(model)
        return inf if node is None else node.next

    def run(self, until: float = inf, *, max_steps: int | None = None, stop: XdevsPort[Any] | None = None) -> None:
        """Handle events in the order of their times.

        The output ports of the root model hold what the last step sent through them.

        Args:
            until: time of the last events to be handled (s), not before `time`
            max_steps: how many steps to take at most
            stop: an output port of the root model; the run ends after a step that sends something through it

        Raises:
            ModelError: a model broke a rule or raised an exception; the message names its path and the time; or `until`
                is no time to come
            ObserverError: an observer failed
        """
        if self._error is not None:
            raise ModelError(f"this simulation broke off, make a new Simulator: {self._error}") from self._error
        until = self.end_at(until)
        schedule, kernel, changes = self._schedule, self._kernel, self._kernel.changes
        last_step = inf if max_steps is None else kernel.steps + max_steps
        while kernel.steps < last_step:
            if changes:
                self._restructure()
            time = schedule.next_time()
            if time > until or time == inf:
                return
            try:
                kernel.step(time)
            except DevsRoboticsError as exc:
                self._break_off(exc)
            if changes:
                self._restructure()
            if stop is not None and stop._values:
                return

    def end_at(self, time: float) -> float:
        """A time at which a run may end (s), as a float.

        Raises:
            ModelError: it is over, or no time at all
        """
        time = plain_time(time, "the end of a run")
        if not time >= self.time:
            raise ModelError(f"a run cannot end at {time:.9g} s: {self._no_time(time)}")
        return time

    def inject(self, port: XdevsPort[Any], *values: Any, at: float | None = None) -> None:
        """Have an input come to the root model; what comes at one time is one external event.

        Args:
            port: an input port of the root model
            values: what is put into its bag
            at: when (s), not before `time`, which is the default; an event due at that time is confluent with it
        """
        time = self.time if at is None else plain_time(at, f"the time of an input to {port_path(port)}")
        if self.model.input.get(port.name) is not port:
            raise ModelError(f"{port_path(port)} is not an input port of {self.model.name}: inject there only")
        if not (isfinite(time) and time >= self.time):
            raise ModelError(f"an input to {port_path(port)} cannot come at {time} s: {self._no_time(time)}")
        self._schedule.add_input(time, port, values)

    def attach(self, observer: Observer, *patterns: str) -> None:
        """Let an observer watch from now on; several may.

        Args:
            observer: who is told
            patterns: paths of the models or ports to watch, such as ``robot*/motor`` or ``robot*/motor.done``; without
                any, all of them

        Raises:
            DevsRoboticsError: a pattern fits no model and no port
        """
        each = Observation(observer, patterns)
        nodes = self._schedule.nodes.values()
        each.selection.check(
            (component_path(node.model), [*node.model.in_ports, *node.model.out_ports]) for node in nodes
        )
        self._watches.append(each)
        with collector_paused():
            self._wire()
        each.tell("started", self.time, [node.model for node in nodes if node.model in each.models])

    def detach(self, observer: Observer) -> None:
        """Let an observer watch no longer, and end its work."""
        leaving = [each for each in self._watches if each.observer is observer]
        self._watches = [each for each in self._watches if each.observer is not observer]
        with collector_paused():
            self._wire()
        for each in leaving:
            each.tell("ended", self.time)

    def save(self, path: str | Path) -> None:
        """Save the simulation as it is between two events; see `checkpoint`.

        Observers, and what the last step left in the outputs of the root, are not saved.

        Raises:
            ModelError: a model holds something that cannot be saved
            DevsRoboticsError: the file cannot be written
        """
        self._restructure()
        kernel = self._kernel
        state = {
            "zero_time_limit": kernel.zero_time_limit,
            "counts": (kernel.steps, kernel.transitions, kernel.zero_steps),
            **self._schedule.saved(),
        }
        checkpoint.write(Path(path), self.model, self.time, state)

    @classmethod
    def resume(cls, path: str | Path, *, like: Component | None = None) -> Self:
        """Go on with a simulation that was saved, here or in another process; the rest of its trace is the same.

        Args:
            path: of a checkpoint that you trust: reading it can run code
            like: a model, as it is built for a new simulation; a checkpoint of any other structure is refused

        Raises:
            DevsRoboticsError: the file is no checkpoint, or one of another version or model
        """
        model, time, state = checkpoint.read(Path(path), like)
        simulator = cls.__new__(cls)
        simulator._set_up(model, Schedule.restored(time, atomic_models(model), state), state["zero_time_limit"])
        kernel = simulator._kernel
        kernel.steps, kernel.transitions, kernel.zero_steps = state["counts"]
        with collector_paused():
            simulator._wire()
        return simulator

    def close(self) -> None:
        """Call every model's `exit`, give the ports back, and end the observers' work; a second call does nothing."""
        nodes = self._schedule.nodes
        self._schedule.follow({})
        watches, self._watches = self._watches, []
        try:
            for node in nodes.values():
                self._exit(node)
        finally:
            release(chain(self.model.in_ports, *(self._ports(node) for node in nodes.values())))
            with ExitStack() as stack:  # one that fails keeps no other from its end
                for each in reversed(watches):
                    stack.callback(each.tell, "ended", self.time)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refused with a ModelError: a copy would share some lists of its ports with the original, and lack others."""
        raise ModelError(
            f"the simulation of {component_path(self.model)} cannot be copied or pickled: save it with Simulator.save, "
            f"and go on from there with Simulator.resume as often as you like"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.model.name} at {self.time:.9g} s, after {self.steps:,} steps>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _restructure(self) -> None:
        """Follow changes of the structure, if there are any, and those that these cause."""
        changes = self._kernel.changes
        while changes:
            changes.clear()
            with collector_paused():
                self._take_structure()

    def _take_structure(self) -> None:
        """Take the model tree as it is: let go what is gone, initialise what is new, wire all anew."""
        schedule = self._schedule
        before = schedule.nodes
        nodes: dict[Component, ModelNode] = {}
        for model in atomic_models(self.model):
            if model in nodes:
                raise ModelError(f"{component_path(model)} stands twice in the model: make another instance")
            nodes[model] = before.get(model) or ModelNode(model, schedule.time)
        gone = [node for model, node in before.items() if model not in nodes]
        for node in gone:
            release(self._ports(node))
        schedule.follow(nodes)
        self._wire()
        for node in gone:
            self._exit(node)
            self._tell("left", node.model)
            for each in self._watches:
                each.models.discard(node.model)
        for node in nodes.values():
            if node.model not in before:
                self._join(node, told=bool(before))

    def _join(self, node: ModelNode, *, told: bool) -> None:
        """Initialise a model, and tell the observers where that is news."""
        try:
            self._kernel.join(node)
        except DevsRoboticsError as exc:
            self._break_off(exc)
        if told:
            self._tell("joined", node.model)

    def _wire(self) -> None:
        """Put the observers in place, and lay the routes."""
        schedule, kernel = self._schedule, self._kernel
        for node in schedule.due:
            node.last = schedule.time  # which the kernel leaves out, and observers are told
        for node in schedule.nodes.values():
            watch(node, self._watches, lambda: schedule.time)
        kernel.input_routes = Routes(self.model, schedule.nodes, kernel.written).inputs

    def _ports(self, node: ModelNode) -> Iterator[XdevsPort[Any]]:
        """The ports of a model that a simulator changes."""
        yield from node.model.in_ports
        if node.model is not self.model:
            yield from node.model.out_ports

    def _no_time(self, time: float) -> str:
        """Why nothing can be done at a time (s)."""
        return f"it is {self.time:.9g} s already" if time < self.time else "give a time that will come"

    def _exit(self, node: ModelNode) -> None:
        try:
            node.model.exit()
        except KeyboardInterrupt:
            raise
        except BaseException as exc:
            raise blame(node.model, self.time, exc) from exc

    def _tell(self, hook: str, model: XdevsAtomic) -> None:
        """Tell the observers that a model has joined or left."""
        for each in self._watches:
            if model in each.models:
                each.tell(hook, self.time, model)

    def _break_off(self, error: DevsRoboticsError) -> NoReturn:
        """End the simulation with an error, and tell the observers of a fault of a model."""
        self._error = error
        if isinstance(error, ModelError):
            for each in self._watches:
                with suppress(ObserverError):  # the fault of the model is what matters now
                    each.tell("failed", self.time, error)
        raise error
