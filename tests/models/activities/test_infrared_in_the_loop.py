"""Infrared that is real and modelled: the nearer of what the robot and the environment model see, beam by beam."""

from __future__ import annotations

from collections import deque
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Ranges, Sense
from devs_robotics.models.activities import LoopInfrared
from devs_robotics.models.environment import Cast, Distances
from tests.models.play import tell
from tests.models.test_phases import phases_in_code, ports_listed, table

ASKED = [("world_ask", Cast(3, (0.5, 0.0), 0.6)), ("device_ask", Sense())]

beams = st.tuples(*[st.one_of(st.just(inf), st.floats(0.0, 0.6))] * 2)


def infrared(resolution: float = 0.0) -> LoopInfrared:
    return LoopInfrared("infrared", 3, (0.5, 0.0), 0.6, resolution)


def test_it_asks_both_and_answers_when_both_have() -> None:
    model = infrared()
    assert tell(model, (model.ranging.ask, Sense())) == ASKED
    assert tell(model, (model.world.answer, Distances(3, (0.4, inf)))) == []
    assert tell(model, (model.device.answer, Ranges((0.5, 0.2)))) == [("ranging_answer", Ranges((0.4, 0.2)))]
    assert model.sigma == inf


def test_what_is_modelled_is_rounded_as_virtual_sensors_round() -> None:
    model = infrared(resolution=0.05)
    tell(model, (model.ranging.ask, Sense()))
    tell(model, (model.device.answer, Ranges((inf, inf))))
    assert tell(model, (model.world.answer, Distances(3, (0.42, inf)))) == [("ranging_answer", Ranges((0.4, inf)))]


def test_a_question_may_come_together_with_answers() -> None:
    model = infrared()
    tell(model, (model.ranging.ask, Sense()))
    tell(model, (model.device.answer, Ranges((0.1, 0.2))))
    said = tell(model, (model.world.answer, Distances(3, (0.2, 0.1))), (model.ranging.ask, Sense()))
    assert sorted(said, key=str) == sorted([*ASKED, ("ranging_answer", Ranges((0.1, 0.1)))], key=str)


@given(st.lists(st.tuples(beams, beams), max_size=5), st.data())
def test_however_answers_come_each_pair_belongs_to_one_question(
    pairs: list[tuple[tuple[float, ...], tuple[float, ...]]], data: st.DataObject
) -> None:
    model, heard = infrared(), list[Ranges]()
    real, modelled = (deque(each) for each in zip(*pairs, strict=True)) if pairs else (deque(), deque())
    for _ in pairs:
        assert tell(model, (model.ranging.ask, Sense())) == ASKED
    while real or modelled:
        if real and (not modelled or data.draw(st.booleans())):
            said = tell(model, (model.device.answer, Ranges(real.popleft())))
        else:
            said = tell(model, (model.world.answer, Distances(3, modelled.popleft())))
        heard += [value for _, value in said]
    assert heard == [Ranges(tuple(map(min, *pair))) for pair in pairs]


def test_its_docstring_says_what_it_does() -> None:
    assert {row["state"] for row in table(LoopInfrared)} == {"waiting", "asked", "answered"}
    assert phases_in_code(LoopInfrared) == set()
    assert ports_listed(LoopInfrared) == set(LoopInfrared._declared)
