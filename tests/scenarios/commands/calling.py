"""The command line in this process: what a user's process does, without the time that it takes to start."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

from devs_robotics.scenarios.commands.cli import main
from tests.paths import ROOT
from tests.scenarios.case_study.files import modules_as_they_were


def called(*arguments: object, cwd: Path = ROOT) -> CompletedProcess[str]:
    """Do a command; what it imports of somebody's own is forgotten afterwards, as where a process ends.

    Args:
        arguments: of the command
        cwd: the working folder
    """
    words = [str(argument) for argument in arguments]
    out, err = _stream(), _stream()
    with chdir(cwd), modules_as_they_were(), redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return CompletedProcess(words, status, _written(out), _written(err))


def refused(*arguments: object) -> str:
    """What a command says that ends with status 2, without a traceback and without output."""
    result = called(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr


def _stream() -> io.TextIOWrapper:
    """As a process has it whose output is read through a pipe."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()
