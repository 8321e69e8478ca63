"""Measurements are read, or refused in one sentence that names the line and the remedy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.batteries.measured import MeasuredError, Point, read_measured

ENOUGH = ["0,0,1", "0,100,0.9", "0,200,0.8", "0,300,0.7"]
MOVING = ["5,0,1", "5,10,0.9", "5,20,0.8", "5,30,0.6"]


def written(folder: Path, *lines: str, head: str = "speed,time,charge", ending: str = "\n") -> Path:
    path = folder / "data.csv"
    path.write_text(ending.join([head, *lines, ""]), encoding="utf-8")
    return path


def test_points_are_sorted_by_speed_and_time_and_know_their_lines(tmp_path: Path) -> None:
    found = read_measured(written(tmp_path, *MOVING, *reversed(ENOUGH)))
    assert list(found) == [0.0, 5.0]
    assert found[0.0] == [Point(100.0 * number, 1.0 - number / 10, 9 - number) for number in range(4)]


@pytest.mark.parametrize(
    "head",
    ["Speed, Time ,CHARGE", "\ufeffspeed,time,charge", '"speed","time","charge"'],
    ids=["case", "mark", "quotes"],
)
def test_heads_and_line_ends_may_be_as_programs_write_them(tmp_path: Path, head: str) -> None:
    lines = [*ENOUGH, *MOVING]
    plain = read_measured(written(tmp_path, *lines))
    assert read_measured(written(tmp_path, *lines, head=head, ending="\r\n")) == plain


def test_further_columns_and_empty_lines_do_not_matter(tmp_path: Path) -> None:
    lines = [f"first,{line}" for line in (*ENOUGH, *MOVING)]
    found = read_measured(written(tmp_path, *lines[:4], "", *lines[4:], head="run,speed,time,charge"))
    assert [point.line for point in found[5.0]] == [7, 8, 9, 10]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("5,40,full", "line 10: the charge 'full' is no number: write one, such as 0.85"),
        ("5,40,nan", "line 10: the charge 'nan' is no number: write one, such as 0.85"),
        ("5,inf,0.5", "line 10: the time 'inf' is no number: write one, such as 0.85"),
        ("5,40,85", "line 10: the charge 85 is above 1: write it as a share, 0.85 for 85 %"),
        ("5,40,-0.1", "line 10: the charge -0.1 is below 0: write the charge without a sign"),
        ("-5,40,0.1", "line 10: the speed -5 is below 0: write the speed without a sign"),
        ("5,1e300,0.1", "line 10: the time 1e300 is too large: give speeds in cm/s and times in s"),
        ("5,,0.5", "line 10: there is no time: write one, or leave the line out"),
        ("5,40", "line 10: there is no charge: write one, or leave the line out"),
        ("5,40,0,5", "line 10: there are more values than columns: write numbers with a point, as 0.85"),
        (
            "7,40,0.5",
            "line 10: the speed 7 cm/s has 1 time above 0 s, and a cubic needs 3 different ones: add rows",
        ),
    ],
)
def test_a_bad_line_is_told_by_its_number(tmp_path: Path, line: str, said: str) -> None:
    path = written(tmp_path, *ENOUGH, *MOVING, line)
    with pytest.raises(MeasuredError, match=f"^{re.escape(f'{path}, {said}')}"):
        read_measured(path)


@pytest.mark.parametrize(
    ("head", "lines", "said"),
    [
        (
            "speed,time",
            MOVING,
            ", line 1: there is no column 'charge', but speed, time: give a CSV file with",
        ),
        ("speed;time;charge", [], ", line 1: there is no column 'speed', but speed;time;charge: give a CSV file"),
        (
            "speed,time,charge,time",
            [],
            ", line 1: there are several columns 'time', but speed, time, charge, time:",
        ),
        (
            "speed,time,charge",
            [],
            " has no rows under its head: give a CSV file with the columns speed (cm/s)",
        ),
        ("speed,time,charge", MOVING, " has no rows with speed 0: add some of a robot at rest"),
        ("speed,time,charge", ENOUGH, " has no rows with a speed above 0: add some of a robot in motion"),
    ],
)
def test_a_file_that_lacks_something_is_told(tmp_path: Path, head: str, lines: list[str], said: str) -> None:
    path = written(tmp_path, *lines, head=head)
    with pytest.raises(MeasuredError, match=f"^{re.escape(f'{path}{said}')}"):
        read_measured(path)


def test_what_is_no_file_no_text_or_empty_is_told(tmp_path: Path) -> None:
    said = {}
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\xff\xfe")
    (tmp_path / "empty.csv").write_bytes(b"")
    for name in ("nowhere.csv", "picture.csv", "empty.csv", "."):
        with pytest.raises(MeasuredError) as told:
            read_measured(tmp_path / name)
        said[name] = str(told.value).removeprefix(f"{tmp_path / name}")
    assert said["nowhere.csv"].startswith(" cannot be read (No such file or directory): give a CSV file with")
    assert said["picture.csv"].startswith(" is no CSV file in UTF-8 (")
    assert said["empty.csv"].startswith(", line 1: there is no column 'speed', but nothing: give")
    assert said["."].startswith(" cannot be read (Is a directory): give")


@given(st.binary(max_size=60))
def test_any_file_is_read_or_refused_in_one_sentence(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"speed,time,charge\n" + content)
    with pytest.raises(MeasuredError) as told:
        read_measured(path)
    assert str(told.value).startswith(str(path))
