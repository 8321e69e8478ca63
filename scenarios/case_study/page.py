"""The page of a run of a case study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devs_robotics.scenarios.case_study.harness import StudyCase
    from devs_robotics.scenarios.case_study.outcome import CaseOutcome


def page(case: StudyCase, summary: Mapping[str, Any], outcome: CaseOutcome) -> str:
    """Top view, series, metrics and settings."""
    raise NotImplementedError
