"""What came of a run, as a script or a notebook has it: tables, files, copies, and how it shows itself."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
import sys
from math import isnan
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from devs_robotics.core import tables
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.results import OutputError, tables_of
from devs_robotics.scenarios.settings.loading import load as load_any
from devs_robotics.scenarios.wander import Wandering
from devs_robotics.study import run as run_study
from tests.paths import ROOT, names


@pytest.fixture(scope="module")
def wandering() -> CaseOutcome:
    obstacles = [
        {"shape": "box", "x": 2.0, "y": 2.0, "width": 0.6, "height": 0.4, "heading": 0.5},
        {"shape": "circle", "x": 4.0, "y": 2.0, "radius": 0.3},
        {"shape": "polygon", "corners": [[4.0, 4.0], [4.5, 4.0], [4.0, 4.5]]},
    ]
    return run_study(Wandering(robots=3), duration=40, field={"obstacles": obstacles}, frame={"approaches": True})


@pytest.fixture(scope="module")
def convoy() -> ConvoyOutcome:
    return run(load("convoy", ["convoy.robots=4", "run.rounds=6"]))


@pytest.fixture(params=["wandering", "convoy", "in the loop"])
def outcome(request: pytest.FixtureRequest, wandering: CaseOutcome, convoy: ConvoyOutcome) -> AnyOutcome:
    if request.param == "in the loop":
        from devs_robotics.scenarios.running.means import Means

        return run_study(Wandering(robots=2), "loop", duration=5, means=Means(lab="inside"))
    return wandering if request.param == "wandering" else convoy


def test_tables_are_data_frames_with_the_columns_of_the_files(outcome: AnyOutcome) -> None:
    for name, table in tables_of(outcome).items():
        frame = outcome.table(name.removesuffix(".csv"))
        lines = list(table.lines(0))
        assert ",".join(frame.columns) == table.header
        assert len(frame) == len(lines)
        for row, line in zip(frame.itertuples(index=False), lines, strict=True):
            for value, text in zip(row, line.split(","), strict=True):
                assert isnan(value) if text == "" else value == float(text)


def test_each_case_has_its_tables(wandering: CaseOutcome, convoy: ConvoyOutcome) -> None:
    coverage, tracks = wandering.table("coverage"), wandering.table("tracks")
    assert list(coverage.columns) == ["time_s", "share"]
    assert coverage["share"].is_monotonic_increasing
    assert coverage["share"].iloc[-1] == wandering.frames["coverage"]["share"]
    assert set(tracks["robot"]) == {1, 2, 3}
    assert convoy.table("rounds")["round"].max() >= 6
    assert len(convoy.table("series")) == len(convoy.formation.times)


def test_a_table_that_there_is_not_names_those_that_there_are(wandering: CaseOutcome) -> None:
    with pytest.raises(OutputError) as caught:
        wandering.table("rounds")
    assert str(caught.value) == "this run has no table 'rounds': there are coverage, tracks"


def test_where_pandas_is_missing_a_sentence_says_so(wandering: CaseOutcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(OutputError) as caught:
        wandering.table("coverage")
    assert str(caught.value) == (
        "tables as data frames need pandas, which is not installed: pip install 'devs-robotics[notebook]'"
    )


def test_pandas_is_loaded_for_tables_only() -> None:
    script = (
        "import sys; from devs_robotics.scenarios.wander import Wandering; from devs_robotics.study import run; "
        "outcome = run(Wandering(robots=1), duration=1); assert 'pandas' not in sys.modules; "
        "outcome.table('coverage'); assert 'pandas' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


def test_what_is_written_is_what_out_writes(convoy: ConvoyOutcome, tmp_path: Path) -> None:
    paths = convoy.write(tmp_path / "deep" / "out")
    assert [path.name for path in paths] == ["summary.json", "rounds.csv", "series.csv", "report.html"]
    assert names(tmp_path / "deep" / "out") == sorted(path.name for path in paths)
    assert json.loads(paths[0].read_text())["metrics"]["rounds_completed"] == 6
    convoy.write(str(tmp_path / "again"))
    assert (tmp_path / "again" / "rounds.csv").read_bytes() == paths[1].read_bytes()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        convoy.write(tmp_path / "file")


def test_an_outcome_comes_back_from_a_pickle_and_as_a_copy(outcome: AnyOutcome) -> None:
    for other in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome), copy.copy(outcome)):
        assert type(other) is type(outcome)
        assert other == outcome
        assert pickle.loads(pickle.dumps(other)) == outcome
        assert other.scenario == outcome.scenario
        assert other._repr_html_() == outcome._repr_html_()
        assert case_of(other.scenario).lines(other) == case_of(outcome.scenario).lines(outcome)


def test_a_pickle_holds_what_was_measured_and_no_model(convoy: ConvoyOutcome, wandering: CaseOutcome) -> None:
    for outcome in (convoy, wandering):
        pickled = pickle.dumps(outcome)
        for model in (b"Environment", b"SpaceManager", b"Acceptor", b"Motor"):
            assert model not in pickled


def test_tables_on_disk_come_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "IN_MEMORY", 500)
    outcome = run(load("convoy", ["convoy.robots=4", "run.rounds=6"]))
    assert outcome.formation.rows._filed > 0
    again = pickle.loads(pickle.dumps(outcome))
    assert again == outcome
    assert list(again.formation.rows) == list(outcome.formation.rows)


def test_two_outcomes_are_equal_only_if_all_is_the_same(wandering: CaseOutcome, convoy: ConvoyOutcome) -> None:
    assert wandering != convoy
    assert wandering != "wandering"
    assert replace(wandering) == wandering
    assert replace(wandering, reason="another") != wandering
    assert replace(wandering, frames={"coverage": {"share": 0.5}}) != wandering
    history = {**wandering.tables["coverage"], "share": [*wandering.tables["coverage"]["share"][:-1], 0.5]}
    assert replace(wandering, tables={"coverage": history}) != wandering
    assert replace(wandering, tables={}) != wandering


def test_an_outcome_of_a_case_in_a_file_comes_back_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "pickled_case.py").write_text((ROOT / "scenarios" / "wander.py").read_text())
    (tmp_path / "pickled_case.toml").write_text('case = "pickled_case"\nrun.duration = 5\n')
    here = (
        "import pickle, sys; from devs_robotics.scenarios.settings.loading import load; "
        "from devs_robotics.scenarios.running.run import run; "
        "outcome = run(load('pickled_case.toml')); "
        "sys.stdout.buffer.write(pickle.dumps((outcome, outcome.table('tracks'), outcome._repr_html_())))"
    )
    there = (
        "import pickle, sys; outcome, tracks, html = pickle.load(sys.stdin.buffer); "
        "assert outcome.table('tracks').equals(tracks) and outcome._repr_html_() == html; "
        "assert pickle.loads(pickle.dumps(outcome)) == outcome; print(repr(outcome))"
    )
    path = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin"}
    made = subprocess.run([sys.executable, "-c", here], check=True, cwd=tmp_path, capture_output=True, env=path)
    seen = subprocess.run(
        [sys.executable, "-c", there], check=True, cwd="/", capture_output=True, env=path, input=made.stdout
    )
    assert seen.stdout.decode() == (
        "<CaseOutcome of pickled_case:Wandering, stage fast, seed 1: accepted, the duration of 5 s is over>\n"
    )


def test_a_notebook_shows_the_verdict_the_results_and_the_field(outcome: AnyOutcome) -> None:
    html = outcome._repr_html_()
    page = ElementTree.fromstring(html.replace("<br>", "<br/>"))
    text = " ".join("".join(page.itertext()).split())
    assert f"{outcome.ended}: {outcome.reason}" in text
    for title, value, unit in case_of(outcome.scenario).lines(outcome):
        assert f"{title}{value} {unit}".strip() in text
    assert not re.findall("<(?:script|link|img|iframe)|https?://(?!www.w3.org/2000/svg)|url\\(", html)
    svg = "{http://www.w3.org/2000/svg}"
    drawn = [each.tag.removeprefix(svg) for each in page.iter() if each.tag.startswith(svg)]
    bodies = [each for each in page.iter(f"{svg}circle") if each.get("fill") == "#0072b2"]
    assert len(bodies) == len(case_of(outcome.scenario).plan(outcome.scenario).robots)
    assert drawn.count("polygon") == sum(each.shape == "polygon" for each in outcome.scenario.field.obstacles)
    for body in bodies:
        assert 0.0 < float(body.get("cx") or "") < (outcome.scenario.field.width or 0.0)


def test_robots_are_drawn_where_they_are_at_the_end(wandering: CaseOutcome) -> None:
    last = wandering.table("tracks").groupby("robot").last()
    for x, y in zip(last["x_m"], last["y_m"], strict=True):
        assert f'cx="{x:.6g}" cy="{y:.6g}" r="0.1"' in wandering._repr_html_()


def test_what_a_notebook_shows_is_escaped(wandering: CaseOutcome) -> None:
    html = replace(wandering, reason="<b>&", frames={"<i>": {"&": 1.0, "word": "<u>"}})._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert "&lt;i&gt;.&amp;" in html
    assert "&lt;u&gt;" in html
    assert not {"<i>", "<u>"} & set(re.findall("<[^>]*>", html))


def test_long_tracks_are_thinned(monkeypatch: pytest.MonkeyPatch, wandering: CaseOutcome) -> None:
    from devs_robotics.scenarios.running import notebook

    whole = len(wandering._repr_html_())
    monkeypatch.setattr(notebook, "MOST_PLACES", 5)
    assert len(wandering._repr_html_()) < whole - 1000


def test_things_show_themselves_in_a_line(wandering: CaseOutcome, convoy: ConvoyOutcome) -> None:
    assert repr(convoy) == "<ConvoyOutcome of convoy, stage fast, seed 1: accepted, every robot has completed 6 rounds>"
    assert repr(wandering.scenario) == "<WanderingScenario of devs_robotics.scenarios.wander:Wandering, seed 1>"
    scenario = load_any("wander", ["run.seed=3"])
    assert str(scenario) == (
        "<WanderingScenario 'Robots wander in a field with a box, and cover it' of wander, seed 3>"
    )
    assert repr(Wandering(robots=3, step="20 cm")) == "Wandering(robots=3, step=0.2)"


def test_a_case_study_of_anybodys_is_written_too(wandering: CaseOutcome, tmp_path: Path) -> None:
    paths = wandering.write(tmp_path / "out")
    assert [path.name for path in paths] == ["summary.json", "tracks.csv", "coverage.csv", "report.html"]
