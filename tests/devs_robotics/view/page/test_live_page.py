"""The page of a server, which the tests play: the messages of a live run, and of a recording."""

from __future__ import annotations

import gzip
from math import nan
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page

from devs_robotics.view.html import replay_html
from tests.devs_robotics.view.page.chromium import (
    READY,
    SITE,
    Chromium,
    Theme,
    axe,
    colour_at,
    modules,
    open_html,
    serve,
    until,
)
from tests.devs_robotics.view.page.played import SCENE, Server, opened, state
from tests.devs_robotics.view.page.shown import EVIL, REPLAY, near

pytestmark = pytest.mark.browser

POSES = [(1.0, 1.0, 0.0), (3.0, 2.0, 0.0)]


def test_states_are_drawn_and_answered(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(7, 1.0, POSES)
        server.state(8, 1.1, [(2.0, 1.0, 0.0), (3.0, 2.0, 0.0)])
        server.wait(lambda: [message["seq"] for message in server.of("seen")] == [7, 8])
        server.shown("view.time === 1.1")
        page.evaluate(READY)
        assert page.evaluate("view.poses[0].slice(0, 2)") == [2, 1]
        assert near(colour_at(page, 2.2, 1.0), (0, 114, 178))
        assert page.title() == "Two robots"

    browser.use(look)


def test_it_says_what_it_wants_and_a_hidden_page_wants_nothing(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.wait(lambda: bool(server.of("want")) and server.of("want")[-1].get("rate") == 30)
        everything = {"rate": 30, "events": True, "metrics": True, "robots": None, "pictures": False}
        assert server.of("want")[-1] == {"type": "want", **everything}
        page.evaluate(
            """Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true });
            document.dispatchEvent(new Event("visibilitychange"))"""
        )
        server.wait(lambda: server.of("want")[-1].get("rate") == 0)
        assert server.of("want")[-1]["events"] is False

    browser.use(look)


def test_the_legend_has_the_kinds_of_all_who_have_joined(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, POSES)
        server.shown("view.counters.states === 1")
        legend = page.get_by_role("list", name="What is drawn how")
        assert legend.inner_text() == "virtual robot"
        body = {"slot": 2, "robot": 7, "name": "robot 7", "kind": "outside", "radius": 0.06}
        server.send("joined", revision=2, t=2.0, bodies=[body])
        server.state(2, 2.0, [*POSES, (2.0, 2.0, 0.0)], revision=2)
        server.shown("view.counters.states === 2")
        page.evaluate(READY)
        page.evaluate("view.viewer.controls.update()")  # which else waits until it is time to
        assert legend.inner_text().splitlines() == ["virtual robot", "moved by another program"]

    browser.use(look)


def test_a_state_waits_for_its_scene(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, [*POSES, (2.0, 2.0, 0.0)], revision=2)
        server.state(2, 2.0, [*POSES, (2.0, 2.5, 0.0)], revision=2)  # takes the place of the one that waits
        page.wait_for_timeout(50)
        assert page.evaluate("view.counters.states") == 0
        body = {"slot": 2, "robot": 3, "name": EVIL, "kind": "virtual", "radius": 0.2}
        server.send("joined", revision=2, t=2.0, bodies=[body])
        server.shown("view.counters.states === 1 && view.poses.length === 3")
        assert page.evaluate("view.poses[2].slice(0, 2)") == [2, 2.5]
        server.send("left", revision=3, t=3.0, slots=[0])
        server.state(3, 3.0, [(nan, nan, nan), POSES[1], (2.0, 2.5, 0.0)], revision=3)
        server.shown("view.poses[0][3] === 0")
        page.locator(".view-robots summary").click()
        page.get_by_role("button", name=EVIL).wait_for()

    browser.use(look)


def test_a_token_is_sent_first_and_taken_out_of_the_address(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page, "/#0123abcd")
        server.wait(lambda: len(server.heard) > 1)
        assert server.heard[0] == {"type": "token", "value": "0123abcd"}
        assert page.url == f"{SITE}/"

    browser.use(look)


def test_what_is_allowed_has_buttons_and_stop_asks_once_more(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page, hello={"control": ["pause", "stop", "pace"]})
        page.get_by_role("button", name="Pause the run").click()
        server.wait(lambda: len(server.of("control")) == 1)
        asked = server.of("control")[-1]
        assert asked == {"type": "control", "id": asked["id"], "do": "pause", "value": None}
        server.send("error", id=asked["id"], reason="robots are on their way")
        alert = page.get_by_role("alert")
        alert.wait_for()
        assert alert.inner_text() == "robots are on their way"
        page.get_by_role("button", name="Stop robots").click()
        page.wait_for_timeout(50)
        assert len(server.of("control")) == 1
        page.get_by_role("button", name="Stop robots: press again").click()
        server.wait(lambda: len(server.of("control")) == 2)
        assert server.of("control")[-1]["do"] == "stop"
        page.get_by_label("Pace of the run").select_option("10")
        server.wait(lambda: len(server.of("control")) == 3)
        assert (server.of("control")[-1]["do"], server.of("control")[-1]["value"]) == ("pace", 10)
        assert page.get_by_role("button", name="Resume the run").count() == 0

    browser.use(look)


def test_space_freezes_the_picture_and_never_the_run(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page, hello={"control": ["pause"]})
        server.state(1, 1.0, POSES)
        server.shown("view.time === 1")
        page.keyboard.press(" ")
        server.state(2, 2.0, POSES)
        server.wait(lambda: len(server.of("seen")) == 2)
        page.wait_for_timeout(50)
        assert page.evaluate("view.time") == 1.0
        assert server.of("control") == []
        page.keyboard.press("End")
        server.shown("view.time === 2")

    browser.use(look)


def test_it_looks_back_at_what_it_has_seen(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        for number in range(11):
            server.state(number, 0.5 * number, [(1.0 + 0.1 * number, 1.0, 0.0), POSES[1]])
        server.shown("view.time === 5")
        found = page.evaluate("[0, 4.75, 2.5, 5, 1].map((time) => { view.seek(time); return view.poses[0][0]; })")
        assert found == pytest.approx([1.0, 1.95, 1.5, 2.0, 1.2], abs=1e-6)
        assert page.get_by_role("button", name="Live").get_attribute("aria-pressed") == "false"
        page.get_by_role("button", name="Live").click()
        server.shown("view.time === 5")

    browser.use(look)


def test_a_lost_link_is_said_and_taken_up_again(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, POSES)
        server.shown("view.time === 1")
        server.gone = True
        server.links[0].close()
        page.get_by_role("alert").wait_for()
        assert page.get_by_role("alert").inner_text().startswith("no link since ")
        assert page.title() == "no link · Two robots"
        server.gone = False
        server.wait(lambda: len(server.links) == 2)
        server.state(2, 5.0, POSES)
        server.shown("view.time === 5")
        assert page.get_by_role("alert").count() == 0
        assert page.evaluate("view.viewer.source.states.length") == 2  # the same run: what was seen is kept
        places = page.evaluate(
            "{const found = []; view.viewer.source.way(0, 1, 5, (x, y, to) => found.push(to)); found}"
        )
        assert places == [False, False, True]  # and the gap in it is a gap
        server.hello["session"] = "b"
        server.links[1].close()
        server.wait(lambda: len(server.links) == 3)
        server.shown("view.viewer.source.states.length === 0")

    browser.use(look)


def test_messages_and_metrics_are_texts_and_plots(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, POSES)
        items = [
            ["say", 1.0, 1, 2, EVIL],
            ["say", 1.0, 2, None, "to all"],
            ["log", 1.0, "a line"],
            ["touch", 1.0, 1, True],
        ]
        server.send("events", t=1.0, items=[*items, ["see", 1.0, 1, [[0.0, 0.4]]], ["new kind", 1.0]], skipped=3)
        server.send("metrics", t=1.0, series={"share (%)": [[0.0, 1.0], [1.0, 4.0]]}, marks={"share (%)": 2.0})
        server.send("of a later version", t=1.0)
        server.send("status", state="running", t=1.0, pace=1.0, late_ms=[0.1, 2.0], dropped=4, viewers=2, reason="")
        page.locator(".view-messages summary").click()
        server.shown("document.querySelectorAll('.view-strip li').length === 4")
        assert page.locator(".view-strip li").all_inner_texts()[-1] == f"1.00 s: robot 1 to 2: {EVIL}"
        page.evaluate("view.viewer.controls.update()")
        legend = page.locator(".view-legend li:not([hidden])").all_inner_texts()
        assert legend[-3:] == ["message: a line to one robot, a ring to all", "rays of sensors", "touches something"]
        assert page.locator("img").count() == 0
        page.get_by_role("img", name="share (%) over time (s)").wait_for()
        assert "late by 0.1 / 2.0 ms" in page.locator(".view-runbar").inner_text()
        assert "2 viewers" in page.locator(".view-runbar").inner_text()
        assert page.evaluate("view.link.counters.unknown") == 1

    browser.use(look)


def test_a_move_under_way_turns_and_then_goes(browser: Chromium) -> None:
    """In the page's own modules: pose of a body that turns a quarter at 2 rad/s, and goes 1 m at 0.5 m/s."""
    moving = state(1, 0.0, POSES, moves=[(0.0, 2.785, 1.570796, 1.0), (0.0, 0.0, 0.0, 0.0)])
    script = """
        const { LiveSource, state } = await load("live.js"), { Scene } = await load("scene.js");
        const source = new LiveSource(new Scene(argument.scene));
        source.take(state(Uint8Array.from(argument.state).buffer));
        return [0, 0.3927, 0.7854, 1.785, 2.785, 9].map((time) => source.pose(0, time).slice());
    """
    argument = {"scene": msgspec.to_builtins(SCENE), "state": list(moving)}
    found = browser.use(lambda page: modules(page, script, argument))
    expected = [(1, 1, 0), (1, 1, 0.7854), (1, 1, 1.5708), (1, 1.5, 1.5708), (1, 2, 1.5708), (1, 2, 1.5708)]
    for pose, wanted in zip(found, expected, strict=True):
        assert pose[:3] == pytest.approx(wanted, abs=1e-3)


def test_the_age_of_a_picture_does_not_depend_on_clocks(browser: Chromium) -> None:
    states = [list(state(number, float(number), POSES, looked=looked)) for number, looked in enumerate((5.0, 6.0, 7.0))]
    script = """
        const { LiveSource, state } = await load("live.js"), { Scene } = await load("scene.js");
        const source = new LiveSource(new Scene(argument.scene));
        return argument.states.map((bytes, n) => {
            source.take(state(Uint8Array.from(bytes).buffer), [1000.2, 1001.1, 1002.6][n]);
            return source.age;
        });
    """
    argument = {"scene": msgspec.to_builtins(SCENE), "states": states}
    found = browser.use(lambda page: modules(page, script, argument))
    assert found == pytest.approx([0.0, 0.0, 0.5])


def test_what_is_kept_is_bounded(browser: Chromium) -> None:
    script = """
        const { LiveSource } = await load("live.js"), { Scene } = await load("scene.js");
        const source = new LiveSource(new Scene(argument));
        const column = new Float32Array(1), flags = new Uint8Array([1]);
        for (let n = 0; n < 4000; n++) {
            const poses = { x: column, y: column, heading: column, flags };
            source.take({ time: n / 30, looked: 0, slots: 1, bytes: 30000, ...poses });
        }
        return [source.counters.bytes, source.states.length, source.states[0].time, source.end];
    """
    size, count, first, last = browser.use(lambda page: modules(page, script, msgspec.to_builtins(SCENE)))
    assert size <= 32e6
    assert count * 30_000 == size
    assert last == pytest.approx(3999 / 30)
    assert first < last - 30


def test_a_recording_is_fetched_and_played(browser: Chromium) -> None:
    def look(page: Page) -> None:
        served = {f"timeline/{n}": chunk for n, chunk in enumerate(REPLAY.timeline.chunks)}
        serve(page, served)
        hello = {"kind": "recording", "rate": 0, "chunks": 1, "series": {"share (%)": [[0, 1], [4, 2]]}}
        Server(page, hello=hello, scene=REPLAY.scene)
        page.goto(SITE)
        page.evaluate(READY)
        page.evaluate("view.seek(3)")
        assert page.evaluate("view.poses[0].slice(0, 2)") == pytest.approx([1.5, 1.0])
        page.get_by_role("img", name="share (%) over time (s)").wait_for()
        assert page.evaluate("view.viewer.source.end") == 8.0

    browser.use(look)


def test_a_file_and_a_server_show_the_same_at_the_same_time(browser: Chromium, tmp_path: Path) -> None:
    ask = "[7.5, 0, 3.2, 8, 5.5, 1].map((time) => { view.seek(time); return JSON.stringify(view.poses); })"

    def served(page: Page) -> list[str]:
        serve(page, {f"timeline/{n}": chunk for n, chunk in enumerate(REPLAY.timeline.chunks)})
        Server(page, hello={"kind": "recording", "rate": 0, "chunks": 1}, scene=REPLAY.scene)
        page.goto(SITE)
        page.evaluate(READY)
        found: list[str] = page.evaluate(ask)
        return found

    def in_a_file(page: Page) -> list[str]:
        open_html(page, replay_html(REPLAY), tmp_path)
        found: list[str] = page.evaluate(ask)
        return found

    assert browser.use(served) == browser.use(in_a_file)


def test_what_was_kept_of_a_run_is_before_what_comes(browser: Chromium) -> None:
    def look(page: Page) -> None:
        serve(page, {f"timeline/{n}": chunk for n, chunk in enumerate(REPLAY.timeline.chunks)})
        server = Server(page, hello={"chunks": 1}, scene=REPLAY.scene)
        page.goto(SITE)
        page.evaluate(until("window.view"))
        server.state(1, 9.0, [(1.5, 1.5, 0.0)] * 4)
        server.shown("view.time === 9")
        assert page.evaluate("view.viewer.source.begin") == 0.0
        found = page.evaluate("{ view.seek(3); view.poses[0].slice(0, 2) }")
        assert found == pytest.approx([1.5, 1.0])

    browser.use(look)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")])
def test_axe_finds_nothing_serious(browser: Chromium, width: int, theme: Theme) -> None:
    def look(page: Page) -> None:
        server = opened(page, hello={"control": ["pause", "resume", "step", "pace", "stop", "reset"]})
        server.state(1, 1.0, POSES)
        server.send("metrics", t=1.0, series={"share (%)": [[0.0, 1.0], [1.0, 4.0]]}, marks={})
        server.send("status", state="running", t=1.0, pace=1.0, late_ms=None, dropped=0, viewers=1, reason="")
        server.shown("document.querySelector('.view-plot')")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    browser.use(look, width=width, theme=theme, bypass_csp=True)


def test_all_that_the_page_loads_with_plots_is_below_150_kilobytes(browser: Chromium) -> None:
    """As it is; packed, as it goes over the wire, it is less than a third of that."""

    def look(page: Page) -> list[bytes]:
        loaded: list[bytes] = []
        page.on("response", lambda response: loaded.append(response.body()))
        server = opened(page)
        server.send("metrics", t=1.0, series={"share (%)": [[0.0, 1.0]]}, marks={})
        page.get_by_role("img", name="share (%) over time (s)").wait_for()
        return list(loaded)

    loaded = browser.use(look)
    assert 100_000 < sum(map(len, loaded)) < 150_000
    assert sum(len(gzip.compress(each)) for each in loaded) < 50_000
