"""What a case study may say beyond build and frame: keys of its own, what is open, what ends a run, what is told."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Atomic, In
from devs_robotics.experimental_frames.frame import CaseExperiment, Metric
from devs_robotics.experimental_frames.frame.metric import metrics_of
from devs_robotics.models.environment import PoseChange
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.running.results import tables_of
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import Count, RunTable, SettingsTable
from devs_robotics.study import Acceptor, CaseStudy, CaseSystem, Frame, Transient, Verdict, metric, run
from tests.models.robots.small_world import Errand


class MoveTable(RunTable):
    """When a run ends: after so many moves."""

    moves: Count | None = None
    """Of all robots together."""


class RacingTable(SettingsTable):
    """The race."""

    robots: Count = 2
    """That race."""


class RaceScenario(Scenario):
    """A scenario of races."""

    run: MoveTable = MoveTable()
    racing: RacingTable = RacingTable()


class Finish(Acceptor):
    """Ends a run after so many moves."""

    pose_change = In(PoseChange)
    seen = 0

    def __init__(self, name: str, moves: int, duration: float) -> None:
        super().__init__(name, duration)
        self.moves = moves

    def share(self, time: float) -> float:
        return self.seen / self.moves

    def judge(self) -> Verdict | None:
        self.seen += sum(1 for _ in self.pose_change.values)
        return Verdict(True, f"{self.seen} moves are seen") if self.seen >= self.moves else None


class RaceOutcome(CaseOutcome, frozen=True, kw_only=True):
    moves: int


class Measured:
    def __init__(self, moves: int) -> None:
        self.seen = moves

    @metric("moves", digits=0, better="more")
    def moves(self) -> int:
        return self.seen


class Racing(CaseStudy):
    """Robots drive side by side."""

    scenario: RaceScenario
    outcome_class = RaceOutcome
    tracked = False
    short: ClassVar[dict[str, Any]] = {"run.moves": 1}

    def filled_in(self) -> dict[str, Any]:
        return {"run.moves": 10, "run.duration": None, "field.width": 1.0 + self.scenario.racing.robots}

    def build(self, system: CaseSystem) -> None:
        for number in range(self.scenario.racing.robots):
            driver: Atomic = Errand("errand")
            system.add_robot((0.5 + number, 0.5, 0.0)).decide(driver)

    def acceptor(self, duration: float) -> Acceptor:
        assert self.scenario.run.moves is not None
        return Finish("acceptor", self.scenario.run.moves, duration)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        assert isinstance(frame.acceptor, Finish)
        frame.couple(system.pose_change, frame.acceptor.pose_change)

    def measured(self, experiment: CaseExperiment, end_s: float) -> dict[str, Any]:
        assert isinstance(experiment.frame.acceptor, Finish)
        return {"moves": experiment.frame.acceptor.seen}

    def metrics(self) -> tuple[Metric, ...]:
        return metrics_of(Measured)

    def measures(self, outcome: RaceOutcome) -> Measured:
        return Measured(outcome.moves)

    def transient(self) -> Transient:
        return Transient(3, "move", ("run.moves",))


CASE = study_case(Racing, f"{__name__}:Racing")


def resolved(**tables: Any) -> Scenario:
    return CASE.resolve(scenario_of(Racing(), **tables))


@settings(max_examples=20)
@given(robots=st.integers(1, 5), moves=st.none() | st.integers(1, 99), width=st.none() | st.floats(6.0, 9.0))
def test_what_is_open_is_filled_in_and_what_is_said_stays(robots: int, moves: int | None, width: float | None) -> None:
    given_ = RaceScenario(case=CASE.name, run=MoveTable(moves=moves), racing=RacingTable(robots=robots)).model_copy(
        update={"field": Scenario().field.model_copy(update={"width": width})}
    )
    found = CASE.resolve(given_)
    assert isinstance(found, RaceScenario)
    assert found.run.moves == (moves or 10)
    assert found.run.duration is None
    assert (found.field.width, found.field.height) == (width or 1.0 + robots, 10.0)
    assert CASE.resolve(found) == found


def test_a_key_that_there_is_not_cannot_be_filled_in() -> None:
    class Wrong(Racing):
        def filled_in(self) -> dict[str, Any]:
            return {"run.laps": 3}

    case = study_case(Wrong, "wrong")
    with pytest.raises(CaseError, match=r"Wrong.filled_in: there is no key 'run.laps'"):
        case.resolve(case.scenario())


def test_its_own_acceptor_ends_a_run_and_its_own_metrics_and_tables_are_told() -> None:
    outcome = run(Racing(robots=2), run={"moves": 2})
    assert (outcome.ended, outcome.reason) == ("accepted", "2 moves are seen")
    assert isinstance(outcome, RaceOutcome)
    assert outcome.moves == 2
    assert CASE.columns(outcome) == {"moves": 2}
    assert CASE.summary(outcome) == {"metrics": {"moves": 2}}
    assert not tables_of(outcome)
    assert not CASE.events(outcome)


def test_a_scenario_of_its_own_class_may_be_the_base_of_another_case_study() -> None:
    class Relay(Racing):
        """With teams."""

        teams: Count = 2

    case = study_case(Relay, "relay")
    made = case.scenario.model_validate({"case": "relay", "racing": {"robots": 3}, "relay": {"teams": 4}})
    assert isinstance(made, RaceScenario)
    study = case.of(made)
    assert isinstance(study, Relay)
    assert (study.teams, made.racing.robots, study.scenario) == (4, 3, made)


def test_a_scenario_is_no_setting() -> None:
    with pytest.raises(CaseError, match=r"Lost.scenario is the scenario of a run, and no setting"):
        type("Lost", (CaseStudy,), {"__annotations__": {"scenario": int}, "__module__": __name__, "scenario": 3})


@pytest.mark.parametrize(
    ("transient", "said"),
    [
        (Transient(0.0), "No transient was left out."),
        (Transient(20.0), "The first 20 s were left out as the transient."),
        (Transient(1, "round"), "The first round was left out as the transient."),
        (Transient(3, "move"), "The first 3 moves were left out as the transient."),
    ],
)
def test_a_transient_is_said_in_a_sentence(transient: Transient, said: str) -> None:
    assert transient.said == said


def test_a_sweep_is_told_the_transient_and_the_keys_that_say_it() -> None:
    (condition,) = CASE.subject(resolved()).account.conditions
    assert (condition.keys, condition.said) == (("run.moves",), "The first 3 moves were left out as the transient.")


def test_a_short_run_is_over_at_once() -> None:
    short = CASE.short()
    assert isinstance(short, RaceScenario)
    assert short.run.moves == 1
