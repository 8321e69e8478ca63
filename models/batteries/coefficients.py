"""Coefficients of batteries: those that ship, and those of a file that ``devs-robotics battery fit`` has written."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from devs_robotics import DevsRoboticsError, ModelError
from devs_robotics.models.batteries.approximated import ApproximatedDischarge
from devs_robotics.models.batteries.cubic import CubicDischarge
from devs_robotics.models.batteries.curves import Curve
from devs_robotics.models.batteries.discharge import Discharge
from devs_robotics.models.batteries.linear import LinearDischarge
from devs_robotics.models.batteries.simple import SimpleDischarge

DischargeName = Literal["simple", "linear", "cubic", "approximated"]
"""The discharge models."""

DISCHARGES: tuple[DischargeName, ...] = get_args(DischargeName)
"""The names of the discharge models that ship."""


class CoefficientsError(DevsRoboticsError):
    """Coefficients of batteries that cannot be read, or a model that there is none of."""


class Coefficients(Struct, frozen=True, forbid_unknown_fields=True):
    """What batteries of all four models are made of.

    Attributes:
        about: where they come from, for people
        simple: at rest, and in motion
        linear: one slope per speed
        curves: one per speed, of the other two models
    """

    about: str
    simple: SimpleDischarge
    linear: LinearDischarge
    curves: tuple[Curve, ...]

    def discharge(self, name: str) -> Discharge:
        """One of the models.

        Args:
            name: ``simple``, ``linear``, ``cubic`` or ``approximated``

        Raises:
            CoefficientsError: there is no such model
        """
        match name:
            case "simple":
                return self.simple
            case "linear":
                return self.linear
            case "cubic":
                return CubicDischarge(self.curves)
            case "approximated":
                return ApproximatedDischarge(self.curves)
        raise CoefficientsError(
            f"there is no discharge model {name!r}: take {', '.join(DISCHARGES[:-1])} or {DISCHARGES[-1]}"
        )


SHAPE = (-1.9, 2.4, -1.5)
"""Of all illustrative curves: 1 - 1.9 u + 2.4 u^2 - 1.5 u^3, where u is the share of the duration."""

HOURS = (5.48, 3.45, 3.30, 3.10, 2.90, 2.75, 2.80, 2.90, 3.00, 3.10, 3.20, 3.30, 3.40, 3.50, 3.60, 3.55)
"""Duration of the illustrative curves, of 0, 1, ... 15 cm/s (h).

As in the measurements, of which only a figure is published, it falls until 5 cm/s, rises until 14, and falls again;
the mean in motion is that of the published slope.
"""


def _illustrative(speed_cm: int, hours: float) -> Curve:
    duration = 3600.0 * hours
    c1, c2, c3 = (factor / duration**power for power, factor in enumerate(SHAPE, 1))
    return Curve(float(speed_cm), (c1, c2, c3), duration)


ILLUSTRATIVE = tuple(_illustrative(speed_cm, hours) for speed_cm, hours in enumerate(HOURS))

SHIPPED = Coefficients(
    "simple: as published for the e-puck2 (Stolfi & Danoy); the others: illustrative, not measured",
    SimpleDischarge(),
    LinearDischarge(
        tuple(curve.speed_cm for curve in ILLUSTRATIVE), tuple(-1.0 / curve.duration for curve in ILLUSTRATIVE)
    ),
    ILLUSTRATIVE,
)
"""The slopes of the linear model are those of the least-squares lines through full charge at time 0, too."""


def shipped(name: str) -> Discharge:
    """A discharge model of an e-puck2, ``simple``, ``linear``, ``cubic`` or ``approximated``.

    The first is as published. The others are illustrative: they have the published features, and nobody measured them.

    Raises:
        CoefficientsError: there is no such model
    """
    return SHIPPED.discharge(name)


def read(path: str | Path, name: str) -> Discharge:
    """A discharge model from a file that ``devs-robotics battery fit --out`` has written.

    Args:
        path: of the file
        name: ``simple``, ``linear``, ``cubic`` or ``approximated``

    Raises:
        CoefficientsError: the file cannot be read, or there is no such model
    """
    return read_coefficients(path).discharge(name)


def read_coefficients(path: str | Path) -> Coefficients:
    """All that such a file holds.

    Raises:
        CoefficientsError: it cannot be read
    """
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Coefficients)
    except OSError as exc:
        why = exc.strerror or "no file"
    except (msgspec.DecodeError, ModelError) as exc:
        why = str(exc)
    raise CoefficientsError(
        f"{path} holds no coefficients of a battery ({why}): write it by devs-robotics battery fit data.csv --out DIR"
    )


def coefficients_text(coefficients: Coefficients) -> str:
    """The text of such a file."""
    return msgspec.json.format(msgspec.json.encode(coefficients), indent=2).decode() + "\n"
