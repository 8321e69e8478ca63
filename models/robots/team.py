"""A team: equal robots that are added at once, as ordinary models, or as one population in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from devs_robotics import Activity, Actuator, Atomic, Coupled, Exchange, ModelError, Port, Sensor, equip
from devs_robotics.core.population import Alike, Population, PopulationModel, twin_of
from devs_robotics.core.population.joint_model import JointModel
from devs_robotics.core.robots.activity import exchanges_of, expose
from devs_robotics.models.activities.shared import SharedActivity, why_not_shared
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.robots.of_its_kind import answering, of_its_kind, why_no_twin
from devs_robotics.models.robots.robot import Robot

if TYPE_CHECKING:
    from devs_robotics.models.environment.on_grid.grid_space import GridSpace

PopulationChoice = Literal["models", "arrays", "auto"]
"""What ``run.population`` takes: how the robots of a team are simulated."""

ENOUGH = 1000
"""From so many robots on `auto` takes arrays, where it can; see docs/performance.md."""

ENOUGH_ON_GRID = 150
"""The same where the environment looks on a grid, in arrays as well."""


class TeamModel(Coupled):
    """The robots of a team that are in arrays: their decision models as a population, and their equipment.

    Args:
        robots: which are no components of any model; or, with `numbers`, one that stands for all
        numbers: of robots that are alike
        members: their decision models
        strict: whether watches at exact instants are refused, of which arrays gain nothing
        made: makes the one of a place, from 0, where one robot stands for all

    Attributes:
        population: of the decision models, with the motors and range sensors of the robots' kind that these use
    """

    def __init__(
        self,
        name: str,
        robots: Sequence[Robot],
        numbers: Sequence[int] | None = None,
        members: Sequence[Atomic] = (),
        *,
        strict: bool = True,
        made: Callable[[int], Robot] | None = None,
    ) -> None:
        super().__init__(name)
        members = members or [robot.decisions[0] for robot in robots]
        twin = twin_of(type(members[0]))
        assert twin is not None
        self.numbers: Sequence[int] = [robot.number for robot in robots] if numbers is None else numbers
        self.inside = of_its_kind(robots[0])
        self.population = self._population(twin(members, self.numbers), members, robots, made)
        self.add_component(self.population)
        sides = {each.part: getattr(robots[0].equipment, each.part).world for each in self.inside}
        self.of_kind = {part: (side.ask.p_type, side.answer.p_type) for part, side in sides.items()}
        """By the name of equipment of the robots' kind: types of what the world is asked, and answers."""
        self.shared: dict[str, SharedActivity] = {}
        self.worlds: dict[str, Exchange[Any, Any]] = {}
        self._services: dict[str, SharedActivity] = {}
        for each in robots[0].own:
            shared = SharedActivity(each.name, {robot.number: _virtual(robot, each.name) for robot in robots}, numbers)
            shared.strict = strict
            self.add_component(shared)
            self.shared[each.name] = shared
        for need, activity in _services_of(robots[0]).items():
            shared = self.shared[activity.name]
            ask, answer = self.population.output[f"{need}_ask"], self.population.input[f"{need}_answer"]
            equip(self, Exchange(ask, answer), shared.service)  # type: ignore[arg-type]  # they are ours
            self._services[need] = shared

    def _population(
        self,
        population: Population,
        members: Sequence[Atomic],
        robots: Sequence[Robot],
        made: Callable[[int], Robot] | None,
    ) -> PopulationModel:
        """The decision models, and with them what the robots' kind has of what they use."""
        if not self.inside:
            return PopulationModel("population", population, members)
        equipment = {}
        for part in dict.fromkeys(each.part for each in self.inside):
            models: Sequence[Atomic] = [getattr(robot.equipment, part) for robot in robots]
            if made is not None:
                models = Alike(len(members), _parts(made, part))
            twin = twin_of(type(models[0]))
            assert twin is not None, "why_not_arrays has refused it"
            equipment[part] = twin(models, self.numbers)
        return JointModel("population", population, members, equipment, self.inside)

    @property
    def asks(self) -> set[Any]:
        """The types of what the robots ask the world."""
        return {asks for asks, _ in self.of_kind.values()} | {shared.asks for shared in self.shared.values()}

    def meet_grid(self, grid: GridSpace) -> None:
        """The environment looks at the points of a grid."""
        self.population.grid = grid
        for shared in self.shared.values():
            shared.on_grid = True

    def open_to_the_world(self) -> None:
        """Make the ports that lead to the environment."""
        inside = self.population
        sides = {name: shared.world for name, shared in self.shared.items()}
        for part in self.of_kind:
            ask, answer = inside.output[f"{part}_world_ask"], inside.input[f"{part}_world_answer"]
            sides[part] = Exchange(ask, answer)  # type: ignore[arg-type]  # they are ours
        self.worlds = {name: expose(self, side, f"{name}_world") for name, side in sides.items()}

    def said(self, port: str, robot: int = 0) -> Port[Any]:
        """What decision models send through an output, one by one: of one robot, or with 0 of all."""
        return self.population.singly(port, robot)

    def answered(self, need: str, robot: int = 0) -> Port[Any]:
        """What decision models hear by a sensor or an actuator, one by one: of one robot, or with 0 of all."""
        if need in self._services:
            return self._services[need].singly(robot)
        assert isinstance(self.population, JointModel)
        return self.population.heard(next(each.told for each in self.inside if each.told == f"{need}_answer"), robot)


class Team:
    """Robots that were added at once.

    Args:
        robots: all of them; none where one stands for all
        arrays: those that are a population; None: there are none
        first: the first one, which may stand for all; None: there is no robot
        crowd: where those stand for whom the first one stands; None: it stands for none

    Attributes:
        models: those that are ordinary models
    """

    def __init__(
        self, robots: Sequence[Robot], arrays: TeamModel | None, first: Robot | None = None, crowd: Crowd | None = None
    ) -> None:
        self.robots = tuple(robots)
        self.arrays = arrays
        self.first = first
        self.crowd = crowd
        apart = set() if arrays is None else set(arrays.numbers)
        self.models = tuple(robot for robot in robots if robot.number not in apart)

    def said(self, port: str) -> list[Port[Any]]:
        """The ports through which decision models' messages of an output come, one by one, whatever the team is."""
        found: list[Port[Any]] = [getattr(robot.decisions[0], port) for robot in self.models]
        return found if self.arrays is None else [*found, self.arrays.said(port)]

    def answered(self, need: str) -> list[Port[Any]]:
        """The ports through which answers to a sensor or an actuator of decision models come, one by one."""
        found = [_answering(robot, robot.decisions[0], need) for robot in self.models]
        return found if self.arrays is None else [*found, self.arrays.answered(need)]


def why_not_arrays(robots: Sequence[Robot]) -> str:
    """Why robots cannot be a population; empty if they can."""
    first = robots[0]
    for robot in robots:
        if robot.equipment.device is not None:
            return f"{robot.name} is real in this stage"
        if len(robot.decisions) != 1:
            return f"{robot.name} has {len(robot.decisions)} decision models, and a population is of one each"
        if type(robot.decisions[0]) is not type(first.decisions[0]):
            return f"{robot.name} decides by another class of model than {first.name}: add a team for each"
        if [(each.name, each.asks) for each in robot.own] != [(each.name, each.asks) for each in first.own]:
            return f"{robot.name} has other equipment than {first.name}: add a team for each"
    model = first.decisions[0]
    if twin_of(type(model)) is None:
        return f"{type(model).__name__} has no twin: write one, class ...(Population, of={type(model).__name__})"
    why = why_no_twin(first)
    if why:
        return why
    asks = {exchange.ask for exchange in exchanges_of(model, Sensor, Actuator).values()}
    if any(port.parent is model and port not in asks for port in first.ic):
        return f"{first.name} has couplings of its own between its models"
    whys = (why_not_shared(_own(first, each.name)) for each in first.own)
    return next((f"{first.name}: {why}" for why in whys if why), "")


def _parts(made: Callable[[int], Robot], part: str) -> Callable[[int], Atomic]:
    """Makes that part of the equipment of the robot of a place."""

    def of_place(place: int) -> Atomic:
        activity: Activity = getattr(made(place).equipment, part)
        return activity

    return of_place


def _services_of(robot: Robot) -> dict[str, Activity]:
    """By the names of a decision model's sensors and actuators: which equipment of the robot's own answers them."""
    own = {each.name for each in robot.own}
    found = {}
    for need, exchange in exchanges_of(robot.decisions[0], Sensor, Actuator).items():
        for port in robot.ic.get(exchange.ask, ()):
            if port.parent is not None and port.parent.name in own:
                found[need] = _own(robot, port.parent.name)
    return found


def _answering(robot: Robot, model: Atomic, need: str) -> Port[Any]:
    """The port of the robot's equipment that answers a sensor or an actuator of its decision model."""
    return answering(robot, exchanges_of(model, Sensor, Actuator)[need].answer)


def _own(robot: Robot, name: str) -> Activity:
    activity: Activity = getattr(robot, name)
    return activity


def _virtual(robot: Robot, name: str) -> VirtualActivity:
    activity = _own(robot, name)
    if not isinstance(activity, VirtualActivity):
        raise ModelError(f"{robot.name}'s {name} is no VirtualActivity")
    return activity
