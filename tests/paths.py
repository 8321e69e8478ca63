"""Where files are."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The project's own folder."""


def names(folder: Path) -> list[str]:
    """What a folder holds, hidden files included."""
    return sorted(path.name for path in folder.iterdir())
