"""The acceptor: when a run is over, and whether it counts."""

from __future__ import annotations

from math import inf

from devs_robotics import Simulator
from devs_robotics.experimental_frames.convoy import ConvoyAcceptor, Parted
from devs_robotics.experimental_frames.frame import Verdict, first_of
from devs_robotics.models.convoy import RoundDone, WayLost
from tests.models.play import Said, tell


def acceptor(rounds: int | None = 3, duration: float = inf) -> ConvoyAcceptor:
    model = ConvoyAcceptor("acceptor", 5, rounds, duration)
    model.initialize()
    return model


def done(model: ConvoyAcceptor, robot: int, number: int) -> list[Said]:
    return tell(model, (model.round_done, RoundDone(robot, number, 0)))


def test_a_run_ends_when_the_last_robot_has_completed_the_rounds() -> None:
    model = acceptor()
    assert done(model, 1, 3) == []
    assert done(model, 5, 2) == []
    assert done(model, 5, 3) == [("verdict", Verdict(True, "every robot has completed 3 rounds"))]
    assert done(model, 5, 4) == []


def test_a_run_ends_when_the_time_is_over() -> None:
    model = ConvoyAcceptor("acceptor", 5, None, 12.5)
    simulator = Simulator(model)
    simulator.run()
    assert simulator.time == 12.5
    assert list(model.verdict.values) == [Verdict(True, "the duration of 12.5 s is over")]


def test_events_on_the_way_do_not_shift_the_end() -> None:
    model = acceptor(duration=10.0)
    done(model, 2, 1)
    assert model.ta() == 9.0


def test_a_robot_that_gives_up_ends_the_run() -> None:
    model = acceptor()
    said = tell(model, (model.lost, WayLost(4, "it cannot find its front robot")))
    verdict = Verdict(False, "the convoy has broken up: robot 4 is lost, it cannot find its front robot")
    assert said == [("verdict", verdict)]
    assert model.robots_lost == {4: "it cannot find its front robot"}


def test_a_robot_that_has_parted_ends_the_run_even_in_its_last_round() -> None:
    model = acceptor()
    said = tell(model, (model.parted, Parted(2, 1.25)), (model.round_done, RoundDone(5, 3, 0)))
    verdict = Verdict(False, "the convoy has broken up: robot 2 is lost, it is 1.25 m behind its front robot")
    assert said == [("verdict", verdict)]


def test_it_tells_when_a_robot_was_lost() -> None:
    model = acceptor()
    tell(model, (model.round_done, RoundDone(1, 1, 0)), e=2.0)
    assert model.lost_at == {}
    tell(model, (model.lost, WayLost(4, "it cannot find its front robot")), e=0.5)
    assert model.lost_at == {4: 2.5}


def test_of_verdicts_at_one_instant_a_fault_counts_most_and_a_rejection_more_than_none() -> None:
    accepted, rejected = Verdict(True, "all rounds"), Verdict(False, "too near")
    fault = Verdict(False, "no link", fault=True)
    assert first_of([accepted]) == accepted
    assert first_of([accepted, rejected]) == rejected
    assert first_of([rejected, accepted, fault]) == fault
