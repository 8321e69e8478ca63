"""The frame of a case study: couplings at any depth, verdicts that end the run, and what is told of series."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isnan, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, Drive, Fault, In, ModelError, Out, Simulator
from devs_robotics.core.observe import Recorder, first_difference
from devs_robotics.core.robots.activity import lead_out
from devs_robotics.experimental_frames.frame import (
    Acceptor,
    CaseExperiment,
    Frame,
    FrameError,
    TapError,
    Transducer,
    Verdict,
)
from devs_robotics.experimental_frames.frame.frame import lines, table_of
from devs_robotics.models.environment import PoseChange
from tests.models.robots.small_world import Errand, small_system


class Commands(Transducer):
    """Keeps what it is told, and when; says on what it hears."""

    command = In(Drive)
    again = Out(Drive)

    def __init__(self, name: str = "commands") -> None:
        super().__init__(name)
        self.seen: list[tuple[float, Drive]] = []

    def deltext(self, e: float) -> None:
        self.time += e
        self.seen += [(self.time, command) for command in self.command.values]
        self.activate()

    def lambdaf(self) -> None:
        for _, command in self.seen:
            self.again.add(command)


class Bored(Acceptor):
    """Has seen enough when a robot has moved."""

    pose_change = In(PoseChange)

    def judge(self) -> Verdict | None:
        return Verdict(False, f"something moved at {self.time:g} s") if self.pose_change else None


class Ordered(Errand):
    """Hears orders, and forgets to obey."""

    orders = In(Drive)

    def __init__(self, name: str, command: Drive) -> None:
        super().__init__(name, command)
        self.ordered: list[Drive] = []

    def deltext(self, e: float) -> None:
        super().deltext(e)
        self.ordered += self.orders.values


class Breakdown(Atomic):
    """Breaks down after 1.5 s."""

    fault = Out(Fault)

    def initialize(self) -> None:
        self.hold_in("working", 1.5)

    def lambdaf(self) -> None:
        self.fault.add(Fault(1, "robot 1 was lost"))


def experiment(robots: int = 1, duration: float = 5.0) -> CaseExperiment:
    """Robots that run an errand each, of 2 s, under a frame that is empty but for its acceptor."""
    system = small_system()
    for number in range(1, robots + 1):
        system.add_robot((1.0, 0.5 * number, 0.0)).decide(Ordered("errand", Drive(distance=0.4)))
    system.complete(corrected=False)
    return CaseExperiment("experiment", system, Frame("frame", Acceptor("acceptor", duration)))


def errand_of(model: CaseExperiment, robot: int = 1) -> Ordered:
    found: Ordered = model.system.robots[robot - 1].errand
    return found


def within(part: Atomic, depth: int) -> Coupled | Atomic:
    """A part inside so many coupled models."""
    inner: Coupled | Atomic = part
    for level in range(depth):
        nest = Coupled(f"nest{level}")
        nest.add_component(inner)
        inner = nest
    return inner


def run(model: CaseExperiment) -> tuple[float, list[Verdict]]:
    with Simulator(model) as simulator:
        simulator.run(stop=model.verdict)
        return simulator.time, list(model.verdict.values)


@given(st.integers(0, 3), st.integers(1, 3))
def test_a_part_of_any_depth_hears_ports_of_any_depth_each_value_once(depth: int, robots: int) -> None:
    model, commands = experiment(robots), Commands()
    model.frame.add(within(commands, depth))
    for robot in range(1, robots + 1):
        model.frame.couple(errand_of(model, robot).motor.ask, commands.command)
    run(model)
    assert commands.seen == [(0.0, Drive(distance=0.4))] * robots
    names = {port.name for port in model.frame.in_ports} - {"fault"}
    assert names == {"_".join([*(f"nest{level}" for level in reversed(range(depth))), "commands", "command"])}


def test_one_port_may_be_heard_by_two_parts_and_by_one_only_once() -> None:
    model = experiment()
    one, two = model.frame.add(Commands("one")), model.frame.add(Commands("two"))
    for part in (one, two):
        model.frame.couple(errand_of(model).motor.ask, part.command)
    with pytest.raises(ModelError, match="couple them once"):
        model.frame.couple(errand_of(model).motor.ask, one.command)
    run(model)
    assert one.seen == two.seen == [(0.0, Drive(distance=0.4))]


@given(st.integers(0, 2), st.integers(0, 2))
def test_parts_of_a_frame_hear_each_other_at_any_depth_and_drive_models_in_the_system(first: int, second: int) -> None:
    model, one, two = experiment(), Commands("one"), Commands("two")
    model.frame.add(within(one, first))
    outer = Coupled("outer")
    outer.add_component(within(two, second))
    model.frame.add(outer)
    model.frame.couple(errand_of(model).motor.ask, one.command)
    model.frame.couple(one.again, two.command)
    model.frame.couple(two.again, errand_of(model).orders)
    run(model)
    assert two.seen == one.seen == [(0.0, Drive(distance=0.4))]
    assert errand_of(model).ordered == [Drive(distance=0.4)]


def test_a_frame_changes_nothing_of_what_it_observes() -> None:
    observed, alone = Recorder(), Recorder()
    for recorder in (observed, alone):
        model = experiment(3)
        if recorder is observed:
            commands = model.frame.add(Commands())
            model.frame.couple(errand_of(model).motor.ask, commands.command)
        with Simulator(model) as simulator:
            simulator.attach(recorder, "system/**")
            simulator.run(stop=model.verdict)
    assert len(alone.events) > 40
    assert first_difference(observed.events, alone.events) is None


def test_the_first_verdict_of_any_part_ends_the_run() -> None:
    assert run(experiment(duration=4.0)) == (4.0, [Verdict(True, "the duration of 4 s is over")])
    for coupled in (False, True):
        model, bored = experiment(), Bored("bored")
        part = within(bored, 1) if coupled else bored
        if isinstance(part, Coupled):
            lead_out(part, bored.verdict, "verdict")
        model.frame.add(part)
        model.frame.couple(model.system.pose_change, bored.pose_change)
        time, verdicts = run(model)
        assert (round(time, 5), verdicts) == (2.0, [Verdict(False, "something moved at 2 s")])


def test_a_fault_ends_the_run_and_is_told_as_one() -> None:
    model = experiment()
    broken = Breakdown("breakdown")
    model.system.add_component(broken)
    model.system.add_coupling(broken.fault, model.system.fault)
    assert run(model) == (1.5, [Verdict(False, "robot 1 was lost", fault=True)])
    assert model.share(1.5) == 0.3


WRONG: list[tuple[Callable[[CaseExperiment, Commands], object], type[Exception], str]] = [
    (
        lambda model, part: model.frame.couple(errand_of(model).motor.ask, "command"),  # type: ignore[arg-type]
        FrameError,
        "frame.couple takes two ports of models, not 'command'",
    ),
    (
        lambda model, part: model.frame.couple(errand_of(model).motor.ask, errand_of(model).orders),
        FrameError,
        (
            "experiment/system/robot1/errand.motor_ask and experiment/system/robot1/errand.orders are both outside of "
            "the frame: couple them in build, by system.couple"
        ),
    ),
    (
        lambda model, part: model.frame.couple(errand_of(model).motor.ask, Commands("stranger").command),
        FrameError,
        "stranger.command is no port of a model that was added: call frame.add(...) first",
    ),
    (
        lambda model, part: model.frame.couple(model.system.pose_change, part.command),
        TapError,
        "experiment/system.pose_change sends PoseChange but experiment/frame.commands_command takes Drive",
    ),
    (
        lambda model, part: model.frame.couple(errand_of(model).orders, part.command),
        TapError,
        "experiment/system/robot1/errand.orders is no output port: name the one that it is coupled to",
    ),
    (
        lambda model, part: model.frame.add("coverage"),  # type: ignore[type-var]
        FrameError,
        "frame.add takes a model, not 'coverage': derive it from devs_robotics.study.Transducer",
    ),
    (
        lambda model, part: model.frame.add(Commands("acceptor")),
        FrameError,
        "a part of the frame cannot be called 'acceptor', for every run has a table or a model of this name: give it",
    ),
]


@pytest.mark.parametrize(("couple", "error", "sentence"), WRONG)
def test_what_cannot_be_coupled_or_added_says_why(
    couple: Callable[[CaseExperiment, Commands], object], error: type[Exception], sentence: str
) -> None:
    model = experiment()
    part = model.frame.add(Commands())
    with pytest.raises(error, match=f"^{re.escape(sentence)}"):
        couple(model, part)


class Measures(Transducer):
    """Has measured what a test says."""

    def __init__(self, name: str, given: Any) -> None:
        super().__init__(name)
        self.given = given

    def series(self) -> Any:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


def test_series_of_pairs_make_one_table_by_time_in_which_the_last_value_of_a_time_counts() -> None:
    table = table_of(Measures("m", {"share": [(0.0, 0), (2.0, 1), (2.0, 3)], "left": [(1.0, 9)]}))
    assert table["time_s"] == [0.0, 1.0, 2.0]
    assert [[None if isnan(value) else value for value in table[name]] for name in ("share", "left")] == [
        [0.0, None, 3.0],
        [None, 9.0, None],
    ]
    assert list(lines(table)) == ["0.0,0.0,", "1.0,,9.0", "2.0,3.0,"]
    assert list(lines(table, 2)) == ["2.0,3.0,"]


def test_columns_of_equal_length_are_the_table_with_the_time_first() -> None:
    table = table_of(Measures("m", {"robot": (1, 2), "time_s": [0.5, 0.5], "lost": [nan, 1]}))
    assert list(table) == ["time_s", "robot", "lost"]
    assert list(lines(table)) == ["0.5,1.0,", "0.5,2.0,1.0"]


@pytest.mark.parametrize("given", [{}, {"share": []}, {"time_s": [], "robot": []}])
def test_without_measurements_there_are_no_lines(given: Any) -> None:
    assert list(lines(table_of(Measures("m", given)))) == []


FORMS = "Measures.series must return lists of (time, number) by name, or columns of equal length with 'time_s'"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (None, FORMS),
        ([(0.0, 1.0)], FORMS),
        ({"share": 0.5}, FORMS),
        ({"share": [0.1, 0.2]}, FORMS),
        ({"share": [(0.0, 1.0, 2.0)]}, FORMS),
        ({"share": [(0.0, "much")]}, FORMS),
        ({"time_s": [0.0, 1.0], "share": [0.5]}, FORMS),
        ({"time_s": [0.0], "share": [(0.0, 0.5)]}, FORMS),
        (ZeroDivisionError("division by zero"), "Measures.series failed: ZeroDivisionError: division by zero"),
    ],
)
def test_a_series_of_another_form_is_told_with_its_class(given: Any, sentence: str) -> None:
    place = r" \(\S*test_frame\.py, line \d+\)" if isinstance(given, Exception) else ""
    with pytest.raises(FrameError, match=f"^{re.escape(sentence)}{place}$"):
        table_of(Measures("m", given))


def test_the_tables_of_a_run_are_those_of_its_parts_that_have_some() -> None:
    model = experiment()
    model.frame.add(Commands("silent"))
    model.frame.add(Measures("tells", {"share": [(0.0, 0.5)]}))
    model.parts.update(model.frame.parts)
    (name, measured), *others = model.measurements().items()
    assert (name, measured.header, list(measured.lines(0)), others) == ("tells.csv", "time_s,share", ["0.0,0.5"], [])
