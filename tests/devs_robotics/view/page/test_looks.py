"""How the page looks: to axe-core, in light and dark, on paper, and to fingers."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from playwright.sync_api import Page

from devs_robotics.view.html import replay_html
from devs_robotics.view.scene import Disc, Mark, Outline, Polyline
from tests.devs_robotics.view.page.chromium import READY, Chromium, Theme, axe, colour_at, modules, open_html
from tests.devs_robotics.view.page.shown import INKS, REPLAY, SCENE, at, near

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("theme", "width"), [("light", 1000), ("dark", 1000), ("light", 360)])
def test_axe_finds_nothing_serious(shown: Any, theme: Theme, width: int) -> None:
    def look(page: Page) -> None:
        page.locator(".view-robots summary").click()
        page.locator(".view-help summary").click()
        page.evaluate("view.viewer.choose(0)")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width  # no sideways scrolling

    # axe-core is put in by the test, past the page's policy
    shown(look, "two", theme=theme, width=width, bypass_csp=True)


def test_colours_follow_the_theme_while_it_is_open(shown: Any) -> None:
    def look(page: Page) -> None:
        at(page, 0.0)
        page.emulate_media(color_scheme="dark")
        page.evaluate(READY)
        page.wait_for_timeout(50)
        assert near(colour_at(page, 1.2, 1.0), (86, 180, 233))

    shown(look)


def test_on_paper_everything_is_light_and_nothing_is_out_of_shape(shown: Any) -> None:
    def look(page: Page) -> None:
        at(page, 0.0)
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert near(colour_at(page, 1.2, 1.0), INKS["virtual"])
        page.set_viewport_size({"width": 700, "height": 900})  # a sheet is narrower than the screen was
        wide, high, across, down = page.evaluate(
            """(main => [main.getBoundingClientRect(), main].flatMap(({ width, height }) => [width, height]))
            (view.viewer.windows.panes[0].main)"""
        )
        assert wide <= 700
        assert wide / high == pytest.approx(across / down, rel=0.01)
        page.emulate_media(media="screen", color_scheme="dark")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert near(colour_at(page, 1.2, 1.0), (86, 180, 233))

    shown(look, theme="dark", width=1280)


@pytest.mark.parametrize(("theme", "mode"), [("light", "one"), ("dark", "overlay"), ("light", "two")])
def test_a_printed_page_has_the_field_with_all_that_stands_in_it(shown: Any, theme: Theme, mode: str) -> None:
    """In Chromium's PDF a canvas is its drawing: what is filled with which colour can be read."""

    def look(page: Page) -> bytes:
        for _ in range(3):  # frames in which a canvas is put on the screen: the browser keeps pixels alone from then on
            page.evaluate("new Promise((on) => requestAnimationFrame(() => setTimeout(on, 50)))")
        pdf: bytes = page.pdf(print_background=True)
        return pdf

    drawn = printed(shown(look, mode, theme=theme))
    for colour in ("#e9ecef", "#52606d", "#c3cad2", "#0072b2"):  # grid, walls, obstacles, a robot
        assert colour in drawn, colour


def printed(pdf: bytes) -> set[str]:
    """Colours that the first page of a PDF of Chromium fills areas with, or draws lines in."""
    (number,) = re.findall(rb"/Contents (\d+) 0 R", pdf)[:1]
    head = re.search(rb"\n%s 0 obj.*?stream\r?\n" % number, pdf, re.S)
    assert head is not None
    content = zlib.decompressobj().decompress(pdf[head.end() :])
    found = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", content)
    return {"#" + "".join(f"{round(255 * float(part)):02x}" for part in parts) for parts in found}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_floor_is_seen_as_sensors_see_it_in_light_and_dark(browser: Chromium, tmp_path: Path, theme: Theme) -> None:
    marks = {
        "floor 0": Mark(Outline(((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0))), "", "#ffffff", filled=True),
        "floor 1": Mark(Polyline(((0.0, 0.3), (4.0, 0.3)), 0.2), "", "#000000"),
        "floor 2": Mark(Disc(2.3, 2.3, 0.3), "", "#000000", filled=True),
    }

    def look(page: Page) -> list[list[int]]:
        open_html(page, replay_html(structs.replace(REPLAY, scene=structs.replace(SCENE, marks=marks))), tmp_path)
        found: list[list[int]] = page.evaluate(
            """Array.from([[0.7, 0.8], [0.7, 0.3], [2.3, 2.3]], ([x, y]) => {
                const { view: v, field } = view.viewer.windows.panes[0];
                const at = [v.px(x), v.py(y)].map((place) => Math.round(place * v.ratio));
                return Array.from(field.getContext("2d").getImageData(...at, 1, 1).data.slice(0, 3));
            })"""
        )
        return found

    assert browser.use(look, theme=theme) == [[255, 255, 255], [0, 0, 0], [0, 0, 0]]


def test_words_cover_no_others_and_stay_in_the_window(browser: Chromium) -> None:
    script = """
        const { Labels } = await load("labels.js"), { Camera, View } = await load("draw.js");
        const view = Object.assign(new View(new Camera()), { width: 300, height: 200 });
        const labels = new Labels(view, { paper: "#fff", ink: "#000" });
        const context = document.createElement("canvas").getContext("2d");
        for (const [x, y, first] of argument) labels.put(context, "25 %", x, y, 10, first);
        return labels.taken;
    """
    near_each_other = [[150.0 + 12 * number, 100.0, side] for number in range(3) for side in ("above", "right")]
    corners = [[x, y, "right"] for x in (2.0, 298.0) for y in (2.0, 198.0)]
    boxes = browser.use(lambda page: modules(page, script, near_each_other + corners + [[-5.0, 50.0, "right"]]))
    assert 8 <= len(boxes) < len(near_each_other + corners) + 1  # all corners, and as many of a crowd as there is room
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= 300
        assert 0 <= top < bottom <= 200
    assert boxes[0][3] <= 100.0 - 10.0  # above its thing, and not on it
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_numbers_of_robots_cover_no_other_robots(browser: Chromium) -> None:
    """Two side by side: the number of the left one is above it, and not on the right one."""
    script = """
        const { Labels } = await load("labels.js"), { Camera, drawLabels, View } = await load("draw.js");
        const camera = Object.assign(new Camera(), { x: 1.5, y: 1, scale: 100 });
        const view = Object.assign(new View(camera), { width: 300, height: 200 });
        const labels = new Labels(view, { paper: "#fff", ink: "#000" });
        const bodies = [1, 2].map((robot) => ({ robot, radius: 0.2 }));
        const poses = { x: [1, 1.42], y: [1, 1], flags: [1, 1] };
        const context = document.createElement("canvas").getContext("2d");
        drawLabels(context, view, [{ kind: "virtual", slots: [0, 1] }], { bodies }, poses, labels);
        return labels.taken;
    """
    one, other, left, right = browser.use(lambda page: modules(page, script))
    assert one == pytest.approx([80.0, 80.0, 120.0, 120.0])
    assert other == pytest.approx([122.0, 80.0, 162.0, 120.0])
    assert left[2] <= one[0] or left[3] <= one[1]
    assert right[0] >= other[2]


def test_targets_are_large_enough_for_fingers(shown: Any) -> None:
    def look(page: Page) -> list[list[float]]:
        found: list[list[float]] = page.evaluate(
            """Array.from(document.querySelectorAll(
                ".view button, .view select, .view input[type=range], .view summary, .view label:has([type=checkbox])"))
            .map((each) => each.getBoundingClientRect()).filter((box) => box.width)
            .map((box) => [box.width, box.height])"""
        )
        return found

    sizes = shown(look, width=390, has_touch=True, is_mobile=True)
    assert sizes
    assert all(height >= 44 for _, height in sizes)
