"""What plays equipment of a robot's own: a class of a case study's, which a plan names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.faults import in_short
from devs_robotics.core.former_names import former_classes
from devs_robotics.core.naming import load_class
from devs_robotics.core.user_code import user_code
from devs_robotics.hil.lab.courses import Course, Pose
from devs_robotics.hil.robot_protocol import Data


class LabScene(Struct, frozen=True):
    """What plays equipment is told when its laboratory is made.

    Attributes:
        settings: what the case study tells its laboratory (`CaseStudy.laboratory`): texts, numbers, truth values, None,
            and lists of them and dictionaries
        seed: of the laboratory's random numbers
        poses: returns where the robots really are now that have this equipment (m, m, rad), by their numbers
        shared: one dictionary for all that plays equipment in the laboratory: for what they share
        drive: puts a robot on a course, for equipment that drives it; None: it stands still
        course: the course that a robot is on; None while it stands, for it has arrived, met something or been stopped
    """

    settings: Mapping[str, Any]
    seed: int
    poses: Callable[[], dict[int, Pose]]
    shared: dict[str, Any]
    drive: Callable[[int, Course | None], None] = lambda robot, course: None
    course: Callable[[int], Course | None] = lambda robot: None


class EquipmentStandIn(ABC):
    """Base of classes that play equipment of robots' own, such as a gripper; they are made without arguments.

    One object plays this equipment of all stand-ins of a laboratory, so that it can keep what they share: where items
    are, for instance. It shares no code with the models: so it can show where these are wrong.

    Attributes:
        takes: time from a question to its answer (s of the laboratory's time)
    """

    takes: ClassVar[float] = 0.0

    def begin(self, scene: LabScene) -> None:
        """The laboratory is made, and nothing has happened yet. By default nothing."""
        return

    @abstractmethod
    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any] | None:
        """What a robot's equipment answers, when it is done.

        Args:
            robot: its number
            question: values of its fields, by their names: truth values, numbers, texts and lists of numbers
            pose: where the robot really is (m, m, rad)
            time: of the laboratory (s)

        Returns:
            values of the answer's fields, of the same kinds; None where there is nothing to tell
        """

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """What a robot's equipment tells by itself now, such as a button that is pressed; it is looked at ten times per
        second. By default nothing.

        Args:
            robot: its number
            pose: where the robot really is (m, m, rad)
            time: of the laboratory (s)

        Returns:
            values of an answer's fields; None for nothing
        """
        return None


class Played:
    """Equipment of one robot, as its stand-in has it.

    Args:
        target: ``module:Class`` of what plays it
        player: an object of that class
        robot: number of the robot
    """

    def __init__(self, target: str, player: EquipmentStandIn, robot: int) -> None:
        self._target = target
        self._player = player
        self._robot = robot

    @property
    def takes(self) -> float:
        """Time from a question to its answer (s)."""
        return self._player.takes

    @property
    def speaks(self) -> bool:
        """Whether it may tell something unasked."""
        return type(self._player).unasked is not EquipmentStandIn.unasked

    def answer(self, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any] | None:
        """What it answers.

        Raises:
            DevsRoboticsError: the class fails, or answers what no message can carry
        """
        return self._checked(lambda: self._player.answer(self._robot, dict(question), pose, time))

    def unasked(self, pose: Pose, time: float) -> dict[str, Any] | None:
        """What it tells by itself.

        Raises:
            DevsRoboticsError: the same
        """
        return self._checked(lambda: self._player.unasked(self._robot, pose, time))

    def _checked(self, call: Callable[[], object]) -> dict[str, Any] | None:
        with user_code(self._broken):
            said = call()
        try:
            data: dict[str, Any] | None = msgspec.convert(said, Data | None)
        except msgspec.ValidationError as error:
            raise self._broken(f"it said {in_short(said)}: {error}") from None
        return data

    def _broken(self, why: str) -> DevsRoboticsError:
        return DevsRoboticsError(f"the stand-in {self._target} failed for robot {self._robot} ({why}): mend the class")


def equipment_of(targets: dict[str, str], robot: int, players: dict[str, EquipmentStandIn]) -> dict[str, Played]:
    """The equipment of one robot, by its names.

    Args:
        targets: ``module:Class`` of what plays it, by the same
        robot: its number
        players: those that were made before, by ``module:Class``; new ones are added

    Raises:
        DevsRoboticsError: there is no such class, or it cannot be made
    """
    found = {}
    for name, target in targets.items():
        if target not in players:
            players[target] = _made(target)
        found[name] = Played(target, players[target], robot)
    return found


def begin(players: Mapping[str, EquipmentStandIn], scene_of: Callable[[str], LabScene]) -> None:
    """Tell all that plays equipment that the laboratory is made.

    Args:
        players: by ``module:Class``
        scene_of: makes what one of them is told

    Raises:
        DevsRoboticsError: one of them fails
    """

    def broken(target: str) -> Callable[[str], DevsRoboticsError]:
        return lambda why: DevsRoboticsError(f"the stand-in {target!r} cannot begin ({why}): mend the class")

    for target, player in players.items():
        with user_code(broken(target)):
            player.begin(scene_of(target))


def _made(target: str) -> EquipmentStandIn:
    cls: Callable[[], object] = load_class(target, "stand-in")
    with user_code(lambda why: DevsRoboticsError(f"the stand-in {target!r} cannot be made ({why}): mend the class")):
        player = cls()
    if not isinstance(player, EquipmentStandIn):
        raise DevsRoboticsError(
            f"{target!r} plays no equipment: derive it from devs_robotics.hil.lab.equipment.EquipmentStandIn"
        )
    return player


if not TYPE_CHECKING:  # type checkers would take any name for one that it knows
    __getattr__ = former_classes(__name__, {"Scene": LabScene})
