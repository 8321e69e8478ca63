"""Standard streams that fail: a program whose words are lost ends as it would have ended."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

PROGRAM = """
import sys
from pathlib import Path
from devs_robotics.scenarios.commands.standard_streams import failure_of, protected
with protected("program"):
    for _ in range(3):
        print("± " * 20_000, flush=True)
    print(sys.stdin.readline() or "asked", file=sys.stderr)  # after what was told at once
    Path(sys.argv[1]).write_text(f"done, {failure_of(sys.stdout)!r}")
    print("the last words")
sys.exit(5)
"""


def run(out: Path, *, environment: dict[str, str] | None = None, **streams: object) -> tuple[int, str, str]:
    """Status, what the program found, and what it said on standard error."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(out)],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        **{"stdin": subprocess.DEVNULL, **streams},  # type: ignore[call-overload]
    )
    return done.returncode, out.read_text(), done.stderr.strip()


def full() -> Iterator[int]:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    yield descriptor
    os.close(descriptor)


def pipe_without_a_reader() -> Iterator[int]:
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def terminal_that_has_gone() -> Iterator[int]:
    master, slave = pty.openpty()
    os.close(master)
    yield slave
    os.close(slave)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("stream", "failure", "said"),
    [
        (full, r"OSError\(28, 'No space left on device'\)", "cannot be written (No space left on device)"),
        (pipe_without_a_reader, r"BrokenPipeError\(32, 'Broken pipe'\)", ""),
        (terminal_that_has_gone, r"OSError\(5, 'Input/output error'\)", "cannot be written (Input/output error)"),
    ],
)
def test_a_stream_that_fails_changes_neither_what_is_done_nor_the_status(
    stream: Callable[[], Iterator[int]], failure: str, said: str, unbuffered: str, tmp_path: Path
) -> None:
    made = stream()
    environment = {"PYTHONUNBUFFERED": unbuffered}
    status, found, error = run(tmp_path / "out", environment=environment, stdout=next(made))
    next(made, None)
    assert status == 5
    assert re.fullmatch(f"done, {failure}", found)
    assert error == (f"program: standard output {said}: what is shown from now on is missing there, and the exit "
                     "status is that of the command all the same\nasked" if said else "asked")  # fmt: skip


@pytest.mark.parametrize("closed", [(1,), (0, 1), (0, 1, 2)])
def test_closed_streams_are_no_place_for_results(closed: tuple[int, ...], tmp_path: Path) -> None:
    """The file that is opened next would get the number of standard output, and all its words."""
    script = f'exec {sys.executable} -c "$PROGRAM" {tmp_path / "out"} {" ".join(f"{n}>&-" for n in closed)}'
    environment = {**os.environ, "PROGRAM": PROGRAM}
    done = subprocess.run(["bash", "-c", script], check=False, cwd=ROOT, env=environment, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (5, b"", b"" if 2 in closed else b"asked")
    assert (tmp_path / "out").read_text() == "done, None"


def test_what_cannot_be_encoded_is_shown_with_backslashes(tmp_path: Path) -> None:
    with (tmp_path / "shown").open("wb") as shown:
        status, found, error = run(
            tmp_path / "out", environment={"PYTHONIOENCODING": "ascii"}, stdout=shown, stdin=subprocess.DEVNULL
        )
    assert (status, found, error) == (5, "done, None", "asked")
    assert (tmp_path / "shown").read_text() == ("\\xb1 " * 20_000 + "\n") * 3 + "the last words\n"


def test_a_pipe_that_waits_for_nobody_gets_all(tmp_path: Path) -> None:
    """Whoever shares a pipe may have made it so for all; its buffer is smaller than what is written."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "out")], stdin=subprocess.DEVNULL, stdout=writer, cwd=ROOT
    ) as process:
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as pipe:
            shown = pipe.read()
    assert (process.returncode, (tmp_path / "out").read_text()) == (5, "done, None")
    assert shown == ("± " * 20_000 + "\n") * 3 + "the last words\n"


def test_a_stream_that_is_closed_from_within_goes_on() -> None:
    code = """
import sys
from devs_robotics.scenarios.commands.standard_streams import protected
with protected("it"):
    sys.stdout.close()
    sys.stderr.close()
    print("still here")
    print("there", file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "still here\n", "there\n")
