from __future__ import annotations

from pathlib import Path

import pytest

from devs_robotics.experimental_frames.sweep.reading import SweepError
from devs_robotics.experimental_frames.sweep_report.folders import command_of, read_folders
from tests.experimental_frames.sweep_report.sweeps import PAPER, write


def test_a_sweep_is_read_with_its_design_and_the_commands_of_runs_that_were_not_accepted(tmp_path: Path) -> None:
    (folder,) = read_folders(
        [
            write(
                tmp_path / "sens",
                PAPER,
                lambda values, replicate: {"ended": "failed" if replicate == 2 else "accepted"},
            )
        ]
    )
    assert (folder.name, folder.kind, folder.replicates) == ("sens", "factorial", 6)
    assert folder.scenario["convoy"]["robots"] == 30
    assert [path.name for path in folder.data] == ["runs.csv", "design.json", "settings.jsonl"]
    failed = [row for row in folder.sweep.rows if row["ended"] == "failed"]
    assert [command_of(folder, row) for row in failed] == ["devs-robotics run convoy --seed 3"] * 3


def test_sweeps_with_folders_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    paths = [write(tmp_path / place / "sens", PAPER) for place in ("one", "two")]
    assert [folder.name for folder in read_folders(paths)] == [path.as_posix() for path in paths]


def test_mistakes_are_told_in_one_sentence_with_the_place_and_the_remedy(tmp_path: Path) -> None:
    sens = write(tmp_path / "sens", PAPER)
    other = write(tmp_path / "other", PAPER, title="A dance")
    empty = write(tmp_path / "empty", PAPER)
    (empty / "runs.csv").write_text((empty / "runs.csv").read_text().splitlines()[0] + "\n")
    broken = write(tmp_path / "broken", PAPER)
    (broken / "design.json").write_text('{"design": {"kind": "factorial", "keys": ["noise.dnf"]}}')
    torn = write(tmp_path / "torn", PAPER, lambda values, replicate: {"ended": "failed"})
    (torn / "settings.jsonl").write_text('{"run": 0, "comm')
    deep = write(tmp_path / "deep", PAPER, lambda values, replicate: {"ended": "failed"})
    (deep / "settings.jsonl").write_text(f'{{"run": {"[" * 100_000}\n')
    lost = write(tmp_path / "lost", PAPER, lambda values, replicate: {"ended": "failed"})
    (lost / "settings.jsonl").unlink()
    (tmp_path / "nothing").mkdir()
    for paths, said in (
        ([tmp_path / "none"], "there is no such folder: name one that devs-robotics sweep has written"),
        ([tmp_path / "nothing"], "runs.csv is missing"),
        ([sens, sens], "this sweep is named twice"),
        ([empty], "none of the sweep's runs is done yet"),
        ([broken], "design.json: it is not the design of a sweep ("),
        ([torn], "settings.jsonl: it is not the settings of each run ("),
        ([deep], "settings.jsonl: it is not the settings of each run ("),
        ([lost], "the settings of the runs are missing"),
        ([sens, other], "make a report for each scenario"),
    ):
        with pytest.raises(SweepError) as caught:
            read_folders(paths)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)
        assert any(str(path) in str(caught.value) for path in paths)
