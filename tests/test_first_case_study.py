"""docs/first-case-study.md from top to bottom: its commands run, its changes fit, and what it shows is what comes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.playing import play

PATH = ROOT / "docs" / "first-case-study.md"


@pytest.fixture(autouse=True)
def _as_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider -p devs_robotics.core.testing.pytest_plugin")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # of others, which take most of the time to load
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("CI", raising=False)  # where traces are not written


@pytest.mark.long
@pytest.mark.wall_clock
@pytest.mark.timeout(600)
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    play(PATH, tmp_path)


def test_the_entry_point_is_of_the_group_that_is_looked_at() -> None:
    from devs_robotics.scenarios.case_study.finding import GROUP

    assert f'[project.entry-points."{GROUP}"]' in PATH.read_text()
