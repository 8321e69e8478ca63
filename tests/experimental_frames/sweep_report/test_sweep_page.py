from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sweep import Subject
from devs_robotics.experimental_frames.sweep_report.folders import read_folders
from devs_robotics.experimental_frames.sweep_report.methods import methods_md
from devs_robotics.experimental_frames.sweep_report.page import sections_of, sweep_report_html
from devs_robotics.experimental_frames.sweep_report.tables import points_table
from tests.experimental_frames.sweep_report.sweeps import PAPER, grid, write

SIZES = grid(convoy__robots=(10, 20, 30, 40))


def page(*paths: Path) -> str:
    return unescape(sweep_report_html(read_folders(paths), {"devs-robotics": "9.9"}, paths[0].parent))


def titles(path: Path) -> list[str]:
    return [section.title for section in sections_of(read_folders([path])[0])]


def sized(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
    """E and the cost are the same at every size, but for what a replicate adds."""
    return {
        "error_at_pose_changes_m": 0.13 + 0.001 * replicate,
        "error_at_completed_rounds_followers_m": 0.06 + 0.001 * replicate,
        "cpu_per_robot_round_s": 1e-4 + 1e-6 * replicate,
        "robots_lost": 0,
    }


def test_a_page_stands_alone_and_links_to_the_raw_data(tmp_path: Path) -> None:
    sens, scale = write(tmp_path / "sens", PAPER), write(tmp_path / "sc ale", SIZES, sized)
    text = page(sens, scale)
    assert not re.findall(r"(?:src|@import|<link)[^>]*", text)
    links = re.findall(r'href="([^"]+)"', text)
    assert "methods.md" in links
    assert {"sens/runs.csv", "sens/design.json", "sens/settings.jsonl", "sc%20ale/runs.csv"} <= set(links)
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.S).lower().split()


def test_figures_and_heads_are_told_to_those_who_cannot_see_them(tmp_path: Path) -> None:
    text = page(write(tmp_path / "sens", PAPER), write(tmp_path / "scale", SIZES, sized))
    assert text.count("<svg ") == text.count('<svg role="img" aria-label="Mean position error E (cm) against') + 2
    assert text.count("<th ") == len(re.findall(r'<th scope="(?:col|row)"', text)) > 0
    assert "<th>" not in text


def test_which_sections_there_are_follows_from_the_design(tmp_path: Path) -> None:
    assert titles(write(tmp_path / "sens", PAPER)) == ["Sensitivity to noise"]
    assert titles(write(tmp_path / "scale", SIZES, sized)) == ["Scalability"]
    both = grid(leader__step=(0.2, 0.3), convoy__robots=(10, 20))
    assert titles(write(tmp_path / "both", both, sized)) == [
        "Sensitivity to leader.step",
        "Scalability, leader.step = 0.2",
        "Scalability, leader.step = 0.3",
    ]
    words = grid(clock__late=("record", "warn"))
    assert titles(write(tmp_path / "words", words)) == ["Sensitivity to clock.late"]


def test_known_changes_are_told_with_their_elasticity(tmp_path: Path) -> None:
    text = page(write(tmp_path / "sens", PAPER, replicates=8))
    assert text.count('<td class="number">+9.') == 2  # a little less than 10 %, for what the replicates add
    assert "36.6" not in text.split("<svg")[0]
    assert "The published averages are 1.49 to 1.72 times these" in text
    assert text.count("8 of 8") == len(PAPER)


def test_published_values_are_shown_only_beside_the_papers_settings(tmp_path: Path) -> None:
    text = page(write(tmp_path / "sens", PAPER, settings=["convoy.robots=20"]))
    assert "Orange" not in text
    text = page(write(tmp_path / "scale", SIZES, sized, settings=["noise.dnf=0.2"]))
    assert "Orange" not in text


def test_the_published_value_is_not_spoken_of_where_no_axis_reaches_it(tmp_path: Path) -> None:
    """It is that of 30 robots."""
    for name, sizes, shown in (("around", (10, 40), True), ("below", (5, 20), False), ("above", (31, 90), False)):
        text = page(write(tmp_path / name, grid(convoy__robots=sizes), sized))
        assert ("Orange" in text) == shown, name


def test_what_was_not_accepted_is_shown_with_seed_and_command_and_leaves_the_means(tmp_path: Path) -> None:
    def measured(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
        if replicate == 4:
            return {"ended": "failed", "reason": "it <burst>"}
        if replicate == 5:
            return {
                "ended": "rejected",
                "reason": "robot 3 was lost",
                "robots_lost": 1,
                "error_at_pose_changes_m": 99.0,
            }
        return {"error_at_pose_changes_m": 0.1, "robots_lost": 0}

    folder = write(tmp_path / "sens", PAPER, measured)
    (read,) = read_folders([folder])
    html = sweep_report_html([read], {}, tmp_path)
    assert "it &lt;burst&gt;" in html
    assert html.count("devs-robotics run convoy --seed 5") == len(PAPER)
    assert html.count("devs-robotics run convoy --seed 6") == len(PAPER)
    assert "12 of 18 runs accepted" in html
    assert "9,900" not in html
    assert "6 of 18 runs are left out" in html


def test_a_sweep_that_goes_on_is_called_unfinished(tmp_path: Path) -> None:
    text = page(write(tmp_path / "sens", PAPER, planned=100))
    assert "18 of 100 runs are there" in text


def test_sweeps_with_other_fixed_settings_are_not_to_be_compared(tmp_path: Path) -> None:
    sens = write(tmp_path / "sens", PAPER, settings=["run.rounds=100"])
    text = page(sens, write(tmp_path / "scale", SIZES, sized, settings=["run.rounds=50"]))
    assert "The sweeps differ in run.rounds (100, 50)" in text
    assert "differ in" not in page(sens, write(tmp_path / "again", SIZES, sized, settings=["run.rounds=100"]))


def test_robots_lost_have_a_range_and_their_runs_an_exact_interval(tmp_path: Path) -> None:
    lost: dict[int, dict[str, Any]] = {
        5: {"robots_lost": 3, "first_lost_at_s": 70.0, "ended": "rejected"},
        4: {"rounds_completed": 100},
    }
    folder = write(
        tmp_path / "few",
        grid(convoy__robots=(10,)),
        lambda values, replicate: {"robots_lost": 0, **lost.get(replicate, {})},
    )
    text = page(folder)
    assert text == page(folder)
    words = " ".join(re.sub(r"<[^>]*>", " ", text).split())
    assert "runs that lost a robot 1 of 6 0.4 to 64 % " in words  # Clopper & Pearson's table for 1 of 6
    assert "robots lost 0.5 from 0 to 3 in 6 runs first robot lost at (s) 70 1 of 6 runs " in words
    assert "rounds completed by every robot 100 1 of 6 runs" in words


def test_what_is_left_out_is_counted_once(tmp_path: Path) -> None:
    def measured(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
        out = {"ended": "rejected", "robots_lost": 1} if replicate == 5 and values["convoy.robots"] == 40 else {}
        return {**sized(values, replicate), **out}

    text = page(write(tmp_path / "scale", SIZES, measured))
    assert text.count("1 of 24 runs is left out (1 lost a robot)") == 1
    assert text.count("Runs that are left out may be the worst") == 1


def test_runs_of_which_nothing_was_measured_still_have_a_page(tmp_path: Path) -> None:
    nothing = write(tmp_path / "sens", PAPER, lambda values, replicate: {"ended": "failed", "reason": "no"})
    assert "0 of 18 runs accepted" in page(nothing)
    sizes = write(tmp_path / "scale", SIZES, lambda values, replicate: {"ended": "failed", "reason": "no"})
    assert "0 of 24 runs accepted" in page(sizes)
    assert "<!-- no run counts -->" in page(sizes)


@pytest.mark.parametrize("replicates", [1, 2])
def test_few_replicates_have_a_page_that_says_so(tmp_path: Path, replicates: int) -> None:
    text = page(write(tmp_path / "sens", PAPER, replicates=replicates))
    assert f"With {'one run' if replicates == 1 else '2 runs'} per point there are no intervals" in text


def test_morris_effects_of_a_linear_metric_are_its_slopes(tmp_path: Path) -> None:
    steps = [((0.0, 0.0), (2 / 3, 0.0), (2 / 3, 2 / 3)), ((1.0, 1.0), (1 / 3, 1.0), (1 / 3, 1 / 3))] * 3
    points = [{"noise.dnf": 0.3 * x, "leader.step": 0.1 + 0.3 * y} for some in steps for x, y in some]
    folder = write(
        tmp_path / "morris",
        points,
        lambda values, replicate: {
            "error_at_pose_changes_m": float(values["noise.dnf"]) + float(values["leader.step"])
        },
        replicates=1,
        kind="morris",
        bounds=[(0.0, 0.3), (0.1, 0.4)],
        levels=4,
        samples=6,
    )
    text = page(folder)
    assert "Morris' screening" in text
    assert text.count("30.0") >= 2  # 0.3 m over either range


def own(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
    """Metrics of one's own: one grows as the step does, one may be less than zero, and one never changes."""
    step = float(values["leader.step"])
    return {
        **sized(values, replicate),
        "frames.mine.way": step * (10 + replicate),
        "frames.mine.slope": step - 0.3 + 0.01 * (replicate % 3) * step,
        "frames.mine.same": 7.0,
        "frames.mine.small": 0.001 if replicate else 0.1,
        "frames.mine.word": "smooth",
    }


def test_metrics_of_ones_own_have_a_figure_intervals_a_comparison_and_a_conclusion(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", grid(leader__step=(0.2, 0.4)), own, replicates=8, schema=True)
    (read,) = read_folders([folder])
    found = {section.title: section for section in sections_of(read)}
    assert list(found) == ["Sensitivity to leader.step", "mine.way", "mine.slope", "mine.same", "mine.small"]
    (way,), (slope,) = found["mine.way"].concludes, found["mine.slope"].concludes
    assert way.startswith("mine.way is sensitive to leader.step, from leader.step = 0.2 m to leader.step = 0.4 m as a")
    assert way.endswith("when it doubles, mine.way rises by 100 % (100 to 100).")
    assert "mine.slope goes from −0.0982 to 0.104, of which there is no relative change; the difference of" in slope
    never = "does not change at all from leader.step = 0.2 m to leader.step = 0.4 m: it is the same in both runs of"
    assert found["mine.same"].concludes == (f"mine.same {never} each of 8 pairs.",)
    for section in found.values():
        assert section.drawings
        assert section.tables
    assert found["Sensitivity to leader.step"].concludes[0].startswith(f"Mean position error E {never}")
    points = points_table(read.sweep)
    assert points is not None
    assert {"leader.step (m)", "mine.way", "mine.slope"} <= set(points.heads)
    small = points.rows[0][points.heads.index("mine.small")]
    assert small.soft.startswith("0.000 to ")  # what is below zero in no run has no interval that is
    assert "−" in points.rows[0][points.heads.index("mine.slope")].soft


SWARM = Subject(
    metrics=(
        Metric("share", "share of the field covered", "%", 100.0, better="more"),
        Metric("meetings", "meetings", digits=0),
        Metric("solved", "task", words=("solved", "undecided", "not")),
        Metric("frames.mine.way", "way of all robots", "m"),
    ),
    team="swarm",
)
"""A case that has declared nothing but its metrics, and one of a part of a further frame."""

OF_THE_CONVOY = re.compile(
    r"convoy|leader|follower|formation|lost a robot|Hu and Zeigler|position error", re.IGNORECASE
)


def swarming(values: Mapping[str, Any], replicate: int) -> dict[str, Any]:
    """The share grows with the robots, and in the largest swarms a run in four does not solve the task."""
    bad = values["swarm.robots"] == 30 and replicate % 4 == 0
    return {
        "share": 0.02 * float(values["swarm.robots"]) + 0.001 * replicate * float(values["step"]),
        "meetings": 3.0 + replicate,
        "solved": "not" if bad else "solved",
        "frames.mine.way": 10.0 * float(values["step"]),
        "frames.mine.other": 1.0 + float(values["step"]),
    }


def test_a_case_that_declares_nothing_but_metrics_has_a_full_report_in_words_of_its_own(tmp_path: Path) -> None:
    points = grid(swarm__robots=(5, 10, 30), step=(0.1, 0.2))
    path = write(tmp_path / "swarm", points, swarming, replicates=8, subject=SWARM, title="A swarm")
    (folder,) = read_folders([path])
    found = {section.title: section for section in sections_of(folder)}
    assert list(found) == [
        "Sensitivity to step",
        "Scalability, step = 0.1",
        "Scalability, step = 0.2",
        "meetings",
        "way of all robots (m)",
        "mine.other",
    ]
    concluded = " ".join(found["Scalability, step = 0.1"].concludes)
    assert "the trend of share of the field covered is linear" in concluded
    said = " ".join(sentence for section in found.values() for sentence in (*section.concludes, *section.limits))
    assert not OF_THE_CONVOY.search(said)
    points_of, text = points_table(folder.sweep), unescape(sweep_report_html([folder], {}, tmp_path))
    assert points_of is not None
    assert points_of.heads[3:] == (
        "share of the field covered (%)",
        "meetings",
        "way of all robots (m)",
        "mine.other",
        "task",
    )
    assert "The task was solved in 44 of 48 runs, and not solved in 4, at 2 of the points." in text
    assert "The share of the field covered lies between 10.0 and 60.1 % in all 48 runs." in text.replace("\xa0", " ")
    methods_text = methods_md([folder], {})
    assert "A team of robots was simulated as a discrete-event (DEVS) model [1]" in methods_text
    methods_text, _, references = methods_text.partition("### References")
    assert "Theory of Modeling and Simulation" in references
    assert not OF_THE_CONVOY.search(methods_text.replace("devs-robotics sweep convoy", ""))


def test_a_measure_of_a_part_of_the_frame_has_one_section(tmp_path: Path) -> None:
    subject = replace(SWARM, main=("frames.mine.way",))
    assert titles(write(tmp_path / "part", grid(swarm__robots=(5,), step=(0.1, 0.2)), swarming, subject=subject)) == [
        "Sensitivity to step",
        "mine.other",
    ]


@pytest.mark.parametrize("kind", ["factorial", "morris"])
def test_a_case_without_any_number_still_has_a_page(tmp_path: Path, kind: str) -> None:
    words = Subject(metrics=(Metric("solved", "task", words=("solved", "not")),))
    folder = write(
        tmp_path / kind,
        [{"step": 0.1}, {"step": 0.2}],
        lambda values, replicate: {"solved": "solved"},
        subject=words,
        kind=kind,
        bounds=[(0.1, 0.2)] if kind == "morris" else [],
    )
    assert titles(folder) == []
    assert "The task was solved in 12 of 12 runs" in page(folder)
    assert "were accepted" in methods_md(read_folders([folder]), {})


def test_published_values_stand_at_those_levels_for_which_there_are_some(tmp_path: Path) -> None:
    text = page(write(tmp_path / "two", PAPER[:2]))
    assert "Orange is what the paper reports" in text
    one = page(write(tmp_path / "one", grid(noise__dnf=(0.1, 0.3)), settings=["noise.anf=0.08"]))
    assert "Orange is what the paper reports" in one
    assert "Orange" not in page(write(tmp_path / "none", grid(noise__dnf=(0.15, 0.3)), settings=["noise.anf=0.08"]))


def test_what_is_the_same_for_all_other_settings_is_said_once(tmp_path: Path) -> None:
    folder = write(tmp_path / "own", grid(leader__step=(0.2, 0.4), noise__dnf=(0.1, 0.2)), own, replicates=8)
    (read,) = read_folders([folder])
    same = next(section for section in sections_of(read) if section.title == "mine.same")
    assert len(same.concludes) == 2
    assert all(said.startswith("Whatever the other settings: mine.same does not change") for said in same.concludes)


@pytest.mark.parametrize(("kind", "size", "called"), [("sobol", 4, "samples"), ("morris", 3, "trajectories")])
def test_too_small_a_sample_has_a_section_that_says_why_and_shows_what_there_is(
    tmp_path: Path, kind: str, size: int, called: str
) -> None:
    points = [
        {"noise.dnf": 0.1 * block + 0.05 * (place in (1, size - 1)), "leader.step": 0.1 + 0.1 * (place > 1)}
        for block in range(2)
        for place in range(size)
    ]
    folder = write(
        tmp_path / kind,
        points,
        lambda values, replicate: {"error_at_pose_changes_m": float(values["noise.dnf"]), "frames.mine.a": 1.0},
        replicates=1,
        kind=kind,
        bounds=[(0.0, 0.2), (0.1, 0.4)],
        samples=2,
    )
    for section in sections_of(read_folders([folder])[0]):
        assert f"since 2 {called} are too few" in section.says[0]
        assert len(section.drawings[0].panels) == 2


def test_a_table_that_is_not_whole_is_not_called_accepted_in_green(tmp_path: Path) -> None:
    badge = '<span class="verdict{}">18 of 18 runs accepted</span>'
    assert badge.format(" ") in page(write(tmp_path / "whole", PAPER))
    assert badge.format(" interrupted") in page(write(tmp_path / "part", PAPER, planned=20))


def test_replicates_of_one_setting_are_a_sweep_too(tmp_path: Path) -> None:
    (folder,) = read_folders([write(tmp_path / "again", [{}])])
    assert "nothing but the seed" in sweep_report_html([folder], {}, tmp_path)
    assert "nothing but the seed was varied" in methods_md([folder], {})
