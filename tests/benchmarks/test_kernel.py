"""The kernel benchmark measures what it says; how fast anything is, is not tested."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product

import pytest
from xdevs.models import Atomic, Component

from devs_robotics.core.ports import component_path
from devs_robotics.core.wiring import atomic_models, destinations
from tests.benchmarks.kernel import table, targets
from tests.benchmarks.kernel.__main__ import main
from tests.benchmarks.kernel.counting import DEVS, PYJEVSIM, Count
from tests.benchmarks.kernel.devstone import flat_edges
from tests.benchmarks.kernel.kernels import declared_ports, kernel_named, xdevs_model
from tests.benchmarks.kernel.measure import Job, measure
from tests.benchmarks.kernel.results import Cell, Cells, agreed, transitions_in
from tests.benchmarks.kernel.work import KERNELS, Devstone, Ring, Work, applies, missing

STONES = [
    Devstone(kind, width, depth) for kind in ("LI", "HI", "HO", "HOmod") for width, depth in ((2, 1), (2, 4), (5, 3))
]
RINGS = [Ring(2), Ring(7)]
STEPS = 40


def calls(kernel_name: str, work: Work) -> dict[str, int]:
    """What a kernel has a model do; functions by xdevs' names where they have a counterpart."""
    kernel, count = kernel_named(kernel_name), Count()
    phases = kernel.phases(work, STEPS if isinstance(work, Ring) else None)
    kernel.watch(next(phases), count)
    assert len(list(phases)) == 2
    names = dict(zip(PYJEVSIM, DEVS, strict=True))
    return {names.get(name, name): calls for name, calls in count.calls.items()}


@pytest.mark.parametrize("work", [*STONES, *RINGS], ids=lambda work: work.label)
@pytest.mark.parametrize("kernel", [kernel for kernel in KERNELS if kernel not in ("xdevs", "simpy")])
def test_every_kernel_has_a_model_do_what_xdevs_has_it_do(kernel: str, work: Work) -> None:
    if missing(kernel):
        pytest.skip(f"{kernel} is not installed: pip install -e '.[benchmark]'")
    if applies(kernel, work):
        assert calls(kernel, work) == calls("xdevs", work)


@pytest.mark.parametrize("ring", RINGS, ids=lambda work: work.label)
def test_a_step_of_a_ring_is_an_internal_and_an_external_transition(ring: Ring) -> None:
    assert calls("xdevs", ring) == {"lambdaf": STEPS, "deltint": STEPS, "deltext": STEPS}
    assert calls("simpy", ring) == {"resumed after Timeout": STEPS, "resumed after StoreGet": STEPS}


@pytest.mark.parametrize(("width", "depth"), list(product((2, 3, 6), (1, 2, 5))))
def test_devstone_makes_the_transitions_of_its_closed_forms(width: int, depth: int) -> None:
    levels, row, triangle = depth - 1, width - 1, width * (width - 1) // 2
    inputs = [1 + level * row for level in range(levels)]
    events = {
        "LI": levels * row + 1,
        "HI": levels * triangle + 1,
        "HO": levels * triangle + 1,
        "HOmod": 1 + sum(count * triangle + row * (row + count) for count in inputs),
    }
    for kind, expected in events.items():
        made = Counter(calls("ours", Devstone(kind, width, depth)))  # type: ignore[arg-type]  # a key, not any text
        assert made["deltext"] + made["deltcon"] == expected, kind
        assert made["deltint"] + made["deltcon"] == expected + 1, kind  # and the seeder's


def couplings(model: Component) -> Counter[tuple[str, str]]:
    """Paths of the atomic models that send, with those that receive from them."""
    return Counter(
        (component_path(atomic), component_path(end.parent))
        for atomic in atomic_models(model)
        for port in atomic.out_ports
        for end in destinations(port)
        if isinstance(end.parent, Atomic)
    )


@pytest.mark.parametrize("work", [*STONES, *RINGS], ids=lambda work: work.label)
def test_models_with_declared_ports_are_coupled_as_those_of_xdevs(work: Work) -> None:
    assert couplings(declared_ports(work)) == couplings(xdevs_model(work))


@pytest.mark.parametrize("stone", STONES, ids=lambda work: work.label)
def test_the_flat_devstone_is_coupled_as_that_of_xdevs(stone: Devstone) -> None:
    model = xdevs_model(stone)
    paths = [component_path(atomic) for atomic in atomic_models(model)]
    seeder, deepest = paths.index("devstone/seeder"), paths.index(max(paths, key=lambda path: path.count("/")))
    levels = [path for place, path in enumerate(paths) if place not in (seeder, deepest)]
    levels.sort(key=lambda path: path.count("/"))
    numbered = [paths[seeder], paths[deepest], *levels]
    assert Counter((numbered[sender], numbered[receiver]) for sender, receiver in flat_edges(stone)) == couplings(model)


def test_a_measurement_runs_in_a_process_of_its_own() -> None:
    measured = measure(Job(Devstone("HI", 4, 3), "xdevs", None, counting=True))
    assert transitions_in(measured.calls) == transitions_in(calls("xdevs", Devstone("HI", 4, 3)))
    assert min(measured.make_s, measured.setup_s, measured.run_s) > 0.0
    assert measure(Job(Ring(2), "simpy", 1)).calls == {}


def test_a_measurement_that_fails_says_of_what() -> None:
    with pytest.raises(SystemExit, match=r"simpy failed on HI 2x2:\n(.*\n)*AssertionError"):
        measure(Job(Devstone("HI", 2, 2), "simpy", None))


def test_kernels_that_make_different_numbers_of_transitions_are_not_compared() -> None:
    assert agreed("HI 2x2", {"ours": 5, "xdevs": 5}) == 5
    with pytest.raises(SystemExit, match=r"do not agree on the transitions of HI 2x2: {'ours': 5, 'xdevs': 4}"):
        agreed("HI 2x2", {"ours": 5, "xdevs": 4})


def made_up_cells() -> Cells:
    """Ours makes 800 transitions/s, xdevs 100 and the floor 1200."""
    runs = {"ours": 1.0, "xdevs": 8.0, "floor": 2 / 3}
    return {("HI", kernel): Cell(0.1, 0.25, run_s, 12.0, 800) for kernel, run_s in runs.items()}


def test_the_table_shows_ratios_and_names_each_model_once() -> None:
    rows = [dict(zip(table.HEADERS, row, strict=True)) for row in table.rows_of(made_up_cells())]
    assert [row["model"] for row in rows] == ["HI 100x100", "", ""]
    assert [row["to xdevs"] for row in rows] == ["8.00", "1.00", "12.00"]
    assert [row["to floor"] for row in rows] == ["1.50", "", ""]
    assert [row["transitions/s"] for row in rows] == ["800", "100", "1,200"]


def test_tables_line_up() -> None:
    assert table.text(("a", "long", "n"), [["word", "", "1,000"], ["x", "y", "2"]]) == (
        "a     long      n\nword        1,000\nx     y         2"
    )
    assert table.markdown(("a", "b", "n"), [["x", "", "2"]]) == ("| a | b | n |\n| --- | --- | ---: |\n| x |  | 2 |")


def test_targets_are_judged_by_declared_ports_and_left_out_when_not_measured() -> None:
    cells = made_up_cells()
    judged = {row[0]: row[1:] for row in targets.rows_of(cells)}
    assert judged == {
        "HI 100x100: speed to xdevs": ["at least 7", "8.00", "", "yes"],
        "HI 100x100: cost to the floor": ["at most 2.2", "1.50", "", "yes"],
        "HI 100x100: set-up of the kernel (s)": ["below 0.3", "0.25", "", "yes"],
    }
    cells["HI", "xdevs"] = Cell(0.1, 0.25, 2.0, 12.0, 800)
    assert targets.rows_of(cells)[0][-2:] == ["", "NO"]


def test_the_command_prints_table_targets_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--models", "ring-10", "--kernels", "ours", "floor", "--repeats", "1", "--markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| model | kernel |")
    assert lines[2].startswith("| ring of 10 | ours, declared ports |")
    assert any(line.startswith("- floor: ") for line in lines)


def test_a_peer_that_is_not_installed_is_left_out_with_a_note(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyjevsim", None)
    main(["--models", "HI", "--kernels", "pyjevsim"])
    assert "pyjevsim is not installed and was left out: pip install -e '.[benchmark]'" in capsys.readouterr().out
