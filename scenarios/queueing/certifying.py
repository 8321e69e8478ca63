"""Whether an experiment may run in an arena: the one place where a queue asks the safety gate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from devs_robotics.core.files import write_atomically
from devs_robotics.scenarios.certifying import Certificate, CertificateError, certify, read, why_void
from devs_robotics.scenarios.certifying.certificate import ENDING
from devs_robotics.scenarios.certifying.certified import certified
from devs_robotics.scenarios.running.results import OutputError, prepare, unwritable
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage

CERTIFIED: tuple[Stage, ...] = ("loop", "real")
"""Stages in which there are robots, real ones or stand-ins."""


class UncertifiedError(CertificateError):
    """An experiment that may not move real robots, since the safety gate does not let it pass."""


class GateRuns(Struct, frozen=True):
    """How experiments are judged.

    Attributes:
        seeds: of the runs of the safety gate
        jobs: how many of these at once
    """

    seeds: tuple[int, ...] = tuple(range(1, 60))
    jobs: int = 1


def certificate_for(
    scenario: Scenario,
    folder: Path,
    judging: GateRuns,
    interrupted: Callable[[], bool],
    tell: Callable[[str], None],
) -> tuple[Path, Certificate]:
    """The certificate of a scenario, out of a folder, where all with this scenario share it, or made there.

    Args:
        scenario: with nothing left open
        folder: of certificates
        judging: how one is made
        interrupted: asked now and then whether to give up
        tell: gets a sentence where it will take its time

    Returns:
        where it is, and the certificate, which may say that the scenario does not pass

    Raises:
        OutputError: it cannot be kept
        KeyboardInterrupt: it was interrupted
    """
    path = folder / f"{certified(scenario).sha256}{ENDING}"
    found = _kept(path, scenario)
    if found is None:
        runs = len(judging.seeds)
        tell(f"is certified on {runs} run{'' if runs == 1 else 's'} in the stage fast")
        found = certify(scenario, judging.seeds, jobs=judging.jobs, interrupted=interrupted)
        _keep(path, found)
    return path, found


def _kept(path: Path, scenario: Scenario) -> Certificate | None:
    """A certificate that is there already, if it is still one."""
    try:
        found = read(path)
    except CertificateError:
        return None
    return None if why_void(found, scenario) else found


def _keep(path: Path, certificate: Certificate) -> None:
    prepare(path.parent)
    try:
        write_atomically(path, msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n")
    except OSError as exc:
        raise OutputError(unwritable(path, exc)) from exc
