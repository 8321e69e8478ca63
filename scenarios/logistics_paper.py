"""The paper on DOTS, made again for the page of all papers."""

from __future__ import annotations

from devs_robotics.experimental_frames.logistics.comparing import compared
from devs_robotics.experimental_frames.papers import PaperResult
from devs_robotics.scenarios import logistics_figures
from devs_robotics.scenarios.papers import PaperWanted
from devs_robotics.scenarios.running.results import prepare

TITLE = "Jones and others, DOTS"

SEEDS = range(1, 21)


def again(wanted: PaperWanted) -> tuple[list[PaperResult], dict[str, str]]:
    """Make figures and tables; returns what is compared, and their page."""
    seeds = SEEDS[:2] if wanted.quick else SEEDS
    prepare(wanted.out)
    runs = logistics_figures.made(seeds, seeds, quick=wanted.quick, show=wanted.show)
    page = logistics_figures.write(wanted.out, runs, seeds, quick=wanted.quick)
    frames = [logistics_figures.numbers_of(found) for found in runs["measured"]]
    return compared(frames, whole=not wanted.quick), {"figures and tables": page.name}
