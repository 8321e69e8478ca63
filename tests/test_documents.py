"""The documents: their code runs and prints what they say, and their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands import cli
from tests.documents import TITLED, examples, program
from tests.paths import ROOT
from tests.playing import commands, play
from tests.scenarios.commands.calling import called

DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
GALLERY = ROOT / "docs" / "gallery.md"
ELSEWHERE = ("testing.md", "first-case-study.md")
"""What they show are files, and commands; see test_pytest_plugin.py and test_first_case_study.py."""

PLAYED = (
    "README.md",
    "defensible-study.md",
    "devs-in-ten-minutes.md",
    "every-command.md",
    "faq.md",
    "gallery.md",
    "first-run.md",
    "mixed-reality-with-a-camera.md",
    "own-frame.md",
    "own-robot.md",
    "own-sensor.md",
    "sweep-on-a-cluster.md",
    "to-hardware.md",
)
"""Played from top to bottom in an empty folder: commands and all."""

WITH_CODE = [path for path in DOCUMENTS if examples(path) and path.name not in (*ELSEWHERE, *PLAYED)]

MARK = "-- end of a block --"


@pytest.mark.long
@pytest.mark.parametrize("document", WITH_CODE, ids=lambda path: path.name)
def test_the_code_in_a_document_prints_what_the_document_says(document: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program(document, MARK)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert result.returncode == 0, result.stderr
    printed = result.stdout.split(f"{MARK}\n")[:-1]
    expected = [example.output for example in examples(document)]
    assert [seen for seen, said in zip(printed, expected, strict=True) if said is not None] == [
        said for said in expected if said is not None
    ]


def test_the_tutorial_is_one_of_them_and_says_what_each_block_prints() -> None:
    (tutorial,) = (path for path in WITH_CODE if path.name == "tutorial.md")
    assert sum(example.output is not None for example in examples(tutorial)) >= 7


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        assert target.startswith("https://") or (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_tables_in_documents_are_whole(document: Path) -> None:
    text = TITLED.sub("", document.read_text(encoding="utf-8"))
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        assert re.match(r".*\n\|[ :|-]+\|\n", table), f"no head: {table}"


@pytest.mark.parametrize(
    "section", re.findall(r"^## .*?(?=^## |\Z)", GALLERY.read_text(encoding="utf-8"), flags=re.M | re.S)
)
def test_settings_that_the_gallery_proposes_are_no_mistakes(section: str) -> None:
    case = re.match(r"## .* \(`(\w+)`\)", section)
    proposals = re.findall("`(--set [^`]+)`", section)
    assert case or not proposals
    for proposal in proposals:
        done = called("check", case[1] if case else "", *shlex.split(proposal))
        assert done.returncode == 0, f"{proposal}: {done.stdout}{done.stderr}"


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYED)
def test_a_page_does_what_it_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    (document,) = (path for path in DOCUMENTS if path.name == name)
    play(document, tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_a_document_are_commands_with_these_options(
    document: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER_PASSWORD", "secret")  # which one of them takes from there
    for kind, _, block in TITLED.findall(document.read_text(encoding="utf-8")):
        for words, comment in commands(block) if kind in ("shell", "bash", "") and "devs-robotics" in block else ():
            if words[:1] == ["devs-robotics"] and "fails" not in comment and "..." not in words:
                cli._options(words[1 : words.index("|") if "|" in words else None])
