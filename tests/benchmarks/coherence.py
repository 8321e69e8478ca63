"""How often the verdict on coherence is right: ``python -m tests.benchmarks.coherence`` (about a minute)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from experimental_frames.coherence import Verdict, coherence
from experimental_frames.statistics.series import Array
from tests.experimental_frames.coherence import synthetic

RUNS = 1000
SEED = 1

CASES: dict[str, Callable[[Generator], Array]] = {
    "bounded, independent": lambda draw: synthetic.bounded(draw, 0.0),
    "bounded, AR(1) of 0.8": synthetic.bounded,
    "bounded, AR(1) of 0.9": lambda draw: synthetic.bounded(draw, 0.9),
    "bounded after a transient": synthetic.transient,
    "bursting": synthetic.bursting,
    "rising by 8 cm, all of the margin": synthetic.drifting,
    "rising by 4 cm": lambda draw: synthetic.drifting(draw, 0.04),
    "rising as the root of time, by 8 cm": synthetic.slowing,
    "a step of 4 cm after a fifth": lambda draw: synthetic.stepping(draw, 0.2),
    "a step of 4 cm after four fifths": lambda draw: synthetic.stepping(draw, 0.8),
    "a random walk": synthetic.wandering,
    "bounded at 20 cm, beyond the margin": lambda draw: synthetic.bounded(draw, mean=0.2),
    "bounded, 60 rounds only": lambda draw: synthetic.bounded(draw, rounds=60),
    "bounded, 30 rounds only": lambda draw: synthetic.bounded(draw, rounds=30),
}


def shares(make: Callable[[Generator], Array], runs: int, cut: int | None) -> dict[Verdict, float]:
    """Of each verdict, in so many runs of a kind."""
    draw = np.random.default_rng(SEED)
    found: Counter[Verdict] = Counter()
    for _ in range(runs):
        errors = make(draw)
        found[coherence(range(errors.size), errors, (), synthetic.MARGIN, transient=cut).verdict] += 1
    return {verdict: count / runs for verdict, count in found.items()}


def main() -> None:
    """Print the table."""
    print("| series | cut | coherent | not | undecided |\n|---|---|---|---|---|")
    for name, make in CASES.items():
        for cut in (None, 20):
            found = shares(make, RUNS, cut)
            cells = [f"{100.0 * found.get(verdict, 0.0):.1f}" for verdict in ("coherent", "not", "undecided")]
            print(f"| {name} | {'MSER-5' if cut is None else cut} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
