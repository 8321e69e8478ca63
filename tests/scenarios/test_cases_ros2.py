"""Cases with ROS 2 stand-ins: inside the run, over DDS and over zenoh; and what must be known of real ones."""

from __future__ import annotations

from math import hypot

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.study.continuity import agreement
from devs_robotics.experimental_frames.study.decisions import Decisions, decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.scenarios.case import case_of, noise_free
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.certifying.watchdogs import WatchdogError
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy.runs import load as load_convoy
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from tests.scenarios.case_runs import patience

CASES: tuple[tuple[str, Stage], ...] = (
    ("wander", "loop"),
    ("wander", "real"),
    ("mixed_walk", "loop"),
    ("transport", "loop"),
    ("forage", "loop"),
    ("meet", "loop"),
    ("phototaxis", "loop"),
    ("line_following", "loop"),
    ("battery", "loop"),
    ("diffusion", "loop"),
    ("logistics", "loop"),
    ("logistics", "real"),
    ("forage", "real"),
    ("meet", "real"),
    ("transport", "real"),
    ("phototaxis", "real"),
    ("line_following", "real"),
    ("battery", "real"),
    ("diffusion", "real"),
)
READING = "phototaxis", "line_following", "battery", "diffusion"
"""Cases whose decisions are made of raw readings of an e-puck2's sensors."""


def scenario_of(name: str, *more: str) -> Scenario:
    dialect = "mecanum" if name == "logistics" else "epuck2" if name in READING else "turtlebot3"
    return load(name, ["real.2.protocol=ros2", "run.duration=10 s", f"stand_in.dialect={dialect}", *more])


@pytest.mark.parametrize(("name", "stage"), CASES)
def test_no_decision_model_learns_that_a_robot_is_one_of_ros(name: str, stage: Stage) -> None:
    scenario, hearing = scenario_of(name), Hearing()
    outcome = run(scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(hearing, of_robots)]))
    assert isinstance(outcome, CaseOutcome)
    assert outcome.robots[2].protocol == "ros2"
    assert outcome.robots[2].dropped == {}
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds


ALL = [f"real.{number}.protocol=ros2" for number in range(1, 5)]
TWO = ALL[1:3]


def decided(of: ConvoyScenario, means: Means | None = None) -> Decisions:
    decisions = Decisions("round_done")
    outcome = run(of, means or Means(), Hooks(observers=[(decisions, of_robots)]))
    assert outcome.ended == "accepted", outcome.reason
    return decisions


@pytest.mark.parametrize(
    ("stage", "settings"),
    [
        ("loop", TWO),
        ("real", ALL),
        ("loop", [*TWO, "convoy.robots=6", "real.4.protocol=ros2", "field.width=7 m", "run.rounds=10"]),  # with walls
        ("loop", [*TWO, "tracking.corrects=true", "stand_in.dialect=epuck2"]),
        ("loop", [*TWO, "real.2.counterpart=commanded", "real.3.whiskers=real", "stand_in.dialect=create3"]),
    ],
)
def test_the_convoy_with_perfect_stand_ins_decides_as_in_fast_value_for_value(
    stage: Stage, settings: list[str]
) -> None:
    of = noise_free(load_convoy("convoy_in_the_loop", ["run.rounds=4", *settings]))
    same = agreement(decided(of), decided(of, Means(stage=stage, lab="inside")))
    assert same.holds, str(same.difference)
    assert same.rounds >= 4
    assert same.largest_deviation < 1e-9


def test_with_stand_ins_that_slip_it_decides_otherwise() -> None:
    """The proof can fail."""
    of = load_convoy("convoy_in_the_loop", ["run.rounds=4", *TWO])
    assert not agreement(decided(noise_free(of)), decided(of, Means(stage="loop", lab="inside"))).holds


@pytest.mark.wall_clock
@pytest.mark.long
@pytest.mark.parametrize(("middleware", "dialect"), [("dds", "create3"), ("zenoh", "epuck2")])
def test_over_the_real_middleware_it_still_decides_as_in_fast(middleware: str, dialect: str) -> None:
    """Moves by odometry, and beams by a scan or by single sensors."""
    settings = [
        "run.rounds=2",
        "frame.transient_rounds=1",
        *TWO,
        *patience((2, 3)),
        f"stand_in.middleware={middleware}",
    ]
    of = noise_free(load_convoy("convoy_in_the_loop", [*settings, f"stand_in.dialect={dialect}"]))
    decisions = Decisions("round_done")
    outcome = run(of, Means(stage="loop"), Hooks(observers=[(decisions, of_robots)]))
    assert outcome.ended == "accepted", outcome.reason
    assert {number: robot.dropped for number, robot in outcome.robots.items()} == {2: {}, 3: {}}
    same = agreement(decided(of), decisions)
    assert same.holds, str(same.difference)
    assert same.rounds == 2


def test_a_real_robot_whose_watchdog_nobody_has_measured_or_that_is_long_does_not_move() -> None:
    place = "real.2.address=ros2://turtle1?domain=42&interface=lo"
    with pytest.raises(WatchdogError, match=r"devs-robotics probe 'ros2://turtle1\?domain=42&interface=lo'"):
        run(scenario_of("wander", place), Means(stage="loop"))
    with pytest.raises(WatchdogError, match="robot 2 goes on for 3 s when its host ends"):
        run(scenario_of("wander", place, "real.2.watchdog=3 s"), Means(stage="loop"))


def test_a_robot_that_is_driven_by_its_wheels_goes_where_the_model_of_it_goes() -> None:
    """Whose counterpart, in the environment, follows what its odometry tells."""
    settings = ("stand_in.perfect=true", "run.duration=8 s")
    model = run(scenario_of("line_following", *settings), Means(stage="fast"))
    outcome = run(scenario_of("line_following", *settings), Means(stage="loop", lab="inside"))
    assert isinstance(model, CaseOutcome)
    assert isinstance(outcome, CaseOutcome)
    changes, told = ([row for row in each.tracks.rows if row.robot == 2] for each in (model, outcome))
    assert len(changes) > 20
    for change in changes:
        row = min(told, key=lambda row: abs(row.time_s - change.time_s))
        late = abs(row.time_s - change.time_s)
        assert hypot(row.x_m - change.x_m, row.y_m - change.y_m) < 0.02 + 0.1 * late


@pytest.mark.parametrize(
    ("name", "stage", "setting", "expected"),
    [
        (
            "logistics",
            "loop",
            "stand_in.dialect=create3",
            "omniwheels, and its stand-in plays a create3, which goes ahead only: set stand_in.dialect to 'mecanum'",
        ),
        (
            "phototaxis",
            "real",
            "stand_in.dialect=create3",
            "the light of robot 2 is to be real, and its stand-in plays a create3, which has none: set stand_in",
        ),
        ("swarm", "loop", "run.seed=1", 'take another one there, such as "auto"'),
    ],
)
def test_what_no_robot_of_ros_can_do_is_told(name: str, stage: Stage, setting: str, expected: str) -> None:
    with pytest.raises(DevsRoboticsError, match=expected):
        run(scenario_of(name, setting), Means(stage=stage, lab="inside"))


def test_the_probe_tells_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "tcp://192.0.2.7:1000"]) != 0
    assert "is not that of a robot of ROS 2, and only those are probed" in capsys.readouterr().err
    assert main(["probe", "ros2://turtle1?domain=x"]) != 0
    assert "has the domain 'x'" in capsys.readouterr().err
