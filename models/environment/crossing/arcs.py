"""What is left between two arcs, and how long it lasts at least: looks for the bracket that see the rates, too.

The distance to a convex set is nowhere less than to the plane that touches it at the nearest point. So what is left
falls no faster than it does now, but for what the bodies' accelerations add: with its rate known, a step goes nearly to
the crossing.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, inf, sin, sqrt

from devs_robotics.models.environment.crossing.bracket import Look, turning_step
from devs_robotics.models.environment.motion.arc import Arc

MotionState = tuple[float, float, float, float]
"""x, y (m) and the velocity along x and y (m/s)."""


def state_of(arc: Arc) -> Callable[[float], MotionState]:
    """Place and velocity of an arc, by time; to be used only where its radius is not too wide to keep the digits."""
    start, x, y, heading, speed, rate = arc.start, arc.x, arc.y, arc.heading, arc.speed, arc.turn_rate
    if not speed or not rate:
        vx, vy = speed * cos(heading), speed * sin(heading)
        return lambda time: (x + vx * (time - start), y + vy * (time - start), vx, vy)
    bend = speed / rate
    cx, cy = arc.centre

    def state(time: float) -> MotionState:
        turned = heading + rate * (time - start)
        c, s = cos(turned), sin(turned)
        return cx + bend * s, cy - bend * c, speed * c, speed * s

    return state


def look_at_ray(
    entry: bool, observer: Arc, bearing: float, edge: float, far: float, target: Arc, radius: float
) -> Look:
    """What is left until the ray of an observer sees a disc, or (not `entry`) until it ceases to."""
    here, there = state_of(observer), state_of(target)
    start, direction, turn = observer.start, observer.heading + bearing, observer.turn_rate
    speed = abs(observer.speed) + abs(target.speed)
    bent = abs(observer.speed * observer.turn_rate) + abs(target.speed * target.turn_rate)
    bent += 2.0 * abs(turn) * speed
    arm = far + radius

    def look(time: float) -> tuple[float, float]:
        x, y, vx, vy = here(time)
        tx, ty, tvx, tvy = there(time)
        turned = direction + turn * (time - start)
        c, s = cos(turned), sin(turned)
        x, y, vx, vy = tx - x, ty - y, tvx - vx, tvy - vy
        a, b = x * c + y * s, y * c - x * s
        beside = min(max(a, edge), far)
        ahead = a - beside
        away = hypot(ahead, b)
        left = away - radius if entry else radius - away
        if left <= 0.0:
            return left, 0.0
        surely = turning_step(left, speed, abs(turn), arm)
        if not away:
            return left, surely
        rate = (ahead * (vx * c + vy * s + turn * b) + b * (vy * c - vx * s - turn * a)) / away
        longest = 4.0 * surely if turn else inf
        bend = bent
        if turn:
            bend += turn * turn * (hypot(x, y) + speed * longest)
        if entry:
            step = _until(left, rate, 0.5 * bend)
        else:
            fastest = speed + abs(turn) * (hypot(x, y) + (speed * longest if turn else 0.0))
            step = _until(left * (radius + away), -2.0 * away * rate, away * bend + fastest * fastest)
        return left, max(surely, min(step, longest))

    return look


def look_at_discs(entry: bool, a: Arc, b: Arc, distance: float) -> Look:
    """What is left until two centres are within a distance, or (not `entry`) until they are further apart."""
    here, there = state_of(a), state_of(b)
    speed = abs(a.speed) + abs(b.speed)
    bend = abs(a.speed * a.turn_rate) + abs(b.speed * b.turn_rate)

    def look(time: float) -> tuple[float, float]:
        x, y, vx, vy = here(time)
        tx, ty, tvx, tvy = there(time)
        x, y, vx, vy = tx - x, ty - y, tvx - vx, tvy - vy
        away = hypot(x, y)
        left = away - distance if entry else distance - away
        if left <= 0.0:
            return left, 0.0
        surely = left / speed if speed else inf
        closing = x * vx + y * vy
        if entry:
            step = _until(left, closing / away, 0.5 * bend)
        else:
            step = _until(left * (distance + away), -2.0 * closing, away * bend + speed * speed)
        return left, max(surely, step)

    return look


def _until(left: float, rate: float, bend: float) -> float:
    """First time (s) at which left + rate t - bend t² is 0, infinite if never; `left` > 0, `bend` not negative."""
    below = sqrt(rate * rate + 4.0 * left * bend) - rate
    return 2.0 * left / below if below > 0.0 else inf
