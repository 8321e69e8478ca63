"""Lines for people: as wide as their terminal, broken between words only."""

from __future__ import annotations

import io
import json
from math import inf, nan

import pytest

from devs_robotics.scenarios.commands.display import Display, fitted, show_json

SENTENCE = "the error wanders too slowly for so short a run: a drift and a slow return look alike, whatever is done"


class Terminal(io.StringIO):
    """A stream that says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("indent", ["", "  ", "        "])
def test_a_line_is_broken_between_words_and_goes_on_indented(indent: str) -> None:
    lines = fitted(f"first\n{indent}{SENTENCE}\nlast", Terminal()).split("\n")
    assert (lines[0], lines[-1]) == ("first", "last")
    assert max(map(len, lines)) <= 80
    assert len(lines) > 3
    assert lines[1].startswith(indent + "the error")
    assert all(line.startswith(f"{indent}  ") and line[len(indent) + 2] != " " for line in lines[2:-1])
    assert " ".join(line.strip() for line in lines[1:-1]) == SENTENCE


@pytest.mark.parametrize(
    "line",
    [
        "x" * 80,
        f"  {'in columns   and with   blanks '.ljust(70, '.')}",
        f"  devs-robotics run convoy {'--set convoy.robots=4 ' * 9}",
        f"\x1b[1m{'bold ' * 20}\x1b[0m",
        "",
    ],
)
def test_what_fits_commands_and_colours_stay_as_they_are(line: str) -> None:
    assert fitted(line, Terminal()) == line


def test_a_path_is_not_broken() -> None:
    path = f"/somewhere/{'deep-er/' * 12}"
    assert fitted(f"report: {path} and so on", Terminal()).split("\n")[1].strip() == path


@pytest.mark.parametrize("columns", ["1", "0", "-3", "wide", "9" * 5000])
def test_whatever_columns_says_all_words_are_there(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = fitted(f"    {SENTENCE}", Terminal())
    assert shown.split() == SENTENCE.split()


def test_files_and_pipes_get_whole_lines() -> None:
    assert fitted(SENTENCE, io.StringIO()) == SENTENCE


def test_a_silent_display_shows_nothing_and_json_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    Display(silent=True)("nothing")
    show_json({"a": nan, "b": [inf, {"c": 1.5}], "word": "\udcff±"})
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1
    assert json.loads(shown) == {"a": None, "b": [None, {"c": 1.5}], "word": "\udcff±"}


@pytest.mark.parametrize(
    ("steering", "seen"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb\x00\x7f\x9b", r"a\x0db\x00\x7f\x9b"),
        ("\x1b[1mbold\x1b[0m\ttab\nline", "\x1b[1mbold\x1b[0m\ttab\nline"),
    ],
)
def test_nothing_that_is_shown_steers_a_terminal_but_for_colours(
    steering: str, seen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Display()(steering)
    assert capsys.readouterr().out == f"{seen}\n"
