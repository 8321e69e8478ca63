"""The proof of a twin in a test: small worlds of random inputs, in which it says what its models say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import needed
from devs_robotics.core.model import Atomic
from devs_robotics.core.observe.comparing import TraceDifference, first_difference
from devs_robotics.core.observe.events import Sent
from devs_robotics.core.population import Population, PopulationModel, Rows
from devs_robotics.core.population.exact import tick
from devs_robotics.core.population.population_model import MemberMessage
from devs_robotics.core.population.replay import events
from devs_robotics.core.robots.activity import Actuator, Sensor, exchanges_of
from devs_robotics.core.simulator import Simulator

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Input = tuple[int, int, str, Any]
"""Point of the raster, robot, name of a port, message."""

World = tuple[int, int, list[Input]]
"""How many robots, the seed, and what they hear."""


def prove_twin(
    twin: type[Population],
    *,
    of: type[Atomic],
    make: Callable[[int, int], Atomic],
    hears: Mapping[str, SearchStrategy[Any]],
    worlds: int = 100,
    robots: int = 6,
    inputs: int = 12,
    points: int = 30,
    period: float = 0.1,
    shrunk: bool = True,
) -> None:
    """Fail a test where a population says anything else than its ordinary models, to the last bit of each time.

    Small worlds are drawn: some robots, and what they hear when. The one that is told when the test fails is as small
    as it can be made: the fewest robots and inputs with which the two still differ.

    Args:
        twin: the population
        of: the class of the ordinary models
        make: an ordinary model, by its robot's number and a seed
        hears: what may come, by the name of a sensor, an actuator or an input port
        worlds: how many are drawn
        robots: most of them in a world
        inputs: most of them in a world
        points: of the raster on which inputs come
        period: between two of these (s)
        shrunk: whether the world that is told is made small, which takes some hundred further ones

    Raises:
        AssertionError: they differ; the message compares the two traces
        DevsRoboticsError: the model has no such port, or Hypothesis is not installed
    """
    __tracebackhide__ = True
    with needed("prove_twin needs"):
        from hypothesis import HealthCheck, Phase, given, settings
        from hypothesis import strategies as st
    if twin.of is not of:
        raise DevsRoboticsError(f"{twin.__name__} is the twin of {twin.of.__name__}, not of {of.__name__}")
    ports = {_port_name(make(1, 0), name): strategy for name, strategy in hears.items()}
    heard = [st.tuples(st.just(port), strategy) for port, strategy in ports.items()]

    @st.composite
    def small_world(draw: Any) -> World:
        count, seed = draw(st.integers(1, robots)), draw(st.integers(0, 2**32 - 1))
        come = st.tuples(st.integers(0, points), st.integers(1, count), st.one_of(heard))
        found = draw(st.lists(come, max_size=inputs)) if heard else []
        return count, seed, [(point, robot, port, message) for point, robot, (port, message) in found]

    @settings(
        max_examples=worlds,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, *([Phase.shrink] if shrunk else [])],
        suppress_health_check=list(HealthCheck),
    )
    @given(small_world())
    def same_trace(world: World) -> None:
        __tracebackhide__ = True
        if differs(world) is not None:
            raise _DiffersError(world)

    def differs(world: World) -> TraceDifference | None:
        count, seed, come = world
        until = tick(2.0 * points * period)
        expected = _of_models([make(robot, seed) for robot in range(1, count + 1)], come, period, until)
        seen = _of_population(twin, [make(robot, seed) for robot in range(1, count + 1)], come, period, until)
        return first_difference(expected, seen)

    try:
        same_trace()
    except _DiffersError as found:
        world = _smallest(found.world, differs) if shrunk else found.world
    else:
        return
    count, seed, come = world
    told = (f"  {tick(p * period):.9g} s  robot{r}.{port}  {said!r}" for p, r, port, said in _in_order(come))
    raise AssertionError(
        f"{twin.__name__} is no twin of {of.__name__}: expected is what the model says, seen what the population says\n"
        f"{differs(world)}\nin a world of {count} with the seed {seed} that hears\n" + ("\n".join(told) or "  nothing")
    )


class _DiffersError(AssertionError):
    """A world in which population and models differ."""

    def __init__(self, world: World) -> None:
        super().__init__("they differ")
        self.world = world


def _smallest(world: World, differs: Callable[[World], TraceDifference | None]) -> World:
    """The same without inputs and robots that make no difference to whether the two differ."""
    count, seed, come = world
    for each in reversed(range(len(come))):
        fewer = [*come[:each], *come[each + 1 :]]
        if differs((count, seed, fewer)) is not None:
            come = fewer
    while count > 1 and all(robot < count for _, robot, _, _ in come) and differs((count - 1, seed, come)) is not None:
        count -= 1
    return count, seed, come


def _in_order(come: list[Input]) -> list[Input]:
    """Inputs in the order of their times and robots; those of one time and robot keep theirs."""
    return sorted(come, key=lambda each: each[:2])


def _of_models(members: list[Atomic], come: list[Input], period: float, until: float) -> list[Sent]:
    """What ordinary models say, each in a simulation of its own."""
    said: list[Sent] = []
    for robot, member in enumerate(members, 1):
        messages: list[MemberMessage] = []
        with Simulator(member) as simulator:
            for point, hearing, port, message in come:
                if hearing == robot:
                    simulator.inject(member.input[port], message, at=tick(point * period))
            while simulator.next_time <= until:
                simulator.run(until, max_steps=1)
                messages += [
                    MemberMessage(simulator.time, port.name, value)
                    for port in member.out_ports
                    for value in port.values
                ]
        said += events(robot, messages)
    return sorted(said, key=_when)


def _of_population(
    twin: type[Population], members: list[Atomic], come: list[Input], period: float, until: float
) -> list[Sent]:
    """What the population says."""
    numbers = range(1, len(members) + 1)
    model = PopulationModel("population", twin(members, numbers), members)
    model.keep(numbers)
    with Simulator(model) as simulator:
        for point, robot, port, message in come:
            rows = Rows(model.population.incoming[port].kind, np.array([robot]), [message])
            simulator.inject(model.input[port], rows, at=tick(point * period))
        simulator.run(until)
    said = [event for robot, kept in model.kept.items() for event in events(robot, kept.said)]
    return sorted(said, key=_when)


def _when(event: Sent) -> tuple[float, int]:
    return event.time, int(event.model.removeprefix("robot"))


def _port_name(model: Atomic, name: str) -> str:
    """The port by which a model hears what is called so."""
    exchange = exchanges_of(model, Sensor, Actuator).get(name)
    port = exchange.answer.name if exchange is not None else name
    if port not in model.input:
        raise DevsRoboticsError(
            f"{type(model).__name__} hears nothing by {name!r}: it has the inputs {', '.join(model.input) or 'none'}"
        )
    return port
