"""The documents: their code runs and prints what they say, and their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import examples, program
from tests.paths import ROOT

DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
ELSEWHERE = ("testing.md", "first-case-study.md")
"""What they show are files, and commands; see test_pytest_plugin.py and test_first_case_study.py."""

WITH_CODE = [path for path in DOCUMENTS if examples(path) and path.name not in ELSEWHERE]

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
