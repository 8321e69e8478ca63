"""Lines that a record lacks, event by event."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from devs_robotics.core.observe import Changed, Event, Received, Sent, Started
from devs_robotics.experimental_frames.convoy.conformance.missing_lines import Gaps

FRONT, ROBOT = "team/robot1/convoy", "team/robot2/convoy"
HEAD = Started(devs_robotics="1", time=0.0, root="team", models={FRONT: "Leader", ROBOT: "Follower"})


def sent(time: float, model: str, *values: Any, port: str = "f_ready_out") -> Event:
    return Sent(time, model, port, values)


def received(time: float, model: str, *values: Any, port: str = "f_ready_in") -> Event:
    return Received(time, model, port, values)


def changed(time: float, model: str, kind: Any = "external") -> Event:
    return Changed(time, model, kind, 0.0, "phase", inf)


def found(*events: Event) -> list[str]:
    gaps = Gaps()
    return [words for event in (HEAD, *events) if (words := gaps.found(event))]


TOLD = [sent(1.0, FRONT, "a"), changed(1.0, FRONT, "internal"), received(1.0, ROBOT, "a"), changed(1.0, ROBOT)]


def test_a_record_that_is_whole_lacks_nothing() -> None:
    assert found(*TOLD) == []
    assert found(*TOLD, *TOLD) == []  # in a later step of the same instant


@pytest.mark.parametrize("later", [1.0 + 1e-12, 2.0])
def test_what_was_sent_at_another_instant_is_not_what_is_received(later: float) -> None:
    (words,) = found(*TOLD[:2], received(later, ROBOT, "a"))
    assert words.endswith("(f_ready_in), and the line in which robot 1 sent it is missing")


@pytest.mark.parametrize("later", [1.0 + 1e-12, 2.0])
def test_a_transition_belongs_to_the_instant_of_what_caused_it(later: float) -> None:
    assert found(*TOLD[:3], changed(later, ROBOT)) == ["robot 2's transition at 1 s is missing"]
    assert found(TOLD[0], changed(later, FRONT, "internal")) == ["robot 1's transition at 1 s is missing"]


def test_each_of_several_values_must_have_been_sent() -> None:
    assert found(sent(1.0, FRONT, "a", "b"), changed(1.0, FRONT, "internal"), received(1.0, ROBOT, "a", "b")) == []
    for values in (("a", "c"), ("c", "a")):
        (words,) = found(*TOLD[:2], received(1.0, ROBOT, *values))
        assert "convoy of robot 2 received something at 1 s" in words


@pytest.mark.parametrize("kind", ["external", "confluent"])
def test_a_transition_that_hears_something_has_a_line_of_what_it_heard(kind: str) -> None:
    assert found(*TOLD[:2], changed(1.0, ROBOT, kind)) == ["the line of what robot 2 heard at 1 s is missing"]
    assert found(*TOLD[:2], changed(1.0, ROBOT, "internal")) == []  # it hears nothing, and may be deaf
    own = sent(1.0, ROBOT, "done", port="round_done")
    assert found(*TOLD[:2], own, changed(1.0, ROBOT, kind)) == ["the line of what robot 2 heard at 1 s is missing"]
    assert found(*TOLD[:2], own, received(1.0, ROBOT, "a"), changed(1.0, ROBOT, kind)) == []
