"""Charging docks: a few places at which robots are charged, one after the other; SimPy processes with a `Resource`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from math import inf
from typing import Any, Literal

import simpy
from msgspec import Struct

from devs_robotics import ModelError, Out, Port
from devs_robotics.core.ports import add_port
from devs_robotics.core.simpy_host import SimpyModel
from devs_robotics.models.batteries.messages import Recharge

Process = Generator[simpy.Event, Any, None]


class DockCall(Struct, frozen=True):
    """What a robot wants of the docks.

    Attributes:
        wants: a ``turn``: to be told when a dock is free for it; a ``charge``: to be charged as soon as it has a dock,
            for it is there; or to ``leave``
    """

    wants: Literal["turn", "charge", "leave"]


class Dock(Struct, frozen=True):
    """A robot has a dock from now on, until it leaves.

    Attributes:
        robot: its number
        number: of the dock, from 1
        x, y: where it is (m), if that was said; else 0
    """

    robot: int
    number: int
    x: float = 0.0
    y: float = 0.0


class DockUse(Struct, frozen=True):
    """What a robot does at the docks from now on.

    Attributes:
        robot: its number
        state: it waits for a dock, has one, is charged there, or has left
    """

    robot: int
    state: Literal["waiting", "docked", "charging", "left"]


class ChargingDocks(SimpyModel):
    """Docks at which robots' batteries are charged; who comes when all are taken waits in the order of coming.

    Each robot has a process of its own. It is coupled by three ports, which `admit` makes: its decision model says what
    it wants, and hears which dock it has; its battery hears that it is charged. ::

        docks = system.add(ChargingDocks("docks", 2, rate=1.0 / 3600.0))
        for robot in system.robots:
            ports = docks.admit(robot.number)
            system.couple(robot.patrol.dock_call, ports.call)
            system.couple(ports.charging, robot.battery.recharge)

    Ports:
        use: what robots do at the docks, for frames
        and of each robot what `admit` makes

    Args:
        docks: how many there are
        rate: at which the charge of a battery rises there, net of what the robot uses (1/s)
        places: where they are (m), in their order; none: it does not matter

    Raises:
        ModelError: there is no dock, no rate, or the places are not as many as the docks
    """

    use = Out(DockUse)

    def __init__(self, name: str, docks: int, rate: float, places: Sequence[tuple[float, float]] = ()) -> None:
        super().__init__(name)
        if not (docks >= 1 and 0.0 < rate < inf):
            raise ModelError(f"{name}: there must be a dock and a rate above 0 1/s, not {docks!r} and {rate!r}")
        if places and len(places) != docks:
            raise ModelError(f"{name}: {docks} docks need as many places, and {len(places)} are given")
        self.docks, self.rate = docks, rate
        self.places = tuple(places) or ((0.0, 0.0),) * docks
        self.berths: dict[int, Berth] = {}

    def admit(self, robot: int) -> Berth:
        """The ports of a robot, by its number; they are made once."""
        if robot not in self.berths:
            call: Port[DockCall] = Port(DockCall, f"call{robot}")
            turn: Port[Dock] = Port(Dock, f"turn{robot}")
            charging: Port[Recharge] = Port(Recharge, f"charging{robot}")
            add_port(self, call, "in")
            add_port(self, turn, "out")
            add_port(self, charging, "out")
            self.berths[robot] = Berth(call, turn, charging)
        return self.berths[robot]

    def setup(self, env: simpy.Environment) -> None:
        """All docks are free."""
        self._resource = simpy.Resource(env, self.docks)
        self._free = list(range(self.docks, 0, -1))
        for robot, berth in self.berths.items():
            env.process(self._attend(robot, berth))

    def exit(self) -> None:
        """Let go of SimPy's things, too."""
        self.__dict__.pop("_resource", None)
        super().exit()

    def _attend(self, robot: int, berth: Berth) -> Process:
        """Serve a robot for ever."""
        while True:
            call = yield self.receive(berth.call)
            if call.wants != "leave":
                yield from self._stay(robot, berth, here=call.wants == "charge")
                self.send(self.use, DockUse(robot, "left"))

    def _stay(self, robot: int, berth: Berth, *, here: bool) -> Process:
        """From when a robot wants a dock until it leaves."""
        self.send(self.use, DockUse(robot, "waiting"))
        with self._resource.request() as turn:
            while not turn.triggered:
                with self.receive(berth.call) as call:
                    yield turn | call
                    if call.triggered:
                        wanted: DockCall = call.value  # type: ignore[assignment]  # SimPy's types say that it may be None
                        if wanted.wants == "leave":
                            return
                        here = here or wanted.wants == "charge"
            number = self._free.pop()
            self.send(berth.turn, Dock(robot, number, *self.places[number - 1]))
            self.send(self.use, DockUse(robot, "docked"))
            yield from self._charge(robot, berth, here=here)
            self._free.append(number)

    def _charge(self, robot: int, berth: Berth, *, here: bool) -> Process:
        """A robot has a dock; it is charged from when it is there."""
        while not here:
            call = yield self.receive(berth.call)
            if call.wants == "leave":
                return
            here = call.wants == "charge"
        self.send(berth.charging, Recharge(self.rate))
        self.send(self.use, DockUse(robot, "charging"))
        while True:
            call = yield self.receive(berth.call)
            if call.wants == "leave":
                break
        self.send(berth.charging, Recharge(0.0))


class Berth(Struct, frozen=True):
    """The ports of a robot at the docks.

    Attributes:
        call: what it wants
        turn: which dock it has
        charging: how fast its battery is charged, or that it is no longer
    """

    call: Port[DockCall]
    turn: Port[Dock]
    charging: Port[Recharge]
