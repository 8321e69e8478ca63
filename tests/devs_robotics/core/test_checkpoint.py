"""Simulations that are saved and resumed, here and in another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from devs_robotics import Coupled, DevsRoboticsError, ModelError, Port, Simulator
from devs_robotics.core.checkpoint import structure
from devs_robotics.core.ports import add_port
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up
from tests.devs_robotics.core import small_models
from tests.devs_robotics.core.small_models import Answerer, Listener, Sender, couple
from tests.devs_robotics.core.test_oracle import UNTIL, Tree, root, trees
from tests.paths import ROOT
from tests.tracing import Trace, Tracer


def rest(simulator: Simulator, until: float) -> Trace:
    """What the models do from now on."""
    tracer = Tracer(simulator.model)
    simulator.attach(tracer)
    simulator.run(until=until)
    return tracer.trace


@given(trees, st.integers(0, 30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_model_goes_on_as_if_it_had_not_been_saved(tmp_path: Path, tree: Tree, steps: int) -> None:
    simulator = Simulator(root(tree))
    simulator.run(until=UNTIL, max_steps=steps)
    simulator.save(tmp_path / "here")
    resumed = Simulator.resume(tmp_path / "here", like=root(tree))
    assert (resumed.time, resumed.steps, resumed.next_time) == (simulator.time, simulator.steps, simulator.next_time)
    assert rest(resumed, UNTIL) == rest(simulator, UNTIL)
    assert resumed.transitions == simulator.transitions


CONVOY = ["convoy.robots=4", "run.rounds=30"]

RESUME = """
import sys
from devs_robotics import Simulator
from tests.devs_robotics.core.test_checkpoint import rest
print(rest(Simulator.resume(sys.argv[1]), 100.0))
"""


def test_the_convoy_goes_on_in_another_process(tmp_path: Path) -> None:
    simulator = Simulator(experiment(set_up(load("convoy", CONVOY))))
    simulator.run(until=50.0)
    simulator.save(tmp_path / "convoy")
    command = [sys.executable, "-c", RESUME, str(tmp_path / "convoy")]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    told = rest(simulator, 100.0)
    assert result.stdout.strip() == str(told)
    assert sum(map(len, told.values())) > 2000


@given(st.lists(st.tuples(st.integers(1, 3), st.lists(st.integers(), max_size=3)), max_size=12))
@example([(3, [1]), (2, [2]), (2, [3]), (1, [4]), (2, [5]), (2, [6]), (2, [7, 8]), (1, [])])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_inputs_to_come_are_saved_in_their_order(tmp_path: Path, inputs: list[tuple[int, list[int]]]) -> None:
    simulator = Simulator(Listener())
    for at, values in inputs:
        simulator.inject(simulator.model.in_ports[0], *values, at=at)
    simulator.save(tmp_path / "here")
    resumed = Simulator.resume(tmp_path / "here")
    for each in (simulator, resumed):
        each.run()
        each.close()
        assert isinstance(each.model, Listener)
        bags = ([value for time, values in inputs if time == at for value in values] for at in (1, 2, 3))
        assert each.model.bags == [bag for bag in bags if bag]


def test_an_input_that_comes_later_comes_after_those_that_were_saved(tmp_path: Path) -> None:
    simulator = Simulator(Listener())
    for value in "ab":
        simulator.inject(simulator.model.in_ports[0], value, at=1.0)
    simulator.save(tmp_path / "here")
    resumed = Simulator.resume(tmp_path / "here")
    resumed.inject(resumed.model.in_ports[0], "c", at=1.0)
    resumed.run()
    assert isinstance(resumed.model, Listener)
    assert resumed.model.bags == [["a", "b", "c"]]


def test_a_change_of_structure_is_saved(tmp_path: Path) -> None:
    sender = Sender("sender", (1.0, "a"), (2.0, "b"))
    top = couple(sender)
    simulator = Simulator(top)
    simulator.run(until=1.0)
    listener = Listener()
    top.add_component(listener)
    top.add_coupling(sender.said, listener.heard)
    simulator.save(tmp_path / "here")
    resumed = Simulator.resume(tmp_path / "here")
    resumed.run()
    heard = resumed.model.components[1]  # type: ignore[attr-defined]
    assert heard.bags == [["b"]]


# what is refused


def saved(path: Path) -> Path:
    simulator = Simulator(couple(Sender("sender", (1.0, "a"), (2.0, "b")), Listener()))
    simulator.run(until=1.0)
    simulator.save(path)
    return path


def changed(path: Path, **header: Any) -> Path:
    """The same file with another header."""
    line, _, payload = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(line), **header}).encode() + b"\n" + payload)
    return path


def test_a_file_of_another_model_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "here")
    assert Simulator.resume(path, like=couple(Sender("sender"), Listener())).time == 1.0
    for other in (couple(Sender("sender"), Answerer("listener")), couple(Sender("sender"), Listener(), Listener("b"))):
        with pytest.raises(DevsRoboticsError, match="here holds another model than top: its models"):
            Simulator.resume(path, like=other)


class Value:
    """Has a namesake in another class."""


class Other:
    class Value:
        """Has a namesake outside of this class."""


class Nest(Coupled):
    """A model of these ports, given as name, type and direction."""

    def __init__(self, name: str, *ports: tuple[str, Any, str]) -> None:
        super().__init__(name)
        for port_name, p_type, direction in ports:
            add_port(self, Port(p_type, port_name), direction)


PORTS = [("a", int, "in"), ("b", int, "in"), ("c", int, "out"), ("d", int, "out")]
LEAVES = ("first", "second")
COUPLINGS = [
    ("top.a", "first.a"),
    ("top.b", "second.a"),
    ("first.c", "second.a"),
    ("first.c", "second.b"),
    ("second.c", "top.c"),
]


def nest(
    ports: list[Any] = PORTS,
    leaf_ports: list[Any] = PORTS,
    leaves: tuple[str, ...] = LEAVES,
    couplings: list[Any] = COUPLINGS,
    leaf: type = Nest,
    name: str = "top",
) -> Coupled:
    """A small tree, one part of which may be another."""
    top = Nest(name, *ports)
    parts: dict[str, Any] = {"top": top}
    for leaf_name in leaves:
        parts[leaf_name] = leaf(leaf_name, *leaf_ports)
        top.add_component(parts[leaf_name])
    for pair in couplings:
        ends = [end.split(".") for end in pair]
        found = []
        for place, (part, port) in enumerate(ends):
            inwards = (part == "top") == (place == 0)
            model = parts[part]
            found.append((model.input if inwards else model.output)[port])
        top.add_coupling(*found)
    return top


class OtherNest(Nest):
    """The same under another name."""


def without(items: list[Any], index: int) -> list[Any]:
    return items[:index] + items[index + 1 :]


def instead(items: list[Any], index: int, *new: Any) -> list[Any]:
    return [*items[:index], *new, *items[index + 1 :]]


def variations() -> Iterator[Coupled]:
    """Trees in which one thing each is not as in `nest()`."""
    yield nest(name="top2")
    yield nest(leaf=OtherNest)
    yield nest(leaves=("first", "second", "third"))
    yield nest(leaves=("second", "first"))
    for index, (name, _, direction) in enumerate(PORTS):
        ports = [
            instead(PORTS, index, (name, types, direction)) for types in (float, None, int | str, Value, Other.Value)
        ]
        ports += [instead(PORTS, index, ("x", int, direction)), without(PORTS, index)]
        for changed in ports:
            yield nest(ports=changed, couplings=[])
            yield nest(leaf_ports=changed, couplings=[])
    for direction in ("in", "out"):
        yield nest(ports=[*PORTS, ("e", int, direction)], couplings=[])
        yield nest(leaf_ports=[*PORTS, ("e", int, direction)], couplings=[])
    yield nest(ports=[PORTS[1], PORTS[0], *PORTS[2:]], couplings=[])
    yield nest(couplings=[])
    targets = ["first.b", "second.b", "first.b", "first.a", "top.d"]
    sources = ["top.b", "top.a", "second.d", "first.d", "second.d"]
    for index, (source, target) in enumerate(COUPLINGS):
        yield nest(couplings=without(COUPLINGS, index))
        yield nest(couplings=instead(COUPLINGS, index, (source, targets[index])))
        yield nest(couplings=instead(COUPLINGS, index, (sources[index], target)))
    yield nest(couplings=COUPLINGS[::-1])
    yield nest(couplings=[*COUPLINGS, ("second.d", "first.b")])


def test_one_change_of_any_kind_makes_another_structure() -> None:
    assert structure(nest()) == structure(nest())
    different = [nest(), *variations()]
    assert len({structure(each) for each in different}) == len(different)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"version": "0.0.9"}, r"was saved by devs-robotics 0\.0\.9, this is .*: resume it with that one"),
        ({"python": "3.9"}, r"was saved under Python 3\.9: resume it there, not under 3\.\d+"),
        ({"format": "devs-robotics checkpoint 0"}, "is a 'devs-robotics checkpoint 0', and this version reads"),
        ({"payload": "0"}, "is damaged or cut short: take an earlier checkpoint"),
        ({"time": "soon"}, r"is no checkpoint: save one with Simulator\.save"),
    ],
)
def test_a_file_of_another_version_is_refused(tmp_path: Path, header: dict[str, Any], message: str) -> None:
    with pytest.raises(DevsRoboticsError, match=f"here {message}"):
        Simulator.resume(changed(saved(tmp_path / "here"), **header))


def test_a_model_whose_source_has_changed_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "here")
    sources = json.loads(path.read_bytes().partition(b"\n")[0])["sources"]
    assert set(sources) == {f"{small_models.__name__}.{name}" for name in ("Sender", "Listener")}
    sources[f"{small_models.__name__}.Sender"] = "another"
    with pytest.raises(DevsRoboticsError, match=r"another version of .*\.small_models\.Sender: bring"):
        Simulator.resume(changed(path, sources=sources))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "here")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DevsRoboticsError, match="here is damaged or cut short"):
        Simulator.resume(path)
    with pytest.raises(DevsRoboticsError, match=r"the checkpoint .*/none cannot be read: No such file"):
        Simulator.resume(tmp_path / "none")
    with pytest.raises(DevsRoboticsError, match=r"the checkpoint .* cannot be written: No such file"):
        Simulator(Listener()).save(tmp_path / "nowhere" / "here")


def test_what_cannot_be_saved_is_named(tmp_path: Path) -> None:
    listener = Listener()
    listener.rule = lambda: None  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match=r"top/listener cannot be saved, since its rule is <function "):
        Simulator(couple(listener)).save(tmp_path / "here")
    assert not list(tmp_path.iterdir())
