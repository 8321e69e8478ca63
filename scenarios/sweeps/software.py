"""Which software makes the runs of a scenario: versions, and hashes of the sources."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

import devs_robotics
from devs_robotics.core.own_files import is_own
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.running.versions import versions
from devs_robotics.scenarios.settings.schema import Scenario

OURS = ("core", "experimental_frames", "hil", "models", "scenarios")
"""Packages inside `devs_robotics`, each hashed as a whole."""


class Software(Struct, frozen=True):
    """What software makes runs.

    Attributes:
        modules: that scenarios name
        versions: of this project, Python, and the packages that a run depends on
        sources: SHA-256 (hexadecimal) of the sources of each package of this project, and of each module of the user's
    """

    modules: tuple[str, ...]
    versions: dict[str, str]
    sources: dict[str, str]


def software(modules: tuple[str, ...]) -> Software:
    """The software that is here.

    Args:
        modules: that scenarios name; theirs are hashed, and those of modules that these import, by whatever ``import``
            stands in them; but for what is installed, unless it belongs to a package that is named
    """
    hashes = {f"devs_robotics.{package}": _package_hash(package) for package in OURS}
    return Software(modules, versions(), {**hashes, **_module_hashes(modules)})


def modules_of(scenarios: Iterable[Scenario]) -> tuple[str, ...]:
    """The modules of the decision models and of the frames' parts that scenarios name."""
    names: set[str] = set()
    for each in scenarios:
        names |= {*case_of(each).modules(each), *(part.model.partition(":")[0] for part in each.frame.parts.values())}
    return tuple(sorted(names))


def _package_hash(package: str) -> str:
    """Of all Python files of a package, with their names."""
    folder = (
        Path(devs_robotics.__file__).parent / package
    )  # may be a link, which rglob follows where it begins, not deeper
    paths = sorted(folder.rglob("*.py"))
    if not paths:
        raise DesignError(f"{folder} holds no sources, and so nothing can tell runs of other sources: install it anew")
    whole = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        whole.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def _module_hashes(named: tuple[str, ...]) -> dict[str, str]:
    """By module; a module without a file, one typed at a prompt, is left out."""
    packages = {_top(name) for name in named}
    left = [part for name in named for part in _with_parents(name)]
    seen: set[str] = set()
    found: dict[str, str] = {}
    while left:
        name = left.pop()
        if name in seen or _top(name) == "devs_robotics":
            continue
        seen.add(name)
        path = _file_of(name)
        if path is None or not (_top(name) in packages or is_own(path)):
            continue
        content = path.read_bytes()
        found[name] = hashlib.sha256(content).hexdigest()
        if path.suffix == ".py":
            package = name if path.stem == "__init__" else name.rpartition(".")[0]
            left += [part for each in _imports(content, package) for part in _with_parents(each)]
    return dict(sorted(found.items()))


def _imports(source: bytes, package: str) -> Iterator[str]:
    """Names of all that a module imports, wherever it does; some may be no modules, but what is in them."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # one that is never imported in earnest
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            around = parents[: len(parents) - node.level + 1] if node.level else []
            base = ".".join([*around, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _with_parents(name: str) -> list[str]:
    """A module, and the packages around it, which are imported with it."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _file_of(name: str) -> Path | None:
    """Where a module is, found without importing anything; None for what is no module, or has no file."""
    top, *parts = name.split(".")
    try:
        spec: ModuleSpec | None = find_spec(top)
    except ValueError:  # the program itself
        main = getattr(sys.modules.get(top), "__file__", None)
        return None if main is None or parts else Path(main)
    for part in parts:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    path = None if spec is None or spec.origin is None else Path(spec.origin)
    return path if path is not None and path.is_file() else None


def _top(name: str) -> str:
    return name.partition(".")[0]
