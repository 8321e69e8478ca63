"""The documentation site: a newcomer's questions are two clicks away, and what would be wrong in it is refused."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path

import pytest

from devs_robotics.scenarios.case import shipped_cases
from tests.paths import ROOT

DOCS = ROOT / "docs"

TASKS = {
    "make it slower": ("faq.md#how-do-i-make-it-slower-or-faster", "--stage realtime --rate"),
    "use my robot": ("own-robot.md#in-the-model", "robots.round_differential("),
    "why was it rejected": ("faq.md#why-was-it-rejected", "`rejected:`"),
    "what is E": ("faq.md#what-is-e", "mean position error"),
    "same seed, other machine": ("faq.md#same-seed-other-machine-is-it-the-same", "byte by byte"),
    "stop it": ("faq.md#how-do-i-stop-it", "Ctrl-C"),
    "where are my results": ("faq.md#where-are-my-results", "`--out DIR`"),
    "compare two runs": ("faq.md#how-do-i-compare-two-runs", "--compare"),
    "cite it": ("faq.md#how-do-i-cite-it", "](citing.md)"),
    "report a bug": ("faq.md#how-do-i-report-a-bug", "`devs-robotics --version`"),
}
"""Where each is answered, and what the answer has to say."""

STARTS = {"README": ROOT / "README.md", "start page": DOCS / "index.md"}


def anchor_of(title: str) -> str:
    """As the site and code hosts make it."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def sections(page: Path) -> dict[str, str]:
    """What stands below each title of a page, by its anchor."""
    text = page.read_text(encoding="utf-8")
    return {anchor_of(title): below for title, below in re.findall(r"^#+ (.+)\n((?:(?!#+ ).*\n?)*)", text, flags=re.M)}


def places(page: Path) -> set[str]:
    """Where links of a page lead to in the documents: a page, or one with an anchor."""
    found = re.findall(r"\]\(([\w./-]+\.md)(#[\w-]+)?\)", page.read_text(encoding="utf-8"))
    inside = [((page.parent / target).resolve(), anchor) for target, anchor in found]
    return {path.relative_to(DOCS).as_posix() + anchor for path, anchor in inside if path.is_relative_to(DOCS)}


def clicks(start: Path, answer: str) -> float:
    """How many clicks it takes from a page to an answer: on links, or on a page's own table of contents."""
    near, (page, _, _) = places(start), answer.partition("#")
    if answer in near:
        return 1
    further = {place for name in near for place in places(DOCS / name.partition("#")[0])}
    return 2 if page in near or answer in further else inf


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("task", TASKS)
def test_the_answer_is_two_clicks_away(task: str, start: str) -> None:
    answer, says = TASKS[task]
    page, _, anchor = answer.partition("#")
    assert clicks(STARTS[start], answer) <= 2
    assert says in sections(DOCS / page)[anchor]


def test_what_is_further_away_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.site.test_site.DOCS", tmp_path)
    for name, text in {
        "index.md": "# A\n[one](one.md)",
        "one.md": "# One\n[two](two.md) and [there](far.md#there)",
        "two.md": "# Two\n[far](far.md)",
        "far.md": "# Far\n\n## There\n\nwords\n\n## Elsewhere\n",
    }.items():
        (tmp_path / name).write_text(text)
    answers = ("one.md#one", "far.md#there", "far.md#elsewhere")
    assert [clicks(tmp_path / "index.md", each) for each in answers] == [2, 2, inf]
    assert sections(tmp_path / "far.md")["there"].strip() == "words"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("See [the other](other.md#there) and [a file](../README.md).", ""),
        ("See [the other](others.md).", "others.md"),
        ("See [the other](other.md#nowhere).", "nowhere"),
        ("See [a file](../no_such_file.py).", "no_such_file.py"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused(
    tmp_path: Path, text: str, refused: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = pytest.importorskip("mkdocs.commands.build", reason="needs the extra [docs]")
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    from tests.site import hooks

    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# A file\n")
    (tmp_path / "docs" / "index.md").write_text(f"# Here\n\n{text}\n")
    (tmp_path / "docs" / "other.md").write_text("# Other\n\n## There\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: small\nplugins: []\n")
    monkeypatch.setattr(hooks, "ROOT", tmp_path)
    monkeypatch.setattr(hooks, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(hooks, "ELSEWHERE", {})
    config = load_config(str(tmp_path / "mkdocs.yml"), strict=True, validation={"anchors": "warn"})
    for event in ("files", "page_markdown"):
        config.plugins._register_event(event, getattr(hooks, f"on_{event}"))
    if refused:
        with pytest.raises(Abort):
            build.build(config)
        assert refused in caplog.text
    else:
        build.build(config)
        assert "A file" in (tmp_path / "site" / "source" / "README.md" / "index.html").read_text()


def test_a_page_that_is_not_in_the_nav_is_refused() -> None:
    nav = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.M)
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert sorted(nav) == sorted({*pages, "contributing.md", "changes.md"})


def test_every_case_that_ships_is_in_the_gallery_with_a_picture_that_moves() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for case in shipped_cases():
        (section,) = re.findall(rf"^## [^\n]*\(`{case}`\)\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
        assert f"](images/{case}.gif)" in section
        assert f"devs-robotics run {case}" in section


def test_the_readme_leads_to_each_page_but_parts_of_others() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(docs/([\w-]+\.md)", readme))
    missing = {path.name for path in DOCS.glob("*.md")} - linked
    assert missing <= {"first-run.md", "mixed-reality-with-a-camera.md"}


def test_the_readme_has_no_numbers_that_no_command_makes() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.sub(r"^```.*?^```$|ROS 2|Python 3\.11", "", text, flags=re.M | re.S)
    assert not re.findall(r"(?<![\w./-])\d[\d.,]*", said), "say it in docs/, with the command that makes it"
