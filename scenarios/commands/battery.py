"""``devs-robotics battery``: fits discharge models to measurements, and shows discharge curves."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.commands.arguments import add_summary, add_verbose
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import RAN

if TYPE_CHECKING:
    from devs_robotics.models.batteries import Coefficients
    from devs_robotics.models.batteries.fitting import BatteryFit
    from devs_robotics.models.batteries.measured import Measured

SUMMARY = "fit discharge models of a battery to measurements, or show discharge curves"

COEFFICIENTS, ERRORS = "battery.json", "errors.csv"
"""What a fit writes."""

LEVELS = (0.75, 0.5, 0.25)
"""Charges whose times are shown."""

DEFINITION = (
    "mean square errors: sum (Y - Y')^2 / n per speed, averaged over the speeds; Y is measured, Y' what a model says "
    "from full charge on; the published ones are of other measurements"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    actions = parser.add_subparsers(title="what to do", dest="action", required=True, metavar="ACTION")
    fit = actions.add_parser(
        "fit", help=(says := "fit the four discharge models to measurements"), description=f"{says.capitalize()}."
    )
    fit.add_argument(
        "data", metavar="FILE", type=Path, help="CSV file with the columns speed (cm/s), time (s) and charge (1 to 0)"
    )
    fit.add_argument(
        "--out", metavar="DIR", type=Path, help=f"folder for {COEFFICIENTS}, of which batteries are made, and {ERRORS}"
    )
    curves = actions.add_parser("curves", help=(says := "show discharge curves"), description=f"{says.capitalize()}.")
    curves.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        help=f"a {COEFFICIENTS} (default: what ships, which is illustrative)",
    )
    for action in (fit, curves):
        add_summary(action)
        add_verbose(action, inner=True)
        action.set_defaults(parser=action)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Fit, or show; returns the exit status."""
    found = _fit(options.data, options.out, show) if options.action == "fit" else _show_curves(options.file, show)
    if options.json:
        show_json(found)
    return RAN


def _fit(data: Path, out: Path | None, show: Callable[[str], None]) -> dict[str, Any]:
    from devs_robotics.models.batteries.coefficients import coefficients_text
    from devs_robotics.models.batteries.fitting import fit
    from devs_robotics.models.batteries.measured import read_measured
    from devs_robotics.scenarios.running.results import prepare, write_texts

    measured = read_measured(data)
    found = fit(measured, str(data))
    if out is not None:
        prepare(out)
    show(f"{data}: {sum(map(len, measured.values()))} rows, {len(measured)} speeds")
    show("\n".join(_errors_table(measured, found)))
    show(DEFINITION)
    for warning in found.warnings:
        show(f"warning: {warning}")
    told = {
        "speeds_cm": [curve.speed_cm for curve in found.coefficients.curves],
        "mean_square_errors": {name: list(errors) for name, errors in found.errors.items()},
        "averages": dict(found.averages),
        "warnings": list(found.warnings),
    }
    if out is None:
        show("write the coefficients by --out DIR")
        return told
    paths = write_texts(
        out, {COEFFICIENTS: lambda: coefficients_text(found.coefficients), ERRORS: lambda: _errors_csv(found)}
    )
    show(f"coefficients: {paths[0]}")
    show(f"errors: {paths[1]}")
    return {**told, "files": [str(path) for path in paths]}


def _errors_table(measured: Measured, found: BatteryFit) -> Iterator[str]:
    """Lines, one per speed, and below them the averages beside those that are published."""
    from devs_robotics.models.batteries.fitting import PUBLISHED

    width = max(map(len, PUBLISHED))
    yield _line(width, ["speed (cm/s)", "rows", "empty (h)", *found.errors])
    for number, curve in enumerate(found.coefficients.curves):
        errors = (f"{of_model[number]:.4f}" for of_model in found.errors.values())
        rows = len(measured[curve.speed_cm])
        yield _line(width, [f"{curve.speed_cm:g}", f"{rows}", f"{curve.duration / 3600.0:.2f}", *errors])
    for title, averages in {"average": tuple(found.averages.values()), **PUBLISHED}.items():
        yield _line(width, [title, "", "", *(f"{average:.4f}" for average in averages)])


def _line(width: int, cells: Sequence[str]) -> str:
    """A row of a table: words to the left, numbers to the right."""
    first, *others = cells
    return f"{first:<{width}}" + "".join(f"{cell:>{max(10, 1 + len('approximated'))}}" for cell in others)


def _errors_csv(found: BatteryFit) -> str:
    head = ["speed_cm", "duration_s", *(f"{name}_mse" for name in found.errors)]
    curves = found.coefficients.curves
    columns = [[curve.speed_cm for curve in curves], [curve.duration for curve in curves], *found.errors.values()]
    rows = (",".join(map(repr, row)) for row in zip(*columns, strict=True))
    return "\n".join([",".join(head), *rows, ""])


def _show_curves(path: Path | None, show: Callable[[str], None]) -> dict[str, Any]:
    from devs_robotics.models.batteries import read_coefficients
    from devs_robotics.models.batteries.coefficients import SHIPPED

    coefficients = SHIPPED if path is None else read_coefficients(path)
    show(coefficients.about)
    show("\n".join(_curves_table(coefficients)))
    curves = [
        {"speed_cm": curve.speed_cm, "duration_s": curve.duration, "times_s": list(map(curve.time_at, LEVELS))}
        for curve in coefficients.curves
    ]
    return {"about": coefficients.about, "levels": LEVELS, "curves": curves}


def _curves_table(coefficients: Coefficients) -> Iterator[str]:
    """Lines, one per speed, with how long it takes until so much is left; the simple model below them."""
    width = len("simple, in motion")
    yield _line(width, ["speed (cm/s)", *(f"{level:.0%} (h)" for level in LEVELS), "empty (h)"])
    for curve in coefficients.curves:
        times = [*map(curve.time_at, LEVELS), curve.duration]
        yield _line(width, [f"{curve.speed_cm:g}", *(f"{time / 3600.0:.2f}" for time in times)])
    for title, slope in (
        ("simple, at rest", coefficients.simple.at_rest),
        ("simple, in motion", coefficients.simple.moving),
    ):
        times = [(level - 1.0) / slope for level in (*LEVELS, 0.0)]
        yield _line(width, [title, *(f"{time / 3600.0:.2f}" for time in times)])
