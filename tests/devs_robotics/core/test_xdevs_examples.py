"""The examples that come with xdevs run unmodified under our simulator, with the results they have under their own."""

from __future__ import annotations

import importlib
import io
import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import xdevs.examples.celldevs_sir
from xdevs.examples.devstone.devstone import HI, HO, LI, HOmod
from xdevs.examples.devstone.generator import Generator
from xdevs.examples.gpt.models import Gpt
from xdevs.examples.store.models.store import Store
from xdevs.models import Coupled as XdevsCoupled

from tests.tracing import Trace, trace_ours, trace_xdevs

Tracer = Callable[[Any, float], Trace]


def both(run: Callable[[Tracer], Any]) -> tuple[Any, Any]:
    """What a run comes to under our simulator and under xdevs' own."""
    return run(trace_ours), run(trace_xdevs)


def events(trace: Trace) -> dict[str, list[tuple[Any, ...]]]:
    """A trace without its bags: the messages of some examples have no `repr` of their own."""
    return {path: [tuple(map(_rounded, (*event[:2], *event[3:]))) for event in told] for path, told in trace.items()}


def _rounded(value: Any) -> Any:
    """Times to a nanosecond: xdevs adds them up in another way."""
    return round(value, 9) if isinstance(value, float) else value


def printed(run: Callable[[], Any]) -> list[str]:
    """What a run prints, but for the times on the clock."""
    out = io.StringIO()
    with redirect_stdout(out):
        run()
    return [line.partition(") ")[2] if line.startswith("(") else line for line in out.getvalue().splitlines()]


def devstone(kind: Callable[..., Any], width: int, depth: int) -> XdevsCoupled:
    root = XdevsCoupled("root")
    stone, source = kind("stone", depth, width, 0, 0), Generator("source", 1)
    root.add_component(source)
    root.add_component(stone)
    for port in stone.in_ports:
        root.add_coupling(source.o_out[0], port)
    return root


@pytest.mark.parametrize("kind", [LI, HI, HO, HOmod])
def test_devstone(kind: Callable[..., Any]) -> None:
    ours, theirs = both(lambda trace: trace(devstone(kind, 5, 4), 5.0))
    assert ours == theirs


def test_generator_processor_transducer() -> None:
    def run(trace: Tracer) -> Any:
        told: list[Trace] = []
        lines = printed(lambda: told.append(trace(Gpt("gpt", 3, 4, 100), 110.0)))
        return events(told[0]), [line.partition("@ t = 1")[0] for line in lines]

    ours, theirs = both(run)
    assert ours == theirs
    assert sum(map(len, ours[0].values())) > 100


@pytest.mark.parametrize("spread", [0.0, 0.5])
def test_store(spread: float) -> None:
    """Its queue pairs clients and employees in the order of their arrival, and prints what it does."""

    def run(trace: Tracer) -> Any:
        random.seed(1)
        told: list[Trace] = []
        lines = printed(lambda: told.append(trace(Store(3, 5, 3, spread, spread), 60.0)))
        return events(told[0]), lines

    ours, theirs = both(run)
    assert ours[0] == theirs[0]
    assert sorted(ours[1]) == sorted(theirs[1])
    assert len(ours[1]) > 60


@pytest.fixture
def sir() -> Iterator[Any]:
    """The Cell-DEVS epidemic example, whose modules import each other as if from their own folder."""
    folder = str(Path(next(iter(xdevs.examples.celldevs_sir.__path__))))
    sys.path.insert(0, folder)
    yield importlib.import_module("main")
    sys.path.remove(folder)
    for name in ("main", "sir_cell", "sir_coupled", "sir_sink"):
        sys.modules.pop(name, None)


SIR = {
    "scenario": {"shape": [6, 5]},
    "cells": {
        "default": {
            "cell_type": "sir",
            "delay": "inertial",
            "config": {"virulence": 0.6, "recovery": 0.4},
            "state": {"population": 100, "susceptible": 1, "infected": 0, "recovered": 0},
            "neighborhood": [{"type": "von_neumann", "vicinity": {"connectivity": 1, "mobility": 0.5}, "range": 1}],
            "eoc": [["out_celldevs", "out_sink"]],
        },
        "ill": {"state": {"susceptible": 0.7, "infected": 0.3}, "cell_map": [[2, 2]]},
    },
}


def test_cell_devs_epidemic(sir: Any, tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.json"
    scenario.write_text(json.dumps(SIR))

    def run(trace: Tracer) -> Any:
        model = sir.SIRModel(str(scenario))
        told = events(trace(model, 60.0))
        report = model.sink.scenario_report
        cells = {cell.name: vars(cell.cell_state) for cell in model.celldevs.components}
        return told, cells, vars(report)

    ours, theirs = both(run)
    assert ours[:2] == theirs[:2]
    assert ours[2] == pytest.approx(theirs[2], rel=1e-12)  # a sum over a bag, whose order is free
    assert ours[2]["recovered"] > 0.3
