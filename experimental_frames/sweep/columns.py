"""The metrics that a sweep's table has of each run: their names, and how they are told to people."""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees, nan
from typing import Literal

from msgspec import Struct

from devs_robotics.experimental_frames.convoy.metrics import Metrics
from devs_robotics.experimental_frames.frame.parts import Result

Better = Literal["less", "more", ""]
"""Which way a metric improves; empty where neither way is better."""


class Column(Struct, frozen=True):
    """One metric of a run.

    Attributes:
        name: in tables, with the SI unit at its end, if it has one
        title: for people
        unit: for people; empty for counts, words and ratios
        scale: from the number in the table to the number in `unit`
        better: which way it improves
        words: what it is, if it is no number
        signed: whether it can be less than zero; of a result of one's own nobody has said
        rare: whether it counts or dates what few runs have, so that its mean has no normal distribution
    """

    name: str
    title: str
    unit: str = ""
    scale: float = 1.0
    better: Better = ""
    words: tuple[str, ...] = ()
    signed: bool = False
    rare: bool = False

    @property
    def label(self) -> str:
        """Title and unit, for an axis or the head of a table."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


METRICS: tuple[Column, ...] = (
    Column("error_at_pose_changes_m", "mean position error E", "cm", 100.0, "less"),
    Column("error_at_pose_changes_followers_m", "mean position error of the followers", "cm", 100.0, "less"),
    Column("error_at_completed_rounds_m", "mean position error at completed rounds", "cm", 100.0, "less"),
    Column(
        "error_at_completed_rounds_followers_m",
        "mean position error of the followers at completed rounds",
        "cm",
        100.0,
        "less",
    ),
    Column("largest_error_m", "largest position error of one robot at a completed round", "cm", 100.0, "less"),
    Column("heading_error_rad", "mean heading error at completed rounds", "deg", degrees(1.0), "less"),
    Column("synchronisation_delay_s", "synchronisation delay per robot", "s", 1.0, "less"),
    Column("convoy_speed_m_per_s", "convoy speed", "cm/s", 100.0, "more"),
    Column("adjustments_per_round", "adjustments per follower and round", "", 1.0, "less"),
    Column("robots_lost", "robots lost", "", 1.0, "less", rare=True),
    Column("first_lost_at_s", "first robot lost at", "s", 1.0, "more", rare=True),
    Column("smallest_distance_m", "smallest distance between bodies", "cm", 100.0, "more", signed=True),
    Column("collisions", "collisions", "", 1.0, "less", rare=True),
    Column("rounds_completed", "rounds completed by every robot", "", 1.0, "more"),
    Column("robot_rounds", "rounds completed by all robots together"),
    Column("coherence", "formation coherence", words=("coherent", "undecided", "not")),
    Column("simulated_s", "simulated time", "s"),
    Column("transitions", "transitions of all models"),
    Column("cpu_s", "processor time", "s", 1.0, "less"),
    Column("cpu_per_robot_round_s", "processor time per robot and round", "µs", 1e6, "less"),
)
"""In the order of a sweep's table, where further frames' results (``frames.NAME.KEY``) come after them."""

OWN = "frames."
"""With this the names of further frames' results begin."""

_BY_NAME = {metric.name: metric for metric in METRICS}


def column(name: str) -> Column:
    """What is known of a metric by its name; of a further frame's result nothing but its name is."""
    return _BY_NAME.get(name) or Column(name, name.removeprefix(OWN), signed=True)


def columns_of(
    metrics: Metrics,
    *,
    robots_lost: int,
    coherence: str,
    simulated_s: float,
    transitions: int,
    cpu_s: float,
    frames: Mapping[str, Mapping[str, Result]],
) -> dict[str, Result]:
    """The metrics of one run by column, in their order; NaN, or no word, where there is none.

    Args:
        metrics: what the convoy's frame measured
        robots_lost: how many
        coherence: the verdict on the formation, in a word
        simulated_s: simulated time at the end (s)
        transitions: of all models
        cpu_s: processor time of the simulation (s)
        frames: results of further frames, by their names
    """
    changes, rounds = metrics.error_at_pose_changes, metrics.error_at_completed_rounds
    values: dict[str, Result] = {
        "error_at_pose_changes_m": changes.mean_over_all,
        "error_at_pose_changes_followers_m": changes.mean_over_followers,
        "error_at_completed_rounds_m": rounds.mean_over_all,
        "error_at_completed_rounds_followers_m": rounds.mean_over_followers,
        "largest_error_m": metrics.largest_error_m,
        "heading_error_rad": metrics.heading_error_rad,
        "synchronisation_delay_s": metrics.synchronisation_delay_s,
        "convoy_speed_m_per_s": metrics.convoy_speed_m_per_s,
        "adjustments_per_round": metrics.adjustments_per_round,
        "robots_lost": robots_lost,
        "first_lost_at_s": metrics.first_lost_at_s,
        "smallest_distance_m": metrics.smallest_distance_m,
        "collisions": nan if metrics.collisions is None else metrics.collisions,
        "rounds_completed": metrics.rounds_completed,
        "robot_rounds": metrics.robot_rounds,
        "coherence": coherence,
        "simulated_s": simulated_s,
        "transitions": transitions,
        "cpu_s": cpu_s,
        "cpu_per_robot_round_s": cpu_s / metrics.robot_rounds if metrics.robot_rounds else nan,
    }
    for name, results in frames.items():
        values.update({f"{OWN}{name}.{key}": value for key, value in results.items()})
    return values
