"""``devs-robotics tree``: shows the model tree of a scenario, as text or as a picture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.core.files import write_atomically
from devs_robotics.scenarios.commands.arguments import add_common_settings, add_scenario, positive
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from xdevs.models import Component

OTHER_PICTURES = (".gif", ".jpeg", ".jpg", ".pdf", ".png", ".webp")
"""Names of files end so that hold no SVG."""

SUMMARY = "show a scenario's models with their ports and couplings"

WIDTH = 100
"""Of lines that go elsewhere than to a terminal (columns)."""

_COLOURS = (
    "(?m)^(?P<dim>[│├└─ ]+(?:in|out|EIC|IC|EOC|but)?)",
    "(?m)(?:^|── )(?P<bold>[^│\\s][^:\n]*): ",
    "(?P<yellow>nothing coupled(?: inside| outside)?|\\((?:cannot|sends) [^)]*\\))",
)
"""What is shown in which style of rich."""

_ASCII = str.maketrans({"│": "|", "├": "+", "└": "+", "─": "-", "→": "->", "…": "..."})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument("--svg", metavar="FILE", type=Path, help="file for a block diagram, instead of text")
    parser.add_argument("--depth", metavar="N", type=positive, help="open N levels of coupled models (default: all)")
    parser.add_argument(
        "--all", dest="everything", action="store_true", help="show siblings of one shape one by one, not once for all"
    )


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show the models of a scenario with their ports and couplings; returns the exit status."""
    from devs_robotics.core.diagram import tree_svg
    from devs_robotics.scenarios.case import case_of
    from devs_robotics.scenarios.settings.loading import load
    from devs_robotics.scenarios.setup.setup import set_up

    if options.svg is not None and options.svg.suffix.lower() in OTHER_PICTURES:
        raise OptionError(f"--svg writes SVG, not {options.svg.suffix}: take {options.svg.stem}.svg")
    setup = set_up(load(options.scenario, options.settings))
    model = case_of(setup.scenario).experiment(setup)
    if options.svg is None:
        show(_text(model, options.depth, options.everything))
    else:
        _write(options.svg, tree_svg(model, depth=options.depth, everything=options.everything))
        show(f"diagram: {options.svg}")
    return RAN


def _text(model: Component, depth: int | None, everything: bool) -> str:
    """The tree, in colours and as wide as the terminal if it goes to one."""
    from rich.console import Console
    from rich.text import Text

    from devs_robotics.core.diagram import tree_text

    console = Console(highlight=False)
    width = console.width if console.is_terminal else WIDTH
    text = _encodable(tree_text(model, depth=depth, everything=everything, width=width), sys.stdout.encoding)
    if not console.is_terminal:
        return text
    coloured = Text(text)
    for pattern in _COLOURS:
        coloured.highlight_regex(pattern)
    with console.capture() as capture:
        console.print(coloured, soft_wrap=True, end="")
    return capture.get()


def _encodable(text: str, encoding: str) -> str:
    """The text in characters that the output can show."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def _write(path: Path, text: str) -> None:
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):  # /dev/stdout, say, must stay what it is
            path.write_text(text, encoding="utf-8")
        else:
            write_atomically(path, text)
    except OSError as exc:
        reason = f"--svg: {path} cannot be written ({exc.strerror}): free or choose another place"
        raise OptionError(reason) from exc
