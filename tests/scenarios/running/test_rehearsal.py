"""Real robots move only when the very scenario has passed in the stage `fast`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.convoy import Follower, Leader
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.convoy.beginning import initial_poses
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.line_following import LineFollowing
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.rehearsal import RehearsalError, moves_hardware, rehearse
from devs_robotics.scenarios.running.run import run as any_run
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.setup.setup import set_up
from tests.approximately import near

SMALL = ("convoy.robots=3", "run.rounds=12", "field.width=12 m", "field.height=8 m")
AHEAD = "leader.path=[[0, 0.5]]"
INTO_THE_WALL = ("field.width=6 m", AHEAD)


def scenario(*settings: str) -> ConvoyScenario:
    return resolve(load("convoy", [*SMALL, *settings]))


@pytest.fixture
def robot() -> Iterator[socket.socket]:
    """Where a robot would be reached: somebody listens there, and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def with_robot(listener: socket.socket, *settings: str) -> ConvoyScenario:
    address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
    patience = "answer_within=0.05, link_within=0.3"
    real = f'real={{2={{protocol="epuck-ascii", infrared="virtual", address="{address}", {patience}}}}}'
    return scenario(real, *settings)


def nearest(rehearsed: ConvoyScenario) -> float:
    """How near robots came to anything (m)."""
    found = rehearse(rehearsed)
    assert found is not None
    return found.distance


def was_contacted(listener: socket.socket) -> bool:
    try:
        connection, _ = listener.accept()
    except BlockingIOError:
        return False
    connection.close()
    return True


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_a_scenario_that_would_collide_is_refused_before_any_robot_is_contacted(
    robot: socket.socket, stage: str
) -> None:
    dangerous, told = with_robot(robot, *INTO_THE_WALL), list[str]()
    with pytest.raises(RehearsalError) as refused:
        run(dangerous, Means(stage=stage), Hooks(tell=told.append))  # type: ignore[arg-type]
    sentence = str(refused.value)
    assert sentence.startswith(
        f"real robots may not move: in the stage fast this scenario (sha {fingerprint(dangerous)[:12]}) does not pass, "
        f"because robot 1 hit the wall at x = 6 m at "
    )
    assert "it has to keep 2 cm (closer approaches in all: " in sentence
    assert sentence.endswith("; change it, or take the risk with --accept-risk")
    assert not was_contacted(robot)
    assert told == []


def test_who_takes_the_risk_is_connected_all_the_same(robot: socket.socket) -> None:
    outcome = run(with_robot(robot, *INTO_THE_WALL), Means(stage="loop", accept_risk=True))
    assert was_contacted(robot)
    assert outcome.ended == "broken off"  # this robot never answers


def test_a_scenario_that_passes_is_told_of_and_goes_on_to_its_robots(robot: socket.socket) -> None:
    told: list[str] = []
    outcome = run(
        with_robot(robot, AHEAD, "run.rounds=3", "noise.dnf=0", "noise.anf=0"),
        Means(stage="loop"),
        Hooks(tell=told.append),
    )
    assert told == ["rehearsed in the stage fast: at the closest, robot 2 came within 30 cm of robot 1 at 0.0 s"]
    assert was_contacted(robot)
    assert outcome.ended == "broken off"


def test_a_scenario_without_hardware_is_not_rehearsed() -> None:
    told: list[str] = []
    assert run(scenario(*INTO_THE_WALL), hooks=Hooks(tell=told.append)).end_s > 0.0
    assert told == []


def test_hardware_is_what_has_an_address_in_its_stage_or_a_node_of_its_own() -> None:
    addressed, played = 'real={2={address="mqtt://127.0.0.1:9/robot"}}', "real={2={}, 3={}}"
    assert moves_hardware(set_up(scenario(addressed), "loop"))
    assert moves_hardware(set_up(scenario(addressed), "real"))
    assert not moves_hardware(set_up(scenario(addressed), "fast"))
    assert not moves_hardware(set_up(scenario(addressed), "realtime"))
    assert not moves_hardware(set_up(scenario(addressed), "distributed"))
    assert not moves_hardware(set_up(scenario(played), "loop"))
    assert not moves_hardware(set_up(scenario(played), "loop"), awaited=(1,))  # its model is virtual
    assert moves_hardware(set_up(scenario(played), "loop"), awaited=(3,))


@given(st.integers(0, 1000), st.floats(0.01, 0.4))
def test_just_what_came_closer_than_the_limit_is_refused(seed: int, limit: float) -> None:
    settings = ("run.rounds=3", "noise.dnf=0.2", f"run.seed={seed}")
    closest = nearest(scenario(*settings, "safety.approach=1 mm"))
    watched = scenario(*settings, f"safety.approach={limit!r}")
    if closest < limit:
        with pytest.raises(RehearsalError, match=f": it has to keep {100 * limit:.3g} cm"):
            rehearse(watched)
    else:
        assert nearest(watched) == closest


def test_robots_that_begin_too_close_to_each_other_are_refused() -> None:
    poses = "convoy.poses=[[3, 2, 0], [2.79, 2, 0], [2.3, 2, 0]]"
    begins = scenario(poses, "convoy.distance=40 cm", "follower.tolerance=20 cm", "follower.nearest=10 cm")
    (x0, y0, _), (x1, y1, _), _ = initial_poses(begins)
    assert hypot(x1 - x0, y1 - y0) - 2 * begins.robot.radius == near(0.01)
    with pytest.raises(RehearsalError, match=r"because robot 2 came within 1 cm of robot 1 at 0\.0 s: it has to keep"):
        rehearse(begins)


def test_a_run_that_is_rejected_is_refused_for_its_reason() -> None:
    with pytest.raises(RehearsalError, match=r"because the convoy has broken up: robot 2 is lost, it is .* m behind"):
        rehearse(scenario("frame.parted=51 cm", AHEAD, "noise.dnf=0.5"))


def test_a_run_in_which_each_waits_for_another_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Leader, "initialize", lambda self: None)  # a leader that never sets off
    with pytest.raises(RehearsalError, match="because no robot has anything left to do: each waits for another"):
        rehearse(scenario())


def test_a_models_fault_is_a_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(self: Follower) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Follower, "_end_round", fault)
    with pytest.raises(
        RehearsalError, match=r"because experiment/system/robot2/convoy at .*ZeroDivisionError: oh \(.*\);"
    ):
        rehearse(scenario())


def test_a_rehearsal_can_be_interrupted(robot: socket.socket) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(with_robot(robot, "run.rounds=100000"), Means(stage="loop"), Hooks(interrupted=lambda: True))
    assert not was_contacted(robot)


@pytest.mark.parametrize("shipped", ["convoy_by_hand", "convoy_in_the_loop", "convoy_obstacles"])
def test_the_shipped_scenarios_pass_by_far(shipped: str) -> None:
    assert nearest(resolve(load(shipped, ["run.rounds=40"]))) > 0.1


def test_robots_that_drive_by_their_wheels_are_rehearsed_and_nobody_says_how_near_they_came(
    robot: socket.socket,
) -> None:
    address = f"tcp://127.0.0.1:{robot.getsockname()[1]}"
    table = {"1": {"protocol": "epuck-ascii", "address": address, "answer_within": 0.05, "link_within": 0.3}}
    told: list[str] = []
    outcome = any_run(
        scenario_of(LineFollowing(), duration=2.0, real=table), Means(stage="loop"), Hooks(tell=told.append)
    )
    assert outcome.ended == "broken off"
    assert "robot 1" in outcome.reason
    assert told == ["rehearsed in the stage fast: accepted; robots that drive by wheels have a guard"]
    assert was_contacted(robot)
