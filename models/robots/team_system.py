"""A system of robots to which whole teams can be added."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized

from xdevs.models import Component

from devs_robotics import ModelError, equip
from devs_robotics.core.population import Alike
from devs_robotics.models.environment import Field, Pose
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.environment.sensing import SensingChoice
from devs_robotics.models.robots.kinds import RobotKind
from devs_robotics.models.robots.of_its_kind import of_its_kind
from devs_robotics.models.robots.robot import Robot
from devs_robotics.models.robots.system import RobotSystem
from devs_robotics.models.robots.team import ENOUGH, ENOUGH_ON_GRID, PopulationChoice, Team, TeamModel, why_not_arrays


class NotInArraysError(ModelError):
    """A team that has been put in arrays cannot be there."""


class TeamSystem(RobotSystem):
    """Robots in their environment, of which teams may be in arrays.

    Attributes:
        population: how robots of teams are simulated
        one_for_all: from how many robots on one stands for all of a team whose robots are alike, in arrays on a grid
        planned_only: whether no robot is simulated, so that one stands for all of any team whose robots are alike
        teams: those that were added, the first one first
    """

    robots: tuple[Robot, ...]
    population: PopulationChoice = "models"
    one_for_all: int = 1
    planned_only: bool = False
    strategy: SensingChoice = "auto"
    field: Field
    teams: tuple[Team, ...] = ()

    def add_team(
        self,
        poses: Iterable[Pose],
        kind: RobotKind | None,
        put_together: Callable[[Robot], object],
        *,
        as_models: Iterable[int] = (),
        alike: bool = False,
    ) -> Team:
        """Add robots that are equal: as ordinary models, or as one population in arrays, as `population` says.

        Either way they do the same, to the last bit of each time. With ``"auto"`` they are a population if they can be
        one, are enough of them, and use no motor or range sensors of their kind.

        Args:
            poses: where they stand at first: x (m), y (m), heading (rad)
            kind: of robot; None: with one range sensor, which looks ahead
            put_together: equips a robot, and lets it decide by one model; called with each of them
            as_models: numbers of those that are ordinary models in any case
            alike: whether `put_together` makes robots that differ in nothing but their numbers, and what follows from
                these, as a `Draw` does; with ``"arrays"`` and the strategy ``"grid"`` one robot may then stand for all,
                so that a million of them need little time and memory. They are added last, and `robots` may not have
                them: `poses` says where they are.

        Raises:
            ModelError: they are to be a population, and cannot be one
        """
        poses = poses if isinstance(poses, Sized) else list(poses)
        if alike and (self.planned_only or self._one_for_all(len(poses))):
            return self._add_alike(poses, kind, put_together, as_models)
        robots = []
        for pose in poses:
            robot = self._made(pose, kind)
            put_together(robot)
            robots.append(robot)
        apart = set(as_models)
        together = [robot for robot in robots if robot.number not in apart]
        why = why_not_arrays(together) if together and self.population != "models" else ""
        if why and self.population == "arrays":
            raise ModelError(f'a team cannot be in arrays: {why}; or take run.population = "models"')
        if self.population == "models" or why or (self.population == "auto" and not self._are_enough(together)):
            together = []
        gone = {robot.number for robot in together}
        for robot in robots:
            if robot.number not in gone:
                self.add_component(robot)
        arrays = None
        if together:
            arrays = TeamModel(f"team{len(self.teams) + 1}", together, strict=self.population == "arrays")
            self.add_component(arrays)
        return self._added(Team(robots, arrays, robots[0] if robots else None))

    def _added(self, team: Team) -> Team:
        self.teams = (*self.teams, team)
        return team

    def _one_for_all(self, robots: int) -> bool:
        """Whether one of so many robots that are alike stands for all."""
        return self.population == "arrays" and self.strategy == "grid" and robots >= self.one_for_all

    def _are_enough(self, robots: Sequence[Robot]) -> bool:
        """Whether they are so many that arrays are faster; where motors are arrays that is so in few runs alone."""
        enough = len(robots) >= (ENOUGH_ON_GRID if self.strategy == "grid" else ENOUGH)
        return enough and not of_its_kind(robots[0])

    def _add_alike(
        self,
        poses: Iterable[Pose],
        kind: RobotKind | None,
        put_together: Callable[[Robot], object],
        as_models: Iterable[int],
    ) -> Team:
        """Add a crowd of robots, of which one stands for all.

        Raises:
            ModelError: they cannot be a population, or some are to be ordinary models
        """
        if not self.planned_only and any(True for _ in as_models):
            raise ModelError("robots that are alike are all in arrays: add those that are to be models as another team")
        crowd = self._crowd(poses, kind)
        first, count, made = self.field.add_crowd(crowd), len(crowd), self._maker()

        def robot_of(number: int) -> Robot:
            robot = made(first + 1 + number, crowd.pose(number), kind)
            put_together(robot)
            return robot

        template = robot_of(0)
        if self.planned_only:
            return self._added(Team((), None, template, crowd))
        why = why_not_arrays([template])
        if why:
            raise ModelError(f'a team cannot be in arrays: {why}; or take run.population = "models"')
        members = Alike(count, lambda number: robot_of(number).decisions[0] if number else template.decisions[0])
        numbers = range(first + 1, first + 1 + count)
        arrays = TeamModel(f"team{len(self.teams) + 1}", [template], numbers, members, made=robot_of)
        self.add_component(arrays)
        return self._added(Team((), arrays, template, crowd))

    def standing(self) -> Iterator[tuple[Pose, Robot]]:
        """Where each robot stands at first, robot 1 first, and itself, or the one that stands for it."""
        yield from ((robot.pose, robot) for robot in self.robots)
        for team in self.teams:
            if team.crowd is not None and team.first is not None:
                yield from ((pose, team.first) for pose in team.crowd)

    @property
    def poses(self) -> list[Pose]:
        """Where all robots stand at first, robot 1 first."""
        return [pose for pose, _ in self.standing()]

    @property
    def models(self) -> tuple[Robot, ...]:
        """The robots that are ordinary models."""
        return tuple(robot for robot in self.robots if robot.parent is self)

    @property
    def in_arrays(self) -> list[TeamModel]:
        """The teams, or parts of them, that are populations."""
        return [team.arrays for team in self.teams if team.arrays is not None]

    def join_teams(self, world: Iterable[Component]) -> None:
        """Couple teams in arrays with the environment, which is there already.

        Args:
            world: models that may answer robots, too
        """
        for number, team in enumerate(self.in_arrays, 1):
            self._join_team(team, number, world)

    @abstractmethod
    def _made(self, pose: Pose, kind: RobotKind | None) -> Robot:
        """A robot and its body; no component yet."""

    @abstractmethod
    def _maker(self) -> Callable[[int, Pose, RobotKind | None], Robot]:
        """Makes robots without bodies, by their numbers, after a run has begun, too."""

    @abstractmethod
    def _crowd(self, poses: Iterable[Pose], kind: RobotKind | None) -> Crowd:
        """Many bodies; returns them."""

    def _join_team(self, team: TeamModel, number: int, world: Iterable[Component]) -> None:
        """Couple a team in arrays with the environment.

        Raises:
            NotInArraysError: something else in the world might answer it
        """
        asked = next((model.name for model in world if hasattr(model, "offer")), None)
        if asked is not None:
            raise NotInArraysError(
                f'{asked} answers robots one by one, and {team.name} is in arrays: take run.population = "models"'
            )
        team.open_to_the_world()
        if self.environment.on_grid is not None:
            team.meet_grid(self.environment.on_grid)
        for name, shared in team.shared.items():
            offered = self.environment.offer_rows(
                team.numbers, shared.asks, shared.answers, f"{name}_of_team{number}", name
            )
            equip(self, team.worlds[name], offered)
        for name, (asks, answers) in team.of_kind.items():
            offered = self.environment.offer_rows(team.numbers, asks, answers, f"{name}_of_team{number}", "")
            equip(self, team.worlds[name], offered)
