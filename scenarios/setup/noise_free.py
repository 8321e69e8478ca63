"""The same scenario without anything that chance decides, for proofs of model continuity."""

from __future__ import annotations

from devs_robotics.scenarios.case import S


def noise_free(scenario: S) -> S:
    """No noise in the models, and every real robot played by a stand-in that does exactly what it is told."""
    real = {number: robot.model_copy(update={"address": None}) for number, robot in scenario.real.items()}
    return scenario.model_copy(
        update={
            "noise": scenario.noise.model_copy(update={"dnf": 0.0, "anf": 0.0}),
            "real": real,
            "tracking": scenario.tracking.model_copy(update={"address": None}),
            "stand_in": scenario.stand_in.model_copy(update={"perfect": True}),
        }
    )
