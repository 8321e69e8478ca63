"""How rounds run through the line: the wave that each round of the leader is, and how well robots aim."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

import numpy as np

from devs_robotics.core.tables import Table
from devs_robotics.experimental_frames.convoy.formation import RoundRow


def synchronisation_delay(rows: Iterable[RoundRow], robots: int, transient_rounds: int, completed: int) -> float:
    """Mean time between neighbours' completing the same round (s); NaN without a round.

    A follower sets off when its front robot has moved, so a round of the leader's runs down the line as a wave. In
    round r it takes t_N(r) - t_1(r), from the leader's completing r to the last robot's, that is
    (t_N(r) - t_1(r)) / (N - 1) for each place of the line.

    Args:
        rows: of all robots
        robots: how many there are, N
        transient_rounds: left out
        completed: rounds that every robot has completed
    """
    total, counted = 0.0, completed - transient_rounds
    for block in Table.of(RoundRow, rows).blocks():
        counts = (transient_rounds < block["round"]) & (block["round"] <= completed)
        last, first = counts & (block["robot"] == robots), counts & (block["robot"] == 1)
        for time in np.where(last, block["time_s"], -block["time_s"])[last | first].tolist():
            total += time
    return total / (counted * (robots - 1)) if counted > 0 else nan


def heading_error(rows: Iterable[RoundRow], transient_rounds: int, completed: int) -> float:
    """Mean absolute angle between a follower's heading and the direction of its front robot (rad); NaN without a round.

    Each follower counts at the instant when it completes a round, in those rounds that every robot has completed.

    Args:
        rows: of all robots
        transient_rounds: left out
        completed: rounds that every robot has completed
    """
    total, counted = 0.0, 0
    for block in Table.of(RoundRow, rows).blocks():
        counts = (block["robot"] > 1) & (transient_rounds < block["round"]) & (block["round"] <= completed)
        angles = np.abs(block["bearing_rad"][counts]).tolist()
        total, counted = sum(angles, start=total), counted + len(angles)
    return total / counted if counted else nan
