"""How fast the page draws: ``python -m tests.benchmarks.viewing`` (half a minute).

So many robots drive on arcs, with tracks of 10 s, in a headless Chromium without a GPU: frames per second in the median
and on the average, the 95 % percentile of the gaps between frames, and the time of the page's own script per frame.
"""

from __future__ import annotations

import argparse
import shutil
from math import cos, sin
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Page

from devs_robotics.view.html import replay_html
from devs_robotics.view.replay import Replay
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.timeline import TimelineWriter
from tests.devs_robotics.view.page.chromium import Chromium, open_html

SIZE = 20.0
"""Of the field (m)."""
LASTS = 60.0
"""Of the replay (s)."""

PLAY = """async (seconds) => {
    const { viewer } = view, draw = viewer.draw.bind(viewer), script = [], gaps = [];
    viewer.windows.setReach(10);
    viewer.speed = 1;
    viewer.seek(15);
    viewer.draw = () => {
        const begin = performance.now();
        draw();
        script.push(performance.now() - begin);
    };
    viewer.play(true);
    const begin = performance.now();
    for (let last = begin; last - begin < 1000 * seconds; ) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        gaps.push(now - last);
        last = now;
    }
    viewer.play(false);
    viewer.draw = draw;
    return [gaps.slice(5), script.slice(5)];
}"""


def crowd(count: int) -> Replay:
    """Robots that drive on one arc after the other, each for a second or so."""
    random = np.random.default_rng(1)
    poses = np.column_stack((random.uniform(1, SIZE - 1, (count, 2)), random.uniform(-3, 3, count)))
    rows: list[tuple[float, ...]] = []
    for slot, pose in enumerate(poses.tolist()):
        x, y, heading = pose
        time = random.uniform(0.0, 1.0)
        while time < LASTS:
            speed, rate, lasts = random.uniform(0.1, 0.3), random.uniform(-0.5, 0.5), random.uniform(0.5, 2.0)
            rows.append((time, slot, x, y, heading, speed, rate))
            middle, heading = heading + 0.5 * rate * lasts, heading + rate * lasts
            x, y = x + speed * lasts * cos(middle), y + speed * lasts * sin(middle)
            time += lasts
    writer = TimelineWriter(poses.tolist())
    writer.write(np.array(sorted(rows)), LASTS)
    bodies = tuple(SceneBody(slot, slot + 1, f"robot {slot + 1}", radius=0.07) for slot in range(count))
    return Replay(scene=Scene(title="A crowd", width=SIZE, height=SIZE, bodies=bodies), timeline=writer.timeline())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robots", type=int, nargs="*", default=[1000, 3000])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    options = parser.parse_args()
    browser = Chromium(shutil.which("chromium") or "chromium")
    for count in options.robots:
        page = replay_html(crowd(count))

        def look(tab: Page, page: str = page) -> Any:
            with TemporaryDirectory() as folder:
                open_html(tab, page, Path(folder))
                return tab.evaluate(PLAY, options.seconds)

        gaps, script = browser.use(look, width=1280, height=800)
        print(
            f"{count} robots: {1e3 / median(gaps):.1f} frames/s (mean {1e3 / mean(gaps):.1f}), 95 % of the gaps below "
            f"{quantiles(gaps, n=20)[-1]:.1f} ms, script {median(script):.2f} ms per frame (95 % below "
            f"{quantiles(script, n=20)[-1]:.2f} ms)"
        )
    browser.close()


if __name__ == "__main__":
    main()
