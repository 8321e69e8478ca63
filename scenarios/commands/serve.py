"""``devs-robotics serve``: a world for robots whose programs are outside, at an MQTT broker."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from math import inf, radians
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.scenarios.commands.arguments import add_broker, add_view, add_view_camera
from devs_robotics.scenarios.commands.exit_status import RAN, REJECTED
from devs_robotics.scenarios.commands.watching import refuse_without_view
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from devs_robotics.scenarios.serving.served_file import Served
    from devs_robotics.scenarios.viewing.live import LiveView

SUMMARY = "serve a world to robots' programs outside, over MQTT as Pera-Swarm's"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument(
        "arena",
        metavar="ARENA",
        type=Path,
        help="arena file (.json), or a scenario: a TOML file or a name, whose robots then live in the world, too; or, "
        "with --replay, a recorded session",
    )
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="override a key of the scenario; may be repeated",
    )
    add_broker(parser)
    parser.add_argument(
        "--channel", metavar="NAME", help="first level of all topics (default: as the file says, or v1)"
    )
    parser.add_argument(
        "--rules",
        choices=["exact", "original"],
        help="how robots sense: by exact rays, or as the published server did, to compare both (default: exact, or as "
        "the scenario says; so for the next ones)",
    )
    parser.add_argument(
        "--half-angle",
        metavar="DEGREES",
        type=_half_angle,
        help="of the cones of sensors, by exact rules (default: 0, they are rays)",
    )
    parser.add_argument(
        "--coloured-robots", action="store_const", const=True, help="let a robot have the colour of its LEDs"
    )
    parser.add_argument(
        "--await",
        dest="awaited",
        metavar="ROBOTS",
        type=_count,
        help="send START to all when so many robots are there (default: never)",
    )
    parser.add_argument(
        "--radio-delay", metavar="SECONDS", type=_seconds, help="time until messages are heard (default 0)"
    )
    parser.add_argument("--radio-loss", metavar="SHARE", type=_share, help="share of messages not heard (default: 0)")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write all that is heard and said to a file")
    parser.add_argument(
        "--replay", action="store_true", help="play a recorded session again, fast, and compare what is said"
    )
    parser.add_argument("--duration", metavar="SECONDS", type=_seconds, default=inf, help="end after so long")
    parser.add_argument("--view", action="store_true", help="show the world in a browser")
    parser.add_argument(
        "--view-control",
        action="store_true",
        help="with --view: let who has the link start, stop and reset the robots",
    )
    add_view(parser)
    add_view_camera(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Serve until it is interrupted; returns the exit status."""
    if options.record is not None and options.record.resolve() == options.arena.resolve():
        raise OptionError(f"--record {options.record} would write over what is to be read: name another file")
    refuse_without_view(options)
    if options.replay:
        return _replay(options, show)
    from devs_robotics.hil.addresses import masked
    from devs_robotics.hil.broker import EmbeddedBroker
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.serving.serve import broker_of, serve

    what = _what(options)
    with Interrupt() as interrupt, ExitStack() as stack:
        broker, shown = options.broker, options.broker
        if broker is None:
            embedded = stack.enter_context(EmbeddedBroker())
            broker, shown = embedded.address, embedded.shown
        arena = what.file.arena
        show(f"broker   {masked(shown)}")
        show(f"channel  {arena.channel}")
        show(f"arena    {100 * arena.width:g} x {100 * arena.height:g} cm, {len(what.file.obstacles)} obstacles")
        if what.rules.sensing == "original":
            show("robots sense by the published server's own rules, which are wrong in known ways")
        show("robots go on as their programs have them, whatever happens here; Ctrl-C sends STOP to all, and ends this")
        world = serve(
            what.file,
            broker_of(broker, arena.channel),
            what.rules,
            awaited=what.awaited,
            scenario=what.scenario,
            duration=options.duration,
            record=options.record,
            view=_view(options, stack, show),
            interrupted=lambda: interrupt.requested,
            tell=show,
        )
        for why, count in sorted(world.dropped.items()):
            show(f"{count} times {why}")
    return RAN


def _what(options: argparse.Namespace) -> Served:
    """What is to be served, by the file and by the options, which come first."""
    from msgspec.structs import replace

    from devs_robotics.hil.pera_swarm.arena_files import channel_mistake
    from devs_robotics.scenarios.serving.served_file import on_channel, served

    what = served(str(options.arena), tuple(options.settings))
    if options.channel is not None:
        if channel_mistake(options.channel):
            raise OptionError(f"--channel {channel_mistake(options.channel)}")
        what = on_channel(what, options.channel)
    given = {
        "sensing": options.rules,
        "half_angle": None if options.half_angle is None else radians(options.half_angle),
        "robots_coloured": options.coloured_robots,
        "radio_delay": options.radio_delay,
        "radio_loss": options.radio_loss,
    }
    rules = replace(what.rules, **{key: value for key, value in given.items() if value is not None})
    return replace(what, rules=rules, awaited=what.awaited if options.awaited is None else options.awaited)


def _view(options: argparse.Namespace, stack: ExitStack, show: Callable[[str], None]) -> LiveView | None:
    """The view of the world, if one is wanted."""
    if not options.view:
        return None
    from devs_robotics.scenarios.commands.watching import serving_of, warn
    from devs_robotics.scenarios.viewing.live import LiveView
    from devs_robotics.view.server.serving import check

    serving = serving_of(options, control=options.view_control)
    check(serving)
    if serving.warning:
        warn(serving.warning)
    view = stack.enter_context(LiveView(serving, tell=warn))
    show(f"view: {view.link}")
    return view


def _replay(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.serving.session import play

    played = play(options.arena, options.record)
    show(played.difference or f"the same: {played.said} packets were said, byte for byte")
    return REJECTED if played.difference else RAN


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, such as 120, not {text!r}")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"must be a share from 0 to 1, such as 0.1, not {text!r}")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 10_000):
        raise argparse.ArgumentTypeError(f"must be a number of robots, such as 10, not {text!r}")
    return int(text)


def _half_angle(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 90.0:
        raise argparse.ArgumentTypeError(f"must be an angle from 0 to 90 degrees, such as 12.5, not {text!r}")
    return value
