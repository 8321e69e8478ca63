"""A replay with robots of all kinds, and what tests ask of the page that shows it."""

from __future__ import annotations

from math import pi

from playwright.sync_api import Page

from devs_robotics.view.replay import MarkChange, Replay
from devs_robotics.view.scene import Disc, Mark, Obstacle, Outline, Scene, SceneBody
from tests.devs_robotics.view.page.chromium import READY
from tests.devs_robotics.view.timelines import NOWHERE, TICKS, Change, written

EVIL = "<img src=x onerror=alert(1)>"
PAPER = (255, 255, 255)
INKS = {"virtual": (0, 114, 178), "real": (213, 94, 0), "counterpart": (0, 122, 90), "box": (195, 202, 210)}

BODIES = (
    SceneBody(0, 1, "robot 1", "virtual", 0.2, 0.5, 2.0),
    SceneBody(1, 2, "robot 2", "counterpart", 0.2, 0.5, 2.0),
    SceneBody(2, 2, "robot 2, real", "real", 0.2, seen="fixes of a test"),
    SceneBody(3, 0, EVIL, "outside", 0.2, colour="#ff00ff"),
)
BEGIN = [(1.0, 1.0, 0.0), (3.0, 1.0, pi / 2), (3.0, 1.05, pi / 2), NOWHERE]
CHANGES: list[Change] = [
    (4 * TICKS, 0, (2.0, 1.0, 0.0), (0.0, 0.0)),  # sets out at 2 s
    (5 * TICKS, 3, (1.0, 2.0, 0.0), (0.0, 0.0)),
    (6 * TICKS, 1, (3.0, 2.0, pi / 2), (0.0, 0.0)),  # sets out at 4 s
    (6 * TICKS, 2, (3.0, 2.02, pi / 2), (0.0, 0.0)),
]
SCENE = Scene(
    title=f"A test of {EVIL}",
    stage="loop",
    width=4.0,
    height=3.0,
    obstacles=(Obstacle(Outline(((0.2, 2.4), (0.6, 2.4), (0.6, 2.8), (0.2, 2.8))), "box"),),
    bodies=BODIES,
    marks={"zone": Mark(Disc(3.5, 2.5, 0.2), "", "#000000", filled=True)},
    follow=1,
    unseen=10.0,
)
REPLAY = Replay(
    scene=SCENE,
    timeline=written(BEGIN, CHANGES, 8 * TICKS),
    marks=(MarkChange(7.0, "zone", None),),
)


def at(page: Page, time: float) -> None:
    page.evaluate("time => view.seek(time)", time)
    page.evaluate(READY)


def near(found: tuple[int, int, int, int], colour: tuple[int, int, int]) -> bool:
    return found[3] > 100 and all(abs(a - b) < 60 for a, b in zip(found, colour, strict=False))
