"""``devs-robotics experiment``: all four, briefly, at a real mosquitto; and what is wrong with what was asked for."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.commands.exit_status import FAILED, RAN
from tests.real_components import free_port, require


def command(*words: object) -> int:
    return main(["experiment", *map(str, words)])


@pytest.mark.wall_clock
def test_all_four_are_made_and_told_beside_what_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require("mosquitto")
    assert command("pera", "--which", "1..4", "--quick", "--workers", 1, "--out", tmp_path) == RAN
    told = capsys.readouterr().out
    for number in (1, 2, 3, 4):
        assert f"experiment {number}, " in told
    page = (tmp_path / "index.html").read_text()
    for words in ("Which published statements hold", "46 ms (SD 6)", "nothing is to be concluded", "a stock mosquitto"):
        assert words in page
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["which"] == [1, 2, 3, 4]
    clocks = {each["clock"] for each in results["delays"]}
    assert clocks == {"world", "client", "program"}
    assert {each["pair"] for each in results["round_trips"]} == {"RR", "RV", "VR", "VV"}
    assert sum(each["clock"] == "client" for each in results["round_trips"]) == 6 * 5 * 3, "none is lost"
    assert all(each["answered"] == each["asked"] for each in results["loads"])
    with (tmp_path / "walks.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(results["walks"]) == 9
    assert {row["threshold"] for row in rows} == {"0.1", "0.4"}


def test_the_model_alone_gives_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        assert command("pera", "--which", 1, "--quick", "--trials", 1, "--workers", 1, "--out", tmp_path / name) == RAN
    assert (tmp_path / "one" / "walks.csv").read_bytes() == (tmp_path / "other" / "walks.csv").read_bytes()
    page = (tmp_path / "one" / "index.html").read_text()
    assert "2: delays" not in page


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("pera", "--which", "5"), "there is no experiment 5: there are 1 to 4, for instance --which 1,3 or 1..4"),
        (("para",), "there are no experiments 'para': did you mean 'pera'?"),
        (("qqqq",), "there are no experiments 'qqqq': there is pera"),
    ],
)
def test_what_there_is_not_is_told(
    words: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words, "--out", tmp_path) == FAILED
    assert sentence in capsys.readouterr().err


def test_a_broker_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"127.0.0.1:{free_port()}"
    assert command("pera", "--which", 2, "--quick", "--broker", address, "--out", tmp_path) == FAILED
    said = f"the broker at {address} cannot be reached (Connection refused): start it, or leave --broker out"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "1..", "a", "1,,2", "4..1", "-1"])
def test_what_are_no_numbers_is_told(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("pera", f"--which={text}", "--out", "out") == 2
    assert "must be numbers such as 1, 1,3 or 1..4" in capsys.readouterr().err
