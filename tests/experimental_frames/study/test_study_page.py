"""The report of a study and its tables."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from math import nan
from pathlib import Path

import pytest
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.study.compared import everything
from devs_robotics.experimental_frames.study.comparing import rows
from devs_robotics.experimental_frames.study.page import seeds_text, study_html
from devs_robotics.experimental_frames.study.records import ReplayProof, Study, TraceProof
from devs_robotics.experimental_frames.study.replay import ReplayedDecisions
from devs_robotics.experimental_frames.study.tables import runs_csv, study_json
from devs_robotics.experimental_frames.sweep import Subject
from tests.experimental_frames.study.studies import OTHER, made_run, made_study

TEN = range(1, 11)


def study() -> Study:
    values = {
        "fast": {seed: 0.1 + 0.003 * seed for seed in TEN},
        "realtime": {seed: 0.1 + 0.003 * seed for seed in TEN},
        "loop": {seed: 0.112 + 0.003 * seed + 0.001 * (seed % 3) for seed in TEN},
    }
    made = made_study(values)
    made.runs[-1] = made_run("loop", 10, 99.0, "broken off", "robot 2 <does> not answer")
    return made


def page(made: Study) -> str:
    return study_html(made, rows(made))


def text_of(html: str) -> str:
    """The words of a page, without its figures."""
    words = re.sub(r"<svg.*?</svg>|<style.*?</style>|<[^>]*>", " ", html, flags=re.S)
    return re.sub(r"\s+", " ", words)


def test_the_page_tells_what_was_found() -> None:
    text = text_of(page(study()))
    assert "A study of the stages fast, realtime, loop, with seeds 1 to 10." in text
    assert "29 of 30 runs accepted" in text
    assert "against fast: larger by 1.3 cm (95 % interval +1.2 to +1.4)" in text
    assert "robot 3, the back real robot, in loop" in text
    assert "robot 2: a stand-in (json) robot 3: mqtt://host/robot/3" in text
    assert "The models that decide are the same in every stage." in text
    assert "1,234" in text
    assert "every value is the same" in text
    assert "model continuity holds" in text


def test_runs_that_do_not_count_are_told_with_their_command() -> None:
    html = page(study())
    assert '<span class="verdict broken off">broken off</span>' in html
    assert "robot 2 &lt;does&gt; not answer" in html
    assert "devs-robotics run convoy --stage loop --seed 10" in html
    assert "1 of 30 runs do not count" in html


def test_accepted_runs_with_incidents_are_told() -> None:
    made = study()
    made.runs[2] = replace(made.runs[2], incidents=("robot 2: 3 dropped, no message",))
    assert "Runs with incidents" not in page(study())
    assert "fast 3 robot 2: 3 dropped, no message runs/fast-3" in text_of(page(made))


def test_other_decisions_are_told_with_their_place() -> None:
    made = study()
    made.proofs = [made.proofs[0], TraceProof("loop", OTHER)]
    text = text_of(page(made))
    assert "model continuity is not shown" in text
    assert "What they decide is not shown to be the same" in text
    assert "value 17 through robot3/convoy.motor_ask (at 12.500 s) should be Drive(turn=0.1, distance=0.2)" in text


def test_the_page_needs_nothing_from_outside() -> None:
    html = page(study())
    assert not re.search(r"\bsrc=|href=\"(?!#|runs/)|@import|url\((?!#)|<script|<link", html)
    assert html.count("<svg") == html.count('<svg role="img" aria-label="') > 0
    assert html.count("<th ") == html.count("<th scope=") > 0
    assert "A &lt;b&gt;made&lt;/b&gt; study" in html


def test_a_case_that_declares_nothing_but_metrics_has_a_page_in_words_of_its_own() -> None:
    share = Metric("share", "share of the field covered", "%", 100.0)
    word = Metric("solved", "task", words=("solved", "not"))
    made = study()
    made.compared = everything(Subject(metrics=(word, share), team="swarm"))
    made.proofs = []
    made.replays = [ReplayProof(stage, ReplayedDecisions(3, 738, None)) for stage in made.stages]
    made.runs = [replace(run, values={"share": 0.5 + 0.01 * run.seed}, followed=()) for run in made.runs]
    html = page(made)
    text = text_of(html)
    assert "share of the field covered in fast" in text
    assert "model continuity holds" in text
    assert "What they heard makes them say it again" in text
    assert "738" in text
    assert "What they decide" not in text
    assert html.count("<svg ") == 2  # the measure, and lateness
    assert "whole swarm" not in html  # there is nobody else
    assert [row.quantity for row in rows(made)] == [share]
    about = re.sub(r"robot2/convoy|convoy --stage|study convoy|convoy\.\w+|models\.\w+", "", text)
    assert not re.search(r"convoy|leader|follower|formation|position error|back robot", about, flags=re.IGNORECASE)


def test_a_case_without_any_number_has_a_page() -> None:
    made = study()
    made.compared = everything(Subject(metrics=()))
    assert rows(made) == []
    assert page(made).count("<svg ") == 1


@pytest.mark.parametrize(
    "made",
    [
        made_study({"fast": {1: 0.1}}),
        made_study({"fast": {1: 0.1}, "loop": {1: nan}}),
        made_study({"fast": {}, "real": {}}, seeds=(1, 2), runs=[], models={}, proofs=[], interrupted=True),
    ],
    ids=["one stage", "nothing measured", "interrupted at once"],
)
def test_a_study_with_hardly_anything_in_it_still_has_a_page(made: Study) -> None:
    html = page(made)
    assert re.search(r"\bnan\b", text_of(html), flags=re.I) is None
    assert html.rstrip().endswith("</html>")
    json.loads(study_json(made, rows(made)))


def test_the_same_study_has_the_same_page() -> None:
    assert page(study()) == page(study())


def test_a_browser_shows_the_whole_page(chromium: str, tmp_path: Path) -> None:
    path = tmp_path / "study.html"
    path.write_text(page(study()))
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    command = [chromium, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert dom.count("<svg") == 3
    assert re.findall(r"<h2>(.*?)</h2>", dom) == [
        "What was run",
        "Metrics in each stage",
        "Differences to fast",
        "Why stages differ",
        "Position error",
        "The back real robot, round by round",
        "Lateness",
        "Model continuity",
        "Runs that do not count",
    ]


def test_the_table_of_runs_is_tidy() -> None:
    made = study()
    made.runs[0].values["convoy_speed_m_per_s"] = nan
    table = list(csv.DictReader(io.StringIO(runs_csv(made))))
    of_the_first = [row for row in table if (row["stage"], row["seed"]) == ("fast", "1")]
    assert {row["quantity"]: row["value"] for row in of_the_first}["convoy_speed_m_per_s"] == ""
    assert float(of_the_first[0]["value"]) == made.runs[0].values[of_the_first[0]["quantity"]]
    late = [row for row in table if row["quantity"] == "lateness_p99_s"]
    assert {(row["stage"], row["value"]) for row in late} == {("realtime", "0.01"), ("loop", "0.01")}
    assert len(late) == 20
    assert {row["ended"] for row in table} == {"accepted", "broken off"}


def test_the_json_holds_everything() -> None:
    made = study()
    data = json.loads(study_json(made, rows(made)))
    assert len(data["runs"]) == 30
    assert data["reference"] == "fast"
    assert data["continuity"] == {
        "holds": True,
        "whole_runs": sum(run.counts for run in made.runs),
        "models_problem": "",
    }
    (error,) = (row for row in data["comparison"] if row["quantity"]["name"] == "error_at_pose_changes_m")
    assert error["differences"]["loop"]["difference"]["n"] == 9
    assert error["differences"]["loop"]["reading"] == "larger by 1.3 cm"


def test_seeds_are_told_shortly() -> None:
    assert seeds_text((3,)) == "seed 3"
    assert seeds_text((1, 2)) == "seeds 1, 2"
    assert seeds_text((4, 5, 6)) == "seeds 4 to 6"
    assert seeds_text((1, 2, 5)) == "seeds 1, 2, 5"


def test_it_says_why_stages_differ() -> None:
    made = study()
    made.scenario |= {
        "noise": {"dnf": 0.1, "anf": 0.08},
        "stand_in": {"stretch": 0.02, "swerve": 0.0349066, "acceleration": 1.0, "range_noise": 0.002, "perfect": False},
    }
    text = text_of(page(made))
    assert "motions err as the scenario says: up to 10 % of each distance, and 0.08 degrees of heading" in text
    assert "loop : robot 2 is played by a stand-in, whose motions err by their own rules" in text
    assert "up to 2 % of each distance, 2 degrees of heading per metre, with wheels that gain 1 m/s per second" in text
    assert "loop : robot 3 is real, with the errors of its own body" in text
    assert "in the worst run one in a hundred was more than 10.0 ms late" in text
    made.scenario |= {"noise": {}, "stand_in": {"perfect": True}}
    text = text_of(page(made))
    assert "as the scenario says: not at all." in text
    assert "not at all (stand_in.perfect)" in text


def test_what_few_pairs_allow_is_said_once() -> None:
    values = {stage: {seed: shift + 0.01 * seed for seed in (1, 2)} for stage, shift in (("fast", 0.1), ("loop", 0.2))}
    made = made_study(values)
    text = text_of(page(made))
    assert text.count("2 pairs of runs are too few to tell a difference apart from chance: run more seeds.") == 1
    assert text.count("not to be told from chance") == len(rows(made))
    assert "too few" not in text_of(page(study()))
