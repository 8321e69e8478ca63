"""What a run of the convoy is measured by: one number, or word, per run (Hu & Zeigler, section 4.2, and some more)."""

from __future__ import annotations

from math import nan

from msgspec import Struct

from devs_robotics.experimental_frames.convoy.metrics import Metrics
from devs_robotics.experimental_frames.frame.metric import metric, metrics_of


class Measures(Struct, frozen=True):
    """The declared metrics of a convoy's run, in the order of a sweep's table.

    Args:
        metrics: what the frame measured
        lost: number of robots lost
        formation: the verdict on its coherence, in a word
        end_s: simulated time at the end (s)
        model_transitions: of all models
        processor_s: processor time of the simulation (s)
    """

    metrics: Metrics
    lost: int
    formation: str
    end_s: float
    model_transitions: int
    processor_s: float

    @metric("mean position error E", unit="cm", better="less")
    def error_at_pose_changes_m(self) -> float:
        """Over all robots, sampled at every pose change (equation 7)."""
        return self.metrics.error_at_pose_changes.mean_over_all

    @metric("mean position error of the followers", unit="cm", better="less")
    def error_at_pose_changes_followers_m(self) -> float:
        """The same over the robots that can have an error."""
        return self.metrics.error_at_pose_changes.mean_over_followers

    @metric("mean position error at completed rounds", unit="cm", better="less")
    def error_at_completed_rounds_m(self) -> float:
        """Each robot sampled at the instant when it completed a round."""
        return self.metrics.error_at_completed_rounds.mean_over_all

    @metric("mean position error of the followers at completed rounds", unit="cm", better="less")
    def error_at_completed_rounds_followers_m(self) -> float:
        """The same over the robots that can have an error."""
        return self.metrics.error_at_completed_rounds.mean_over_followers

    @metric("largest position error of one robot at a completed round", unit="cm", better="less")
    def largest_error_m(self) -> float:
        """Of any one robot."""
        return self.metrics.largest_error_m

    @metric("mean heading error at completed rounds", unit="deg", better="less")
    def heading_error_rad(self) -> float:
        """Of a follower's heading from the direction of its front robot."""
        return self.metrics.heading_error_rad

    @metric("synchronisation delay per robot", unit="s", digits=2, better="less")
    def synchronisation_delay_s(self) -> float:
        """Time that a wave takes for one place of the line."""
        return self.metrics.synchronisation_delay_s

    @metric("convoy speed", unit="cm/s", digits=2, better="more")
    def convoy_speed_m_per_s(self) -> float:
        """Way of the leader over the time."""
        return self.metrics.convoy_speed_m_per_s

    @metric("adjustments per follower and round", digits=2, better="less")
    def adjustments_per_round(self) -> float:
        """On average."""
        return self.metrics.adjustments_per_round

    @metric("robots lost", digits=0, better="less", rare=True)
    def robots_lost(self) -> int:
        """By the end."""
        return self.lost

    @metric("first robot lost at", unit="s", better="more", rare=True)
    def first_lost_at_s(self) -> float:
        """NaN if none was."""
        return self.metrics.first_lost_at_s

    @metric("smallest distance between bodies", unit="cm", better="more", signed=True)
    def smallest_distance_m(self) -> float:
        """Edge to edge, on all ways of two robots; NaN if it was not measured."""
        return self.metrics.smallest_distance_m

    @metric("collisions", digits=0, better="less", rare=True)
    def collisions(self) -> float:
        """With other robots, walls and obstacles; NaN if they were not counted."""
        return nan if self.metrics.collisions is None else self.metrics.collisions

    @metric("rounds completed by every robot", digits=0, better="more")
    def rounds_completed(self) -> int:
        """So many waves have run through the whole line."""
        return self.metrics.rounds_completed

    @metric("rounds completed by all robots together", digits=0)
    def robot_rounds(self) -> int:
        """What a run costs is about proportional to them."""
        return self.metrics.robot_rounds

    @metric("formation coherence", words=("coherent", "undecided", "not"))
    def coherence(self) -> str:
        """The verdict on the formation."""
        return self.formation

    @metric("simulated time", unit="s")
    def simulated_s(self) -> float:
        """At the end of the run."""
        return self.end_s

    @metric("transitions of all models", digits=0)
    def transitions(self) -> int:
        """A confluent one is one."""
        return self.model_transitions

    @metric("processor time", unit="s", digits=2, better="less")
    def cpu_s(self) -> float:
        """Of the simulation, its frame included."""
        return self.processor_s

    @metric("processor time per robot and round", unit="µs", digits=0, better="less")
    def cpu_per_robot_round_s(self) -> float:
        """NaN if no robot completed one."""
        return self.processor_s / self.metrics.robot_rounds if self.metrics.robot_rounds else nan


METRICS = metrics_of(Measures)
"""In the order of a sweep's table, where further frames' results (``frames.NAME.KEY``) come after them."""
