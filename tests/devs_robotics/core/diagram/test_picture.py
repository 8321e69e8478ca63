"""The picture is a whole SVG document that shows every model and coupling, and texts that can be read."""

from __future__ import annotations

import re
import subprocess
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from xdevs.examples.devstone.devstone import HO
from xdevs.examples.gpt.models import Gpt

from devs_robotics import DevsRoboticsError
from devs_robotics.core.diagram import tree_svg
from devs_robotics.core.diagram.outline import outline
from devs_robotics.core.diagram.picture import picture
from devs_robotics.core.ports import component_path, port_path
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up
from tests.devs_robotics.core.diagram.random_models import Tree, build, couplings, models, names, trees
from tests.devs_robotics.core.diagram.unfolding import taken_apart

SVG = "{http://www.w3.org/2000/svg}"


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]


def lines(svg: str) -> list[str]:
    return [line for title in titles(svg) for line in title.split("\n")]


@given(trees)
def test_everything_shows_each_model_and_each_coupling_once(tree: Tree) -> None:
    model = build(tree)
    shown = lines(tree_svg(model, everything=True))
    for inner in models(model):
        assert shown.count(component_path(inner)) == 1
    drawn = [one for line in shown if " → " in line for one in taken_apart(line)]
    expected = [f"{port_path(a)} → {port_path(b)}" for inner in models(model) for _, a, b in couplings(inner)]
    assert sorted(drawn) == sorted(expected)


@given(trees)
def test_each_connection_leads_where_its_couplings_do(tree: Tree) -> None:
    model = build(tree)
    drawn = []
    for block in picture(outline(model, everything=True)).walk():
        for connection in block.connections:
            meant = [one for line in connection.details if " → " in line for one in taken_apart(line)]
            drawn += meant
            assert {coupling.split(" → ")[0] for coupling in meant} == {connection.source.details[0]}
            assert {coupling.split(" → ")[1] for coupling in meant} == {end.details[0] for end in connection.targets}
    assert sorted(drawn) == sorted(
        f"{port_path(a)} → {port_path(b)}" for inner in models(model) for _, a, b in couplings(inner)
    )


@given(trees, names, st.booleans())
def test_any_name_makes_well_formed_xml(tree: Tree, name: str, everything: bool) -> None:
    svg = tree_svg(build(tree, name, name), everything=everything)
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "style", "g", "rect", "text", "path", "circle")
    }
    assert set(re.findall(r"href|url|@import|http[:/.\w]+", svg)) == {"http://www.w3.org/2000/svg"}


Corners = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def texts(root: ET.Element) -> list[tuple[str, Corners]]:
    """All texts with the room that they take, as a font of 0.6 em width has it."""
    found = []
    for element in root.iter(f"{SVG}text"):
        text = element.text or ""
        width = cell_len(text) * (13 if element.get("class") == "title" else 11) * 0.6
        x, y = float(element.get("x", "")), float(element.get("y", ""))
        left = x - width if element.get("text-anchor") == "end" else x
        found.append((text, (left, y - 8, left + width, y + 2)))
    return found


def overlap(first: Corners, second: Corners) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def check_texts(svg: str, wires: list[tuple[Corners, str]]) -> None:
    root = ET.fromstring(svg)
    found = texts(root)
    for (one, place), (other, place_of_other) in combinations(found, 2):
        assert not overlap(place, place_of_other), (one, other)
    for text, place in found:
        assert float(root.get("width", "")) - 16 > place[2]
        assert place[0] > 0
        for wire, title in wires:
            assert not overlap(place, wire), (text, title)


def drawn(root: ET.Element) -> list[tuple[Corners, str]]:
    """Each straight piece of a wire."""
    found = []
    for group in root.iter(f"{SVG}g"):
        path = group.find(f"{SVG}path[last()]")
        if "wire" in group.get("class", "") and path is not None:
            for line in path.get("d", "").split("M")[1:]:
                ends = [tuple(map(float, pair)) for pair in re.findall(r"([-\d.]+) ([-\d.]+)", line)]
                for (x, y), (other_x, other_y) in pairwise(ends):
                    corners = min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)
                    found.append((corners, group.findtext(f"{SVG}title") or ""))
    return found


@given(trees, st.sampled_from(["", "_with_a_long_name", "x" * 70, "数"]), st.booleans())
def test_texts_stand_clear_of_one_another_and_of_lines(tree: Tree, name: str, everything: bool) -> None:
    svg = tree_svg(build(tree, f"root{name}", name), everything=everything)
    check_texts(svg, drawn(ET.fromstring(svg)))


@pytest.mark.parametrize("depth", [1, 2, None])
def test_texts_of_the_convoy_stand_clear(depth: int | None) -> None:
    svg = tree_svg(experiment(set_up(load("convoy"))), depth=depth)
    check_texts(svg, drawn(ET.fromstring(svg)))


OVERLAPS = """<script>
const texts = [...document.querySelectorAll("text")].map(text => [text.textContent, text.getBBox()]);
const apart = (a, b) => a.x + a.width <= b.x || a.y + a.height <= b.y + 3;  // the room of a line holds some air
const clash = ([one, a], [other, b]) => !apart(a, b) && !apart(b, a) ? [one + " on " + other] : [];
const found = texts.flatMap((one, number) => texts.slice(number + 1).flatMap(other => clash(one, other)));
document.title = texts.length + " texts: " + found.join(", ");
</script>"""


def test_no_texts_lie_on_one_another_in_a_browser(chromium: str, tmp_path: Path) -> None:
    page = tmp_path / "convoy.html"
    svg = tree_svg(experiment(set_up(load("convoy"))))
    page.write_text(f"<!doctype html><html><head><title></title></head><body>{svg}{OVERLAPS}</body></html>")
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    command = [chromium, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert f"<title>{len(texts(ET.fromstring(svg)))} texts: </title>" in result.stdout


def words(svg: str) -> list[str]:
    return [text for text, _ in texts(ET.fromstring(svg))]


def test_repeated_siblings_are_one_box_with_a_number_and_ports_that_tell_which() -> None:
    shown = words(tree_svg(experiment(set_up(load("convoy"))), depth=2))
    assert shown.count("robot2 … robot29 (28)") == 1
    assert "robot30" in shown  # nobody follows it
    assert "robot3" not in shown
    assert shown.count("motor{1..30}_ask") == 1
    assert shown.count("k → k+1") == 2  # who may start next, along the line
    assert shown.count("k → k-1") == 2  # who has caught up, back along it
    assert "in part" not in shown
    everything = words(tree_svg(experiment(set_up(load("convoy"))), depth=2, everything=True))
    assert {f"robot{number}" for number in range(1, 31)} <= set(everything)
    assert not [text for text in everything if "→" in text or "…" in text]


def test_pointing_at_a_port_or_a_line_tells_all_about_it() -> None:
    shown = titles(tree_svg(Gpt("gpt", 3, 4, 100)))
    assert "gpt/generator.o_out\noutput, Job" in shown
    assert "gpt/generator.o_out → gpt/processor.i_in\ngpt/generator.o_out → gpt/transducer.i_arrived\nJob" in shown
    assert "gpt/generator\nxdevs.examples.gpt.models.Generator" in shown


def test_what_is_not_coupled_and_what_cannot_work_is_explained() -> None:
    sound = Gpt("gpt", 3, 4, 100)
    assert {"nothing coupled", "cannot carry values"}.isdisjoint(words(tree_svg(sound)))
    loose = HO("stone", 2, 2, 0, 0)
    assert "nothing coupled" in words(tree_svg(loose))
    assert "stone/Coupled_1.i_in2\ninput, int\nnothing coupled inside" in titles(tree_svg(loose))
    _, processor, transducer = sound.components
    sound.add_coupling(transducer.out_ports[0], processor.in_ports[0])
    svg = tree_svg(sound)
    assert "cannot carry values" in words(svg)
    assert [title for title in titles(svg) if "sends bool, takes Job" in title]


def test_a_number_of_levels_that_is_not_positive_is_refused() -> None:
    with pytest.raises(DevsRoboticsError, match="cannot be opened 0 levels deep"):
        tree_svg(Gpt("gpt", 3, 4, 100), depth=0)
