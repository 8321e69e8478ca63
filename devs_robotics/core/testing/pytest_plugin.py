"""The pytest plug-in: fixtures that simulate models, and golden traces; see docs/testing.md.

pytest loads it wherever this package is installed, so what takes time is imported only when a fixture is used.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdevs.models import Component

    from devs_robotics.core.testing.golden import GoldenTrace
    from devs_robotics.core.testing.simulations import AssertTrace, Inputs, Simulate, Simulations, Trace

UPDATER = "devs-robotics-updater"
WRITTEN = pytest.StashKey[list[str]]()
"""At a test, the golden traces that it has written."""
REPORTED = "devs_robotics_traces"
"""The same, as an attribute of its report."""
REMEDY = "If the new trace is right, run pytest with --update-traces and look at what changed."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-traces``."""
    parser.getgroup("devs-robotics").addoption(
        "--update-traces", action="store_true", help="write the golden traces of assert_trace instead of comparing them"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Get ready to write golden traces; in CI, where nobody looks at them, refuse."""
    if not config.getoption("update_traces"):
        return
    if os.environ.get("CI") == "true":
        raise pytest.UsageError(
            "--update-traces is refused where CI=true: write golden traces where you can look at them, and commit them"
        )
    config.pluginmanager.register(Updater(), UPDATER)


@pytest.fixture
def _devs_robotics_simulations() -> Iterator[Simulations]:
    from devs_robotics.core.testing.simulations import Simulations

    simulations = Simulations()
    yield simulations
    simulations.close()


@pytest.fixture
def simulate(_devs_robotics_simulations: Simulations) -> Simulate:
    """Simulate a model: ``trace = simulate(model, until=10.0, inputs={"heard": [(1.0, "a")]})``."""
    return _devs_robotics_simulations.run


@pytest.fixture
def assert_trace(_devs_robotics_simulations: Simulations, request: pytest.FixtureRequest) -> AssertTrace:
    """Compare a model's trace with a golden file: ``assert_trace(model, "golden.jsonl", until=10.0)``."""
    from devs_robotics.core.observe import TraceError
    from devs_robotics.core.testing.golden import GoldenTrace

    def compare(
        model: Component,
        golden: str | Path,
        *,
        until: float,
        inputs: Inputs | None = None,
        only: str | Sequence[str] = (),
    ) -> Trace:
        __tracebackhide__ = True
        path = Path(os.path.normpath(request.path.parent / golden))
        if path.suffix != ".jsonl":
            pytest.fail(f"{golden} cannot be a golden trace: let its name end in .jsonl", pytrace=False)
        seen = GoldenTrace()
        trace = _devs_robotics_simulations.run(model, until=until, inputs=inputs, only=only, also=seen)
        updater = request.config.pluginmanager.get_plugin(UPDATER)
        try:
            complaint = (updater.update if updater is not None else _complaint)(path, seen, request.node)
        except TraceError as exc:
            complaint = f"{exc}\n{REMEDY}"
        if complaint is not None:
            pytest.fail(complaint, pytrace=False)
        return trace

    return compare


def _complaint(path: Path, seen: GoldenTrace, item: pytest.Item) -> str | None:
    """Why a trace is not the golden one; None when it is."""
    if not path.exists():
        return (
            f"there is no golden trace {_shown(path, item)}: run pytest with --update-traces and look at what it writes"
        )
    difference = seen.difference(path)
    return None if difference is None else f"{difference}\nThe golden trace is {_shown(path, item)}. {REMEDY}"


def _shown(path: Path, item: pytest.Item) -> str:
    """A golden file as a reader wants it: from the folder of the whole test run on, where it is inside."""
    root = item.config.rootpath
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


class Updater:
    """Writes golden traces, and says which; registered when they are to be written.

    A worker of pytest-xdist sends the names in its reports, as attributes.
    """

    def __init__(self) -> None:
        self._owners: dict[Path, tuple[str, bytes]] = {}
        """By golden file, the test that wants it, and the content."""

    def update(self, path: Path, seen: GoldenTrace, item: pytest.Item) -> str | None:
        """Make a trace the golden one; returns why it cannot be, if another trace has the same file."""
        content = seen.content()
        owner, first = self._owners.setdefault(path.resolve(), (item.nodeid, content))
        if content != first:
            return f"{owner} has just made another trace {_shown(path, item)}: give each trace a file of its own"
        if seen.write(path):
            item.stash.setdefault(WRITTEN, []).append(_shown(path, item))
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note in a test's report what it has written."""
        report = yield
        if call.when == "call":
            setattr(report, REPORTED, item.stash.get(WRITTEN, []))
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many golden traces were written, and where."""
        reports = itertools.chain.from_iterable(terminalreporter.stats.values())
        written = sorted({path for report in reports for path in getattr(report, REPORTED, ())})
        terminalreporter.section("golden traces")
        terminalreporter.line(f"{len(written)} written" + (":" if written else ""))
        for path in written:
            terminalreporter.line(f"  {path}")
