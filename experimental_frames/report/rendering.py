"""How sections become a page: one template and one style for all of them, and numbers for people."""

from __future__ import annotations

from functools import cache
from math import isnan
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from devs_robotics.experimental_frames.report.colours import themed
from devs_robotics.experimental_frames.report.sections import Page


def rendered(page: Page) -> str:
    """A page as HTML, which opens offline."""
    return _template().render(page=page)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_tied,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["as_it_is"] = _AsItIs
    environment.filters["themed"] = lambda figure: Markup(themed(figure))  # of our own drawing
    return environment.get_template("page.html")


class _AsItIs:
    """HTML of our own making in which no letter is changed."""

    def __init__(self, html: str) -> None:
        self._html = html

    def __html__(self) -> str:
        return self._html

    __str__ = __html__


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
