"""Stand-ins inside the run: stages with robots that are real, without threads or waiting, the same bytes every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.study.continuity import agreement
from devs_robotics.experimental_frames.study.decisions import Decisions, of_robots
from devs_robotics.hil.protocols.naming import PROTOCOLS
from devs_robotics.scenarios.case import noise_free
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.distributed.nodes import NodesWanted
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.stages import Stage
from tests.approximately import near
from tests.scenarios.commands.calling import refused
from tests.scenarios.commands.test_cli import cli
from tests.scenarios.faults.test_robots import EPUCKS

SMALL = ["run.rounds=4"]


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = cli(
            "run", "convoy_in_the_loop", "--stage", "loop", "--lab", "inside", *sets(SMALL), "--out", tmp_path / name
        )
        assert result.returncode == 0, result.stderr
        assert "no address is given for robots 2, 3: stand-ins play, which need no certificate" in result.stdout
        assert "broker" not in result.stdout
    for table in ("rounds.csv", "series.csv", "lateness.csv", "localisation.csv"):
        assert (tmp_path / "one" / table).read_bytes() == (tmp_path / "two" / table).read_bytes()
        assert (tmp_path / "one" / table).read_bytes().count(b"\n") > 4


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_nothing_is_late_and_stand_ins_slip_by_the_seed(stage: Stage) -> None:
    settings = [*SMALL, *([f"real.{number}.protocol=json" for number in range(1, 5)] if stage == "real" else [])]
    outcomes = [
        run(load("convoy_in_the_loop", [*settings, f"run.seed={seed}"]), Means(stage=stage, lab="inside"))
        for seed in (1, 1, 2)
    ]
    assert {outcome.ended for outcome in outcomes} == {"accepted"}, outcomes[0].reason
    one, again, other = (outcome.metrics.error_at_pose_changes.mean_over_all for outcome in outcomes)
    assert one == again != other
    for outcome in outcomes:
        assert outcome.lateness is not None
        assert outcome.lateness.maximum == 0.0
        assert outcome.held_up_s == 0.0
        assert {robot.played_by for robot in outcome.robots.values()} == {"a stand-in"}


def test_a_robot_may_see_with_real_sensors_and_move_in_the_model_alone() -> None:
    """It stands still outside, so that it may lose its front robot; but that is for the models to say."""
    few = ["run.rounds=1", "frame.transient_rounds=0", "convoy.robots=3", "real.3.motor=virtual"]
    outcome = run(load("convoy_in_the_loop", few), Means(stage="loop", lab="inside"))
    assert outcome.ended in ("accepted", "rejected"), outcome.reason
    assert (outcome.robots[3].motor, outcome.robots[3].infrared) == ("virtual", "real")
    assert outcome.localisation is not None
    assert set(outcome.localisation.odom) == {2}


def test_with_perfect_stand_ins_robots_decide_as_in_fast() -> None:
    of = noise_free(load("convoy_in_the_loop", SMALL))
    fast, inside = Decisions("round_done"), Decisions("round_done")
    run(of, hooks=Hooks(observers=[(fast, of_robots)]))
    run(of, Means(stage="loop", lab="inside"), Hooks(observers=[(inside, of_robots)]))
    same = agreement(fast, inside)
    assert same.holds, str(same.difference)


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name != "json"])
def test_stand_ins_of_every_protocol_live_inside(protocol: str) -> None:
    own = [*(setting.replace("epuck-binary", protocol) for setting in EPUCKS), "real.3.infrared=virtual"]
    outcome = run(load("convoy_in_the_loop", own), Means(stage="loop", lab="inside"))
    assert outcome.ended == "accepted", outcome.reason
    assert {robot.protocol for robot in outcome.robots.values()} == {protocol}
    assert outcome.metrics.error_at_pose_changes.mean_over_all == near(0.05, within=0.05)


def test_the_rate_of_the_file_is_not_that_of_a_run_inside() -> None:
    outcome = run(load("convoy_in_the_loop", [*SMALL, "clock.rate=4"]), Means(stage="loop", lab="inside"))
    assert outcome.rate == outcome.scenario.clock.rate == 1.0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"stage": "fast"}, "--lab has no effect in the stage fast: leave it out, or run in loop or real"),
        ({"stage": "loop", "rate": 4.0}, "a clock that waits for nobody, no broker and no nodes: leave out --rate,"),
        ({"stage": "loop", "broker": "mqtt://h"}, "leave out --rate, --broker, --nodes and --await"),
        ({"stage": "loop", "nodes": NodesWanted(2)}, "leave out --rate, --broker, --nodes and --await"),
    ],
)
def test_what_has_no_effect_is_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(DevsRoboticsError, match=expected):
        run(load("convoy_in_the_loop"), Means(lab="inside", **options))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            ["real.2.address=mqtt://h/2"],
            "--lab inside: robot 2 is at mqtt://h/2, and not in the laboratory: leave this out",
        ),
        (
            ["tracking.address=mqtt://h/t"],
            "the laboratory has a tracking system of its own, so leave out tracking.address",
        ),
    ],
)
def test_what_is_elsewhere_is_refused(settings: list[str], expected: str) -> None:
    with pytest.raises(DevsRoboticsError, match=expected):
        run(load("convoy_in_the_loop", settings), Means(stage="loop", lab="inside"))


def test_a_place_that_there_is_not_is_told() -> None:
    assert "argument --lab: must be one of process, inside, not 'outside': did you mean 'inside'?" in refused(
        "run", "convoy_in_the_loop", "--lab", "outside"
    )
    assert "--lab has no effect in the stage fast" in refused("run", "convoy_in_the_loop", "--lab", "inside")


def sets(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def test_robots_that_the_laboratory_sees_too_rarely_are_lost_again_and_again(tmp_path: Path) -> None:
    rare = [*SMALL, "tracking.period=3", "tracking.delay=0.06", "tracking.jitter=0.02", "tracking.corrects=true"]
    result = cli("run", "convoy_in_the_loop", "--stage", "loop", "--lab", "inside", *sets(rare), "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    told = json.loads((tmp_path / "summary.json").read_text())
    assert set(told["lost"]) == {"2", "3"}
    assert min(told["lost"].values()) > 3
    assert told["scenario"]["tracking"]["delay"] == near(0.06)
    assert "It was not sure where robots were that had not been seen for 1 s" in (tmp_path / "report.html").read_text()
