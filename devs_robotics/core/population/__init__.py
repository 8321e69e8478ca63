"""Populations: many equal decision models as one, written in arrays, with the trace of the ordinary models.

Parallel DEVS is closed under coupling: N equal models beside each other are themselves an atomic model. The modeller
writes the decision model once a robot, and may write its array twin beside it, a `Population` with the same five
functions; `prove_twin` finds where the two do not say the same.
"""

from devs_robotics.core.population import exact
from devs_robotics.core.population.alike import Alike
from devs_robotics.core.population.declarations import Column, Common, Draws, Streams
from devs_robotics.core.population.draws import Draw
from devs_robotics.core.population.population import Population, twin_of
from devs_robotics.core.population.population_model import PopulationModel
from devs_robotics.core.population.rows import Rows

__all__ = [
    "Alike",
    "Column",
    "Common",
    "Draw",
    "Draws",
    "Population",
    "PopulationModel",
    "Rows",
    "Streams",
    "exact",
    "twin_of",
]
