"""``devs-robotics battery``: what it shows and writes, and what it says of bad input."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from devs_robotics.models.batteries import DISCHARGES, Battery, read, read_coefficients
from devs_robotics.models.batteries.coefficients import HOURS, ILLUSTRATIVE
from devs_robotics.scenarios.commands.cli import main
from tests.approximately import near
from tests.paths import names

Shown = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Measurements without noise, of all illustrative curves."""
    path = tmp_path / "data.csv"
    rows = [
        (curve.speed_cm, time, curve.charge_at(time))
        for curve in ILLUSTRATIVE
        for time in (curve.duration * number / 40 for number in range(41))
    ]
    path.write_text("\n".join(["speed,time,charge", *(",".join(map(str, row)) for row in rows), ""]))
    return path


def shown(capsys: Shown, *arguments: object, status: int = 0) -> list[str]:
    capsys.readouterr()
    assert main(["battery", *map(str, arguments)]) == status
    out, err = capsys.readouterr()
    assert (out == "") == (status != 0)
    return (err if status else out).splitlines()


def test_a_fit_shows_the_errors_beside_the_published_ones_and_writes_what_batteries_are_made_of(
    data: Path, tmp_path: Path, capsys: Shown
) -> None:
    out = tmp_path / "deep" / "out"
    lines = shown(capsys, "fit", data, "--out", out)
    assert lines[0] == f"{data}: 656 rows, 16 speeds"
    assert lines[1].split()[-4:] == list(DISCHARGES)
    assert [line.split()[2] for line in lines[2:18]] == [f"{hours:.2f}" for hours in HOURS]
    table = {line[: len("published, in ARGoS")].strip(): line.split()[-4:] for line in lines[18:21]}
    assert table["published, analysis"] == ["0.0221", "0.0170", "0.0020", "0.0025"]
    assert table["published, in ARGoS"] == ["0.0216", "0.0167", "0.0019", "0.0023"]
    shares = [number / 40 for number in range(41)]
    from_the_line = sum((0.9 * share - 2.4 * share**2 + 1.5 * share**3) ** 2 for share in shares) / 41
    assert table["average"][1:] == [f"{from_the_line:.4f}", "0.0000", "0.0002"]
    assert "sum (Y - Y')^2 / n per speed, averaged over the speeds" in lines[21]
    assert lines[22:] == [f"coefficients: {out / 'battery.json'}", f"errors: {out / 'errors.csv'}"]
    assert names(out) == ["battery.json", "errors.csv"]
    battery = Battery("battery", read(out / "battery.json", "cubic"))
    assert battery.discharge.seconds_until(1.0, 0.0, 0.13) == near(3600.0 * HOURS[13], within=0.01)
    rows = list(csv.DictReader((out / "errors.csv").read_text().splitlines()))
    assert [float(row["speed_cm"]) for row in rows] == list(range(16))
    assert sum(float(row["linear_mse"]) for row in rows) / 16 == near(from_the_line, within=1e-5)


def test_without_a_folder_nothing_is_written_and_warnings_are_told(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "data.csv"
    path.write_text(
        "speed,time,charge\n" + "".join(f"0,{100 * n},{1 - n / 10}\n5,{90 * n},{1 - n / 10}\n" for n in range(6))
    )
    with path.open("a") as file:
        file.write("".join(f"7,{600 * n},{c}\n" for n, c in enumerate([1.0, 0.6, 0.5, 0.5, 0.52, 0.5, 0.3, 0.0])))
    lines = shown(capsys, "fit", path)
    assert lines[-1] == "write the coefficients by --out DIR"
    assert lines[-2].startswith("warning: the best cubic of 7 cm/s rises after 0.")
    assert names(tmp_path) == ["data.csv"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            None,
            "cannot be read (No such file or directory): give a CSV file with the columns speed (cm/s), time",
        ),
        ("speed,time\n1,2\n", ", line 1: there is no column 'charge', but speed, time: give a CSV file"),
        ("speed,time,charge\n0,1,x\n", ", line 2: the charge 'x' is no number: write one, such as 0.85"),
        ("speed,time,charge\n0,1,1.2\n", ", line 2: the charge 1.2 is above 1: write it as a share, 0.85 for 85 %"),
        (
            "speed,time,charge\n0,1,0.9\n",
            ", line 2: the speed 0 cm/s has 1 time above 0 s, and a cubic needs 3",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(tmp_path: Path, capsys: Shown, text: str | None, said: str) -> None:
    path = tmp_path / "data.csv"
    if text is not None:
        path.write_text(text)
    (line,) = shown(capsys, "fit", path, "--out", tmp_path / "out", status=2)
    assert line.startswith(f"devs-robotics: {path}")
    assert said in line
    assert not (tmp_path / "out").exists()


def test_curves_that_ship_are_marked_and_those_of_a_fit_are_shown_the_same_way(
    data: Path, tmp_path: Path, capsys: Shown
) -> None:
    ships = shown(capsys, "curves")
    assert ships[0] == "simple: as published for the e-puck2 (Stolfi & Danoy); the others: illustrative, not measured"
    assert [line.split()[-1] for line in ships[2:18]] == [f"{hours:.2f}" for hours in HOURS]
    assert [line.split()[-1] for line in ships[18:]] == ["5.48", "3.19"]
    shown(capsys, "fit", data, "--out", tmp_path / "out")
    fitted = shown(capsys, "curves", tmp_path / "out" / "battery.json")
    assert fitted[0] == f"fitted to {data}"
    assert fitted[1:18] == ships[1:18]
    assert len(read_coefficients(tmp_path / "out" / "battery.json").curves) == 16
    (line,) = shown(capsys, "curves", data, status=2)
    assert line.startswith(f"devs-robotics: {data} holds no coefficients of a battery (")


def test_an_action_that_there_is_not_is_told(capsys: Shown) -> None:
    assert "there is no action 'fits': did you mean 'fit'?" in shown(capsys, "fits", status=2)[-1]
    assert "there is no option --uot: did you mean --out?" in shown(capsys, "fit", "x.csv", "--uot", "y", status=2)[-1]
