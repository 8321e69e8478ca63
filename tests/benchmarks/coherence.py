"""How often the verdict on coherence is right: ``python -m tests.benchmarks.coherence`` (about half a minute).

With ``--convoys 10 20 30 40`` it prints the verdicts on 240 runs of the shipped scenario (about ten minutes).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from devs_robotics.experimental_frames.coherence import Verdict, coherence
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS
from devs_robotics.experimental_frames.statistics.series import Array
from devs_robotics.scenarios.convoy.run_row import formation_coherence
from devs_robotics.scenarios.convoy.runs import load, run
from tests.experimental_frames.coherence import synthetic

RUNS = 1000
SEED = 1
SEEDS = 10
VERDICTS: tuple[Verdict, ...] = ("coherent", "not", "undecided")

NEAR = synthetic.MARGIN - 1.0364 * synthetic.DEVIATION
"""Mean of normal errors of which 15 % are beyond the margin."""

CASES: dict[str, Callable[[Generator], Array]] = {
    "bounded, independent": lambda draw: synthetic.bounded(draw, 0.0),
    "bounded, rho = 0.8": synthetic.bounded,
    "bounded, rho = 0.9": lambda draw: synthetic.bounded(draw, 0.9),
    "bounded after a transient from 0, e-folding in 8 rounds": synthetic.transient,
    "bursting: in one round of fifty by 5 cm on average, back in some rounds": synthetic.bursting,
    "rising evenly by 8 cm, all of the margin": synthetic.drifting,
    "rising evenly by 4 cm": lambda draw: synthetic.drifting(draw, 0.04),
    "rising as the root of time, by 8 cm": synthetic.slowing,
    "one step of 4 cm after a fifth of the run": lambda draw: synthetic.stepping(draw, 0.2),
    "one step of 4 cm after four fifths": lambda draw: synthetic.stepping(draw, 0.8),
    "a random walk": synthetic.wandering,
    "bounded at 20 cm, beyond the margin": lambda draw: synthetic.bounded(draw, mean=0.2),
    "bounded near the margin, beyond it for 15 % of the time": lambda draw: synthetic.bounded(draw, mean=NEAR),
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


def series_table() -> None:
    """Print the table of series: the transient cut by MSER-5 / after 20 rounds."""
    print("| series | coherent | not | undecided |\n|---|---|---|---|")
    for name, make in CASES.items():
        by_mser, known = (shares(make, RUNS, cut) for cut in (None, 20))
        cells = [
            f"{100.0 * by_mser.get(verdict, 0.0):.1f} / {100.0 * known.get(verdict, 0.0):.1f}" for verdict in VERDICTS
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def convoy_table(sizes: Sequence[int]) -> None:
    """Print the table of convoys, coherent / not / undecided, and how many of those that are not have lost a robot."""
    print(f"| | {' | '.join(f'N = {size}' for size in sizes)} |\n|---|{'---|' * len(sizes)}")
    broken: Counter[bool] = Counter()
    for correction in ([], ["follower.correction=0"]):
        for number, (dnf, anf) in enumerate(NOISE_SETS, start=1):
            cells = []
            for size in sizes:
                found: Counter[Verdict] = Counter()
                for seed in range(1, SEEDS + 1):
                    settings = [f"noise.dnf={dnf}", f"noise.anf={anf}", f"convoy.robots={size}", f"run.seed={seed}"]
                    done = run(load("convoy", [*settings, "frame.transient_rounds=20", *correction]))
                    verdict = formation_coherence(done).verdict
                    found[verdict] += 1
                    if verdict == "not":
                        broken[bool(done.robots_lost)] += 1
                cells.append(" / ".join(str(found[verdict]) for verdict in VERDICTS))
            print(
                f"| set {number}{', follower.correction=0' if correction else ''} | {' | '.join(cells)} |", flush=True
            )
    print(f"{broken.total()} are not coherent, of which {broken[True]} lost a robot")


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--convoys", type=int, nargs="+", metavar="N", help="runs of convoys of N robots instead")
    options = parser.parse_args()
    if options.convoys:
        convoy_table(options.convoys)
    else:
        series_table()


if __name__ == "__main__":
    main()
