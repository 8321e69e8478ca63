"""Methods that a class defines, and classes that are imported, by the name that they had before."""

from __future__ import annotations

import importlib
import warnings
from abc import ABC, abstractmethod
from linecache import getline
from typing import Any

import pytest

from devs_robotics.core.former_names import accept_former_name

TOLD = "^`words` of Old is now called `message`: rename it$"


class Speaker(ABC):
    """Has a method that was once called `words`."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_former_name(cls, "words", "message")

    @abstractmethod
    def message(self) -> list[str]: ...


class Modern(Speaker):
    def message(self) -> list[str]:
        return ["modern"]


def old() -> type[Speaker]:
    """A class that says the former name, and that of its base too."""

    class Old(Modern):
        def words(self) -> list[str]:
            return [*super().words(), "old"]  # type: ignore[misc]

    return Old


def test_a_class_that_has_the_former_name_is_told_once_where_it_stands() -> None:
    with pytest.warns(DeprecationWarning, match=TOLD) as told:
        made = old()
    (warning,) = told
    assert (warning.filename, getline(__file__, warning.lineno).strip()) == (__file__, "class Old(Modern):")
    with warnings.catch_warnings(record=True) as later:
        made().message()
    assert not later


def test_either_name_does_the_same_in_every_derived_class() -> None:
    with pytest.warns(DeprecationWarning, match=TOLD):
        made = old()

    class Newest(made):  # type: ignore[misc, valid-type]
        def message(self) -> list[str]:
            return [*super().message(), "newest"]

    for cls, said in (
        (Modern, ["modern"]),
        (made, ["modern", "old"]),
        (Newest, ["modern", "old", "newest"]),
    ):
        assert cls().message() == getattr(cls(), "words")() == said  # noqa: B009


def test_a_class_that_has_neither_name_is_not_complete() -> None:
    class Silent(Speaker):
        pass

    with pytest.raises(TypeError, match="message"):
        Silent()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("module", "former", "name"),
    [("devs_robotics.view.scene", "Line", "Polyline"), ("devs_robotics.hil.lab.equipment", "Scene", "LabScene")],
)
def test_a_class_is_found_by_its_former_name_and_who_asks_is_told(module: str, former: str, name: str) -> None:
    home = importlib.import_module(module)
    with pytest.warns(DeprecationWarning, match=f"^`{former}` of {module} is now called `{name}`: rename it$") as told:
        found = getattr(home, former)
    assert found is getattr(home, name)
    assert [warning.filename for warning in told] == [__file__]
    with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'Nothing'"):
        getattr(home, "Nothing")  # noqa: B009
