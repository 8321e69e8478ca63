"""A model that is taken apart behaves as it did in one piece."""

from __future__ import annotations

import pickle
from itertools import cycle
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from xdevs.models import Component
from xdevs.models import Coupled as XdevsCoupled

from devs_robotics import Atomic, Coupled, DevsRoboticsError, In, ModelError, Out, Simulator
from devs_robotics.core.distribution import Session, partition
from devs_robotics.core.ports import component_path
from devs_robotics.core.wiring import atomic_models, components, destinations
from tests.devs_robotics.core.distribution.by_hand import Network, peers
from tests.devs_robotics.core.small_models import Listener, Sender, couple
from tests.devs_robotics.core.test_oracle import Nest
from tests.devs_robotics.core.test_oracle import couple as couple_by_number

UNTIL = 12.0
SESSION = Session("run", "")


class Relay(Atomic):
    """Sends each number that it hears on, one less, after a while; numbers do not meet, so simultaneity is no matter.

    Args:
        delay: how long it keeps a number (s)
        start: what it sends of itself at first
    """

    heard = In(int)
    also_heard = In(int)
    said = Out(int)
    also_said = Out(int)

    def __init__(self, name: str, delay: float, start: list[int]) -> None:
        super().__init__(name)
        self.delay, self.start = delay, start
        self.now = 0.0
        self.notes: dict[str, list[tuple[float, int]]] = {"heard": [], "also_heard": []}

    def initialize(self) -> None:
        self.queue = [(self.delay, value) for value in self.start]
        self._wait()

    def _wait(self) -> None:
        self.queue.sort()
        self.hold_in("keeping", self.queue[0][0] - self.now) if self.queue else self.passivate("empty")

    def _due(self) -> list[int]:
        return [value for time, value in self.queue if time == self.queue[0][0]]

    def lambdaf(self) -> None:
        for value in self._due():
            (self.said if value % 3 else self.also_said).add(value)

    def deltint(self) -> None:
        due = self.queue[0][0]
        self.now, self.queue = due, [entry for entry in self.queue if entry[0] > due]
        self._wait()

    def deltext(self, e: float) -> None:
        self.now += e
        for port in (self.heard, self.also_heard):
            for value in port.values:
                self.notes[port.name].append((self.now, value))
                if value > 0:
                    self.queue.append((self.now + self.delay, value - 1))
        self._wait()


class Tower(Struct):
    """How a random model is built; what leaves its root is dropped."""

    tree: Any

    def build(self) -> Nest:
        nest = Nest("root")
        self._fill(nest, self.tree)
        return nest

    def _fill(self, nest: Nest, tree: Any) -> None:
        for number, child in enumerate(tree[0]):
            name = f"c{number}"
            if isinstance(child[0], float):
                nest.add_component(Relay(name, *child))
            else:
                inner = Nest(name)
                self._fill(inner, child)
                nest.add_component(inner)
        couple_by_number(nest, tree[1])


delays = st.sampled_from([0.0, 0.25, 0.5, 1.0])
relays = st.tuples(delays, st.lists(st.integers(0, 4), max_size=2))
picks = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=6)
nests = st.recursive(
    st.tuples(st.lists(relays, min_size=1, max_size=3), picks),
    lambda inner: st.tuples(st.lists(relays | inner, min_size=1, max_size=4), picks),
    max_leaves=4,
)
towers = nests.map(Tower)
owners = st.lists(st.sampled_from("abc"), min_size=1, max_size=12)


def by_two_paths(root: Coupled) -> bool:
    """Whether any model hears anything twice; such couplings are refused."""
    sources = [*root.in_ports, *(port for model in atomic_models(root) for port in model.out_ports)]
    ends = [destinations(port) for port in sources]
    return any(len(set(ports)) < len(ports) for ports in ends)


def places_of(root: Coupled, choices: list[str]) -> dict[str, str]:
    """Some models in some processes, the root in one."""
    processes = cycle(choices)
    everything: list[Component] = list(components(root))
    return {component_path(model): next(processes) for model in everything[:: len(choices) % 2 + 1]}


Notes = dict[str, list[tuple[float, int]]]


def notes(models: list[Any]) -> dict[str, Notes]:
    """What came to each model's inputs; what came at one time in no order."""
    return {component_path(model): {port: sorted(came) for port, came in model.notes.items()} for model in models}


def undivided(tower: Tower) -> tuple[dict[str, Notes], Notes]:
    """What came to each model, and what left the root, when a number has come to each input of the root."""
    root = tower.build()
    left: Notes = {"said": [], "also_said": []}
    with Simulator(root) as simulator:
        for port in root.in_ports:
            simulator.inject(port, 3)
        while simulator.next_time <= UNTIL:
            simulator.run(max_steps=1)
            for port in root.out_ports:
                left[port.name] += [(simulator.time, value) for value in port.values]
    return notes(list(atomic_models(root))), {name: sorted(values) for name, values in left.items()}


@given(towers, owners)
@settings(max_examples=300)
def test_divided_models_hear_the_same_at_the_same_times(tower: Tower, choices: list[str]) -> None:
    root = tower.build()
    assume(not by_two_paths(root))
    parts = partition(root, places_of(root, choices), SESSION)
    network = Network(parts)
    for process, part in parts.items():
        for name in part.root.input.keys() & {"heard", "also_heard"}:
            network.inject(process, part.root.input[name], 3)
    network.run(UNTIL)
    relays = [model for part in parts.values() for model in atomic_models(part.root) if isinstance(model, Relay)]
    assert (notes(relays), {name: sorted(network.left[name]) for name in ("said", "also_said")}) == undivided(tower)
    assert not any(network.faults.values())


@given(towers, owners)
def test_each_model_is_in_the_process_that_is_named_for_it_or_for_what_is_round_it(
    tower: Tower, choices: list[str]
) -> None:
    root = tower.build()
    assume(not by_two_paths(root))
    places = places_of(root, choices)
    models = {component_path(model): model for model in atomic_models(root)}
    parts = partition(root, places, SESSION)
    for path, model in models.items():
        named = max((place for place in places if f"{path}/".startswith(f"{place}/")), key=len)
        assert model in atomic_models(parts[places[named]].root)
        assert component_path(model) == path
    mine = [model for part in parts.values() for model in atomic_models(part.root) if isinstance(model, Relay)]
    assert len(mine) == len(models)


@given(towers, owners)
def test_the_part_of_the_process_that_has_the_root_is_the_root_itself(tower: Tower, choices: list[str]) -> None:
    root = tower.build()
    assume(not by_two_paths(root))
    places = {**places_of(root, choices), "root": "a"}
    parts = partition(root, places, SESSION)
    assert [process for process, part in parts.items() if part.root is root] == ["a"] * ("a" in parts)


@example(Tower(([(0.0, []), ([(0.0, [])], [])], [(2, 0)])), ["a", "b", "a"])
@given(towers, owners)
def test_only_what_has_a_receiver_there_is_sent(tower: Tower, choices: list[str]) -> None:
    root = tower.build()
    assume(not by_two_paths(root))
    parts = partition(root, places_of(root, choices), SESSION)
    for peer in peers(parts):
        other = parts[peer.there].peers[peer.session.here]
        assert peer.receives.keys() == other.sends.keys()
        assert all(destinations(port) for port in peer.receives.values())


def two(sent: Any, received: Any) -> Coupled:
    left, right = Sender("left"), Listener("right")
    left.said.p_type, right.heard.p_type = sent, received
    return couple(left, right, ends={left.said: right.heard})


APART = {"top/left": "a", "top/right": "b"}


def test_a_path_that_names_no_model_is_an_error_with_an_example() -> None:
    with pytest.raises(DevsRoboticsError, match=r"top/lift is to run in the process a, but .* such as top/right"):
        partition(two(int, int), {"top/lift": "a"}, SESSION)


def test_a_model_that_belongs_nowhere_is_an_error() -> None:
    with pytest.raises(DevsRoboticsError, match="nothing says in which process top/right is to run"):
        partition(two(int, int), {"top/left": "a"}, SESSION)


def test_an_output_that_reaches_an_input_by_two_paths_is_refused() -> None:
    inner, right = Nest("inner"), Listener("right")
    left = Sender("left")
    left.said.p_type = right.heard.p_type = int
    inner.add_component(left)
    inner.add_coupling(left.said, inner.said)
    inner.add_coupling(left.said, inner.also_said)
    top = couple(inner, right, ends={inner.said: right.heard, inner.also_said: right.heard})
    with pytest.raises(ModelError, match=r"top/inner/left.said is coupled to top/right.heard by two paths"):
        partition(top, {"top": "a", "top/inner/left": "b"}, SESSION)


class Untagged(Struct, frozen=True):
    x: int


class OtherUntagged(Struct, frozen=True):
    y: int


class Longer(Untagged, frozen=True):
    y: int = 1


def test_types_that_cannot_be_told_apart_on_the_wire_are_refused_when_the_model_is_divided() -> None:
    either = Untagged | OtherUntagged
    with pytest.raises(ModelError, match=r"left.said carries .* cannot be sent to another process .* with a tag"):
        partition(two(either, either), APART, SESSION)


@pytest.mark.parametrize("value", [Longer(1), float("nan"), (1, 2), object()])
def test_a_value_that_would_not_arrive_as_it_is_is_the_sender_s_mistake(value: Any) -> None:
    top = two(Untagged if isinstance(value, Untagged) else None, None)
    sender = top.components[0]
    assert isinstance(sender, Sender)
    sender.script = ((1.0, value),)
    network = Network(partition(top, APART, SESSION))
    with pytest.raises(ModelError, match=r"top/peer_b at 1 s .* cannot send .* to another process"):
        network.run(2.0)


@given(st.lists(st.floats(allow_nan=False) | st.text() | st.booleans() | st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_numbers_and_texts_cross_exactly(values: list[Any]) -> None:
    top = two(None, None)
    sender, listener = top.components
    assert isinstance(sender, Sender)
    assert isinstance(listener, Listener)
    sender.script = tuple((1.0, value) for value in values)
    Network(partition(top, APART, SESSION)).run(2.0)
    assert list(map(repr, listener.bags[0])) == list(map(repr, values))


def test_parts_can_be_pickled() -> None:
    parts = partition(two(int, int), APART, SESSION)
    copies = pickle.loads(pickle.dumps(parts["a"].root))
    assert isinstance(copies, XdevsCoupled)
    Simulator(copies).run(until=2.0)


def test_a_coupled_model_of_xdevs_itself_cannot_be_divided() -> None:
    foreign, top = XdevsCoupled("foreign"), Coupled("top")
    for name in ("left", "right"):
        foreign.add_component(Sender(name))
    top.add_component(foreign)
    with pytest.raises(ModelError, match=r"top/foreign cannot be divided: derive it from devs_robotics\.Coupled"):
        partition(top, {"top": "host", "top/foreign/left": "node"}, SESSION)
