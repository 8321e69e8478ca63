"""The window of the camera: what it sees, with virtual robots where they would stand, beside the map."""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import numpy as np
import pytest
from playwright.sync_api import Page

from devs_robotics.core.robots.overhead_picture import OverheadPicture
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.sharing import shared
from devs_robotics.hil.testing.camera_accuracy import HEIGHT, WIDTH
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.server.camera_window import packed_picture
from devs_robotics.view.states import numbered
from tests.devs_robotics.view.page.chromium import Chromium, Theme, axe, modules
from tests.devs_robotics.view.page.played import Server, opened
from tests.hil.camera.overhead import BENT, PLACES, PLAN, view

pytestmark = pytest.mark.browser

VIRTUAL = (0.4, 1.2, 0.0)
SCENE = Scene(
    title="A laboratory",
    stage="loop",
    width=WIDTH,
    height=HEIGHT,
    bodies=(
        SceneBody(0, 9, "robot 9", "virtual", 0.06, 0.5, 2.0),
        *(SceneBody(slot, slot, f"robot {slot}", "counterpart", 0.06, 0.5, 2.0) for slot in (1, 2, 3)),
        *(SceneBody(3 + robot, robot, f"robot {robot}, real", "real", 0.06) for robot in (1, 2, 3)),
    ),
)


def places(virtual: tuple[float, float, float] = VIRTUAL) -> list[tuple[float, float, float]]:
    return [virtual, *(PLACES[robot] for robot in (1, 2, 3)), *(PLACES[robot] for robot in (1, 2, 3))]


@pytest.fixture(scope="module")
def picture() -> OverheadPicture:
    """Of three robots on the floor, as a camera with a bent lens shares it."""
    localiser = Localiser(PLAN, BENT)
    image = view(BENT).picture(PLACES)
    localiser.look(image)
    return shared(image, 0.0, localiser)


def beside_the_map(page: Page) -> Server:
    server = opened(page, hello={"camera": True}, scene=SCENE)
    server.state(1, 1.0, places())
    server.shown("view.time === 1")
    assert server.of("want")[-1]["pictures"] is False
    page.get_by_label("Windows").select_option("camera")
    server.wait(lambda: server.of("want")[-1]["pictures"] is True)
    return server


def send(server: Server, picture: OverheadPicture, time: float, number: int = 7) -> None:
    server.links[-1].send(numbered(packed_picture(picture, time), number))


COLOURS = """([x, y, z]) => {
    const { eye } = view.viewer.windows, at = eye.pixel(x, y, z).map(Math.round);
    return Array.from(eye.canvas.getContext("2d").getImageData(...at, 1, 1).data);
}"""


def test_virtual_robots_stand_in_the_picture_where_they_were_when_it_was_taken(
    browser: Chromium, picture: OverheadPicture
) -> None:
    def look(page: Page) -> None:
        server = beside_the_map(page)
        server.state(2, 2.0, places((0.9, 1.2, 0.0)))
        server.shown("view.time === 2")
        send(server, picture, 1.0)
        server.wait(lambda: {"type": "seen", "seq": 7} in server.heard)
        server.shown("view.viewer.windows.eye.shown && view.ready")
        page.evaluate("view.viewer.draw()")
        seen = {place: page.evaluate(COLOURS, [*place, PLAN.height]) for place in ((0.37, 1.2), (0.87, 1.2))}
        red, _, blue, _ = seen[0.37, 1.2]
        assert blue > red + 40  # the virtual robot's colour over the floor
        red, _, blue, _ = seen[0.87, 1.2]
        assert abs(blue - red) < 20  # there it is only later: the floor
        x, y, _ = PLACES[1]
        red, green, blue, _ = page.evaluate(COLOURS, [x - 0.02, y + 0.02, PLAN.height])
        assert max(red, green, blue) - min(red, green, blue) < 30  # the real robot is seen as it is
        assert page.get_by_text("Camera", exact=True).count() == 1
        assert page.evaluate("document.querySelectorAll('.view-canvases').length") == 1  # and the map beside it

    browser.use(look, width=1280)


def test_places_are_seen_where_opencv_says(browser: Chromium, picture: OverheadPicture) -> None:
    points = np.array([[0.2, 0.3, 0.0], [0.9, 1.0, 0.1], [1.5, 1.6, 0.1], [1.7, 0.1, 0.3]])
    script = """
        const { picture, seenAt } = await load("camera.js");
        const { lens, width, height } = picture(Uint8Array.from(argument.bytes).buffer);
        return [argument.points.map((point) => seenAt(lens, ...point)), seenAt(lens, 0.9, 1, 9), width, height];
    """
    argument = {"bytes": list(packed_picture(picture, 1.0)), "points": points.tolist()}
    found, behind, width, height = browser.use(lambda page: modules(page, script, argument))
    assert np.abs(np.array(found) - view(BENT).pixels(points)).max() < 1.0
    assert (behind, width, height) == (None, 640, 480)


def test_a_picture_says_what_is_not_known_and_one_that_is_none_changes_nothing(
    browser: Chromium, picture: OverheadPicture
) -> None:
    def look(page: Page) -> None:
        server = beside_the_map(page)
        page.get_by_text("Camera: no picture yet", exact=True).wait_for()
        send(server, msgspec.structs.replace(picture, calibration=None), 1.0, 3)
        page.get_by_text("Camera; nobody knows where the camera is", exact=True).wait_for()
        send(server, msgspec.structs.replace(picture, jpeg=b"\xff\xd8 and no more"), 1.0, 4)
        server.shown("view.viewer.windows.eye.counters.spoilt === 1")
        assert page.evaluate("view.viewer.windows.eye.shown.seq") == 3
        server.links[-1].send(struct.pack("<BBHI", 3, 0, 9, 5) + bytes(300))  # of a later version
        server.shown("view.link.counters.unknown === 1")
        page.keyboard.press(" ")
        send(server, picture, 1.0, 6)
        server.wait(lambda: {"type": "seen", "seq": 6} in server.heard)
        assert page.evaluate("view.viewer.windows.eye.shown.seq") == 3  # frozen
        page.keyboard.press("End")
        server.state(2, 9.0, places())
        send(server, picture, 1.0, 8)
        page.get_by_text("Camera, 8 s before the map", exact=True).wait_for()

    browser.use(look)


@pytest.mark.parametrize(("width", "theme"), [(1280, "dark"), (360, "light")])
def test_it_has_room_everywhere_and_axe_finds_nothing_serious(
    browser: Chromium, picture: OverheadPicture, width: int, theme: Theme
) -> None:
    def look(page: Page) -> Any:
        server = beside_the_map(page)
        send(server, picture, 1.0)
        server.shown("view.viewer.windows.eye.shown && view.ready")
        page.evaluate("view.viewer.draw()")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        return page.evaluate(
            """[view.viewer.windows.eye.canvas, view.viewer.windows.panes[0].main].map((canvas) => {
                const { left, top, right, bottom } = canvas.getBoundingClientRect();
                return [left, top, right, bottom];
            })"""
        )

    camera, field = browser.use(look, width=width, theme=theme, bypass_csp=True)
    if width > 640:
        assert camera[2] <= field[0]  # beside it
    else:
        assert camera[3] <= field[1]  # above it
    assert camera[2] - camera[0] > 200


def test_without_a_camera_there_is_no_such_window(browser: Chromium) -> None:
    def look(page: Page) -> list[str]:
        opened(page, scene=SCENE)
        found: list[str] = page.get_by_label("Windows").locator("option").all_inner_texts()
        return found

    assert not any("camera" in name for name in browser.use(look))
