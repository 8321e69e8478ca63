"""Times given as numbers of any kind: the clock keeps plain floats, and what is no number is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, repeat, takewhile
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdevs.models import Atomic as XdevsAtomic

from devs_robotics import Atomic, ModelError, Simulator
from devs_robotics.core.observe import Recorder
from devs_robotics.core.testing.simulations import Simulations
from devs_robotics.core.times import plain_time
from tests.devs_robotics.core.simpy_models import Process, chain
from tests.devs_robotics.core.small_models import Clock, Listener, Sender, couple
from tests.devs_robotics.core.test_simpy_host_rules import Actor

NUMBERS: list[Any] = [
    2, True, Fraction(1, 3), Decimal("0.1"), np.float16(0.1), np.float32(0.1), np.float64(0.1), np.longdouble(0.1),
    np.int8(3), np.uint64(3), np.bool_(True),
]  # fmt: skip
NO_NUMBERS: list[Any] = [
    np.array([0.5]), np.array([0.0]), np.array([inf]), np.array(0.5), np.arange(2.0), "0.5", b"1", 0.5j, 0j,
    np.complex64(1), None, [0.5], np.timedelta64(1, "s"), np.datetime64("2020-01-01"), np.str_("1"), Decimal("sNaN"),
    Decimal("1e400"), np.longdouble("1e400"), Fraction(10**400),
]  # fmt: skip
number = pytest.mark.parametrize("value", NUMBERS, ids=lambda value: f"{type(value).__name__}")


def short(value: Any) -> str:
    return " ".join(repr(value)[:20].split())


no_number = pytest.mark.parametrize("value", NO_NUMBERS, ids=short)
REFUSED = r"\): give one number of seconds, such as a float can hold$"


@number
def test_a_number_of_any_kind_is_the_float_next_to_it(value: Any) -> None:
    plain = plain_time(value, "it")
    assert (type(plain), plain) == (float, float(value))


@given(st.floats())
def test_a_float_stays_as_it_is(value: float) -> None:
    assert plain_time(value, "it") is value


@no_number
def test_what_is_no_number_is_refused_on_one_short_line(value: Any) -> None:
    with pytest.raises(ModelError, match=rf"^the wait is [^\n]{{1,60}} \({type(value).__name__}{REFUSED}"):
        plain_time(value, "the wait")


@pytest.mark.parametrize("value", [10**400, -(10**5000)], ids=["400", "5000"])
def test_a_number_too_large_for_a_float_is_refused(value: int) -> None:
    with pytest.raises(ModelError, match=rf"\(int{REFUSED}"):
        plain_time(value, "the wait")


def test_one_narrow_time_advance_leaves_the_clock_as_fine_as_it_was() -> None:
    """A sum of a float and a numpy.float32 is a numpy.float32, which knows seven digits."""
    narrow: Any = np.float32(0.1)
    top = couple(Listener("narrow", narrow), Clock("clock", 0.1))
    simulator = Simulator(top)
    times = list(takewhile(lambda time: time <= 1e4, accumulate(repeat(0.1))))
    simulator.run(until=1e4)
    assert (type(simulator.time), simulator.time) == (float, times[-1])
    assert simulator.steps == len(times) + 1 > 99_990


class OwnAdvance(Listener):
    """Has a time advance function of its own."""

    def ta(self) -> float:
        return self.sigma


class Foreign(XdevsAtomic):
    """Of somebody who knows xdevs only."""

    def __init__(self, name: str, *advances: Any) -> None:
        super().__init__(name)
        self.left = list(advances)

    def initialize(self) -> None:
        self.deltint()

    def deltint(self) -> None:
        self.hold_in("waiting", self.left.pop(0) if self.left else inf)

    def deltext(self, e: float) -> None: ...
    def lambdaf(self) -> None: ...
    def exit(self) -> None: ...


MAKES = pytest.mark.parametrize("make", [Listener, OwnAdvance, Foreign])


@number
@MAKES
@pytest.mark.parametrize("before", [[], [1.0]])
def test_a_time_advance_may_be_a_number_of_any_kind(make: Any, before: list[float], value: Any) -> None:
    model = make("model", *before, value, 0.25)
    simulator = Simulator(couple(model))
    due = simulator.next_time
    assert type(due) is float
    simulator.run(max_steps=len(before) + 1)
    assert (type(simulator.time), simulator.time) == (float, sum(before) + float(value))
    simulator.run()
    assert (type(simulator.time), simulator.time) == (float, sum(before) + float(value) + 0.25)


@no_number
@MAKES
@pytest.mark.parametrize("before", [[], [1.0]])
def test_a_time_advance_that_is_no_number_is_refused_with_the_models_path(
    make: Any, before: list[float], value: Any
) -> None:
    pattern = rf"^top/model at {len(before)} s \(.*\): the time advance is .* \({type(value).__name__}{REFUSED}"
    with pytest.raises(ModelError, match=pattern):
        Simulator(couple(make("model", *before, value))).run()


class Restarting(Listener):
    """Holds what it hears."""

    def deltext(self, e: float) -> None:
        self.hold_in("holding", next(self.heard.values))


@no_number
@pytest.mark.parametrize("observed", [False, True])
def test_so_is_one_that_follows_an_input(observed: bool, value: Any) -> None:
    sender, model = Sender("sender", (1.0, value)), Restarting("model")
    pattern = rf"^top/model at 1 s \(.*\): the time advance is .* \({type(value).__name__}{REFUSED}"
    simulator = Simulator(couple(sender, model, ends={sender.said: model.heard}))
    if observed:
        simulator.attach(Recorder())
    with pytest.raises(ModelError, match=pattern):
        simulator.run()


@pytest.mark.parametrize("observed", [False, True])
def test_sigma_becomes_a_plain_float_so_that_what_is_left_of_it_is_as_fine(observed: bool) -> None:
    value: Any = np.float32(10.1)

    class Once(Restarting):
        def deltext(self, e: float) -> None:
            if next(self.heard.values) is value:
                self.hold_in("holding", value)
            else:
                self.continuef(e)

    sender, model = Sender("sender", (0.5, value), (1.0, None)), Once("model")
    simulator = Simulator(couple(sender, model, ends={sender.said: model.heard}))
    if observed:
        simulator.attach(Recorder())
    for until, left in ((0.5, float(value)), (1.0, 0.5 + float(value) - 1.0)):
        simulator.run(until=until)
        assert (type(model.sigma), model.sigma) == (float, left)
    assert simulator.next_time == 0.5 + float(value)


@pytest.mark.parametrize("advance", [10**400, -(10**5000)], ids=["400", "5000"])
@pytest.mark.parametrize("before", [[], [1.0]])
def test_a_time_advance_too_large_for_a_float_is_refused(before: list[float], advance: int) -> None:
    with pytest.raises(ModelError, match=rf"^top/model at {len(before)} s \(phase 'waiting', sigma .*float"):
        Simulator(couple(Listener("model", *before, advance))).run()


# inputs, ends of runs, SimPy, tests of users


@number
def test_inputs_may_come_at_numbers_of_any_kind(value: Any) -> None:
    model = Listener("model", 50.0)
    simulator = Simulator(model)
    simulator.inject(model.heard, "a", at=value)
    simulator.run(max_steps=1)
    assert (type(simulator.time), simulator.time) == (float, float(value))


@pytest.mark.parametrize("value", [value for value in NO_NUMBERS if value is not None], ids=short)
def test_an_input_at_no_number_is_refused(value: Any) -> None:
    model = Listener("model")
    with pytest.raises(ModelError, match=rf"^the time of an input to model\.heard is .* \({type(value).__name__}"):
        Simulator(model).inject(model.heard, "a", at=value)


@pytest.mark.parametrize("at", [inf, nan, np.float32(inf), np.float32(nan)])
def test_an_input_at_a_time_that_never_comes_is_refused(at: Any) -> None:
    model = Listener("model")
    simulator = Simulator(model)
    with pytest.raises(ModelError, match=r"model\.heard cannot come at (inf|nan) s: give a time that will come"):
        simulator.inject(model.heard, "a", at=at)
    simulator.run()
    assert not model.bags


@number
def test_a_run_may_end_at_a_number_of_any_kind(value: Any) -> None:
    simulator = Simulator(Listener("model", *[float(value)] * 2))
    simulator.run(until=value)
    assert simulator.steps == 1


def test_the_end_of_a_run_is_compared_with_all_its_digits() -> None:
    """A numpy.float32 would be compared with seven."""
    simulator = Simulator(Listener("model", 1.0 + 1e-9))
    simulator.run(until=np.float32(1.0))  # type: ignore[arg-type]
    assert simulator.steps == 0


@no_number
def test_a_run_that_is_to_end_at_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ModelError, match=rf"^the end of a run is .* \({type(value).__name__}{REFUSED}"):
        Simulator(Listener("model")).run(until=value)


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize("until", [nan, np.float32(nan), Decimal("NaN"), -1.0, -inf, -5e-324, -1])
def test_a_run_cannot_end_at_no_time_or_a_negative_one(until: Any, steps: int) -> None:
    simulator = Simulator(Listener("model", 2.0, 0.0, 0.0))
    simulator.run(max_steps=steps)
    reason = f"it is {2 * steps} s already" if float(until) < 0 else "give a time that will come"
    with pytest.raises(ModelError, match=rf"^a run cannot end at .* s: {reason}$"):
        simulator.run(until=until)
    assert simulator.steps == steps


def test_a_run_cannot_end_before_the_time_that_it_is_but_at_that_time() -> None:
    simulator = Simulator(Listener("model", 2.0, 0.0))
    simulator.run(max_steps=1)
    with pytest.raises(ModelError, match=r"a run cannot end at 1\.5 s: it is 2 s already"):
        simulator.run(until=1.5)
    simulator.run(until=2.0)
    assert simulator.steps == 2


def waiting_for(delay: Any) -> Simulator:
    def wait(model: Actor, env: Any) -> Process:
        yield env.timeout(delay)
        yield env.timeout(0.25)
        model.send(model.said, "done")

    return Simulator(chain(Actor(wait)))


@number
def test_simpys_delays_may_be_numbers_of_any_kind(value: Any) -> None:
    simulator = waiting_for(value)
    simulator.run()
    actor: Any = simulator.model.components[0]  # type: ignore[attr-defined]
    assert (type(simulator.time), type(actor.env.now)) == (float, float)
    assert simulator.time == float(value) + 0.25


@no_number
def test_simpys_delays_that_are_no_numbers_are_refused(value: Any) -> None:
    pattern = rf"^top/actor at 0 s .* the delay of a timeout is .* \({type(value).__name__}{REFUSED}"
    with pytest.raises(ModelError, match=pattern):
        waiting_for(value).run()


@number
def test_users_tests_may_give_numbers_of_any_kind(value: Any) -> None:
    trace = Simulations().run(Listener("model"), until=value, inputs={"heard": [(value, "a")]})
    assert [event.time for event in trace.select(kinds=["received"])] == [float(value)]


class Unset(Atomic):
    """Its state has no time advance that anyone could read."""

    def ta(self) -> float:
        return self.waits  # type: ignore[attr-defined,no-any-return]


def test_what_is_wrong_before_there_is_a_number_is_told_as_it_is() -> None:
    with pytest.raises(ModelError, match=r"^unset at 0 s .*AttributeError: 'Unset' object has no attribute 'waits'"):
        Simulator(Unset("unset"))
