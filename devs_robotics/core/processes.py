"""Other processes of this machine."""

from __future__ import annotations

import os
import sys


def is_there(process: int) -> bool:
    """Whether a process is there, by its number; where that cannot be told, as on Windows, it is taken to be."""
    if process <= 0:
        return False
    if sys.platform != "win32":  # where signal 0 would be Ctrl-C
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            pass
    return True
