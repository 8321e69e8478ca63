"""docs/case-studies.md: its tables name what there is; that its code runs, test_documents.py shows."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from devs_robotics import study
from devs_robotics.experimental_frames.frame.metric import SCALES
from devs_robotics.scenarios.case_study.case_study import HOOKS
from devs_robotics.study import CaseStudy, CaseSystem, Frame, Robot, metric
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "case-studies.md").read_text()

MADE = {"schema", "table", "table_name", "tables"}
"""What every case study's class gets by itself."""


def rows(heading: str) -> list[list[str]]:
    """The cells of all tables below a heading, without those tables' heads."""
    (section,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, flags=re.S | re.M)
    tables = re.findall(r"^\|[^\n]*\n\| --- [^\n]*\n((?:\|[^\n]*\n)+)", section, flags=re.M)
    return [[cell.strip() for cell in row.strip("|").split("|")] for table in tables for row in table.splitlines()]


def named(heading: str) -> list[str]:
    """What stands as code in the first cells below a heading."""
    return [name for first, *_ in rows(heading) for name in re.findall("`([^`]+)`", first)]


def test_every_name_of_the_module_for_authors_has_a_line() -> None:
    assert set(study.__all__) <= set(named("What `devs_robotics.study` has"))


def test_every_option_of_metric_has_a_line_and_every_unit_is_named() -> None:
    assert named("Options of `@metric`") == list(inspect.signature(metric).parameters)
    (unit,) = (says for first, says in rows("Options of `@metric`") if first == "`unit`")
    assert re.findall("`([^`]+)`", unit) == [each for each in SCALES if each]


def test_every_attribute_and_method_of_case_studies_has_a_line() -> None:
    public = {name for name in HOOKS if not name.startswith("_")} - MADE
    assert {name.partition("(")[0] for name in named("What a case study may say")} == public


@pytest.mark.parametrize(
    ("heading", "cls"),
    [("What `system` offers", CaseSystem), ("What a robot offers", Robot), ("What `frame` offers", Frame)],
)
def test_calls_that_are_shown_are_those_that_there_are(heading: str, cls: type) -> None:
    calls = [name.partition(".")[2].partition("(") for name in named(heading) if "(" in name]
    assert len(calls) >= 2
    for method, _, arguments in calls:
        shown = [each.partition("=")[0] for each in arguments.removesuffix(")").split(", ")]
        assert shown == [str(each).partition(":")[0] for each in parameters(cls, method)]


def parameters(cls: type, method: str) -> list[inspect.Parameter]:
    """Of a method, without the object."""
    return list(inspect.signature(getattr(cls, method)).parameters.values())[1:]


def test_examples_of_settings_are_read_and_have_the_unit_that_is_said() -> None:
    for name, unit, text in ((first.strip("`"), unit, text) for first, unit, text in rows("Types of settings")):
        adapter: TypeAdapter[Any] = TypeAdapter(getattr(study, name))
        adapter.validate_python(1)
        if text == "none":
            with pytest.raises(ValueError, match=r"must be a number|valid integer"):
                adapter.validate_python("1 m", strict=True)
        else:
            adapter.validate_python(text.strip('`"'))
            with pytest.raises(ValueError, match=f"a number in {unit},"):
                adapter.validate_python("1")


def test_case_studies_without_anything_of_their_own_have_the_defaults_that_are_said() -> None:
    usual = {first.strip("`"): says.rpartition("; ")[2] for first, says in rows("What a case study may say")}
    assert CaseStudy.in_the_loop == {2: {}}
    assert usual["in_the_loop"] == "robot 2"
    assert usual["may_differ"] == "`run.duration`, `frame` and `clock`"
    assert CaseStudy.may_differ == ("run.duration", "frame", "clock")
    assert not CaseStudy.followed
