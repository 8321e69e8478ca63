"""What is measured: models and kernels by name.

Imports neither: the process that starts the measurements has to stay small, see `measure.peak_mib`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from msgspec import Struct

Kind = Literal["LI", "HI", "HO", "HOmod"]


class Devstone(Struct, frozen=True, tag=True):
    """A DEVStone model without delays, to which a seeder sends one event; it runs until every model is passive."""

    kind: Kind
    width: int
    depth: int

    @property
    def label(self) -> str:
        """What the table calls it."""
        return f"{self.kind} {self.width}x{self.depth}"


class Ring(Struct, frozen=True, tag=True):
    """Stations in a ring that pass one token on: each holds it for a second, so that a step has two transitions."""

    stations: int

    @property
    def label(self) -> str:
        """What the table calls it."""
        return f"ring of {self.stations}"


Work = Devstone | Ring

WORK: dict[str, Work] = {
    "LI": Devstone("LI", 200, 200),
    "HI": Devstone("HI", 100, 100),
    "HO": Devstone("HO", 100, 100),
    "HOmod": Devstone("HOmod", 20, 20),
    "ring-10": Ring(10),
    "ring-100": Ring(100),
    "ring-1000": Ring(1000),
    "ring-5000": Ring(5000),
}

FLAT = "xdevs-flat"
"""Takes more than a minute to set up: it is left out unless asked for."""

KERNELS = {
    "ours": "ours, declared ports",
    "ours-xdevs": "ours, xdevs models",
    "xdevs": "xdevs",
    FLAT: "xdevs, flattened",
    "pyjevsim": "pyjevsim",
    "simpy": "SimPy",
    "floor": "floor, declared ports",
    "floor-xdevs": "floor, xdevs models",
}
"""What the table calls the kernels."""

FLOORS = {"ours": "floor", "ours-xdevs": "floor-xdevs"}
"""What our simulator would cost if it did nothing but call the models' functions."""

RING_STEPS = {"pyjevsim": 50_000, "simpy": 80_000, "floor": 100_000, "floor-xdevs": 100_000}
OUR_RING_STEPS = 300_000
"""How many steps give a kernel about half a second to work, in a ring of any size."""


def missing(kernel: str) -> bool:
    """Whether a peer is not installed."""
    return kernel == "pyjevsim" and find_spec("pyjevsim") is None


def applies(kernel: str, work: Work) -> bool:
    """Whether a kernel can run a model, and in bearable time."""
    if kernel == "simpy":
        return isinstance(work, Ring)
    return kernel != FLAT or (isinstance(work, Devstone) and work.kind == "HI")


def steps_of(work: Work, kernel: str) -> int | None:
    """How many steps a kernel is given; None for a run to the end."""
    if isinstance(work, Devstone):
        return None
    if kernel == "xdevs":  # looks at every model in every step
        return 1_000_000 // (work.stations + 30)
    return RING_STEPS.get(kernel, OUR_RING_STEPS)
