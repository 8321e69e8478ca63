"""What came of a run."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from devs_robotics import Lateness, __version__
from devs_robotics.core.realtime.lateness import LatenessDistribution
from devs_robotics.experimental_frames.convoy import Formation, Metrics
from devs_robotics.experimental_frames.frame import Result
from devs_robotics.experimental_frames.instruments.localisation import Localisation, measure_localisation
from devs_robotics.scenarios.loading import fingerprint
from devs_robotics.scenarios.nodes import NodeReport
from devs_robotics.scenarios.schema import Scenario
from devs_robotics.scenarios.stages import Stage

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.coherence import Coherence

Ending = Literal["accepted", "rejected", "interrupted", "failed", "broken off"]


class RobotReport(Struct, frozen=True):
    """What is to be said of one real robot after a run.

    Attributes:
        played_by: its address, or that a stand-in played it
        protocol: of its driver
        motor, infrared, whiskers: virtual, loop or real
        dropped: packets that were no valid messages of this robot, by what was wrong
        refused: moves that the guard refused
    """

    played_by: str
    protocol: str
    motor: str
    infrared: str
    whiskers: str
    dropped: dict[str, int]
    refused: int


class Outcome(Struct, frozen=True):
    """What came of a run.

    Attributes:
        scenario: what was run, with nothing left open
        stage: how it was run
        rate: simulated seconds per real second; infinite in the stage `fast`
        ended: accepted or rejected by the acceptor, interrupted by the user, failed for a fault of a model or of an
            observer, or broken off for a fault of a real robot, a link or a node
        reason: why it is over
        end_s: simulated time at the end (s)
        steps: of the simulator
        transitions: of all models
        cpu_s: processor time of the simulation (s)
        wall_s: time on the clock (s)
        robots_lost: why, by robot
        metrics: what the frame measured
        formation: the measurements themselves
        frames: results of the parts of further frames, by their names
        localisation: those of where real robots are, seen from outside
        timing: how late each event was, on a wall clock
        held_up_s: the longest time for which the run was held up, so that real robots were told to stop (s)
        robots: the real robots
        dropped: packets that came for nobody's use, by what was wrong; those of a robot stand in its report
        nodes: other processes that ran robots' models
    """

    scenario: Scenario
    stage: Stage
    rate: float
    ended: Ending
    reason: str
    end_s: float
    steps: int
    transitions: int
    cpu_s: float
    wall_s: float
    robots_lost: dict[int, str]
    metrics: Metrics
    formation: Formation
    frames: dict[str, dict[str, Result]] = {}
    localisation: Localisation | None = None
    timing: Lateness | None = None
    held_up_s: float = 0.0
    robots: dict[int, RobotReport] = {}
    dropped: dict[str, int] = {}
    nodes: dict[str, NodeReport] = {}

    @property
    def lateness(self) -> LatenessDistribution | None:
        """Of the events of a run on a wall clock."""
        return None if self.timing is None else self.timing.distribution()

    def coherence(self) -> Coherence:
        """Whether the formation was coherent."""
        from devs_robotics.experimental_frames.coherence import coherence_of, sight_margin

        of = self.scenario
        margin = sight_margin(of.infrared.range, of.convoy.distance, of.robot.radius)
        return coherence_of(self.formation, self.robots_lost, margin, self.metrics.transient_rounds)

    def summary(self) -> dict[str, Any]:
        """All but the measurements themselves, as plain data."""
        import msgspec

        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "scenario_sha256": fingerprint(self.scenario),
            "seed": self.scenario.run.seed,
            "stage": self.stage,
            "versions": versions(),
            "outcome": self.ended,
            "reason": self.reason,
            "simulated_s": self.end_s,
            "events": {
                "steps": self.steps,
                "transitions": self.transitions,
                "pose_changes": len(self.formation.times),
                "robot_rounds": self.metrics.robot_rounds,
            },
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            **self._real_time(),
            **self._localised(),
            "metrics": {
                **msgspec.to_builtins(self.metrics, str_keys=True),
                "robots_lost": {str(robot): reason for robot, reason in self.robots_lost.items()},
            },
            "coherence": msgspec.to_builtins(self.coherence()),
            **({"frames": self.frames} if self.frames else {}),
        }

    def columns(self) -> dict[str, Result]:
        """The run's row of a sweep's table: its metrics by column, as `experimental_frames.sweep.columns` has them."""
        from devs_robotics.experimental_frames.sweep import columns_of

        return columns_of(
            self.metrics,
            robots_lost=len(self.robots_lost),
            coherence=self.coherence().verdict,
            simulated_s=self.end_s,
            transitions=self.transitions,
            cpu_s=self.cpu_s,
            frames=self.frames,
        )

    def _real_time(self) -> dict[str, Any]:
        """What there is to say of a stage on a wall clock only."""
        import msgspec

        if self.timing is None:
            return {}
        clock = self.scenario.clock
        return {
            "clock": {
                "rate": self.rate,
                "late": clock.late,
                "max_lateness_s": clock.max_lateness,
                "held_up_s": self.held_up_s,
                "lateness": msgspec.to_builtins(self.timing.distribution()),
            },
            "robots": {str(number): msgspec.to_builtins(robot) for number, robot in self.robots.items()},
            "dropped": self.dropped,
            "nodes": {name: msgspec.to_builtins(node) for name, node in self.nodes.items()},
        }

    def _localised(self) -> dict[str, Any]:
        """How well it was known where real robots were."""
        import msgspec

        if self.localisation is None:
            return {}
        measured = measure_localisation(self.localisation)
        return {"localisation": {str(number): msgspec.to_builtins(errors) for number, errors in measured.items()}}


def versions() -> dict[str, str]:
    """Of the software that a run depends on."""
    return {
        "devs-robotics": __version__,
        "python": platform.python_version(),
        "platform": sys.platform,
        **{name: version(name) for name in ("xdevs", "numpy")},
    }
