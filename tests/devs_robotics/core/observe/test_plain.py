"""Values as plain data."""

from __future__ import annotations

import json
import subprocess
import sys
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from devs_robotics import Drive
from devs_robotics.core.observe import plain
from tests.devs_robotics.core.observe.random_traces import Strange, values
from tests.paths import ROOT

loop: list[Any] = []
loop.append(loop)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Drive(0.5, 1.0), {"turn": 0.5, "distance": 1.0}),
        ((1, "a", None), [1, "a", None]),
        ({"b", "a"}, ["a", "b"]),
        ({1: inf}, {"1": {"!float": "inf"}}),
        (np.float64(0.5), 0.5),
        (np.arange(2), [0, 1]),
        (1j, {"!repr": "1j"}),
        (loop, {"!repr": "[[...]]"}),
        ({(1, 2): 3}, {"[1,2]": 3}),
        ({1, "a", None}, ["a", 1, None]),
        ((loop, {(1,): 2}), {"!repr": "([[...]], {(1,): 2})"}),
        ("\ud800", "\\ud800"),
        (2**80, 2**80),
    ],
)
def test_values_become_what_json_can_hold(value: object, expected: object) -> None:
    assert plain(value) == expected


def test_an_objects_text_has_no_address() -> None:
    assert plain([Strange()]) == [{"!repr": "<tests.devs_robotics.core.observe.random_traces.Strange object>"}]


@given(values)
def test_any_value_survives_json_and_is_plain_then(value: object) -> None:
    built = plain(value)
    assert json.loads(json.dumps(built)) == built
    assert plain(built) == built


def test_sets_come_in_one_order_whatever_the_hash_seed() -> None:
    code = "from devs_robotics.core.observe import plain; print(plain([set('abcdef'), {'a', 1}, {('x',), ('y', 2)}]))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, cwd=ROOT, check=True, capture_output=True
        ).stdout
        for seed in "0123"
    }
    assert len(outputs) == 1
