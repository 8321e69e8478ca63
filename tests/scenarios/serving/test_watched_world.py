"""A served world that is watched: who is there is seen, and who may control it orders the robots, not the world."""

from __future__ import annotations

import json
from typing import Any

from devs_robotics import FastClock, Run
from devs_robotics.scenarios.serving.served_file import of_scenario
from devs_robotics.scenarios.serving.watched_world import LIVES_ON, show
from devs_robotics.scenarios.serving.world import own_robots
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.viewing.live import ViewedRun
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import SharedBlock
from devs_robotics.view.states import THERE, ViewState, unpacked
from tests.approximately import near
from tests.scenarios.serving.wire import Wire, arena_with, stands

BOX = {"type": "box", "parameters": {"x": 0, "y": 0, "width": 20, "depth": 10}}


class Watched:
    """A served world and one viewer, on a clock of their own."""

    def __init__(self, wire: Wire, own: Any = None) -> None:
        self.wire = wire
        self.now = 100.0
        self.block = SharedBlock.create()
        self.hub = LiveHub(self.block, control=True, monotonic=lambda: self.now)
        self.viewer = Viewer()
        self.heard: list[Any] = []
        self.hub.join(self.viewer)
        self.hub.want(self.viewer, Want(rate=60.0))
        self.viewed = ViewedRun(self.block, monotonic=lambda: self.now)
        run = Run(wire.simulator, FastClock())
        self.report = show(self.viewed, wire.world, run, own, "arena", monotonic=lambda: self.now)

    def look(self) -> None:
        for _ in range(3):
            self.now += 0.1
            self.hub.tick()
            self.report()
            self.hub.tick()
            while (waiting := self.viewer.flow.next(self.now)) is not None:
                data = waiting.data
                told = json.loads(data) if isinstance(data, str) else unpacked(data)
                if isinstance(told, ViewState):
                    self.viewer.flow.answered(told.number)
                self.heard.append(told)

    def last(self, kind: str) -> Any:
        return [each for each in self.heard if isinstance(each, dict) and each["type"] == kind][-1]

    @property
    def state(self) -> ViewState:
        return [each for each in self.heard if isinstance(each, ViewState)][-1]


def test_robots_that_come_and_go_are_seen() -> None:
    watched = Watched(Wire(arena_with(BOX)))
    watched.look()
    scene = watched.last("scene")
    assert (scene["width"], scene["height"], scene["walled"], len(scene["obstacles"])) == (1.8, 1.8, False, 1)
    watched.wire.put(stands(7, -30, 60, 90))
    watched.look()
    assert watched.state.poses[:2, 0].tolist() == [near(0.6, 1e-6), near(1.5, 1e-6)]
    assert watched.state.bits[0] & THERE
    (body,) = watched.last("joined")["bodies"]
    assert (body["name"], body["kind"], body["radius"]) == ("robot 7", "outside", 0.06)
    watched.wire.put(("robot/delete", "7"))
    watched.look()
    assert not watched.state.bits[0] & THERE
    watched.block.remove()


def test_viewers_read_what_is_told_of_the_world() -> None:
    watched = Watched(Wire(arena_with()))
    tell = watched.viewed.telling(lambda sentence: None)
    watched.hub.want(watched.viewer, Want(rate=60.0, events=True))
    watched.look()
    tell("robot 7 is there")
    watched.look()
    assert [item[2] for item in watched.last("events")["items"]] == ["robot 7 is there"]
    watched.block.remove()


def test_orders_from_the_view_reach_all_robots_and_the_world_goes_on() -> None:
    watched = Watched(Wire(arena_with()))
    watched.look()
    for word, text in (("start", "START -1"), ("stop", "STOP -1"), ("reset", "RESET -1")):
        watched.hub.order(word, None)
        watched.look()
        assert watched.wire.go_on(watched.wire.time) == [("robot/msg/broadcast", text)]
    watched.hub.order("pause", None)
    watched.look()
    assert watched.viewed.feed is not None
    assert watched.viewed.feed.control.obey("pause", None) == LIVES_ON
    assert watched.viewed.feed.control.allowed == ("start", "stop", "reset")
    watched.block.remove()


def test_robots_of_a_case_are_seen_by_their_numbers() -> None:
    what = of_scenario(load("mixed_walk", ["walk.real=1", "walk.virtual=1"]))
    assert what.scenario is not None
    own = own_robots(what.scenario)
    watched = Watched(Wire(what.file, what.rules, own=own), own)
    watched.look()
    assert [body["name"] for body in watched.last("scene")["bodies"]] == ["robot 1", "robot 2"]
    watched.wire.put(stands(7, 0, 0))
    watched.look()
    assert watched.state.poses.shape[1] == 3
    watched.block.remove()
