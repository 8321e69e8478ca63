"""Tables of docstrings, which are reStructuredText, as those of Markdown, which the site is made from."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import griffe

RULE = re.compile(r"( *)=+(?: +=+)+ *$")


class MarkdownTables(griffe.Extension):
    """Changes the docstrings of all that the site's reference shows."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change one."""
        if obj.docstring is not None:
            obj.docstring.value = with_markdown_tables(obj.docstring.value)


def with_markdown_tables(text: str) -> str:
    """A text with its simple tables as Markdown has them; heads of those without any are empty."""
    done: list[str] = []
    for blank, lines in groupby(text.split("\n"), lambda line: not line.strip()):
        block = list(lines)
        rules = [number for number, line in enumerate(block) if RULE.match(line)]
        if not blank and len(rules) in (2, 3) and (rules[0], rules[-1]) == (0, len(block) - 1):
            heads = block[1 : rules[1]] if len(rules) == 3 else []
            block = _table(block[0], heads, block[rules[-2] + 1 : -1])
        done += block
    return "\n".join(done)


def _table(rule: str, heads: list[str], body: list[str]) -> list[str]:
    indent = len(rule) - len(rule.lstrip())
    starts = [found.start() for found in re.finditer("=+", rule)]
    ends = [*starts[1:], None]
    rows = [[""] * len(starts)] if not heads else []
    for line in (*heads, *body):
        cells = [line[start:end].strip().replace("|", "\\|") for start, end in zip(starts, ends, strict=True)]
        if cells[0] or not rows:
            rows.append(cells)
        else:  # it goes on with the row before
            rows[-1] = [f"{above} {more}".strip() for above, more in zip(rows[-1], cells, strict=True)]
    rows.insert(1, ["---"] * len(starts))
    return [f"{' ' * indent}| {' | '.join(cells)} |" for cells in rows]
