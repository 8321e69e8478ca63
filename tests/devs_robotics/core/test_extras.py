"""A plain install: what it can do, and what it says of the rest, in one sentence with the command that brings it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from configparser import ConfigParser
from pathlib import Path

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import PACKAGES, MissingPackageError, available, load, needed, remedy, sentence
from tests.paths import ROOT, names
from tests.scenarios.commands.calling import called

NAMES = {"PIL": "pillow", "cv2": "opencv-python-headless", "foxglove": "foxglove-sdk", "paho": "paho-mqtt"}
NAMES |= {"serial": "pyserial", "imageio_ffmpeg": "imageio-ffmpeg", "zenoh": "eclipse-zenoh"}
"""Of packages that are installed by another name than they are imported."""

PLAIN = """
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(",")))  # as if they were not installed
from devs_robotics.scenarios.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""
EACH = PLAIN.replace("sys.exit(main(sys.argv[1:]))", "print(*[main(line.split()) for line in sys.argv[1:]], sep='\\n')")
"""The same for several commands, one per argument; their exit statuses are printed."""


def extras() -> dict[str, list[str]]:
    parsed = ConfigParser()
    parsed.read(ROOT / "setup.cfg", encoding="utf-8")
    return {name: value.split("\n")[1:] for name, value in parsed["options.extras_require"].items()}


def plainly(
    *arguments: str, cwd: Path, lacks: Iterable[str] = PACKAGES, program: str = PLAIN
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    command = [sys.executable, "-W", "error", "-c", program, ",".join(lacks), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=environment)


@pytest.mark.parametrize("module", PACKAGES)
def test_the_extra_that_is_named_brings_the_package(module: str) -> None:
    name = NAMES.get(module, module)
    brought = [re.split(r"[ \[;]", line)[0].lower() for line in extras()[PACKAGES[module].extra]]
    assert name.lower() in brought


def test_all_and_test_have_what_the_others_have() -> None:
    found = extras()
    single = {line for name in found for line in found[name] if name not in ("all", "benchmark", "docs", "ray", "test")}
    assert set(found["all"]) == single
    assert single <= set(found["test"])


def test_the_page_about_installing_has_each_extra() -> None:
    told = re.findall(r"^\| `\[(\w+)\]`", (ROOT / "docs" / "install.md").read_text(encoding="utf-8"), flags=re.M)
    assert sorted(told) == sorted(set(extras()) - {"test", "benchmark"})


def test_every_extra_that_is_named_anywhere_is_there() -> None:
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "scenarios").rglob("*.py")]
    named = {
        extra
        for path in texts
        for found in re.findall(r"devs-robotics\[([\w,]+)\]", path.read_text(encoding="utf-8"))
        for extra in found.split(",")
    }
    assert {"report", "mqtt", "camera"} <= named <= set(extras())


def test_a_package_that_is_missing_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert not available("cv2")
    said = "cameras need OpenCV, which is not installed: pip install 'devs-robotics[camera]'"
    with pytest.raises(MissingPackageError) as first, needed("cameras need"):
        import cv2  # noqa: F401
    with pytest.raises(MissingPackageError) as second:
        load("cv2", "cameras need")
    assert str(first.value) == str(second.value) == said
    assert sentence("a view needs", "uvicorn", "websockets").startswith("a view needs uvicorn, websockets, which are")


def test_what_no_extra_brings_is_raised_as_it_is() -> None:
    with pytest.raises(ModuleNotFoundError), needed("cameras need"):
        import no_such_module_anywhere  # type: ignore[import-not-found]  # noqa: F401
    assert remedy(ImportError("cannot import name 'x'", name="numpy"), "this needs") == ""


def test_an_error_of_ones_own_may_tell_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class OwnError(DevsRoboticsError):
        pass

    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(OwnError, match=r"\[serial\]"):
        load("serial", "a line needs", OwnError)


def test_a_fast_run_needs_nothing_else_and_is_the_same(tmp_path: Path) -> None:
    command = "run convoy --set run.rounds=45 --set convoy.robots=3 --out"
    done = plainly(*command.split(), "plain", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"results: plain\n{sentence('a report needs', 'matplotlib')}\n")
    assert called(*command.split(), "full", cwd=tmp_path).returncode == 0
    assert {*names(tmp_path / "full")} - {*names(tmp_path / "plain")} == {"report.html"}
    for name in ("rounds.csv", "series.csv"):
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "full" / name).read_bytes()
    plain, full = (json.loads((tmp_path / each / "summary.json").read_text()) for each in ("plain", "full"))
    assert plain["coherence"] == full["coherence"]


def test_what_ships_runs_without_extras_or_names_the_one(tmp_path: Path) -> None:
    shipped = sorted(path.stem for path in (ROOT / "scenarios").glob("*.toml"))
    needing = {"logistics": "trees", "swarm": "report"}
    done = plainly(*(f"check {name}" for name in shipped), cwd=tmp_path, program=EACH)
    statuses = dict(zip(shipped, done.stdout.splitlines()[-len(shipped) :], strict=True))
    assert statuses == {name: "2" if name in needing else "0" for name in shipped}
    told = [line for line in done.stderr.splitlines() if line.startswith("devs-robotics: ")]
    for said, extra in zip(told, needing.values(), strict=True):
        assert said.endswith(f"not installed: pip install 'devs-robotics[{extra}]'")


def test_the_list_tells_what_a_scenario_lacks(tmp_path: Path) -> None:
    done = plainly("list", cwd=tmp_path)
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, "")
    assert lines["logistics"] == "it needs py_trees, which is not installed: pip install 'devs-robotics[trees]'"
    assert lines["wander"].startswith("Robots wander")


NEEDING = {
    "report . --out report.html": "report",
    "run wander --stage loop": "mqtt",
    "run wander --view": "view",
    "sweep wander --sobol wandering.step=0.1:0.3 --samples 2 --out sobol": "sensitivity",
}


def test_the_commands_that_need_more_say_so(tmp_path: Path) -> None:
    done = plainly(*NEEDING, cwd=tmp_path, program=EACH)
    assert done.stdout.splitlines()[-len(NEEDING) :] == ["2"] * len(NEEDING)
    told = [line for line in done.stderr.splitlines() if line.startswith("devs-robotics: ")]
    assert len(told) == len(NEEDING)
    for said, extra in zip(told, NEEDING.values(), strict=True):
        assert said.endswith(f"not installed: pip install 'devs-robotics[{extra}]'")


def test_a_report_of_a_sweep_needs_no_more_than_its_extra(tmp_path: Path) -> None:
    sweep = "sweep wander --vary wandering.robots=2,3 --replicates 2 --jobs 1 --set run.duration=5 --out sweep"
    assert called(*sweep.split(), cwd=tmp_path).returncode == 0
    lacks = [module for module, package in PACKAGES.items() if package.extra != "report"]
    done = plainly("report", "sweep", "--out", "report.html", cwd=tmp_path, lacks=lacks)
    assert (done.returncode, done.stderr) == (0, "")
