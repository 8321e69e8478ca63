"""``python -m devs_robotics.hil.lab``: a lab of stand-ins, made by a plan from a file or a line of standard input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import IO

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab import plan_text
from devs_robotics.hil.lab.process import serve


def main() -> int:
    """Run a lab; returns the exit status."""
    parser = argparse.ArgumentParser(allow_abbrev=False, prog="python -m devs_robotics.hil.lab", description=__doc__)
    parser.add_argument(
        "--plan",
        type=Path,
        help="file with the plan; without it, the plan is the first line of standard input, and the lab ends with that",
    )
    arguments = parser.parse_args()
    parent: IO[bytes] | None = None
    try:
        if arguments.plan is not None:
            text = _read(arguments.plan)
        else:
            # without a buffer, which a thread that waits for its end would keep locked
            parent = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
            text = parent.readline()
        serve(plan_text.decode(text), parent)
    except DevsRoboticsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise plan_text.PlanError(f"the plan {path} cannot be read ({error.strerror}): correct its name") from error


if __name__ == "__main__":
    sys.exit(main())
