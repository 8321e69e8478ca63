"""The design of a sweep: the points at which a scenario is run, and with which seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.sweep import Design, Value
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.case import case_of, resolve
from devs_robotics.scenarios.command_line import command_line
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.settings.loading import load, set_keys
from devs_robotics.scenarios.settings.problems import Problem, ScenarioError
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import LARGEST
from devs_robotics.scenarios.sweeps.axes import axis, range_of, refuse_keys, value_of
from devs_robotics.scenarios.sweeps.mistakes import of_combinations, of_sample
from devs_robotics.scenarios.sweeps.sampling import LEVELS, SECOND_ORDER, Kind, sample, sample_size
from devs_robotics.scenarios.sweeps.software import Software, modules_of, software

REPLICATES = 10
"""By default; a sample has one per point."""

MOST_RUNS = 100_000


class Wishes(Struct, frozen=True, kw_only=True):
    """What the user wants.

    Attributes:
        vary: ``KEY=VALUE,...`` texts, every combination of which is a point
        sobol, morris: ``KEY=LOW:HIGH`` texts, between which points are sampled
        samples: N, the base sample of Sobol indices or the number of Morris' trajectories
        replicates: runs per point; None for `REPLICATES`, or for one where points are sampled
        first_seed: of replicate 0; None for the scenario's
    """

    vary: tuple[str, ...] = ()
    sobol: tuple[str, ...] = ()
    morris: tuple[str, ...] = ()
    samples: int | None = None
    replicates: int | None = None
    first_seed: int | None = None


class DesignPoint(Struct, frozen=True):
    """A point of a design.

    Attributes:
        settings: ``KEY=VALUE`` texts that lead to it
        scenario: as it is there
        values: of the varied keys (SI)
        size: what a run costs there, in a unit of the case's own
    """

    settings: tuple[str, ...]
    scenario: Scenario
    values: tuple[Value, ...]
    size: float


class SweepPlan(Struct, frozen=True):
    """What a sweep is to run.

    Attributes:
        source: name or path of the scenario
        settings: ``KEY=VALUE`` texts that hold at every point
        wishes: what was asked for
        scenario: with nothing left open and the first seed, before anything is varied
        design: of the points
        points: themselves
        software: that makes the runs
    """

    source: str
    settings: tuple[str, ...]
    wishes: Wishes
    scenario: Scenario
    design: Design
    points: tuple[DesignPoint, ...]
    software: Software

    @property
    def command(self) -> str:
        """What is to be typed for this sweep, but for where its results go."""
        words = ["devs-robotics", "sweep", self.source]
        for setting in self.settings:
            words += ["--set", masked(setting)]
        for text in self.wishes.vary:
            words += ["--vary", text]
        for kind, ranges in (("sobol", self.wishes.sobol), ("morris", self.wishes.morris)):
            words += [f"--{kind}", *ranges] if ranges else []
        words += [] if self.wishes.samples is None else ["--samples", str(self.wishes.samples)]
        words += ["--replicates", str(self.design.replicates), "--seed", str(self.design.first_seed)]
        return command_line(words)

    @property
    def runs(self) -> int:
        """How many there are."""
        return self.design.runs


def plan(source: str, settings: Sequence[str], wishes: Wishes) -> SweepPlan:
    """Design a sweep.

    Args:
        source: name or path of the scenario
        settings: ``KEY=VALUE`` texts that hold at every point
        wishes: what is varied

    Raises:
        ScenarioError: with every mistake in the scenario
        DevsRoboticsError: with every mistake in the design
    """
    base = resolve(load(source, settings))
    first_seed = base.run.seed if wishes.first_seed is None else wishes.first_seed
    base = seeded(base, first_seed)
    design, changes = _design(base, wishes, set_keys(settings))
    if design.seed(design.replicates - 1) > LARGEST:
        raise DesignError(f"the seeds would go beyond {LARGEST}: begin with a smaller one, for instance --seed 1")
    points = tuple(_points(source, settings, design, changes))
    design = replace(design, points=tuple(point.values for point in points))
    if design.kind == "factorial":
        _refuse_repetition(design)
    made_with = software(modules_of(point.scenario for point in points))
    return SweepPlan(source, tuple(settings), wishes, base, design, points, made_with)


def seeded(scenario: Scenario, seed: int) -> Scenario:
    """The same scenario with another seed."""
    return scenario.model_copy(update={"run": scenario.run.model_copy(update={"seed": seed})})


def _design(base: Scenario, wishes: Wishes, fixed: set[str]) -> tuple[Design, list[tuple[str, ...]]]:
    """A design without its points, and of each the values as texts, by key."""
    kinds = [name for name in ("vary", "sobol", "morris") if getattr(wishes, name)]
    if len(kinds) > 1:
        raise DesignError(f"--{kinds[0]} and --{kinds[1]} are different designs: make a sweep of each")
    if wishes.sobol:
        return _sampled("sobol", wishes.sobol, base, wishes, fixed)
    if wishes.morris:
        return _sampled("morris", wishes.morris, base, wishes, fixed)
    if wishes.samples is not None:
        raise DesignError("--samples is for --sobol and --morris: take --replicates for more runs per point")
    axes = [axis(text, base) for text in wishes.vary]
    keys = tuple(key for each in axes for key in each.keys)
    refuse_keys("--vary", keys, fixed)
    replicates = REPLICATES if wishes.replicates is None else wishes.replicates
    _refuse_many(prod(len(each.levels) for each in axes) * replicates)
    design = Design(kind="factorial", keys=keys, replicates=replicates, first_seed=base.run.seed, points=())
    return design, [sum(levels, ()) for levels in product(*(each.levels for each in axes))]


def _sampled(
    kind: Kind, texts: Sequence[str], base: Scenario, wishes: Wishes, fixed: set[str]
) -> tuple[Design, list[tuple[str, ...]]]:
    option = f"--{kind}"
    ranges = [range_of(option, text, base) for text in texts]
    keys = tuple(each.key for each in ranges)
    refuse_keys(option, keys, fixed)
    samples = wishes.samples
    size = sample_size(kind, len(keys), samples)
    assert samples is not None
    replicates = 1 if wishes.replicates is None else wishes.replicates
    _refuse_many(size * replicates)
    design = Design(
        kind=kind,
        keys=keys,
        bounds=tuple((each.low, each.high) for each in ranges),
        samples=samples,
        levels=LEVELS if kind == "morris" else None,
        second_order=kind == "sobol" and SECOND_ORDER,
        replicates=replicates,
        first_seed=base.run.seed,
        points=(),
    )
    return design, [tuple(map(repr, row)) for row in sample(kind, ranges, samples, base.run.seed)]


def _refuse_many(runs: int) -> None:
    if runs > MOST_RUNS:
        raise DesignError(f"this would be {runs} runs, more than {MOST_RUNS}: vary less, or replicate less often")


def _points(
    source: str, settings: Sequence[str], design: Design, changes: Sequence[Sequence[str]]
) -> Iterator[DesignPoint]:
    """The points, checked one by one; raises when all have been, with every mistake."""
    keys = design.keys
    mistakes: dict[Problem, list[int]] = {}
    for number, texts in enumerate(changes):
        own = _settings(keys, texts)
        try:
            scenario = load(source, [*settings, *own])
            size = case_of(scenario).size(scenario)
        except DevsRoboticsError as exc:
            for problem in exc.problems if isinstance(exc, ScenarioError) else [Problem((), str(exc))]:
                mistakes.setdefault(problem, []).append(number)
            continue
        if not mistakes:
            yield DesignPoint(own, scenario, tuple(_value(scenario, key) for key in keys), size)
    if not mistakes:
        return
    if design.kind == "factorial":
        raise DesignError(of_combinations(mistakes, keys, changes))

    def refused(texts: Sequence[str], like: Problem) -> bool:
        try:
            load(source, [*settings, *_settings(keys, texts)])
        except ScenarioError as exc:
            return any(problem.keys == like.keys for problem in exc.problems)
        return False

    bounds = dict(zip(keys, design.bounds, strict=True))
    raise DesignError(of_sample(f"--{design.kind}", mistakes, keys, changes, bounds, refused))


def _settings(keys: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{key}={text}" for key, text in zip(keys, texts, strict=True))


def _value(scenario: Scenario, key: str) -> Value:
    """What the scenario has there."""
    found = value_of(scenario, key)
    if isinstance(found, list | dict):
        return json.dumps(found)
    value: Value = found
    return value


def _refuse_repetition(design: Design) -> None:
    """Two points may differ as texts only, ``0.1`` and ``10e-2`` for instance."""
    first: dict[tuple[Value, ...], int] = {}
    for number, values in enumerate(design.points):
        if first.setdefault(values, number) != number:
            raise DesignError(
                f"--vary: points {first[values]} and {number} are the same: "
                f"name each value once, and use --replicates for more runs"
            )
