"""The page and the pictures of the e-puck2 in the documents: what they are made of, and what they would show now."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from devs_robotics.experimental_frames.epuck2.costs.arenas import PARTS, sensor_arena
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData, make
from devs_robotics.experimental_frames.epuck2.page import COSTS, NAME
from devs_robotics.experimental_frames.epuck2.pictures import PICTURES, drawn
from devs_robotics.models.batteries.coefficients import HOURS
from devs_robotics.scenarios.epuck2_figures import read_costs, write
from tests.paths import ROOT

PAGE, MEASURED = ROOT / "docs" / NAME, ROOT / "docs" / COSTS

NAMES = {shown.file: name for name, shown in PICTURES.items()}
"""Of the pictures, by their files."""


@cache
def now() -> EpuckFigureData:
    """What is to be shown, with costs as they were measured."""
    return make(read_costs(MEASURED))


def make_all(folder: Path) -> None:
    """Make the pictures in a folder, and the page in the documents."""
    *_, page = write(folder / "epuck2", now())
    for file in NAMES:
        (folder / "epuck2" / "images" / file).rename(folder / file)
    PAGE.write_text(page.read_text())


def svg(file: str) -> str:
    """A picture."""
    return drawn(NAMES[file], now())


def numbers(file: str) -> Iterable[float]:
    """What a picture draws."""
    made, name = now(), NAMES[file]
    traces = {
        "proximity": (made.response, made.turn),
        "light": (made.light,),
        "ground": (made.stripes, made.sectors),
        "time-of-flight": (made.distances,),
        "encoders": (made.steps, made.wrap),
    }
    if name in traces:
        return [value for trace in traces[name] for column in trace.columns.values() for value in column]
    if name == "camera":
        picture = made.picture
        places = [value for place in (picture.camera, *picture.robots, *picture.lights) for value in place]
        return [*places, *(value for blob in picture.blobs for value in (blob.column, blob.row))]
    if name == "discharges":
        return [*HOURS, *(point.charge for points in made.batteries.measured.values() for point in points)]
    if name == "battery-models":
        models = made.batteries.simulated.values()
        return [charge for by_speed in models for charges in by_speed.values() for charge in charges]
    if name == "arenas":
        return [
            value for arena in PARTS for robot in sensor_arena(arena, "none", 50, 1.0).robots for value in robot.pose
        ]
    return [value for cost in made.costs.costs for value in cost.spent]
