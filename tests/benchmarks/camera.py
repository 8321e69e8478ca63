"""How well robots are found in rendered pictures, all rows of the table: ``python -m tests.benchmarks.camera``."""

from __future__ import annotations

from devs_robotics.hil.testing.camera_accuracy import ROWS, heading, measure, row_of
from tests.hil.testing.test_camera_accuracy import FORMER, within


def main() -> None:
    """Measure, show each row, and what is worse than it may be."""
    print(heading())
    worse = []
    for conditions in ROWS:
        got = measure(conditions)
        print(row_of(got), flush=True)
        if conditions.name in FORMER:
            worse += within(got)
    print("\n".join(worse) or "all within one and a half times what was measured before")


if __name__ == "__main__":
    main()
