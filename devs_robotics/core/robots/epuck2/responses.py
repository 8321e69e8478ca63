"""What an e-puck's proximity sensors read of something at a distance: responses by name, as constants.

Models and stand-ins read by them, and drivers take the inverse; each has code of its own. A reading means nothing
without the response that it was made by.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

BRIGHTEST = 4095
"""Largest reading: the sensor touches something."""

REACH = 0.05
"""Distance above which the sensors of both e-pucks read 0 (m), as in ARGoS."""

ResponseName: TypeAlias = Literal["paper", "e-puck", "webots", "inverse-square"]


class Quadratic(Struct, frozen=True):
    """``BRIGHTEST * (a d^2 + b d + c)`` for a distance d (m) up to `reach`, never below 0 nor above `BRIGHTEST`.

    It falls all the way to its first root, which is nearer than `reach`; beyond either the reading is 0.
    """

    a: float
    b: float
    c: float
    reach: float


class Points(Struct, frozen=True):
    """Distances (m) with their readings, straight lines between them; beyond the last distance the reading is 0."""

    points: tuple[tuple[float, int], ...]


class InverseSquare(Struct, frozen=True):
    """``BRIGHTEST * (half_length / (half_length + d))^2`` for a distance d (m) up to `reach`; beyond it 0.

    At `half_length` (m) a quarter of the light comes back.
    """

    half_length: float
    reach: float


Response: TypeAlias = Quadratic | Points | InverseSquare

RESPONSES: dict[ResponseName, Response] = {
    # e-puck2, fitted to two real robots that face white cardboard (Stolfi and Danoy, eq. (1)); the default
    "paper": Quadratic(a=197.8633, b=-30.47182, c=1.011635, reach=REACH),
    # the first e-puck, as in ARGoS (Garattoni and Francesca)
    "e-puck": Quadratic(a=298.701, b=-36.8961, c=1.08212, reach=REACH),
    # the e-puck of Webots (E-puckDistanceSensor.proto), without its noise
    "webots": Points(
        (
            (0.0, 4095),
            (0.005, 2133),
            (0.010, 1466),
            (0.015, 601),
            (0.020, 384),
            (0.030, 235),
            (0.040, 158),
            (0.050, 120),
            (0.060, 104),
            (0.070, 67),
        )
    ),
    # light that falls with the square of the distance to a point behind the edge; a formula, of no real robot
    "inverse-square": InverseSquare(half_length=0.0105, reach=0.1),
}
"""The responses that there are. Distances are from the sensor (`ring`), along one ray without width."""

DEFAULT_RESPONSE: ResponseName = "paper"
"""The response that robots have where none is named."""
