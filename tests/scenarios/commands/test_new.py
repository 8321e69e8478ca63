"""``devs-robotics new``: what it writes runs at once and passes its test, and what it must not write it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands import new
from devs_robotics.scenarios.commands.cli import main
from tests.paths import ROOT, names

Shown = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """As somebody calls it in the folder of the new files, where devs-robotics is installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("name", ["cleaning", "my_robots", "Patrol2"])
def test_what_is_written_passes_its_test_and_runs(name: str, tmp_path: Path, capsys: Shown) -> None:
    assert main(["new", name]) == 0
    assert capsys.readouterr().out.endswith(
        f"  devs-robotics run {name}.toml\n  devs-robotics check {name}.toml --keys\n  pytest test_{name}.py\n"
    )
    assert names(tmp_path) == sorted([f"{name}.py", f"{name}.toml", f"test_{name}.py", f"test_{name}.jsonl"])
    tested = python("-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", f"test_{name}.py")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "2 passed" in tested.stdout
    ran = python("-m", "devs_robotics", "run", f"{name}.toml")
    assert ran.returncode == 0, ran.stderr
    assert "share of the field covered" in ran.stdout


def test_a_new_case_runs_in_the_loop(capsys: Shown) -> None:
    assert main(["new", "in_the_loop"]) == 0
    assert main(["run", "in_the_loop.toml", "--stage", "loop", "--lab", "inside", "--set", "run.duration=10"]) == 0
    assert "robot 2: a stand-in, json; motor loop, infrared real" in capsys.readouterr().out


def test_every_key_of_a_new_case_has_a_meaning(capsys: Shown) -> None:
    assert main(["new", "keyed"]) == 0
    assert main(["check", "keyed.toml", "--keys"]) == 0
    assert "  keyed.step       0.3 m  The longest way ahead.\n" in capsys.readouterr().out


def test_the_golden_trace_notices_a_change(tmp_path: Path) -> None:
    assert main(["new", "changed"]) == 0
    module = tmp_path / "changed.py"
    module.write_text(module.read_text().replace("radians(180) *", "radians(90) *"))
    tested = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_changed.py")
    assert tested.returncode == 1
    assert "the traces differ at 2.2 s in decision" in tested.stdout


NO_NAME = (
    "cannot be the name of a module: take letters, digits and underscores, a letter first, such as cleaning, and no "
    "word of Python"
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("my-robots", f"'my-robots' {NO_NAME}"),
        ("2robots", f"'2robots' {NO_NAME}"),
        ("_robots", f"'_robots' {NO_NAME}"),
        ("größe", f"'größe' {NO_NAME}"),
        ("class", f"'class' {NO_NAME}"),
        ("../robots", f"'../robots' {NO_NAME}"),
        ("", f"'' {NO_NAME}"),
        ("json", "Python has a module 'json', which json.py would hide: take another name"),
        ("numpy", "an installed package has a module 'numpy', which numpy.py would hide: take another name"),
        (
            "devs_robotics",
            "an installed package has a module 'devs_robotics', which devs_robotics.py would hide: take another name",
        ),
        ("xdevs", "an installed package has a module 'xdevs', which xdevs.py would hide: take another name"),
        (
            "stand_in",
            "the settings of StandIn would stand in the table [stand_in], which every scenario has: take another name",
        ),
        (
            "transducer",
            "the class would be called Transducer, as something of Python or of devs_robotics is: take another name",
        ),
        (
            "exception",
            "the class would be called Exception, as something of Python or of devs_robotics is: take another name",
        ),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    name: str, sentence: str, tmp_path: Path, capsys: Shown
) -> None:
    assert main(["new", name]) == 2
    assert capsys.readouterr() == ("", f"devs-robotics: new: {sentence}\n")
    assert names(tmp_path) == []


@pytest.mark.parametrize("file", ["seen.py", "seen.toml", "test_seen.py", "test_seen.jsonl", "seen/__init__.py"])
def test_no_file_is_written_over(file: str, tmp_path: Path, capsys: Shown) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("mine")
    assert main(["new", "seen"]) == 2
    assert capsys.readouterr().err == (
        f"devs-robotics: new: {file} exists already: take another name, or go to another folder\n"
    )
    assert names(tmp_path) == [file.partition("/")[0]]
    assert (tmp_path / file).read_text() == "mine"


def test_what_cannot_be_written_whole_is_not_written_at_all(
    tmp_path: Path, capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the files has no folder, in place of a disk that is full."""
    files = new._files

    def meanwhile(name: str) -> dict[str, str | bytes]:
        return {**files(name), "no folder/file": b""}

    monkeypatch.setattr(new, "_files", meanwhile)
    assert main(["new", "seen"]) == 2
    assert capsys.readouterr().err == (
        "devs-robotics: new: no folder/file cannot be written (No such file or directory): go to another folder\n"
    )
    assert names(tmp_path) == []


def test_no_module_stays_behind() -> None:
    assert main(["new", "passing_by"]) == 0
    assert not {"passing_by", "test_passing_by"} & set(sys.modules)
