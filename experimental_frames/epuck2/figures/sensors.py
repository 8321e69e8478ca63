"""Figures 4 to 9: what sensors read."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, degrees, pi, sin

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from devs_robotics.core.robots.epuck2.body import RADIUS, STEPS, WHEEL_DIAMETER
from devs_robotics.core.robots.epuck2.camera import DEFAULT_VIEW, HEIGHT, VIEWS, WIDTH
from devs_robotics.core.robots.epuck2.light import REACH
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.experimental_frames.epuck2.figures.look import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    LINES,
    ORANGE,
    PUBLISHED,
    SKY,
    VERMILION,
    legend,
    panels,
    titled,
)
from devs_robotics.experimental_frames.epuck2.published import LIGHT_READINGS, OBSTACLE, PROXIMITY_READINGS
from devs_robotics.experimental_frames.epuck2.traces import (
    DRIVEN_CM,
    INTENSITIES,
    RESPONSES_SHOWN,
    CameraPicture,
    ReadingsTable,
)

RESPONSE_NAMES = ("e-puck2 (equation 1)", "first e-puck", "Webots", "inverse square")
LIGHT_REACH_CM = 100.0 * REACH
"""From which on a lamp is not seen (cm)."""


def proximity(response: ReadingsTable, turn: ReadingsTable) -> Figure:
    """Figure 4: readings by distance, and during a turn beside walls."""
    figure, (left, right) = panels(1, 2, 3.7)
    for name, words, (colour, dashes) in zip(RESPONSES_SHOWN, RESPONSE_NAMES, LINES, strict=False):
        left.plot(response["distance_mm"], response[name], color=colour, linestyle=dashes, label=words)
    left.plot([*PROXIMITY_READINGS], [*PROXIMITY_READINGS.values()], label="published, e-puck2", **PUBLISHED)
    titled(left, "PROX0 faces a wall", "distance from the sensor (mm)", "reading")
    left.set(xlim=(0, 60), ylim=(-100, 4300))
    legend(left)
    for number, (colour, dashes) in enumerate(LINES[:4]):
        right.plot(turn["angle_deg"], turn[f"PROX{number}"], color=colour, linestyle=dashes, label=f"PROX{number}")
        normal = degrees(2.0 * pi - RINGS["paper"].bearings[number]) % 90.0
        right.plot([normal], [PROXIMITY_READINGS[10]], clip_on=False, **PUBLISHED)
    titled(right, "one turn between four walls, 10 mm from the body", "heading (degrees)", "reading")
    right.set(xlim=(0, 180), ylim=(-100, 4300), xticks=range(0, 181, 45))
    right.plot([], [], label="published: facing a wall", **PUBLISHED)
    legend(right, "upper center", 3)
    return figure


def light(response: ReadingsTable) -> Figure:
    """Figure 5: readings by distance from lamps of several intensities."""
    figure, (axes,) = panels(1, 1, 3.5)
    for intensity, (colour, dashes) in zip(INTENSITIES, LINES, strict=False):
        label = f"intensity {intensity:g}"
        distances, readings = response["distance_cm"], response[f"i={intensity:g}"]
        edge = distances.index(LIGHT_REACH_CM) + 1  # where the line has a jump
        axes.plot(distances[:edge], readings[:edge], color=colour, linestyle=dashes, label=label)
        axes.plot(distances[edge:], readings[edge:], color=colour, linestyle=dashes)
    axes.plot([*LIGHT_READINGS], [*LIGHT_READINGS.values()], label="published, intensity 1", **PUBLISHED)
    titled(axes, "PROX0 faces a lamp", "distance from the sensor (cm)", "reading (0: saturated, 4095: dark)")
    axes.set(xlim=(0, 60), ylim=(-100, 4300))
    legend(axes, "lower right")
    return figure


def ground(stripes: ReadingsTable, sectors: ReadingsTable) -> Figure:
    """Figure 6: three sensors straight over stripes, and in rotation over sectors."""
    figure, (left, right) = panels(1, 2, 3.3)
    _three(left, stripes, "straight over stripes, 5 cm each, at 5 cm/s")
    _three(right, sectors, "rotation over eight sectors, 10 degrees per second")
    left.set_xlim(0, 10)
    right.set_xlim(0, 36)
    return figure


def _three(axes: Axes, trace: ReadingsTable, title: str) -> None:
    """Lines that may cover each other: the first is the widest."""
    looks = (("left", SKY, "-", 4.5), ("centre", BLACK, "-", 1.8), ("right", ORANGE, "--", 1.5))
    for name, colour, dashes, width in looks:
        axes.step(trace["time_s"], trace[name], where="post", color=colour, linestyle=dashes, lw=width, label=name)
    titled(axes, title, "time (s)", "reading (0: black, 1023: white)")
    axes.set_ylim(-40, 1240)
    legend(axes, "upper right", 3)


def time_of_flight(trace: ReadingsTable) -> Figure:
    """Figure 7: distances on the way to an obstacle, at six speeds."""
    figure, (axes,) = panels(1, 1, 3.6)
    for head, speed_cm, (colour, dashes) in zip(_heads(), DRIVEN_CM, LINES, strict=True):
        axes.plot(trace["time_s"], trace[head], color=colour, linestyle=dashes, label=head)
        seconds = [float(second) for second in range(0, 16, 2) if 1000.0 * OBSTACLE - 10.0 * speed_cm * second > 20.0]
        axes.plot(seconds, [1000.0 * OBSTACLE - 10.0 * speed_cm * second for second in seconds], **PUBLISHED)
    axes.axhline(20.0, color=GREY, linewidth=0.8)
    axes.text(0.15, 6.0, "least reading, 20 mm", fontsize=8.5, color=GREY)
    axes.plot([], [], label="expected: 300 mm $-$ v t", **PUBLISHED)
    titled(axes, "straight to an obstacle 30 cm ahead", "time (s)", "reading (mm)")
    axes.set(xlim=(0, 16), ylim=(0, 310))
    legend(axes, "upper right", 2)
    return figure


def encoders(trace: ReadingsTable, wrap: ReadingsTable) -> Figure:
    """Figure 8: step counters on the same way, and further than 16 bits count."""
    figure, (left, right) = panels(1, 2, 3.5, (1.4, 1.0))
    per_cm = STEPS / (100.0 * pi * WHEEL_DIAMETER)
    for head, speed_cm, (colour, dashes) in zip(_heads(), DRIVEN_CM, LINES, strict=True):
        left.plot(trace["time_s"], trace[head], color=colour, linestyle=dashes, label=head)
        seconds = [float(second) for second in range(0, 16, 2) if speed_cm * second < 100.0 * OBSTACLE]
        left.plot(seconds, [per_cm * speed_cm * second for second in seconds], **PUBLISHED)
    left.plot([], [], label="1000 steps a turn", **PUBLISHED)
    titled(left, "straight to an obstacle 30 cm ahead", "time (s)", "left step counter")
    left.set(xlim=(0, 16), ylim=(0, 2700))
    legend(left, "lower right")
    right.plot(wrap["way_m"], wrap["left"], color=BLUE)
    for limit, words, aside in ((32767, "32767", 1200), (-32768, "$-$32768", -4200)):
        right.axhline(limit, color=VERMILION, linewidth=0.9, linestyle="--")
        right.text(9.5, limit + aside, f"published: {words}", ha="right", fontsize=8.5)
    titled(right, "further than 16 bits count", "way (m)", "left step counter")
    right.set(xlim=(0, 9.6), ylim=(-40000, 40000))
    return figure


def _heads() -> Sequence[str]:
    return [f"{speed_cm:g} cm/s" for speed_cm in DRIVEN_CM]


def camera(picture: CameraPicture) -> Figure:
    """Figure 9: LEDs at the edges of the view, from above and in the picture."""
    figure, (above, seen) = panels(1, 2, 3.5, (1.0, 1.0))
    x, y, heading = picture.camera
    half, far = VIEWS[DEFAULT_VIEW] / 2.0, 0.55
    for side in (-half, half):
        end_x = x + far * cos(heading + side) / cos(half)
        above.plot([x, end_x], [y, y + far * sin(heading + side) / cos(half)], color=GREY, linestyle="--", linewidth=1)
    for robot_x, robot_y, turned in ((x - 0.03, y, heading), *picture.robots):
        above.add_patch(Circle((robot_x, robot_y), RADIUS, facecolor="white", edgecolor=BLACK))
        nose = (robot_x + RADIUS * cos(turned), robot_y + RADIUS * sin(turned))
        above.plot([robot_x, nose[0]], [robot_y, nose[1]], color=BLACK, linewidth=0.8)
    looks = (
        (VERMILION, "^", "red LED, left edge"),
        (BLUE, "o", "blue lamp, ahead"),
        (VERMILION, "v", "red LED, right edge"),
    )
    for (light_x, light_y), blob, (colour, marker, words) in zip(picture.lights, picture.blobs, looks, strict=True):
        above.plot([light_x], [light_y], marker, color=colour, markersize=7, zorder=4)
        label = f"{words}: column {blob.column}, row {blob.row}"
        seen.plot([blob.column], [blob.row], marker, color=colour, markersize=9, label=label, clip_on=False, zorder=4)
    above.text(x + 0.2, y, f"{degrees(2.0 * half):.0f} degrees", ha="center", va="center", fontsize=8.5, color=GREY)
    titled(above, "from above", "x (m)", "y (m)")
    above.set_aspect("equal")
    titled(seen, "in the picture", "column (pixels)", "row (pixels)")
    seen.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0), xticks=(0, 40, 80, 120, 159))
    for column in (0, WIDTH // 2, WIDTH - 1):
        seen.axvline(column, color=GREEN, linewidth=0.8, linestyle=":")
    legend(seen, "lower center")
    return figure
