"""Sweeps are read as they were written, and what is no sweep is told."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest

from experimental_frames.sweep.reading import SweepError, number, numbers, read_sweep
from tests.experimental_frames.sweep.made_sweeps import METRIC, made_sweep, write


def test_a_sweep_is_read_as_it_was_written(tmp_path: Path) -> None:
    sweep = made_sweep(
        "factorial", ["noise.dnf"], [[0.1], [1 / 3]], lambda values, replicate: 7 * values[0] + replicate
    )
    write(sweep, tmp_path)
    read = read_sweep(tmp_path)
    assert read.design == sweep.design
    assert read.keys == ("noise.dnf",)
    assert [number(row, METRIC) for row in read.rows] == [number(row, METRIC) for row in sweep.rows]
    assert [row["ended"] for row in read.rows] == ["accepted", "accepted"]


def test_words_stay_words_and_empty_cells_are_no_numbers(tmp_path: Path) -> None:
    (tmp_path / "design.json").write_text('{"design": {"kind": "factorial", "keys": []}}')
    header = "run,point,replicate,seed,ended,reason,coherence,first_lost_at_s,largest_error_m\n"
    (tmp_path / "runs.csv").write_text(f'{header}0,0,0,1,rejected,12,not,,nan\n1,0,1,2,failed,"a, b",,3.5,inf\n')
    first, second = read_sweep(tmp_path).rows
    assert (first["reason"], first["coherence"], first["first_lost_at_s"]) == ("12", "not", None)
    assert (second["reason"], second["coherence"], second["first_lost_at_s"]) == ("a, b", None, 3.5)
    assert all(isnan(value) for value in numbers([first, second], "largest_error_m"))
    assert isnan(number(first, "a column that is not there"))


@pytest.mark.parametrize("missing", ["runs.csv", "design.json"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    write(made_sweep("factorial", ["noise.dnf"], [[0.1]], lambda values, replicate: 1.0), tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(SweepError, match=f"{missing} is missing: name the folder of a sweep"):
        read_sweep(tmp_path)


def test_files_that_do_not_fit_together_are_told(tmp_path: Path) -> None:
    write(made_sweep("factorial", ["noise.dnf"], [[0.1]], lambda values, replicate: 1.0), tmp_path)
    (tmp_path / "design.json").write_text('{"design": {"kind": "factorial", "keys": ["noise.anf"]}}')
    with pytest.raises(SweepError, match=r"no column noise\.anf"):
        read_sweep(tmp_path)
    (tmp_path / "design.json").write_text("[1, 2]")
    with pytest.raises(SweepError, match="cannot be read"):
        read_sweep(tmp_path)


def test_a_torn_table_is_told_with_its_line(tmp_path: Path) -> None:
    write(made_sweep("factorial", ["noise.dnf"], [[0.1]], lambda values, replicate: 1.0), tmp_path)
    table = tmp_path / "runs.csv"
    whole = table.read_text()
    table.write_text(f"{whole}x,0,0,1\n")
    with pytest.raises(SweepError, match="line 3: run is 'x', which is no number"):
        read_sweep(tmp_path)
    table.write_text(whole.rstrip() + ",1,2,3\n")
    with pytest.raises(SweepError, match="line 2: it has more cells than"):
        read_sweep(tmp_path)
