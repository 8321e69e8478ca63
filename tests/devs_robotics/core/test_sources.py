"""Hashes of sources: of whose classes there are some, and when they change."""

from __future__ import annotations

import hashlib
import inspect
import sys
from types import ModuleType

import pytest

from devs_robotics import Atomic
from devs_robotics.core.sources import source_hashes
from tests.devs_robotics.core.small_models import Clock, Log


class Slow(Clock):
    """A clock of our own."""


def named(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def test_each_class_and_its_bases_are_there_once_in_order_and_those_with_versions_are_not() -> None:
    found = source_hashes([Slow("a", 1.0), Slow("b", 1.0), Log()])
    assert list(found) == sorted(map(named, (Clock, Log, Slow)))
    assert found[named(Slow)] == hashlib.sha256(inspect.getsource(Slow).encode()).hexdigest()
    assert source_hashes([Atomic("plain")]) == {}


def test_a_package_whose_name_begins_as_one_with_versions_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Log, "__module__", "xdevs_of_mine")
    monkeypatch.setattr(inspect, "getsource", lambda cls: cls.__name__)
    assert list(source_hashes([Log()])) == ["xdevs_of_mine.Log"]


@pytest.mark.parametrize("module", ["nowhere_at_all", "without_a_file"])
def test_what_was_written_at_a_prompt_has_no_source(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "without_a_file", ModuleType("without_a_file"))
    typed = type("Typed", (Slow,), {"__module__": module})
    assert named(typed) not in source_hashes([typed("a", 1.0)])
    assert len(source_hashes([typed("a", 1.0)])) == 2
