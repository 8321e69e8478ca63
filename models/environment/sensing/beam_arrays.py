"""What all robots see along beams of one kind, in arrays: the distances of `BeamsOutlook.look`, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, inf, sin

import numpy as np

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.sensing.beams import ROUNDING, BeamsOutlook
from devs_robotics.models.environment.sensing.pose_arrays import Floats, Numbers, PoseArrays, each


def look_round(
    field: Field, poses: PoseArrays, outlook: BeamsOutlook, members: Mapping[int, BeamsOutlook]
) -> tuple[Numbers, Floats]:
    """Which members see something now, ascending, and the distances along the beams of each (m).

    Args:
        field: of the bodies
        poses: of all bodies
        outlook: of any of the members, which are all of one kind
        members: those who look, by body
    """
    poses.take()
    observers, beams, distances = _of_bodies(poses, outlook)
    by_walls = _by_walls(field, poses, outlook.far)
    rows = np.unique(np.concatenate((observers, by_walls)))
    nearest = np.full((rows.size, len(outlook.beams)), inf)
    if observers.size:
        np.minimum.at(nearest, (np.searchsorted(rows, observers), beams), distances)
    if by_walls.size:
        at = np.searchsorted(rows, by_walls)
        nearest[at] = np.minimum(nearest[at], _of_walls(field, poses, outlook, by_walls))
    near = (nearest <= outlook.far) & (nearest - outlook.edge <= outlook.question.reach)
    values = np.where(near, np.maximum(0.0, nearest - outlook.edge), inf)
    seeing = near.any(axis=1)
    if len(members) < len(poses.x):
        seeing &= np.isin(rows, list(members))
    bodies, values = rows[seeing], values[seeing]
    return _with_obstacles(field, poses, members, bodies, values) if field.obstacles else (bodies, values)


def _of_bodies(poses: PoseArrays, outlook: BeamsOutlook) -> tuple[Numbers, Numbers, Floats]:
    """Observers, beams, and how far it is along these to other bodies, from the middle of the robot (m)."""
    observers, others, dx, dy = poses.pairs(outlook.reach)
    c, s = poses.cos[observers], poses.sin[observers]
    px, py, radii = dx * c + dy * s, dy * c - dx * s, poses.radius[others]
    beams = np.array(outlook.beams)
    across = np.abs(np.outer(py, beams[:, 0]) - np.outer(px, beams[:, 1]))
    ahead = np.outer(px, beams[:, 0]) + np.outer(py, beams[:, 1])
    pair, beam = np.nonzero((across <= (radii + ROUNDING)[:, None]) & (ahead > -ROUNDING))
    observers, dx, dy, radii = observers[pair], dx[pair], dy[pair], radii[pair]
    directions = poses.heading[observers] + np.array(outlook.question.bearings)[beam]
    ux, uy = each(cos, directions), each(sin, directions)
    along, aside = dx * ux + dy * uy, dx * uy - dy * ux
    half_2 = radii * radii - aside * aside
    hits = np.flatnonzero((along > 0.0) & (half_2 > 0.0))
    nearest = np.maximum(0.0, along[hits] - np.sqrt(half_2[hits]))
    return observers[hits], beam[hits], nearest


def _by_walls(field: Field, poses: PoseArrays, far: float) -> Numbers:
    """The bodies that are within a distance (m) of a wall, or beyond it."""
    if not field.walled:
        return np.empty(0, np.int64)
    x, y = poses.x, poses.y
    near = (x < far) | (y < far) | (x > field.width - far) | (y > field.height - far)
    bodies: Numbers = np.flatnonzero(near)
    return bodies


def _of_walls(field: Field, poses: PoseArrays, outlook: BeamsOutlook, bodies: Numbers) -> Floats:
    """How far it is to the walls from the middle of each of these bodies, along each of its beams (m)."""
    x, y = poses.x[bodies, None], poses.y[bodies, None]
    directions = poses.heading[bodies, None] + np.array(outlook.question.bearings)
    ux, uy = each(cos, directions), each(sin, directions)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along_x = np.where(ux > 0.0, field.width - x, 0.0 - x) / ux
        along_y = np.where(uy > 0.0, field.height - y, 0.0 - y) / uy
    along_x[ux == 0.0] = along_y[uy == 0.0] = inf
    nearest: Floats = np.maximum(0.0, np.minimum(along_x, along_y))
    return nearest


def _with_obstacles(
    field: Field, poses: PoseArrays, members: Mapping[int, BeamsOutlook], bodies: Numbers, values: Floats
) -> tuple[Numbers, Floats]:
    """The same with obstacles: who is near one looks alone."""
    found = dict(zip(bodies.tolist(), values.tolist(), strict=True))
    for body, outlook in members.items():
        x, y = float(poses.x[body]), float(poses.y[body])
        if field.obstacles_near(x, y, outlook.far):
            answer = outlook.look([other for other in field.near(x, y, outlook.reach) if other != body])
            found.pop(body, None)
            if not outlook.is_quiet(answer):
                found[body] = list(answer.values)
    bodies = np.array(sorted(found), np.int64)
    return bodies, np.array([found[body] for body in bodies.tolist()]).reshape(len(found), values.shape[1])
