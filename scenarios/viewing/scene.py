"""The scene of a run: its field, its robots, and real robots a second time, as they are seen from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.models.environment import Circle, Polygon, Shape
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.setup.setup import RobotSetup, Setup
from devs_robotics.scenarios.viewing.series import published_of
from devs_robotics.scenarios.viewing.things import floors, lamps
from devs_robotics.view.scene import Disc, Mark, Obstacle, Outline, Scene, SceneBody

FIXES = "fixes of the tracking system"


def scene_of(setup: Setup[Any], model: Experiment, marks: Mapping[str, Mark] | None = None) -> Scene:
    """What a viewer is told of a run once.

    Args:
        setup: of the run
        model: of the whole experiment
        marks: what its case study declares, as it is at the begin
    """
    scenario = setup.scenario
    case = case_of(scenario)
    return Scene(
        title=scenario.title or case.title,
        stage=setup.stage,
        width=setup.width,
        height=setup.height,
        walled=setup.walled,
        obstacles=tuple(Obstacle(drawable(shape)) for shape in setup.obstacles),
        bodies=(*_robots(setup), *_seen(setup, model)),
        marks={
            **dict(floors(model.system.environment.space.field)),
            **dict(lamps(model.system.environment.space.field)),
            **(marks or {}),
        },
        follow=case.followed,
        published=published_of(model, case.published(scenario)),
        tracks=scenario.view.tracks,
        rays=scenario.view.rays,
        arrows=scenario.view.arrows,
        unseen=scenario.tracking.lost,
    )


def seen_slots(setup: Setup[Any], model: Experiment) -> dict[int, int]:
    """Slots of the real robots as a tracking system sees them, by number of the robot."""
    return {body.robot: body.slot for body in _seen(setup, model)}


def drawable(shape: Shape) -> Disc | Outline:
    """A shape of the environment as a viewer is told of it."""
    if isinstance(shape, Circle):
        return Disc(shape.x, shape.y, shape.radius)
    if not isinstance(shape, Polygon):
        raise TypeError(f"a viewer can draw circles and polygons, not {shape!r}")
    return Outline(tuple((float(x), float(y)) for x, y in shape.corners))


def _robots(setup: Setup[Any]) -> Iterator[SceneBody]:
    for slot, robot in enumerate(setup.robots):
        yield SceneBody(
            slot=slot,
            robot=robot.number,
            name=f"robot {robot.number}",
            kind="virtual" if robot.role is None or robot.role.kinds.motor == "virtual" else "counterpart",
            radius=robot.radius,
            speed=robot.speed,
            turn_rate=robot.turn_rate,
            beams=robot.optics.bearings,
            reach=robot.optics.reach,
        )


def _seen(setup: Setup[Any], model: Experiment) -> Iterator[SceneBody]:
    if model.tracker is None:
        return
    robots: dict[int, RobotSetup] = {robot.number: robot for robot in setup.robots}
    for slot, number in enumerate(sorted(model.tracker.fix_of), len(robots)):
        name = f"robot {number}, real"
        yield SceneBody(slot=slot, robot=number, name=name, kind="real", radius=robots[number].radius, seen=FIXES)
