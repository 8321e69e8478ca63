"""What models say to each other can be changed by nobody who has it."""

from __future__ import annotations

from tests.immutable import changeable


def test_only_what_counts_and_what_is_put_together_can_be_changed() -> None:
    found = [changeable(f"devs_robotics.core{package}") for package in ("", ".realtime", ".robots")]
    assert set().union(*found) == {"Counts", "Batch", "_End"}
