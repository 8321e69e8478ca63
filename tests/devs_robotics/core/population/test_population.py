"""A population as one atomic model: its replay, its ports, and what is refused."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from devs_robotics import Atomic, Coupled, Crossed, In, ModelError, Out, Simulator
from devs_robotics.core.population import (
    Column,
    Common,
    Draws,
    Population,
    PopulationModel,
    Rows,
    Streams,
    exact,
    twin_of,
)
from tests.devs_robotics.core.population.run_walks import replay, run
from tests.devs_robotics.core.population.walking import Walk, Walks


def test_what_every_robot_heard_played_to_its_ordinary_model_makes_it_say_the_same() -> None:
    model = run(30, 20.0)
    assert sum(len(kept.said) for kept in model.kept.values()) > 200
    assert sum(len(kept.heard) for kept in model.kept.values()) > 200
    assert replay(30, 20.0) == {}


def test_a_replay_finds_what_a_robot_has_said_otherwise() -> None:
    from devs_robotics.core.population.replay import differences

    model = run(5, 10.0)
    model.kept[3].said.pop(4)
    found = differences(model)
    assert list(found) == [3]
    assert found[3].index == 4


def test_robots_have_the_same_numbers_whoever_else_is_there() -> None:
    few, many = run_alone(3), run_alone(40)
    assert few == {robot: many[robot] for robot in few}


def run_alone(robots: int) -> dict[int, Any]:
    numbers = range(1, robots + 1)
    members = [Walk(f"walk{robot}", robot, 5) for robot in numbers]
    model = PopulationModel("walks", Walks(members, numbers), members)
    model.keep(numbers)
    with Simulator(model) as simulator:
        simulator.run(15.0)
    return {robot: kept.said for robot, kept in model.kept.items()}


class Ear(Atomic):
    """Remembers what it hears."""

    heard = In(float)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.all: list[float] = []

    def deltext(self, e: float) -> None:
        self.all += list(self.heard.values)
        self.passivate()


def test_ordinary_models_hear_messages_one_by_one_of_one_robot_or_of_all() -> None:
    numbers = [4, 7, 9]
    members = [Walk(f"walk{robot}", robot, 5) for robot in numbers]
    model = PopulationModel("walks", Walks(members, numbers), members)
    model.keep(numbers)
    root, everybody, one = Coupled("root"), Ear("everybody"), Ear("one")
    for each in (model, everybody, one):
        root.add_component(each)
    root.add_coupling(model.singly("turned"), everybody.heard)
    root.add_coupling(model.singly("turned", 7), one.heard)
    with Simulator(root) as simulator:
        simulator.run(30.0)
    said = {number: [each.value for each in model.kept[number].said if each.port == "turned"] for number in numbers}
    assert one.all == said[7] != []
    assert sorted(everybody.all) == sorted(said[4] + said[7] + said[9])
    with pytest.raises(ModelError, match="walks has no output 'sung': it has "):
        model.singly("sung")


def test_rows_are_made_of_messages_or_of_columns_and_are_the_same() -> None:
    messages = [Crossed((2.0, 1.0)), Crossed((4.0, 3.0)), Crossed((6.0, 5.0))]
    rows = Rows.of_messages(Crossed, [9, 2, 9], messages)
    assert rows.robots.tolist() == [2, 9, 9]
    assert rows.column("values").tolist() == [[4.0, 3.0], [2.0, 1.0], [6.0, 5.0]]
    columns = Rows.of_columns(Crossed, rows.robots, [rows.column(each) for each in Crossed.__struct_fields__])
    assert columns.messages == rows.messages == [messages[1], messages[0], messages[2]]
    assert columns.select(np.array([False, True, True])).messages == [messages[0], messages[2]]
    assert Rows.of_columns(str, np.array([1, 2]), [np.array(["left", "right"])]).messages == ["left", "right"]


class Timer(Atomic):
    """Tells after some time."""

    told = Out(bool)
    go = In(bool)

    def __init__(self, name: str = "timer", time: Any = 0.5) -> None:
        super().__init__(name)
        self.time = time

    def initialize(self) -> None:
        self.hold_in("waiting", self.time)


class Timers(Population, of=Timer):
    """The same."""

    time = Column(float)

    def initialize(self, who: Any) -> None:
        self.hold_in(who, "waiting", self.time[who])

    def lambdaf(self, who: Any) -> None:
        self.told.send(who, True)


def model_of(*times: Any) -> PopulationModel:
    members = [Timer(f"timer{place}", time) for place, time in enumerate(times)]
    return PopulationModel("timers", Timers(members, range(1, len(times) + 1)), members)


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        ((0.5, 0.1), "not on the raster of 2"),
        ((0.5, -0.5), "time advance of robot 2 in Timers is -0.5"),
        ((float(2**24),), "where the raster of times ends"),
    ],
)
def test_times_that_cannot_be_are_refused(times: tuple[float, ...], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        Simulator(model_of(*times))


def test_what_comes_off_the_raster_leaves_events_where_they_are_to_the_last_bit() -> None:
    chance = np.random.default_rng(4)
    come = [(at**3 * 4.0, robot) for at, robot in zip(chance.random(100).tolist(), 25 * [1, 2, 3, 4], strict=True)]
    times = exact.tick(chance.random(4) + 4.0).tolist()
    model = model_of(*times)
    model.keep(range(1, 5))
    with Simulator(model) as simulator:
        for at, robot in come:
            simulator.inject(model.input["go"], Rows(bool, np.array([robot]), [True]), at=at)
        simulator.run(10.0)
    assert [kept.said[0].time for kept in model.kept.values()] == times
    assert {(each.time, robot) for robot, kept in model.kept.items() for each in kept.heard} == set(come)


class Echo(Atomic):
    """Says what it hears after a time that is off the raster."""

    told = Out(float)
    go = In(float)

    def deltext(self, e: float) -> None:
        self.hold_in("heard", 0.1)

    def lambdaf(self) -> None:
        self.told.add(0.0)


class Echoes(Population, of=Echo):
    """The same."""

    def deltext(self, who: Any, e: Any) -> None:
        self.sigma[who] = 0.1

    def lambdaf(self, who: Any) -> None:
        self.told.send(who, 0.0)


def echoes(model: Any, message: Any) -> list[float]:
    """When it says what comes after small times and large ones, off the raster."""
    found = []
    with Simulator(model) as simulator:
        for at in np.cumsum(np.random.default_rng(5).random(100) ** 8).tolist():
            simulator.inject(model.input["go"], message, at=at)
        while simulator.next_time < inf:
            simulator.run(max_steps=1)
            found += [simulator.time for _ in model.output["told"].values]
    return found


def test_its_clock_is_the_simulators_to_the_last_bit_whenever_something_comes() -> None:
    model = PopulationModel("echoes", Echoes([Echo("echo")], [1]), [Echo("echo")])
    model.keep([1])
    said = echoes(model, Rows(float, np.array([1]), [1.0]))
    assert said == echoes(Echo("echo"), 1.0)
    assert [each.time for each in model.kept[1].said] == said
    assert len(said) > 20


def test_a_robot_that_waits_for_ever_does() -> None:
    with Simulator(model_of(inf, 0.25)) as simulator:
        simulator.run(10.0)
        assert simulator.transitions == 1


def test_what_a_twin_declares_must_be_in_its_model() -> None:
    class Odd(Population, of=Ear):
        """What it declares, an Ear has not, or not so."""

        pitch = Column(float)

    with pytest.raises(ModelError, match=r"Odd\.pitch: Ear has no attribute 'pitch'"):
        Odd([Ear("ear")], [1])
    assert twin_of(Ear) is Odd
    assert twin_of(Walk) is not None

    def one(declared: Any) -> type[Population]:
        return type("One", (Timers,), {"time": declared, "__module__": __name__})

    for declared in (Common(), Draws(), Streams(), Column("U3")):
        declared.__set_name__(Timers, "time")
    with pytest.raises(ModelError, match="is not the same for all robots: make it a Column"):
        _made(one(Common()), 0.5, 0.25)
    with pytest.raises(ModelError, match="must be a fresh Draw"):
        _made(one(Draws()), 0.5)
    with pytest.raises(ModelError, match="must be a Stream"):
        _made(one(Streams()), 0.5)
    with pytest.raises(ModelError, match="would change some of"):
        _made(one(Column(int)), 0.5)


def _made(kind: type[Population], *times: float) -> None:
    kind([Timer("timer", time) for time in times], range(1, len(times) + 1))


def test_a_twin_that_sends_what_its_port_does_not_carry_is_told() -> None:
    walks = Walks([Walk("walk", 1, 5)], [1])
    who = np.array([0])
    with pytest.raises(ModelError, match=r"Walks.wheels_ask sends a column for each of left, right, not 1"):
        walks.wheels.ask.send(who, np.array([1.0]))
    with pytest.raises(ModelError, match=r"Walks\.wheels_ask carries Wheels, not 3"):
        walks.wheels.ask.send(who, 3)
    with pytest.raises(ModelError, match="a column has another length"):
        walks.wheels.ask.send(who, np.array([1.0, 2.0]), 0.0)
    with pytest.raises(AttributeError, match="Walks has no 'radio': declare it"):
        _ = walks.radio
