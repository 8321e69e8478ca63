"""The system under test of a case study: robots that are added one by one, and what else is in the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot, pi
from typing import Any, TypeVar

from msgspec.structs import replace
from xdevs.models import Component

from devs_robotics import Exchange, ModelError, Port, Stream, equip
from devs_robotics.core.ports import type_name, types_agree
from devs_robotics.core.robots.activity import lead_through
from devs_robotics.models.activities import RampMotor, VirtualInfrared, VirtualMotor
from devs_robotics.models.environment import ArcMotion, Environment, Field, GlideMotion, Pose, PoseChange, Thing, Twist
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.environment.messages import TrajectoryChange
from devs_robotics.models.environment.questions import Locate, Whereabouts
from devs_robotics.models.environment.sensing import SensingChoice
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.models.environment.traits import Traits
from devs_robotics.models.robots.bodies import UsualBody, checked_pose, is_finite
from devs_robotics.models.robots.equipment import Equipment
from devs_robotics.models.robots.free_pose import free_pose
from devs_robotics.models.robots.kinds import RobotKind
from devs_robotics.models.robots.occupied import Occupied
from devs_robotics.models.robots.robot import Robot
from devs_robotics.models.robots.system import RobotModel
from devs_robotics.models.robots.team_system import TeamSystem
from devs_robotics.models.tracking import OverheadCamera

Added = TypeVar("Added", bound=Component | Thing)

ASIDE = 0.02
"""Room that robots' free places leave between bodies, and to walls and obstacles (m)."""

AXLE_SHARE = 53.0 / 70.0
"""Of the body's width: the distance between the wheels of a robot whose kind leaves it open, as of an e-puck2."""


EquipmentOf = Callable[[int, RobotKind], Equipment]
"""Makes the activities of a robot, by its number and its kind; which ones depends on the stage."""


class CaseSystem(TeamSystem):
    """The system under test of a case study, as its method `build` gets it.

    Args:
        field: with its obstacles, without bodies
        body: of robots whose kind leaves it open
        seed: of the run
        equipment_of: makes the robots' activities
        modelled: whether equipment of one's own may be a model for a robot, by its number

    Attributes:
        field: walls, obstacles and bodies
        body: of robots whose kind leaves it open
        seed: of the run
        strategy: of looking at what robots watch
        grid: period of the grid, with the strategy ``"grid"`` (s)
        tells_poses: whether, with that strategy, poses are told though nobody may be coupled, for those who watch
    """

    robots: tuple[Robot, ...]

    def __init__(
        self,
        name: str,
        field: Field,
        body: UsualBody,
        seed: int,
        equipment_of: EquipmentOf,
        modelled: Callable[[int], bool] = lambda robot: True,
    ) -> None:
        super().__init__(name)
        self.field = field
        self.body = body
        self.seed = seed
        self.robots = ()
        self.strategy: SensingChoice = "auto"
        self.grid = 0.1
        self.tells_poses = False
        self._equipment_of = equipment_of
        self._modelled = modelled
        self._world: list[Component] = []
        self._poses = Stream(seed, 0, "free poses")

    def add_robot(self, pose: Pose, kind: RobotKind | None = None) -> Robot:
        """Add a robot; they are numbered from 1.

        Args:
            pose: where it stands at first: x (m), y (m), heading (rad)
            kind: of robot; None: with one range sensor, which looks ahead
        """
        robot = self._made(pose, kind)
        self.add_component(robot)
        return robot

    def _made(self, pose: Pose, kind: RobotKind | None) -> Robot:
        """A robot and its body; no component yet."""
        number = len(self.field.x) + 1
        robot = self._maker()(number, pose, kind)
        x, y, heading = robot.pose
        kind = robot.kind
        self.field.add_body(x, y, heading, self.radius_of(kind), Traits(reality=kind.reality))
        self.robots = (*self.robots, robot)
        return robot

    def _crowd(self, poses: Iterable[Pose], kind: RobotKind | None) -> Crowd:
        """Many bodies of one kind of robot."""
        return Crowd(poses, self.radius_of(RobotKind() if kind is None else kind))

    def _maker(self) -> Callable[[int, Pose, RobotKind | None], Robot]:
        """Makes robots without bodies, by their numbers, after a run has begun, too."""
        equipment_of, modelled = self._equipment_of, self._modelled

        def made(number: int, pose: Pose, kind: RobotKind | None) -> Robot:
            return self._put_together(number, pose, kind, equipment_of, modelled)

        return made

    def _put_together(
        self,
        number: int,
        pose: Pose,
        kind: RobotKind | None,
        equipment_of: EquipmentOf,
        modelled: Callable[[int], bool],
    ) -> Robot:
        """A robot without a body; no component yet."""
        kind = self._checked_kind(number, RobotKind() if kind is None else kind)
        x, y, heading = checked_pose(number, pose)
        return Robot(
            f"robot{number}",
            number,
            (x, y, heading),
            kind,
            self._fitted(number, kind, equipment_of(number, kind)),
            modelled=modelled(number),
        )

    def add(self, thing: Added) -> Added:
        """Add what else is in the world: a thing that sensors see, a `Lamp` or a `Floor`, or a model.

        A `WorldModel` answers the robots' questions, an `OverheadCamera` asks where they are.

        Returns:
            the same

        Raises:
            ModelError: it is neither, or its name is taken
        """
        if isinstance(thing, Thing):
            self.field.things.add(thing)
            return thing
        if not isinstance(thing, Component):
            raise ModelError(
                f"system.add takes a thing or a model, not {thing!r}: derive it from "
                "devs_robotics.study.Thing or WorldModel"
            )
        self.add_component(thing)
        self._world.append(thing)
        return thing

    def couple(self, source: Port[Any], target: Port[Any]) -> None:
        """Couple two ports of any depth in the system; the models around them get ports of their own for it.

        Raises:
            ModelError: a port is none of a model in this system, or takes another type
        """
        for port in (source, target):
            _check_port(port)
        self.add_coupling(lead_through(self, source, "out"), lead_through(self, target, "in"))

    def stream(self, robot: Robot | None, name: str) -> Stream:
        """A stream of random numbers of the run's seed.

        Args:
            robot: whose it is; None: nobody's
            name: of its purpose; each has numbers of its own
        """
        return Stream(self.seed, 0 if robot is None else robot.number, name)

    def free_poses(self, robots: int, kind: RobotKind | None = None, *, apart: float = ASIDE) -> list[Pose]:
        """Places for robots, by the run's seed: anywhere in the field where their bodies touch nothing.

        Args:
            robots: how many
            kind: of robot
            apart: least distance between bodies, and to walls and obstacles, from edge to edge (m)

        Raises:
            ModelError: there is not enough room, or `apart` is less than 0
        """
        if not apart >= 0.0:
            raise ModelError(f"free_poses: robots cannot be {apart:g} m apart: take at least 0 m")
        radius = self.radius_of(kind or RobotKind())
        edge, field = radius + apart, self.field
        if robots * pi * radius * radius > field.width * field.height:
            raise ModelError(
                f"there is no room for {robots} robots of radius {radius:g} m in a field of {field.width:g} m x "
                f"{field.height:g} m: make field.width and field.height larger, or take fewer"
            )
        crowds = ((x, y, crowd.radius) for crowd in field.crowds for x, y, _ in crowd)
        occupied = Occupied([*zip(field.x, field.y, field.radius, strict=True), *crowds], edge, radius)
        found: list[Pose] = []
        for number in range(1, robots + 1):
            x, y, heading = free_pose(field, self._poses, edge, occupied.apart, f"robot {number} of {robots}")
            found.append((x, y, heading))
            occupied.add(x, y, radius)
        return found

    def free_places(
        self,
        number: int,
        what: str,
        room: float,
        allowed: Callable[[float, float], bool] = lambda x, y: True,
        *,
        apart: float = 0.0,
    ) -> list[tuple[float, float]]:
        """Places for what else is in the world, by the run's seed: anywhere in the field where there is room round it.

        They do not depend on the robots, nor the robots' places on them.

        Args:
            number: of places
            what: stands there; each kind of thing has random numbers of its own
            room: least distance to walls and obstacles (m)
            allowed: says of a place (m) whether it may be one
            apart: least distance between two places (m)

        Raises:
            ModelError: there is not enough room
        """
        stream = self.stream(None, f"places of {what}")
        found: list[tuple[float, float]] = []

        def free(x: float, y: float) -> bool:
            return allowed(x, y) and all(hypot(x - its_x, y - its_y) >= apart for its_x, its_y in found)

        for each in range(1, number + 1):
            x, y, _ = free_pose(self.field, stream, room, free, f"{what} {each} of {number}")
            found.append((x, y))
        return found

    def radius_of(self, kind: RobotKind) -> float:
        """Of the body of such a robot (m)."""
        return self.body.radius if kind.radius is None else kind.radius

    def pace_of(self, kind: RobotKind) -> Pace:
        """How fast such a robot's motor moves it."""
        speed, turn_rate = kind.speed, kind.turn_rate
        return Pace(
            self.body.speed if speed is None else speed, self.body.turn_rate if turn_rate is None else turn_rate
        )

    def axle_of(self, kind: RobotKind) -> float:
        """Distance between such a robot's wheels (m)."""
        return AXLE_SHARE * 2.0 * self.radius_of(kind) if kind.axle is None else kind.axle

    @property
    def moves_between_poses(self) -> bool:
        """Whether a robot, in whatever stage, is elsewhere between two changes of pose than it was told to be."""
        if any(robot.kind.continuous or robot.kind.inertia for robot in self.robots):
            return True  # though not as a real one, whose counterpart moves when a motion has ended
        sides = (side for robot in self.robots for side in robot.worlds.values())
        driving = (Twist, ArcMotion, GlideMotion)
        if any(side.ask.p_type in driving for side in sides):
            return True
        return any(asked in driving for each in self.in_arrays for asked in each.asks)

    def complete(self, *, corrected: bool) -> None:
        """Add the environment model, and couple all with it that needs it. Nothing is added to the system afterwards.

        Args:
            corrected: whether a tracking system's fixes move the counterparts of real robots

        Raises:
            ModelError: nothing in the world answers a question of a robot's equipment
        """
        self._equipment_of, self._modelled = _no_more, _always  # what made the robots need not be saved with them
        body, usual = self.body, self.pace_of(RobotKind())
        own = {robot.number: pace for robot in self.robots if (pace := self.pace_of(robot.kind)) != usual}
        for robot in self.models:
            robot.follow_wheels(self.pace_of(robot.kind), self.axle_of(robot.kind))
            robot.open_to_the_world()
        self.join(
            Environment(
                "environment",
                self.field,
                body.speed,
                body.turn_rate,
                body.whisker_reach,
                own,
                self.strategy,
                self.grid,
            ),
            corrected=corrected,
        )
        if self.environment.on_grid is not None:
            self.environment.on_grid.tells_poses = self.tells_poses
        self.join_teams(self._world)
        for model in self._world:
            port = model.input.get("pose_change")
            if isinstance(port, Port) and port.p_type is PoseChange:
                self.add_coupling(self.environment.pose_change, port)
            if isinstance(model, OverheadCamera):
                equip(self, model.world, self.environment.offer(0, Locate, Whereabouts, model.name, model.name))
            port = model.input.get("trajectory_change")
            if isinstance(port, Port) and port.p_type is TrajectoryChange:
                self.add_coupling(self.environment.tell_trajectories(), port)
            port = model.output.get("body_change")
            if isinstance(port, Port) and types_agree(port.p_type, self.environment.body_change.p_type):
                self.add_coupling(port, self.environment.body_change)

    def spare_poses(self) -> None:
        """Let poses be told to nobody but those that are coupled, where robots in arrays then look ahead.

        The field's bodies stay where they were; so it does nothing where further models are in the world, which may
        look at these.
        """
        if self.environment.on_grid is not None and self.in_arrays and not self._world:
            self.environment.on_grid.tells_poses = False

    def answering(self, robot: RobotModel, world: str) -> Exchange[Any, Any]:
        """The environment model, or what else is in the world and answers such questions."""
        if world in robot.equipment.worlds:
            return super().answering(robot, world)
        wanted = robot.worlds[world]
        asks, answers = wanted.ask.p_type, wanted.answer.p_type
        for model in self._world:
            offer = getattr(model, "offer", None)
            found = None if offer is None else offer(robot.number, asks, answers)
            if isinstance(found, Exchange):
                return found
        if self.environment.takes(asks):
            return self.environment.offer(robot.number, asks, answers, world, world.rpartition("_")[0])
        kinds = f"{type_name(asks)} to {type_name(answers)}"
        raise ModelError(
            f"nothing in the world answers {robot.name}'s {world.rpartition('_')[0]} ({kinds}): add a WorldModel that "
            "does by system.add(...), with @answers"
        )

    def _checked_kind(self, number: int, kind: RobotKind) -> RobotKind:
        """The same.

        Raises:
            ModelError: it is none, or a size or a beam of it is none
        """
        if not isinstance(kind, RobotKind):
            raise ModelError(
                f"robot {number}: {kind!r} is no kind of robot: take robots.round_differential(...), or leave it out"
            )
        if kind.continuous and kind.inertia is not None:
            raise ModelError(
                f"robot {number}: a motor with inertia is on its way at every instant: leave out continuous"
            )
        pace = self.pace_of(kind)
        sizes = {"radius": self.radius_of(kind), "reach": kind.reach, "speed": pace.speed, "turn_rate": pace.turn_rate}
        sizes["axle"] = self.axle_of(kind)
        for name, size in sizes.items():
            if not (is_finite(size) and size > 0.0):
                raise ModelError(f"robot {number}: its {name} must be a number above zero, not {size!r}")
        if not all(map(is_finite, (*kind.beams, kind.resolution))):
            raise ModelError(f"robot {number}: its beams and its resolution must be numbers, not {kind.beams!r}")
        return kind

    def _fitted(self, number: int, kind: RobotKind, equipment: Equipment) -> Equipment:
        """The same activities, where the kind of robot has no virtual ones of its own."""
        if kind.continuous:
            return equipment.continuous(number, self.pace_of(kind))
        worlds = dict(equipment.worlds)
        motor, infrared = equipment.motor, equipment.infrared
        if kind.inertia is not None and isinstance(motor, VirtualMotor):
            pace, inertia = self.pace_of(kind), kind.inertia
            motor = RampMotor(
                "motor", number, pace.speed, pace.turn_rate, inertia.acceleration, self.axle_of(kind), inertia.delay
            )
            del worlds["motor"]
            worlds["velocity"] = motor.world
        if kind.sight is not VirtualInfrared and type(infrared) is VirtualInfrared:
            optics = kind.optics
            infrared = kind.sight("infrared", number, optics.bearings, optics.reach, optics.resolution)
            worlds["ranging"] = infrared.world
        return replace(equipment, motor=motor, infrared=infrared, worlds=worlds)


def _no_more(robot: int, kind: RobotKind) -> Equipment:
    raise ModelError(f"robot {robot} comes too late: all robots are added by build(system), before a run begins")


def _always(robot: int) -> bool:
    return True


def _check_port(port: object) -> None:
    if not isinstance(port, Port) or port.parent is None:
        raise ModelError(f"system.couple takes two ports of models, not {port!r}")
