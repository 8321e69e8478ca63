"""One published statement beside ours."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Verdict: TypeAlias = Literal["agrees", "differs", "other data"]
"""Whether ours is the published value; where it is not, it is said why. "Other data": ours is made of other data."""


class Row(Struct, frozen=True):
    """One published statement beside ours.

    Attributes:
        where: in the paper
        what: it is about
        published: as a text
        ours: the same
        verdict: whether both are the same
        why: not; or what is to be known
    """

    where: str
    what: str
    published: str
    ours: str
    verdict: Verdict
    why: str = ""


def row(where: str, what: str, published: str, ours: str, why: str = "") -> Row:
    """A row whose texts are the same where both agree; where they differ, `why` says for what reason."""
    return Row(where, what, published, ours, "agrees" if published == ours else "differs", why)
