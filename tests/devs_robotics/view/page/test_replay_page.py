"""A replay in its own file, opened from the disk without a network: what is drawn, and what keys and buttons do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from devs_robotics.view.html import replay_html
from devs_robotics.view.posing import Posing
from tests.benchmarks.viewing import crowd
from tests.devs_robotics.view.page.chromium import READY, Chromium, colour_at, open_html, until
from tests.devs_robotics.view.page.shown import EVIL, INKS, PAPER, REPLAY, SCENE, at, near

pytestmark = pytest.mark.browser


def test_robots_are_drawn_where_they_are_each_kind_in_its_way(shown: Any) -> None:
    def look(page: Page) -> None:
        at(page, 0.0)
        assert near(colour_at(page, 1.2, 1.0), INKS["virtual"])  # the edge of a hollow disc
        assert near(colour_at(page, 0.9, 1.0), PAPER)
        assert near(colour_at(page, 1.1, 1.0), INKS["virtual"])  # its heading
        assert near(colour_at(page, 2.9, 1.05), INKS["real"])  # a filled disc
        assert colour_at(page, 1.0, 2.0)[3] == 0  # who is not there yet; nothing is drawn a metre off
        assert colour_at(page, 2.0, 1.0)[3] == 0
        at(page, 3.0)  # half of the way
        assert near(colour_at(page, 1.7, 1.0), INKS["virtual"])
        assert near(colour_at(page, 1.4, 1.0), PAPER)
        at(page, 5.5)
        assert near(colour_at(page, 1.2, 2.0), (255, 0, 255)) or near(colour_at(page, 1.1, 2.0), (255, 0, 255))

    shown(look)


def test_each_window_shows_its_own(shown: Any) -> None:
    def look(page: Page) -> None:
        assert page.locator("figcaption").all_text_contents() == [
            "Real robots: fixes of a test",
            "Environment model, with counterparts of the real robots",
        ]
        at(page, 0.0)
        assert near(colour_at(page, 2.9, 1.05, 0), INKS["real"])
        assert colour_at(page, 1.2, 1.0, 0)[3] == 0  # no virtual robot among the real ones
        assert near(colour_at(page, 1.2, 1.0, 1), INKS["virtual"])
        assert not near(colour_at(page, 2.9, 1.05, 1), INKS["real"])

    shown(look, "two")


def test_the_overlay_shows_errors_of_robots_at_rest(shown: Any) -> None:
    def look(page: Page) -> list[str]:
        found = []
        for time in (0.0, 5.0, 8.0):
            at(page, time)
            page.evaluate("view.viewer.choose(2); view.viewer.draw()")
            found.append(page.locator(".view-about").inner_text())
        at(page, 0.0)
        assert page.get_by_label("Arrows from model to robot").is_visible()
        page.get_by_label("Arrows from model to robot").select_option("10")
        page.evaluate(READY)
        assert near(colour_at(page, 3.0, 1.3), (204, 51, 17))  # 5 cm, 10 times as long
        return found

    begin, moving, end = shown(look, "overlay")
    assert begin.endswith("model and robot differ by 50.0 mm and 0.0°")
    assert "differ" not in moving
    assert end.endswith("at rest; model and robot differ by 20.0 mm and 0.0°")


def test_what_stands_still_is_drawn_and_marks_change(shown: Any) -> None:
    def look(page: Page) -> None:
        def field(x: float, y: float) -> list[int]:
            found: list[int] = page.evaluate(
                """([x, y]) => { const { view: v, field } = view.viewer.windows.panes[0];
                return Array.from(field.getContext("2d").getImageData(v.px(x), v.py(y), 1, 1).data); }""",
                [x, y],
            )
            return found

        at(page, 0.0)
        assert near(tuple(field(0.3, 2.75)), INKS["box"])  # type: ignore[arg-type]
        assert field(3.5, 2.55)[0] < 200  # the zone
        at(page, 7.5)
        assert field(3.5, 2.55)[0] > 200
        at(page, 1.0)
        assert field(3.5, 2.55)[0] < 200

    shown(look)


def test_every_seek_shows_the_poses_of_that_time(shown: Any) -> None:
    posing = Posing(SCENE, REPLAY.timeline)

    def look(page: Page) -> None:
        for time in (0.0, 7.9, 3.3, 3.2, 5.0, 4.999, 0.1, 8.0):
            found = page.evaluate("time => { view.seek(time); return view.poses; }", time)
            for (x, y, heading, flags), expected in zip(found, posing.at(time), strict=True):
                if flags & 1:
                    assert (x, y, heading) == pytest.approx(tuple(expected), abs=1e-9)

    shown(look)


def test_names_are_shown_as_texts(shown: Any) -> None:
    def look(page: Page) -> None:
        page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
        at(page, 6.0)
        page.locator(".view-robots summary").click()
        assert page.title() == SCENE.title
        assert page.locator("h1").inner_text() == SCENE.title
        assert page.get_by_role("button", name=EVIL).inner_text() == EVIL
        assert page.locator("img").count() == 0
        page.get_by_role("button", name=EVIL).click()
        page.evaluate(READY)
        assert page.locator(".view-about").inner_text().startswith(f"{EVIL} (outside): x 1.000 m, y 2.000 m")

    shown(look)


def test_the_table_says_what_the_canvas_shows(shown: Any) -> None:
    def look(page: Page) -> None:
        page.locator(".view-robots summary").click()
        at(page, 3.0)
        page.evaluate("view.viewer.table.update(true)")
        rows = [row.inner_text().split("\t") for row in page.locator(".view-robots tbody tr").all()]
        assert rows[0] == ["robot 1", "virtual", "moving", "1.500", "1.000", "0.0°", "–"]
        assert rows[1] == ["robot 2", "counterpart", "at rest", "3.000", "1.000", "90.0°", "50.0 mm, 0.0°"]
        assert rows[3][2:4] == ["not there", "–"]
        assert (
            page.locator(".view-robots summary").inner_text() == "Robots (2)"
        )  # the real one and its counterpart are one

    shown(look)


def test_keys_do_what_is_written(shown: Any) -> None:
    def look(page: Page) -> None:
        def time() -> float:
            return float(page.evaluate("view.viewer.time"))

        press = page.keyboard.press
        press("End")
        assert time() == 8.0
        press("Home")
        assert time() == 0.0
        press("ArrowRight")
        assert time() == 5.0
        press("ArrowLeft")
        assert time() == 0.0
        press(".")
        assert time() == 4.0
        press(".")
        press(",")
        assert time() == 4.0
        press(" ")
        assert page.evaluate("view.viewer.playing")
        press(" ")
        assert not page.evaluate("view.viewer.playing")
        press("ArrowDown")
        press("ArrowDown")
        assert page.evaluate("view.viewer.chosen") == 1
        press("ArrowUp")
        assert page.evaluate("view.viewer.chosen") == 0
        press("f")
        page.evaluate(READY)
        x, y, _, _ = page.evaluate("view.poses[0]")
        assert page.evaluate("[view.viewer.windows.camera.x, view.viewer.windows.camera.y]") == [x, y]
        press("f")
        scale = page.evaluate("view.viewer.windows.camera.scale")
        press("+")
        assert page.evaluate("view.viewer.windows.camera.scale") == pytest.approx(1.25 * scale)
        press("-")
        press("0")
        press("v")
        assert page.evaluate("view.viewer.windows.mode") == "two"
        press("t")
        assert page.get_by_label("Tracks").input_value() == "Infinity"
        press("?")
        assert page.locator(".view-help").get_attribute("open") is not None
        page.get_by_label("single letters act as keys").uncheck()
        page.locator("h1").click()
        press("v")
        assert page.evaluate("view.viewer.windows.mode") == "two"
        page.get_by_label("Tracks").focus()
        before = time()
        press("Home")  # a field has the focus
        assert time() == before

    shown(look)


def test_everything_is_reached_by_keys_alone(shown: Any) -> None:
    def look(page: Page) -> set[str]:
        reached = set()
        for _ in range(25):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "(e => e.getAttribute('aria-label') || e.textContent.slice(0, 9))(document.activeElement)"
                )
            )
        page.get_by_role("button", name="Play").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("view.viewer.playing")
        return reached

    reached = shown(look)
    assert {"Windows", "Tracks", "Smaller", "Larger", "Play", "Time", "Speed", "Robots (2", "Keys"} <= reached


def test_it_plays_in_time_and_stops_at_the_end(shown: Any) -> None:
    def look(page: Page) -> None:
        page.get_by_label("Speed").select_option("10")
        page.get_by_role("button", name="Play").click()
        page.wait_for_timeout(100)
        assert page.evaluate("view.viewer.time") > 0.0
        page.evaluate(until("!view.viewer.playing"))
        assert page.evaluate("view.viewer.time") == 8.0
        page.evaluate(READY)
        frames = page.evaluate("view.frames")
        page.wait_for_timeout(100)
        assert page.evaluate("view.frames") == frames  # nothing is drawn while nothing moves

    shown(look)


def test_tracks_are_drawn_and_go_back_as_far_as_asked(shown: Any) -> None:
    def look(page: Page) -> None:
        at(page, 7.0)
        assert colour_at(page, 1.5, 1.0)[3] > 0  # where robot 1 went
        page.get_by_label("Tracks").select_option("0")
        page.evaluate(READY)
        assert colour_at(page, 1.5, 1.0)[3] == 0

    shown(look)


def test_tracks_and_arrows_begin_as_the_scenario_says(browser: Chromium, tmp_path: Path) -> None:
    scene = replace(SCENE, tracks=2.5, arrows=5)

    def look(page: Page) -> None:
        open_html(page, replay_html(replace(REPLAY, scene=scene)), tmp_path)
        tracks, arrows = page.get_by_label("Tracks"), page.get_by_label("Arrows from model to robot")
        assert (tracks.input_value(), arrows.input_value()) == ("2.5", "5")
        assert tracks.locator("option").first.inner_text() == "last 2.5 s"
        assert page.evaluate("view.viewer.windows.times") == 5
        assert page.evaluate("view.viewer.windows.panes[0].tracks.reach") == 2.5

    browser.use(look)


def test_tracks_of_many_are_drawn_over_several_frames(browser: Chromium, tmp_path: Path) -> None:
    def look(page: Page) -> None:
        open_html(page, replay_html(crowd(1000)), tmp_path)
        page.evaluate("{ view.viewer.play(true); view.seek(40.0) }")
        page.wait_for_timeout(300)
        page.evaluate("view.viewer.play(false)")
        page.evaluate(READY)
        sheet = page.evaluate("(({ from, at }) => [from, at])(view.viewer.windows.panes[0].tracks.shown)")
        now = page.evaluate("view.time")
        assert sheet[1] == now
        assert now - 36.0 <= sheet[0] <= now - 30.0

    browser.use(look)


def test_a_click_chooses_and_a_drag_moves(shown: Any) -> None:
    def look(page: Page) -> None:
        at(page, 0.0)
        x, y = page.evaluate("view.pixel(1, 1)")
        page.mouse.click(x, y)
        assert page.evaluate("view.viewer.chosen") == 0
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y - 40, steps=4)
        page.mouse.up()
        assert page.evaluate("view.pixel(1, 1)") == pytest.approx([x + 60, y - 40], abs=1.0)
        assert page.evaluate("view.viewer.chosen") == 0

    shown(look)


def test_it_asks_no_network_and_stores_nothing_with_plots_in_it(browser: Chromium, tmp_path: Path) -> None:
    series = {"share (%)": ((0.0, 4.0, 8.0), (1.0, 3.0, 2.0))}

    def look(page: Page) -> None:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        open_html(page, replay_html(replace(REPLAY, series=series)), tmp_path)
        page.get_by_role("img", name="share (%) over time (s)").wait_for()
        others = [url for url in asked if not url.startswith(("file:", "data:"))]
        assert others == []
        assert page.evaluate("localStorage.length + sessionStorage.length") == 0
        assert page.context.cookies() == []

    browser.use(look)


def test_plots_last_until_the_end_of_the_run_and_are_light_on_paper(browser: Chromium, tmp_path: Path) -> None:
    series = {"share (%)": ((0.0, 4.0), (1.0, 3.0)), "nothing (m)": ((), ())}
    asked = """
        Array.from(view.viewer.plots.plots.values(), (plot) => {
            const inks = [], { context } = plot, stroke = context.stroke.bind(context);
            context.stroke = () => inks.push(context.strokeStyle) && stroke();
            view.viewer.plots.draw();
            delete context.stroke;
            const [x, y] = [plot.px(7.5), plot.py(plot.values.at(-1) ?? 0)].map(Math.round);
            const [red, , blue] = context.getImageData(x, y, 1, 1).data;
            return [plot.times, plot.values, plot.begin, plot.end, blue > red + 60, inks.at(-2)];
        })
    """

    def look(page: Page) -> None:
        open_html(page, replay_html(replace(REPLAY, series=series)), tmp_path)
        page.get_by_role("img", name="nothing (m) over time (s)").wait_for()
        values, nothing = page.evaluate(asked)
        assert values == [[0.0, 4.0], [1.0, 3.0], 0.0, 8.0, True, "#56b4e9"]
        assert nothing[2:4] == [0.0, 8.0]
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(asked)[0][-1] == "#0072b2"

    browser.use(look, theme="dark")
