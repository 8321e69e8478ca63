"""What is said of a real robot that stands still, since its guard refuses every move of its decision model."""

from __future__ import annotations

from devs_robotics.models.activities import Guard

HOPELESS = 10
"""From so many moves on that are refused in a row, somebody has to know."""


def why_it_stands(number: int, guard: Guard) -> str:
    """A sentence, with what to do, where a guard has refused many moves in a row; empty where it has not.

    Args:
        number: of the robot
        guard: before its motor
    """
    worst = guard.hopeless
    if worst.in_a_row < HOPELESS:
        return ""
    count = f"{worst.in_a_row:,} moves in a row, the last one of {worst.wanted:.3g} m"
    said = f"robot {number} stood still: its guard refused {count}, where {worst.free:.3g} m were free"
    if not guard.clearance:
        return (
            f"{said}: let its decision model plan no move that is longer than the way ahead of the body, or correct "
            "[field], if nothing is there"
        )
    need = f"{guard.clearance:.3g} m"
    return (
        f"{said} and it needs {need} beyond the end of a move, as it rolls on so far when its host dies: let its "
        f"decision model keep a clearance of more than {need}, or lower robot.speed, or let the robot stop sooner "
        f"(real.{number}.watchdog)"
    )
