"""SimPy models that know nothing of DEVS, their hosts, and DEVS models to put around them."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from itertools import pairwise
from typing import Any

import msgspec
import simpy
from simpy.events import NORMAL, EventPriority

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.core.simpy_host import SimpyModel

Process = Generator[simpy.Event, Any, None]
Log = list[tuple[Any, ...]]
Visits = list[tuple[float, float]]
"""For each robot how long it comes after the one before, and how long it charges or is worked on (s)."""
Moves = tuple[list[float], list[float]]
"""A player's times between ticks, and its times for answers (s)."""


class Robot(msgspec.Struct, frozen=True):
    number: int
    need: float


class Last(simpy.Event):
    """An event that comes after all others of its instant, as inputs do."""

    def __init__(self, env: simpy.Environment, delay: float) -> None:
        super().__init__(env)
        self._ok, self._value = True, None
        env.schedule(self, EventPriority(NORMAL + 1), delay)


def arrivals(env: simpy.Environment, visits: Visits, wait: Callable[..., simpy.Event], store: simpy.Store) -> Process:
    """What `Road` does, as a SimPy process."""
    for number, (gap, need) in enumerate(visits):
        yield wait(env, gap)
        store.put(Robot(number, need))


class Station:
    """Robots wait for a charger, charge, and leave."""

    def __init__(
        self, env: simpy.Environment, arrived: simpy.Store, leave: Callable[[Robot], object], capacity: int, log: Log
    ) -> None:
        self.env, self.arrived, self.leave, self.log = env, arrived, leave, log
        self.chargers = simpy.Resource(env, capacity)
        env.process(self.serve())

    def note(self, what: str, robot: Robot) -> None:
        self.log.append((self.env.now, what, robot.number, self.chargers.count, len(self.chargers.queue)))

    def serve(self) -> Process:
        while True:
            robot = yield self.arrived.get()
            self.note("arrives", robot)
            self.env.process(self.charge(robot))

    def charge(self, robot: Robot) -> Process:
        with self.chargers.request() as turn:
            yield turn
            self.note("starts", robot)
            yield self.env.timeout(robot.need)
            self.note("leaves", robot)
        self.leave(robot)
        for _ in range(3):  # several events at one instant, for inputs of that instant to come after
            yield self.env.timeout(0.0)
            self.note("drives away", robot)


class HostedStation(SimpyModel):
    arrived = In(Robot)
    charged = Out(Robot)

    def __init__(self, capacity: int, name: str = "station") -> None:
        super().__init__(name)
        self.capacity = capacity
        self.log: Log = []

    def setup(self, env: simpy.Environment) -> None:
        self.log = []
        Station(env, self.inbox(self.arrived), lambda robot: self.send(self.charged, robot), self.capacity, self.log)


class Player:
    """Ticks, and answers what it receives after a while."""

    def __init__(
        self, name: str, env: simpy.Environment, inbox: simpy.Store, send: Callable[[int], object], log: Log
    ) -> None:
        self.name, self.env, self.inbox, self.send, self.log = name, env, inbox, send, log

    def start(self, moves: Moves) -> None:
        self.env.process(self.tick(moves[0]))
        self.env.process(self.answer(moves[1]))

    def tick(self, durations: list[float]) -> Process:
        for duration in durations:
            yield self.env.timeout(duration)
            self.log.append((self.env.now, self.name, "ticks"))
            self.send(0)

    def answer(self, durations: list[float]) -> Process:
        for duration in durations:
            ball = yield self.inbox.get()
            self.log.append((self.env.now, self.name, f"gets {ball}"))
            yield self.env.timeout(duration)
            self.log.append((self.env.now, self.name, "answers"))
            self.send(ball + 1)


class HostedPlayer(SimpyModel):
    heard = In(int)
    said = Out(int)

    def __init__(self, name: str, moves: Moves, log: Log) -> None:
        super().__init__(name)
        self.moves, self.log = moves, log

    def setup(self, env: simpy.Environment) -> None:
        inbox = self.inbox(self.heard)
        Player(self.name, env, inbox, lambda ball: self.send(self.said, ball), self.log).start(self.moves)


class Workshop:
    """Something of everything that SimPy has; the log tells what each job goes through."""

    def __init__(self, env: simpy.Environment, jobs: simpy.Store, done: Callable[[Robot], object], log: Log) -> None:
        self.env, self.jobs, self.done, self.log = env, jobs, done, log
        self.tank = simpy.Container(env, capacity=9.0, init=3.0)
        self.parts = simpy.FilterStore(env)
        self.bench = simpy.PriorityResource(env, capacity=1)
        self.press = simpy.PreemptiveResource(env, capacity=1)
        self.working: list[simpy.Process] = []
        for process in (self.serve(), self.refill(), self.break_down()):
            env.process(process)

    def note(self, job: Robot, what: str) -> None:
        self.log.append((self.env.now, job.number, what))

    def serve(self) -> Process:
        while True:
            job = yield self.jobs.get()
            yield self.parts.put(job.number % 3)
            self.working.append(self.env.process(self.work(job)))

    def refill(self) -> Process:
        while True:
            yield self.env.timeout(1.5)
            yield self.tank.put(1.0)

    def break_down(self) -> Process:
        while True:
            yield self.env.timeout(4.0)
            self.working = [process for process in self.working if process.is_alive]
            for process in self.working[:1]:
                process.interrupt("broken")

    def work(self, job: Robot) -> Process:
        try:
            with self.tank.get(1.0) as energy:
                first = yield energy | self.env.timeout(1.0)
                self.note(job, "has energy" if energy in first else "gave up")
            with self.bench.request(priority=job.number % 2) as turn:
                yield turn
                part = self.parts.get(lambda part: part != 1 or job.number > 2)
                yield self.env.all_of([part, self.env.timeout(job.need / 8)])
                self.note(job, f"has part {part.value}")
            with self.press.request(priority=-job.number) as turn:
                yield turn
                yield self.env.timeout(job.need)
        except simpy.Interrupt as interrupt:
            self.note(job, "broken" if interrupt.cause == "broken" else "pushed aside")
        self.done(job)


class HostedWorkshop(SimpyModel):
    brought = In(Robot)
    done = Out(Robot)

    def setup(self, env: simpy.Environment) -> None:
        self.log: Log = []
        Workshop(env, self.inbox(self.brought), lambda job: self.send(self.done, job), self.log)


class Clocks(SimpyModel):
    """Processes that each wait for one duration after the other, and note SimPy's time and the simulator's."""

    heard: In[Any] = In()
    said = Out(float)

    def __init__(self, durations: list[list[float]], clock: Callable[[], float] = lambda: 0.0) -> None:
        super().__init__("clocks")
        self.durations, self.clock = durations, clock
        self.log: Log = []

    def setup(self, env: simpy.Environment) -> None:
        for series in self.durations:
            env.process(self.wait(series))
        env.process(self.listen())

    def wait(self, series: list[float]) -> Process:
        for duration in series:
            yield self.env.timeout(duration)
            self.log.append((self.env.now, self.clock()))
            self.send(self.said, self.env.now)

    def listen(self) -> Process:
        while True:
            yield self.receive(self.heard)
            self.log.append((self.env.now, self.clock()))


class Road(Atomic):
    """Sends robots off, as an ordinary atomic model."""

    out = Out(Robot)

    def __init__(self, visits: Visits) -> None:
        super().__init__("road")
        self.visits = visits
        self.number = 0

    def initialize(self) -> None:
        self.number = 0
        self.follow()

    def follow(self) -> None:
        if self.number < len(self.visits):
            self.hold_in("driving", self.visits[self.number][0])
        else:
            self.passivate()

    def lambdaf(self) -> None:
        self.out.add(Robot(self.number, self.visits[self.number][1]))

    def deltint(self) -> None:
        self.number += 1
        self.follow()


class Relay(Atomic):
    """Passes robots on after a delay; one that comes meanwhile makes the others wait for it."""

    heard = In(Robot)
    out = Out(Robot)

    def __init__(self, name: str, delay: float = 0.0) -> None:
        super().__init__(name)
        self.delay = delay
        self.held: list[Robot] = []

    def lambdaf(self) -> None:
        for robot in self.held:
            self.out.add(robot)

    def deltint(self) -> None:
        self.held = []
        self.passivate()

    def deltext(self, e: float) -> None:
        self.held.extend(self.heard.values)
        self.hold_in("holding", self.delay)


class Notes(Atomic):
    """Notes what arrives and when, by the simulator's clock."""

    heard: In[Any] = In()

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__("notes")
        self.clock = clock
        self.notes: Log = []

    def deltext(self, e: float) -> None:
        for value in self.heard.values:
            self.notes.append((self.clock(), value.number if isinstance(value, Robot) else value))


def chain(*models: Any) -> Coupled:
    """The models in a row, the output of each coupled to the input of the next."""
    top = Coupled("top")
    for model in models:
        top.add_component(model)
    for first, second in pairwise(models):
        top.add_coupling(first.out_ports[0], second.in_ports[0])
    return top


def simulated(*models: Any, until: float = math.inf) -> Log:
    """What comes out at the end of a chain, and when."""
    clock: list[Simulator] = []
    notes = Notes(lambda: clock[0].time)
    clock.append(Simulator(chain(*models, notes)))
    clock[0].run(until)
    return notes.notes
