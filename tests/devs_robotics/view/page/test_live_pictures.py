"""The page of a run that goes on: marks, contacts and rays, and what of the field it shows."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from tests.devs_robotics.view.page.chromium import (
    Chromium,
    colour_at,
    modules,
)
from tests.devs_robotics.view.page.played import SCENE, opened
from tests.devs_robotics.view.page.shown import near

pytestmark = pytest.mark.browser

POSES = [(1.0, 1.0, 0.0), (3.0, 2.0, 0.0)]


def test_marks_change_and_looking_back_shows_them_as_they_were(browser: Chromium) -> None:
    black = {"shape": {"shape": "circle", "x": 2.0, "y": 2.4, "radius": 0.3}, "colour": "#000000", "filled": True}

    def look(page: Page) -> list[bool]:
        server = opened(page)
        server.state(1, 1.0, POSES)
        server.send("marks", changes=[[2.0, "zone", black]])
        server.state(2, 3.0, POSES)
        server.send("marks", changes=[[4.0, "zone", None]])
        server.state(3, 5.0, POSES)
        server.shown("view.time === 5 && view.ready")
        found = []
        for time in (5.0, 3.5, 1.5, 2.5):
            page.evaluate("time => view.seek(time)", time)
            found.append(near(colour_at(page, 2.0, 2.4, canvas="field"), (0, 0, 0)))
        return found

    assert browser.use(look) == [False, True, False, True]


def test_of_very_many_changes_of_marks_the_last_are_kept(browser: Chromium) -> None:
    script = """
        const { Scene } = await load("scene.js");
        const scene = new Scene(argument);
        for (let n = 0; n < 50001; n++) {
            scene.mark([n, `mark ${n % 7}`, n % 3 ? { text: `${n}` } : null]);
            if (n % 1000 === 0) scene.marks(n);
        }
        const told = (time) => [...scene.marks(time)[0]].map(([name, { text }]) => [name, text]).sort();
        return [scene.changes.length, told(50000), told(45000.5), told(50000)];
    """
    count, last, before, again = browser.use(lambda page: modules(page, script, msgspec.to_builtins(SCENE)))

    def expected(time: int) -> list[list[str]]:
        newest = [max(n for n in range(time - 6, time + 1) if n % 7 == k) for k in range(7)]
        return sorted([f"mark {n % 7}", str(n)] for n in newest if n % 3)

    assert count <= 20_000
    assert last == again == expected(50_000)
    assert before == expected(45_000)


def test_contacts_are_stars_and_sentences(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, [(1.0, 1.0, 0.0), (1.6, 1.0, 0.0)])
        server.shown("view.time === 1 && view.ready")
        assert colour_at(page, 1.3, 1.0)[3] == 0
        server.send("events", t=1.0, items=[["contact", 1.0, 1, 2]], skipped=0)
        page.locator(".view-messages summary").click()
        server.shown("document.querySelectorAll('.view-strip li').length === 1")
        assert page.locator(".view-strip li").all_inner_texts() == ["1.00 s: robots 1 and 2 touch"]
        drawn = page.evaluate(
            """() => {
                const { view: v, main } = view.viewer.windows.panes[0];
                const events = view.viewer.windows.extras, context = main.getContext("2d");
                view.viewer.draw();
                const pixels = context.getImageData(v.px(1.3) * v.ratio - 12, v.py(1.0) * v.ratio - 12, 24, 24).data;
                return pixels.filter((value, n) => n % 4 === 3 && value > 40).length;
            }"""
        )
        assert drawn > 20

    browser.use(look)


def test_rays_of_one_robot_are_wanted_where_it_is_chosen_and_none_where_they_are_hidden(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        server.state(1, 1.0, POSES)
        server.shown("view.time === 1 && view.ready")
        page.keyboard.press("ArrowDown")
        server.wait(lambda: server.of("want")[-1]["robots"] == [1])
        page.keyboard.press("r")
        server.wait(lambda: server.of("want")[-1]["robots"] == [])
        assert server.of("want")[-1]["events"] is True
        page.keyboard.press("m")
        server.wait(lambda: server.of("want")[-1]["events"] is False)

    browser.use(look)


def test_robots_stay_in_the_picture_until_somebody_chooses_another(browser: Chromium) -> None:
    def look(page: Page) -> list[float]:
        server = opened(page, scene=replace(SCENE, width=20.0, height=15.0))
        found = []

        def show(number: int, x: float) -> None:
            server.state(number, float(number), [(x, 1.0, 0.0), (1.0, 1.2, 0.0)])
            server.shown(f"view.time === {number} && view.ready")
            found.append(page.evaluate("view.viewer.windows.camera.scale"))

        show(1, 1.3)
        show(2, 1.4)
        for number, x in ((3, 1.5), (4, 5.0), (5, 19.0), (6, 1.0)):
            show(number, x)
            left, _ = page.evaluate("x => view.pixel(x, 1.0)", x)
            assert 0 < left < 1000
        page.keyboard.press("+")
        show(7, 0.1)
        return found

    scales = browser.use(look)
    near_by, grown, whole = scales[1], scales[3], scales[4]
    assert scales[0] == near_by > grown > whole
    assert scales[5] == whole
    assert scales[6] == pytest.approx(1.25 * whole)


def test_a_pace_that_cannot_be_chosen_is_shown(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page, hello={"control": ["pace"]})
        status = {"state": "running", "t": 1.0, "late_ms": None, "dropped": 0, "viewers": 1, "reason": ""}
        for pace, shown in ((3.0, "3 ×"), (2.0, "2 ×"), (0.0, "as fast as it can"), (3.0, "3 ×")):
            server.send("status", pace=pace, **status)
            server.shown(f"document.querySelector('.view-runbar select').value === '{pace:g}'")
            chosen = page.get_by_label("Pace of the run").locator("option:checked")
            assert chosen.inner_text() == shown

    browser.use(look)


def test_a_published_value_is_a_line_in_the_plot_of_what_was_measured(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page, scene=replace(SCENE, published={"error (cm)": 2.5}))
        server.state(1, 1.0, POSES)
        series = {"error (cm)": [[0.0, 1.0], [1.0, 1.5]], "other": [[0.0, 1.0], [1.0, 4.0]]}
        server.send("metrics", t=1.0, series=series, marks=[])
        server.shown("document.querySelectorAll('.view-plot canvas').length === 2")
        titles = page.locator(".view-plot figcaption").all_inner_texts()
        assert titles == ["error (cm): 1.5, dashed: published, 2.5", "other: 4"]
        dashed = page.evaluate(
            """() => [...view.viewer.plots.plots.values()].map((plot) => {
                const y = Math.round(plot.py(2.5)), wide = plot.canvas.width - 68;
                const row = plot.context.getImageData(60, y - 1, wide, 3).data;
                const mark = (n) => row[n] > 100 && row[n] < 190 && row[n + 2] < 80 && row[n + 3] > 60;  // #8a6d00
                return Array.from({ length: row.length / 4 }, (_, n) => mark(4 * n)).filter(Boolean).length;
            })"""
        )
        assert dashed[0] > 50
        assert dashed[1] == 0

    browser.use(look)
