"""Charging docks: who comes first is charged first; the shares of time against their closed form."""

from __future__ import annotations

from math import inf

import pytest

from devs_robotics import AskCharge, Atomic, Charge, Coupled, In, ModelError, Out, Simulator
from devs_robotics.experimental_frames.instruments.dock_use import DockUsage
from devs_robotics.models.batteries import Battery, Recharge, WheelSpeed
from devs_robotics.models.batteries.docks import ChargingDocks, Dock, DockCall
from devs_robotics.models.batteries.power import (
    DOTS_AT_REST,
    DOTS_CHARGER,
    DOTS_ENERGY,
    DOTS_MOVING,
    by_power,
    rate_of,
    share_at_docks,
)
from tests.approximately import near

CHARGING = DOTS_CHARGER - DOTS_AT_REST
"""Net power into a battery at a dock (W)."""

HOUR = 3600.0


class Worker(Atomic):
    """Works all the time; comes to be charged when its battery is low, and leaves when it is full."""

    charge = In(Charge)
    ask = Out(AskCharge)
    speed = Out(WheelSpeed)
    call = Out(DockCall)

    def __init__(self, name: str, level: float) -> None:
        super().__init__(name)
        self.level = level
        self.emptied = 0

    def initialize(self) -> None:
        self.at_docks, self.calls = False, list[DockCall]()
        self.activate("beginning")

    def lambdaf(self) -> None:
        if self.phase == "beginning":
            self.ask.add(AskCharge((self.level,)))
            self.speed.add(WheelSpeed(0.3))
        for call in self.calls:
            self.call.add(call)

    def deltint(self) -> None:
        self.calls.clear()
        self.passivate("working")

    def deltext(self, e: float) -> None:
        for charge in self.charge.values:
            self.emptied += charge.value <= 0.0
            if charge.low and not self.at_docks:
                self.at_docks = True
                self.calls.append(DockCall("charge"))
            elif charge.value >= 1.0 and self.at_docks:
                self.at_docks = False
                self.calls.append(DockCall("leave"))
        if self.calls:
            self.activate("calling")


def fleet(robots: int, docks: int, hours: float, level: float = 0.3) -> tuple[DockUsage, list[Worker], list[Battery]]:
    world, usage = Coupled("world"), DockUsage("usage", robots, docks, hours * HOUR)
    station = ChargingDocks("docks", docks, rate_of(CHARGING, DOTS_ENERGY))
    workers, batteries = [], []
    world.add_component(station)
    world.add_component(usage)
    world.add_coupling(station.use, usage.use)
    for robot in range(1, robots + 1):
        discharge = by_power(DOTS_ENERGY, DOTS_AT_REST, DOTS_MOVING)
        worker = Worker(f"worker{robot}", level)
        battery = Battery(f"battery{robot}", discharge, level + (1.0 - level) * robot / robots)
        for model in (worker, battery):
            world.add_component(model)
        berth = station.admit(robot)
        world.add_coupling(worker.ask, battery.power.ask)
        world.add_coupling(battery.power.answer, worker.charge)
        world.add_coupling(worker.speed, battery.wheel_speed)
        world.add_coupling(worker.call, berth.call)
        world.add_coupling(berth.charging, battery.recharge)
        workers.append(worker)
        batteries.append(battery)
    with Simulator(world) as simulator:
        simulator.run(until=hours * HOUR)
    return usage, workers, batteries


def test_the_share_of_time_at_docks_is_the_closed_form() -> None:
    """By the energies: what goes in is what is drawn, but for what batteries hold more or less at the end."""
    share = share_at_docks(DOTS_MOVING, CHARGING)
    assert share == near(14.0 / 68.0)
    assert 20 * share == near(4.1176, 1e-4)
    robots, hours = 20, 400.0
    usage, workers, _ = fleet(robots, 5, hours)
    bound = DOTS_ENERGY / (hours * (DOTS_MOVING + CHARGING))
    assert abs(usage.charging_share() - share) <= bound
    assert usage.taken_share() == near(usage.charging_share() * robots / 5)
    assert not any(worker.emptied for worker in workers)


def test_four_docks_are_too_few_for_twenty_robots() -> None:
    """They are taken all the time, more and more robots wait, and batteries run empty."""
    usage, workers, _ = fleet(20, 4, 400.0)
    assert usage.taken_share() > 0.98
    assert usage.longest_queue() > 5
    assert any(worker.emptied for worker in workers)
    enough, _, _ = fleet(20, 6, 400.0)
    assert enough.wait_s() < 0.1 * usage.wait_s()


def test_one_robot_alone_has_the_published_times() -> None:
    """From full to empty in 85 Wh / 14 W, and back in 85 Wh / 54 W."""
    usage, _, _ = fleet(1, 1, 100.0, level=1e-9)
    cycle = DOTS_ENERGY / DOTS_MOVING + DOTS_ENERGY / CHARGING
    assert (near(14.2, 0.1), near(6.07, 0.01)) == (DOTS_ENERGY / DOTS_AT_REST, DOTS_ENERGY / DOTS_MOVING)
    whole = 100.0 // cycle
    rest = 100.0 - whole * cycle - DOTS_ENERGY / DOTS_MOVING
    assert usage.charging_share() * 100.0 == near(whole * DOTS_ENERGY / CHARGING + max(0.0, rest), 1e-6)
    assert usage.wait_s() == 0.0


class Script(Atomic):
    """Says what it is told to say, and hears."""

    call = Out(DockCall)
    turn = In(Dock)
    charging = In(Recharge)

    def __init__(self, name: str, *lines: tuple[float, str]) -> None:
        super().__init__(name)
        self.lines = lines

    def initialize(self) -> None:
        self.time, self.heard, self.left = 0.0, list[tuple[float, object]](), list(self.lines)
        self._wait()

    def _wait(self) -> None:
        self.hold_in("saying", self.left[0][0] - self.time if self.left else inf)

    def lambdaf(self) -> None:
        self.call.add(DockCall(self.left[0][1]))  # type: ignore[arg-type]

    def deltint(self) -> None:
        self.time = self.left.pop(0)[0]
        self._wait()

    def deltext(self, e: float) -> None:
        self.time += e
        self.heard += [(self.time, dock.number) for dock in self.turn.values]
        self.heard += [(self.time, recharge.rate) for recharge in self.charging.values]
        self._wait()


def played(docks: ChargingDocks, *scripts: Script) -> list[list[tuple[float, object]]]:
    world = Coupled("world")
    world.add_component(docks)
    for robot, script in enumerate(scripts, 1):
        world.add_component(script)
        berth = docks.admit(robot)
        world.add_coupling(script.call, berth.call)
        world.add_coupling(berth.turn, script.turn)
        world.add_coupling(berth.charging, script.charging)
    with Simulator(world) as simulator:
        simulator.run(until=1000.0)
    return [script.heard for script in scripts]


def test_who_comes_first_is_charged_first_and_who_gives_up_takes_no_turn() -> None:
    first = Script("first", (0.0, "charge"), (100.0, "leave"))
    gives_up = Script("gives_up", (1.0, "turn"), (50.0, "leave"))
    drives = Script("drives", (2.0, "turn"), (120.0, "charge"), (200.0, "leave"))
    last = Script("last", (3.0, "charge"), (300.0, "leave"))
    assert played(ChargingDocks("docks", 1, 0.01), first, gives_up, drives, last) == [
        [(0.0, 1), (0.0, 0.01), (100.0, 0.0)],
        [],
        [(100.0, 1), (120.0, 0.01), (200.0, 0.0)],
        [(200.0, 1), (200.0, 0.01), (300.0, 0.0)],
    ]


def test_each_has_a_dock_of_its_own_and_a_robot_that_never_comes_frees_it() -> None:
    never = Script("never", (0.0, "turn"), (10.0, "leave"), (20.0, "leave"))
    other, third = Script("other", (1.0, "charge")), Script("third", (2.0, "charge"))
    assert played(ChargingDocks("docks", 2, 0.01, [(1.0, 2.0), (3.0, 4.0)]), never, other, third) == [
        [(0.0, 1)],
        [(1.0, 2), (1.0, 0.01)],
        [(10.0, 1), (10.0, 0.01)],
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 0.1), "there must be a dock"),
        ((1, 0.0), "a rate above 0"),
        ((2, 0.1, [(0.0, 0.0)]), "2 docks need as many"),
    ],
)
def test_docks_that_are_none_are_told(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        ChargingDocks("docks", *arguments)  # type: ignore[arg-type]


def test_powers_that_are_none_are_told() -> None:
    with pytest.raises(ModelError, match="a power above 0 W and an energy above 0 Wh, not 0"):
        rate_of(0.0, DOTS_ENERGY)
