"""A replay as HTML: one file, or a part of a page, with all that it needs; it asks no network and stores nothing.

Browsers load no modules from files. So the page's modules stand in the HTML itself, deflated; a few lines of script
make addresses of them that begin with ``data:``, and an import map that gives these their names. The timeline's chunks
stand there as they are, in base64, and so do changes of marks, deflated: paths that change again and again are alike.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files
from math import nan
from typing import Any

import msgspec
import numpy as np

from devs_robotics.view.replay import Replay, rounded
from devs_robotics.view.timeline import HEADING, SLOT, SPEED, TURN_RATE, Timeline, TimelineWriter, X, heads

MOST = 25_000_000
"""Size of the timeline in base64 (bytes) above which it is thinned."""

MODULES = (
    "timeline.js",
    "scene.js",
    "words.js",
    "dom.js",
    "labels.js",
    "draw.js",
    "tracks.js",
    "pointer.js",
    "windows.js",
    "keys.js",
    "controls.js",
    "table.js",
    "viewer.js",
    "replay.js",
)
"""Modules of the page that a replay needs."""

PLOTTING = ("plots.js",)
"""A further one, to plot values over time."""

POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'"
"""What the file of a replay may load: nothing but what stands in it."""


def replay_html(replay: Replay) -> str:
    """A replay as one file, which opens offline; the same bytes for the same replay."""
    title = escape(replay.scene.title or "Replay")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_text('page.css')}</style>\n</head>\n"
        f'<body>\n<main class="page">\n<h1>{title}</h1>\n{_embedded(replay, whole=True)}\n</main>\n</body>\n</html>\n'
    )


def replay_section(replay: Replay) -> str:
    """A replay as a part of a page, which may have one of them; the same text for the same replay."""
    return _embedded(replay, whole=False)


def _embedded(replay: Replay, *, whole: bool) -> str:
    timeline, every = thinned(replay.timeline, MOST)
    series = replay.series if whole else {}  # reports have figures of their own
    modules = _modules((*MODULES, *PLOTTING) if series else MODULES)
    note = f'<p class="soft">Of each robot only every change number {every} is here, for want of room.</p>\n'
    told = {
        "scene": replay.scene,
        "marks": _deflated([rounded(change) for change in replay.marks]) if replay.marks else "",
        "series": series,
        "begin": timeline.begin,
        "end": timeline.end,
        "chunks": [b64encode(chunk).decode() for chunk in timeline.chunks],
    }
    return (
        f"<style>\n{_text('view.css')}</style>\n"
        '<div id="replay" class="view"><noscript>The replay needs JavaScript.</noscript></div>\n'
        f"{note if every > 1 else ''}"
        f'<script type="application/json" id="replay-data">{_json(told)}</script>\n'
        f'<script type="text/plain" id="replay-modules">{modules}</script>\n'
        f"<script>\n{_text('begin.js')}begin({_json({'whole': whole})});\n</script>"
    )


def _json(value: Any) -> str:
    """JSON for the inside of a script element: no text in it can end that."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


@cache
def _modules(names: tuple[str, ...]) -> str:
    """The modules by their names, as JSON, deflated, in base64."""
    return _deflated({f"view/{name}": _named(_text(name)) for name in names})


def _deflated(value: Any) -> str:
    """JSON, deflated, in base64."""
    deflating = zlib.compressobj(9, wbits=-15)
    return b64encode(deflating.compress(msgspec.json.encode(value)) + deflating.flush()).decode()


@cache
def _text(name: str) -> str:
    return (files("devs_robotics.view") / "page" / name).read_text(encoding="utf-8")


def _named(module: str) -> str:
    """A module that imports the others by their names: an address that begins with ``data:`` has no neighbours."""
    return re.sub(r'(?<=from ")\./', "view/", module)


def thinned(timeline: Timeline, most: int) -> tuple[Timeline, int]:
    """A timeline that takes no more than so many bytes in base64, and how many changes became one."""
    every = 1
    found = timeline
    while _size(found) > most and every < timeline.changes:
        every *= 2
        found = _each(timeline, every)
    return found, every


def _size(timeline: Timeline) -> int:
    return sum(4 * ((len(chunk) + 2) // 3) for chunk in timeline.chunks)


def _each(timeline: Timeline, every: int) -> Timeline:
    """One in so many of the changes of each slot, its last one, and all by which it joins or leaves.

    Who was on an arc goes straight to its next one.
    """
    first = next(timeline.rows())
    writer = TimelineWriter(
        [(x, y, heading) for x, y, heading in first[: heads(first), X : HEADING + 1]], timeline.begin
    )
    rows = timeline.history()[heads(first) :]
    order = np.argsort(rows[:, SLOT], kind="stable")
    slots, nowhere = rows[order, SLOT], np.isnan(rows[order, X])
    begins = np.flatnonzero(np.diff(slots, prepend=-1.0))
    number = np.arange(len(rows)) - np.repeat(begins, np.diff(begins, append=len(rows)))
    kept = number % every == 0
    kept |= np.diff(slots, append=-1.0) != 0.0
    kept |= nowhere | np.roll(nowhere, 1)
    rows = rows[np.sort(order[kept])]
    motions = rows[:, SPEED : TURN_RATE + 1]
    motions[motions.any(axis=1)] = nan
    writer.write(rows, timeline.end)
    return writer.timeline()
