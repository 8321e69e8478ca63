"""Marks of a live run: who looks all the time and who comes later see the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Mark, Scene
from devs_robotics.view.server.markings import Markings
from devs_robotics.view.shared import MarksNow

SCENE = Scene(title="", width=1.0, height=1.0, marks={"a": Mark(text="at first"), "b": Mark(text="b"), "floor": Mark()})

differing = st.dictionaries(
    st.sampled_from("abcde"), st.one_of(st.none(), st.builds(Mark, text=st.sampled_from("xyz")))
)


def after(marks: dict[str, Mark], changes: list[MarkChange]) -> dict[str, Mark]:
    now: dict[str, Mark | None] = dict(marks)
    now.update((each.name, each.mark) for each in changes)
    return {name: mark for name, mark in now.items() if mark is not None}


@given(st.lists(differing, max_size=30), st.sampled_from([2, 4, 10, 1000]))
def test_all_who_look_see_the_same_marks(steps: list[dict[str, Mark | None]], most: int) -> None:
    markings, marks = Markings(most), dict(SCENE.marks)
    for time, changed in enumerate(steps):
        marks = after(marks, markings.take(MarksNow(float(time), changed), SCENE))
        expected = {**SCENE.marks, **changed}
        assert marks == {name: mark for name, mark in expected.items() if mark is not None}
        assert after(markings.begun(SCENE).marks, markings.changes) == marks
        assert len(markings.changes) <= most
        assert [each.time for each in markings.changes] == sorted(each.time for each in markings.changes)


def test_marks_that_stay_are_told_once() -> None:
    markings = Markings()
    now = MarksNow(1.0, {"a": None, "d": Mark(text="d")})
    assert len(markings.take(now, SCENE)) == 2
    assert markings.take(now, SCENE) == []
