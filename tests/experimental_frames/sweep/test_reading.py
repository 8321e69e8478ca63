"""Sweeps are read as they were written, and what is no sweep, or a damaged one, is told with file, line and remedy."""

from __future__ import annotations

import csv
import json
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.sweep.reading import SweepError, number, numbers, read_sweep
from tests.experimental_frames.sweep.made_sweeps import METRIC, SUBJECT, made_sweep, write

TOLD = msgspec.to_builtins(SUBJECT)
AGAIN = "give the sweep's command again"
COLUMNS = ["run", "point", "replicate", "seed", "noise.dnf", "ended", METRIC]
"""What is known of a run by its design, or has one of few words, or is a number."""


def written(folder: Path, replicates: int = 1) -> Path:
    """A table of two points."""
    respond = lambda values, replicate: 7 * values[0] + replicate  # noqa: E731
    write(made_sweep("factorial", ["noise.dnf"], [[0.1], [1 / 3]], respond, replicates=replicates), folder)
    return folder / "runs.csv"


def refusal(folder: Path) -> str:
    with pytest.raises(SweepError) as caught:
        read_sweep(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


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
    design = {"kind": "factorial", "keys": [], "points": [[]], "replicates": 2, "first_seed": 1}
    (tmp_path / "design.json").write_text(json.dumps({"design": design, "subject": TOLD}))
    header = "run,point,replicate,seed,ended,reason,coherence,first_lost_at_s,largest_error_m,frames.mine.word\n"
    (tmp_path / "runs.csv").write_text(
        f'{header}0,0,0,1,rejected,12,not,,nan,smooth\n1,0,1,2,failed,"a, b\nc\u2028",,3.5,inf,\n'
    )
    first, second = read_sweep(tmp_path).rows
    assert (first["reason"], first["coherence"], first["first_lost_at_s"]) == ("12", "not", None)
    assert (second["reason"], second["coherence"], second["first_lost_at_s"]) == ("a, b\nc\u2028", None, 3.5)
    assert first["frames.mine.word"] == "smooth"
    assert all(isnan(value) for value in numbers([first, second], "largest_error_m"))
    assert isnan(number(first, "a column that is not there"))


def test_values_of_every_kind_are_those_of_the_design(tmp_path: Path) -> None:
    keys, points = ["a", "b", "c", "d", "e"], [[True, 3, 0.1, "[1, 2]", None], [False, 4, 1e-7, "12", None]]
    design = {"kind": "factorial", "keys": keys, "points": points, "replicates": 1, "first_seed": 0}
    (tmp_path / "design.json").write_text(json.dumps({"design": design, "subject": TOLD}))
    header = ",".join(["run,point,replicate,seed", *keys, "ended,reason"])
    lines = ['0,0,0,0,true,3,0.1,"[1, 2]",,accepted,', "1,1,0,0,false,4,1e-07,12,,accepted,"]
    (tmp_path / "runs.csv").write_text("\n".join([header, *lines, ""]))
    assert [row["a"] for row in read_sweep(tmp_path).rows] == ["true", "false"]
    (tmp_path / "runs.csv").write_text("\n".join([header, lines[0], lines[1].replace("false", "true"), ""]))
    assert "line 3: a of run 1 is 'true', and 'false' in the design" in refusal(tmp_path)


def test_seeds_of_any_size_are_those_of_the_design(tmp_path: Path) -> None:
    first = 2**63 - 2
    design = {"kind": "factorial", "keys": [], "points": [[]], "replicates": 2, "first_seed": first}
    (tmp_path / "design.json").write_text(json.dumps({"design": design, "subject": TOLD}))
    rows = [f"{each},0,{each},{first + each},accepted," for each in range(2)]
    (tmp_path / "runs.csv").write_text("\n".join(["run,point,replicate,seed,ended,reason", *rows, ""]))
    assert len(read_sweep(tmp_path).rows) == 2


def test_a_folder_without_its_files_is_no_sweep_or_not_finished(tmp_path: Path) -> None:
    assert "runs.csv is missing: name the folder of a sweep" in refusal(tmp_path)
    table = written(tmp_path)
    plan = json.loads((tmp_path / "design.json").read_text())
    (tmp_path / "design.json").write_text(json.dumps({**plan, "command": "devs-robotics sweep convoy --seed 1"}))
    table.rename(tmp_path / "aside")
    assert refusal(tmp_path) == (
        f"{tmp_path}: the sweep is not finished, and has no runs.csv yet: give its command again: "
        f"devs-robotics sweep convoy --seed 1 --out {tmp_path}"
    )
    (tmp_path / "aside").rename(table)
    (tmp_path / "design.json").unlink()
    assert "design.json is missing" in refusal(tmp_path)


def test_a_design_of_an_earlier_version_is_told_with_the_remedy(tmp_path: Path) -> None:
    written(tmp_path)
    plan = json.loads((tmp_path / "design.json").read_text())
    del plan["subject"]
    (tmp_path / "design.json").write_text(json.dumps(plan))
    assert refusal(tmp_path) == (
        f"{tmp_path / 'design.json'}: it is of an earlier version, and does not say what its metrics are: make the "
        "sweep again in another folder"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2]",
        '{"design": {"kind": "factor',
        "",
        '{"design": {"kind": "none"}}',
        f'{{"design": {"[" * 100_000}',
        f'{{"design": {{"replicates": {"9" * 5000}}}}}',
    ],
)
def test_a_damaged_design_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    written(tmp_path)
    (tmp_path / "design.json").write_text(text)
    said = refusal(tmp_path)
    assert said.startswith(f"{tmp_path / 'design.json'}: it is not the design of a sweep (")
    assert said.endswith(": put back a copy, or make the sweep again in another folder")


@given(st.data(), st.text("0123456789abc.-,", min_size=0, max_size=4))
def test_a_changed_cell_is_refused_with_its_line_unless_it_says_the_same(data: st.DataObject, text: str) -> None:
    with TemporaryDirectory() as name:
        table = written(Path(name), replicates=3)
        with table.open(newline="") as file:
            lines = list(csv.reader(file))
        line, column = data.draw(st.integers(1, len(lines) - 1)), data.draw(st.sampled_from(COLUMNS))
        place = lines[0].index(column)
        before = lines[line][place]
        lines[line][place] = text
        with table.open("w", newline="") as file:
            csv.writer(file).writerows(lines)
        if _same(before, text) or (column == METRIC and (not text or _number(text) is not None)):
            read_sweep(Path(name))
        else:
            assert f"{table}, line {line + 1}: " in refusal(Path(name))
            assert AGAIN in refusal(Path(name))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _same(before: str, text: str) -> bool:
    return before == text or (_number(text) is not None and _number(before) == _number(text))


def test_a_line_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    table = written(tmp_path)
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1], ""]))
    assert f"{table}, line 4: run 0 is in line 2 already: {AGAIN}" in refusal(tmp_path)


def test_a_table_that_is_cut_within_a_line_is_refused_wherever_that_is(tmp_path: Path) -> None:
    table = written(tmp_path)
    whole = table.read_text()
    start = whole.rindex("\n", 0, -1) + 1
    for end in range(start + 1, len(whole) - 1):
        table.write_text(whole[:end])
        assert f"{table}, line 3: " in refusal(tmp_path)
    table.write_text(whole[:start])
    assert len(read_sweep(tmp_path).rows) == 1  # of a sweep that is not finished


def test_heads_and_cells_that_are_too_many_or_unknown_are_refused(tmp_path: Path) -> None:
    table = written(tmp_path)
    whole = table.read_text()
    table.write_text(whole.rstrip() + ",1\n")
    assert "line 3: it has more cells than the table has columns" in refusal(tmp_path)
    table.write_text(whole.replace(METRIC, "error_at_pose_change_m", 1))
    assert "line 1: 'error_at_pose_change_m' is not a column of a sweep" in refusal(tmp_path)
    table.write_text(whole.replace("reason", "ended", 1))
    assert "it has no column reason" in refusal(tmp_path)
    table.write_text(whole.replace("accepted", "acepted", 1))
    assert "line 2: ended is 'acepted', and not one of accepted, rejected" in refusal(tmp_path)
    plan = json.loads((tmp_path / "design.json").read_text())
    plan["design"]["keys"] = ["noise.anf"]
    (tmp_path / "design.json").write_text(json.dumps(plan))
    assert "it has no column noise.anf" in refusal(tmp_path)
