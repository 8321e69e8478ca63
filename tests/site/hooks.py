"""What mkdocs does not do by itself for the documentation site: pages of files that are elsewhere, and links to them.

``CONTRIBUTING.md`` and ``CHANGELOG.md`` become pages, and so does each file of the repository that a page links to, so
that no link leads out of the site.
"""

from __future__ import annotations

import logging
import re
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from posixpath import normpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

LOG = logging.getLogger("mkdocs.hooks.site")

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

ELSEWHERE = {"contributing.md": ROOT / "CONTRIBUTING.md", "changes.md": ROOT / "CHANGELOG.md"}
"""Pages, and the files outside docs/ that they are."""

LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)")
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of files that are elsewhere, and of those that are linked to."""
    for name, path in ELSEWHERE.items():
        files.append(File.generated(config, name, content=path.read_text(encoding="utf-8")))
    for path in sorted({path for page in files.documentation_pages() for path in _linked(page)}):
        files.append(File.generated(config, _page_of(path), content=_shown(path), inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links that leave docs/ to the pages made for them."""
    return LINK.sub(lambda found: _target(page.file.src_uri, found[1]), markdown)


def _linked(page: File) -> list[Path]:
    targets = (_path(page.src_uri, found[1]) for found in LINK.finditer(page.content_string))
    return [path for path in targets if _needs_page(path)]


def _path(page: str, target: str) -> Path:
    """The file that a link on a page means."""
    folder = ELSEWHERE[page].parent if page in ELSEWHERE else (DOCS / page).parent
    return Path(normpath((folder / target).as_posix()))


def _needs_page(path: Path) -> bool:
    return path.is_file() and path.is_relative_to(ROOT) and not path.is_relative_to(DOCS) and path not in _PAGES


def _target(page: str, target: str) -> str:
    path = _path(page, target)
    up = "../" * page.count("/")
    if path in _PAGES:
        return up + _PAGES[path]
    if _needs_page(path):
        return up + _page_of(path)
    return up + path.relative_to(DOCS).as_posix() if page in ELSEWHERE and path.is_relative_to(DOCS) else target


def _page_of(path: Path) -> str:
    return f"source/{path.relative_to(ROOT).as_posix()}.md"


def _shown(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    return f"# {name}\n\n`````{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n`````\n"


_PAGES = {path: name for name, path in ELSEWHERE.items()}


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """See that the reference has every public name of the modules that it shows, under one address or another."""
    if not page.file.src_uri.startswith("reference/"):
        return
    for module in re.findall(r"^## `(\S+)`$", page.file.content_string, flags=re.M):
        there = import_module(module)
        for name in getattr(there, "__all__", ()):
            if not name.startswith("__") and not ismodule(getattr(there, name)) and not _shown_in(html, module, name):
                LOG.warning("%s: %s.%s has no docstring, and so is not there", page.file.src_uri, module, name)


def _shown_in(html: str, module: str, name: str) -> bool:
    """Whether a name of a module has a place in the page: its own, or that of a module that is called like it."""
    places = rf"{re.escape(module)}\.|devs_robotics\.[a-z_.]+\.{re.escape(name)}\."
    return re.search(rf'id="({places}){re.escape(name)}"', html) is not None
