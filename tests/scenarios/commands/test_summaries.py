"""What commands tell programs (--json), and that they tell nothing when they are not to (--quiet)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.models.convoy import Leader
from devs_robotics.scenarios.commands.cli import main
from tests.paths import names

SMALL = ("convoy", "--set", "convoy.robots=3", "--set", "run.rounds=3")

Shown = pytest.CaptureFixture[str]


def told(shown: Shown, status: int, *arguments: object) -> Any:
    assert main([*map(str, arguments), "--json"]) == status
    out, err = shown.readouterr()
    assert (out.count("\n"), err) == (1, "")
    return json.loads(out)


def test_run_tells_what_its_summary_says(tmp_path: Path, capsys: Shown) -> None:
    found = told(capsys, 0, "run", *SMALL, "--out", tmp_path)
    written = json.loads((tmp_path / "summary.json").read_text())
    assert found["outcome"] == "accepted"
    assert found == written


def test_a_rejected_run_tells_so_too(capsys: Shown) -> None:
    noisy = ("--set", "noise.dnf=0.9", "--set", "noise.anf=9", "--set", "run.rounds=300")
    assert told(capsys, 1, "run", *SMALL, *noisy)["outcome"] == "rejected"


def test_check_tells_each_mistake_with_its_keys(capsys: Shown) -> None:
    found = told(capsys, 2, "check", *SMALL, "--set", "convoy.robot=3", "--set", "leader.step=2")
    assert found["mistakes"] == [
        {"keys": ["convoy.robot"], "sentence": "there is no such key: did you mean 'convoy.robots'?"},
        {
            "keys": ["leader.step", "leader.clearance"],
            "sentence": "a step of 2 m would lead past what was found free (0.5 m): make it less than leader.clearance",
        },
    ]
    good = told(capsys, 0, "check", *SMALL)
    assert (good["mistakes"], len(good["scenario_sha256"])) == ([], 64)


def test_sweep_tells_how_its_runs_ended(tmp_path: Path, capsys: Shown) -> None:
    design = ("--vary", "noise.dnf=0,0.1", "--replicates", 2)
    found = told(capsys, 0, "sweep", *SMALL, *design, "--jobs", 1, "--out", tmp_path)
    assert (found["runs"], found["left"], found["ended"], found["failed"]) == (4, 0, {"accepted": 4}, [])
    assert found["files"][0] == str(tmp_path / "runs.csv")
    assert found["command"].startswith("devs-robotics sweep convoy --set convoy.robots=3 ")


def test_study_and_conform_tell_what_they_write(tmp_path: Path, capsys: Shown) -> None:
    study = told(capsys, 0, "study", *SMALL, "--stages", "fast", "--seeds", "1", "--out", tmp_path / "study")
    assert study == json.loads((tmp_path / "study" / "study.json").read_text())
    conform = told(capsys, 0, "conform", *SMALL, "--level", "single", "--out", tmp_path / "conform")
    assert conform == json.loads((tmp_path / "conform" / "conformance.json").read_text())
    assert conform["ending"] == "conforms"


@pytest.mark.parametrize(
    ("status", "arguments"),
    [
        (0, ["run", *SMALL, "--out", "out"]),
        (0, ["sweep", *SMALL, "--replicates", "1", "--jobs", "1", "--out", "out"]),
        (0, ["conform", *SMALL, "--level", "single"]),
        (0, ["check", *SMALL]),
        (2, ["check", *SMALL, "--set", "noise.dnf=2"]),
    ],
)
def test_quiet_commands_say_nothing(
    status: int, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--quiet"]) == status
    assert capsys.readouterr() == ("", "")
    assert bool(names(tmp_path)) == ("--out" in arguments)


def test_a_mistake_is_told_also_by_quiet_commands(capsys: Shown) -> None:
    assert main(["run", *SMALL, "--set", "noise.dnf=2", "--quiet", "--json"]) == 2
    assert capsys.readouterr() == ("", "devs-robotics: --set: noise.dnf: must be less than 1, not 2\n")


def test_a_run_that_fails_is_told_also_by_quiet_commands(capsys: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(self: Leader) -> None:
        raise RuntimeError("no more")

    monkeypatch.setattr(Leader, "lambdaf", stops)
    assert main(["run", *SMALL, "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("devs-robotics: failed: ")
    assert "RuntimeError: no more" in err


def test_two_options_may_not_write_one_file(tmp_path: Path, capsys: Shown) -> None:
    file = tmp_path / "run.jsonl"
    (tmp_path / "link.jsonl").symlink_to(file)
    for other in (file, tmp_path / "link.jsonl"):
        assert main(["run", *SMALL, "--trace", str(file), "--record", str(other)]) == 2
        assert f"--trace and --record name one file, {other}: give them two" in capsys.readouterr().err
    assert not file.exists()


def test_run_and_sweep_say_where_to_go_on(tmp_path: Path, capsys: Shown) -> None:
    main(["run", *SMALL])
    assert capsys.readouterr().out.endswith("\nto keep the results, with a report: add --out DIR\n")
    main(["sweep", *SMALL, "--replicates", "1", "--jobs", "1", "--out", str(tmp_path / "a b")])
    command = f"  devs-robotics report '{tmp_path}/a b' --out '{tmp_path}/a b/report.html'\n"
    assert capsys.readouterr().out.endswith(f"\nfor a report:\n{command}")


def test_list_new_report_and_battery_tell_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    monkeypatch.chdir(tmp_path)
    names_and_titles = {each["name"]: each["title"] for each in told(capsys, 0, "list")["scenarios"]}
    assert names_and_titles["wander"] == "Robots wander in a field with a box, and cover it"
    files = told(capsys, 0, "new", "sweeping")["files"]
    assert sorted(files) == sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    curves = told(capsys, 0, "battery", "curves")
    assert curves["levels"] == [0.75, 0.5, 0.25]
    assert all(curve["times_s"] == sorted(curve["times_s"]) for curve in curves["curves"])


def test_a_comparison_of_traces_tells_whether_they_are_the_same(tmp_path: Path, capsys: Shown) -> None:
    for seed in (1, 2):
        assert main(["run", *SMALL, "--seed", str(seed), "--trace", str(tmp_path / f"{seed}.jsonl"), "--quiet"]) == 0
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert told(capsys, 0, "trace", one, "--compare", one) == {"same": True, "difference": None}
    different = told(capsys, 1, "trace", one, "--compare", two)
    assert different["same"] is False
    assert "expected" in different["difference"]
    assert main(["trace", str(one), "--json"]) == 2
    assert "--quiet and --json are for --compare" in capsys.readouterr().err
