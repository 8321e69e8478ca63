"""The rows of a sweep on disk: whatever is torn, what is whole is kept, and folders are not mixed up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.sweep import Design
from devs_robotics.scenarios.running.results import OutputError
from devs_robotics.scenarios.sweeps.runs import RunRow
from devs_robotics.scenarios.sweeps.store import Store
from tests.paths import names

POINTS = ((0.1,), (0.2,), (0.3,))


def design_of(replicates: int = 2, **other: Any) -> Design:
    given = {"kind": "factorial", "keys": ("noise.dnf",), "first_seed": 1, "points": POINTS, **other}
    return Design(replicates=replicates, **given)


def rows_of(design: Design) -> list[RunRow]:
    return [
        RunRow(point, each, design.seed(each), "accepted", "é\n", {"error_m": point / 3.0, "none": None})
        for point in range(len(design.points))
        for each in range(design.replicates)
    ]


ROWS = rows_of(design_of())


def store(folder: Path, design: Design | None = None, **other: Any) -> Store:
    design = design or design_of()
    told = {
        "settings": {"noise": {"anf": 0.1}},
        "design": msgspec.to_builtins(design),
        "versions": {"numpy": "2"},
        "sources": {"models": "ab"},
        "command": "x",
    }
    return Store(folder, {**told, **other}, design)


@given(cut=st.integers(0, 2000), junk=st.sampled_from([b"", b"{", b"\x00\x00\x00", b'{"run": 1}\n', b"\xff\n"]))
def test_what_is_torn_anywhere_is_cut_off_and_done_again(
    tmp_path_factory: pytest.TempPathFactory, cut: int, junk: bytes
) -> None:
    folder = tmp_path_factory.mktemp("torn")
    with store(folder) as first:
        for row in ROWS:
            first.append(row)
    path = folder / "rows.jsonl"
    whole = path.read_bytes()
    torn = whole[:cut]
    path.write_bytes(torn + junk)
    with store(folder) as again:
        kept = dict(again.rows)
        assert list(kept) == list(range(torn.count(b"\n")))
        for number, row in enumerate(ROWS):
            if number not in kept:
                again.append(row)
        assert again.rows == dict(enumerate(ROWS))
    with store(folder) as third:
        assert third.rows == dict(enumerate(ROWS))


def test_rows_of_runs_that_are_not_of_this_sweep_are_none(tmp_path: Path) -> None:
    with store(tmp_path) as first:
        for point, replicate, seed in ((0, 1, 7), (3, 0, 1), (-1, 1, 2), (0, 2, 3), (0, -1, 0)):
            first.append(RunRow(point, replicate, seed, "accepted", ""))
        first.append(ROWS[0])
    with (tmp_path / "rows.jsonl").open("ab") as file:
        file.write(b'{"point": ' + b"[" * 100_000 + b"\n" + b'{"point": "\xff"}\n')
    with store(tmp_path) as again:
        assert again.rows == {0: ROWS[0]}


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (
            {"settings": {"noise": {"anf": 0.2}}},
            "another scenario (noise.anf is 0.1 there, and 0.2 is wanted)",
        ),
        (
            {"settings": {"noise": {"anf": 0.1}, "frame": {"parts": {"mine": {"model": "m:A"}}}}},
            'another scenario (frame.parts.mine.model is nothing there, and "m:A" is wanted)',
        ),
        ({"design": design_of(1)}, "another design (--replicates is 2 there, and 1 is wanted)"),
        ({"design": design_of(kind="sobol")}, 'another design (the kind is "factorial" there, and "sobol" is wanted)'),
        (
            {"design": design_of(keys=("noise.anf",))},
            'another design (what is varied is ["noise.dnf"] there, and ["noise.anf"] is wanted)',
        ),
        (
            {"design": design_of(3, points=((0.1,), (0.4,), (0.3,)))},
            "another design (at point 1 noise.dnf is 0.2 there, and 0.4 is wanted)",
        ),
        ({"design": design_of(points=POINTS[:2])}, "another design (it has 3 points, and 2 are wanted)"),
        ({"design": design_of(first_seed=3)}, "another design (--seed is 1 there, and 3 is wanted)"),
        ({"versions": {"numpy": "3"}}, 'other versions of the software (numpy is "2" there, and "3" is wanted)'),
        (
            {"sources": {"models": "cd"}},
            "another software (the files of models are not those that its runs were made with)",
        ),
    ],
)
def test_a_folder_that_holds_another_sweep_is_left_alone(tmp_path: Path, other: dict[str, Any], what: str) -> None:
    other = dict(other)
    with store(tmp_path) as first:
        first.append(ROWS[0])
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    design = other.pop("design", None)
    with pytest.raises(OutputError) as caught:
        store(tmp_path, design, **other)
    assert str(caught.value) == (
        f"--out: {tmp_path} holds a sweep with {what}: choose another folder, or empty this one"
    )
    assert before == {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}


def test_a_sweep_without_rows_may_become_another(tmp_path: Path) -> None:
    store(tmp_path).close()
    with store(tmp_path, design_of(first_seed=3)) as other:
        other.append(RunRow(0, 0, 3, "accepted", ""))
    with pytest.raises(OutputError, match="holds a sweep with another design"):
        store(tmp_path)


def test_results_of_something_else_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("of a study")
    with pytest.raises(OutputError, match=r"runs\.csv is of something else: choose another folder, or empty this one"):
        store(tmp_path)
    assert names(tmp_path) == ["runs.csv"]


@pytest.mark.parametrize("what", ["missing", "empty"])
def test_rows_that_have_gone_are_what_is_missing(tmp_path: Path, what: str) -> None:
    store(tmp_path).close()
    (tmp_path / "runs.csv").write_text("of this sweep")
    if what == "missing":
        (tmp_path / "rows.jsonl").unlink()
    with pytest.raises(OutputError) as caught:
        store(tmp_path)
    assert str(caught.value) == (
        f"--out: {tmp_path / 'rows.jsonl'}, of which {tmp_path / 'runs.csv'} was made, is {what}: put it back, or "
        f"choose another folder, or empty this one"
    )
    assert (tmp_path / "runs.csv").read_text() == "of this sweep"


@given(fewer=st.integers(1, 4), more=st.integers(1, 4), some=st.sets(st.integers(0, 11), min_size=1))
def test_rows_are_those_of_the_same_runs_among_more_replicates(
    tmp_path_factory: pytest.TempPathFactory, fewer: int, more: int, some: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("more")
    small, large = design_of(fewer), design_of(fewer + more)
    kept = [row for number, row in enumerate(rows_of(small)) if number in some]
    with store(folder, small) as first:
        for row in kept:
            first.append(row)
    (folder / "runs.csv").write_text("of the smaller sweep")
    assume(kept)
    with store(folder, large) as second:
        assert second.rows == {number: row for number, row in enumerate(rows_of(large)) if row in kept}
    assert names(folder) == ["design.json", "rows.jsonl"]
    assert json.loads((folder / "design.json").read_bytes())["design"]["replicates"] == fewer + more


def test_the_later_one_of_two_rows_of_a_run_counts(tmp_path: Path) -> None:
    with store(tmp_path) as first:
        first.append(RunRow(1, 0, 1, "failed", "out of memory"))
        first.append(ROWS[2])
    with store(tmp_path) as again:
        assert again.rows == {2: ROWS[2]}


def test_rows_of_an_unknown_sweep_are_not_mixed_with_others(tmp_path: Path) -> None:
    with store(tmp_path) as first:
        first.append(ROWS[0])
    for text, what in (
        ("", "is damaged"),
        ("[]", "is damaged"),
        ("[" * 100_000, "is damaged"),
        (f"[{'9' * 5000}]", "is damaged"),
        ("{}", r"another scenario \(its settings are not told"),
    ):
        (tmp_path / "design.json").write_text(text)
        with pytest.raises(OutputError, match=rf"{what}.*choose another folder, or empty this one"):
            store(tmp_path)
    (tmp_path / "design.json").unlink()
    with pytest.raises(OutputError, match=r"is of an unknown sweep, without a design\.json: choose another folder"):
        store(tmp_path)


def test_one_process_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    with store(tmp_path), pytest.raises(OutputError, match=r"another process works in .*: wait for it, or choose"):
        store(tmp_path)
    store(tmp_path).close()


def test_what_a_killed_process_was_about_to_write_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".runs.csv.abc").write_text("half")
    store(tmp_path).close()
    assert names(tmp_path) == ["design.json", "rows.jsonl"]


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"--out: .*file cannot be written"):
        store(tmp_path / "file")
