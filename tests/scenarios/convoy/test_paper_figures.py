from __future__ import annotations

from pathlib import Path

import pytest

from devs_robotics.scenarios.convoy import paper_figures


def test_the_papers_figures_are_made_from_runs_of_the_convoy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figures"
    assert paper_figures.main(["--out", str(out), "--seeds", "2", "--rounds", "8", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "average E at set 2, 30 robots: published 35.7, ours" in told
    assert "not near" in told
    assert f"page: {out / 'index.html'}" in told
    assert {f"figure-{number}.{kind}" for number in (8, 9, 10, 11) for kind in ("svg", "png")} <= {
        path.name for path in out.iterdir()
    }
    rows = (out / "runs.csv").read_text().splitlines()[1:]
    assert len(rows) == 2 * 6
    assert all(",accepted," in row for row in rows)


def test_the_settings_of_a_job_are_those_of_the_paper() -> None:
    planned = paper_figures.jobs(3)
    assert len(planned) == len(set(planned)) == 3 * 6
    scenario = paper_figures.scenario_of(((0.2, 0.1), 30, 3), 50, ["leader.step=0.3"])
    assert (scenario.noise.dnf, scenario.noise.anf, scenario.convoy.robots) == (0.2, 0.1, 30)
    assert (scenario.run.seed, scenario.run.rounds, scenario.leader.step) == (3, 50, 0.3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "leader.stpe=1"], "did you mean 'leader.step'"),
        (["--set", "leader.step=9"], "make it less"),
        (["--set", "convoy.robots=3"], "convoy.robots is both set, by --set, and varied, by the figures: leave out"),
        (["--set", "noise={dnf=0.1}"], "noise.dnf is both set, by --set, and varied, by the figures: leave out --set"),
        (["--set", "run.rounds=3"], "run.rounds is both set, by --set, and varied, by the figures: use --rounds"),
    ],
)
def test_a_wrong_setting_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert paper_figures.main(["--out", str(tmp_path / "figures"), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "figures").exists()


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert paper_figures.main(["--out", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
