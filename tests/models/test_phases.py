"""The tables of phases and the lists of ports in docstrings are those of the code."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdevs.models import Atomic as XdevsAtomic

from devs_robotics import Atomic, Drive, Driven, Motor, Port, RangeSensor, Simulator, Touch, Whiskers
from devs_robotics.core.observe import Observer, TransitionKind
from devs_robotics.models.activities import (
    ContinuousMotor,
    Guard,
    HardwareMotor,
    LoopMotor,
    VirtualActivity,
    VirtualInfrared,
    VirtualMotor,
    VirtualPositioning,
    VirtualRadio,
    VirtualSonar,
    VirtualTransceiver,
    VirtualWhiskers,
)
from devs_robotics.models.batteries import Battery, TurningWheels
from devs_robotics.models.convoy.avoid import Avoid
from devs_robotics.models.convoy.follower import Follower
from devs_robotics.models.convoy.leader import Leader
from devs_robotics.models.environment import Air, Radio, WorldModel
from devs_robotics.models.environment.questions import Room
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.models.transport.explorer import Explorer
from devs_robotics.models.transport.path_book import PathBook
from devs_robotics.models.transport.talker import Talker
from devs_robotics.models.transport.traveller import Traveller
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.forage import Forage, Items
from devs_robotics.scenarios.meet import Mingle
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.wander import Wander

WITH_PHASES = [
    Air,
    Avoid,
    Battery,
    Explorer,
    Follower,
    Forage,
    Guard,
    Leader,
    Mingle,
    PathBook,
    Radio,
    SpaceManager,
    Talker,
    TimeManager,
    Traveller,
    TurningWheels,
    Wander,
    WorldModel,
]
WITHOUT = [Motor, VirtualActivity, VirtualInfrared, VirtualWhiskers]
"""Their states are told by what they hold, and their phase is always the same."""

LISTED = [
    *WITH_PHASES,
    *WITHOUT,
    ContinuousMotor,
    HardwareMotor,
    LoopMotor,
    RangeSensor,
    VirtualMotor,
    VirtualPositioning,
    VirtualRadio,
    VirtualSonar,
    VirtualTransceiver,
    Whiskers,
]

Row = dict[str, str]


def table(cls: type) -> list[Row]:
    """The rows of the table in a docstring, by the heads of its columns; an empty first cell goes on with the row."""
    lines = inspect.cleandoc(cls.__doc__ or "").splitlines()
    first, second, last = [number for number, line in enumerate(lines) if line.startswith("====")]
    places = [match.span() for match in re.finditer("=+", lines[first])]

    def cells(line: str) -> list[str]:
        return [line[start:end].strip() for start, end in places]

    assert second == first + 2
    heads = cells(lines[first + 1])
    rows: list[list[str]] = []
    for line in lines[second + 1 : last]:
        if line[0] == " ":
            rows[-1] = [f"{before} {more}".strip() for before, more in zip(rows[-1], cells(line), strict=True)]
        else:
            rows.append(cells(line))
    return [dict(zip(heads, row, strict=True)) for row in rows]


def phases_in_code(cls: type) -> set[str]:
    """The phases that a class and those it inherits from this project's models set."""
    found: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.startswith(("devs_robotics.models", "devs_robotics.core.robots", "devs_robotics.scenarios")):
            names = vars(sys.modules[base.__module__])
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(base)))):
                for value in phases_set(node):
                    found |= texts(value, names)
    return found


def phases_set(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions that a piece of code sets the phase to."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            yield from (value for place, value in pairs if isinstance(place, ast.Attribute) and place.attr == "phase")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "passivate" and not node.args:
            yield ast.Constant("passive")
        elif node.func.attr in ("activate", "hold_in", "passivate"):
            yield node.args[0]


def texts(value: ast.expr, names: dict[str, Any]) -> set[str]:
    """What an expression can be: a text, one of two, or one out of a dictionary of the module."""
    if isinstance(value, ast.IfExp):
        return texts(value.body, names) | texts(value.orelse, names)
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        return set(names[value.value.id].values())
    assert isinstance(value, ast.Constant), ast.unparse(value)
    assert isinstance(value.value, str)
    return {value.value}


def ports_listed(cls: type) -> set[str]:
    """The ports in the docstrings of a class and those that it inherits from."""
    found: set[str] = set()
    for base in cls.__mro__:
        if issubclass(base, Atomic):
            section = re.search(r"\nPorts\b.*:\n((?: {4}.*\n?)+)", inspect.cleandoc(base.__doc__ or ""))
            for names in re.findall(r"^ {4}(\w[\w, ]*):", section[1] if section else "", re.MULTILINE):
                found |= set(names.split(", "))
    return found


@pytest.mark.parametrize("cls", WITH_PHASES)
def test_the_phases_of_the_table_are_those_of_the_code(cls: type) -> None:
    assert {row["phase"] for row in table(cls)} == phases_in_code(cls)


@pytest.mark.parametrize("cls", WITHOUT)
def test_models_without_phases_set_none(cls: type) -> None:
    assert {"waiting"} < {row["state"] for row in table(cls)}
    assert phases_in_code(cls) == set()


@pytest.mark.parametrize("cls", LISTED)
def test_each_port_is_told_of(cls: type[Atomic]) -> None:
    assert ports_listed(cls) == set(cls._declared)


def check_steps(steps: Iterable[tuple[type, str, str]]) -> None:
    """Each step from phase to phase stands in its row; a layer above may inhibit a model in any."""
    for cls, before, after in steps:
        following = {row["phase"]: row["next phase"] for row in table(cls)}[before]
        assert after in ("inhibited", before) or re.search(rf"\b{after}\b", following), (cls, before, after)


class Phases(Observer):
    """The steps from phase to phase, by class."""

    def __init__(self) -> None:
        self.before: dict[XdevsAtomic, str] = {}
        self.steps: set[tuple[type, str, str]] = set()

    def started(self, time: float, models: Any) -> None:
        self.before = {model: model.phase for model in models}

    def changed(self, time: float, model: XdevsAtomic, kind: TransitionKind, elapsed: float) -> None:
        before, self.before[model] = self.before[model], model.phase
        self.steps.add((type(model), before, model.phase))


RUNS: list[tuple[str, list[str], set[type]]] = [
    ("convoy", ["convoy.robots=5", "run.rounds=40"], {Follower, Leader, SpaceManager, TimeManager}),
    ("wander", [], {Wander}),
    ("forage", [], {Forage, Items}),
    ("meet", ["meeting.reach=2"], {Mingle, Radio}),
    (
        "transport",
        ["transport.robots=6", "transport.ban=20", "transport.again=60", "transport.destination=[12.0, 4.0]"],
        {Air, Explorer, PathBook, Talker, Traveller},
    ),
]


@pytest.mark.parametrize(("name", "settings", "there"), RUNS)
def test_what_follows_a_phase_in_a_run_stands_in_the_table(name: str, settings: list[str], there: set[type]) -> None:
    seen = Phases()
    scenario = load(name, settings)
    with Simulator(case_of(scenario).experiment(set_up(scenario))) as simulator:
        simulator.attach(seen)
        simulator.run(until=150.0)
    own = {
        (WorldModel if cls is Items else cls, *phases) for cls, *phases in seen.steps if cls in (*WITH_PHASES, Items)
    }
    check_steps(own)  # type: ignore[arg-type]
    assert {cls for cls, _, _ in seen.steps} >= there


Inputs = list[tuple[set[str], bool, float]]
"""Which of a model's inputs get something at once, what it says, and which part of the time advance has passed."""


def walk(model: Atomic, say: dict[str, Callable[[bool], tuple[Port[Any], Any]]], inputs: Inputs) -> None:
    """Give a model inputs by hand, check what it does, and let it answer in between."""
    for names, word, part in inputs:
        steps = []
        wait = part * model.ta() if model.ta() < inf else part
        told = [say[name](word) for name in sorted(names)]
        for port, value in told:
            port.add(value)
        before = model.phase
        model.deltext(wait)
        steps.append((type(model), before, model.phase))
        for port, _ in told:
            port.clear()
        while model.ta() == 0.0 or (part == 1.0 and model.ta() < inf):
            before = model.phase
            model.lambdaf()
            for written in model.out_ports:
                written.clear()
            model.deltint()
            steps.append((type(model), before, model.phase))
        check_steps(steps)


@given(st.data())
def test_what_follows_a_phase_of_a_guard_stands_in_the_table(data: st.DataObject) -> None:
    """The map answers only what it was asked, and the robot only what it was told."""
    guard = Guard("guard", 1)
    say: dict[str, Callable[[bool], tuple[Port[Any], Any]]] = {
        "command": lambda _: (guard.motor.ask, Drive(0.0, 0.3)),
        "room": lambda free: (guard.room.answer, Room(1, 1.0 if free else 0.0, 3.0)),
        "robot": lambda _: (guard.device.answer, Driven(0.0, 0.1)),
    }
    for _ in range(data.draw(st.integers(6, 16))):
        possible = {"asking": ["room"], "moving": ["robot"], "stopping": ["robot"], "stop is due": ["robot"]}
        names = data.draw(st.sets(st.sampled_from(["command", *possible.get(guard.phase, [])]), min_size=1))
        walk(guard, say, [(names, data.draw(st.booleans()), data.draw(st.sampled_from([0.0, 0.5, 1.0])))])


@given(st.lists(st.tuples(st.sets(st.sampled_from(["touch", "motor"]), min_size=1), st.booleans(), st.just(0.5))))
def test_what_follows_a_phase_of_avoid_stands_in_the_table(inputs: Inputs) -> None:
    avoid = Avoid("avoid", 0.05)
    walk(
        avoid,
        {
            "touch": lambda touching: (avoid.whiskers.answer, Touch(touching)),
            "motor": lambda _: (avoid.motor.answer, Driven(0.0, -0.05)),
        },
        inputs,
    )
