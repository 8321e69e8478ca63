"""What came of a run as a piece of a page: how a notebook shows an outcome, offline and without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import cos, degrees, isfinite, sin

from devs_robotics.scenarios.case import case_of, robots_of
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.results import tables_of
from devs_robotics.scenarios.running.summary import results_in_words
from devs_robotics.scenarios.settings.tables import BoxObstacle, CircleObstacle, Obstacle

WIDTH = 280
"""Of the picture (pixels)."""

MOST_PLACES = 300
"""Number of places of one robot's track that are drawn."""

PLACE = ("robot", "x_m", "y_m", "heading_rad")
"""Columns of a table that says where robots were."""

Place = tuple[float, float, float]
"""x (m), y (m), heading (rad)."""

TILE = "display:inline-block;margin:2px;padding:4px 8px;border:1px solid;border-radius:4px;vertical-align:top"
FLAT = "stroke:currentColor;vector-effect:non-scaling-stroke"


def outcome_html(outcome: AnyOutcome) -> str:
    """The verdict, a tile for each result, and the field from above with the robots and their tracks."""
    case = case_of(outcome.scenario)
    rows = [*case.lines(outcome), *results_in_words(outcome)]
    tiles = "".join(
        f'<span style="{TILE}"><small>{escape(title)}</small><br><b>{escape(f"{value} {unit}".strip())}</b></span>'
        for title, value, unit in rows
    )
    return (
        f"<div><p>{escape(case.headline(outcome))}<br><b>{outcome.ended}</b>: {escape(outcome.reason)}</p>"
        f"<div>{tiles}</div>{_top_view(outcome)}</div>"
    )


def _top_view(outcome: AnyOutcome) -> str:
    field = outcome.scenario.field
    width, height = field.width, field.height
    assert width is not None, "resolve fills it in"
    assert height is not None
    drawn = [*map(_obstacle, field.obstacles), *_robots(outcome)]
    edge = "stroke-width:2" if field.walls else "stroke-dasharray:2 4"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="The field from above" width="{WIDTH}" '
        f'height="{WIDTH * height / width:.0f}" viewBox="0 0 {width:.6g} {height:.6g}">'
        f'<g transform="translate(0 {height:.6g}) scale(1 -1)" style="{FLAT}" fill="none">'
        f'<rect width="{width:.6g}" height="{height:.6g}" style="{FLAT};{edge}"/>{"".join(drawn)}</g></svg>'
    )


def _obstacle(obstacle: Obstacle) -> str:
    style = f'style="{FLAT}" fill="currentColor" fill-opacity="0.3"'
    if isinstance(obstacle, CircleObstacle):
        return f'<circle cx="{obstacle.x:.6g}" cy="{obstacle.y:.6g}" r="{obstacle.radius:.6g}" {style}/>'
    if isinstance(obstacle, BoxObstacle):
        corner = f'x="{-obstacle.width / 2:.6g}" y="{-obstacle.height / 2:.6g}"'
        size = f'width="{obstacle.width:.6g}" height="{obstacle.height:.6g}"'
        place = f"translate({obstacle.x:.6g} {obstacle.y:.6g}) rotate({degrees(obstacle.heading):.6g})"
        return f'<rect {corner} {size} transform="{place}" {style}/>'
    return f'<polygon points="{_points(obstacle.corners)}" {style}/>'


def _robots(outcome: AnyOutcome) -> Iterator[str]:
    robots = robots_of(outcome.scenario)
    places: list[list[Place]] = [[robot.pose] for robot in robots]
    for number, place in _places(outcome):
        places[number - 1].append(place)
    for robot, track in zip(robots, places, strict=True):
        every = 1 + len(track) // MOST_PLACES
        yield f'<polyline points="{_points([*track[::every], track[-1]])}" style="{FLAT}" stroke-opacity="0.4"/>'
        x, y, heading = track[-1]
        nose = (x + robot.radius * cos(heading), y + robot.radius * sin(heading))
        yield f'<circle cx="{x:.6g}" cy="{y:.6g}" r="{robot.radius:.6g}" style="{FLAT}" fill="#0072b2"/>'
        yield f'<polyline points="{_points([(x, y), nose])}" style="{FLAT}"/>'


def _places(outcome: AnyOutcome) -> Iterator[tuple[int, Place]]:
    """Where robots were, by their numbers, from the first table that says so."""
    for table in tables_of(outcome).values():
        columns = table.header.split(",")
        if set(PLACE) <= set(columns):
            which = [columns.index(name) for name in PLACE]
            for line in table.lines(0):
                values = line.split(",")
                robot, x, y, heading = (float(values[column]) for column in which)
                if isfinite(x) and isfinite(y):
                    yield int(robot), (x, y, heading)
            return


def _points(places: Sequence[Sequence[float]]) -> str:
    return " ".join(f"{place[0]:.5g},{place[1]:.5g}" for place in places)
