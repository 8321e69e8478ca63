"""What a certificate says: of controllers that look and of those that do not, and of which scenario it is."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.certifying import (
    Certificate,
    CertificateError,
    beside,
    certify,
    prepare,
    read,
    why_void,
    write,
)
from devs_robotics.scenarios.certifying.certificate import rate_bound
from devs_robotics.scenarios.commands.exit_status import INTERRUPTED
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.schema import Scenario
from tests.approximately import near
from tests.scenarios.certifying.head_on import APART, Bumpers, HeadOn

SEEDS = (1, 2)
HOW = ("models", "arrays")


def head_on(study: type[HeadOn] = HeadOn, **settings: object) -> Scenario:
    return scenario_of(study(**settings))


def kinds(certificate: Certificate) -> set[str]:
    return {each["kind"] for each in certificate.violations}


def test_a_controller_that_looks_passes_and_one_that_does_not_fails() -> None:
    careful, blind = certify(head_on(), SEEDS), certify(head_on(room=0.0, way=3.0), SEEDS)
    assert careful.passed
    assert careful.violations == ()
    assert careful.rate_bound == near(1.0 - 0.05 ** (1.0 / 2.0))
    assert not blind.passed
    assert blind.rate_bound is None
    assert {"contact", "not stoppable", "fast approach", "too near"} <= kinds(blind)
    assert "it does not pass in 2 runs: " in blind.verdict
    assert f", with seeds {SEEDS[0]}, {SEEDS[1]}; such as: " in blind.verdict
    assert all(each["seeds"] == list(SEEDS) for each in blind.violations)


@pytest.mark.parametrize("gap", [0.5, 0.25])
def test_a_head_on_pair_is_reported_at_its_distance_and_closing_speed(gap: float) -> None:
    """They drive in one go, and stop where they are that far apart, edge to edge."""
    way = (APART - 0.25 - gap) / 2.0
    certificate = certify(head_on(step=way, way=way, room=0.0), [1])
    worst = certificate.extremes["time_to_contact_s"]
    assert worst is not None
    assert worst["clearance"] == near(gap, 1e-4)
    assert worst["closing_speed"] == near(0.5)
    assert worst["value"] == near(gap / 0.5, 1e-3)
    nearest = certificate.extremes["clearance_m"]
    assert nearest is not None
    assert nearest["value"] == near(gap, 1e-4)


def test_the_bound_on_the_rate_is_the_published_one() -> None:
    assert rate_bound(1) == near(0.95)
    assert 0.0495 < rate_bound(59) < 0.05 < rate_bound(58)
    assert 0.0099 < rate_bound(299) < 0.01 < rate_bound(298)


def test_what_the_case_allows_is_on_the_certificate() -> None:
    certificate = certify(head_on(Bumpers, room=0.0, way=3.0), SEEDS)
    assert certificate.passed
    assert {each["allowed"] for each in certificate.violations} == {"they have bumpers"}
    assert sum(each["count"] for each in certificate.violations if each["kind"] == "contact") == len(SEEDS)
    assert [each["why"] for each in certificate.allowances] == ["they have bumpers", "who cares"]
    assert " that " in certificate.verdict
    assert "allows" in certificate.verdict


def test_a_frame_may_find_violations_of_its_own() -> None:
    certificate = certify(head_on(complaint="the tray was dropped"), SEEDS)
    (violation,) = certificate.violations
    assert (violation["kind"], violation["count"]) == ("of the case", len(SEEDS))
    assert "complaint: the tray was dropped" in violation["told"]
    assert not certificate.passed
    assert certify(head_on(Bumpers, complaint="the tray was dropped"), SEEDS).passed


def test_energies_are_told_where_the_mass_is_known() -> None:
    heavy = scenario_of(HeadOn(), safety={"mass": 3.0})
    assert certify(heavy, [1]).energy_J == near(0.5 * 3.0 * 0.25**2)
    assert certify(head_on(), [1]).energy_J is None


def test_several_processes_find_the_same() -> None:
    shipped = load("convoy_in_the_loop", ["run.rounds=3"])
    assert certify(shipped, (1, 2, 3), jobs=2) == certify(shipped, (1, 2, 3))


def test_robots_in_arrays_are_judged_as_those_of_ordinary_models() -> None:
    found = [certify(load("diffusion", ["run.duration=20", f"run.population={how}"]), [1]) for how in HOW]
    assert found[0].extremes == found[1].extremes
    assert found[0].violations == found[1].violations


def test_a_certificate_is_read_as_it_was_written(tmp_path: Path) -> None:
    certificate = certify(head_on(room=0.0, way=3.0), SEEDS)
    path = tmp_path / "there" / "x.json"
    prepare(path)
    write(certificate, path)
    assert read(path) == certificate
    prepare(path)
    assert read(path) == certificate, "what is there stays"
    for wrong in (tmp_path, path / "below", Path("/proc/x.json"), Path("/proc/version")):
        with pytest.raises(CertificateError, match="cannot be written"):
            prepare(wrong)


@pytest.mark.parametrize(("text", "said"), [("{", "is no certificate"), ('{"format": 1}', "is no certificate")])
def test_what_is_no_certificate_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(CertificateError, match=said):
        read(tmp_path / "x.json")
    with pytest.raises(CertificateError, match="cannot be read"):
        read(tmp_path)


def test_seeds_are_needed_each_of_them_once() -> None:
    for seeds in ((), (1, 1)):
        with pytest.raises(DevsRoboticsError, match="certify needs seeds, each of them once"):
            certify(head_on(), seeds)


def test_it_can_be_interrupted() -> None:
    for jobs in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            certify(load("convoy", ["run.rounds=100000"]), SEEDS, jobs=jobs, interrupted=lambda: True)


@pytest.mark.parametrize("all_hear_it", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_with_processes_it_says_how_far_it_came_and_nothing_else(
    tmp_path: Path, number: signal.Signals, all_hear_it: bool
) -> None:
    words = ["certify", "convoy", "-vv", "--set", "run.rounds=2", "--seeds", "5000", "--jobs", "2", "--out", "x.json"]
    command = [sys.executable, "-m", "devs_robotics", *words]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    next(line for line in process.stderr if "is judged" in line)
    (os.killpg if all_hear_it else os.kill)(process.pid, number)
    said, told = process.communicate(timeout=60.0)
    assert process.returncode == INTERRUPTED
    assert re.search(r"interrupted after \d+ of 5000 runs: there is no certificate$", said.strip())
    assert [line for line in told.splitlines() if "devs_robotics." not in line] == []
    assert not (tmp_path / "x.json").exists()


def test_a_certificate_is_of_the_very_scenario_whatever_its_seed_its_looks_and_its_addresses() -> None:
    certificate = certify(load("wander", ["run.duration=1"]), [1])

    def void(*settings: str) -> str:
        return why_void(certificate, load("wander", ["run.duration=1", *settings]))

    assert void() == void("run.seed=7") == void("view.rate=10") == ""
    assert void("run.duration=2") == "another scenario (run.duration is 1.0 there, and 2.0 is wanted)"
    assert void("safety.approach=1 cm") == "another scenario (safety.approach is 0.03 there, and 0.01 is wanted)"
    assert void("safety.reaction=0.2").startswith("another scenario (safety.reaction is nothing there, and 0.2")
    real = certify(load("wander", ["run.duration=1", "real.2.address=mqtt://host/2"]), [1])
    elsewhere = load("wander", ["run.duration=1", "real.2.address=mqtt://another/2"])
    assert why_void(real, elsewhere) == ""


def test_other_software_makes_it_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, path = head_on(), tmp_path / "x.json"
    write(certify(scenario, [1]), path)

    def void(table: str, key: str) -> str:
        changed = json.loads(path.read_text())
        changed[table][key] = "0"
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        return why_void(read(tmp_path / "changed.json"), scenario)

    monkeypatch.setattr(HeadOn, "allows", Bumpers.allows)
    assert why_void(read(path), scenario).startswith("another case study (what ")
    monkeypatch.undo()
    assert void("versions", "numpy").startswith('other versions of the software (numpy is "0" there, and "')
    assert "(the files of devs_robotics.models are not those" in void("sources", "devs_robotics.models")
    study = HeadOn.__module__
    assert f"(the files of {study} are not those" in void("sources", study)


def test_a_certificate_lies_beside_the_scenarios_file_or_in_this_folder(tmp_path: Path) -> None:
    (tmp_path / "walk.toml").touch()
    assert beside(str(tmp_path / "walk.toml")) == tmp_path / "walk.certificate.json"
    assert beside("convoy") == Path("convoy.certificate.json")
    assert beside("my.robots:Walk") == Path("my.robots.Walk.certificate.json")
