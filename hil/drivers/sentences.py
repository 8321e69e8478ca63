"""What is said of robots that cannot be used, and what to do."""

from __future__ import annotations

from devs_robotics.hil.addresses import masked


def never_found(robot: int, address: str, reason: str, remedy: str, within: float) -> str:
    """A robot had not answered when the run was over.

    Args:
        robot: its number
        address: where it should be
        reason: why it is not there, as far as that is known
        remedy: what to look at
        within: how long it is waited for (s)
    """
    return (
        f"robot {robot} at {masked(address)} was not found before the run was over ({reason}): "
        f"{remedy}, or let the run last for more than {within:g} s"
    )


def other_beams(told: int, wanted: int) -> str:
    """A robot tells ranges of another number of beams than its scenario is for."""
    return (
        f"tells ranges of {told} beams, and the scenario and its certificate are for {wanted}: use a robot with "
        f"{wanted}, or let its infrared be virtual, or have the case study's robots see along {told} and certify it "
        "again"
    )
