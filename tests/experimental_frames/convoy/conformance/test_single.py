"""The real decision models, each alone on the test bench."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from devs_robotics import Drive, Driven, Ranges
from devs_robotics.experimental_frames.convoy.conformance.derivation import ProtocolTest, Stimulus
from devs_robotics.experimental_frames.convoy.conformance.protocol import LOST, TURNING, Machine, Rule
from devs_robotics.experimental_frames.convoy.conformance.single import Player, RobotResults, check_robot
from devs_robotics.models.convoy import CaughtUp, RoundDone, Sync
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import Inhibit, Release
from devs_robotics.scenarios.convoy.conformance.protocol_roles import decisions, player_of, protocol_role
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from tests.experimental_frames.convoy.conformance.mutants import LooksAfterItsTurn, broken


def small(*settings: str) -> ConvoyScenario:
    """Three robots, and scans that are soon over."""
    of = ["convoy.robots=3", "follower.scan_limit=12 deg", "follower.recoveries=1", "leader.turn=60 deg", *settings]
    return load("convoy", of)


def checked(scenario: ConvoyScenario, robot: int) -> RobotResults:
    return check_robot(
        f"robot {robot}",
        protocol_role(scenario, robot),
        partial(decisions, scenario, robot),
        player_of(scenario, robot),
    )


@pytest.mark.parametrize("robot", [1, 2, 3])
@pytest.mark.parametrize(
    ("settings", "beyond"),
    [
        ((), set()),
        (("follower.scan_step=12 deg", "follower.recoveries=0"), {"go on"}),
        (("robot.radius=5 cm", "follower.scan_step=45 deg", "follower.scan_limit=45 deg"), {"turn"}),
        (("convoy.distance=60 cm", "follower.nearest=30 cm", "follower.farthest=75 cm", "leader.swing=0 deg"), set()),
        (("leader.path=[[0.1, 0.2], [0.0, 0.3]]",), set()),
    ],
)  # fmt: skip
def test_every_transition_and_everything_out_of_protocol_goes_as_the_protocol_says(
    robot: int, settings: tuple[str, ...], beyond: set[str]
) -> None:
    """`beyond`: what a follower with these settings never has to do."""
    tested = checked(small(*settings), robot)
    assert {rule.does for rule in tested.beyond} == (beyond if robot > 1 else set())
    assert [str(result.violations) for result in tested.results if result.violations] == []
    assert [result.case.title for result in tested.results if result.verdict != "conforms"] == []


def test_a_robot_that_raises_an_error_does_not_conform() -> None:
    of = small()

    def fragile() -> Member:
        model = decisions(of, 2)
        model._odometry = None  # type: ignore[assignment]  # whatever moves it breaks it
        return model

    tested = check_robot("robot 2", protocol_role(of, 2), fragile, player_of(of, 2))
    failed = [result for result in tested.results if result.verdict == "does not"]
    assert failed
    assert "failed" in failed[0].violations[0].sentence
    for result in failed:
        assert result.violations[0].time >= 1.0  # the first thing that is played comes then


def test_each_test_finds_the_model_as_it_is_before_the_start() -> None:
    of = small()
    first, second = ([(result.case.title, result.verdict) for result in checked(of, 2).results] for _ in range(2))
    assert first == second


def check_changed(of: ConvoyScenario, robot: int, change: Callable[[Member], None]) -> RobotResults:
    """Run all tests of a robot whose decision model is changed each time."""

    def build() -> Member:
        model = decisions(of, robot)
        change(model)
        return model

    return check_robot("it", protocol_role(of, robot), build, player_of(of, robot))


def place(case: ProtocolTest, machine: Machine, wanted: Callable[[Rule], bool]) -> int | None:
    """Number of the first step at which the protocol has a robot go through such a line; None if there is none."""
    memory = machine.start
    for number, step in enumerate(case.steps):
        if any(wanted(rule) and after == step.after for rule, after in machine.answers(memory, *step.stimulus)):
            return number
        memory = step.after
    return None


def says_nothing(model: Member) -> None:
    model._tell_neighbours = lambda: None  # type: ignore[method-assign]


def miscounts(model: Member) -> None:
    told = model._tell_neighbours

    def tell() -> None:
        told()
        model.round_done.clear()
        model.round_done.add(RoundDone(model.robot, 99, model.adjustments))

    model._tell_neighbours = tell  # type: ignore[method-assign]


@pytest.mark.parametrize("robot", [1, 2, 3])
@pytest.mark.parametrize(("change", "broken_rule"), [(says_nothing, "silence"), (miscounts, "count")])
def test_a_violation_counts_in_what_a_test_is_about_and_after_it_and_leaves_the_rest_unreached(
    robot: int, change: Callable[[Member], None], broken_rule: str
) -> None:
    """Each robot here goes wrong when it informs for the first time; the last has no test with a round before."""
    of = small()
    machine, verdicts = protocol_role(of, robot).machine, set()
    for result in check_changed(of, robot, change).results:
        wrong = place(result.case, machine, lambda rule: rule.does == "inform")
        expected = "conforms" if wrong is None else "does not" if wrong >= result.case.at else "not reached"
        assert result.verdict == expected, result.case.title
        found = {violation.rule for violation in result.violations}
        assert found == ({broken_rule} if expected == "does not" else set())
        verdicts.add(expected)
    assert verdicts == {"conforms", "does not", "not reached"} - ({"not reached"} if robot == 3 else set())


def test_what_the_protocol_allows_as_well_leaves_a_test_unreached_that_is_about_something_else() -> None:
    of = small()
    with broken(LooksAfterItsTurn):
        tested = checked(of, 2)
    machine, verdicts = protocol_role(of, 2).machine, set()
    for result in tested.results:
        left = place(result.case, machine, lambda rule: rule.state == TURNING and rule.does == "move")
        expected = "conforms" if left is None or left > result.case.at else "not reached"
        assert (result.verdict, result.violations) == (expected, ()), result.case.title
        verdicts.add(expected)
    assert verdicts == {"conforms", "not reached"}


def test_a_robot_that_does_something_else_at_the_last_step_leaves_the_test_unreached() -> None:
    """A leader that has turned right round may give up, and may turn once more."""
    of = small()

    def turns_once_more(model: Member) -> None:
        model._give_up = lambda reason: model._drive(1.0, 0.0)  # type: ignore[method-assign]

    unreached = [result for result in check_changed(of, 1, turns_once_more).results if result.verdict != "conforms"]
    about_it = [result for result in unreached if result.case.rule is not None]
    assert [result.case.rule.does for result in about_it if result.case.rule] == ["give up"]
    assert {result.case.state for result in unreached if result not in about_it} <= {LOST}
    assert all((result.verdict, result.violations) == ("not reached", ()) for result in unreached)


def test_tests_are_counted_by_what_they_are_about() -> None:
    of = small()
    tested = check_changed(of, 3, says_nothing)
    for lines in (True, False):
        some = [result for result in tested.results if (result.case.rule is not None) == lines]
        assert tested.count(lines=lines) == (sum(result.verdict == "conforms" for result in some), len(some))
        assert 0 < tested.count(lines=lines)[0] < len(some)
    assert not tested.conforms


@pytest.mark.parametrize(
    ("stimulus", "message"),
    [
        (("front moved", "ahead"), Sync(1, 0.0, 0.25, 0.0)),
        (("front moved", "aside"), Sync(1, 0.5, 0.25, 0.0)),
        (("front moved", "not at all"), Sync(1, 0.0, 0.0, 0.0)),
        (("caught up", ""), CaughtUp(3)),
        (("driven", "all the way"), Driven(0.1, 0.4)),
        (("driven", "blocked"), Driven(0.1, 0.2, blocked=True)),
        (("seen", "in place"), Ranges((0.3, 0.3, 0.3))),
        (("taken over", ""), Inhibit()),
        (("handed back", ""), Release(0.0, -0.05)),
    ],
)
def test_what_is_played_to_a_robot_means_what_it_should(stimulus: tuple[str, str], message: object) -> None:
    play = Player(protocol_role(small(), 2), beams=3, step=0.25)
    assert play.message(Stimulus(*stimulus), Drive(0.1, 0.4)) == message


def test_a_leader_is_played_a_wall_or_nothing() -> None:
    play = Player(protocol_role(small(), 1), beams=2)
    near, far = (play.message(Stimulus("seen", detail), Drive()) for detail in ("taken", "free"))
    assert near == Ranges((0.0, 0.0))
    assert min(far.values) > 100.0
