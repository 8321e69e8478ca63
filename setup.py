"""What setup.cfg cannot say: where the project is to be found, and a README whose links and pictures lead there.

``DEVS_ROBOTICS_URL`` is the address of the project's files where it is published, such as
``https://example.org/devs-robotics/raw/main``. Where a wheel is built without, the description has no pictures, and the
words of its links, so that a package index shows nothing that is broken.
"""

from __future__ import annotations

import os
import re
from pathlib import Path


def description(text: str, url: str) -> str:
    """A README for a package index.

    Args:
        text: of README.md, with links that are relative to it
        url: where its folder is published, or an empty text
    """

    def moved(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if target.startswith(("https://", "#")):
            return found[0]
        if url:
            return f"{picture}[{words}]({url}/{target})"
        return "" if picture else words

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", moved, text)


if __name__ == "__main__":
    from setuptools import setup

    url = os.environ.get("DEVS_ROBOTICS_URL", "").rstrip("/")
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    pages = {"Documentation": "docs", "Changes": "CHANGELOG.md", "Contributing": "CONTRIBUTING.md"}
    setup(
        long_description=description(readme, url),
        project_urls={name: f"{url}/{page}" for name, page in pages.items()} if url else {},
    )
