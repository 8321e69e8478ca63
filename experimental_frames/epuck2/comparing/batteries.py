"""Batteries: figures 10 and 12, and Table 5."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from devs_robotics.experimental_frames.epuck2 import published as paper
from devs_robotics.experimental_frames.epuck2.comparing.row import Row, row
from devs_robotics.experimental_frames.epuck2.discharges import Discharged
from devs_robotics.models.batteries import DISCHARGES, shipped
from devs_robotics.models.batteries.coefficients import HOURS
from devs_robotics.models.batteries.fitting import PUBLISHED

HOUR = 3600.0


def batteries(found: Discharged) -> Iterator[Row]:
    """All of them."""
    simple = shipped("simple")
    for what, speed, published in (("at rest", 0.0, paper.HOURS_AT_REST), ("in motion", 0.1, paper.HOURS_MOVING)):
        hours = simple.seconds_until(1.0, 0.0, speed) / HOUR
        yield row("section 4.1.7", f"how long the simple battery lasts {what} (h)", f"{published:.3f}", f"{hours:.3f}")
    least = min(range(len(HOURS)), key=lambda speed: HOURS[speed])
    most = max(range(least, len(HOURS)), key=lambda speed: HOURS[speed])
    shaped = all(now < before for before, now in pairwise(HOURS[: least + 1]))
    yield Row(
        "Figure 10b",
        "speeds up to which a battery lasts ever shorter, and then ever longer (cm/s)",
        f"{paper.SHORTEST_CM}, {paper.LONGEST_CM}",
        f"{least}, {most}",
        "agrees" if shaped and (least, most) == (paper.SHORTEST_CM, paper.LONGEST_CM) else "differs",
        "The illustrative curves were made so.",
    )
    ours = {"analysis": found.fitted.averages, "simulated": found.errors}
    for (source, averages), errors in zip(ours.items(), PUBLISHED.values(), strict=True):
        yield Row(
            "Table 5",
            f"mean square errors of batteries, {source}: {', '.join(DISCHARGES)}",
            ", ".join(f"{each:.4f}" for each in errors),
            ", ".join(f"{averages[name]:.4f}" for name in DISCHARGES),
            "other data",
        )
    order = sorted(DISCHARGES, key=lambda name: -found.errors[name])
    yield row(
        "section 4.2",
        "battery models from the largest error to the smallest",
        "simple, linear, approximated, cubic",
        ", ".join(order),
    )
    apart = max(abs(found.errors[name] - found.fitted.averages[name]) for name in DISCHARGES)
    yield Row(
        "section 4.2",
        "largest difference of their errors in analysis and simulation",
        "0.0005",
        f"{apart:.4f}",
        "agrees" if apart <= 5e-4 else "differs",
        "Charges are followed in closed form, without steps.",
    )
    yield from _between(found)


def _between(found: Discharged) -> Iterator[Row]:
    """What the algorithms say between two speeds, as printed and as corrected."""
    linear = shipped("linear")
    slow, fast = (linear.seconds_until(1.0, 0.0, speed) / HOUR for speed in (0.033, 0.037))
    yield Row(
        "Algorithms 2 to 4",
        "how long the linear battery lasts at 3.3 cm/s, by the illustrative curves (h)",
        f"{fast:.2f}",
        f"{slow:.2f}",
        "differs",
        "As printed, the weights of both speeds are exchanged where the lower speed lasts longer: at 3.3 cm/s it acts "
        "as at 3.7.",
    )
