from __future__ import annotations

from math import inf

import pytest

from devs_robotics import Fault, Simulator
from devs_robotics.experimental_frames.frame import Acceptor, Verdict


class Patience(Acceptor):
    """Ends a run at its first event."""

    def judge(self) -> Verdict | None:
        return Verdict(False, f"something came at {self.time:g} s")


def ended(acceptor: Acceptor, *faults: tuple[float, str]) -> tuple[float, list[Verdict]]:
    with Simulator(acceptor) as simulator:
        for at, reason in faults:
            simulator.inject(acceptor.fault, Fault(2, reason), at=at)
        simulator.run(stop=acceptor.verdict)
        return simulator.time, list(acceptor.verdict.values)


def test_a_run_ends_when_its_time_is_over() -> None:
    assert ended(Acceptor("acceptor", 12.0)) == (12.0, [Verdict(True, "the duration of 12 s is over")])


def test_a_run_without_a_limit_goes_on() -> None:
    assert ended(Acceptor("acceptor")) == (0.0, [])


@pytest.mark.parametrize("kind", [Acceptor, Patience])
def test_a_fault_ends_it_before_anything_else_does(kind: type[Acceptor]) -> None:
    faults = ((3.0, "robot 2 was lost"), (3.0, "robot 3 was lost"), (4.0, "late"))
    assert ended(kind("acceptor", 12.0), *faults) == (3.0, [Verdict(False, "robot 2 was lost", fault=True)])


def test_what_is_done_is_told_by_time() -> None:
    assert Acceptor("acceptor", 10.0).share(2.5) == 0.25
    assert Acceptor("acceptor", inf).share(2.5) == 0.0
