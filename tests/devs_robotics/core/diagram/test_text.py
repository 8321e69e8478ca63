"""The text says what the model is, no more and no less."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdevs.examples.devstone.devstone import HO
from xdevs.examples.gpt.models import Gpt
from xdevs.models import Component, Coupled, Port

from devs_robotics import DevsRoboticsError
from devs_robotics.core.diagram import tree_svg, tree_text
from devs_robotics.core.diagram.outline import outline
from devs_robotics.core.ports import type_name
from tests.devs_robotics.core.diagram.random_models import Leaf, Tree, build, couplings, deep, models, names, trees
from tests.devs_robotics.core.diagram.unfolding import taken_apart

UNLIMITED = 10**6

Shown = tuple[str, str, dict[str, list[str]], list[Any]]
"""Name, class, what is listed under each label, and the components."""


def read(text: str) -> Shown:
    """What a tree of text without wrapped lines shows."""
    path: list[Shown] = []
    label = ""
    for line in text.splitlines():
        found = re.fullmatch(r"(?P<rails>(?:│   |    )*(?:[├└]── )?)(?P<label>in|out|EIC|IC|EOC)? *(?P<rest>.*)", line)
        assert found is not None, line
        if re.search("── |^(?![│ ])", line):
            level = len(found["rails"]) // 4
            name, _, cls = line[len(found["rails"]) :].rpartition(": ")
            shown: Shown = (name, cls, {}, [])
            del path[level:]
            if path:
                path[-1][3].append(shown)
            path.append(shown)
        else:
            label = found["label"] or label
            path[-1][2].setdefault(label, []).append(found["rest"])
    return path[0]


def expected(model: Component) -> Shown:
    """The same, from the model itself."""
    facts: dict[str, list[str]] = {}
    for label, ports in (("in", model.in_ports), ("out", model.out_ports)):
        if ports:
            facts[label] = [", ".join(f"{port.name}: {type_name(port.p_type)}" for port in ports)]
    for kind, source, target in couplings(model):
        facts.setdefault(kind, []).append(f"{end(model, source)} → {end(model, target)}")
    empty = isinstance(model, Coupled) and not model.components
    components = model.components if isinstance(model, Coupled) else []
    cls = type(model).__name__ + (" (no components)" if empty else "")
    return model.name, cls, facts, [expected(component) for component in components]


def end(model: Component, port: Port[Any]) -> str:
    assert port.parent is not None
    return port.name if port.parent is model else f"{port.parent.name}.{port.name}"


def without_marks(text: str) -> str:
    return re.sub(r" \((?:nothing coupled|sends|cannot)[^)]*\)", "", text)


@given(trees)
def test_everything_shows_each_model_port_and_coupling_once_in_its_place(tree: Tree) -> None:
    model = build(tree)
    assert read(without_marks(tree_text(model, everything=True, width=UNLIMITED))) == expected(model)


@given(trees)
def test_ports_to_which_nothing_is_coupled_are_marked(tree: Tree) -> None:
    model = build(tree)
    marked: list[str] = []
    for inner in models(model):
        around = couplings(inner.parent) if inner.parent is not None else None
        inside = couplings(inner) if isinstance(inner, Coupled) else None
        for ports, far, near in ((inner.in_ports, 2, 1), (inner.out_ports, 1, 2)):
            for port in ports:
                outside_loose = around is not None and all(coupling[far] is not port for coupling in around)
                inside_loose = inside is not None and all(coupling[near] is not port for coupling in inside)
                if outside_loose or inside_loose:
                    both = outside_loose and (inside_loose or inside is None)
                    where = "" if both else " outside" if outside_loose else " inside"
                    marked.append(f"{port.name}: {type_name(port.p_type)} (nothing coupled{where})")
    text = tree_text(model, everything=True)
    assert sorted(re.findall(r"\w+: [\w ]+ \(nothing coupled[^)]*\)", text)) == sorted(marked)


@given(trees)
def test_a_tree_is_told_in_the_same_words_each_time(tree: Tree) -> None:
    assert tree_text(build(tree)) == tree_text(build(tree))


@given(trees)
def test_couplings_told_in_one_are_those_of_the_model(tree: Tree) -> None:
    model = build(tree)
    shown = [text for label in ("EIC", "IC", "EOC") for text in read(tree_text(model, depth=1))[2].get(label, [])]
    texts = [f"{end(model, source)} → {end(model, target)}" for _, source, target in couplings(model)]
    assert sorted(without_marks(one) for text in shown for one in taken_apart(text)) == sorted(texts)


@given(trees)
def test_siblings_told_once_are_alike_inside(tree: Tree) -> None:
    for block in outline(build(tree)).walk():
        insides = {without_marks(tree_text(model, everything=True).partition(": ")[2]) for model in block.models}
        assert len(insides) == 1


@given(trees, names)
def test_any_name_stays_in_its_line(tree: Tree, name: str) -> None:
    plain, named = (tree_text(build(tree, *given), everything=True, width=UNLIMITED) for given in ((), (name, name)))
    assert all(line.isprintable() for line in named.split("\n"))
    assert named.count("\n") == plain.count("\n")


@given(trees, st.integers(1, 3))
def test_depth_says_how_many_levels_of_coupled_models_are_opened(tree: Tree, depth: int) -> None:
    def cut(shown: Shown, levels: int) -> Shown:
        name, cls, facts, components = shown
        if levels or not components:
            return name, cls, facts, [cut(component, levels - 1) for component in components]
        hidden = f"{cls} ({len(components)} component{'s' * (len(components) > 1)} not shown)"
        return name, hidden, {label: facts[label] for label in ("in", "out") if label in facts}, []

    model = build(tree)
    text = tree_text(model, depth=depth, everything=True, width=UNLIMITED)
    assert read(without_marks(text)) == cut(expected(model), depth)


def test_a_depth_that_is_not_positive_is_refused() -> None:
    with pytest.raises(DevsRoboticsError, match="cannot be opened 0 levels deep: make the depth 1 or more"):
        tree_text(Gpt("gpt", 3, 4, 100), depth=0)


def test_a_small_model_reads_like_this() -> None:
    assert (
        tree_text(Gpt("gpt", 3, 4, 100))
        == """\
gpt: Gpt
│   IC   generator.o_out → processor.i_in
│        generator.o_out → transducer.i_arrived
│        processor.o_out → transducer.i_solved
│        transducer.o_out → generator.i_stop
├── generator: Generator
│       in   i_stop: bool
│       out  o_out: Job
├── processor: Processor
│       in   i_in: Job
│       out  o_out: Job
└── transducer: Transducer
        in   i_arrived: Job, i_solved: Job
        out  o_out: bool
"""[:-1]
    )


class Ring(Coupled):
    """Five leaves, each of which tells the next one; the last but one also tells the outside, and the last nobody."""

    def __init__(self) -> None:
        super().__init__("ring")
        self.add_out_port(Port(str, "told"))
        for number in range(1, 6):
            leaf = Leaf(f"leaf{number}")
            leaf.add_in_port(Port(int, "heard"))
            leaf.add_out_port(Port(int, "said"))
            self.add_component(leaf)
        for front, back in pairwise(self.components):
            self.add_coupling(front.out_ports[0], back.in_ports[0])
        self.add_coupling(self.components[3].out_ports[0], self.out_ports[0])


def test_siblings_of_one_shape_are_shown_once_with_what_differs() -> None:
    assert (
        tree_text(Ring())
        == """\
ring: Ring
│   out  told: str
│   IC   leaf{k}.said → leaf{k+1}.heard, k = 1..4
│   EOC  leaf4.said → told (sends int, takes str)
├── leaf1: Leaf
│       in   heard: int (nothing coupled)
│       out  said: int
└── leaf2 … leaf5: as leaf1
        but  leaf{2..5}.heard: coupled, leaf5.said: nothing coupled
"""[:-1]
    )


def test_couplings_that_devs_does_not_allow_are_named_as_such() -> None:
    ring = Ring()
    first, second, *_ = ring.components
    ring.add_coupling(first.in_ports[0], second.in_ports[0])
    ring.add_coupling(first.out_ports[0], second.out_ports[0])
    ring.add_coupling(ring.out_ports[0], second.in_ports[0])
    text = tree_text(ring)
    assert "leaf1.heard → leaf2.heard (cannot send: an input)\n" in text
    assert "leaf1.said → leaf2.said (cannot receive: an output)\n" in text
    assert "told → leaf2.heard (cannot send: an output)\n" in text


def test_a_coupling_that_has_outlived_its_component_is_named_as_such() -> None:
    ring = Ring()
    ring.components.remove(ring.components[1])
    text = tree_text(ring)
    assert "leaf1.said → leaf2.heard (leaf2.heard is not there)\n" in text
    assert "leaf2.said → leaf3.heard (leaf2.said is not there)\n" in text
    assert "leaf2" not in tree_svg(ring)


def test_long_lists_of_ports_are_wrapped_between_ports() -> None:
    model = Leaf("wide")
    for number in range(40):
        model.add_in_port(Port(int, f"{'abc'[number % 3] * (number % 7 + 1)}_{number}"))
    first, *rest = tree_text(model, width=60).splitlines()
    assert first == "wide: Leaf"
    assert all(len(line) <= 60 for line in rest)
    assert " ".join(line[9:] for line in rest).split(", ") == [f"{name}: int" for name in model.input]


def test_a_model_deeper_than_functions_may_be_called_is_shown() -> None:
    assert tree_text(deep(1500)).count(": Coupled\n") == 1500


def test_a_wide_model_is_told_in_a_few_lines() -> None:
    assert len(tree_text(HO("wide", 500, 2, 0, 0)).splitlines()) < 30
