"""Result files are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from devs_robotics.core.files import write_atomically
from tests.paths import names


def test_a_file_is_written_readable_for_all(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.csv", "1\n2\n")
    assert (tmp_path / "a.csv").read_bytes() == b"1\n2\n"
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o644
    assert names(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("content", [b"x" * 100, "x" * 100, ["x"] * 100], ids=["bytes", "text", "pieces"])
def test_all_of_it_is_on_the_disk_before_it_has_its_name(
    content: bytes | str | list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, list[str]]] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((os.fstat(file).st_size, names(tmp_path))))
    write_atomically(tmp_path / "a.csv", content)
    ((size, there),) = synced
    assert size == 100
    assert "a.csv" not in there


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomically(tmp_path / "a.csv", "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "a.csv", "new")
    assert (tmp_path / "a.csv").read_text() == "old"
    assert names(tmp_path) == ["a.csv"]
