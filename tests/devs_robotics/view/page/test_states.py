"""The page's timeline: it reads what Python writes, and is where the rule says, at any time and in any order."""

from __future__ import annotations

from base64 import b64encode
from math import isnan, nan, remainder, tau
from random import Random

import msgspec
import numpy as np
import pytest

from devs_robotics.view import colours
from devs_robotics.view.posing import Posing
from devs_robotics.view.scene import BodyKind
from devs_robotics.view.timeline import SPEED, STEP, TURN_RATE, Timeline, TimelineWriter
from tests.devs_robotics.view.page.chromium import Chromium, modules
from tests.devs_robotics.view.timelines import NOWHERE, ON_PATH, TICKS, Change, scene, written

pytestmark = pytest.mark.browser

KINDS: tuple[BodyKind, ...] = ("virtual", "counterpart", "real", "outside")
SECONDS = 20

POSES = """
    const { decoded, inflated, Poses, Timeline } = await load("timeline.js"), { Scene } = await load("scene.js");
    const timeline = new Timeline(new Scene(argument.scene));
    for (const chunk of argument.chunks) {
        timeline.add(decoded(await inflated(Uint8Array.from(atob(chunk), (letter) => letter.charCodeAt(0)))));
    }
    timeline.build();
    const poses = new Poses(timeline.slots);
"""


def history(seed: int) -> tuple[list[tuple[float, float, float]], list[Change]]:
    """Changes of a body of each kind, and of one that joins: poses at rest, arcs, joining, leaving, several at once."""
    random = Random(seed)

    def pose() -> tuple[float, float, float]:
        return random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-7.0, 7.0)

    found: list[Change] = []
    for time in sorted(random.choice([random.randint(0, SECONDS * TICKS), 3 * TICKS]) for _ in range(120)):
        arc = random.choice([(0.0, 0.0), (0.0, 0.0), (0.5, 0.0), (-0.25, 1.0), (0.0, 2.0), ON_PATH])
        there = random.random() < 0.9
        found.append((time, random.randint(0, 4), pose() if there else NOWHERE, arc if there else (0.0, 0.0)))
    return [pose(), pose(), pose(), NOWHERE], found


def told(timeline: Timeline) -> dict[str, object]:
    """A timeline and its scene, as a page gets them."""
    return {
        "scene": msgspec.to_builtins(scene(KINDS)),
        "chunks": [b64encode(chunk).decode() for chunk in timeline.chunks],
    }


@pytest.mark.parametrize("parts", [1, 4])
def test_poses_are_those_of_the_rule_forwards_backwards_and_by_leaps(browser: Chromium, parts: int) -> None:
    timeline = written(*history(parts), SECONDS * TICKS, parts)
    posing = Posing(scene(KINDS), timeline)
    forwards = [0.1 * number for number in range(10 * SECONDS + 1)]
    leaps = Random(1).sample(forwards, len(forwards))
    argument = told(timeline) | {"times": [*forwards, *reversed(forwards), *leaps]}
    script = """
        return argument.times.map((time) => {
            timeline.poses(time, poses);
            return [Array.from(poses.x), Array.from(poses.y), Array.from(poses.heading), Array.from(poses.flags)];
        });
    """
    found = browser.use(lambda page: modules(page, POSES + script, argument))
    assert timeline.slots == 5
    for time, (xs, ys, headings, flags) in zip(argument["times"], found, strict=True):  # type: ignore[call-overload]
        expected = posing.at(time)
        for slot, (x, y, heading) in enumerate(expected):
            assert bool(flags[slot] & 1) is not bool(isnan(x)), (time, slot)
            if not isnan(x):
                assert (xs[slot], ys[slot]) == pytest.approx((x, y), abs=1e-9), (time, slot)
                off = abs(remainder(headings[slot] - heading, tau))
                assert off < 1e-9, (time, slot)


def test_the_page_reads_what_python_writes_to_the_last_bit(browser: Chromium) -> None:
    """Slots of 16 and of 32 bits, with and without arcs, those who join and leave."""
    begin, some = history(9)
    far: list[Change] = [(5, 66_000, (1.0, 2.0, 3.0), (0.0, 0.0)), (9, 2, (1e3, -1e3, 99.0), (0.0, 0.0))]
    still = [(time, slot, pose, (0.0, 0.0)) for time, slot, pose, _ in some]
    cases = [written(begin, changes, SECONDS * TICKS) for changes in (some, still, far, [])]
    script = """
        const { decoded, inflated } = await load("timeline.js");
        const found = [];
        for (const chunk of argument) {
            const read = decoded(await inflated(Uint8Array.from(atob(chunk), (letter) => letter.charCodeAt(0))));
            const columns = ["time", "slot", "x", "y", "heading", "speed", "turn"];
            const last = read.rows > 1000 ? read.rows - 2 : 0; // of 66,000 slots the changes are enough
            found.push({ begin: read.begin, end: read.end, slots: read.slots, rows: read.rows, last,
                         columns: columns.map((name) => Array.from(read[name].slice(last))) });
        }
        return found;
    """
    chunks = [b64encode(case.chunks[0]).decode() for case in cases]
    for case, read in zip(cases, browser.use(lambda page: modules(page, script, chunks)), strict=True):
        (rows,) = case.rows()
        assert (read["begin"], read["end"], read["slots"], read["rows"]) == (0.0, SECONDS, case.slots, len(rows))
        expected = rows[read["last"] :].T
        columns = np.array(read["columns"])
        np.testing.assert_array_equal(columns[:2], expected[:2])
        places = np.where(columns[2:5] == -(2**31), nan, columns[2:5] * STEP)
        np.testing.assert_array_equal(places, expected[2:5])
        np.testing.assert_array_equal(columns[5:], expected[SPEED : TURN_RATE + 1])


def test_what_holds_at_the_begin_of_a_chunk_counts_if_it_is_news(browser: Chromium) -> None:
    """As in what a view kept of a run at which nobody looked for a while: its chunks do not join."""
    one, other = TimelineWriter([(1.0, 1.0, 0.0)]), TimelineWriter([(2.0, 1.0, 0.0)], 10.0)
    one.write(np.empty((0, 7)), 5.0)
    other.write(np.empty((0, 7)), 15.0)
    chunks = [b64encode(each.timeline().chunks[0]).decode() for each in (one, other)]
    plain = msgspec.to_builtins(scene(["outside"]))
    for body in plain["bodies"]:
        body["speed"] = 0.0  # it has no pace, and jumps
    script = "return [4, 9.9, 10, 14].map((time) => timeline.poses(time, poses).x[0]);"
    argument = {"scene": plain, "chunks": chunks}
    assert browser.use(lambda page: modules(page, POSES + script, argument)) == [1.0, 1.0, 2.0, 2.0]


def test_a_way_goes_through_all_places_and_breaks_where_somebody_was_away(browser: Chromium) -> None:
    changes: list[Change] = [
        (1 * TICKS, 0, (1.0, 0.0, 0.0), (0.0, 0.0)),
        (2 * TICKS, 0, NOWHERE, (0.0, 0.0)),
        (3 * TICKS, 0, (2.0, 0.0, 0.0), (1.0, 1.0)),
        (4 * TICKS, 0, (3.0, 1.0, 0.0), (0.0, 0.0)),
    ]
    argument = told(written([(0.0, 0.0, 0.0)], changes, 5 * TICKS))
    script = "const found = []; timeline.way(0, 0, 5, (...place) => found.push(place)); return found;"
    places = browser.use(lambda page: modules(page, POSES + script, argument))
    assert [places[0][:2], places[1][:2]] == [[0, 0], [1, 0]]
    assert [joined for _, _, joined in places[:3]] == [False, True, False]
    arc = places[2:-2]
    assert len(arc) >= 10
    assert all(np.hypot(x - 2.0, y - 1.0) == pytest.approx(1.0, abs=1e-3) for x, y, _ in arc)  # of radius 1 m
    assert all(joined for _, _, joined in places[3:])


def test_steps_go_from_change_to_change(browser: Chromium) -> None:
    changes: list[Change] = [(number * TICKS, number % 2, (1.0, number, 0.0), (0.0, 0.0)) for number in (1, 2, 4)]
    argument = told(written([NOWHERE, NOWHERE], changes, 5 * TICKS))
    script = """
        const on = [], back = [];
        for (let time = 0; time < 5; ) on.push((time = timeline.next(time, 1)));
        for (let time = 5; time > 0; ) back.push((time = timeline.next(time, -1)));
        return [on, back];
    """
    assert browser.use(lambda page: modules(page, POSES + script, argument)) == [[1, 2, 4, 5], [4, 2, 1, 0]]


def test_a_real_robot_is_moving_between_fixes_that_differ_and_is_compared_only_at_rest(browser: Chromium) -> None:
    fixes: list[Change] = [
        *(
            (number * TICKS // 2, 1, (0.1 * number, 0.0, 0.0), (0.0, 0.0)) for number in (2, 3, 4)
        ),  # goes, from 1 s to 2 s
        *((number * TICKS // 2, 1, (0.4 + 1e-3 * (number % 2), 0.0, 0.0), (0.0, 0.0)) for number in (5, 6)),  # stands
    ]
    plain = told(written([(0.4, 0.0, 0.0), NOWHERE], fixes, 5 * TICKS))
    plain["scene"] = msgspec.to_builtins(scene(["counterpart", "real"]))
    script = """
        return [0, 1.2, 1.7, 2.7, 4, 4.5].map((time) => {
            timeline.poses(time, poses);
            return [poses.x[1], poses.flags[1], timeline.settled(1, 0, time, poses)];
        });
    """
    found = browser.use(lambda page: modules(page, POSES + script, plain))
    there, moving, unsure = 1, 2, 8
    expected = [there | unsure, there | moving, there | moving, there, there, there | unsure]  # last seen at 3 s
    assert [flags for _, flags, _ in found] == expected
    assert [compared for *_, compared in found] == [False, False, False, True, True, False]
    assert found[0][0] == pytest.approx(0.2)  # until it is seen it stands where it is seen first


def test_who_follows_a_path_is_moving_where_its_changes_differ(browser: Chromium) -> None:
    """0.1 m in the first second, nothing in the second one, a turn in the third; then the path is over."""
    places = [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.0, 1.0)]
    arcs = [ON_PATH, ON_PATH, ON_PATH, (0.0, 0.0)]
    happened: list[Change] = [(k * TICKS, 0, pose, arc) for k, (pose, arc) in enumerate(zip(places, arcs, strict=True))]
    timeline = written(places[:1], happened, 4 * TICKS)
    script = """
        return [0.5, 1.5, 2.5, 3.5].map((time) => [timeline.pose(0, time)[0], timeline.pose(0, time)[3]]);
    """
    found = browser.use(lambda page: modules(page, POSES + script, told(timeline)))
    assert [flags for _, flags in found] == [3, 1, 3, 1]
    assert [x for x, _ in found] == pytest.approx([0.05, 0.1, 0.1, 0.1])


def test_colours_that_marks_may_name_are_those_of_pictures_for_papers(browser: Chromium) -> None:
    found = browser.use(lambda page: modules(page, 'return (await load("draw.js")).NAMED;', {}))
    assert found == colours.NAMED
