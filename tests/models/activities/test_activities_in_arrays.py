"""Motors and range sensors in arrays: their twins are proven, and faults in these are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from devs_robotics import Drive, ModelError, Sense, Simulator
from devs_robotics.core.population import PopulationModel, Rows
from devs_robotics.core.testing.twins import prove_twin
from devs_robotics.models.activities import ContinuousMotor, VirtualInfrared
from devs_robotics.models.activities.continuous_motors import ContinuousMotors
from devs_robotics.models.activities.infrareds import VirtualInfrareds
from devs_robotics.models.environment import Distances, Halted
from devs_robotics.models.environment.time_manager import Pace

WAYS = st.sampled_from((0.0, 0.01, -0.1, 0.2, 1e-12))
COMMANDS = st.builds(Drive, WAYS, WAYS)
"""Such that some motions end between two inputs, and some do not."""

MOTOR: dict[str, Any] = {
    "of": ContinuousMotor,
    "robots": 2,
    "inputs": 16,
    "make": lambda robot, seed: ContinuousMotor("motor", robot, Pace(0.1, 0.07)),
    "hears": {
        "drive_ask": COMMANDS,
        "override_ask": COMMANDS,
        "world": st.builds(Halted, st.just(1), st.booleans()),
    },
}
INFRARED: dict[str, Any] = {
    "of": VirtualInfrared,
    "make": lambda robot, seed: VirtualInfrared("infrared", robot, (0.1, 0.0, -0.1), 1.0, 0.01),
    "hears": {
        "ranging_ask": st.builds(Sense),
        "world": st.builds(Distances, st.just(1), st.tuples(*3 * (st.sampled_from((0.015, 0.2071, 0.7, np.inf)),))),
    },
}


def test_the_twins_are_proven() -> None:
    prove_twin(ContinuousMotors, worlds=40, **MOTOR)
    prove_twin(VirtualInfrareds, worlds=20, **INFRARED)


class Coasts(ContinuousMotors):
    """It forgets that a robot rolls on at the end of a motion."""

    def _go_on(self, who: Any) -> None:
        super()._go_on(who)
        self._left[who] = np.where(self._legs[who] == 0, np.inf, self._left[who])


class GoesOn(ContinuousMotors):
    """It does not hear that something stands in the way."""

    def _run_into(self, who: Any) -> None:
        pass


class IsObeyed(ContinuousMotors):
    """Commands of the layer below get through."""

    def _take(self, who: Any, turn: Any, distance: Any) -> None:
        super()._take(who, turn, distance)
        self._overriding[who] = False


class ForgetsTime(ContinuousMotors):
    """What has passed of a leg when something is heard is forgotten."""

    def _pass(self, who: Any, seconds: Any) -> None:
        super()._pass(who, np.where(seconds == self.sigma[who], seconds, 0.0))


class Cuts(VirtualInfrareds):
    """It cuts what is to be rounded."""

    def _rounded(self, distances: Any) -> Any:
        return np.floor(distances * self._steps_per_metre) / self._steps_per_metre


@pytest.mark.parametrize("twin", [Coasts, GoesOn, IsObeyed, ForgetsTime, Cuts])
def test_faults_are_found(twin: Any) -> None:
    with pytest.raises(AssertionError, match=f"{twin.__name__} is no twin of"):
        prove_twin(twin, worlds=60, shrunk=False, **(INFRARED if twin is Cuts else MOTOR))


def test_a_command_that_no_motor_can_carry_out_is_told() -> None:
    motors = [ContinuousMotor("motor", robot, Pace(0.1, 1.0)) for robot in (1, 2)]
    model = PopulationModel("motors", ContinuousMotors(motors, [1, 2]), motors)
    with Simulator(model) as simulator:
        rows = Rows.of_messages(Drive, [1, 2], [Drive(0.1), Drive(0.0, np.inf)])
        simulator.inject(model.input["drive_ask"], rows, at=0.0)
        with pytest.raises(
            ModelError, match=r"robot 2 is told to turn by 0\.0 rad and drive inf m: its decision model"
        ):
            simulator.run(1.0)
