"""Recorded sessions: played again, the same bytes are said."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from devs_robotics import Link
from devs_robotics.core.robots.outside import Ordered
from devs_robotics.hil.pera_swarm.gateway import Server
from devs_robotics.models.outsiders import Rules
from devs_robotics.scenarios.serving.session import Head, Replayed, SessionError, SessionRecorder, play
from tests.scenarios.serving.wire import Wire, arena_with, asks, stands

PILLAR = {"type": "cylinder", "parameters": {"x": 10, "y": 10, "radius": 9, "color": "red"}, "reality": "R"}
FILE, RULES = arena_with(PILLAR), Rules(silence=20.0)


def recorded(path: Path, seed: int = 3) -> Wire:
    """A session of some minutes, in which robots come, ask, talk and are missed, and the broker goes and comes."""
    wire = Wire(FILE, RULES, up=False)
    wire.simulator.attach(
        SessionRecorder(path, wire.simulator, wire.world, Head(FILE, RULES, Server())), "world/gateway"
    )
    chance = random.Random(seed)
    for number in range(300):
        robot, at = chance.randrange(5), wire.time + chance.choice((0.0, chance.expovariate(1.0)))
        if number % 97 == 0:
            wire.simulator.inject(wire.world.incoming, Link(up=number % 2 == 0, reason="by chance"), at=at)
        if number % 50 == 0:
            wire.simulator.inject(wire.world.order, Ordered("reset"), at=at)
        pose = stands(robot, chance.randrange(-50, 50), chance.randrange(-50, 50), chance.randrange(-180, 180))
        call = "comm/out/simple", json.dumps({"id": robot, "msg": f"{number}é", "dist": 80})
        wire.put(*chance.sample([pose, asks(robot), asks(robot, "color"), call, ("robot/live", "garbage")], 3), at=at)
        if chance.random() < 0.2:  # more comes while the answer is on its way
            wire.put(asks(robot), at=wire.time)
    wire.simulator.close()
    return wire


@pytest.mark.parametrize("seed", [3, 4])
def test_a_session_played_again_says_the_same_bytes(tmp_path: Path, seed: int) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    wire = recorded(first, seed)
    said = len(wire.said)
    assert said > 300
    assert play(first, second) == Replayed(said, "")
    assert first.read_bytes() == second.read_bytes()


def test_what_comes_while_an_answer_is_on_its_way_comes_then_again(tmp_path: Path) -> None:
    """In real time packets come between the steps of one instant."""
    path = tmp_path / "session.jsonl"
    wire = Wire(FILE, RULES, up=False)
    wire.simulator.attach(
        SessionRecorder(path, wire.simulator, wire.world, Head(FILE, RULES, Server())), "world/gateway"
    )
    wire.put(stands(2, 0, 0), stands(1, 40, 0))
    for steps in (0, 1, 2, 3, 4):
        wire.simulator.run(until=wire.time + 1.0)
        for robot in (2, 1):
            wire.simulator.inject(wire.world.incoming, wire.post(*asks(robot)), at=wire.simulator.time)
            wire.simulator.run(max_steps=steps)
        wire.go_on(wire.time)
    wire.simulator.close()
    assert play(path).difference == ""


def test_another_answer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    recorded(path)
    text = path.read_text()
    changed = text.replace('"radius":0.09', '"radius":0.05', 1)
    assert changed != text
    path.write_text(changed)
    assert re.match(r"packet \d+ at \d+\.\d+ s was v1/\S+ .+, and is v1/", play(path).difference)


def test_what_is_no_session_is_told(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    with pytest.raises(SessionError, match=r"session.jsonl cannot be read \(No such file or directory\)"):
        play(path)
    path.write_text("{}\n")
    with pytest.raises(SessionError, match="its first line is not the head of one"):
        play(path)
    recorded(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace('"version":2', '"version":3'), *lines[1:]]))
    with pytest.raises(SessionError, match="is no recorded session of version 2: record it again"):
        play(path)
    path.write_text("\n".join([*lines[:9], "{", *lines[9:]]))
    with pytest.raises(SessionError, match="is broken at line 10"):
        play(path)
