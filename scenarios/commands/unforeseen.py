"""What is said of a mistake that nobody has foreseen: a sentence, and a file for those who mend it."""

from __future__ import annotations

import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence

from devs_robotics import __version__
from devs_robotics.core.user_code import described


def sentence(exc: BaseException, program: str, arguments: Sequence[str]) -> str:
    """One sentence about an exception; its traceback goes to a file, or follows where no file can be written.

    Args:
        exc: that nobody caught
        program: its name, for people
        arguments: that it was given; their passwords are left out
    """
    from devs_robotics.hil.addresses import masked

    told = "".join(traceback.format_exception(exc))
    command = shlex.join([program, *map(masked, arguments)])
    text = f"{program} {__version__}, Python {platform.python_version()}, {platform.platform()}\n{command}\n\n{told}"
    said = f"this should not have happened ({described(exc)})"
    try:
        handle, path = tempfile.mkstemp(prefix=f"{program}-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return f"{said}: please send what follows to where you have devs-robotics from\n{text}"
    return f"{said}: please send {path} to where you have devs-robotics from"
