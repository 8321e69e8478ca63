"""Timelines and scenes for tests: changes of a few bodies of every kind, as hypothesis likes them."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
from hypothesis import strategies as st

from devs_robotics.view.scene import BodyKind, Scene, SceneBody
from devs_robotics.view.timeline import WIDTH, Timeline, TimelineWriter

TICKS = 1024
PACE = (0.5, 2.0)
"""Of virtual robots in these scenes (m/s, rad/s)."""
NOWHERE = (nan, nan, nan)
ON_PATH = (nan, nan)
"""Speed and turn rate of who goes straight to its next change."""

Change = tuple[int, int, tuple[float, float, float], tuple[float, float]]
"""Time (ticks), slot, pose, and speed and turn rate."""


def scene(kinds: Sequence[BodyKind]) -> Scene:
    """Of bodies of these kinds; only virtual robots make motions as a whole."""
    bodies = tuple(
        SceneBody(
            slot, slot + 1, f"body {slot}", kind, speed=PACE[0] * (kind != "real"), turn_rate=PACE[1] * (kind != "real")
        )
        for slot, kind in enumerate(kinds)
    )
    return Scene(title="a test", width=4.0, height=3.0, bodies=bodies)


def written(
    begin: Sequence[tuple[float, float, float]], changes: Sequence[Change], end: int, parts: int = 1
) -> Timeline:
    """A timeline of these changes, in so many blocks that are deflated one by one."""
    writer = TimelineWriter(begin)
    rows = np.array([(time / TICKS, slot, *pose, *arc) for time, slot, pose, arc in changes], dtype=np.float64).reshape(
        -1, WIDTH
    )
    until = 0.0
    for number, block in enumerate(np.array_split(rows, parts), 1):
        until = end / TICKS if number == parts else float(block[-1, 0]) if len(block) else until
        writer.write(block, until)
    return writer.timeline()


places = st.integers(-30_000, 30_000).map(lambda steps: steps * 1e-4)
poses = st.tuples(places, places, st.integers(-70_000, 70_000).map(lambda steps: steps * 1e-4))
arcs = st.one_of(
    st.just((0.0, 0.0)),
    st.just(ON_PATH),
    st.tuples(st.sampled_from([-0.5, 0.0, 0.25]), st.sampled_from([-2.0, 0.0, 0.5])),
)
kinds: st.SearchStrategy[BodyKind] = st.sampled_from(["virtual", "counterpart", "real", "outside"])


@st.composite
def changes(draw: st.DrawFn, slots: int, end: int) -> list[Change]:
    """In the order of their times."""
    times = sorted(draw(st.lists(st.integers(0, end), max_size=20)))
    return [
        (time, draw(st.integers(0, slots - 1)), draw(st.one_of(poses, st.just(NOWHERE))), draw(arcs)) for time in times
    ]
