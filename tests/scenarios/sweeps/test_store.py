"""The rows of a sweep on disk: whatever is torn, what is whole is kept, and folders are not mixed up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.results import OutputError
from scenarios.sweeps.runs import Row
from scenarios.sweeps.store import Store
from tests.paths import names

SEEDS = (1, 2, 1, 2, 1, 2)
ROWS = [Row(run, seed, "accepted", "é\n", {"error_m": run / 3.0, "none": None}) for run, seed in enumerate(SEEDS)]
SWEEP = {"scenario_sha256": "ab", "design": {"points": [[0.1], [0.2]]}, "versions": {"numpy": "2"}, "command": "x"}


def store(folder: Path, **other: Any) -> Store:
    return Store(folder, {**SWEEP, **other}, SEEDS)


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
        for row in ROWS:
            if row.run not in kept:
                again.append(row)
        assert again.rows == {row.run: row for row in ROWS}
    with store(folder) as third:
        assert third.rows == {row.run: row for row in ROWS}


def test_rows_of_runs_that_are_not_of_this_sweep_are_none(tmp_path: Path) -> None:
    with store(tmp_path) as first:
        for row in (ROWS[0], Row(1, 7, "accepted", ""), Row(6, 1, "accepted", ""), Row(-1, 2, "accepted", "")):
            first.append(row)
    with store(tmp_path) as again:
        assert again.rows == {0: ROWS[0]}


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"scenario_sha256": "cd"}, "another scenario"),
        ({"design": {"points": [[0.1]]}}, "another design"),
        ({"versions": {"numpy": "3"}}, "other versions of the software"),
    ],
)
def test_a_folder_that_holds_another_sweep_is_left_alone(tmp_path: Path, other: dict[str, Any], what: str) -> None:
    with store(tmp_path) as first:
        first.append(ROWS[0])
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with pytest.raises(OutputError) as caught:
        store(tmp_path, **other)
    assert str(caught.value) == (
        f"--out: {tmp_path} holds a sweep with {what}: choose another folder, or empty this one"
    )
    assert before == {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}


def test_a_sweep_without_rows_may_become_another(tmp_path: Path) -> None:
    store(tmp_path).close()
    with store(tmp_path, design={"points": []}) as other:
        other.append(ROWS[0])
    with pytest.raises(OutputError, match="holds a sweep with another design"):
        store(tmp_path)


def test_results_of_something_else_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("of a study")
    with pytest.raises(OutputError, match=r"runs\.csv is of something else: choose another folder, or empty this one"):
        store(tmp_path)
    assert names(tmp_path) == ["runs.csv"]


def test_rows_of_an_unknown_sweep_are_not_mixed_with_others(tmp_path: Path) -> None:
    with store(tmp_path) as first:
        first.append(ROWS[0])
    for text in ("", "[]", "{}"):
        (tmp_path / "design.json").write_text(text)
        with pytest.raises(OutputError, match=r"choose another folder, or empty this one"):
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
