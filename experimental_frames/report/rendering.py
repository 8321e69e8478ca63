"""How reports become pages: templates in the layout that all of them share, and numbers for people."""

from __future__ import annotations

from functools import cache
from math import isnan, pi
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.report.colours import themed
from devs_robotics.experimental_frames.report.sections import Page
from devs_robotics.experimental_frames.report.wording import counts

SHARED = Path(__file__).parent
"""Where the layout and its style are."""


def rendered(page: Page) -> str:
    """A page as HTML, which opens offline."""
    return template("page.html").render(page=page)


@cache
def template(name: str, folder: Path = SHARED) -> jinja2.Template:
    """A template out of a folder; what it extends or includes may also be in this one, `SHARED`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, SHARED]),
        autoescape=True,
        finalize=_tied,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fixed"] = fixed
    environment.filters["cm"] = lambda metres: fixed(metres, 1, 100.0)
    environment.filters["ms"] = lambda seconds: fixed(seconds, 1, 1000.0)
    environment.filters["degrees"] = lambda angle: fixed(angle, 2, 180.0 / pi)
    environment.filters["themed"] = lambda figure: Markup(themed(figure))  # of our own drawing
    environment.filters["counts"] = counts
    environment.filters["numbered"] = numbered
    return environment.get_template(name)


def _tied(value: Any) -> Any:
    """A text in which no line ends between a number and its sign of per cent."""
    return value.replace(" %", "\u00a0%") if isinstance(value, str) else value


def number(value: float | None) -> float | None:
    """A number, or None where there is none."""
    return None if value is None or isnan(value) else value


def fixed(value: float | None, digits: int, scale: float = 1.0) -> str:
    """A number with so many digits after its point, or a dash where there is none."""
    known = number(value)
    return "–" if known is None else f"{scale * known:,.{digits}f}"
