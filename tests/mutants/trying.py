"""Runs tests against mutants, each in a process that is forked when all libraries are loaded."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.making import Mutant

LIBRARIES = ("pytest", "hypothesis", "numpy", "msgspec", "xdevs.models", "paho.mqtt.client", "serial", "scipy.stats")
"""What nearly all tests load, and which is slow to load."""

OWN = ("devs_robotics", "tests")
"""Packages of the project."""

OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-n", "0", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Of pytest; libraries that are loaded already cannot be rewritten, and need not be."""

PERIOD = 0.02
"""Between two looks at a process (s)."""


def copy_of(root: Path, target: Path) -> Path:
    """A copy of the project's files and links, in which mistakes may be made."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
    ).stdout.decode()
    for name in filter(None, names.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_symlink() or (root / name).is_file():  # which it is not once it is deleted
            shutil.copy2(root / name, target / name, follow_symlinks=False)
    return target


def load_libraries() -> None:
    """Load them once, for all processes that are forked from this one."""
    for name in LIBRARIES:
        __import__(name)


def passing(tests: Sequence[str], root: Path, timeout: float) -> bool:
    """Whether tests pass in a copy of the project, as it stands there."""
    return not _fails(tests, root, timeout)


def noticed(mutant: Mutant, tests: Sequence[str], root: Path, timeout: float) -> bool:
    """Whether one of the tests fails, or does not end, with the mistake in a copy of the project.

    Args:
        mutant: to be tried
        tests: as pytest names them
        root: of the copy
        timeout: how long they may take (s)
    """
    path = root / mutant.module
    before = path.read_text(encoding="utf-8")
    path.write_text(mutant.text, encoding="utf-8")
    try:
        return not passing(tests, root, timeout)
    finally:
        path.write_text(before, encoding="utf-8")


def _fails(tests: Sequence[str], root: Path, timeout: float) -> bool:
    child = os.fork()
    if child == 0:
        os._exit(_test(tests, root))
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status != 0
        time.sleep(PERIOD)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _test(tests: Sequence[str], root: Path) -> int:
    """In the forked process: run the tests; returns 0 only if all of them pass."""
    try:
        os.setsid()
        os.chdir(root)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
            del sys.modules[name]
        sys.path.insert(0, str(root))
        sys.dont_write_bytecode = True
        os.environ.update(PYTHONPATH=str(root), PYTHONDONTWRITEBYTECODE="1")
        import pytest

        return int(pytest.main([*OPTIONS, *tests]))
    except BaseException:  # whatever it is, the mistake was noticed
        return 1
