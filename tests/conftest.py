"""What every test may need: real components, and no excuses for their absence in CI."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.devs_robotics.view.page.chromium import Chromium

settings.register_profile("default", deadline=None, derandomize=True, max_examples=40)  # the same ones every time
settings.register_profile("fresh", deadline=None, derandomize=False, max_examples=1000, print_blob=True)
settings.register_profile("once", deadline=None, derandomize=True, max_examples=1)  # whether tests run at all
settings.load_profile("default")  # --hypothesis-profile=fresh takes the place of it


def at_length() -> bool:
    """Whether long checks are made in full: with ``--hypothesis-profile=fresh``, as in ``make test-fresh``."""
    return bool(settings().max_examples >= 1000)


for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    # ignored where a shell put the tests into the background, or under nohup: so they would be by what tests start
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Two workers more than there are cores: those that wait for the wall clock leave their cores to the others."""
    workers = yield
    return workers if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else workers + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Where Python is told to leave no bytecode beside the sources, workers and what they start have it elsewhere.

    Otherwise each of the several hundred processes of the tests would compile the project anew.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        folder = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
        shutil.rmtree(folder / Path(gettempdir()).relative_to("/"), ignore_errors=True)  # of modules that tests wrote
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each worker loads all test files, beginning at another one, so that no two compile the same at the same time.

    Where nothing is compiled yet, as in CI, this would otherwise be done by each of them, which takes minutes.
    """
    told = getattr(session.config, "workerinput", None)
    if told is None or session.config.args != session.config.getini("testpaths") or not CONVOY:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    begin = int(told["workerid"].removeprefix("gw")) * len(files) // told["workercount"]
    for file in files[begin:] + files[:begin]:
        with suppress(Exception, pytest.skip.Exception):  # what cannot be loaded is told when it is collected
            import_module(".".join(file.relative_to(Path(__file__).parents[1]).with_suffix("").parts))


CONVOY = (Path(__file__).parents[1] / "scenarios" / "convoy").is_dir()
"""Whether the case study is here of which most tests make use."""


OF_THE_WHOLE = ("test_documents.py", "test_images.py", "test_project.py")
"""Tests of documents and contracts, which speak of all cases that ship."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without the convoy, what needs it is left out; see tests/test_deleting_a_case.py."""
    if CONVOY or collection_path.suffix != ".py":
        return None
    return collection_path.name in OF_THE_WHOLE or needs_convoy(collection_path) or None


@cache
def needs_convoy(path: Path) -> bool:
    """Whether a test speaks of the convoy, or imports one that does."""
    text = path.read_text(encoding="utf-8")
    if "convoy" in text.lower() and path != Path(__file__):
        return True
    root = Path(__file__).parents[1]
    imported = (root / f"{name.replace('.', '/')}.py" for name in re.findall(r"^from (tests[.\w]*) import", text, re.M))
    return any(needs_convoy(each) for each in imported if each.is_file() and each != path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long tests come first, so that no worker still has one when the others are done."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What is loaded by now stays for ever: the garbage collector need not look through it again and again.

    With all test files that is a million objects, and looking through them took a third of the tests' time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Chromium]:
    """A browser that tests share and ask by Playwright; each use has a page of its own."""
    from tests.devs_robotics.view.page.chromium import Chromium  # slow to load, and few tests need it

    started = Chromium(chromium)
    yield started
    started.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium browser; without one the test is skipped, or in CI failed."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("Chromium", "apt-get install chromium")
    assert path is not None
    return path


def missing(component: str, remedy: str) -> None:
    """Skip a test for want of a real component; in CI (CI=true) fail it."""
    reason = f"{component} is not installed: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
