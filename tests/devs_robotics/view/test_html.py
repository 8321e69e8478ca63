"""Replays as HTML, without a browser: the same bytes for the same replay, only texts in it, no more than fits."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from devs_robotics.view import html
from devs_robotics.view.html import replay_html, replay_section, thinned
from devs_robotics.view.posing import Posing
from devs_robotics.view.replay import MarkChange, Replay, rounded
from devs_robotics.view.scene import Disc, Mark, Outline, Polyline, Scene, SceneBody
from devs_robotics.view.timeline import TimelineWriter, X
from tests.devs_robotics.view.timelines import NOWHERE, TICKS, Change, scene, written

EVIL = '</script><script>alert("<!-- &amp;")</script>'


def replay(title: str = "a run", changes: list[Change] | None = None) -> Replay:
    some = changes or [(TICKS, 0, (2.0, 1.0, 0.5), (0.0, 0.0))]
    timeline = written([(1.0, 1.0, 0.0), NOWHERE], some, 4 * TICKS)
    plain = scene(["virtual", "outside"])
    return Replay(scene=replace(plain, title=title), timeline=timeline)


def data_of(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="replay-data">(.*?)</script>', page, flags=re.S)
    return json.loads(found)


def test_the_same_replay_is_the_same_bytes() -> None:
    assert replay_html(replay()) == replay_html(replay())
    assert replay_section(replay()) == replay_section(replay())
    assert replay_html(replay()) != replay_html(replay("another"))


def test_everything_is_in_it() -> None:
    given = replay()
    told = data_of(replay_section(given))
    assert [b64decode(chunk) for chunk in told["chunks"]] == list(given.timeline.chunks)
    assert told["scene"]["title"] == "a run"
    assert (told["begin"], told["end"]) == (0.0, 4.0)


def test_texts_cannot_end_the_script_or_the_title() -> None:
    bodies = (SceneBody(0, 1, EVIL),)
    evil = Replay(
        scene=Scene(title=EVIL, width=1.0, height=1.0, bodies=bodies), timeline=written([(0.5, 0.5, 0.0)], [], TICKS)
    )
    page = replay_html(evil)
    told = data_of(page)
    assert told["scene"]["title"] == told["scene"]["bodies"][0]["name"] == EVIL
    assert "<script>alert" not in page
    assert page.count("</script>") == 3


def test_it_names_no_address() -> None:
    page = replay_html(replay())
    (modules,) = re.findall(r'id="replay-modules">(.*?)</script>', page)
    text = page + zlib.decompress(b64decode(modules), wbits=-15).decode()
    assert re.findall(r"\b(?:https?|wss?)://[^\"'\s]*", text) == []
    assert "default-src 'none'" in page


def test_modules_are_all_that_are_imported() -> None:
    """No other module than those that stand in the page, and each of these is needed."""
    (modules,) = re.findall(r'id="replay-modules">(.*?)</script>', replay_section(replay()))
    found: dict[str, str] = json.loads(zlib.decompress(b64decode(modules), wbits=-15))
    imported = {name for text in found.values() for name in re.findall(r'from "([^"]*)"', text)}
    assert imported | {"view/replay.js"} == set(found)


def long_timeline(count: int) -> Any:
    random = Random(1)
    changes: list[Change] = []
    for time in range(count):
        pose = (random.uniform(0.0, 4.0), random.uniform(0.0, 3.0), random.uniform(-3.0, 3.0))
        changes.append((16 * time, time % 3, NOWHERE if random.random() < 0.01 else pose, (0.0, 0.0)))
    return written([(1.0, 1.0, 0.0)] * 3, changes, 16 * count)


def test_what_does_not_fit_is_thinned_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = long_timeline(3000)
    most = sum(map(len, timeline.chunks)) // 3
    found, every = thinned(timeline, most)
    assert every > 1
    assert sum(4 * ((len(chunk) + 2) // 3) for chunk in found.chunks) <= most
    assert (found.begin, found.end, found.slots) == (timeline.begin, timeline.end, timeline.slots)
    before, after = Posing(scene(["outside"] * 3), timeline), Posing(scene(["outside"] * 3), found)
    np.testing.assert_array_equal(before.at(timeline.end), after.at(timeline.end))  # the last changes stay
    kept = {tuple(row) for row in timeline.history()[:, :5].round(9)}
    assert {tuple(row) for row in found.history()[~np.isnan(found.history()[:, X])][:, :5].round(9)} <= kept
    gone = np.isnan(timeline.history()[:, X]).sum()
    assert np.isnan(found.history()[:, X]).sum() == gone  # and so do all by which somebody leaves
    monkeypatch.setattr(html, "MOST", most)
    large = Replay(scene=scene(["outside"] * 3), timeline=timeline)
    assert f"only every change number {every} is here" in replay_section(large)


def test_what_fits_is_left_alone() -> None:
    timeline = long_timeline(100)
    assert thinned(timeline, 10**6) == (timeline, 1)


def test_nothing_happened_is_a_replay_too() -> None:
    writer = TimelineWriter([])
    writer.write(np.empty((0, 7)), 1.0)
    empty = Replay(scene=Scene(title="", width=1.0, height=1.0), timeline=writer.timeline())
    assert "<title>Replay</title>" in replay_html(empty)


def test_paths_that_change_again_and_again_take_little_room() -> None:
    """As robots have them that smooth their paths: 15 of 60 points, one of which goes at each of 1500 changes."""
    random = np.random.default_rng(1)
    paths = {robot: random.uniform(0.0, 50.0, (160, 2)).tolist() for robot in range(15)}
    changes = []
    for number in range(1500):
        path = paths[number % 15]
        del path[int(random.integers(1, len(path) - 1))]
        points = tuple((x, y) for x, y in path[:60])
        changes.append(MarkChange(number / 3.0, f"path {number % 15}", Mark(Polyline(points), colour="grey")))
    given = replay()
    more = len(replay_section(replace(given, marks=tuple(changes)))) - len(replay_section(given))
    assert len(msgspec.json.encode(changes)) > 3_000_000
    assert more < 150_000


def test_marks_of_pages_have_places_to_a_tenth_of_a_millimetre() -> None:
    third = 1.0 / 3.0
    for shape, expected in (
        (Disc(third, 2.0, 0.1), Disc(0.3333, 2.0, 0.1)),
        (Outline(((third, 0.0),)), Outline(((0.3333, 0.0),))),
        (Polyline(((third, -third),), third), Polyline(((0.3333, -0.3333),), 0.3333)),
        (None, None),
    ):
        found = rounded(MarkChange(third, "a", Mark(shape, "text", robot=3)))
        assert found == MarkChange(third, "a", Mark(expected, "text", robot=3))
    assert rounded(MarkChange(1.0, "a", None)) == MarkChange(1.0, "a", None)


def test_the_page_itself_takes_little_room_in_a_report() -> None:
    """Beside the timeline: of the convoy of 30 robots and 340 rounds that has 194 kB, and all is to have 250."""
    given = replay()
    assert len(replay_section(given)) < 48_000
