"""``devs-robotics new``: begins a case study of one's own, with a scenario and a test."""

from __future__ import annotations

import argparse
import ast
import builtins
import keyword
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from types import ModuleType
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.commands.arguments import add_summary
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from xdevs.models import Component

    from devs_robotics.core.testing.simulations import Inputs, Trace

SUMMARY = "begin a case study of your own: a module that runs at once, its scenario, and its test"

TEMPLATES = Path(__file__).parent / "new_files"

TITLE = "Robots wander in a walled field, and cover it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument("name", metavar="NAME", help="of the module, such as cleaning; the files go to this folder")
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Write the files of a new case study; returns the exit status."""
    name: str = options.name
    folder = Path.cwd()
    _check_module(name)
    files = _files(name)
    for file in (*files, f"{name}/__init__.py"):
        if (folder / file).exists():
            raise OptionError(f"new: {file} exists already: take another name, or go to another folder")
    _write(folder, files)
    show(f"{name}.py: the case study; its comments say what is what")
    show(f"{name}.toml: its scenario")
    show(f"test_{name}.py, test_{name}.jsonl: its test, and what a robot did when it was written")
    show(
        f"to go on:\n  devs-robotics run {name}.toml\n  devs-robotics check {name}.toml --keys\n  pytest test_{name}.py"
    )
    if options.json:
        show_json({"files": list(files)})
    return RAN


LONGEST = 60
"""Characters of a name."""


def _check_module(name: str) -> None:
    """Whether a module may have this name."""
    from devs_robotics.scenarios.case_study.finding import owner_of

    plain = name.isidentifier() and name.isascii() and name[0].isalpha() and len(name) <= LONGEST
    if not plain or keyword.iskeyword(name):
        raise OptionError(
            f"new: {name[:40]!r} cannot be the name of a module: take letters, digits and underscores, a letter first, "
            "such as cleaning, and no word of Python"
        )
    owner = owner_of(name)
    if owner:
        raise OptionError(f"new: {owner} has a module {name!r}, which {name}.py would hide: take another name")


def _files(name: str) -> dict[str, str | bytes]:
    """The files of a new case study, by their names."""
    case = "".join(f"{part[:1].upper()}{part[1:]}" for part in name.split("_"))
    words = {"module": name, "Case": case, "table": _table(case), "title": TITLE}
    source, scenario, test = (
        Template((TEMPLATES / f"{part}.txt").read_text(encoding="utf-8")).substitute(words)
        for part in ("case_study", "scenario", "test")
    )
    if case in _imported(source) or hasattr(builtins, case):
        raise OptionError(
            f"new: the class would be called {case}, as something of Python or of devs_robotics is: take another name"
        )
    traces = _golden_traces({name: source, f"test_{name}": test})
    return {f"{name}.py": source, f"{name}.toml": scenario, f"test_{name}.py": test, **traces}


def _table(case: str) -> str:
    """The table of the settings in scenarios."""
    from devs_robotics.scenarios.case_study.case_study import table_name
    from devs_robotics.scenarios.settings.schema import Scenario

    table = table_name(case)
    if table in Scenario.model_fields:
        raise OptionError(
            f"new: the settings of {case} would stand in the table [{table}], which every scenario has: take another "
            "name"
        )
    return table


def _imported(source: str) -> set[str]:
    """The names that a module imports."""
    imports = (node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom))
    return {alias.name for node in imports for alias in node.names}


def _golden_traces(sources: dict[str, str]) -> dict[str, bytes]:
    """What the tests in modules that are not written yet hold models against, by the names of the files."""
    from devs_robotics.core.testing.golden import GoldenTrace
    from devs_robotics.core.testing.simulations import Simulations

    found: dict[str, bytes] = {}
    simulations = Simulations()

    def assert_trace(model: Component, golden: str, *, until: float, inputs: Inputs) -> Trace:
        seen = GoldenTrace()
        trace = simulations.run(model, until=until, inputs=inputs, also=seen)
        found[golden] = seen.content()
        return trace

    with _modules(sources) as modules:
        for module in modules:
            for name, test in vars(module).items():
                if name.startswith("test_") and "assert_trace" in test.__code__.co_varnames:
                    test(assert_trace)
    simulations.close()
    return found


@contextmanager
def _modules(sources: dict[str, str]) -> Iterator[list[ModuleType]]:
    """Modules that stand in no file, for a while."""
    made: dict[str, Any] = {name: ModuleType(name) for name in sources}
    before = {name: sys.modules[name] for name in sources if name in sys.modules}
    sys.modules.update(made)
    try:
        for name, source in sources.items():
            exec(compile(source, f"{name}.py", "exec"), vars(made[name]))
        yield list(made.values())
    finally:
        for name in sources:
            del sys.modules[name]
        sys.modules.update(before)


def _write(folder: Path, files: dict[str, str | bytes]) -> None:
    """Write all of them, or none."""
    written: list[Path] = []
    try:
        for name, content in files.items():
            with (folder / name).open("xb") as file:
                written.append(folder / name)
                file.write(content if isinstance(content, bytes) else content.encode())
    except OSError as exc:
        for path in written:
            path.unlink()
        raise OptionError(f"new: {name} cannot be written ({exc.strerror}): go to another folder") from exc
