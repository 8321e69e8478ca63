"""Colours are for terminals, for those who want them, and only where they mean something."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.scenarios.commands.colours import GREEN, RED, RESET, YELLOW, coloured, has_colours
from tests.scenarios.commands.calling import called
from tests.scenarios.commands.test_display import Terminal


@pytest.fixture(autouse=True)
def _no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("wishes", "on_a_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_who_wants_colours_has_them(
    wishes: dict[str, str], on_a_terminal: bool, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in wishes.items():
        monkeypatch.setenv(name, value)
    assert (has_colours(Terminal()), has_colours(io.StringIO())) == (on_a_terminal, elsewhere)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("accepted: it is over", f"{GREEN}accepted{RESET}: it is over"),
        ("  rejected: it is not", f"  {YELLOW}rejected{RESET}: it is not"),
        ("failed: a fault", f"{RED}failed{RESET}: a fault"),
        ("devs-robotics: a mistake", f"{RED}devs-robotics{RESET}: a mistake"),
        ("x: DOES NOT PASS", f"x: {RED}DOES NOT PASS{RESET}"),
        ("nothing was accepted: never", "nothing was accepted: never"),
        ("devs-robotics run convoy", "devs-robotics run convoy"),
        ("\x1b[1maccepted\x1b[0m: so", "\x1b[1maccepted\x1b[0m: so"),
    ],
)
def test_what_has_a_meaning_has_a_colour(line: str, shown: str) -> None:
    assert coloured(line, Terminal()) == shown
    assert coloured(line, io.StringIO()) == line


@given(st.lists(st.sampled_from(["accepted: x", "  failed: y", "words", "", "warning: VIOLATION"])).map("\n".join))
def test_without_its_colours_a_text_is_as_it_was(text: str) -> None:
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured(text, Terminal())) == text


def test_a_command_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "wander", "--robots", "1", "--duration", "1")
    plain = called(*words).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert f"\n{GREEN}accepted{RESET}: the duration" in called(*words).stdout
    assert called("run", "nothing").stderr.startswith(f"{RED}devs-robotics{RESET}: nothing: there is no such file")
    monkeypatch.setenv("NO_COLOR", "1")
    assert called(*words).stdout.partition("CPU")[2] == plain.partition("CPU")[2]
