"""The simulator: what happens when."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort
from xdevs.sim import Coordinator

from devs_robotics import Coupled, ModelError, Out, Simulator
from devs_robotics.core.observe import Observer
from devs_robotics.core.realtime.clock import HandClock
from devs_robotics.core.realtime.run import Run
from tests.devs_robotics.core.small_models import Clock, Log, world


def test_a_run_can_go_on() -> None:
    top, log = world(Clock("a", 2.0))
    simulator = Simulator(top)
    for until in (3.0, 3.0, 6.0):
        simulator.run(until=until)
    assert [time for time, _ in log.notes] == [2.0, 4.0, 6.0]


def test_max_steps_bounds_a_run() -> None:
    top, log = world(Clock("a", 1.0))
    simulator = Simulator(top)
    simulator.run(max_steps=3)
    assert (simulator.steps, simulator.time, len(log.notes)) == (3, 3.0, 3)


def test_a_simulator_says_of_what_it_is_and_how_far() -> None:
    top, _ = world(Clock("a", 0.5))
    simulator = Simulator(top)
    assert repr(simulator) == f"<Simulator of {top.name} at 0 s, after 0 steps>"
    simulator.run(until=600.0)
    assert repr(simulator) == f"<Simulator of {top.name} at 600 s, after 1,200 steps>"


def test_a_passive_model_ends_a_run_at_once() -> None:
    simulator = Simulator(Log())
    simulator.run()
    assert (simulator.time, simulator.next_time, simulator.steps) == (0.0, inf, 0)


def test_an_observer_that_was_detached_is_told_no_more_and_others_are() -> None:
    class Counting(Observer):
        def __init__(self) -> None:
            self.steps = self.ends = 0

        def sent(self, *what: Any) -> None:
            self.steps += 1

        def ended(self, *what: Any) -> None:
            self.ends += 1

    simulator = Simulator(world(Clock("a", 1.0))[0])
    leaves, stays = Counting(), Counting()
    for each in (leaves, stays):
        simulator.attach(each)
    simulator.run(max_steps=1)
    simulator.detach(leaves)
    simulator.run(max_steps=2)
    assert (leaves.steps, leaves.ends) == (1, 1)
    assert (stays.steps, stays.ends) == (3, 0)
    simulator.close()
    assert (leaves.ends, stays.ends) == (1, 1)


def test_a_value_at_a_root_output_ends_a_run_that_is_to_stop_there() -> None:
    class Box(Coupled):
        out = Out(str)

    top, clock = Box("top"), Clock("a", 1.0)
    top.add_component(clock)
    top.add_coupling(clock.tick, top.out)
    simulator = Simulator(top)
    simulator.run(stop=top.out)
    assert (simulator.time, list(top.out.values)) == (1.0, ["a"])
    simulator.run(stop=top.out)
    assert (simulator.time, list(top.out.values)) == (2.0, ["a"])
    simulator.run(until=4.5)
    assert (simulator.time, list(top.out.values)) == (4.0, ["a"])


def test_the_model_tree_is_left_as_it_was() -> None:
    inner, outer = Coupled("inner"), Coupled("outer")
    inner.add_component(Clock("a", 1.0))
    outer.add_component(inner)
    Simulator(outer).run(until=3.0)
    assert outer.components == [inner]
    assert [component.name for component in inner.components] == ["a"]


def test_the_work_of_a_run_does_not_grow_with_idle_models() -> None:
    """Counted in calls of Python functions, which no noise of the machine disturbs."""
    assert calls_to_run(idle=1000) == calls_to_run(idle=1)


def calls_to_run(idle: int) -> int:
    import sys

    top, _ = world(Clock("a", 1.0))
    for number in range(idle):
        top.add_component(Log(f"idle{number}"))
    simulator = Simulator(top)
    calls = [0]

    def count(frame: Any, event: str, argument: Any) -> None:
        calls[0] += 1

    sys.setprofile(count)
    try:
        simulator.run(until=100.0)
    finally:
        sys.setprofile(None)
    return calls[0]


def test_the_schedule_does_not_grow_with_events_that_are_put_off() -> None:
    """A watchdog that is fed each second leaves behind a deadline each time."""

    class Watchdog(Log):
        def deltext(self, e: float) -> None:
            self.hold_in("watching", 1e6)

    top, clock, dog = Coupled("top"), Clock("clock", 1.0), Watchdog("dog")
    top.add_component(clock)
    top.add_component(dog)
    top.add_coupling(clock.tick, dog.heard)
    simulator = Simulator(top)
    longest = 0
    for until in range(0, 20_000, 100):
        simulator.run(until=until)
        longest = max(longest, len(simulator._schedule.heap))
    assert longest < 1200
    assert simulator.next_time == 19_901.0


def test_an_open_simulator_keeps_the_model_to_itself_and_a_closed_one_gives_it_back() -> None:
    top, log = world(Clock("a", 1.0))
    simulator = Simulator(top)
    simulator.run(until=2.0)
    coordinator = Coordinator(top)
    coordinator.initialize()
    with pytest.raises(ModelError, match=r"top/a\.tick is in use by a Simulator: close that one before another kernel"):
        coordinator.simulate(1)
    simulator.close()
    log.notes.clear()
    again = Coordinator(top)
    again.initialize()
    again.simulate(3)
    assert [values for _, values in log.notes] == [["a"], ["a"], ["a"]]
    assert Simulator(top).next_time == 1.0


def test_a_model_in_use_can_be_copied() -> None:
    top, log = world(Clock("a", 1.0))
    simulator = Simulator(top)
    simulator.run(until=2.0)
    copied = copy.deepcopy(top)
    Simulator(copied).run(until=1.0)
    assert len(log.notes) == 2
    assert len(copied.components[-1].notes) == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_as_it_was_whatever_happens(collecting: bool) -> None:
    top, log = world(Clock("a", 1.0))
    wrong = world(Clock("a", -1.0))[0]
    enabled = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        simulator = Simulator(top)
        assert gc.isenabled() is collecting
        top.add_component(Log("other"))
        simulator.run(until=2.0)
        assert gc.isenabled() is collecting
        observer = Observer()
        simulator.attach(observer)
        assert gc.isenabled() is collecting
        simulator.detach(observer)
        assert gc.isenabled() is collecting
        with pytest.raises(ModelError, match=r"top/a at 0 s .* the time advance is -1\.0"):
            Simulator(wrong)
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if enabled else gc.disable)()
    assert len(log.notes) == 2


def test_inputs_go_where_they_can_go_only() -> None:
    top, log = world(Clock("a", 1.0))
    with pytest.raises(ModelError, match=r"top/log\.heard is not an input port of top: inject there only"):
        Simulator(top).inject(log.heard, "a")
    alone = Log()
    simulator = Simulator(alone)
    simulator.inject(alone.heard, 3, at=1.0)
    with pytest.raises(ModelError, match=r"log\.heard at 1 s cannot be given \(3,\): .* carries str but was given 3"):
        simulator.run()


def test_inputs_reach_models_of_any_make() -> None:
    """Through ports of a coupled root that are plain xdevs ports, to one receiver and to several."""
    top = XdevsCoupled("top")
    logs = [Log("one"), Log("two")]
    alone: XdevsPort[str] = XdevsPort(str, "alone")
    both: XdevsPort[str] = XdevsPort(str, "both")
    for port in (alone, both):
        top.add_in_port(port)
    for log in logs:
        top.add_component(log)
        top.add_coupling(both, log.heard)
    top.add_coupling(alone, logs[0].heard)
    simulator = Simulator(top)
    simulator.inject(alone, "a", at=1.0)
    simulator.inject(both, "b", at=1.0)
    simulator.inject(alone, "c", at=2.0)
    simulator.run()
    assert [log.notes for log in logs] == [[(1.0, ["a", "b"]), (2.0, ["c"])], [(1.0, ["b"])]]


DUPLICATES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, pickle.dumps]


@pytest.mark.parametrize("duplicate", DUPLICATES)
def test_a_simulation_is_not_copied(duplicate: Callable[[Any], Any]) -> None:
    """The copied ports would not lead anywhere."""
    simulator = Simulator(world(Clock("a", 1.0))[0])
    simulator.run(until=2.0)
    refusal = r"the simulation of top cannot be copied or pickled: save it with Simulator\.save, and go on .*\.resume"
    for holder in (simulator, {"mine": simulator}, Run(simulator, HandClock())):
        if duplicate is not copy.copy or holder is simulator:
            with pytest.raises(ModelError, match=refusal):
                duplicate(holder)
    simulator.close()
    with pytest.raises(ModelError, match=refusal):
        duplicate(simulator)


def test_a_simulation_goes_on_after_a_copy_was_refused() -> None:
    top, log = world(Clock("a", 1.0))
    simulator = Simulator(top)
    simulator.run(until=2.0)
    for duplicate in DUPLICATES:
        with pytest.raises(ModelError):
            duplicate(simulator)
    simulator.run(until=4.0)
    assert log.notes == [(float(n), ["a"]) for n in range(1, 5)]


@pytest.mark.parametrize("part", ["top", "a", "log"])
def test_a_model_is_not_copied_without_its_ports(part: str) -> None:
    """Both would receive and send through the same ports."""
    top, log = world(Clock("a", 1.0))
    parts = {"top": top, "a": top.components[0], "log": log}
    with pytest.raises(ModelError, match=f"^{part} cannot be copied without its ports: use copy.deepcopy, or make"):
        copy.copy(parts[part])


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_of_a_model_in_use_has_nothing_to_do_with_it(duplicate: Callable[[Any], Any]) -> None:
    top, log = world(Clock("a", 1.0), Clock("b", 1.0))
    simulator = Simulator(top)
    simulator.run(until=2.0)
    copied: Any = duplicate(top)
    copied.remove_component(copied.components[0])
    assert simulator.next_time == 3.0
    simulator.run(until=3.0)
    assert log.notes == [(float(n), ["a", "b"]) for n in range(1, 4)]
    with Simulator(copied) as other:
        other.run(until=1.0)
        simulator.run(until=4.0)
    assert copied.components[-1].notes == [(1.0, ["a", "b"]), (2.0, ["a", "b"]), (3.0, ["b"])]
    assert log.notes[-1] == (4.0, ["a", "b"])
