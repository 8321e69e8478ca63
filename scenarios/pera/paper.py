"""Karunarathna et al. (2023), made again for the page of all papers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from devs_robotics.experimental_frames.papers import PaperResult, PaperVerdict
from devs_robotics.experimental_frames.pera.judging import Verdict, judged
from devs_robotics.experimental_frames.pera.results import Results
from devs_robotics.scenarios.paper_experiments import Experimenting
from devs_robotics.scenarios.papers import PaperWanted
from devs_robotics.scenarios.pera import experiments

TITLE = "Karunarathna et al., mixed reality, experiments 1 to 4"

WORDS: Mapping[Verdict, PaperVerdict] = {"holds": "agrees", "does not hold": "differs", "not decided": "undecided"}


def again(wanted: PaperWanted) -> tuple[list[PaperResult], dict[str, str]]:
    """Make the experiments; returns what is compared, and their page."""
    page = experiments.run(Experimenting(experiments.NUMBERS, wanted.out, wanted.quick), wanted.show)
    found = msgspec.json.decode((wanted.out / "results.json").read_bytes(), type=Results)
    return results(found), {"experiments": page.name}


def results(found: Results) -> list[PaperResult]:
    """What is compared; intervals stand with the numbers, of which a statement has several."""
    return [
        PaperResult(
            f"experiment {row.experiment}",
            row.what,
            row.published,
            row.ours,
            "",
            WORDS[row.verdict],
            row.note,
        )
        for row in judged(found)
    ]
