"""Tables of docstrings are tables on the site, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

TEXT = """Waits.

=======  ============  ===========
phase    time advance  next phase
=======  ============  ===========
waiting  inf           -
going    until the     waiting, or
         goal          a|b
=======  ============  ===========

Ends."""

TABLES = ["devs_robotics", "models", "hil", "experimental_frames", "scenarios"]


def test_each_row_is_one_line() -> None:
    pytest.importorskip("griffe", reason="needs the extra [docs]")
    from tests.site.docstring_tables import with_markdown_tables

    assert with_markdown_tables(TEXT).split("\n") == [
        "Waits.",
        "",
        "| phase | time advance | next phase |",
        "| --- | --- | --- |",
        "| waiting | inf | - |",
        "| going | until the goal | waiting, or a\\|b |",
        "",
        "Ends.",
    ]
    assert with_markdown_tables("== ==\na  b\n== ==") == "|  |  |\n| --- | --- |\n| a | b |"
    assert with_markdown_tables("No table.\n\n    ==== text") == "No table.\n\n    ==== text"


@pytest.mark.parametrize("folder", TABLES)
def test_no_rule_of_a_table_is_left(folder: str) -> None:
    pytest.importorskip("griffe", reason="needs the extra [docs]")
    from tests.site.docstring_tables import RULE, with_markdown_tables

    for path in sorted((Path(ROOT) / folder).rglob("*.py")):
        for text in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), flags=re.S):
            assert not any(RULE.match(line) for line in with_markdown_tables(text).split("\n")), path
