"""``devs-robotics view``: shows a recording in a browser, or a run that goes on, or makes a file of a recording."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from devs_robotics.core.processes import is_there
from devs_robotics.scenarios.commands.arguments import add_view
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.commands.exporting import add_export, export, refuse_without_export
from devs_robotics.scenarios.commands.watching import serving_of, warn
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from devs_robotics.scenarios.viewing.live import Where
    from devs_robotics.view.replay import Replay
    from devs_robotics.view.server.shown import ViewContent

SUMMARY = "show a recording in a browser, or make a page, an animation or a figure of it"

ENDINGS = (".mcap", ".jsonl")
"""Of recordings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument(
        "recording",
        metavar="FILE|DIR",
        type=Path,
        help="a recording, .mcap or .jsonl; a folder of recordings; or the folder of a run that goes on",
    )
    add_view(parser)
    add_export(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Serve what is to be seen until Ctrl-C, or make a file of it; returns the exit status."""
    if options.export is not None:
        return export(options, show)
    refuse_without_export(options)
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.view.server.serving import check

    path: Path = options.recording
    serving = serving_of(options)
    check(serving)
    if serving.warning:
        warn(serving.warning)
    from devs_robotics.view.server.foreground import show_recordings, show_run  # what they need is there

    with Interrupt() as interrupt:

        def tell(link: str) -> None:
            show(f"view: {link}\nCtrl-C ends it")

        where = running_in(path)
        if where is not None and _answers(where.link):
            show(f"the run goes on, and is shown already: {where.link}")
        elif where is not None:
            show_run(Path(where.block), serving, tell, lambda: interrupt.requested)
        else:
            show_recordings(to_be_seen(path), serving, tell, lambda: interrupt.requested)
    return RAN


def to_be_seen(path: Path) -> ViewContent:
    """A recording, or those of a folder.

    Raises:
        OptionError: the folder has none
        DevsRoboticsError: it is no recording
    """
    from devs_robotics.view.server.recorded import RecordingHub
    from devs_robotics.view.server.shown import ViewContent

    if not path.is_dir():
        return ViewContent(RecordingHub(recorded(path)))
    found = sorted(each for each in path.iterdir() if each.suffix in ENDINGS)
    if not found:
        raise OptionError(
            f"{path} has no recording, and no run of it goes on: make a recording with devs-robotics run SCENARIO "
            f"--record {path / 'run.mcap'}"
        )
    if len(found) == 1:
        return ViewContent(RecordingHub(recorded(found[0])))
    return ViewContent(None, str(path), [each.name for each in found], lambda number: recorded(found[number]))


def recorded(path: Path) -> Replay:
    """What a recording holds; raises a DevsRoboticsError for what is none."""
    from devs_robotics.view.recording import read

    return read(path)


def running_in(folder: Path) -> Where | None:
    """Where the run is seen whose folder this is, if it goes on."""
    from devs_robotics.scenarios.viewing.live import WHERE, Where

    try:
        where = msgspec.json.decode((folder / WHERE).read_bytes(), type=Where)
    except (OSError, msgspec.MsgspecError):
        return None
    return where if is_there(where.pid) and Path(where.block).exists() else None


def _answers(link: str) -> bool:
    """Whether a view is there; its process may have died without being buried."""
    place = urlsplit(link)
    with suppress(OSError), socket.create_connection((place.hostname or "", place.port or 0), 2.0):
        return True
    return False
