"""A run that is over before a real robot has been found is not accepted."""

from __future__ import annotations

from devs_robotics.scenarios.phototaxis import Phototaxis
from devs_robotics.scenarios.running.means import Means
from devs_robotics.study import run

NOWHERE = "tcp://127.0.0.1:9"


def test_a_short_run_without_its_real_robot_is_broken_off() -> None:
    real = {"1": {"protocol": "epuck2-wifi", "address": NOWHERE}}
    outcome = run(Phototaxis(robots=1), "real", duration=0.1, means=Means(accept_risk=True), real=real)
    assert outcome.ended == "broken off"
    assert outcome.reason.startswith(f"robot 1 at {NOWHERE} was not found before the run was over (")
    assert outcome.reason.endswith(", or let the run last for more than 5 s")
