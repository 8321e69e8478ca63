"""Case studies in files of somebody's own, in folders that the project knows nothing of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from devs_robotics.scenarios.case import known_here
from devs_robotics.scenarios.case_study import finding
from tests.paths import ROOT

STANDING = '''
from devs_robotics.study import CaseStudy, Count

class {cls}(CaseStudy):
    """{words}"""

    robots: Count = {robots}
    defaults = {{"run.duration": 1.0}}

    def build(self, system):
        for pose in system.free_poses(self.robots):
            system.add_robot(pose)
'''


def standing(cls: str = "Standing", robots: int = 2, words: str = "Robots stand still.") -> str:
    """The text of a module with a case study whose robots do nothing."""
    return STANDING.format(cls=cls, robots=robots, words=words)


def written(folder: Path, **files: str) -> Path:
    """The folder, with files in it: ``a__b_py`` is ``a/b.py``."""
    for name, text in files.items():
        stem, _, suffix = name.replace("__", "/", 1).rpartition("_")
        path = folder / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@contextmanager
def modules_as_they_were() -> Iterator[None]:
    """Afterwards the path of modules and somebody's own modules that are loaded are those of before.

    Modules of Python, of packages and of the project stay loaded: they are slow to load, and can be there but once.
    """
    path, modules, places, known = list(sys.path), dict(sys.modules), list(finding._places), dict(known_here)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - set(modules):
            if not _stays(sys.modules[name]):
                del sys.modules[name]
        sys.modules.update(modules)
        finding._places[:] = places
        known_here.clear()
        known_here.update(known)


def _stays(module: ModuleType) -> bool:
    """Whether it is of Python, of a package or of the project."""
    file = getattr(module, "__file__", None)
    if file is None:  # built into Python, or a folder without an __init__.py
        return not getattr(module, "__path__", None) or any(map(_of_all, module.__path__))
    return _of_all(file)


def _of_all(place: str) -> bool:
    return Path(place).is_relative_to(ROOT) or any(map(Path(place).is_relative_to, (sys.prefix, sys.base_prefix)))
