"""Makes a file of a recording; the ending of its name says which kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from devs_robotics.view.export.options import (
    LARGEST_SIZE,
    LEAST_SIZE,
    ExportError,
    Options,
    span_of,
    windows_of,
)
from devs_robotics.view.replay import Replay

ENDINGS = (".html", ".gif", ".mp4", ".png", ".svg", ".pdf")


def check_ending(path: Path) -> str:
    """The ending of a file's name.

    Raises:
        ExportError: it is none of `ENDINGS`
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ExportError(f"--export {path} must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return ending


def exported(replay: Replay, ending: str, options: Options, style: Any) -> bytes:
    """The content of a file; the same bytes for the same recording and options.

    Args:
        replay: that is shown
        ending: of the file's name, one of `ENDINGS`
        options: what is shown of it
        style: of matplotlib, for figures

    Raises:
        ExportError: what is asked for is not in the recording, or cannot be made here
    """
    if ending == ".html":
        from devs_robotics.view.html import replay_html

        return replay_html(replay).encode()
    if not LEAST_SIZE <= options.size <= LARGEST_SIZE:
        raise ExportError(f"--size must be from {LEAST_SIZE} to {LARGEST_SIZE} pixels, not {options.size}")
    windows_of(replay.scene, options.windows)
    from devs_robotics.view.export.drawing import Moments

    moments, span = Moments(replay), span_of(replay, options)
    if ending in (".gif", ".mp4"):
        from devs_robotics.view.export.raster import Frames

        frames = Frames(moments, span, options)
        if ending == ".gif":
            from devs_robotics.view.export.gif import gif

            return gif(frames, options.fps)
        from devs_robotics.view.export.mp4 import mp4

        return mp4(frames, options.fps)
    from devs_robotics.view.export.figure import figure

    return figure(moments, span, options, ending.removeprefix("."), style)
