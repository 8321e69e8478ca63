"""Where robots are real, a replay shows by how much the model and the robot differ at rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.view.html import replay_html
from devs_robotics.view.replay import Replay
from devs_robotics.view.timeline import HEADING, SLOT, TimelineWriter, X, heads
from tests.devs_robotics.view.page.chromium import READY, Chromium, open_html

PERFECT = ("run.rounds=3", "stand_in.perfect=true", "tracking.noise=0")


def seen_elsewhere(replay: Replay, offset: float) -> Replay:
    """The same with a tracking system that sees all real robots by so much beside where they are (m)."""
    real = {body.slot for body in replay.scene.bodies if body.kind == "real"}
    first, rows = next(replay.timeline.rows()), replay.timeline.history()
    writer = TimelineWriter([(x, y, a) for x, y, a in first[: heads(first), X : HEADING + 1]], replay.timeline.begin)
    rows = rows[heads(rows) :].copy()
    rows[np.isin(rows[:, SLOT], list(real)), X] += offset
    writer.write(rows, replay.timeline.end)
    return replace(replay, timeline=writer.timeline())


@pytest.mark.browser
def test_perfect_robots_are_where_their_counterparts_are_and_an_offset_of_their_fixes_is_seen(
    browser: Chromium, tmp_path: Path
) -> None:
    outcome = run(resolve(load("convoy_in_the_loop", PERFECT)), Means(stage="loop", lab="inside"), Hooks(replay=True))
    assert outcome.replay is not None
    replay = outcome.replay

    def errors(page: Page, offset: float) -> list[float]:
        open_html(page, replay_html(seen_elsewhere(replay, offset)), tmp_path)
        page.evaluate("view.viewer.setMode('overlay')")
        page.evaluate(READY)
        found: list[float] = page.evaluate(
            """() => {
                const { viewer } = view, { begin, end } = viewer.source, found = [];
                for (let n = 0; n <= 200; n++) {
                    view.seek(begin + (n / 200) * (end - begin));
                    for (const real of viewer.scene.pairs.keys()) found.push(viewer.error(real)?.[0] ?? NaN);
                }
                return found.filter(Number.isFinite);
            }"""
        )
        return found

    for offset in (0.0, 0.02):
        found = browser.use(lambda page, offset=offset: errors(page, offset))  # type: ignore[misc]
        assert len(found) > 20
        assert found == pytest.approx([offset] * len(found), abs=3e-4)  # places are rounded to 0.1 mm
