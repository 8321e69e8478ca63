"""Words that stand out in the texts of a page; what is put into them is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup


def marked(pattern: str, *values: object) -> Markup:
    """A pattern of our own in HTML with values at its ``{}``, which are escaped unless they are marked up already."""
    return Markup(pattern).format(*values)


def code(text: object) -> Markup:
    """Something that is typed, or stands in a file."""
    return marked("<code>{}</code>", text)


LONG = 160
"""Characters of a command that would swamp a paragraph or a table."""


def command(text: str) -> Markup:
    """A command to be copied: a long one has a box of its own, is scrolled there, and is selected as a whole."""
    return code(text) if len(text) <= LONG else marked('<code class="command" tabindex="0">{}</code>', text)


def link(text: str, address: str) -> Markup:
    """A text that leads to another file."""
    return marked('<a href="{1}">{0}</a>', text, address)


def badge(word: str, kind: str = "") -> Markup:
    """A verdict in a word.

    Args:
        word: the verdict
        kind: the class of the style sheet that gives it its colour: how a run ended, or "near"; empty: as accepted
    """
    return marked('<span class="verdict {}">{}</span>', kind, word)


def below(parts: Iterable[str]) -> Markup:
    """Texts, one below the other."""
    return Markup("<br>").join(parts)


def versions_line(versions: Mapping[str, str]) -> str:
    """The versions of software."""
    return f"{', '.join(f'{name} {version}' for name, version in versions.items())}."
