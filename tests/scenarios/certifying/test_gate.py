"""Robots that are no stand-ins move only with a certificate of the very scenario, or at somebody's risk."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from devs_robotics.models.convoy import Follower, Leader
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.certifying import CertificateError, certify, read, write
from devs_robotics.scenarios.certifying.gate import hardware
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.settings import loading
from devs_robotics.scenarios.setup.setup import set_up

SMALL = ("convoy.robots=3", "run.rounds=3", "field.width=12 m", "field.height=8 m")
AHEAD = "leader.path=[[0, 0.5]]"
INTO_THE_WALL = ("field.width=6 m", AHEAD, "run.rounds=12")


def settings_of(listener: socket.socket, *settings: str) -> list[str]:
    address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
    patience = "answer_within=0.05, link_within=0.3"
    real = f'real={{2={{protocol="epuck-ascii", infrared="virtual", address="{address}", {patience}}}}}'
    return [*SMALL, real, *settings]


def scenario(*settings: str) -> ConvoyScenario:
    return resolve(load("convoy", [*SMALL, *settings]))


@pytest.fixture
def robot() -> Iterator[socket.socket]:
    """Where a robot would be reached: somebody listens there, and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def was_contacted(listener: socket.socket) -> bool:
    try:
        connection, _ = listener.accept()
    except BlockingIOError:
        return False
    connection.close()
    return True


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_without_a_certificate_no_robot_is_contacted(robot: socket.socket, stage: str) -> None:
    told: list[str] = []
    with pytest.raises(CertificateError) as refused:
        run(load("convoy", settings_of(robot)), Means(stage=stage), Hooks(tell=told.append))  # type: ignore[arg-type]
    assert str(refused.value) == (
        "robot 2 may not move, for no certificate is given: make one: devs-robotics certify SCENARIO; or take the risk "
        "with --accept-risk"
    )
    assert not was_contacted(robot)
    assert told == []


def test_with_a_certificate_it_is_and_the_bound_is_told(robot: socket.socket, tmp_path: Path) -> None:
    of, told, path = load("convoy", settings_of(robot, AHEAD)), list[str](), tmp_path / "x.json"
    write(certify(of, range(1, 4)), path)
    outcome = run(of, Means(stage="loop", certificate=path), Hooks(tell=told.append))
    assert told == [f"certificate {path}: no violation in 3 runs: with a confidence of 95 %, in at most 63.2 % of runs"]
    assert was_contacted(robot)
    assert outcome.ended == "broken off"  # this robot never answers


def test_a_scenario_that_would_collide_is_refused(robot: socket.socket, tmp_path: Path) -> None:
    of, path = load("convoy", settings_of(robot, *INTO_THE_WALL)), tmp_path / "x.json"
    write(certify(of, [1]), path)
    with pytest.raises(CertificateError) as refused:
        run(of, Means(stage="loop", certificate=path))
    said = str(refused.value)
    assert said.startswith(f"robot 2 may not move: the certificate {path} says of this scenario that it does not pass ")
    assert re.search(r"contact \(\d+\).*; such as: robot 1 was 0\.\d+ m from the wall at x = 6 m, closing at ", said)
    assert said.endswith("; change the scenario, or take the risk with --accept-risk")
    assert not was_contacted(robot)


def test_an_edited_scenario_is_refused_and_what_was_edited_is_named(robot: socket.socket, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write(certify(load("convoy", settings_of(robot, AHEAD)), [1]), path)
    with pytest.raises(CertificateError) as refused:
        run(load("convoy", settings_of(robot, AHEAD, "robot.speed=0.3")), Means(stage="loop", certificate=path))
    assert "is of another scenario (robot.speed is 0.2 there, and 0.3 is wanted): make one: " in str(refused.value)
    assert not was_contacted(robot)


def test_who_takes_the_risk_is_connected_all_the_same(robot: socket.socket) -> None:
    outcome = run(load("convoy", settings_of(robot, *INTO_THE_WALL)), Means(stage="loop", accept_risk=True))
    assert was_contacted(robot)
    assert outcome.ended == "broken off"


def test_stand_ins_need_no_certificate() -> None:
    told: list[str] = []
    assert run(scenario(), Means(stage="loop", lab="inside"), Hooks(tell=told.append)).ended == "accepted"
    assert told == ["no address is given for robots 2, 3: stand-ins play, which need no certificate"]


def test_hardware_is_what_has_an_address_in_its_stage_or_a_node_of_its_own() -> None:
    addressed, played = 'real={2={address="mqtt://127.0.0.1:9/robot"}}', "real={2={}, 3={}}"
    assert hardware(set_up(scenario(addressed), "loop")) == [2]
    assert hardware(set_up(scenario(addressed), "real")) == [2]
    for stage in ("fast", "realtime", "distributed"):
        assert hardware(set_up(scenario(addressed), stage)) == []
    assert hardware(set_up(scenario(played), "loop")) == []
    assert hardware(set_up(scenario(played), "loop"), awaited=(1,)) == []  # its model is virtual
    assert hardware(set_up(scenario(played), "loop"), awaited=(3,)) == [3]


def test_robots_that_begin_too_close_to_each_other_do_not_pass() -> None:
    poses = "convoy.poses=[[3, 2, 0], [2.79, 2, 0], [2.3, 2, 0]]"
    begins = scenario(poses, "convoy.distance=40 cm", "follower.tolerance=20 cm", "follower.nearest=10 cm")
    (near, *_) = (each for each in certify(begins, [1]).violations if each["kind"] == "too near")
    assert near["first"]["time"] == 0.0
    assert near["first"]["clearance"] == pytest.approx(0.01)


def refused_for(of: ConvoyScenario) -> str:
    """What the certificate says of runs that were not accepted."""
    (violation,) = (each for each in certify(of, [1]).violations if each["kind"] == "not accepted")
    assert not violation["allowed"]
    return str(violation["told"])


def test_a_run_that_is_rejected_does_not_pass_for_its_reason() -> None:
    lost = scenario("frame.parted=51 cm", AHEAD, "noise.dnf=0.5", "run.rounds=12")
    assert refused_for(lost).startswith("rejected: the convoy has broken up: robot 2 is lost, it is ")


def test_a_run_in_which_each_waits_for_another_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Leader, "initialize", lambda self: None)  # a leader that never sets off
    assert refused_for(scenario()).startswith("rejected: no robot has anything left to do: each waits for another")


def test_a_models_fault_is_a_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(self: Follower) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Follower, "_end_round", fault)
    assert refused_for(scenario()).startswith("failed: experiment/system/robot2/convoy at ")


@pytest.mark.parametrize("shipped", ["convoy_by_hand", "convoy_in_the_loop", "convoy_obstacles"])
def test_the_shipped_convoys_pass_by_far(shipped: str) -> None:
    certificate = certify(load(shipped, ["run.rounds=20"]), [1])
    assert certificate.passed
    nearest = certificate.extremes["clearance_m"]
    assert nearest is not None
    assert nearest["value"] > 0.1


@pytest.mark.parametrize("shipped", ["diffusion", "phototaxis", "battery", "mixed_walk", "line_following"])
def test_cases_whose_robots_come_near_on_purpose_say_so_and_pass(shipped: str) -> None:
    certificate = certify(loading.load(shipped, ["run.duration=40"]), [1])
    assert certificate.passed, certificate.verdict


def test_a_newcomers_commands_lead_from_one_to_the_next(
    robot: socket.socket, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    address = f"tcp://127.0.0.1:{robot.getsockname()[1]}"
    file.write_text(
        f'case = "convoy"\nconvoy = {{ robots = 3 }}\nrun = {{ rounds = 2 }}\n[real.2]\naddress = "{address}"\n'
        'protocol = "epuck-ascii"\ninfrared = "virtual"\nlink_within = 0.3\nanswer_within = 0.05\n'
    )
    assert main(["run", str(file), "--stage", "loop"]) == 2
    said = capsys.readouterr().err
    there = tmp_path / "mine.certificate.json"
    assert f"there is no certificate {there}: make one: devs-robotics certify {file};" in said
    assert main(["certify", str(file), "--seeds", "2"]) == 0
    said = capsys.readouterr().out
    assert f"certificate: {there}" in said
    assert "no violation in 2 runs" in said
    assert not was_contacted(robot)
    assert main(["run", str(file), "--stage", "loop"]) == 3
    assert was_contacted(robot)
    assert main(["study", str(file), "--stages", "loop", "--set", "robot.speed=0.1", "--out", str(tmp_path / "s")]) == 2
    assert "another scenario (robot.speed is 0.2 there, and 0.1 is wanted)" in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_a_scenario_that_does_not_pass_has_a_certificate_that_says_so_and_a_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = [word for setting in (*SMALL, *INTO_THE_WALL) for word in ("--set", setting)]
    out = tmp_path / "x.json"
    assert main(["certify", "convoy", *wrong, "--seeds", "1", "--out", str(out), "--quiet"]) == 1
    assert capsys.readouterr().out == ""
    assert '"passed": false' in out.read_text()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"violations": [{}]}, "contradicts itself"),
        (
            {"violations": [{"kind": "contact", "count": 5, "allowed": "", "told": "robot 2 hit it"}]},
            "contradicts itself",
        ),
        ({"violations": [{"kind": "x", "count": "a", "allowed": "so", "told": "x"}]}, "contradicts itself"),
        ({"passed": False}, "contradicts itself"),
        ({"seeds": []}, "contradicts itself"),
        ({"rate_bound": 0.0}, "contradicts itself"),
        ({"scenario": None}, "is no certificate"),
    ],
)
def test_a_certificate_that_was_edited_is_none(tmp_path: Path, changes: dict[str, Any], sentence: str) -> None:
    path = tmp_path / "edited.json"
    write(certify(scenario(), seeds=(1,)), path)
    assert read(path).passed
    path.write_bytes(msgspec.json.encode({**msgspec.json.decode(path.read_bytes()), **changes}))
    with pytest.raises(CertificateError, match=sentence):
        read(path)


def test_a_certificate_that_is_nested_without_end_is_none(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"scenario": ' + '{"a":' * 100_000 + "1" + "}" * 100_001)
    with pytest.raises(CertificateError, match="is no certificate"):
        read(path)
