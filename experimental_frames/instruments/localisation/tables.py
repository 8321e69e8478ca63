"""The errors of localisation as a CSV text, the same bytes for the same measurements."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics.experimental_frames.instruments.localisation.localisation import FixRow, Localisation

LOCALISATION_HEADER = ",".join(FixRow.__struct_fields__)


def localisation_lines(localisation: Localisation, first: int = 0) -> Iterator[str]:
    """One line a fix, from number `first` on."""
    for block in localisation.rows.blocks(first):
        for row in block.tolist():
            yield ",".join(map(repr, row))


def localisation_csv(localisation: Localisation) -> str:
    """All fixes."""
    return "\n".join([LOCALISATION_HEADER, *localisation_lines(localisation)]) + "\n"
