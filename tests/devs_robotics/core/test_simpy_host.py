"""SimPy processes inside DEVS do what they do in pure SimPy, which is the oracle of these tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import pytest
import simpy
from hypothesis import assume, example, given
from hypothesis import strategies as st

from devs_robotics import Coupled, Simulator
from tests.devs_robotics.core.simpy_models import (
    Clocks,
    HostedPlayer,
    HostedStation,
    HostedWorkshop,
    Last,
    Log,
    Moves,
    Player,
    Relay,
    Road,
    Station,
    Visits,
    Workshop,
    arrivals,
    chain,
    simulated,
)
from tests.tracing import trace_ours, trace_xdevs

eighths = st.integers(0, 40).map(lambda n: n / 8)
ticks = st.integers(1, 2**24).map(lambda n: n / 2**20)
seconds = st.floats(0.0, 1000.0)
capacities = st.integers(1, 3)
coarse = pytest.mark.filterwarnings("ignore::devs_robotics.core.errors.ResolutionWarning")
"""For times of any size side by side: the smallest are lost beside the largest, as a warning says."""


def visits_of(times: st.SearchStrategy[float]) -> st.SearchStrategy[Visits]:
    return st.lists(st.tuples(times, times), max_size=12)


def pure(visits: Visits, capacity: int, wait: Callable[..., simpy.Event]) -> tuple[Log, Log]:
    """What happens at the station in pure SimPy, and who left when."""
    env, log, left = simpy.Environment(0.0), Log(), Log()
    store = simpy.Store(env)
    Station(env, store, lambda robot: left.append((env.now, robot.number)), capacity, log)
    env.process(arrivals(env, visits, wait, store))
    env.run()
    return log, left


def hosted(visits: Visits, capacity: int, relays: int = 0) -> tuple[Log, Log]:
    """What happens at the station inside DEVS, and who left when."""
    station = HostedStation(capacity)
    left = simulated(Road(visits), *(Relay(f"relay{n}") for n in range(relays)), station)
    return station.log, left


@given(visits_of(eighths) | visits_of(ticks), capacities, st.integers(0, 2))
@example([(1.0, 5.0)] * 8, 1, 0)
@example([(0.0, 1.0), (1.0, 1.0), (0.0, 0.0)], 2, 1)
def test_a_station_does_what_it_does_in_simpy_where_inputs_are_the_last_events_of_their_instant(
    visits: Visits, capacity: int, relays: int
) -> None:
    assert hosted(visits, capacity, relays) == pure(visits, capacity, Last)


@given(visits_of(eighths) | visits_of(ticks), capacities)
def test_robots_leave_in_the_order_and_at_the_times_that_an_ordinary_arrival_process_gives(
    visits: Visits, capacity: int
) -> None:
    assert hosted(visits, capacity)[1] == pure(visits, capacity, simpy.Timeout)[1]


@coarse
@given(st.lists(st.tuples(st.floats(16.0, 32.0), seconds), max_size=12), capacities)
def test_arbitrary_times_of_inputs_are_kept_to_the_last_bit_while_time_at_most_doubles(
    arriving: list[tuple[float, float]], capacity: int
) -> None:
    times = [0.0, *sorted(time for time, _ in arriving)]
    visits = [(then - before, need) for (before, then), (_, need) in zip(pairwise(times), arriving, strict=True)]
    assert hosted(visits, capacity) == pure(visits, capacity, Last)


@coarse
@given(st.lists(st.lists(seconds, max_size=8), max_size=4))
@example([[0.7101437844546665], [7.359261253529749]])  # no single addition leads from the one to the other
@example([[0.1] * 2000, [0.3] * 700])
def test_the_times_of_simpys_own_events_are_those_of_devs_to_the_last_bit(durations: list[list[float]]) -> None:
    assert all(time == now for time, now in simulated(Clocks(durations)))


@coarse
@given(st.lists(seconds, max_size=12), st.lists(st.lists(seconds, max_size=8), max_size=3))
def test_the_clocks_never_part_by_more_than_their_last_places(gaps: list[float], durations: list[list[float]]) -> None:
    clock: list[Simulator] = []
    clocks = Clocks(durations, lambda: clock[0].time)
    clock.append(Simulator(chain(Road([(gap, 0.0) for gap in gaps]), clocks)))
    clock[0].run()
    assert len(clocks.log) == len(gaps) + sum(map(len, durations))
    assert clocks.log == sorted(clocks.log)
    assert all(abs(now - time) <= 4 * math.ulp(time) for now, time in clocks.log)


def players_in_devs(moves: tuple[Moves, Moves]) -> Log:
    log: Log = []
    first, second = HostedPlayer("a", moves[0], log), HostedPlayer("b", moves[1], log)
    top = chain(first, second)
    top.add_coupling(second.said, first.heard)
    Simulator(top).run()
    return log


def players_in_simpy(moves: tuple[Moves, Moves]) -> Log:
    log: Log = []
    env = simpy.Environment(0.0)
    stores = simpy.Store(env), simpy.Store(env)
    Player("a", env, stores[0], stores[1].put, log).start(moves[0])
    Player("b", env, stores[1], stores[0].put, log).start(moves[1])
    env.run()
    return log


several = st.lists(ticks, max_size=8)
players = st.tuples(several, several)


@given(st.tuples(players, players))
def test_two_models_interleave_as_two_groups_of_processes_in_one_environment(moves: tuple[Moves, Moves]) -> None:
    log = players_in_simpy(moves)
    times = [time for time, _, what in log if not what.startswith("gets")]
    assume(len(set(times)) == len(times))
    assert players_in_devs(moves) == log


def test_at_a_tie_a_model_finishes_its_own_events_before_it_gets_those_of_another() -> None:
    """In one environment all events of the instant take turns, in the order in which they were scheduled."""
    tie: tuple[Moves, Moves] = ([2.0], []), ([2.0, 0.0, 0.0], [1.0])
    a_ticks, b_ticks, b_gets = (2.0, "a", "ticks"), (2.0, "b", "ticks"), (2.0, "b", "gets 0")
    assert players_in_devs(tie)[:5] == [a_ticks, b_ticks, b_ticks, b_ticks, b_gets]
    assert players_in_simpy(tie)[:5] == [a_ticks, b_ticks, b_ticks, b_gets, b_ticks]


@given(visits_of(eighths))
@example([(1.0, 5.0)] * 12)
def test_all_that_simpy_has_works_as_in_simpy(visits: Visits) -> None:
    env, log, done = simpy.Environment(0.0), Log(), Log()
    store = simpy.Store(env)
    Workshop(env, store, lambda job: done.append((env.now, job.number)), log)
    env.process(arrivals(env, visits, Last, store))
    env.run(until=99.99)

    workshop = HostedWorkshop("workshop")
    assert simulated(Road(visits), workshop, until=99.99) == done
    assert workshop.log == log


@given(visits_of(eighths), capacities)
def test_xdevs_own_coordinator_gives_the_same_trace(visits: Visits, capacity: int) -> None:
    def top() -> Coupled:
        return chain(Road(visits), HostedStation(capacity), Relay("relay", 0.5), HostedStation(1, "second"))

    assert trace_ours(top(), 1000.0) == trace_xdevs(top(), 1000.0)


@pytest.mark.parametrize("detour", [0.0, 3.0])
def test_ordinary_models_and_a_station_answer_each_other_for_ever(detour: float) -> None:
    """Two robots that come back by way of a relay, of no time too, take turns at the only charger."""
    road, station, relay = Road([(0.0, 5.0), (0.0, 5.0)]), HostedStation(1), Relay("relay", detour)
    top = chain(road, station, relay)
    top.add_coupling(relay.out, station.arrived)
    Simulator(top).run(until=40.0)
    starts = [(time, number) for time, what, number, *_ in station.log if what == "starts"]
    assert starts == [(5.0 * n, n % 2) for n in range(9)]
