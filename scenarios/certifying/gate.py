"""The gate: robots that are no stand-ins move only with a certificate that matches, or at somebody's risk."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.certifying.certificate import Certificate, CertificateError, plain_allowances, read
from devs_robotics.scenarios.certifying.certified import certified
from devs_robotics.scenarios.certifying.watchdogs import check_watchdogs
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import Setup

RISK = "or take the risk with --accept-risk"


def hardware(setup: Setup[Any], awaited: Container[int] = ()) -> list[int]:
    """The robots of a run that are no stand-ins, or may be none: only a node that is `awaited` knows its own."""
    return [number for number, role in setup.real.items() if not role.is_stand_in or number in awaited]


def admit(scenario: Scenario, setup: Setup[Any], means: Means, tell: Callable[[str], None] = lambda note: None) -> None:
    """Let a run begin, or not.

    Args:
        scenario: to be run
        setup: of the run
        means: how; `Means.certificate` says where the certificate is
        tell: gets what the certificate says

    Raises:
        WatchdogError: one of them may go on when its host ends
        CertificateError: robots that are no stand-ins would move, and there is no certificate of this very scenario
            that says that it passes
    """
    moved = hardware(setup, means.nodes_for(len(setup.robots)).awaited)
    if not moved or means.accept_risk:
        return
    check_watchdogs(setup)
    again = f"make one: {means.certifying}"
    refused = f"{numbered(moved)} may not move"
    if means.certificate is None:
        raise CertificateError(f"{refused}, for no certificate is given: {again}; {RISK}")
    place = Path(means.certificate)
    if not place.is_file():
        raise CertificateError(f"{refused}, for there is no certificate {place}: {again}; {RISK}")
    try:
        certificate = read(place)
    except CertificateError as exc:
        raise CertificateError(f"{refused}: {exc}: {again}; {RISK}") from exc
    void = why_void(certificate, scenario)
    if void:
        raise CertificateError(f"{refused}: the certificate {place} is of {void}: {again}; {RISK}")
    if not certificate.passed:
        raise CertificateError(
            f"{refused}: the certificate {place} says of this scenario that {certificate.verdict}; change the "
            f"scenario, {RISK}"
        )
    tell(f"certificate {place}: {certificate.verdict}")


def why_void(certificate: Certificate, scenario: Scenario) -> str:
    """In what a certificate is not of this scenario and of the software that is here; empty where it is."""
    if certificate.allowances != plain_allowances(case_of(scenario).allowances()):
        return f"another case study (what {scenario.case} allows its robots is not what it allowed them)"
    return certified(scenario).difference(certificate.scenario, certificate.versions, certificate.sources)
