"""The measurement of traffic management: its sweeps, and what its page says of them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics.experimental_frames.statistics import holm, paired_comparison, paired_p
from devs_robotics.experimental_frames.transport.comparison import (
    FEW,
    PolicyRuns,
    against_modes,
    against_policy,
    mean_text,
    verdict,
)
from devs_robotics.scenarios.transport import TRAFFIC
from devs_robotics.scenarios.transport_traffic import (
    BEST,
    FIRST,
    PARTS,
    TrafficSweep,
    alone_and_left_out,
    joined,
    main,
    page,
    sweeps,
)
from devs_robotics.scenarios.transport_traffic_page import TrafficRun, read_runs, table_of_runs
from tests.approximately import near

MODES = {mode: {seed: base + seed % 3 for seed in range(12)} for mode, base in (("full", 60.0), ("partial", 50.0))}


def test_p_values_are_corrected_from_the_smallest_on() -> None:
    """The example of R's p.adjust."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == [near(0.03), near(0.06), near(0.06), near(0.02)]
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_paired_p_is_that_of_scipy_and_at_the_border_of_the_interval_that_of_the_level() -> None:
    from scipy.stats import ttest_rel  # type: ignore[import-untyped]

    one, other = [3.0, 4.5, 5.0, 7.0], [2.0, 4.0, 5.5, 5.0]
    pair = paired_comparison(one, other)
    assert paired_p(pair) == near(float(ttest_rel(one, other).pvalue))
    shifted = paired_comparison([value - pair.interval.low for value in one], other)
    assert paired_p(shifted) == near(0.05)
    assert (paired_p(paired_comparison(one, one)), paired_p(paired_comparison([2.0, 3.0], [1.0, 2.0]))) == (1.0, 0.0)


def test_a_policy_is_held_against_the_best_mode_of_each_seed() -> None:
    modes = {"full": {1: 60.0, 2: 50.0, 3: 70.0}, "partial": {1: 55.0, 2: 58.0, 3: 66.0, 4: 1.0}}
    found = against_modes(PolicyRuns("some", {1: 40.0, 2: 40.0, 3: 46.0, 9: 1.0}), modes)
    assert found.seeds == (1, 2, 3)
    assert found.best is not None
    assert found.best.difference.mean == near((-15.0 - 10.0 - 20.0) / 3.0)
    assert found.modes["full"][0].difference.mean == near(-18.0)
    assert not found.is_better


def test_it_says_that_it_is_better_only_with_enough_seeds_and_interval_and_all() -> None:
    fast = PolicyRuns("fast", {seed: 40.0 + seed % 2 for seed in range(12)})
    like = PolicyRuns("like", {seed: 50.0 + (seed * 7) % 4 for seed in range(12)})
    found = [against_modes(policy, MODES) for policy in (fast, like)]
    assert [each.is_better for each in found] == [True, False]
    assert verdict(found) == "Faster than the best mode of the same seed, interval and all: fast."
    assert verdict(found[1:]) == "No policy is faster than the best mode of the same seed."
    few = against_modes(PolicyRuns("few", {1: 1.0, 2: 2.0}), MODES)
    assert verdict([few]) == f"Nothing follows from this: there are 2 seeds, and {FEW} would be the least."
    assert verdict([found[0], few]) == (
        "Faster than the best mode of the same seed, interval and all: fast. "
        f"Nothing follows for few: there are fewer than {FEW} seeds."
    )
    assert against_modes(PolicyRuns("one", {1: 1.0}), MODES).best is None
    assert against_policy(fast, PolicyRuns("one", {1: 1.0})) is None
    assert (mean_text({}), mean_text({1: 2.0})) == ("-", "2.0 (1)")


def test_each_option_is_measured_alone_and_left_out_by_seeds_that_were_not_tuned_on() -> None:
    policies = alone_and_left_out()
    assert policies[0] == joined(BEST)
    assert set(TRAFFIC) <= set(policies)
    for option in BEST:
        assert joined([each for each in BEST if each != option]) in policies
    made = list(sweeps(30, PARTS, quick=False))
    assert len({each.name for each in made}) == len(made)
    for each in made:
        seeds = range(each.first, each.first + each.seeds)
        assert (seeds.stop <= 21) if each.part == "tuning" else (seeds.start == FIRST)
    assert {each.scenario for each in made} == {"transport", "transport_gaps", "transport_pillars"}


def measure(folder: Path, *own: str) -> Path:
    assert main(["--out", str(folder), "--quick", "--jobs", "1", *own]) == 0
    return folder


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of losses with one seed, and then in the same folder with the next one; its tables of before, too."""
    folder = tmp_path_factory.mktemp("traffic")
    measure(folder, "--part", "loss", "--seeds", "1")
    for name in ("transport-traffic.csv", "loss-best/rows.jsonl"):
        copyfile(folder / name, folder / f"first-{Path(name).name}")
    return measure(folder, "--part", "loss")


def test_one_command_measures_goes_on_and_says_that_nothing_follows(measured: Path) -> None:
    first = (measured / "first-rows.jsonl").read_bytes()
    assert (measured / "loss-best" / "rows.jsonl").read_bytes().startswith(first)
    with (measured / "loss-modes" / "runs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 3 * 2
    page = (measured / "transport-traffic.md").read_text()
    assert "nothing follows from it" in page
    assert "Nothing follows from this: there are 2 seeds" in page
    assert "(2) |" in page


def test_kept_runs_count_and_the_measurement_goes_on_with_the_next_seeds(measured: Path, tmp_path: Path) -> None:
    first = measured / "first-transport-traffic.csv"
    assert len(read_runs(first)) == 2 * 3 + 2
    assert {run.robots for run in read_runs(first)} == {3}, "as its settings say, though nothing varies it"
    on = measure(tmp_path / "on", "--part", "loss", "--kept", str(first))
    with (on / "loss-modes" / "runs.csv").open(newline="") as file:
        assert {row["seed"] for row in csv.DictReader(file)} == {str(FIRST + 1)}
    for name in ("transport-traffic.csv", "transport-traffic.md"):
        assert (on / name).read_text() == (measured / name).read_text()
    kept = ("--kept", str(on / "transport-traffic.csv"))
    other = measure(tmp_path / "other", "--part", "tuning", "--seeds", "1", *kept)
    assert {(run.mode, run.loss) for run in read_runs(other / "transport-traffic.csv") if run.sweep == "tuning"} == {
        ("full", 0.0)
    }, "and as the scenario says where they say nothing"
    page = (other / "transport-traffic.md").read_text()
    assert "## Loss of messages" in page, "what was kept of another part is told, too"
    assert "## Tuning" in page


def kept_of(each: TrafficSweep, seeds: Callable[[Mapping[str, str]], Iterable[int]]) -> list[TrafficRun]:
    """Runs of a sweep, of each of its points so many seeds."""
    told = {"transport.mode": "full", "transport.traffic": "none", "transport.robots": "15", "transport.loss": "0"}
    points = [told | dict(zip(each.vary, values, strict=True)) for values in product(*each.vary.values())]
    return [
        TrafficRun(each.name, mode, traffic, int(robots), float(loss), seed, 9.0)
        for point in points
        for mode, traffic, robots, loss in (point.values(),)
        for seed in seeds(point)
    ]


@pytest.mark.parametrize("each", list(sweeps(4, PARTS, quick=False)), ids=lambda each: each.name)
def test_what_is_kept_of_a_sweep_is_not_run_again(each: TrafficSweep) -> None:
    every = range(each.first, each.first + each.seeds)
    assert each.without([]) == replace(each, vary={key: list(values) for key, values in each.vary.items()})
    assert each.without(kept_of(each, lambda point: every)) is None
    left = each.without(kept_of(each, lambda point: every[:-1]))
    assert left is not None
    assert (left.first, left.seeds) == (every[-1], 1)
    key, values = max(each.vary.items(), key=lambda item: len(item[1]))
    left = each.without(kept_of(each, lambda point: every[:1] if point[key] == values[-1] else every))
    assert left is not None
    assert (left.vary[key], left.first, left.seeds) == ([values[-1]], every[1], each.seeds - 1)


RUNS = st.builds(
    TrafficRun,
    st.sampled_from(("transport-modes", "loss-best", "tuning")),
    st.sampled_from(("full", "partial", "none")),
    st.sampled_from(("none", "ends", joined(BEST))),
    st.integers(1, 60),
    st.sampled_from((0.0, 0.1, 0.3)),
    st.integers(1, 200),
    st.floats(0.0, 180.0).map(lambda minutes: round(minutes, 3)),
)


@given(st.sets(RUNS, max_size=8))
def test_kept_runs_are_read_as_they_were_written_in_whatever_order(runs: set[TrafficRun]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.csv"
        path.write_text(table_of_runs(runs))
        assert read_runs(path) == sorted(runs)


def test_a_table_that_is_none_of_runs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kept.csv"
    for text, sentence in (
        ("sweep,seed\nloss-best,1\n", "is no table of runs"),
        (
            table_of_runs([TrafficRun("loss-best", "full", "none", 15, 0.1, 1, 9.0)]).replace("15", "many"),
            "is no table",
        ),
        (
            table_of_runs([TrafficRun("loss-best", "full", "none", 15, 0.1, 1, 9.0)]),
            "a run of loss-best has 15 robots there, and 3 are wanted",
        ),
        ("", "is no table"),
        ("x" * 200_000, "is no table"),
        (None, "cannot be read"),
    ):
        path.unlink() if text is None else path.write_text(text)
        assert main(["--out", str(tmp_path / "out"), "--quick", "--kept", str(path)]) == 2
        assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_page_of_the_documentation_is_that_of_the_runs_beside_it() -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert page(read_runs(docs / "transport-traffic.csv")) == (docs / "transport-traffic.md").read_text()


def test_what_is_no_part_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), "--part", "rain"])
    assert "must be one of tuning, arenas, robots, loss, not 'rain'" in capsys.readouterr().err


def test_an_option_that_is_cut_short_is_not_taken_for_another_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), "--seed", "7"])
    assert "there is no option --seed: did you mean --seeds?" in capsys.readouterr().err
