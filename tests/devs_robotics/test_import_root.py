"""One import root: `devs_robotics` mounts the repository's other folders by links, and a wheel holds one package."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.mutants.trying import copy_of
from tests.paths import ROOT

MOUNTED = ("experimental_frames", "hil", "models", "scenarios")

USERS = {
    "models/__init__.py": "raise SystemExit('models of the user')",
    "scenarios/__init__.py": "raise SystemExit('scenarios of the user')",
    "experimental_frames.py": "raise SystemExit('frames of the user')",
    "hil.py": "raise SystemExit('hil of the user')",
    "mine.toml": "title = 'mine'\nrun.rounds = 2\n[convoy]\nrobots = 2\n",
    "script.py": "from devs_robotics.scenarios.settings.loading import load\n"
    "from devs_robotics.scenarios.running.means import Means\n"
    "from devs_robotics.scenarios.running.run import run\n"
    "print(run(load('mine.toml'), Means('realtime', rate=200.0)).ended)\n",
}

EVERY_MODULE = """
import importlib, pkgutil, sys
from collections import Counter
from pathlib import Path
import devs_robotics
for found in pkgutil.walk_packages(devs_robotics.__path__, "devs_robotics."):
    if not found.name.endswith(("__main__", "pytest_plugin")):
        importlib.import_module(found.name)
names = [name for module in list(sys.modules.values()) if (name := getattr(module, "__file__", None))]
files = Counter(Path(name).resolve() for name in names)
ours = {file: count for file, count in files.items() if file.is_relative_to(sys.argv[1]) and ".venv" not in str(file)}
print(len(ours), max(ours.values()))
"""


@pytest.mark.parametrize("folder", MOUNTED)
def test_a_folder_is_mounted_by_a_relative_link(folder: str) -> None:
    assert (ROOT / "devs_robotics" / folder).readlink() == Path("..") / folder


def test_every_file_is_loaded_as_one_module() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_MODULE, str(ROOT)], capture_output=True, text=True, check=True, cwd="/"
    )
    files, times = map(int, done.stdout.split())
    assert files > 300
    assert times == 1


@pytest.fixture
def users(tmp_path: Path) -> Path:
    """A folder of a user's, with names of ours in it."""
    for name, text in USERS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["-m", "devs_robotics", "run", "mine.toml"], id="command"),
        pytest.param(["-m", "devs_robotics", "run", "mine.toml", "--stage", "distributed"], id="nodes"),
        pytest.param(["script.py"], id="script"),
        pytest.param(["-c", USERS["script.py"]], id="notebook"),  # whose own folder is where it was started
    ],
)
def test_folders_of_a_user_with_names_of_ours_break_nothing(users: Path, command: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=users, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "accepted" in done.stdout


NAMES = (
    *("abc", "amqtt", "cloudpickle", "joblib", "json", "msgspec", "numpy", "queue", "random", "signal", "statistics"),
    *("string", "test", "threading", "time", "token", "types", "xdevs"),
)

AS_THE_COMMAND = """
import sys
sys.path.pop(0)  # where Python looks for a program that has no file; of the command it is the folder of commands
from devs_robotics.scenarios.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command",
    [
        ["sweep", "convoy", "--set=convoy.robots=2", "--set=run.rounds=2", "--replicates=2", "--jobs=2", "--out=out"],
        ["certify", "wander", "--robots=2", "--duration=2", "--seeds=2", "--jobs=2"],
        ["experiment", "pera", "--which=1,3", "--quick", "--trials=1", "--workers=2", "--out=out"],
    ],
    ids=["sweep", "certify", "experiment"],
)
def test_files_of_a_user_with_names_of_modules_break_no_process(tmp_path: Path, command: list[str]) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of the user')")
    done = subprocess.run(
        [sys.executable, "-c", AS_THE_COMMAND, *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "of the user" not in done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and a source distribution."""
    place = tmp_path_factory.mktemp("built")
    source = copy_of(ROOT, place / "source")
    code = (
        "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_wheel(out); b.build_sdist(out)"
    )
    subprocess.run([sys.executable, "-c", code, place], check=True, capture_output=True, cwd=source)
    return place


def test_a_wheel_holds_one_package_with_real_files(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        files = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.partition("/")[0] for name in files} == {"devs_robotics"}
    for folder in MOUNTED:
        ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py")}
        assert {f"devs_robotics/{name}" for name in ours} <= set(files)
    scenarios = ("scenarios/convoy/convoy.toml", "scenarios/wander.toml", "scenarios/commands/new_files/test.txt")
    for name in ("py.typed", *scenarios, "experimental_frames/report/page.css"):
        assert f"devs_robotics/{name}" in files


def test_a_source_distribution_holds_real_files(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert not [member.name for member in members if member.issym() or member.islnk()]
    assert any(member.name.endswith("devs_robotics/models/convoy/follower.py") for member in members)
