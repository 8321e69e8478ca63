"""``devs-robotics certify``: judges whether a scenario is safe for real robots, on many runs in the stage fast."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.commands.arguments import (
    add_common_settings,
    add_scenario,
    add_seeds,
    add_summary,
    positive,
)
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import INTERRUPTED, RAN, REJECTED

if TYPE_CHECKING:
    from devs_robotics.scenarios.certifying import Certificate
    from devs_robotics.scenarios.certifying.certify import JudgedRun

SUMMARY = "judge on many runs in the stage fast whether real robots may run a scenario"

EXTREMES = {
    "clearance_m": ("least clearance", "m"),
    "time_to_contact_s": ("least time to contact", "s"),
    "room_to_stop_m": ("least room left to stop", "m"),
    "speed_m_per_s": ("largest speed", "m/s"),
}
"""Of a certificate: each in words, with its unit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    add_seeds(parser, "59")
    parser.add_argument(
        "--jobs", metavar="J", type=positive, default=1, help="runs at once on this machine (default: %(default)s)"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="file for the certificate (default: beside the scenario's file, or in this folder, where run finds it)",
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Judge a scenario, and write its certificate; returns the exit status."""
    from devs_robotics.scenarios.certifying import beside, certify, prepare, write
    from devs_robotics.scenarios.commands.arguments import seeds_of
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.running.progress import CountedRuns
    from devs_robotics.scenarios.settings.loading import load

    seeds = seeds_of(options.seeds)
    scenario = load(options.scenario, options.settings)
    out = beside(options.scenario) if options.out is None else options.out
    prepare(out)
    show(f"{len(seeds)} run{'s' if len(seeds) != 1 else ''} of {scenario.case} to be judged: {numbered(seeds, 'seed')}")
    judged: list[JudgedRun] = []
    try:
        with Interrupt() as interrupt, CountedRuns(len(seeds), quiet=options.quiet or options.json) as progress:

            def tell(run: JudgedRun) -> None:
                judged.append(run)
                progress.add()

            certificate = certify(
                scenario, seeds, jobs=options.jobs, interrupted=lambda: interrupt.requested, tell=tell
            )
    except KeyboardInterrupt:
        show(f"interrupted after {len(judged)} of {len(seeds)} runs: there is no certificate")
        return INTERRUPTED
    write(certificate, out)
    for line in certificate_lines(certificate):
        show(line)
    show(f"certificate: {out}")
    if options.json:
        import msgspec

        show_json(msgspec.to_builtins(certificate))
    return RAN if certificate.passed else REJECTED


def certificate_lines(certificate: Certificate) -> list[str]:
    """A certificate, to be read by a person."""
    lines = [f"{certificate.title}: {'passes' if certificate.passed else 'DOES NOT PASS'}", certificate.verdict]
    for name, (words, unit) in EXTREMES.items():
        lines.append(f"  {words:<24} {_shown(certificate.extremes[name], unit)}")
    if certificate.energy_J is not None:
        lines.append(f"  {'energy at that speed':<24} {certificate.energy_J:.3g} J")
    for each in certificate.violations:
        allowed = f"allowed, for {each['allowed']}" if each["allowed"] else "VIOLATION"
        times = "once" if each["count"] == 1 else f"{each['count']} times"
        seeds = each.get("seeds", ())
        where = f", in {len(seeds)} run{'s' if len(seeds) != 1 else ''}" if each["allowed"] else ""
        lines.append(f"  {each['kind']}, {times}{where}: {allowed}\n    the worst: {each['told']}")
    return [*lines, "this is no proof of safety: it is of the model alone"]


def _shown(extreme: dict[str, Any] | None, unit: str) -> str:
    if extreme is None:
        return "-"
    of = f"robot {extreme['robot']}" + (f" and {extreme['other']}" if extreme["other"] else "")
    return f"{extreme['value']:z.3f} {unit}, {of}, at {extreme['time']:.3f} s (seed {extreme['seed']})"
