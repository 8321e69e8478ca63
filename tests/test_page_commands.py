"""Each command that the site shows is run, or named with the reason why it is not; all are parsed."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from devs_robotics.hil.robot_protocol import Command, Report
from devs_robotics.scenarios.commands import cli
from devs_robotics.scenarios.settings.loading import validate
from tests.documents import TITLED
from tests.page_commands import FIRST, NOT_RUN, SHORTER, PageCommand, carry_out, page_commands, write_files
from tests.paths import ROOT
from tests.test_documents import DOCUMENTS, ELSEWHERE, PLAYED

SCENARIO_TABLES = ("add-a-robot.md", "own-metrics.md", "ros2.md", "ros2-tools.md", "stages.md", "to-hardware.md")
"""Pages that show tables of scenarios."""


def left(page: Path) -> list[PageCommand]:
    """The commands of a page but those with which it is played."""
    played = page.name in (*PLAYED, *ELSEWHERE)
    return [each for each in page_commands(page) if not (played and each.kind == "shell")]


EVERY = [each for page in DOCUMENTS for each in left(page)]

RUN = [page for page in DOCUMENTS if any(not each.reason for each in left(page))]


@pytest.mark.long
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    for line in (*FIRST.get(page.name, ()), *(each for each in left(page) if not each.reason)):
        command = line if isinstance(line, PageCommand) else PageCommand(line, "", "shell")
        done = carry_out(command.shorter, tmp_path)
        assert (done.returncode != 0) == ("fails" in command.comment), f"{command.shorter}\n{done.stdout}{done.stderr}"


def test_there_is_no_reason_and_no_shortening_for_what_is_nowhere() -> None:
    lines = [each.line.removeprefix("PYTHONPATH=. ") for each in EVERY]
    unused = [begins for begins in NOT_RUN if not any(re.match(begins, line) for line in lines)]
    assert not unused
    assert not [long for long in SHORTER if not any(re.search(long, each.line) for each in EVERY if not each.reason)]


def test_tests_that_reasons_name_are_there() -> None:
    named = re.findall(r"tests/[\w/.]*\w", " ".join(NOT_RUN.values()))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_what_is_not_run_names_what_there_is(page: Path) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M)
    for each in page_commands(page):
        words = shlex.split(each.line.removeprefix("PYTHONPATH=. "))
        if words[0] == "make" and "=" not in words[1]:
            assert words[1] in targets, each.line
        elif words[:2] == ["python", "-m"]:
            assert find_spec(words[2]), each.line
        elif words[0] == "devs-robotics" and each.line.startswith("PYTHONPATH=. "):
            cli._options(words[1:])


@pytest.mark.parametrize("name", SCENARIO_TABLES)
def test_keys_of_tables_that_a_page_shows_are_keys(name: str) -> None:
    blocks = [
        tomllib.loads(text) for kind, _, text in TITLED.findall((ROOT / "docs" / name).read_text()) if kind == "toml"
    ]
    assert blocks
    for block in blocks:
        case = block.get("case") or next((key for key in ("convoy", "delivery") if key in block), "wander")
        if case != "delivery":  # which the page makes itself, and is played
            _, problems = validate({**block, "case": case})
            assert not [str(each) for each in problems if "no such setting" in str(each)]


def test_messages_of_the_robot_protocols_page_are_its_messages() -> None:
    text = (ROOT / "docs" / "robot-protocol.md").read_text(encoding="utf-8")
    lines = [block for kind, _, block in TITLED.findall(text) if kind == "json"]
    assert len(lines) > 10
    for line in lines:
        message = msgspec.json.decode(line, type=Command | Report)
        again = msgspec.json.decode(msgspec.json.encode(message))
        assert {key: again[key] for key in msgspec.json.decode(line)} == msgspec.json.decode(line)
