"""Values over time under the picture."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.devs_robotics.view.page.chromium import Chromium, modules
from tests.devs_robotics.view.page.played import opened

pytestmark = pytest.mark.browser

POSES = [(1.0, 1.0, 0.0), (3.0, 2.0, 0.0)]


def test_a_plot_tells_the_value_that_holds_and_a_click_goes_to_its_time(browser: Chromium) -> None:
    def look(page: Page) -> None:
        server = opened(page)
        for number in range(9):
            server.state(number, float(number), POSES)
        server.send("metrics", t=1.0, series={"share (%)": [[0.0, 1.0], [4.0, 20.0]]}, marks={})
        plot = page.get_by_role("img", name="share (%) over time (s)")
        plot.wait_for()
        server.shown("view.time === 8")
        page.get_by_text("share (%): 20", exact=True).wait_for()
        x, width = page.evaluate("{ const [plot] = view.viewer.plots.plots.values(); [plot.px(2), plot.canvas.width] }")
        page.keyboard.press(" ")  # else it plays on from there
        plot.click(position={"x": x, "y": 40})
        server.shown("Math.abs(view.time - 2) < 0.02")
        page.get_by_text("share (%): 1", exact=True).wait_for()
        steps = page.evaluate(
            """() => {
                const [plot] = view.viewer.plots.plots.values(), blue = (time, value) => {
                    const at = [plot.px(time), plot.py(value)].map(Math.round);
                    const [red, , colour, seen] = plot.context.getImageData(at[0] - 1, at[1] - 1, 3, 3).data.slice(16);
                    return seen > 100 && colour > red + 80;
                };
                return [blue(3, 1), blue(3, 20), blue(6, 20), blue(6, 1)];
            }"""
        )
        assert steps == [True, False, True, False]  # a step, no slope
        assert width > 300

    browser.use(look)


def test_a_long_series_keeps_its_extremes_in_few_pixels(browser: Chromium) -> None:
    script = """
        const { Plots } = await load("plots.js"), colour = {};
        const root = document.body, source = { live: false, begin: 0, end: 15000 };
        const viewer = { root, source, scene: { published: {} }, listeners: new Set(), time: 0 };
        const plots = new Plots(viewer);
        root.append(plots.element);
        const values = Array.from({ length: 15000 }, (_, n) => [n, n === 7000 ? 100 : n === 9000 ? -100 : n % 3]);
        plots.take({ "peaks (m)": values });
        const [plot] = plots.plots.values(), lines = [], to = plot.context.lineTo.bind(plot.context);
        plot.context.lineTo = (x, y) => lines.push(y) && to(x, y);
        plots.draw();
        const extremes = [100, -100].map((value) => lines.includes(plot.py(value)));
        return [lines.length, ...extremes, plot.valueAt(7000.5), Number.isNaN(plot.valueAt(-1))];
    """
    count, highest, lowest, value, before = browser.use(lambda page: modules(page, script))
    assert count < 4 * 1000
    assert (highest, lowest, value, before) == (True, True, 100, True)
