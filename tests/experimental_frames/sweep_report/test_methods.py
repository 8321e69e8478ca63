from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devs_robotics.experimental_frames.sweep_report.folders import read_folders
from devs_robotics.experimental_frames.sweep_report.methods import methods, methods_md
from devs_robotics.experimental_frames.sweep_report.references import WORKS, References
from tests.experimental_frames.sweep_report.sweeps import PAPER, grid, write


def test_numbers_come_from_the_design_and_the_settings(tmp_path: Path) -> None:
    sens = write(tmp_path / "sens", PAPER, replicates=7, settings=["run.rounds=120", "leader.step=0.25"])
    scale = write(tmp_path / "scale", grid(convoy__robots=(10, 20)), replicates=3, settings=["run.rounds=80"])
    text = methods_md(read_folders([sens, scale]), {"devs-robotics": "1.0", "scipy": "2.0"})
    for said in (
        "devs-robotics 9.9 (numpy 8.8, scipy 2.0)",
        "(noise.dnf, noise.anf) = (0.04, 0.04), (0.1, 0.08), (0.2, 0.1)",
        "run 7 times, with the seeds 1 to 7",
        "run 3 times, with the seeds 1 to 3",
        "completed 120 rounds",
        "completed 80 rounds",
        "The first 20 rounds were left out",
        "steps of the leader of 25 cm",
        "steps of the leader of 20 cm",
        "30 robots",
        "21 of 21 runs were accepted",
        "Student",
        "coherent",
    ):
        assert said in text


def test_every_setting_that_is_not_as_usual_is_told_with_its_unit_and_both_noises(tmp_path: Path) -> None:
    changed = ["follower.correction=0", "infrared.resolution=0", "follower.scan_step=0.2", "field.width=50"]
    folder = write(
        tmp_path / "dnf",
        grid(noise__dnf=(0.1, 0.2)),
        settings=[*changed, "clock.rate=10", "run.rounds=50"],
        schema=True,
    )
    text = methods_md(read_folders([folder]), {})
    for said in (
        "infrared.resolution = 0 m",
        "follower.correction = 0",
        "follower.scan_step = 0.2 rad",
        "width = 50 m",
    ):
        assert said in text
    assert "an angle noise factor ANF of 0.08." in text
    assert "DNF of" not in text  # it is varied
    assert "clock.rate" not in text  # has no effect here
    assert "[[" not in text  # poses are too long


def test_of_usual_settings_there_is_nothing_to_tell(tmp_path: Path) -> None:
    for place, settings in enumerate((["convoy.robots=12", "run.rounds=33"], ["run.duration=90"])):
        folder = write(tmp_path / str(place), grid(noise__dnf=(0.1, 0.2)), settings=settings, schema=True)
        assert "Other than by default" not in methods_md(read_folders([folder]), {})


def test_an_unusual_setting_of_one_sweep_is_told_of_that_one(tmp_path: Path) -> None:
    usual = write(tmp_path / "usual", PAPER, schema=True)
    other = write(tmp_path / "other", PAPER, settings=["follower.correction=0"], schema=True)
    paragraphs, _ = methods(read_folders([usual, other]), {})
    assert [place for place, said in enumerate(paragraphs) if "follower.correction = 0" in said] == [2]


def test_one_round_and_one_run_are_told_as_one(tmp_path: Path) -> None:
    (only,) = read_folders([write(tmp_path / "one", [{}], replicates=1, settings=["run.rounds=4"])])
    text = methods_md([only], {})
    assert "The first round was left out" in text
    assert "1 of 1 run was accepted" in text
    assert "Two settings" not in text


def test_a_run_that_time_ends_is_not_told_as_one_of_all_rounds(tmp_path: Path) -> None:
    settings = ["run.rounds=340", "run.duration=30"]
    (only,) = read_folders([write(tmp_path / "short", [{}], replicates=1, settings=settings)])
    assert "completed 340 rounds or one was lost, and at most 30 s of simulated time." in methods_md([only], {})


def test_settings_that_are_the_same_everywhere_are_told_once(tmp_path: Path) -> None:
    folders = read_folders([write(tmp_path / name, PAPER) for name in ("one", "two")])
    assert methods_md(folders, {}).count("a desired distance of 50 cm") == 1
    assert methods_md(folders, {}).count("30 robots") == 1


def test_what_is_cited_is_listed_and_nothing_else(tmp_path: Path) -> None:
    folders = read_folders([write(tmp_path / "sens", PAPER)])
    paragraphs, references = methods(folders, {})
    cited = {int(number) for some in re.findall(r"\[([\d, ]+)\]", " ".join(paragraphs)) for number in some.split(", ")}
    assert cited == set(range(1, len(references) + 1))
    assert not any("Sobol" in line or "Morris" in line for line in references)


def test_only_what_was_fitted_is_told(tmp_path: Path) -> None:
    def breaking(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
        lost = replicate < values["convoy.robots"] // 10
        return {"error_at_pose_changes_m": 0.1, "robots_lost": int(lost), "ended": "rejected" if lost else "accepted"}

    sizes = grid(convoy__robots=(10, 20, 30, 40))
    held = methods_md(read_folders([write(tmp_path / "held", sizes)]), {})
    assert "AICc" in held
    assert "Firth" not in held
    two = methods_md(read_folders([write(tmp_path / "two", sizes[:2])]), {})
    assert "AICc" not in two
    assert "Firth" in methods_md(read_folders([write(tmp_path / "broke", sizes, breaking)]), {})


def test_a_text_names_the_works_that_it_cites_in_braces() -> None:
    references = References({"own": "A work of one's own."})
    assert references.filled("as in {devs, own} and {own}") == "as in [1, 2] and [2]"
    assert references.lines() == [f"[1] {WORKS['devs']}", "[2] A work of one's own."]


def test_works_are_numbered_in_the_order_in_which_they_are_cited() -> None:
    references = References()
    assert references.cite("devs") == "[1]"
    assert references.cite("sobol", "devs") == "[2, 1]"
    assert references.lines() == [f"[1] {WORKS['devs']}", f"[2] {WORKS['sobol']}"]
