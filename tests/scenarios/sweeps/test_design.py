"""Designs of sweeps: which points there are, and what is said of those that cannot be."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from SALib.analyze import morris, sobol

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.sweeps.axes import split
from devs_robotics.scenarios.sweeps.design import SweepPlan, Wishes, plan
from devs_robotics.scenarios.sweeps.runs import command, place

PAPER = ((0.04, 0.04), (0.1, 0.08), (0.2, 0.1))
SMALL = "convoy.robots=2"
"""What does not vary robots is the same with two of them, which are soon built."""

RANGES = ("noise.dnf=0:0.3", "noise.anf=0:0.15", "leader.step=0.1:0.5")


def planned(*settings: str, **wishes: object) -> SweepPlan:
    return plan("convoy", settings, msgspec.convert(wishes, Wishes))


def refusal(*settings: str, **wishes: object) -> str:
    with pytest.raises(DevsRoboticsError) as caught:
        planned(*settings, **wishes)
    return str(caught.value)


LEVELS = {
    "noise.dnf": st.floats(0.0, 0.9),
    "convoy.robots": st.integers(2, 12),
    "follower.recoveries": st.integers(0, 9),
    "leader.step": st.floats(0.01, 0.4),
}


@st.composite
def axes(draw: st.DrawFn) -> dict[str, list[float]]:
    keys = draw(st.lists(st.sampled_from(sorted(LEVELS)), max_size=3, unique=True))
    return {key: draw(st.lists(LEVELS[key], min_size=1, max_size=3, unique=True)) for key in keys}


@settings(max_examples=25)
@given(varied=axes(), replicates=st.integers(1, 4), first_seed=st.integers(0, 1000))
def test_every_combination_is_a_point_and_every_point_has_the_same_seeds(
    varied: dict[str, list[float]], replicates: int, first_seed: int
) -> None:
    vary = tuple(f"{key}={','.join(map(repr, values))}" for key, values in varied.items())
    sweep = planned(vary=vary, replicates=replicates, first_seed=first_seed)
    assert sweep.design.keys == tuple(varied)
    assert sweep.design.points == tuple(product(*varied.values()))
    assert sweep.runs == replicates * prod(map(len, varied.values()))
    seeds: dict[tuple[object, ...], list[int]] = {}
    for number in range(sweep.runs):
        point, seed = place(sweep, number)
        seeds.setdefault(point.values, []).append(seed)
    assert len(seeds) == len(sweep.points)
    assert all(each == list(range(first_seed, first_seed + replicates)) for each in seeds.values())
    for point in sweep.points:
        for key, value in zip(varied, point.values, strict=True):
            name, last = key.split(".")
            assert getattr(getattr(point.scenario, name), last) == value


def test_the_published_noise_sets_are_varied_together() -> None:
    sweep = planned(vary=("noise=paper",), replicates=20)
    assert sweep.design.keys == ("noise.dnf", "noise.anf")
    assert sweep.design.points == PAPER
    assert sweep.runs == 60
    assert command(sweep, 21) == "devs-robotics run convoy --set noise.dnf=0.1 --set noise.anf=0.08 --seed 2"


def test_quantities_words_and_lists_are_values_too() -> None:
    vary = ("leader.step=10 cm,0.2", "frame.approaches=false,true", 'leader.path=[],[["90 deg","1 m"]]')
    points = planned(vary=vary).design.points
    assert len(points) == 8
    assert points[0] == (0.1, False, "[]")
    assert points[-1] == (0.2, True, "[[1.5707963267948966, 1.0]]")


def test_a_value_that_is_the_default_is_one_where_plain_data_leave_it_out() -> None:
    points = planned(vary=("tracking.delay=0,0.05", "sensing.rules=exact,original", "presence.await=0,2")).design.points
    assert points == tuple(product((0.0, 0.05), ("exact", "original"), (0, 2)))


def test_a_sweep_in_which_nothing_is_varied_replicates() -> None:
    sweep = planned("run.seed=7", "noise.dnf=0.2")
    assert sweep.design.points == ((),)
    assert [place(sweep, number)[1] for number in range(sweep.runs)] == list(range(7, 17))
    assert command(sweep, 0) == "devs-robotics run convoy --set run.seed=7 --set noise.dnf=0.2 --seed 7"


@given(parts=st.lists(st.text("abc 1.{}[]'\"", max_size=6), min_size=1, max_size=4))
def test_texts_are_split_at_commas_only_outside_brackets(parts: list[str]) -> None:
    whole = [part.strip() for part in parts if all(part.count(sign) == 0 for sign in "[]{}'\"")]
    if whole:
        assert split(",".join(whole)) == whole
    assert split(f"[{','.join(whole)}]") == [f"[{','.join(whole)}]"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("'a,b',c", ["'a,b'", "c"]),
        ('"a,\'b",c', ['"a,\'b"', "c"]),
        ("[[1, 2], [3, 4]],[[5, 6]]", ["[[1, 2], [3, 4]]", "[[5, 6]]"]),
        ("{a=1,b=2},3", ["{a=1,b=2}", "3"]),
        ("'[',2", ["'['", "2"]),
        ("],1", ["]", "1"]),
    ],
)
def test_commas_in_quotes_and_brackets_part_nothing(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_so_many_runs_as_may_be_are_planned() -> None:
    assert planned(replicates=100_000).runs == 100_000


def matrix(sweep: SweepPlan) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(sweep.design.points, dtype=float)


def problem(sweep: SweepPlan) -> dict[str, object]:
    keys = sweep.design.keys
    return {"num_vars": len(keys), "names": list(keys), "bounds": [list(each) for each in sweep.design.bounds]}


@settings(max_examples=15)
@given(
    exponent=st.integers(1, 3),
    rounds=st.tuples(st.integers(1, 200), st.integers(1, 200)),
    kind=st.sampled_from(["sobol", "morris"]),
)
def test_samples_keep_to_their_ranges(exponent: int, rounds: tuple[int, int], kind: str) -> None:
    low, high = rounds[0], sum(rounds)
    wishes: dict[str, Any] = {
        kind: (f"run.rounds={low}:{high}", "leader.step=10 cm:40 cm"),
        "samples": 1 << exponent,
    }
    sweep = planned(SMALL, **wishes)
    assert len(sweep.points) == (1 << exponent) * (4 if kind == "sobol" else 3)
    assert sweep.design == planned(SMALL, **wishes).design
    assert list(sweep.design.bounds) == [(low, high), (0.1, 0.4)]
    points: Any = sweep.design.points
    for count, step in points:
        assert isinstance(count, int)
        assert isinstance(step, float)
        assert low <= count <= high
        assert 0.1 <= step <= 0.4


def test_of_a_sample_sobol_indices_can_be_had() -> None:
    """Of a sum they are the shares of variance, which for uniform numbers go with the squares of coefficients."""
    sweep = planned(SMALL, sobol=RANGES, samples=64)
    assert len(sweep.points) == 320
    low, high = np.array(sweep.design.bounds).T
    effects = np.array([1.0, 2.0, 3.0])
    answer = ((matrix(sweep) - low) / (high - low)) @ effects
    found = sobol.analyze(problem(sweep), answer, calc_second_order=sweep.design.second_order, seed=1)
    assert found["ST"] == pytest.approx(effects**2 / 14.0, abs=0.05)
    assert found["S1"] == pytest.approx(effects**2 / 14.0, abs=0.1)


def test_of_a_sample_elementary_effects_can_be_had() -> None:
    sweep = planned(SMALL, morris=(*RANGES[:2], "leader.step=0.1:0.4"), samples=10, first_seed=3)
    low, high = np.array(sweep.design.bounds).T
    answer = ((matrix(sweep) - low) / (high - low)) @ np.array([1.0, -2.0, 0.0])
    found = morris.analyze(problem(sweep), matrix(sweep), answer, num_levels=sweep.design.levels, seed=1)
    assert found["mu"].tolist() == pytest.approx([1.0, -2.0, 0.0])
    assert found["sigma"].tolist() == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


MISTAKES = [
    ({"vary": ("noise.dfn=0.1,0.2",)}, "every point: noise.dfn: there is no such key: did you mean 'noise.dnf'?"),
    ({"vary": ("noise.dnf",)}, "--vary 'noise.dnf' says no values: write --vary KEY=VALUE,VALUE,..., for instance"),
    ({"vary": ("noise.dnf=",)}, "--vary 'noise.dnf=' says no values"),
    ({"vary": ("noise.dnf=0.1,,0.2",)}, "--vary noise.dnf=0.1,,0.2: a value is missing"),
    ({"vary": ("noise=papr",)}, "noise is a table, and 'papr' no set of values for it: write noise=paper"),
    ({"vary": ("convoy=10",)}, "--vary convoy=10: convoy is a table: vary one of its keys, such as convoy.robots"),
    ({"vary": ("noise=paper", "noise.anf=0.1")}, "--vary names noise.anf twice: name it once"),
    ({"vary": ("noise.dnf=.1,0.10",)}, "--vary: points 0 and 1 are the same: name each value once"),
    ({"vary": ("run.seed=1,2",)}, "--vary: run.seed is what replicates differ in: use --replicates"),
    (
        {"vary": ("leader.step=10 cm,0.6", "noise.dnf=0.1,2")},
        "point 1 (leader.step=10 cm, noise.dnf=2) and 1 other: noise.dnf: must be less than 1, not 2\npoint 2 (",
    ),
    (
        {"vary": ("leader.step=10 cm,0.6", "noise.dnf=0.1,2")},
        "point 2 (leader.step=0.6, noise.dnf=0.1) and 1 other: leader.step: a step of 0.6 m would lead past",
    ),
    ({"vary": ("noise.dnf=0.1,a",)}, "point 1 (noise.dnf=a): noise.dnf: must be a number, such as 0.1, not 'a'"),
    ({"samples": 8}, "--samples is for --sobol and --morris: take --replicates"),
    ({"vary": ("noise=paper",), "sobol": RANGES}, "--vary and --sobol are different designs: make a sweep of each"),
    ({"sobol": RANGES, "morris": RANGES}, "--sobol and --morris are different designs"),
    ({"sobol": RANGES}, "--sobol needs --samples N: try 64"),
    ({"sobol": RANGES, "samples": 60}, "--samples 60 would not fill the space evenly: take a power of 2, such as 64"),
    ({"sobol": RANGES, "samples": 1 << 30}, "runs, more than 100000: vary less, or replicate less often"),
    ({"morris": RANGES, "samples": 1}, "--samples 1 gives no spread of effects: make it at least 2"),
    ({"sobol": ("noise.dnf=0.3:0",), "samples": 8}, "the range is empty, for 0.3 is not less than 0: swap them"),
    ({"sobol": ("noise.dnf=0.3:0.3",), "samples": 8}, "the range is empty, for 0.3 is not less than 0.3: swap them"),
    ({"replicates": 100_001}, "this would be 100001 runs, more than 100000"),
    ({"sobol": ("noise.dnf=0:1.5",), "samples": 8}, "--sobol noise.dnf=0:1.5: noise.dnf: must be less than 1, not 1.5"),
    ({"sobol": ("noise.dnf=-1:0.5",), "samples": 8}, "noise.dnf: must be at least 0, not -1"),
    ({"sobol": ("noise.dnf=0",), "samples": 8}, "'0' is no range: write KEY=LOW:HIGH, for instance"),
    ({"sobol": ("noise.dfn=0:1",), "samples": 8}, "noise.dfn: there is no such key: did you mean 'noise.dnf'?"),
    ({"sobol": ("noise.dnf.x=0:1",), "samples": 8}, "noise.dnf.x is no number: vary it with --vary"),
    ({"sobol": ("convoy",), "samples": 8}, "--sobol 'convoy' says no values"),
    ({"morris": ("leader.step=0.1:0.5",), "samples": 8}, "leader.step: a step of 0.5 m would lead past"),
    ({"first_seed": 2**63 - 10, "replicates": 11}, f"the seeds would go beyond {2**63 - 1}: begin with a smaller one"),
    ({"vary": ("convoy.robots=2,3",), "replicates": 60_000}, "this would be 120000 runs, more than 100000"),
]


def test_the_last_seed_of_all_is_one() -> None:
    sampled = planned(morris=RANGES[:2], samples=2, first_seed=2**63 - 1)
    assert sampled.design.seed(0) == 2**63 - 1


@pytest.mark.parametrize(("wishes", "sentence"), MISTAKES)
def test_every_mistake_is_told_with_its_remedy(wishes: dict[str, object], sentence: str) -> None:
    assert sentence in refusal(**wishes)


@pytest.mark.parametrize(
    ("ranges", "remedy"),
    [
        (("leader.step=0.1:0.9",), "; end the range of leader.step below 0.5"),
        (("leader.step=0.1:0.9", "noise.dnf=0:0.1"), "; end the range of leader.step below 0.5"),
        (("leader.clearance=0.1:0.6",), "; begin the range of leader.clearance above 0.2"),
        (("frame.transient_rounds=0:500",), "; end the range of frame.transient_rounds at 339"),
        (
            ("leader.step=0.1:0.4", "leader.clearance=0.2:0.6"),
            "; narrow the ranges of leader.step and leader.clearance",
        ),
        (("leader.step=0.6:0.9",), "make it less than leader.clearance"),
    ],
)
def test_of_a_range_that_goes_too_far_it_is_told_in_one_line_where_it_must_end(
    ranges: tuple[str, ...], remedy: str
) -> None:
    (line,) = refusal(SMALL, "run.rounds=340", sobol=ranges, samples=16).splitlines()
    assert line.startswith("--sobol: ")
    assert line.endswith(remedy)


@pytest.mark.parametrize("setting", ["noise.dnf=0.1", "noise={dnf=0.1}"])
def test_a_key_is_set_or_varied(setting: str) -> None:
    sentence = refusal(setting, vary=("noise=paper",))
    assert sentence == "noise.dnf is both set, by --set, and varied, by --vary: choose one"


def test_mistakes_of_the_scenario_itself_come_first() -> None:
    with pytest.raises(ScenarioError, match=r"--set: convoy\.robots: must be at least 2, not 1"):
        planned("convoy.robots=1", vary=("noise.dfn=1",))
