"""Case studies in files of somebody's own, in folders that the project knows nothing of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devs_robotics.scenarios.case import known_here
from devs_robotics.scenarios.case_study import finding

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
    """Afterwards the path of modules and the modules that are loaded are those of before."""
    path, modules, places, known = list(sys.path), dict(sys.modules), list(finding._places), dict(known_here)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)
        finding._places[:] = places
        known_here.clear()
        known_here.update(known)
