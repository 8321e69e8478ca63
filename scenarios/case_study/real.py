"""What a case study says of real robots: which there are where a scenario names none, and what plays equipment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from devs_robotics.core.user_code import user_code
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings.tables import RealTable

if TYPE_CHECKING:
    from devs_robotics.scenarios.case_study.case_study import CaseStudy


def real_tables(study: CaseStudy) -> dict[int, RealTable]:
    """The real robots of the stage `loop` where a scenario names none."""
    with user_code(lambda why: CaseError(f"{type(study).__name__}.in_the_loop is wrong: {why}")):
        return {int(number): RealTable.model_validate(dict(table)) for number, table in study.real_robots().items()}


def real_table(cls: type[CaseStudy]) -> RealTable:
    """What real robots are where nothing else is said."""
    with user_code(lambda why: CaseError(f"{cls.__name__}.when_real is wrong: {why}")):
        return RealTable.model_validate(dict(cls.when_real))


def check_stand_ins(cls: type[CaseStudy]) -> None:
    """Whether what plays equipment is named as it must be.

    Raises:
        CaseError: it is not
    """
    given: object = cls.stand_ins
    if not isinstance(given, Mapping) or not all(isinstance(each, str) for pair in given.items() for each in pair):
        raise CaseError(f'{cls.__name__}.stand_ins must be names and classes, as {{"gripper": "hands:PlayedGripper"}}')
