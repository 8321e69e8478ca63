"""``devs-robotics trace``: shows a trace file, or compares two."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import chain
from math import inf
from pathlib import Path

from devs_robotics.core.observe import Event, Started, TraceError, first_difference, read_trace, select
from devs_robotics.core.observe.selecting import EVENT_KINDS
from devs_robotics.core.observe.text import TraceText
from devs_robotics.scenarios.commands.arguments import add_summary
from devs_robotics.scenarios.commands.display import nobody_reads, show_json
from devs_robotics.scenarios.errors import OptionError

SUMMARY = "show a trace that run wrote, or compare two"

SAME, DIFFERENT = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument("file", type=Path, help="a trace that run --trace wrote: .jsonl or .mcap")
    parser.add_argument(
        "--model",
        dest="models",
        metavar="PATTERN",
        action="append",
        default=[],
        help="only models such as 'robot*/motor', or one of their ports, 'robot3/motor.done'; may be given again",
    )
    parser.add_argument("--port", metavar="PATTERN", help="only what is sent and received through ports of such names")
    parser.add_argument(
        "--from", dest="start", metavar="T", type=float, default=-inf, help="only what happens from this time on (s)"
    )
    parser.add_argument(
        "--to", dest="until", metavar="T", type=float, default=inf, help="only what happens up to this time (s)"
    )
    parser.add_argument(
        "--kind",
        dest="kinds",
        choices=EVENT_KINDS,
        action="append",
        default=[],
        help="only events of this kind; may be given again",
    )
    parser.add_argument(
        "--compare",
        metavar="OTHER",
        type=Path,
        help="show the first difference to another trace; exit status 1 if there is one",
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show a trace line by line, or how it differs from another; returns the exit status."""
    if options.compare is not None:
        return _compare(options, show)
    if options.quiet or options.json:
        raise OptionError("--quiet and --json are for --compare; a trace in JSON is what run --trace FILE.jsonl writes")
    text = TraceText()
    for event in _chosen(options.file, options):
        show(text.line(event))
        if nobody_reads():
            break
    return SAME


def _compare(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    difference = first_difference(_chosen(options.file, options), _chosen(options.compare, options))
    if options.json:
        show_json({"same": difference is None, "difference": None if difference is None else str(difference)})
    if difference is None:
        show(f"{options.file} and {options.compare} tell the same")
        return SAME
    show(f"expected: {options.file}\nseen: {options.compare}\n{difference}")
    return DIFFERENT


def _chosen(path: Path, options: argparse.Namespace) -> Iterator[Event]:
    """The events that are asked for; raises TraceError at the end when there were none of such models and ports."""
    events = read_trace(path)
    head = next(events)
    assert isinstance(head, Started)
    found = False
    for event in select(
        chain([head], events),
        *options.models,
        port=options.port,
        kinds=options.kinds,
        start=options.start,
        until=options.until,
    ):
        found = True
        yield event
    if not found and (options.models or options.port):
        asked = ", ".join(map(repr, [*options.models, *([options.port] if options.port else [])]))
        some = ", ".join(list(head.models)[:5])
        raise TraceError(f"{path} tells nothing of {asked} in that time: it watches {some}, ...")
