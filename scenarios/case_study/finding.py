"""How a case study is found: a class in a file, one that ships, or one that a package brings."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from devs_robotics.core.own_files import INSTALLED
from devs_robotics.core.user_code import user_code
from devs_robotics.scenarios.case_study.case_study import CaseStudy
from devs_robotics.scenarios.errors import CaseError

SHIPPED = Path(__file__).parents[1]
"""Each case study that ships in one file stands here, beside its scenario of the same name."""

PROJECT = __name__.partition(".")[0]
"""The package of this project."""

GROUP = "devs_robotics.cases"
"""Entry points in which packages bring case studies, each by its name."""


def case_beside(name: str, folder: Path) -> str:
    """The full name, ``module:Class``, of a case study that a scenario names; others are given back as they are.

    Args:
        name: ``module:Class``, or a module in the folder with one case study, or the name of one that is known
        folder: of the scenario's file; it comes first on the path of modules

    Raises:
        CaseError: there is no such class, or a module has none or several
    """
    module_name, colon, cls_name = name.partition(":")
    file = folder / f"{module_name}.py"
    if (folder / f"{module_name.partition('.')[0]}.py").is_file():
        _refuse_hiding(module_name.partition(".")[0], "file", ".py")
    if not (colon or file.is_file()):
        return name
    _first_on_path(module_name, folder)
    if file.is_file():
        module_name = _in_its_package(file)
    if colon:
        study_class(f"{module_name}:{cls_name}")
        return f"{module_name}:{cls_name}"
    return f"{module_name}:{_the_one(_imported(module_name)).__name__}"


def owner_of(name: str) -> str:
    """Who has a module of this name, which one of a user's own would hide; empty if nobody has."""
    if name in sys.stdlib_module_names:
        return "Python"
    installed = [place for place in sys.path if Path(place).name in INSTALLED]
    taken = name == PROJECT or PathFinder.find_spec(name, installed) is not None
    return "an installed package" if taken else ""


def _refuse_hiding(name: str, what: str, suffix: str = "") -> None:
    """Raises CaseError where a file or a folder of this name would take the place of somebody else's module."""
    owner = owner_of(name)
    if owner:
        raise CaseError(f"{name}{suffix} hides a module {name!r} of {owner}: give the {what} another name")


def _in_its_package(file: Path) -> str:
    """The name by which a file is imported: where it imports by a dot, it is a module of the package around it.

    Raises:
        CaseError: it is in none, or in one that no name leads to
    """
    if not _imports_by_a_dot(file):
        return file.stem
    folder, parts = file.parent, [file.stem]
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    wrong = next((part for part in parts if not part.isidentifier()), None)
    if len(parts) == 1 or wrong is not None:
        why = "which is no package" if wrong is None else f"and {wrong!r} can name no package"
        raise CaseError(
            f"{file.name} imports what is beside it by a dot, {why}: write import NAME in place of from . import NAME"
        )
    _refuse_hiding(parts[0], "folder")
    _first_on_path(parts[0], folder)
    return ".".join(parts)


def _imports_by_a_dot(file: Path) -> bool:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):  # which is told when it is imported
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in ast.walk(tree))


def case_in_file(path: Path) -> str:
    """The full name of the one case study in a Python file.

    Raises:
        CaseError: it has none, or several, or cannot be imported
    """
    if not path.stem.isidentifier():
        raise CaseError(f"{path} cannot be imported: give the file a name of letters, digits and underscores")
    return case_beside(path.stem, path.absolute().parent)


def study_class(name: str) -> type[CaseStudy]:
    """A case study's class by ``module:Class``.

    Raises:
        CaseError: there is none
    """
    module_name, _, cls_name = name.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), cls_name)):
        raise CaseError(f'{name!r} can name no case study: write case = "module:Class"')
    found = getattr(_imported(module_name), cls_name, None)
    if found is None:
        raise CaseError(f"the case study {name!r} is not there: {module_name} has no class {cls_name!r}")
    return _checked(found, name)


def shipped_class(name: str) -> type[CaseStudy] | None:
    """A case study that ships in a module of its own; None where there is none of this name."""
    if not (SHIPPED / f"{name}.py").is_file() or not (SHIPPED / f"{name}.toml").is_file():
        return None
    return _the_one(importlib.import_module(f"devs_robotics.scenarios.{name}"))


def brought() -> dict[str, EntryPoint]:
    """The case studies that installed packages bring, by their names."""
    return {point.name: point for point in entry_points(group=GROUP)}


def brought_class(point: EntryPoint) -> type[CaseStudy]:
    """A case study that an installed package brings.

    Raises:
        CaseError: it cannot be imported, or is no case study
    """

    def broken(why: str) -> CaseError:
        return CaseError(
            f"the case study {point.name!r} ({point.value}) cannot be imported ({why}): mend the package that brings "
            "it, or remove it"
        )

    with user_code(broken):
        found = point.load()
    return _checked(found, point.name)


def _imported(module_name: str) -> ModuleType:
    def broken(why: str) -> CaseError:
        return CaseError(f"{module_name}.py cannot be imported ({why}): mend the module")

    with user_code(broken):
        try:
            return importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not (module_name == error.name or module_name.startswith(f"{error.name}.")):
                raise
            file = f"{error.name.replace('.', '/')}.py"
            raise CaseError(
                f"no module {error.name!r} can be imported: put {file} beside the scenario's file, or its folder into "
                "PYTHONPATH"
            ) from None


_places: list[Path] = []
"""Folders whose modules were to be found first, the last one last."""


def _first_on_path(module_name: str, folder: Path) -> None:
    """Let the modules of a folder be found first; those of the same names from other cases' folders make way."""
    here = folder.resolve()
    place = str(folder.absolute())
    if place in sys.path:
        sys.path.remove(place)
    sys.path.insert(0, place)
    importlib.invalidate_caches()
    others = [other for other in _places if other != here]
    top = module_name.partition(".")[0]
    for name in {path.name.removesuffix(".py") for path in here.iterdir()} & set(sys.modules):
        folders = _folders_of(name)
        if folders.intersection(others) or (name == top and folders - {here}):
            _forget(name)
    _places[:] = [*others, here]


def _folders_of(top: str) -> set[Path]:
    """The folders in which a module, or a package with the modules of it that are loaded, stands."""
    files = {
        Path(file).resolve(): name.count(".")
        for name, module in sys.modules.items()
        if (name == top or name.startswith(f"{top}.")) and (file := getattr(module, "__file__", None))
    }
    return {file.parents[depth + 1 if file.name == "__init__.py" else depth] for file, depth in files.items()}


def _forget(top: str) -> None:
    """Let a module, and the modules in it, be imported anew."""
    for name in [each for each in sys.modules if each == top or each.startswith(f"{top}.")]:
        del sys.modules[name]


def _studies(module: ModuleType) -> tuple[type[CaseStudy], ...]:
    """The case studies that a module itself defines."""
    return tuple(
        each
        for each in vars(module).values()
        if inspect.isclass(each) and issubclass(each, CaseStudy) and each.__module__ == module.__name__
    )


def _the_one(module: ModuleType) -> type[CaseStudy]:
    found = _studies(module)
    if len(found) == 1:
        return found[0]
    name = module.__name__
    if not found:
        raise CaseError(f"{name}.py has no case study: derive a class from devs_robotics.study.CaseStudy")
    names = ", ".join(each.__name__ for each in found)
    raise CaseError(f'{name}.py has several case studies ({names}): name one, as case = "{name}:{found[0].__name__}"')


def _checked(found: object, name: str) -> type[CaseStudy]:
    if not (inspect.isclass(found) and issubclass(found, CaseStudy) and found is not CaseStudy):
        raise CaseError(f"{name!r} is no case study: derive it from devs_robotics.study.CaseStudy")
    return found
