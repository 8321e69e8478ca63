"""The page of a replay, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from devs_robotics.view.html import replay_html
from tests.devs_robotics.view.page.chromium import READY, Chromium, open_html
from tests.devs_robotics.view.page.shown import REPLAY


@pytest.fixture
def shown(browser: Chromium, tmp_path: Path) -> Any:
    """Calls a function with the page of the replay, in one window unless it says otherwise."""

    def show(task: Any, mode: str = "one", **more: Any) -> Any:
        def look(page: Page) -> Any:
            open_html(page, replay_html(REPLAY), tmp_path)
            page.evaluate("mode => view.viewer.setMode(mode)", mode)
            page.evaluate(READY)
            return task(page)

        return browser.use(look, **more)

    return show
