"""Guaranteed bracket: the first time at which a distance is used up, where there is no closed form.

A distance between bodies changes no faster than they move. So from any instant there is a step that cannot pass the
first crossing; steps are taken until what is left is crossed in a step of no account, and the instant is found in it
by bisection.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt

from devs_robotics.models.environment.crossing.closed import GRAZE, MOMENT

LONGEST_BLIND = 1e-3
"""Longest step (s) that is taken on trust while something stays close to the border without crossing it."""

_FLAT = 1e-13
"""Change of a distance (m) that is rounding."""


def first_used_up(
    left: Callable[[float], float], speed: float, turn: float, arm: float, now: float, horizon: float
) -> float:
    """First time (s) from `now` on at which `left` is 0 or less; infinite if not by `horizon`.

    On the border, where rounding chose the sign, it counts as used up only if it gets less: what just leaves may leave.

    Args:
        left: the distance left at a time (m)
        speed: upper bound of its rate where nothing turns (m/s)
        turn: upper bound of the rate at which the frame it is measured in turns (rad/s)
        arm: bound of how far from the frame's origin things are, less the distance left (m)
    """
    at = _past_the_border(left, now, horizon)
    if at == inf:
        return inf
    value = left(at)
    blind = MOMENT
    while value > 0.0:
        step = _safe_step(value, speed, turn, arm)
        if step < blind:
            step = blind
            blind = min(2.0 * blind, LONGEST_BLIND)
        else:
            blind = MOMENT
        if at >= horizon or step == inf:
            return inf
        before, at = at, min(at + step, horizon)
        value = left(at)
        if value <= 0.0:
            return _bisected(left, before, at)
    return at


def _safe_step(value: float, speed: float, turn: float, arm: float) -> float:
    """Longest step (s) in which the distance left cannot be used up."""
    straight = value / speed if speed else inf
    if not turn:
        return straight
    rate = speed + turn * (arm + value)
    bend = 0.5 * turn * speed
    step = 2.0 * value / (rate + sqrt(rate * rate + 4.0 * bend * value))
    without_turning = (value - arm) / speed if speed else (inf if value > arm else 0.0)
    return max(step, without_turning)


def _past_the_border(left: Callable[[float], float], now: float, horizon: float) -> float:
    """`now`, or, if it is leaving the border now, a time at which it has left; infinite if it stays there."""
    at, step = now, 1e-4
    value = left(at)
    while -GRAZE <= value <= GRAZE:
        after = left(at + step)
        if after < value - _FLAT:
            break
        at, value = at + step, after
        step *= 2.0
        if at > horizon:
            return inf
    return at


def _bisected(left: Callable[[float], float], before: float, after: float) -> float:
    """The instant between two times at which the distance is used up, on the side where it is."""
    while True:
        middle = 0.5 * (before + after)
        if not before < middle < after:
            return after
        if left(middle) > 0.0:
            before = middle
        else:
            after = middle
