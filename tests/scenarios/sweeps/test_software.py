"""What software makes runs: hashes of sources change with the sources, and with nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.sweeps.software import OURS as PACKAGES
from devs_robotics.scenarios.sweeps.software import modules_of, software

FILES = {
    "plain_metric.py": "import json\nimport numpy\nfrom devs_robotics import models\nimport metric_tools.shapes\n",
    "metric_tools/__init__.py": "",
    "metric_tools/shapes.py": "def area():\n    from . import lengths\n    from .units import METRE\n",
    "metric_tools/lengths.py": "import metric_tools.units as units, plain_metric\n",
    "metric_tools/units.py": "METRE = 1.0\n",
    "metric_tools/unused.py": "import ast\n",
    "unused_metric.py": "from metric_tools import shapes\n",
}

OURS = {f"devs_robotics.{package}" for package in PACKAGES}

USED = {"plain_metric", "metric_tools", "metric_tools.shapes", "metric_tools.lengths", "metric_tools.units"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's modules, which are never imported here."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    assert not {"plain_metric", "metric_tools"} & sys.modules.keys()


def test_a_named_module_is_hashed_with_what_it_imports_of_the_users(folder: Path) -> None:
    assert software(("plain_metric",)).sources.keys() == {*OURS, *USED}
    assert software(("devs_robotics.models.convoy",)).sources.keys() == OURS
    assert software(()).sources.keys() == OURS
    assert software(("nowhere", "plain_metric.nothing")).sources.keys() == {*OURS, *USED}
    assert software(("__main__",)).sources.keys() <= {*OURS, "__main__"}


@given(data=st.data())
def test_a_hash_changes_with_its_file_alone(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("sources")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        before = software(("plain_metric",))
        assert software(("plain_metric",)) == before
        name = data.draw(st.sampled_from(sorted(FILES)))
        (folder / name).write_text(FILES[name] + "# more\n")
        after = software(("plain_metric",))
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    changed = {key for key in {*before.sources, *after.sources} if before.sources.get(key) != after.sources.get(key)}
    assert changed == ({module} & USED)


def test_an_installed_package_is_hashed_where_it_is_named() -> None:
    assert software(("joblib.hashing",)).sources.keys() >= {"joblib", "joblib.hashing", "joblib.numpy_pickle"}
    assert "numpy" not in software(("joblib.hashing",)).sources


def test_modules_are_those_that_scenarios_name() -> None:
    own = ("devs_robotics.models.convoy", "devs_robotics.scenarios.convoy.case")
    assert modules_of([load("convoy")]) == own
    parts = load("convoy", ["frame.parts.bomb.model=tests.scenarios.sweeps.bombs:Bomb"])
    assert modules_of([load("convoy"), parts]) == (*own, "tests.scenarios.sweeps.bombs")
