"""Files of users' own: told from those of Python, of installed packages and of this project."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from traceback import walk_tb

INSTALLED = ("site-packages", "dist-packages")
"""Names of folders with what is installed."""

_PYTHON = sysconfig.get_path("stdlib")
_PROJECT = Path(__file__).parents[1]


def is_installed(path: Path) -> bool:
    """Whether a file has been installed with a package."""
    return not set(INSTALLED).isdisjoint(path.parts)


def is_own(path: Path) -> bool:
    """Whether a file is neither of Python itself nor installed."""
    return not (is_installed(path) or path.is_relative_to(_PYTHON))


def place_of(exc: BaseException) -> str:
    """Where an exception came up: the innermost line of somebody's own code, as ``cleaning.py, line 12``.

    Where all code on the way is installed, it is that of the package which comes first. A file is told from the working
    folder on.

    Returns:
        nothing where the way leads through no such code, or where the exception says the file itself
    """
    if isinstance(exc, SyntaxError) and exc.filename:
        return ""
    calls = [
        (Path(frame.f_code.co_filename), line, str(frame.f_globals.get("__name__", "")).partition(".")[0])
        for frame, line in walk_tb(exc.__traceback__)
        if not frame.f_code.co_filename.startswith("<")
    ]
    others = [call for call in calls if not call[0].is_relative_to(_PROJECT) and call[2] != "xdevs"]
    own = [call for call in others if is_own(call[0])]
    if not own:
        packages = [call for call in others if is_installed(call[0])]
        own = [call for call in packages if call[2] == packages[0][2]]
    if not own:
        return ""
    path, line, _ = own[-1]
    return f"{_from_here(path)}, line {line}"


def _from_here(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):  # it stands elsewhere, or the working folder has been removed
        return str(path)
