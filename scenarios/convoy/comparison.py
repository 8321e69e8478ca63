"""What a study of a convoy compares, and the robot that it follows (Hu & Zeigler, section 4.3)."""

from __future__ import annotations

from devs_robotics.experimental_frames.convoy.back_robot import BackRobot, PhysicalErrors, errors_by_round
from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.frame.metric import SCALES, measured_by, metrics_of
from devs_robotics.experimental_frames.study.compared import Compared, Followed
from devs_robotics.scenarios.comparison.run_observations import Observers, RunObservations, RunWatch
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import measures
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.setup.roles import roles
from devs_robotics.scenarios.stages import Stage

_BY_NAME = {each.name: each for each in (*METRICS, *metrics_of(BackRobot))}

COMPARED = tuple(
    _BY_NAME[name]
    for name in (
        "error_at_pose_changes_m",
        "error_at_completed_rounds_m",
        "back_robot_error_m",
        "back_robot_physical_error_m",
        "largest_error_m",
        "convoy_speed_m_per_s",
        "adjustments_per_round",
    )
)
"""The metrics that are compared."""


def compared(scenario: ConvoyScenario) -> Compared:
    """What a study compares.

    Args:
        scenario: with nothing left open
    """
    back, is_real = back_robot(scenario)
    return Compared(
        metrics=COMPARED,
        measure="error_at_pose_changes_m",
        caption="E of equations 4 to 7 over all robots and pose changes after the transient",
        team="convoy",
        followed=Followed(
            robot=back,
            called="back real robot" if is_real else "back robot",
            metric="back_robot_error_m",
            quantity="position error",
            unit="cm",
            scale=SCALES["cm"],
            step="round",
            caption=f"Distance of robot {back} from its desired position behind its front robot (equation 4) whenever "
            "it completed a round",
        ),
        milestone="round_done",
    )


def back_robot(scenario: ConvoyScenario) -> tuple[int, bool]:
    """The robot whose position error is followed, and whether it is real in the stage `loop`.

    It is the last one with real infrared there; or else the last real one, and in a scenario without such the last one.
    The leader, which has no position error, is never it.
    """
    real = {number: role for number, role in roles(scenario, "loop").items() if number > 1}
    seeing = [number for number, role in real.items() if role.kinds.infrared != "virtual"]
    if real:
        return max(seeing or real), True
    return scenario.convoy.robots, False


class BackRobotWatch(RunWatch):
    """Sees the back robot's position error too, in the environment model and, where it is real, in the physical world.

    Args:
        scenario: of the run, with nothing left open
        stage: of the run
    """

    def __init__(self, scenario: ConvoyScenario, stage: Stage) -> None:
        self._back, _ = back_robot(scenario)
        self._is_real = self._back in roles(scenario, stage)
        self._physical = PhysicalErrors(self._back, scenario.convoy.distance)

    def observers(self) -> Observers:
        """Of the tracking system, where there is one."""
        return [(self._physical, self._physical.watched)] if self._is_real else []

    def seen(self, outcome: ConvoyOutcome) -> RunObservations:
        """The metrics that are compared, and both errors round by round."""
        errors, outside = errors_by_round(outcome.formation, self._back), tuple(self._physical.errors)
        measured = measures(outcome)
        robot = BackRobot(errors, outside if self._is_real else errors, measured.metrics.transient_rounds)
        values = {**measured_by(measured), **measured_by(robot)}
        return RunObservations({each.name: float(values[each.name]) for each in COMPARED}, errors, outside)
