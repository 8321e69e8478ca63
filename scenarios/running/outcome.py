"""What came of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from xdevs.models import Component

from devs_robotics import Exchange, Lateness, Port
from devs_robotics.core.realtime.lateness import LatenessDistribution
from devs_robotics.experimental_frames.frame import Metric, Result
from devs_robotics.experimental_frames.instruments.approach import Approached, Approaches
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.safety import SafetyJudgement
from devs_robotics.scenarios.distributed.nodes import NodeReport
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage
from devs_robotics.view.replay import Replay

S = TypeVar("S", bound=Scenario)

Ending = Literal["accepted", "rejected", "interrupted", "failed", "broken off"]


NONE = "none"
"""Of equipment that the models of a robot do without."""


class RobotReport(Struct, frozen=True):
    """What is to be said of one real robot after a run.

    Attributes:
        played_by: its address, or that a stand-in played it
        protocol: of its driver
        motor, infrared, whiskers: virtual, loop, real or both; none, where this robot's models do without
        dropped: packets that were no valid messages of this robot, by what was wrong
        refused: moves that the guard refused
        equipment: real equipment of its own, by names
        standstill: why it stood still, and what to do, where its guard refused many moves in a row; empty: it did not
    """

    played_by: str
    protocol: str
    motor: str
    infrared: str
    whiskers: str
    dropped: dict[str, int]
    refused: int
    equipment: tuple[str, ...] = ()
    standstill: str = ""


class Outcome(Struct, Generic[S], frozen=True, kw_only=True):
    """What came of a run; a case study adds what its frames have measured.

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
        approaches: how near bodies came to each other, if that was measured
        judgement: of the safety gate, if it judged the run
        frames: results of the frame's parts, by their names
        declared: what is known of those of these results that were declared, by the names of their columns
        localisation: those of where real robots are, seen from outside
        timing: how late each event was, on a wall clock
        held_up_s: the longest time for which the run was held up, so that real robots were told to stop (s)
        robots: the real robots
        dropped: packets that came for nobody's use, by what was wrong; those of a robot stand in its report
        nodes: other processes that ran robots' models
        replay: where everybody was at every instant, if that was to be kept
        recording: name of the file in which the run is recorded; empty: none
    """

    scenario: S
    stage: Stage
    rate: float
    ended: Ending
    reason: str
    end_s: float
    steps: int
    transitions: int
    cpu_s: float
    wall_s: float
    approaches: Approaches | Approached | None = None
    judgement: SafetyJudgement | None = None
    frames: dict[str, dict[str, Result]] = {}
    declared: dict[str, Metric] = {}
    localisation: Localisation | None = None
    timing: Lateness | None = None
    held_up_s: float = 0.0
    robots: dict[int, RobotReport] = {}
    dropped: dict[str, int] = {}
    nodes: dict[str, NodeReport] = {}
    replay: Replay | None = None
    recording: str = ""

    def table(self, name: str) -> Any:
        """One of the run's tables, as a pandas data frame with the columns of its file.

        Args:
            name: of a frame's part that has a series, ``"tracks"``, or another result file's without its ``.csv``

        Raises:
            OutputError: the run has no such table, or pandas is not installed
        """
        from devs_robotics.scenarios.running.results import data_frame

        return data_frame(self, name)

    def write(self, folder: str | Path) -> list[Path]:
        """Write the result files and the report, as ``--out`` does.

        Args:
            folder: is made where it is missing

        Returns:
            their paths

        Raises:
            OutputError: a file cannot be written; those before it are whole
        """
        from devs_robotics.scenarios.running import results

        results.prepare(Path(folder))
        return results.write(Path(folder), self)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same in all their result files."""
        if type(other) is not type(self):
            return NotImplemented
        from devs_robotics.scenarios.running.results import same

        return same(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """What was measured, without the models that it was measured of."""
        return _unpickled, (type(self), {name: _alone(getattr(self, name)) for name in self.__struct_fields__})

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} of {self.scenario.case}, stage {self.stage}, seed {self.scenario.run.seed}: "
            f"{self.ended}, {self.reason}>"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it: the verdict, the results, and the field from above."""
        from devs_robotics.scenarios.running.notebook import outcome_html

        return outcome_html(self)

    @property
    def lateness(self) -> LatenessDistribution | None:
        """Of the events of a run on a wall clock."""
        return None if self.timing is None else self.timing.distribution()


def _unpickled(cls: type[AnyOutcome], fields: dict[str, Any]) -> AnyOutcome:
    return cls(**fields)


def _alone(value: Any) -> Any:
    """A transducer with what it has measured, without its ports, which lead to the rest of the experiment."""
    if not isinstance(value, Component):
        return value
    alone = type(value).__new__(type(value))
    kept = {name: item for name, item in vars(value).items() if not isinstance(item, Port | Exchange)}
    vars(alone).update(kept, parent=None, input={}, output={}, in_ports=[], out_ports=[])
    return alone


AnyOutcome = Outcome[Any]
"""What came of a run of any case study."""
