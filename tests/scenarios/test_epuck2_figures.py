"""The page of the e-puck2 is what the command makes, and the command says what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devs_robotics.experimental_frames.epuck2.page import page
from devs_robotics.experimental_frames.epuck2.pictures import PICTURES
from devs_robotics.scenarios import epuck2_figures
from devs_robotics.scenarios.commands import cli
from tests.epuck2_pictures import MEASURED, PAGE, now


def test_the_page_in_the_documents_is_not_old() -> None:
    """But for costs, which are measured, it shows what the models say now."""
    assert page(now()) == PAGE.read_text(), f"docs/{PAGE.name} is old: python -m tests.images epuck2-proximity.svg"
    assert epuck2_figures.costs_text(now().costs) == MEASURED.read_text()


def test_the_page_shows_every_picture_once_and_has_no_line_that_is_hard_to_read() -> None:
    text = PAGE.read_text()
    assert re.findall(r"\]\(images/([^)]+)\)", text) == [shown.file for shown in PICTURES.values()]
    assert all(len(line) <= 125 for line in text.splitlines() if not line.startswith(("|", "!")))


def test_the_command_writes_page_pictures_and_data_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = {name: PICTURES[name] for name in ("camera", "light")}  # the others are held against their digests
    monkeypatch.setattr(epuck2_figures, "PICTURES", some)
    monkeypatch.setattr(epuck2_figures, "make", lambda costs: now())
    assert epuck2_figures.main(["--out", str(tmp_path), "--costs", str(MEASURED)]) == 0
    told = capsys.readouterr().out
    assert "Table 4, camera's angle at x = 150, y = 86 (degrees): published 29.5, ours 32.0 (differs)" in told
    assert f"page: {tmp_path / PAGE.name}" in told
    assert {path.name for path in (tmp_path / "images").iterdir()} == {shown.file for shown in some.values()}
    assert (tmp_path / PAGE.name).read_text() == PAGE.read_text()
    head, first, *_ = (tmp_path / "data" / "figure-7.csv").read_text().splitlines()
    assert head == "time_s,2 cm/s,4 cm/s,6 cm/s,8 cm/s,10 cm/s,12 cm/s"
    assert first == "0,300,300,300,300,300,300"
    assert cli.main(["battery", "fit", str(tmp_path / "data" / "figure-10.csv")]) == 0
    (average,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("average"))
    assert [float(error) for error in average.split()[1:]] == pytest.approx(
        [*now().batteries.errors.values()], abs=5e-5
    )
    again = tmp_path / "again"
    epuck2_figures.write(again, now())
    file = PICTURES["camera"].file
    assert (again / "images" / file).read_bytes() == (tmp_path / "images" / file).read_bytes()


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read (No such file or directory)"), ("{}", "holds no costs"), ("no", "holds no costs")],
)
def test_costs_that_cannot_be_read_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str
) -> None:
    path = tmp_path / "costs.json"
    if content is not None:
        path.write_text(content)
    assert epuck2_figures.main(["--out", str(tmp_path / "out"), "--costs", str(path)]) == 2
    assert said in capsys.readouterr().err
