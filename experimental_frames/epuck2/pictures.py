"""The pictures: which figure of the paper each is, what is to be seen in it, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib as mpl
from matplotlib.figure import Figure
from msgspec import Struct

from devs_robotics.experimental_frames.epuck2.figures import batteries, costs, sensors
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData
from devs_robotics.experimental_frames.report.colours import PAPER
from devs_robotics.experimental_frames.report.drawing import STYLE, svg


class Pictured(Struct, frozen=True):
    """One picture.

    Attributes:
        file: its name
        figure: of the paper
        what: it shows, in short
        caption: what is to be seen
        draw: makes it
    """

    file: str
    figure: str
    what: str
    caption: str
    draw: Callable[[EpuckFigureData], Figure]


def _shown(
    name: str, figure: str, what: str, caption: str, draw: Callable[[EpuckFigureData], Figure]
) -> tuple[str, Pictured]:
    return name, Pictured(f"epuck2-{name}.svg", figure, what, caption, draw)


PICTURES: dict[str, Pictured] = dict(
    (
        _shown(
            "proximity",
            "Figure 4",
            "proximity readings by distance, and during a turn",
            """\
Left: 61 robots face a wall, each a millimetre further away; the e-puck2's response is one of those that can be
chosen. Right: a robot turns between four walls. Each sensor reads most where it faces one, so the maxima are as far
apart as Table 3 says. What the paper's robots read of cardboard is not published.""",
            lambda made: sensors.proximity(made.response, made.turn),
        ),
        _shown(
            "light",
            "Figure 5",
            "light readings by distance from lamps",
            """\
Robots face lamps of four intensities; the paper does not say which ones it shows. A lamp that is further away than 50
cm is not seen, so readings jump there.""",
            lambda made: sensors.light(made.light),
        ),
        _shown(
            "ground",
            "Figure 6",
            "three ground sensors over stripes and sectors",
            """\
Left: the three traces are one. Right: in a turn to the left, the left sensor comes first, and the others follow by
the angle between the sensors.""",
            lambda made: sensors.ground(made.stripes, made.sectors),
        ),
        _shown(
            "time-of-flight",
            "Figure 7",
            "time of flight towards an obstacle at six speeds",
            """\
The distance falls evenly to the least reading. The paper's text does not say which six speeds it shows. Its real
robots bounce off the obstacle; a modelled one stays where it touches.""",
            lambda made: sensors.time_of_flight(made.distances),
        ),
        _shown(
            "encoders",
            "Figure 8",
            "step counters at six speeds, and their wrap",
            """\
Left: steps on the way of figure 7; 30 cm are 2329 steps, at any speed. Right: after 32767 comes -32768.""",
            lambda made: sensors.encoders(made.steps, made.wrap),
        ),
        _shown(
            "camera",
            "Figure 9",
            "LEDs at the edges of the camera's view",
            """\
The front LEDs of two robots, at the edges of the view, are in the first and in the last column. A lamp straight ahead
is in the middle.""",
            lambda made: sensors.camera(made.picture),
        ),
        _shown(
            "discharges",
            "Figure 10",
            "discharges, made up, and how long batteries last by speed",
            """\
Left: what the four models are fitted to. Right: as published, time falls until 5 cm/s, rises until 14 and falls
again; at rest, and on average over all speeds, a battery lasts as long as the simple model says.""",
            lambda made: batteries.measurements(made.batteries),
        ),
        _shown(
            "battery-models",
            "Figure 12",
            "the four battery models at three speeds",
            """\
Lines are batteries of robots that rotate in the environment model, marks the measurements. The simple model has one
line for all robots in motion.""",
            lambda made: batteries.models(made.batteries),
        ),
        _shown(
            "arenas",
            "Figure 13",
            "six arenas with fifty robots",
            """\
Walls are lines, 2 cm from the bodies; lamps are stars. The paper shows its arenas, and gives no measures. Where there
are fewer robots, they are those in the middle.""",
            lambda made: costs.arenas(),
        ),
        _shown(
            "costs",
            "Figure 14",
            "processor time by the number of robots in each arena",
            "Both axes are logarithmic. Bars are 95 % intervals.",
            lambda made: costs.sensors(made.costs),
        ),
        _shown(
            "battery-costs",
            "Table 6",
            "processor time with batteries",
            "Both axes are logarithmic. Wheels change their speeds at every tick. Published times: another machine.",
            lambda made: costs.batteries(made.costs),
        ),
    )
)
"""By their names."""


def drawn(name: str, made: EpuckFigureData) -> str:
    """A picture as an SVG text, on white ground."""
    shown = PICTURES[name]
    with mpl.rc_context(STYLE):
        return svg(shown.draw(made), f"{shown.figure}: {shown.what}", ground=PAPER)
