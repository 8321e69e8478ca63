"""What ``devs-robotics view`` makes of a recording for others: a page, an animation, a film or a figure."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import isnan, nan
from pathlib import Path
from typing import Any

from devs_robotics.scenarios.commands.arguments import not_negative, positive
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.errors import OptionError

FIGURE = 1280
"""Width of a picture of one moment (pixels)."""
GIVEN = ("begin", "end", "speed", "fps", "size", "follow", "windows")
SAID = {"begin": "from", "end": "to"}
"""Options whose names are not those of what they give."""


def add_export(parser: argparse.ArgumentParser) -> None:
    """``--export FILE``, and what is shown in it."""
    group = parser.add_argument_group("export")
    group.add_argument(
        "--export",
        metavar="FILE",
        type=Path,
        help="make a file, by its ending: .html, .gif, .mp4, or one moment as .png, .svg or .pdf",
    )
    group.add_argument("--from", dest="begin", metavar="T", type=_time, help="show it from this time on (s)")
    group.add_argument("--to", dest="end", metavar="T", type=_time, help="show it up to this time (s)")
    group.add_argument(
        "--speed", metavar="N", type=_above_zero, help="simulated seconds per second (default: over after 20 s)"
    )
    group.add_argument("--fps", metavar="N", type=positive, help="frames per second (default: 25; .gif: 25 or 50)")
    group.add_argument(
        "--size", metavar="PIXELS", type=positive, help="width of the picture (default: 640, of figures 1280)"
    )
    group.add_argument("--follow", metavar="ROBOT", type=not_negative, help="keep this robot in the middle")
    group.add_argument(
        "--windows",
        choices=("one", "two", "overlay"),
        help="the models, real robots and models side by side, or both in one (default: two, where robots are real)",
    )


def refuse_without_export(options: argparse.Namespace) -> None:
    """Raise an OptionError for an option of a file where none is made."""
    for name in GIVEN:
        if getattr(options, name) is not None:
            raise OptionError(
                f"--{SAID.get(name, name)} has no effect without --export FILE: add that, or leave it out"
            )


def export(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Make a file of a recording; returns the exit status."""
    from devs_robotics.core.files import write_atomically
    from devs_robotics.scenarios.running.results import OutputError
    from devs_robotics.view.export.export import check_ending, exported
    from devs_robotics.view.export.options import Options
    from devs_robotics.view.recording import read

    ending = check_ending(options.export)
    given = {name: value for name in GIVEN if (value := getattr(options, name)) is not None}
    if ending == ".html" and given:
        name = next(iter(given))
        raise OptionError(f"--{SAID.get(name, name)} has no effect in a page, where viewers choose: leave it out")
    if ending in (".png", ".svg", ".pdf"):
        for name in ("end", "speed", "fps"):
            if name in given:
                said = SAID.get(name, name)
                raise OptionError(f"--{said} has no effect in a picture of one moment, which --from says: leave it out")
        given = {"size": FIGURE, "end": given.get("begin", nan), **given}
    replay = read(recording_in(options.recording))
    if ending in (".png", ".svg", ".pdf") and "begin" not in given:
        given["begin"] = given["end"] = replay.timeline.end
    content = exported(replay, ending, Options(**given), _style(ending))
    try:
        write_atomically(options.export, content)
    except OSError as exc:
        raise OutputError(
            f"--export: {options.export} cannot be written ({exc.strerror}): choose another place"
        ) from exc
    show(f"{options.export}: {len(content) / 1000.0:,.0f} kB")
    return RAN


def _style(ending: str) -> dict[str, Any]:
    """Of figures; other files have none, and do without what draws figures."""
    if ending not in (".png", ".svg", ".pdf"):
        return {}
    from devs_robotics.experimental_frames.report.drawing import STYLE

    return dict(STYLE)


def recording_in(path: Path) -> Path:
    """The recording itself, or the one in a folder.

    Raises:
        OptionError: there is none in it, or there are several
    """
    if not path.is_dir():
        return path
    found = sorted(each for each in path.iterdir() if each.suffix in (".mcap", ".jsonl"))
    if len(found) == 1:
        return found[0]
    if found:
        raise OptionError(f"{path} has {len(found)} recordings: name one, such as {found[0]}")
    raise OptionError(
        f"{path} has no recording: make one, with devs-robotics run SCENARIO --out {path} --record {path / 'run.mcap'}"
    )


def _time(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = nan
    if isnan(number):
        raise argparse.ArgumentTypeError(f"must be a number of seconds, not {text[:40]!r}")
    return number


def _above_zero(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number <= 1e6:
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {text[:40]!r}")
    return number
