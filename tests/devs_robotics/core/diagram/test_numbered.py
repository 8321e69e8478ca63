"""What is told in one can be taken apart again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.diagram.numbered import fold, told
from tests.devs_robotics.core.diagram.unfolding import taken_apart

small = st.integers(0, 6)
texts = st.lists(
    st.builds("a{}.x → b{}.y".format, small, small)
    | st.builds("a{:02}.x → out".format, st.integers(0, 30))
    | st.builds("c{}_{}.z{}".format, small, small, small)
    | st.sampled_from(["plain", "π"]),
    max_size=40,
)


@given(texts, st.integers(2, 5))
def test_folded_texts_stand_for_each_given_one_once(given: list[str], fewest: int) -> None:
    folded = fold(given, fewest)
    assert sorted(text for one in folded for text in taken_apart(one.text)) == sorted(given)
    assert sorted(number for one in folded for number in one.members) == list(range(len(given)))
    for one in folded:
        assert sorted(taken_apart(one.text)) == sorted(given[number] for number in one.members)
        assert len(one.members) in (1, *range(fewest, len(given) + 1))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([f"robot{k}.said → robot{k + 1}.heard" for k in range(1, 30)], "robot{k}.said → robot{k+1}.heard, k = 1..29"),
        ([f"robot{k}.motor → world.move" for k in range(2, 31)], "robot{2..30}.motor → world.move"),
        (
            [f"r{i}.o → r{j}.i" for i in range(4) for j in range(4) if i != j],
            "r{0..3}.o → r{0..3}.i, all unequal pairs",
        ),
        ([f"a{i}.o → b{j}.i" for i in range(3) for j in range(2)], "a{0..2}.o → b{0,1}.i, all pairs"),
        ([f"p{k}" for k in (1, 2, 3, 7, 9, 10)], "p{1..3,7,9,10}"),
        ([f"p{k:02}" for k in range(8, 10)] + ["p07"], "p{07..09}"),
    ],
)
def test_common_patterns_are_told_in_one(given: list[str], expected: str) -> None:
    assert [one.text for one in fold(given, 3)] == [expected]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["avoid"], "avoid"),
        (["m1", "m2"], "m1, m2"),
        (["m9", "m10", "m11"], "m9 … m11"),
        (["m1", "m3", "m4"], "m{1,3,4}"),
        (["m1", "m2", "m3", "other"], "m{1..3}, other"),
        (["a_1_1", "a_2_1", "a_3_1"], "a_1_1 … a_3_1"),
    ],
)
def test_names_that_follow_one_another_are_told_by_the_first_and_the_last(names: list[str], expected: str) -> None:
    assert told(names) == expected


def test_a_number_too_long_to_count_with_is_a_text_like_any_other() -> None:
    names = [f"m{'9' * 5000}{k}" for k in range(3)]
    assert len(fold(names, 3)) == 1
