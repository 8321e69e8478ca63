"""Guaranteed bracket: the first time at which a distance is used up, where there is no closed form.

A distance between bodies changes no faster than they move. So from any instant there is a step that cannot pass the
first crossing; steps are taken until what is left is crossed in a step of no account, and the instant is found in it
by regula falsi and bisection.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt, ulp

from devs_robotics.models.environment.crossing.closed import GRAZE, MOMENT

Look = Callable[[float], tuple[float, float]]
"""At a time (s): the distance left (m), and a step (s) from there in which it cannot be used up if there is any."""

LONGEST_BLIND = 1e-3
"""Longest step (s) that is taken on trust while something stays close to the border without crossing it."""

LONGEST_GLIDE = 0.1
"""Longest step (s) that is taken on trust while something glides along the border."""

BRIEF = 1e-2
"""Time (s) on the border up to which a visit began when the border was reached."""


def first_used_up(left: Callable[[float], float], fastest: float, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which `left` is 0 or less; infinite if not by `horizon`.

    Args:
        left: the distance left at a time (m)
        fastest: upper bound of its rate (m/s)
        now, horizon: times between which to look (s)
    """

    def look(time: float) -> tuple[float, float]:
        value = left(time)
        return value, value / fastest if fastest else inf

    return first_looked_up(look, now, horizon)


def turning_step(value: float, speed: float, turn: float, arm: float) -> float:
    """A step (s) in which a distance cannot be used up that is measured in a frame that turns.

    Args:
        value: the distance (m)
        speed: upper bound of its rate where nothing turns (m/s)
        turn: upper bound of the frame's turn rate (rad/s)
        arm: bound of how far from the frame's origin things are, less the distance (m)
    """
    straight = value / speed if speed else inf
    if not turn:
        return straight
    rate = speed + turn * (arm + value)
    step = 2.0 * value / (rate + sqrt(rate * rate + 2.0 * turn * speed * value))
    without_turning = (value - arm) / speed if speed else (inf if value > arm else 0.0)
    return max(step, without_turning)


def first_looked_up(look: Look, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which what `look` tells is left is 0 or less; infinite if not by `horizon`.

    A visit beyond the border no deeper than `GRAZE` is none; neither is what just leaves the border now.
    """
    at = now
    value, step = look(at)
    if value < -GRAZE:
        return now
    if value <= GRAZE:
        begin, at, value = _off_the_border(look, at, horizon)
        if value <= GRAZE:
            return begin
        step = look(at)[1]
    blind = MOMENT
    while True:
        if step >= blind:
            if at + step > horizon:
                return inf
            blind = MOMENT
        else:
            step = blind
            blind = min(2.0 * blind, LONGEST_BLIND)
        if at >= horizon:
            return inf
        before, left_before = at, value
        at = min(at + step, horizon)
        value, step = look(at)
        if value <= 0.0:
            entered = _crossed(look, before, left_before, at, value)
            begin, at, value = _off_the_border(look, entered, horizon)
            if value <= GRAZE:
                return begin
            step = look(at)[1]


def _off_the_border(look: Look, at: float, horizon: float) -> tuple[float, float, float]:
    """From when it goes beyond the border that it is on, a time at which it has left it, and how much is then left.

    If it stays on the border until the horizon, it never goes beyond.
    """
    reached, last = at, at
    value, step = look(at)[0], MOMENT
    while -GRAZE <= value <= GRAZE:
        if at > horizon:
            return inf, at, value
        last, at = at, at + step
        value = look(at)[0]
        step = min(2.0 * step, LONGEST_GLIDE)
    return reached if last - reached < BRIEF else last, at, value


def _crossed(look: Look, before: float, left_before: float, after: float, left_after: float) -> float:
    """The instant between two times at which the distance is used up, on the side where it is."""
    digit = 4.0 * ulp(after)
    while after - before > digit:
        share = left_before / (left_before - left_after)
        for at in (
            before + share * (after - before) + digit,
            before + share * (after - before) - digit,
            0.5 * (before + after),
        ):
            if before < at < after:
                value = look(at)[0]
                if value > 0.0:
                    before, left_before = at, value
                else:
                    after, left_after = at, value
    return after
