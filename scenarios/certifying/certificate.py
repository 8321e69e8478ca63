"""A certificate: what the safety gate found of a scenario, and of which scenario and which software."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from devs_robotics import DevsRoboticsError
from devs_robotics.core.files import write_atomically
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.instruments.safety import Allowance

ENDING = ".certificate.json"
"""Of the names of files that hold certificates."""

TOLD = ("kind", "allowed", "told")
"""Texts that each violation of a certificate has."""

CONFIDENCE = 0.95
"""Of the bound on the rate."""

REMARK = (
    "Violations were looked for in runs of the model alone. Where none was found, the rate of runs with one is at most "
    "rate_bound, with a confidence of 95 %, if the model is right. This is no proof of safety."
)

Json = Mapping[str, Any]


class CertificateError(DevsRoboticsError):
    """Real robots may not move: there is no certificate, or it is not of this scenario, or says that it is unsafe."""


class Certificate(Struct, frozen=True, kw_only=True):
    """What the safety gate found. Lengths in m, times in s, speeds in m/s, energies in J; null: there was nothing.

    Attributes:
        format: of this file
        remark: what it says, and what it does not
        passed: whether there was no violation that the case study does not allow
        rate_bound: of runs with a violation, at a confidence of 95 %; null where there was one
        case, title: of the scenario
        scenario_sha256: hash of all of the scenario but its seed, how it is looked at, and where robots are reached
        thresholds: of the gate, as the scenario's table `[safety]` has them
        seeds: of the runs
        simulated_s: simulated time of all runs together (s)
        extremes: the worst clearance, time to contact, room to stop and speed, each with its seed, place and time
        energy_J: of the fastest robot, where `safety.mass` is given
        violations: by kind, with the first and the worst of each, the seeds of their runs (since version 0.12.0), and
            by what they are allowed
        allowances: of the case study: what its robots do on purpose
        unjudged: robots that were carried for a while
        versions: of the software
        sources: SHA-256 of the sources of each package, and of each module of one's own
        scenario: with nothing left open
    """

    format: Literal[1] = 1
    remark: str = REMARK
    passed: bool
    rate_bound: float | None
    case: str
    title: str
    scenario_sha256: str
    thresholds: dict[str, float]
    seeds: tuple[int, ...]
    simulated_s: float
    extremes: dict[str, dict[str, Any] | None]
    energy_J: float | None = None  # noqa: N815  # the unit's symbol
    violations: tuple[dict[str, Any], ...]
    allowances: tuple[dict[str, Any], ...]
    unjudged: tuple[int, ...]
    versions: dict[str, str]
    sources: dict[str, str]
    scenario: dict[str, Any]

    @property
    def verdict(self) -> str:
        """In a sentence."""
        runs = f"{len(self.seeds)} run{'s' if len(self.seeds) != 1 else ''}"
        if self.rate_bound is not None:
            allowed = sum(each["count"] for each in self.violations)
            but = f", but for {allowed} that {self.case} allows" if allowed else ""
            share = f"{100.0 * self.rate_bound:.3g} %"
            return f"no violation in {runs}{but}: with a confidence of 95 %, in at most {share} of runs"
        trouble = [each for each in self.violations if not each["allowed"]]
        found = ", ".join(f"{each['kind']} ({each['count']})" for each in trouble)
        seeds = {seed for each in trouble for seed in each.get("seeds", ())}
        where = f", with {numbered(seeds, 'seed')}" if seeds else ""
        return f"it does not pass in {runs}: {found}{where}; such as: {trouble[0]['told']}"


def rate_bound(runs: int) -> float:
    """What the rate of runs with a violation is at most, at the confidence, where none of these had one.

    1 - 0.05^(1/n): the one-sided bound of Clopper and Pearson for no event in n trials.
    """
    return float(1.0 - (1.0 - CONFIDENCE) ** (1.0 / runs))


def plain(value: Any) -> Any:
    """A structure as JSON holds it; what is infinite is null."""
    return msgspec.json.decode(msgspec.json.encode(value))


def plain_allowances(allowances: Sequence[Allowance]) -> tuple[dict[str, Any], ...]:
    """What a case study allows."""
    return tuple(plain(each) for each in allowances)


def beside(source: str) -> Path:
    """Where a scenario's certificate is, unless somebody says otherwise: beside its file, or in this folder.

    Args:
        source: the path of a file, or the name of what ships, or of a class
    """
    path = Path(source)
    if path.is_file():
        return path.with_name(path.stem + ENDING)
    return Path(source.replace(":", ".").replace("/", ".") + ENDING)


def prepare(path: Path) -> None:
    """See that a certificate can be written, before anybody waits for it.

    Raises:
        CertificateError: it cannot
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() or path.is_dir():
            with path.open("ab"):  # a folder cannot be opened so, and what is in a file stays as it is
                pass
        if path.is_file() or not path.exists():
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as exc:
        raise CertificateError(unwritable(path, exc)) from exc


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate, as JSON to be read by people, too.

    Raises:
        CertificateError: the file cannot be written
    """
    try:
        text = msgspec.json.format(msgspec.json.encode(certificate), indent=2) + b"\n"
        if path.is_file() or not path.exists():
            write_atomically(path.resolve(), text)  # what is there stays where the disk is full
        else:
            path.write_bytes(text)  # a device
    except OSError as exc:
        raise CertificateError(unwritable(path, exc)) from exc


def unwritable(path: Path, exc: OSError) -> str:
    """What to say of a certificate that cannot be written."""
    return f"{path} cannot be written ({exc.strerror}): choose another place by --out"


def read(path: Path) -> Certificate:
    """Read a certificate.

    Raises:
        CertificateError: there is none, or it is none
    """
    try:
        certificate = msgspec.json.decode(path.read_bytes(), type=Certificate)
    except OSError as exc:
        raise CertificateError(f"the certificate {path} cannot be read ({exc.strerror})") from exc
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise CertificateError(f"{path} is no certificate ({exc})") from exc
    if not _is_sound(certificate):
        raise CertificateError(f"{path} contradicts itself, as if somebody had edited it")
    return certificate


def _is_sound(certificate: Certificate) -> bool:
    """Whether what it says of its runs goes together: it may have been damaged, or edited by hand."""
    for each in certificate.violations:
        count = each.get("count")
        if not isinstance(count, int) or count < 1 or not all(isinstance(each.get(k), str) for k in TOLD):
            return False
        seeds = each.get("seeds", [])
        if not isinstance(seeds, list) or not all(seed in certificate.seeds for seed in seeds):
            return False
    passed = not any(not each["allowed"] for each in certificate.violations)
    if not certificate.seeds or certificate.passed != passed:
        return False
    return certificate.rate_bound == (rate_bound(len(certificate.seeds)) if passed else None)
