"""SimPy inside DEVS: an atomic model whose behaviour is written as SimPy processes.

A `SimpyModel` runs a SimPy environment of its own, so that an existing process model, a charging station with a
`simpy.Resource` say, joins a coupled model as it is. SimPy: https://simpy.readthedocs.io.
"""

from __future__ import annotations

from abc import abstractmethod
from math import inf
from typing import Any, NoReturn, TypeVar

import simpy
from simpy.events import NORMAL, EventPriority
from simpy.resources.store import StoreGet
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.ports import Port, component_path
from devs_robotics.core.times import plain_time

B = TypeVar("B")
T = TypeVar("T")

EVENT_LIMIT = 1_000_000
"""Number of SimPy events at one instant at which processes are taken to go round for ever in zero time."""


class HostedEnvironment(simpy.Environment):
    """A SimPy environment whose clock is moved by the DEVS model that hosts it; processes use it as any other."""

    def run(self, until: object = None) -> NoReturn:
        """Refused with a ModelError: DEVS runs this environment."""
        raise ModelError("DEVS runs this SimPy environment, not env.run or env.step: yield the event to wait for")

    def step(self) -> NoReturn:
        """Refused with a ModelError: DEVS runs this environment."""
        self.run()

    def timeout(self, delay: float = 0, value: Any = None) -> simpy.Timeout:
        """An event after a delay (s), as SimPy has it; raises ModelError when the delay is no number."""
        return simpy.Timeout(self, plain_time(delay, "the delay of a timeout"), value)

    def schedule(self, event: simpy.Event, priority: EventPriority = NORMAL, delay: float = 0) -> None:
        """Schedule an event as SimPy does; raises ModelError when the delay is negative or no number."""
        delay = plain_time(delay, f"the delay of {event}")
        if not delay >= 0:  # SimPy lets NaN through, which would leave its queue out of order
            raise ModelError(f"{event} cannot come after a delay of {delay}: make it zero or more")
        super().schedule(event, priority, delay)

    def time_to_next(self) -> float:
        """How long to wait for the next event, or for a stop on the way to it (s); infinite without one.

        Not every time can be reached from every other in one addition of floating-point numbers. Where the next one
        cannot, it can from any time between its half and itself.
        """
        now, next_time = self._now, self.peek()
        wait = next_time - now
        return wait if now + wait == next_time else 0.75 * wait

    def advance(self, elapsed: float) -> None:
        """Move the clock on, but never past an event that is still to come."""
        self._now = min(self._now + elapsed, self.peek())

    def fire(self) -> None:
        """Process all events of this instant, and those that they cause at this instant.

        Raises:
            ModelError: an exception that no process waited for, chained; or events without end
        """
        for _ in range(EVENT_LIMIT):
            if self.peek() > self._now:
                return
            self._fire_next()
        raise ModelError(
            f"SimPy has processed {EVENT_LIMIT} events at one instant ({self._queue[0][-1]} next): give its processes "
            f"timeouts that a clock which reads {self._now:.9g} s can tell from zero"
        )

    def _fire_next(self) -> None:
        event = self._queue[0][-1]
        try:
            super().step()
        except Exception:
            if event.ok or event.defused:
                raise
            # What SimPy raises is a copy, which not every exception allows to be made: chain the original.
            what = f"process {event.name!r}" if isinstance(event, simpy.Process) else f"event {event}"
            cause = event.value
            raise ModelError(f"the SimPy {what} failed: {type(cause).__name__}: {cause}") from cause


class SimpyModel(Atomic):
    """A DEVS atomic model that consists of SimPy processes; write `setup`, and the processes that it starts.

    ::

        class ChargingStation(SimpyModel):
            arrived = In(Robot)
            charged = Out(Robot)

            def setup(self, env: simpy.Environment) -> None:
                self.chargers = simpy.Resource(env, capacity=2)
                env.process(self.serve())

            def serve(self) -> Generator[simpy.Event, Any, None]:
                while True:
                    robot = yield self.receive(self.arrived)
                    self.env.process(self.charge(robot))

            def charge(self, robot: Robot) -> Generator[simpy.Event, Any, None]:
                with self.chargers.request() as turn:
                    yield turn
                    yield self.env.timeout(30.0)
                self.send(self.charged, robot)

    **Order.** A transition processes all SimPy events of its instant. At an instant with events and inputs the events
    come first, with all that they cause at this instant, and then the inputs, whether they arrive in the same step
    (confluent) or in a later one. Pure SimPy does the same when a process produces the inputs with events of a lower
    priority than all others. The values of a bag are put into their inboxes before any process sees one of them.
    What processes send at an instant leaves in the next step, which takes no time, in the order in which it was sent.
    Its receivers, other SimPy models too, take it as an input of that same instant.

    **Time.** Each simulation makes a new environment; none can be handed in. `env.now` is 0 when the model is
    initialised, and the time of DEVS from there on. The times of SimPy's own events are kept to the last bit, for which
    an internal transition without an event is put in where one addition cannot reach them. A model learns the time of
    an input as the elapsed time since its last transition. The sum is exact when times are whole ticks (of any power of
    two), or when the time has at most doubled; else it can be wrong in the last place, and such errors do not add up.
    """

    env: HostedEnvironment
    """The environment of this simulation; there is none before `setup` and after `exit`."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._started = False
        self._inboxes: dict[XdevsPort[Any], simpy.Store] = {}
        self._outboxes: dict[XdevsPort[Any], Port[Any]] = {}

    @abstractmethod
    def setup(self, env: simpy.Environment) -> None:
        """Make the resources and start the processes; called whenever a simulation starts, with a new environment."""

    def receive(self, port: Port[Any]) -> StoreGet:
        """The SimPy event of the next value of an input port; values that nobody waits for are kept in their order.

        When it is left alone for another event of an `AnyOf`, cancel it, or it takes a value that nobody sees:
        ``with self.receive(self.arrived) as robot: yield robot | env.timeout(5.0)``.
        """
        return self.inbox(port).get()

    def inbox(self, port: Port[Any]) -> simpy.Store:
        """The store that an input port's values are put into, for processes that were written for a store."""
        return self._box(self._inboxes, port, "receive from", "input")

    def send(self, port: Port[T], value: T) -> None:
        """Send a value through an output port, in the next step of this instant.

        Raises:
            ModelError: the value is not of the port's type, or the port is not one of this model's outputs
        """
        self._box(self._outboxes, port, "send to", "output").add(value)

    def _box(self, boxes: dict[XdevsPort[Any], B], port: Port[Any], action: str, direction: str) -> B:
        if port not in boxes:
            raise ModelError(
                f"{component_path(self)} cannot {action} {port}: use one of its own {direction} ports, from setup on"
            )
        return boxes[port]

    def initialize(self) -> None:
        """Set up a new environment; its first events are those of time 0."""
        self._started = True
        self.env = HostedEnvironment(0.0)
        self._inboxes = {port: simpy.Store(self.env) for port in self.in_ports}
        self._outboxes = {port: Port(port.p_type, port.name) for port in self.out_ports}
        for box in self._outboxes.values():
            box.parent = self  # for errors to name its place
        self.setup(self.env)
        self._wait()

    def exit(self) -> None:
        """Let go of the environment and of what was never received or sent."""
        self.__dict__.pop("env", None)
        self._inboxes, self._outboxes = {}, {}

    def lambdaf(self) -> None:
        """Send what processes have sent at this instant."""
        for port, box in self._outboxes.items():
            for value in box.values:
                port.add(value)

    def deltint(self) -> None:
        """Process the SimPy events whose time has come."""
        for box in self._outboxes.values():
            box.clear()
        self._advance(self.sigma)

    def deltext(self, e: float) -> None:
        """Put the inputs into their inboxes, and process what SimPy makes of them at this instant."""
        self.env.advance(e)
        for port, inbox in self._inboxes.items():
            for value in port.values:
                inbox.put(value)
        self._advance(0.0)

    def _advance(self, elapsed: float) -> None:
        self.env.advance(elapsed)
        self.env.fire()
        self._wait()

    def _wait(self) -> None:
        wait = self.env.time_to_next()
        if any(self._outboxes.values()):
            self.hold_in("sending", 0.0)
        elif wait < inf:
            self.hold_in("waiting", wait)
        else:
            self.passivate()

    def __getstate__(self) -> object:
        if self._started:
            raise ModelError(
                f"{component_path(self)} runs SimPy processes, which cannot be saved or copied: "
                f"save or copy the model before it is simulated"
            )
        return super().__getstate__()
