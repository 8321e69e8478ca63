"""What a tap copies: who is there, who moves, and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi
from typing import Any

import msgspec
import numpy as np
import pytest

from devs_robotics import Fix, HandClock, Run, Simulator
from devs_robotics.models.environment import Field, SpaceManager, World
from devs_robotics.models.environment.messages import Join, Leave, Motion, Twist
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.models.environment.traits import Traits
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import About, SharedBlock, encode
from devs_robotics.view.states import BLOCKED, MOVING, THERE, UNSURE, ViewState, unpacked
from devs_robotics.view.tap import Sources, Tap
from devs_robotics.view.watcher import FixWatcher
from tests.approximately import near


@pytest.fixture
def block() -> Iterator[SharedBlock]:
    made = SharedBlock.create()
    yield made
    made.remove()


class Tapped:
    """Two robots in a field of 4 m by 2 m, of which the second is also seen from outside, in slot 2."""

    def __init__(self, block: SharedBlock, *, seen: bool = True, unseen: float = 1.0) -> None:
        field = Field(4.0, 2.0, (), 0.5)
        for x in (1.0, 2.0):
            field.add_body(x, 1.0, 0.0, 0.1)
        self.space = SpaceManager("space", World(field, 0.03))
        self.simulator = Simulator(self.space)
        self.fixes = FixWatcher()
        bodies = [SceneBody(0, 1, "one"), SceneBody(1, 2, "two")]
        bodies += [SceneBody(2, 2, "two, real", kind="real")] if seen else []
        scene = Scene(title="two", width=4.0, height=2.0, bodies=tuple(bodies), unseen=unseen)
        self.clock = HandClock()
        self.sources = Sources(
            run=Run(self.simulator, self.clock),
            space=self.space,
            scene=scene,
            seen={2: 2} if seen else {},
            clocks={},
            motors={},
        )
        self.block = block
        self.tap = Tap(block, self.sources, self.fixes, lambda: 12.5)

    def say(self, port: Any, message: Any, at: float) -> None:
        self.simulator.inject(port, message, at=at)

    def at(self, time: float) -> ViewState:
        """What a look shows at a time (s)."""
        self.simulator.run(until=time)
        self.clock.wait(time)
        self.tap.look()
        found = self.block.state.read()
        assert found is not None
        return unpacked(found[1])


def test_a_look_says_where_everybody_is_and_when(block: SharedBlock) -> None:
    state = Tapped(block, seen=False).at(0.0)
    assert (state.number, state.time, state.looked, state.revision) == (1, 0.0, 12.5, 1)
    np.testing.assert_array_equal(state.poses, np.array([[1.0, 2.0], [1.0, 1.0], [0.0, 0.0]]))
    assert list(state.bits) == [THERE, THERE]
    assert state.moves is None


def test_who_drives_is_where_he_is_at_the_time_of_the_look(block: SharedBlock) -> None:
    """Also where nothing has happened since he set out."""
    tapped = Tapped(block, seen=False)
    tapped.say(tapped.space.twist, Twist(1, 0.1, 0.0), 0.0)
    for time in (1.0, 2.5, 3.75):
        state = tapped.at(time)
        assert state.time == near(time)
        assert state.poses[0, 0] == pytest.approx(1.0 + 0.1 * time)
        assert list(state.bits) == [THERE | MOVING, THERE]
    state = tapped.at(20.0)
    assert state.poses[0, 0] == pytest.approx(1.8, abs=1e-5)  # there is the other one
    assert state.bits[0] == THERE | BLOCKED


def test_a_real_robot_is_where_it_was_seen_last_and_unsure_after_a_while(block: SharedBlock) -> None:
    tapped = Tapped(block)
    assert list(tapped.at(0.0).bits) == [THERE, THERE, 0]
    tapped.fixes.sent(1.0, tapped.space, tapped.space.fix, (Fix(2, 2.02, 1.01, 0.5),))
    state = tapped.at(1.5)
    assert state.poses[:, 2] == pytest.approx([2.02, 1.01, 0.5])
    assert state.bits[2] == THERE
    assert tapped.at(2.5).bits[2] == THERE | UNSURE
    patient = Tapped(block, unseen=2.0)
    patient.fixes.sent(1.0, patient.space, patient.space.fix, (Fix(2, 2.02, 1.01, 0.5),))
    assert [patient.at(time).bits[2] for time in (2.5, 3.5)] == [THERE, THERE | UNSURE]


def test_a_motion_as_a_whole_is_told_while_it_is_under_way(block: SharedBlock) -> None:
    clock = TimeManager("time1", 0.5, 1.0)
    with Simulator(clock) as simulator:
        tapped = Tapped(block, seen=False)
        run = Run(simulator, HandClock())
        simulator.inject(clock.command, Motion(1, pi / 2, 0.25), at=1.0)
        simulator.run(until=1.0)
        sources = msgspec.structs.replace(tapped.sources, run=run, clocks={1: clock})
        Tap(block, sources, tapped.fixes).look()
        found = block.state.read()
        assert found is not None
        state = unpacked(found[1])
        assert state.moves is not None
        assert state.moves[:, 0] == pytest.approx([1.0, 1.0 + pi / 2 + 0.5, pi / 2, 0.25], abs=1e-5)
        assert np.isnan(state.moves[:, 1]).all()
        assert list(state.bits) == [THERE | MOVING, THERE]


def test_who_joins_and_who_leaves_is_seen_by_all_and_by_who_comes_later(block: SharedBlock) -> None:
    tapped = Tapped(block)
    block.about.write(encode(About("session", 1, "two", "fast", 0.0)))
    hub = LiveHub(block)
    early, late = Viewer(), Viewer()
    tapped.say(tapped.space.body_change, Join(3, 3.0, 0.5, 0.0, 0.2, Traits(kind="door", colour="red")), 1.0)
    tapped.say(tapped.space.body_change, Leave(1), 2.0)
    hub.tick()
    hub.join(early)
    hub.want(early, Want(rate=60.0))
    revisions = []
    for time in (0.5, 1.5, 2.5):
        revisions.append(tapped.at(time).revision)
        hub.tick()
    assert revisions == [1, 2, 3]
    state = tapped.at(3.0)
    assert list(state.bits & THERE) == [0, THERE, 0, THERE]
    assert state.poses[:, 3] == pytest.approx([3.0, 0.5, 0.0])
    hub.join(late)
    texts = [text for text in _texts(early) if text["type"] in ("joined", "left")]
    assert [(text["type"], text["revision"]) for text in texts] == [("joined", 2), ("left", 3)]
    (door,) = texts[0]["bodies"]
    assert (door["slot"], door["name"], door["radius"], door["colour"]) == (3, "door 3", 0.2, "red")
    assert texts[1]["slots"] == [0]
    hello, scene, left, _ = _texts(late)
    assert hello["type"] == "hello"
    assert (scene["revision"], [body["slot"] for body in scene["bodies"]]) == (3, [0, 1, 2, 3])
    assert scene["bodies"][3] == door
    assert (left["revision"], left["slots"]) == (3, [0])


@pytest.mark.parametrize("scene_first", [False, True])
def test_who_looks_before_a_run_begins_is_told_of_it_once_whatever_of_it_comes_first(
    scene_first: bool, block: SharedBlock
) -> None:
    hub, viewer = LiveHub(block), Viewer()
    hub.join(viewer)
    hub.want(viewer, Want(rate=60.0))
    about = encode(About("session", 1, "two", "fast", 0.0))
    writes: list[Callable[[], object]] = [lambda: block.about.write(about), lambda: Tapped(block).at(0.5)]
    heard = []
    for write in reversed(writes) if scene_first else writes:
        write()
        for _ in range(2):
            hub.tick()
            heard.append([text["type"] for text in _texts(viewer) if text["type"] != "status"])
    assert heard == [[], [], ["hello", "scene"], []]


def _texts(viewer: Viewer) -> list[Any]:
    found = []
    while (waiting := viewer.flow.next(0.0)) is not None:
        if isinstance(waiting.data, str):
            found.append(msgspec.json.decode(waiting.data))
    return found
