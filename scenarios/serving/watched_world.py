"""A served world that people may watch: its view, and the orders to robots that come from there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from secrets import token_hex
from typing import get_args

from msgspec.structs import replace

from devs_robotics import Run
from devs_robotics.core.robots.outside import Ordered, Word
from devs_robotics.scenarios.serving.world import OwnRobots, ServedWorld
from devs_robotics.scenarios.viewing.live import LiveView, ViewedRun
from devs_robotics.scenarios.viewing.scene import drawable, scene_of
from devs_robotics.view.control import Control
from devs_robotics.view.feed import Feed, Observed
from devs_robotics.view.scene import Obstacle, Scene
from devs_robotics.view.shared import About, encode
from devs_robotics.view.tap import Sources, Tap
from devs_robotics.view.watcher import FixWatcher

WORDS: tuple[Word, ...] = get_args(Word)
"""What viewers with a token may order robots to do."""

LIVES_ON = "robots outside live on, whatever happens here: a served world cannot be paused"


class OrderControl(Control):
    """Obeys viewers: it orders the robots to start, to stop, or to begin anew; the world itself goes on.

    Args:
        run: that goes on
        order: gives an order to all robots
    """

    def __init__(self, run: Run, order: Callable[[Ordered], None]) -> None:
        super().__init__(run, "realtime")
        self.allowed, self.refused = WORDS, LIVES_ON
        self._order = order

    def obey(self, do: str, value: float | str | None) -> str:
        """Do what a viewer wants; returns why not, or nothing."""
        for word in WORDS:
            if do == word:
                self._order(Ordered(word))
                return ""
        return super().obey(do, value)


def scene(world: ServedWorld, own: OwnRobots | None, title: str) -> Scene:
    """What a viewer is told of a served world once.

    Args:
        own: robots of a case study that live there, too
    """
    if own is not None:
        return replace(scene_of(own.setup, own.experiment), title=title)
    field = world.environment.space.field
    obstacles = tuple(Obstacle(drawable(shape)) for shape in field.obstacles)
    return Scene(
        title=title, stage="realtime", width=field.width, height=field.height, walled=field.walled, obstacles=obstacles
    )


def show(
    viewed: ViewedRun,
    world: ServedWorld,
    run: Run,
    own: OwnRobots | None,
    title: str,
    *,
    interrupted: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda note: None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Callable[[], None]:
    """The world is served from now on, and viewers may see it.

    Args:
        viewed: what they get
        world: that is served
        run: of it
        own: robots of a case study that live there, too
        title: of what is seen

    Returns:
        what is to be called between the steps of the run
    """

    def order(word: Ordered) -> None:
        run.simulator.inject(world.order, word, at=max(run.now, run.simulator.time))

    def outside(body: int) -> str:
        robot = world.presence.robot_of(body + 1)
        return "" if robot is None else f"robot {robot}"

    space, fixes = world.environment.space, FixWatcher()
    seen = scene(world, own, title)
    sources = Sources(run=run, space=space, scene=seen, seen={}, clocks={}, motors={}, outside=outside)
    control = OrderControl(run, order)
    tap = Tap(viewed.block, sources, fixes)
    viewed.feed = Feed(
        viewed.block,
        run,
        tap,
        control,
        fixes,
        Observed(),
        lambda lines: {},
        interrupted=interrupted,
        tell=tell,
        monotonic=monotonic,
    )
    about = About(
        session=token_hex(8),
        pid=os.getpid(),
        title=seen.title,
        stage="realtime",
        rate=1.0,
        control=control.allowed,
        refused=control.refused,
        follow=seen.follow,
    )
    viewed.block.about.write(encode(about))
    return viewed.feed.report


__all__ = ["LIVES_ON", "WORDS", "LiveView", "OrderControl", "scene", "show"]
