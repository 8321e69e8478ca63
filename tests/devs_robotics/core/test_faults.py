"""What the simulator refuses, and what it says then."""

from __future__ import annotations

from math import inf, nan

import pytest
from xdevs.models import Component
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics import Coupled, In, ModelError, Simulator
from devs_robotics.core.errors import ResolutionWarning
from tests.devs_robotics.core.small_models import Clock, Log, world

PLACE = r"\S*test_faults\.py, line \d+"
"""Of an exception that comes up in this file."""


@pytest.mark.parametrize("advance", [-1.0, nan, -inf])
def test_a_time_advance_that_is_no_time_is_refused_with_path_and_time(advance: float) -> None:
    class Wrong(Clock):
        def deltint(self) -> None:
            self.hold_in("wrong", advance)

    top, _ = world(Wrong("a", 2.0))
    expected = (
        rf"top/a at 2 s \(phase 'wrong', sigma {advance:g}\): the time advance is {advance}: make it zero or more"
    )
    with pytest.raises(ModelError, match=expected):
        Simulator(top).run()


def test_a_time_advance_below_the_resolution_of_the_clock_counts_as_zero() -> None:
    """Once it is what rounding leaves; again and again it is a clock that no longer ticks, and that is refused."""

    class Fine(Clock):
        left = 2

        def deltint(self) -> None:
            self.left -= 1
            self.hold_in("fine", 1e-9 if self.left != 0 else 5.0)

    top, log = world(Fine("a", 1e9))
    remedy = r"that a clock which reads 1e\+09 s can tell from zero"
    with pytest.warns(ResolutionWarning), pytest.raises(ModelError, match=remedy):
        Simulator(top, zero_time_limit=50).run()
    assert [time for time, _ in log.notes[:3]] == [1e9, 1e9, 1e9 + 5.0]


def test_an_endless_chain_of_zero_time_events_is_found_and_named() -> None:
    class Restless(Clock):
        def deltint(self) -> None:
            self.activate("restless")

    top, _ = world(Restless("a", 1.0))
    with pytest.raises(
        ModelError, match=r"top/a at 1 s .*time has not advanced for 50 steps \(top/a next\): give one of these"
    ):
        Simulator(top, zero_time_limit=50).run()


def test_of_many_that_go_round_in_no_time_the_first_five_are_named() -> None:
    class Restless(Clock):
        def deltint(self) -> None:
            self.activate("restless")

    top, _ = world(*(Restless(name, 1.0) for name in "abcdefg"))
    with pytest.raises(ModelError, match=r"for 50 steps \(top/a, top/b, top/c, top/d, top/e next\): give one of these"):
        Simulator(top, zero_time_limit=50).run()


@pytest.mark.parametrize("function", ["initialize", "lambdaf", "deltint", "deltext", "deltcon"])
def test_an_exception_in_a_model_is_chained_with_path_time_and_state(function: str) -> None:
    class Faulty(Clock):
        heard = In(str)

    def fail(*args: float) -> None:
        raise ZeroDivisionError("oh")

    faulty = Faulty("faulty", 1.0)
    setattr(faulty, function, fail)
    top = Coupled("top")
    clock = Clock("clock", 1.0 if function == "deltcon" else 0.5)
    for component in (clock, faulty):
        top.add_component(component)
    if function in ("deltext", "deltcon"):
        top.add_coupling(clock.tick, faulty.heard)
    when = {"initialize": "0", "deltext": "0.5"}.get(function, "1")
    with pytest.raises(ModelError, match=rf"top/faulty at {when} s \(phase .*\): ZeroDivisionError: oh") as caught:
        Simulator(top).run(until=1.0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


class Stranger(BaseException):
    """Is no Exception, and cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("function", ["initialize", "lambdaf", "deltint", "exit"])
@pytest.mark.parametrize(
    ("error", "told"),
    [(SystemExit(0), "SystemExit: 0"), (Stranger(), "Stranger"), (GeneratorExit(), "GeneratorExit")],
)
def test_a_model_that_ends_the_program_is_blamed_like_any_other(function: str, error: BaseException, told: str) -> None:
    def fail(*args: float) -> None:
        raise error

    faulty = Clock("faulty", 1.0)
    setattr(faulty, function, fail)
    with (
        pytest.raises(ModelError, match=rf"faulty at \d s \(phase .*\): {told} \({PLACE}\)$"),
        Simulator(faulty) as simulator,
    ):
        simulator.run(until=1.0)


def test_ctrl_c_in_a_model_is_nobodys_fault() -> None:
    class Interrupted(Clock):
        def deltint(self) -> None:
            raise KeyboardInterrupt

        def exit(self) -> None:
            raise KeyboardInterrupt

    simulator = Simulator(Interrupted("a", 1.0))
    with pytest.raises(KeyboardInterrupt):
        simulator.run(until=1.0)
    with pytest.raises(KeyboardInterrupt):
        simulator.close()


def test_an_output_of_the_wrong_type_is_blamed_on_its_model() -> None:
    class Liar(Clock):
        def lambdaf(self) -> None:
            self.tick.add(3)  # type: ignore[arg-type]

    top, _ = world(Liar("liar", 1.0))
    with pytest.raises(ModelError, match=r"top/liar at 1 s .*port top/liar\.tick carries str but was given 3"):
        Simulator(top).run()


def test_a_part_of_a_model_is_not_simulated_alone() -> None:
    top, log = world(Clock("a", 1.0))
    with pytest.raises(ModelError, match="top/log is part of another model: simulate the root of the tree"):
        Simulator(log)
    assert top.components


def test_a_model_that_stands_twice_in_an_xdevs_tree_is_refused() -> None:
    class Plain(XdevsCoupled):
        pass

    top, log = Plain("top"), Log()
    top.add_component(log)
    top.add_component(log)
    with pytest.raises(ModelError, match="top/log stands twice in the model"):
        Simulator(top)


def test_a_model_with_ports_of_both_makes_sends_through_both() -> None:
    class Mixed(Clock):
        def __init__(self) -> None:
            super().__init__("mixed", 1.0)
            self.plain: XdevsPort[str] = XdevsPort(str, "plain")
            self.add_out_port(self.plain)

        def lambdaf(self) -> None:
            super().lambdaf()
            self.plain.add("plain")

    top, mixed, log = Coupled("top"), Mixed(), Log()
    top.add_component(mixed)
    top.add_component(log)
    top.add_coupling(mixed.tick, log.heard)
    top.add_coupling(mixed.plain, log.heard)
    Simulator(top).run(until=2.0)
    assert log.notes == [(1.0, ["mixed", "plain"]), (2.0, ["mixed", "plain"])]


def test_a_simulation_begins_with_empty_ports() -> None:
    top, log = world(Clock("a", 1.0))
    for model in top.components:
        for port in (*model.in_ports, *model.out_ports):
            port.add("left over")
    Simulator(top).run(until=1.0)
    assert log.notes == [(1.0, ["a"])]


def test_an_exception_in_exit_is_blamed_on_its_model() -> None:
    class Faulty(Log):
        def exit(self) -> None:
            raise ZeroDivisionError("oh")

    with pytest.raises(ModelError, match=r"log at 0 s .*: ZeroDivisionError: oh"):
        Simulator(Faulty()).close()


def test_what_is_neither_atomic_nor_coupled_is_refused() -> None:
    class Thing(Component):
        def initialize(self) -> None: ...

        def exit(self) -> None: ...

    top = Coupled("top")
    top.add_component(Thing("thing"))
    with pytest.raises(ModelError, match="top/thing is neither an atomic nor a coupled model: make it one"):
        Simulator(top)


@pytest.mark.parametrize("wrong", [-1.0, nan])
def test_a_wrong_time_advance_at_the_start_is_blamed_once(wrong: float) -> None:
    class Wrong(Clock):
        def ta(self) -> float:
            return wrong

    with pytest.raises(ModelError) as caught:
        Simulator(Wrong("a", 1.0))
    assert str(caught.value).count("a at 0 s") == 1
    assert f"the time advance is {wrong}" in str(caught.value)


def test_an_exception_in_a_time_advance_is_blamed_on_its_model() -> None:
    class Faulty(Clock):
        def ta(self) -> float:
            raise ZeroDivisionError("oh")

    with pytest.raises(ModelError, match=r"a at 0 s .*: ZeroDivisionError: oh"):
        Simulator(Faulty("a", 1.0))


def test_what_rounding_leaves_of_a_time_advance_counts_as_zero() -> None:
    class Late(Clock):
        heard = In(str)

        def deltext(self, e: float) -> None:
            self.continuef(e)
            self.sigma -= 1e-17  # as a subtraction may leave it

    top, late, early = Coupled("top"), Late("late", 1.0), Clock("early", 1.0 - 2.0**-53)
    log = Log()
    for component in (late, early, log):
        top.add_component(component)
    top.add_coupling(early.tick, late.heard)
    top.add_coupling(late.tick, log.heard)
    Simulator(top).run(until=1.0)
    assert [values for _, values in log.notes] == [["late"]]


def test_a_coupling_to_a_remote_host_is_refused() -> None:
    top, clock, log = Coupled("top"), Clock("a", 1.0), Log()
    top.add_component(clock)
    top.add_component(log)
    top.add_coupling(clock.tick, log.heard, host="elsewhere")
    with pytest.raises(ModelError, match=r"top/a\.tick -> top/log\.heard names a remote host"):
        Simulator(top)
