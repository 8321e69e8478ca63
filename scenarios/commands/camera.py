"""``devs-robotics camera``: tells where robots are by their markers, as a camera above the field sees them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import closing
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.scenarios.commands.exit_status import RAN, REJECTED
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from devs_robotics.hil.camera.camera_plan import Place
    from devs_robotics.hil.camera.detection import Image
    from devs_robotics.hil.camera.filming import FilmAccount
    from devs_robotics.hil.camera.localiser import Localiser, LookedAt
    from devs_robotics.hil.camera.sources import Exposure
    from devs_robotics.hil.pera_swarm.arena import WireArena
    from devs_robotics.hil.transports.mqtt import Mqtt
    from devs_robotics.scenarios.filming.camera_file import CameraFile

SUMMARY = "tell where robots are by their markers, as a camera above the field sees them"

LINK_PATIENCE = 5.0
"""Longest time to wait for the broker (s)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument(
        "file", metavar="CAMERA.toml", type=Path, nargs="?", help="the camera's file (default: every key's default)"
    )
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--calibrate", action="store_true", help="find the lens, from pictures of the board")
    does.add_argument("--check", action="store_true", help="look at pictures, and tell what is seen in them")
    does.add_argument(
        "--markers", metavar="DIR", type=Path, help="write the markers and the board, to be printed, into a folder"
    )
    parser.add_argument(
        "--source",
        metavar="SOURCE",
        help="pictures: number of a device, a film, a folder, or what lab --truth writes (default: camera.source)",
    )
    parser.add_argument(
        "--rendered",
        action="store_true",
        help="with --check: measure errors in rendered pictures, in which it is known where robots are",
    )
    parser.add_argument(
        "--to",
        metavar="ADDRESS",
        help="MQTT topic on which fixes are published, for instance mqtt://localhost/tracking",
    )
    parser.add_argument(
        "--arena",
        metavar="ARENA.json",
        type=Path,
        help="publish as Pera-Swarm's localization/update in this arena; --to then names the broker alone",
    )
    parser.add_argument(
        "--draw",
        metavar="FILE.jpg",
        type=Path,
        help="keep the newest picture, with what was found in it, in a file that viewers of pictures can show; with "
        "--arena virtual robots, too, as if they stood there",
    )
    parser.add_argument(
        "--share",
        metavar="FILE",
        type=Path,
        help="keep the newest picture, with where the camera is, in a file that run --view --view-camera FILE shows, "
        "with virtual robots drawn over it",
    )
    parser.add_argument("--duration", metavar="SECONDS", type=_seconds, default=inf, help="end after so long")


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Do what is asked for; returns the exit status."""
    from devs_robotics.scenarios.filming.camera_file import read_camera_file

    _check(options)
    if options.rendered:
        return _table(show)
    file = read_camera_file(options.file)
    if options.markers is not None:
        return _print(file, options.markers, show)
    if options.calibrate:
        return _calibrate(file, options, show)
    return _look(file, options, show)


def _check(options: argparse.Namespace) -> None:
    if options.rendered and not options.check:
        raise OptionError("--rendered measures errors: write --check --rendered")
    if options.rendered and (options.file or options.source):
        raise OptionError("--check --rendered makes its own pictures: leave out the file and --source")
    quiet = options.check or options.calibrate or options.markers is not None
    if quiet and (options.to or options.arena):
        raise OptionError("--to and --arena publish fixes: leave out --check, --calibrate and --markers")
    for name, what in (("draw", "what was found"), ("share", "what is seen")):
        if getattr(options, name) and (options.rendered or options.calibrate or options.markers is not None):
            raise OptionError(f"--{name} keeps {what}: give it with --check, or with --to")
    if not quiet and not options.to:
        raise OptionError(
            "say where fixes go, --to mqtt://HOST/TOPIC, or ask for --check, --calibrate or --markers DIR"
        )


def _beside(options: argparse.Namespace) -> Path:
    return Path() if options.file is None else options.file.parent


def _source(file: CameraFile, options: argparse.Namespace) -> str:
    """Of the pictures; one in the file is meant from there."""
    from devs_robotics.scenarios.filming.picture_sources import is_device

    if options.source is not None:
        return str(options.source)
    source = file.camera.source
    return source if is_device(source) else str(_beside(options) / source)


def _table(show: Callable[[str], None]) -> int:
    from devs_robotics.hil.testing.camera_accuracy import table

    for line in table():
        show(line)
    return RAN


def _print(file: CameraFile, folder: Path, show: Callable[[str], None]) -> int:
    from devs_robotics.hil.camera.printing import write_markers

    files = write_markers(folder, file.plan, file.board_plan)
    show(f"{files[-1]}: {len(files) - 1} pages in their true sizes; print them without scaling, and measure one")
    return RAN


def _calibrate(file: CameraFile, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    import msgspec

    from devs_robotics.hil.camera.calibration import ENOUGH, LensCalibration
    from devs_robotics.scenarios.filming.picture_sources import exposures, is_device
    from devs_robotics.scenarios.running.interrupt import Interrupt

    source, target = _source(file, options), _beside(options) / file.camera.lens
    calibration, pictures = LensCalibration(file.board_plan, live=is_device(source)), 0
    with Interrupt() as interrupt, closing(exposures(file, source, None, live=is_device(source))) as taken:
        if is_device(source):
            show("hold the board at many places, near the edges too, and at a slant, each time still; Ctrl-C ends this")
        for exposure in taken:
            if exposure is not None:
                pictures += 1
                if calibration.add(exposure.image):
                    show(f"board found, {calibration.views} times")
            if interrupt.requested or (is_device(source) and calibration.views >= ENOUGH):
                break
    lens = calibration.lens()
    try:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(lens)) + b"\n")
    except OSError as error:
        raise OptionError(f"{target} cannot be written ({error.strerror}): change camera.lens") from error
    show(f"{target}: focal lengths {lens.fx:.1f} and {lens.fy:.1f} px, corners fit to {lens.error:.2f} px")
    show(f"the board was found in {calibration.views} of {pictures} pictures")
    return RAN


def _look(file: CameraFile, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.hil.camera.drawing import DrawnFile
    from devs_robotics.hil.camera.filming import film, summary
    from devs_robotics.hil.camera.localiser import Localiser
    from devs_robotics.hil.camera.sharing import SharedPicture
    from devs_robotics.scenarios.filming.picture_sources import exposures, is_device, lens_for
    from devs_robotics.scenarios.running.interrupt import Interrupt

    source = _source(file, options)
    lens = lens_for(file, source, _beside(options))
    localiser = Localiser(file.plan, lens)
    size = file.field.width, file.field.height
    with Interrupt() as interrupt, closing(_Published(file, options, show)) as published:
        draw = DrawnFile(options.draw, localiser, size, published.virtual) if options.draw else _draw_nothing
        share = SharedPicture(options.share, localiser) if options.share else _share_nothing
        live = not options.check or is_device(source)
        with closing(exposures(file, source, lens, live=live)) as taken:
            account = film(
                taken,
                localiser,
                published.publish,
                draw=draw,
                share=share,
                tell=show,
                interrupted=lambda: interrupt.requested,
                lost=file.camera.lost,
                duration=options.duration,
            )
    for line in summary(account, localiser):
        show(line)
    return RAN if _sees_all(localiser, account) else REJECTED


def _sees_all(localiser: Localiser, account: FilmAccount) -> bool:
    """Whether it was known where the camera is, and no corner marker was hidden all the time."""
    covered, pictures = account.covered, account.pictures
    return account.placed > 0 and all(covered.get(marker, 0) < pictures for marker in localiser.plan.corners)


def _draw_nothing(_image: Image, _looked: LookedAt | None) -> None:
    """There is no file for it."""


def _share_nothing(_exposure: Exposure, _looked: LookedAt | None) -> None:
    """There is no file for it."""


class _Published:
    """Where fixes go; nowhere with ``--check``."""

    def __init__(self, file: CameraFile, options: argparse.Namespace, show: Callable[[str], None]) -> None:
        from devs_robotics.core.robots.messages import Fix

        self.publish: Callable[[list[Fix], float], None] = lambda fixes, now: None
        self.virtual: Callable[[], Mapping[int, Place]] = dict
        self._transport: Mqtt | None = None
        if options.to is None:
            return
        from devs_robotics.hil.addresses import parse_mqtt
        from devs_robotics.hil.camera.publishing import FixPublisher, PeraSwarmPublisher, VirtualRobots
        from devs_robotics.hil.transports.mqtt import Mqtt
        from devs_robotics.scenarios.filming.linking import opened

        at = parse_mqtt(options.to)
        if options.arena is None and not at.prefix:
            raise OptionError(f"--to {at} has no topic: write mqtt://HOST/tracking")
        arena = None if options.arena is None else _arena(options.arena)
        transport = self._transport = Mqtt(at)
        others = None if arena is None else VirtualRobots(transport, arena)
        if others is not None and options.draw is not None:
            self.virtual = others
            transport.listen(others.topic)
        try:
            opened(transport, LINK_PATIENCE, (lambda packet: None) if others is None else others.hear)
        except BaseException:
            transport.close()
            raise
        if arena is None:
            self.publish = FixPublisher(transport, at.prefix)
            show(f"fixes    {at}")
        else:
            self.publish = PeraSwarmPublisher(transport, arena, file.plan.robots.values())
            show(f"poses    {at}, channel {arena.channel}")
        show("Ctrl-C ends this")

    def close(self) -> None:
        """Close the link."""
        if self._transport is not None:
            self._transport.close()


def _arena(path: Path) -> WireArena:
    from devs_robotics.hil.pera_swarm.arena_files import read_arena

    try:
        return read_arena(path.read_bytes(), str(path)).arena
    except OSError as error:
        raise OptionError(f"--arena {path} cannot be read ({error.strerror}): name an arena file") from error


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, such as 120, not {text!r}")
    return value
