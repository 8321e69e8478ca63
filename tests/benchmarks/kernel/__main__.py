"""How fast the simulator is beside its peers: ``python -m tests.benchmarks.kernel`` (under five minutes).

One table from one run: DEVStone and a sparse ring under our simulator, under other Python kernels, and with no kernel
at all; then the targets and what was reached.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.benchmarks.kernel import table, targets
from tests.benchmarks.kernel.measure import Job, Measured, measure
from tests.benchmarks.kernel.notes import notes
from tests.benchmarks.kernel.results import Cells, cell, count
from tests.benchmarks.kernel.work import FLAT, FLOORS, KERNELS, WORK, applies, missing, steps_of


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _options(arguments)
    kernels = [kernel for kernel in options.kernels if not missing(kernel)]
    cells = run(options.models, kernels, options.repeats)
    layout = table.markdown if options.markdown else table.text
    print(layout(table.HEADERS, table.rows_of(cells)))
    reached = targets.rows_of(cells)
    if reached:
        print("\n" + layout(targets.HEADERS, reached, targets.LEFT))
    remarks = notes(kernels, options.repeats)
    remarks += [
        f"{KERNELS[kernel]} is not installed and was left out: pip install -e '.[benchmark]'"
        for kernel in options.kernels
        if missing(kernel)
    ]
    print("\n" + "\n".join(f"- {remark}" for remark in remarks))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    usual = [kernel for kernel in KERNELS if kernel != FLAT]
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.kernel",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--models", nargs="+", choices=WORK, default=list(WORK), metavar="MODEL", help=", ".join(WORK))
    parser.add_argument("--kernels", nargs="+", choices=usual, default=usual, metavar="KERNEL", help=", ".join(usual))
    parser.add_argument("--repeats", type=int, default=3, help="measurements of each (default: 3)")
    parser.add_argument("--flatten", action="store_true", help="xdevs' flattening of HI as well (three minutes more)")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error("--repeats has to be at least 1")
    if options.flatten:
        options.kernels = [*options.kernels, FLAT]
    return options


def run(models: list[str], kernels: list[str], repeats: int) -> Cells:
    """Measure each model under each kernel that can run it, taking turns."""
    pairs = [(work, kernel) for work in models for kernel in kernels if applies(kernel, WORK[work])]
    per_step = {}
    for work in dict.fromkeys(work for work, _ in pairs):
        _progress(f"counting transitions: {work}")
        counted = [kernel for name, kernel in pairs if name == work and kernel not in FLOORS.values()]
        per_step[work] = count(work, counted or ["ours"])  # a floor repeats a run of ours
    runs: dict[tuple[str, str], list[Measured]] = {pair: [] for pair in pairs}
    for repeat in range(repeats):
        for work, kernel in pairs:
            _progress(f"repeat {repeat + 1} of {repeats}: {work}, {KERNELS[kernel]}")
            if kernel != FLAT or repeat == 0:
                runs[work, kernel].append(measure(Job(WORK[work], kernel, steps_of(WORK[work], kernel))))
    _progress("")
    return {
        (work, kernel): cell(measured, round(per_step[work] * (steps_of(WORK[work], kernel) or 1)))
        for (work, kernel), measured in runs.items()
    }


def _progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{what:<60}", end="\r" if not what else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
