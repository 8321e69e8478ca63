"""How a case study is found: a class in a file, one that ships, or one that a package brings."""

from __future__ import annotations

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
    module_name, colon, _ = name.partition(":")
    _refuse_hiding(module_name.partition(".")[0], folder)
    if colon:
        _first_on_path(module_name, folder)
        study_class(name)
        return name
    if not (folder / f"{module_name}.py").is_file():
        return name
    _first_on_path(module_name, folder)
    return f"{module_name}:{_the_one(_imported(module_name)).__name__}"


def _refuse_hiding(name: str, folder: Path) -> None:
    """Raises CaseError where a file of this name would take the place of a module of Python or of a package."""
    if not (folder / f"{name}.py").is_file():
        return
    installed = [place for place in sys.path if Path(place).name in INSTALLED]
    if name in sys.stdlib_module_names or PathFinder.find_spec(name, installed) is not None:
        whose = "Python" if name in sys.stdlib_module_names else "a package"
        raise CaseError(f"{name}.py hides a module {name!r} of {whose}: give the file another name")


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
