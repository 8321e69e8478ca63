"""What a package index shows of the project."""

from __future__ import annotations

import re
from runpy import run_path

from tests.paths import ROOT

description = run_path(str(ROOT / "setup.py"))["description"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_pictures_and_links_of_the_readme_lead_to_where_it_is_published() -> None:
    shown = description(README, "https://example.org/raw")
    targets = re.findall(r"\]\(([^)]+)\)", shown)
    assert any(target.startswith("https://example.org/raw/docs/images/") for target in targets)
    assert all(target.startswith(("https://", "#")) for target in targets)
    for target in targets:
        if target.startswith("https://example.org/raw/"):
            assert (ROOT / target.removeprefix("https://example.org/raw/").partition("#")[0]).exists()


def test_where_it_is_published_nowhere_there_is_nothing_that_is_broken() -> None:
    shown = description("![a picture](docs/a.gif) See [the page](docs/b.md) and [this](https://example.org/c).", "")
    assert shown == " See the page and [this](https://example.org/c)."
    assert not [target for target in re.findall(r"\]\(([^)]+)\)", description(README, "")) if "://" not in target]


def test_the_citation_has_what_the_format_asks_for() -> None:
    keys = re.findall(r"^([\w-]+):", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.M)
    assert {"cff-version", "message", "title", "authors", "type", "license", "keywords", "references"} <= set(keys)
