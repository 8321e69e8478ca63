"""What Python's garbage collector does not look through while a run goes on."""

from __future__ import annotations

import gc

import pytest

from devs_robotics import Run, Simulator
from devs_robotics.core.garbage import longer_lived_left_alone
from tests.devs_robotics.core.small_models import Clock


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the collector is told; nothing is frozen at first."""
    calls: list[str] = []
    for name in ("freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda name=name: calls.append(name))
    monkeypatch.setattr(gc, "get_freeze_count", lambda: calls.count("freeze") - calls.count("unfreeze"))
    return calls


def test_it_is_thawed_by_who_has_frozen_it_whatever_happens(calls: list[str]) -> None:
    def fail() -> None:
        with longer_lived_left_alone():
            with longer_lived_left_alone():
                assert calls == ["freeze"]
            assert calls == ["freeze"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert calls == ["freeze", "unfreeze"]


def test_a_run_leaves_what_was_built_alone_until_its_end(calls: list[str]) -> None:
    seen: list[tuple[str, ...]] = []
    Run(Simulator(Clock("clock", 0.001))).until(time=3.0, report=lambda: seen.append(tuple(calls)))
    assert set(seen) == {("freeze",)}
    assert calls == ["freeze", "unfreeze"]
