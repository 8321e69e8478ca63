"""Arguments that several commands take."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.scenarios.commands.completion import completed_by, keys, scenarios
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import LABS, USED_IN, Stage

if TYPE_CHECKING:
    from devs_robotics.scenarios.running.means import Means


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """A scenario, and ``--set KEY=VALUE``."""
    which = parser.add_argument(
        "scenario", help="a name that list shows, or the path of a TOML file, or of a Python file with one case study"
    )
    settings = parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="override a key of the scenario, for instance noise.dnf=0.1; may be given again",
    )
    completed_by(which, scenarios)
    completed_by(settings, keys)


def add_common_settings(parser: argparse.ArgumentParser) -> None:
    """``--robots N`` and ``--duration T``, after `add_scenario`; `set_common_settings` makes settings of them."""
    parser.add_argument(
        "--robots",
        dest="common_robots",
        metavar="N",
        type=positive,
        help="how many robots, the same as --set of the key for that",
    )
    parser.add_argument(
        "--duration",
        dest="common_duration",
        metavar="T",
        help="simulated time, such as 90 or '2 min' (s), as --set run.duration=T",
    )


def set_common_settings(options: argparse.Namespace) -> None:
    """Add what `add_common_settings` was given to the settings of the scenario.

    Raises:
        OptionError: the case study has no one key for the number of its robots
    """
    robots, duration = getattr(options, "common_robots", None), getattr(options, "common_duration", None)
    if robots is not None:
        from devs_robotics.scenarios.settings.loading import case_in, known_keys

        case = case_in(options.scenario)
        if case.team_key not in known_keys(case.scenario):
            raise OptionError(
                f"--robots: {options.scenario} has no one key for the number of its robots: devs-robotics check "
                f"{options.scenario} --keys shows those that it has, for --set"
            )
        options.settings.append(f"{case.team_key}={robots}")
    if duration is not None:
        options.settings.append(f"run.duration={duration}")


def add_verbose(parser: argparse.ArgumentParser, *, inner: bool = False) -> None:
    """``--verbose``.

    Args:
        inner: the parser is of an action of a command that has it, too
    """
    parser.add_argument(
        "--verbose",
        "-v",
        action="count",
        default=argparse.SUPPRESS if inner else 0,
        help="tell on standard error what is done meanwhile; given twice, with details",
    )


def add_rate(parser: argparse.ArgumentParser) -> None:
    """``--rate R``."""
    parser.add_argument(
        "--rate",
        metavar="R",
        type=_rate,
        help="simulated seconds per real second (default: clock.rate of the scenario); not in the stage fast",
    )


def add_broker(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """``--broker HOST:PORT``, or a whole MQTT address with a user, TLS and the rest."""
    parser.add_argument(
        "--broker",
        metavar="HOST:PORT",
        type=_broker,
        required=required,
        help="MQTT broker to use, also as mqtts://USER@HOST:PORT?..."
        + ("" if required else " (default: one is started where it is needed)"),
    )


def add_certificate(parser: argparse.ArgumentParser) -> None:
    """``--certificate FILE`` and ``--accept-risk``."""
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Path,
        help="certificate of the scenario, from devs-robotics certify, without which no real robot moves (default: "
        "the one beside the scenario's file, or in this folder)",
    )
    parser.add_argument(
        "--accept-risk", action="store_true", help="let real robots move without a certificate of the scenario"
    )


def certified_means(options: argparse.Namespace) -> Means:
    """Where the certificate of a command's scenario is, and the command that makes one."""
    from devs_robotics.hil.addresses import masked
    from devs_robotics.scenarios.certifying.certificate import beside
    from devs_robotics.scenarios.running.means import Means

    place = beside(options.scenario)
    certificate = place if options.certificate is None else options.certificate
    words = ["devs-robotics", "certify", options.scenario]
    for setting in options.settings:
        words += ["--set", masked(setting)]
    if certificate != place:
        words += ["--out", str(certificate)]
    return Means(accept_risk=options.accept_risk, certificate=certificate, certifying=shlex.join(words))


def add_seeds(parser: argparse.ArgumentParser, usual: str) -> None:
    """``--seeds N``.

    Args:
        usual: what holds where it is not given
    """
    parser.add_argument(
        "--seeds",
        metavar="N",
        default=usual,
        help="how many seeds, from 1 on (default: %(default)s); or which ones: '1,2,5', '5,'",
    )


MOST_SEEDS = 100_000
"""Nobody waits for more."""


def seeds_of(text: str) -> tuple[int, ...]:
    """The seeds that ``--seeds`` means, a number of them or a list; raises DevsRoboticsError when they are none."""
    from devs_robotics.scenarios.settings.quantities import shown
    from devs_robotics.scenarios.settings.tables import LARGEST

    try:
        numbers = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise OptionError(f"--seeds {shown(text)} are no seeds: give how many, or a list such as 1,2,5") from None
    if numbers and max(numbers) > LARGEST:
        raise OptionError(f"--seeds: a seed is at most {LARGEST}: give a smaller one")
    if "," not in text and numbers and numbers[0] > MOST_SEEDS:
        raise OptionError(f"--seeds {text!r} are too many: give at most {MOST_SEEDS}, or a list such as {text},")
    if "," not in text and numbers:
        numbers = list(range(1, numbers[0] + 1))
    if not numbers:
        raise OptionError(f"--seeds {text!r} leaves nothing to run: give at least 1")
    if min(numbers) < 0:
        raise OptionError(f"--seeds: {min(numbers)} is no seed: give numbers from 0 on")
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise OptionError(f"--seeds names {twice} twice: name it once")
    return tuple(numbers)


def add_lab(parser: argparse.ArgumentParser) -> None:
    """``--lab process|inside``."""
    parser.add_argument(
        "--lab",
        choices=LABS,
        help="where stand-ins live: in a process of their own (the default), or inside the run, which then waits for "
        "nobody and gives the same bytes every time",
    )


def add_view(parser: argparse.ArgumentParser) -> None:
    """Where a view is served."""
    parser.add_argument(
        "--view-host",
        metavar="HOST",
        help="address by which browsers reach this computer (default: 127.0.0.1, only from this computer itself)",
    )
    parser.add_argument(
        "--view-port", metavar="N", type=_port, help="port of the view (default: 8470, or the next free one)"
    )
    parser.add_argument(
        "--view-certificate", metavar="FILE", help="certificate and key of the view (PEM), so that it is encrypted"
    )


def add_view_camera(parser: argparse.ArgumentParser) -> None:
    """``--view-camera FILE``."""
    parser.add_argument(
        "--view-camera",
        metavar="FILE",
        help="with --view: show what a camera above the field sees, too, with virtual robots drawn over it; FILE is "
        "that of devs-robotics camera --share",
    )


FOXGLOVE = 8765
"""Port at which Foxglove and Lichtblick look unless they are told another one."""


def add_foxglove(parser: argparse.ArgumentParser) -> None:
    """``--foxglove [PORT]``."""
    parser.add_argument(
        "--foxglove",
        metavar="PORT",
        nargs="?",
        const=FOXGLOVE,
        type=_port,
        help=f"with --view: let Foxglove and Lichtblick on this computer look, too (without PORT: at {FOXGLOVE})",
    )


def add_pace(parser: argparse.ArgumentParser) -> None:
    """``--pace N``."""
    parser.add_argument(
        "--pace",
        metavar="N",
        type=_rate,
        help="with --view: slow a fast run down to so many simulated seconds per real second",
    )


def add_summary(parser: argparse.ArgumentParser) -> None:
    """``--quiet`` and ``--json``."""
    parser.add_argument(
        "--quiet", action="store_true", help="show nothing but errors; the exit status tells how it ended"
    )
    parser.add_argument(
        "--json", action="store_true", help="show a summary as one JSON object, instead of lines for people"
    )


DIGITS = 18
"""Of a whole number that an argument may be at most, so that it fits 64 bits."""


def positive(text: str) -> int:
    """A whole number above 0, as the type of an argument."""
    number = whole(text)
    if number is None or number == 0:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0{_short(text)}")
    return number


def not_negative(text: str) -> int:
    """A whole number from 0 on, as the type of an argument."""
    number = whole(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 on{_short(text)}")
    return number


def whole(text: str) -> int | None:
    """The whole number that a text is; None where it is none, or is too large for 64 bits."""
    return int(text) if text.isascii() and text.isdigit() and len(text.lstrip("0")) <= DIGITS else None


def _short(text: str) -> str:
    """What is wrong with a whole number, in few words."""
    return f" and of {DIGITS} digits at most" if text.isdigit() and len(text) > DIGITS else f", not {text[:40]!r}"


def refuse_unused(options: argparse.Namespace, stages: Sequence[Stage]) -> None:
    """Raise DevsRoboticsError for an option that was given and has no effect in any of the stages that are to be run.

    Args:
        options: that the command was given
        stages: at least one
    """
    given = [name for name in USED_IN if vars(options).get(name.replace("-", "_"))]
    for name in given:
        used_in = USED_IN["nodes" if name == "broker" and {"nodes", "await"} & set(given) else name]
        if not set(stages) & set(used_in):
            where = f"the stage {stages[0]}" if len(stages) == 1 else f"the stages {', '.join(stages)}"
            others = " or ".join(filter(None, (", ".join(used_in[:-1]), used_in[-1])))
            raise OptionError(f"--{name} has no effect in {where}: leave it out, or run in {others}")


def _port(text: str) -> int:
    number = whole(text)
    if number is None or not 0 < number < 1 << 16:
        raise argparse.ArgumentTypeError(f"must be a port from 1 to 65535, not {text[:40]!r}")
    return number


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0.0 < rate <= 1000.0:
        raise argparse.ArgumentTypeError(f"must be a number above 0, up to 1000, not {text!r}")
    return rate


def _broker(text: str) -> str:
    from devs_robotics.hil.addresses import AddressError, parse_mqtt

    address = text if "://" in text else f"mqtt://{text}"
    try:
        parse_mqtt(address)
    except AddressError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from exc
    return address
