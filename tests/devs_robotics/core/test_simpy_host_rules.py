"""What a SimPy model refuses, and how it begins, ends and begins again."""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import re
import traceback
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import simpy

from devs_robotics import In, ModelError, Out, Simulator
from devs_robotics.core import simpy_host
from devs_robotics.core.simpy_host import SimpyModel
from tests.devs_robotics.core.simpy_models import HostedStation, Log, Process, Road, Robot, chain, simulated
from tests.tracing import trace_xdevs


class Actor(SimpyModel):
    """Runs one process, given as a function."""

    heard = In(str)
    said = Out(str)

    def __init__(self, act: Callable[[Actor, simpy.Environment], Process]) -> None:
        super().__init__("actor")
        self.act = act

    def setup(self, env: simpy.Environment) -> None:
        env.process(self.act(self, env))


def failure(act: Callable[[Any, simpy.Environment], Process]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        Simulator(chain(Actor(act))).run(until=10.0)
    return caught.value


def test_a_process_that_fails_is_named_with_its_model_and_the_time_and_its_traceback_is_chained() -> None:
    def charge(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(2.0)
        json.loads("{no json")  # SimPy cannot copy this error

    error = failure(charge)
    assert str(error).startswith("top/actor at 2 s")
    assert "the SimPy process 'charge' failed: JSONDecodeError: Expecting property name" in str(error)
    assert 'json.loads("{no json")' in "".join(traceback.format_exception(error))


def test_an_event_that_fails_without_anyone_waiting_is_named() -> None:
    def careless(model: Actor, env: simpy.Environment) -> Process:
        env.event().fail(ValueError("no plug"))
        yield env.timeout(1.0)

    assert "the SimPy event <Event() object at" in str(failure(careless))
    assert "failed: ValueError: no plug" in str(failure(careless))


@pytest.mark.parametrize("failing", [False, True])
def test_a_callback_that_raises_is_named_as_itself(failing: bool) -> None:
    def careless(model: Actor, env: simpy.Environment) -> Process:
        def call(event: simpy.Event) -> None:
            raise ValueError("no plug")

        yield env.timeout(1.0)
        event = env.event()
        event.callbacks.append(call)
        event.defused = True
        if failing:
            event.fail(KeyError("caught"))
        else:
            event.succeed()

    assert "top/actor at 1 s" in str(failure(careless))
    assert re.search(r"ValueError: no plug \(\S*test_simpy_host_rules\.py, line \d+\)$", str(failure(careless)))


def test_a_failure_that_another_process_waits_for_is_its_own_affair() -> None:
    def fails(env: simpy.Environment) -> Process:
        yield env.timeout(1.0)
        raise ValueError("no plug")

    def waits(model: Actor, env: simpy.Environment) -> Process:
        try:
            yield env.process(fails(env))
        except ValueError as exc:
            model.send(model.said, str(exc))

    assert simulated(Actor(waits)) == [(1.0, "no plug")]


@pytest.mark.parametrize("drive", [lambda env: env.run(until=5.0), lambda env: env.step()])
def test_processes_cannot_run_the_environment(drive: Callable[[simpy.Environment], None]) -> None:
    def impatient(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(1.0)
        drive(env)

    assert "DEVS runs this SimPy environment, not env.run or env.step: yield the event" in str(failure(impatient))


def test_a_timeout_that_is_not_a_number_is_refused() -> None:
    def lost(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(float("nan"))

    assert "<Timeout(nan) object at" in str(failure(lost))
    assert "cannot come after a delay of nan: make it zero or more" in str(failure(lost))


def test_processes_that_go_round_in_no_time_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def restless(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(1.0)
        while True:
            yield env.timeout(1e-20)

    monkeypatch.setattr(simpy_host, "EVENT_LIMIT", 1000)
    error = str(failure(restless))
    assert "1000 events at one instant (<Timeout(1e-20)" in error
    assert "give its processes timeouts that a clock which reads 1 s can tell from zero" in error


def test_the_clock_of_an_environment_never_passes_an_event() -> None:
    """By rounding, an input can come when its elapsed time adds up to more than the time of the next event."""
    env = simpy_host.HostedEnvironment(0.0)
    env.timeout(1.0)
    env.advance(math.nextafter(1.0, 2.0))
    assert env.now == 1.0


def test_a_time_that_no_sum_reaches_is_reached_by_way_of_one_that_is_near() -> None:
    last, now = 4.0 * (1.0 + 2.0**-52), 4.0 * 2.0**-53
    assert now + (last - now) != last
    env = simpy_host.HostedEnvironment(0.0)
    env.timeout(last)
    env.advance(now)
    env.advance(env.time_to_next())
    assert 0.5 * last <= env.now < last
    env.advance(env.time_to_next())
    assert env.now == last


def test_a_value_of_another_type_is_refused_where_it_is_sent() -> None:
    def wrong(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(1.0)
        model.send(model.said, 5)  # type: ignore[misc]  # what is tested

    error = failure(wrong)
    assert "port top/actor.said carries str but was given 5 (int)" in str(error)
    assert "model.send(model.said, 5)" in "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    ("use", "refusal"),
    [
        (lambda model: model.receive(model.said), "top/actor cannot receive from said<str>"),
        (lambda model: model.receive(Actor(model.act).heard), "top/actor cannot receive from heard<str>"),
        (lambda model: model.send(model.heard, "a"), "top/actor cannot send to heard<str>"),
    ],
)
def test_only_ones_own_ports_can_be_used_and_each_in_its_direction(
    use: Callable[[Actor], object], refusal: str
) -> None:
    def confused(model: Actor, env: simpy.Environment) -> Process:
        yield env.timeout(1.0)
        use(model)

    assert refusal in str(failure(confused))


def test_ports_cannot_be_used_before_the_simulation() -> None:
    with pytest.raises(ModelError, match="own input ports, from setup on"):
        HostedStation(1).receive(HostedStation(1).arrived)


def test_values_that_nobody_waits_for_are_kept_in_their_order() -> None:
    class Late(HostedStation):
        def setup(self, env: simpy.Environment) -> None:
            env.process(self.collect(env))

        def collect(self, env: simpy.Environment) -> Process:
            yield env.timeout(10.0)
            for _ in range(3):
                self.send(self.charged, (yield self.receive(self.arrived)))

    assert simulated(Road([(1.0, 0.0)] * 3), Late(1)) == [(10.0, 0), (10.0, 1), (10.0, 2)]


def test_the_values_of_a_bag_are_all_there_when_a_process_sees_the_first() -> None:
    class Counter(SimpyModel):
        heard = In(Robot)
        left = Out(int)

        def setup(self, env: simpy.Environment) -> None:
            env.process(self.count())

        def count(self) -> Process:
            while True:
                yield self.receive(self.heard)
                self.send(self.left, len(self.inbox(self.heard).items))

    class Twins(Road):
        def lambdaf(self) -> None:
            super().lambdaf()
            super().lambdaf()

    assert simulated(Twins([(1.0, 0.0)]), Counter("counter")) == [(1.0, 1), (1.0, 0)]


def test_a_cancelled_wait_takes_no_value() -> None:
    class Impatient(HostedStation):
        def setup(self, env: simpy.Environment) -> None:
            env.process(self.collect(env))

        def collect(self, env: simpy.Environment) -> Process:
            with self.receive(self.arrived) as robot:
                yield robot | env.timeout(1.0)
            yield env.timeout(5.0)
            self.send(self.charged, (yield self.receive(self.arrived)))

    assert simulated(Road([(2.0, 0.0)]), Impatient(1)) == [(6.0, 0)]


def test_what_setup_sends_leaves_at_time_zero() -> None:
    class Greeter(SimpyModel):
        said = Out(str)

        def setup(self, env: simpy.Environment) -> None:
            self.send(self.said, "ready")

    assert simulated(Greeter("greeter")) == [(0.0, "ready")]


def test_nothing_is_in_an_output_port_but_for_the_output_function() -> None:
    """xdevs would pass on what a transition left in a port: its trace shows every bag."""
    trace = trace_xdevs(chain(Road([(1.0, 2.0)]), HostedStation(1)), 10.0)
    outputs = [(time, bags) for time, what, bags, *_ in trace["top/station"] if what == "output"]
    assert outputs == [(3.0, (("charged", ("Robot(number=0, need=2.0)",)),))]


def test_a_model_can_be_simulated_again() -> None:
    station = HostedStation(1)
    top = chain(Road([(1.0, 2.0), (1.0, 2.0)]), station)
    logs: list[Log] = []
    for until in (4.0, 10.0, 10.0):
        simulator = Simulator(top)
        simulator.run(until=until)
        simulator.close()
        logs.append(station.log)
    assert logs[1] == logs[2]
    assert logs[0] == logs[1][: len(logs[0])]
    assert len(logs[1]) == 12


def test_nothing_of_the_environment_is_left_when_a_simulation_has_ended() -> None:
    station = HostedStation(1)
    simulator = Simulator(chain(Road([(1.0, 2.0), (1.0, 2.0)]), station))
    simulator.run(until=2.5)
    environment = weakref.ref(station.env)
    simulator.close()
    gc.collect()
    assert environment() is None


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_model_is_saved_and_copied_before_it_is_simulated_but_not_after(duplicate: Callable[[Any], Any]) -> None:
    station = HostedStation(1)
    top = chain(Road([(1.0, 2.0)]), station)
    other = duplicate(top)
    for model in (top, other):
        Simulator(model).run()
    assert vars(other.components[1])["log"] == station.log != []
    refusal = "top/station runs SimPy processes, which cannot be saved or copied: save or copy the model before"
    with pytest.raises(ModelError, match=refusal):
        duplicate(top)
