"""Which robots are real in which stage, and which of their activities (Hu & Zeigler, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import Charge, Crossed, Glide, Ground, Light, Proximity, Wheels
from devs_robotics.models.robots import Kinds, OwnEquipment
from devs_robotics.scenarios.case import RobotPlan, case_of, robots_of
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RealTable
from devs_robotics.scenarios.stages import Stage


class Role(Struct, frozen=True):
    """What a real robot is in a stage.

    Attributes:
        robot: what the scenario says of it
        kinds: which of its activities are virtual, in the loop or real
    """

    robot: RealTable
    kinds: Kinds

    @property
    def is_stand_in(self) -> bool:
        """Whether the laboratory plays it."""
        return self.robot.address is None


def roles(scenario: Scenario, stage: Stage, robots: int | None = None) -> dict[int, Role]:
    """The real robots of a stage, by number; the others are virtual.

    Args:
        scenario: of the robots
        stage: of the run
        robots: how many there are, if that is known
    """
    named = {int(number): robot for number, robot in sorted(scenario.real.items())}
    if stage == "real":
        everybody = range(1, (len(robots_of(scenario)) if robots is None else robots) + 1)
        return {number: _all_real(named.get(number) or case_of(scenario).when_real()) for number in everybody}
    if stage == "loop":
        named = named or dict(case_of(scenario).in_the_loop(scenario))
        return {number: _as_named(robot) for number, robot in named.items()}
    return {}


def completed(robot: RealTable, usual: RealTable) -> RealTable:
    """What a scenario says of a real robot; where it says nothing, what the case study does (`when_real`)."""
    left_open = usual.model_fields_set - robot.model_fields_set
    return robot.model_copy(update={name: getattr(usual, name) for name in left_open})


def _all_real(robot: RealTable) -> Role:
    return Role(robot, Kinds("real", "real", "real", robot.counterpart))


def _as_named(robot: RealTable) -> Role:
    return Role(robot, Kinds(robot.motor, robot.infrared, robot.whiskers, robot.counterpart))


def with_own_equipment(role: Role, plan: RobotPlan, stage: Stage) -> Role:
    """The same role, which knows which equipment of the robot's own is real: in the stage `real` all that can be.

    In the stage `loop` it is what the scenario names, and what such robots have by themselves of a motor or of infrared
    sensors, as an e-puck has wheels, where these are real.

    Args:
        role: of the robot
        plan: of the robot
        stage: of the run
    """
    own = _carried(role, plan.own) if stage == "real" else _in_the_loop(role, plan)
    return Role(role.robot, replace(role.kinds, own=tuple(own)))


def why_at_rest(robot: RealTable, plan: RobotPlan) -> str:
    """Why a robot in the loop would stand still though its motor is real, with the remedy; empty if it would not.

    A case drives its robots by their wheels, and such robots have none by themselves.
    """
    role = _as_named(robot)
    real = set(_in_the_loop(role, plan))
    modelled = [name for name, own in plan.own.items() if own.asks is Glide and name not in real]
    if modelled and role.kinds.motor != "virtual":
        if not set(modelled) <= set(_carried(role, plan.own)):
            return (
                f"it would stand still: it is driven by its {' and '.join(modelled)}, which a robot that speaks "
                f"{robot.protocol} does not have: let it speak {_carrying(plan.own[modelled[0]])}, or make its motor "
                "'virtual'"
            )
        return (
            f"it would stand still: it is driven by its {' and '.join(modelled)}, which are modelled: say that it has "
            f"some, equipment = {{ {modelled[0]} = \"real\" }}, or make its motor 'virtual'"
        )
    wheels = [name for name, own in plan.own.items() if own.asks is Wheels]
    has = all(has_by_itself(role, plan.own[name]) for name in wheels)
    if role.kinds.motor == "virtual" or all(name in robot.equipment for name in wheels) or has:
        return ""
    return (
        f"it would stand still: it is driven by its {' and '.join(wheels)}, which a robot that speaks {robot.protocol} "
        f"does not have by itself: let it speak {having_by_itself(plan.own[wheels[0]])}, make its motor 'virtual', or "
        f'say that it has some: equipment = {{ {wheels[0]} = "real" }}'
    )


def having_by_itself(own: OwnEquipment) -> str:
    """The protocols of robots that have equipment by themselves, for people; empty if there are none."""
    return _carrying(own, by_itself=True)


def _carrying(own: OwnEquipment, *, by_itself: bool = False) -> str:
    """The protocols of robots that may have equipment, for people; or of those only that have it by themselves."""
    from devs_robotics.hil.protocols.naming import PROTOCOLS, protocol_for

    known = {name: protocol_for(name) for name in PROTOCOLS}
    found = [
        repr(name)
        for name, each in known.items()
        if (each.has_by_itself if by_itself else each.carries)(own.name, own.asks, own.answers)
    ]
    return " or ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)


def _in_the_loop(role: Role, plan: RobotPlan) -> Iterator[str]:
    named = role.robot.equipment
    yield from (name for name, kind in named.items() if kind == "real")
    real = {"motor": role.kinds.motor != "virtual", "infrared": role.kinds.infrared != "virtual"}
    for name in _carried(role, {name: own for name, own in plan.own.items() if own.part and real[own.part]}):
        if name not in named and has_by_itself(role, plan.own[name]):
            yield name


def has_by_itself(role: Role, own: OwnEquipment) -> bool:
    """Whether such a robot has equipment by itself, so that nobody has to say so, and its stand-in has it, too."""
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and most robots have no equipment of their own

    return protocol_for(role.robot.protocol).has_by_itself(own.name, own.asks, own.answers)


def sensors_of(role: Role, own_equipment: Mapping[str, OwnEquipment]) -> tuple[str, ...]:
    """Kinds of sensors, and the battery, that a robot of ROS 2 tells of on topics, of what is real of it."""
    real = [own_equipment[name] for name in role.kinds.own] if role.robot.protocol == "ros2" else []
    sensing = Proximity, Light, Ground, Crossed, Charge
    return tuple(dict.fromkeys(own.name.partition("_")[0] for own in real if own.answers in sensing))


def _carried(role: Role, own_equipment: Mapping[str, OwnEquipment]) -> Iterator[str]:
    if not own_equipment:
        return
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and most robots have no equipment of their own

    protocol = protocol_for(role.robot.protocol)
    for name, own in own_equipment.items():
        if not own.never_real and protocol.carries(name, own.asks, own.answers):
            yield name
