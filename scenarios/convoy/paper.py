"""Hu & Zeigler, section 4.2, made again for the page of all papers."""

from __future__ import annotations

from collections.abc import Mapping

from devs_robotics.experimental_frames.convoy.paper_figures.comparing import Verdict, compared
from devs_robotics.experimental_frames.papers import PaperResult, PaperVerdict
from devs_robotics.scenarios.convoy import paper_figures
from devs_robotics.scenarios.papers import PaperWanted

TITLE = "Hu & Zeigler, a convoy of robots, figures 8 to 11"

SEEDS, ROUNDS = 3, 40
"""Where it is to be quick."""

WORDS: Mapping[Verdict, PaperVerdict] = {
    "agrees": "agrees",
    "near": "near",
    "not near": "differs",
    "not decided": "undecided",
}


def again(wanted: PaperWanted) -> tuple[list[PaperResult], dict[str, str]]:
    """Make figures and tables; returns what is compared, and their page."""
    made = paper_figures.measured(seeds=SEEDS, rounds=ROUNDS, workers=1) if wanted.quick else paper_figures.measured()
    paper_figures.write(wanted.out, made)
    results = [
        PaperResult(
            f"figure {row.figure}",
            row.what,
            row.published,
            row.ours,
            row.interval,
            WORDS[row.verdict],
            row.sentence,
        )
        for row in compared(made.runs)
    ]
    return results, {"figures 8 to 11": "index.html"}
