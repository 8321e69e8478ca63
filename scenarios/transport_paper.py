"""Pansuriya's report on swarm transportation, made again for the page of all papers."""

from __future__ import annotations

from devs_robotics.experimental_frames.papers import PaperResult
from devs_robotics.experimental_frames.transport.comparing import compared
from devs_robotics.experimental_frames.transport.published import MODES
from devs_robotics.scenarios import transport_figures
from devs_robotics.scenarios.papers import PaperWanted

TITLE = "Pansuriya, swarm transportation"

SEEDS = range(1, 11)


def again(wanted: PaperWanted) -> tuple[list[PaperResult], dict[str, str]]:
    """Make figures and tables; returns what is compared, and their page."""
    seeds = SEEDS[:3] if wanted.quick else SEEDS
    runs = transport_figures.measured(seeds, quick=wanted.quick, show=wanted.show)
    page = transport_figures.write(wanted.out, runs, seeds, quick=wanted.quick)
    items = runs[MODES[0]][0].scenario.transport.items  # type: ignore[attr-defined]
    frames = {mode: [found.frames for found in runs[mode]] for mode in MODES}
    return compared(frames, items), {"figures, tables and the encounter law": page.name}
