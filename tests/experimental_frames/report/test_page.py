"""What a page is made of, and how it becomes one."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

from devs_robotics.experimental_frames.report.markup import badge, below, code, link, marked, versions_line
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, Page, PageTable, Section, Tile

SHARP = '<b>"sharp" & bold</b>'
FIGURE = '<svg role="img" aria-label="it"></svg>'


def full(text: str) -> Page:
    """A page with everything that a page can have, and the same text everywhere."""
    table = PageTable(
        (text, text), ((Cell(text, text, rows=2), Cell(text, number=True)), (Cell(text, number=True),)), text
    )
    folded = PageTable((text,), ((Cell(text),),), folded=text)
    section = Section(text, (text,), (text,), (text,), (Drawing((FIGURE, FIGURE), text),), (table, folded), (text,))
    return Page(
        title=text,
        tab=text,
        lead=text,
        top=(text,),
        tiles=(Tile(text, text),),
        concludes=(text,),
        limits=(text,),
        sections=(section, Section(text, paragraphs=(text,), folded=True)),
        footer=(text,),
    )


class Balanced(HTMLParser):
    """Refuses tags that are not closed where they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_text_is_a_text_in_the_page() -> None:
    html, plain = rendered(full(SHARP)), rendered(full("x"))
    assert "<b>&#34;" not in html
    assert SHARP not in html
    assert html.replace(escape(SHARP).replace("&quot;", "&#34;"), "x") == plain


def test_every_tag_is_closed_and_headings_are_in_order() -> None:
    parser = Balanced()
    parser.feed(rendered(full("it")))
    assert parser.open == []
    assert [tag for tag in parser.seen if re.fullmatch("h[1-6]", tag)] == ["h1", "h2", "h2", "h2"]
    assert parser.seen.count("details") == parser.seen.count("summary") == 2


def test_a_cell_that_goes_over_several_rows_is_the_head_of_them() -> None:
    html = rendered(full("it"))
    assert '<th scope="row" rowspan="2">it<br><span class="soft">it</span></th><td class="number">it</td></tr>' in html
    assert '<tr><td class="number">it</td></tr>' in html


def test_the_least_page_is_a_title() -> None:
    html = rendered(Page(title="Nothing"))
    assert "<title>Nothing</title>" in html
    assert re.sub(r"\s+", "", html[html.index("<main>") :]) == "<main><h1>Nothing</h1></main></body></html>"


def test_what_is_put_into_marked_up_words_is_escaped() -> None:
    sharp = "&lt;b&gt;&#34;sharp&#34; &amp; bold&lt;/b&gt;"
    assert code(SHARP) == f"<code>{sharp}</code>"
    assert link(SHARP, SHARP) == f'<a href="{sharp}">{sharp}</a>'
    assert badge(SHARP, "near") == f'<span class="verdict near">{sharp}</span>'
    assert below([SHARP, code("a")]) == f"{sharp}<br><code>a</code>"
    assert marked("<i>{}</i>{}", SHARP, code(1)) == f"<i>{sharp}</i><code>1</code>"
    assert f"<p>{sharp}" in rendered(Page(title="it", top=(marked("{}", SHARP),)))


def test_versions_are_listed() -> None:
    assert versions_line({"python": "3.11", "numpy": "2"}) == "python 3.11, numpy 2."
