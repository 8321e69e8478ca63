"""What commands have in common that show something in a browser."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from devs_robotics.scenarios.commands.display import complain
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from devs_robotics.scenarios.settings.schema import Scenario
    from devs_robotics.scenarios.settings.tables import ViewTable
    from devs_robotics.scenarios.viewing.live import LiveView
    from devs_robotics.view.replay import Replay
    from devs_robotics.view.server.process import BegunProcess
    from devs_robotics.view.server.serving import Serving

LOOKS = 0.1
"""Time between two looks at whether the user wants an end (s)."""


def refuse_without_view(options: argparse.Namespace) -> None:
    """Raise an OptionError for an option of a view where there is none."""
    for name in ("view_host", "view_port", "view_control", "view_certificate", "view_camera", "foxglove", "pace"):
        if getattr(options, name, None) and not (options.view or (name == "pace" and getattr(options, "ros2", None))):
            raise OptionError(f"--{name.replace('_', '-')} has no effect without --view: add that, or leave it out")


def serving_of(options: argparse.Namespace, view: ViewTable | None = None, *, control: bool = False) -> Serving:
    """Where and how a view is served, by the options of a command, and by what a scenario says."""
    from devs_robotics.view.server.serving import HOST, Serving

    return Serving(
        host=options.view_host or HOST,
        port=options.view_port or (view.port if view is not None else None) or 0,
        control=control,
        certificate=options.view_certificate,
        foxglove=getattr(options, "foxglove", 0) or 0,
        viewers=Serving().viewers if view is None else view.viewers,
        kept=Serving().kept if view is None else view.kept,
        camera=_camera(getattr(options, "view_camera", None)),
        pictures=Serving().pictures if view is None else view.pictures,
    )


def _camera(path: str | None) -> str:
    """The file of a camera's pictures, wherever the process of the view is; empty without one."""
    if not path:
        return ""
    if Path(path).is_dir():
        raise OptionError(f"--view-camera {path} is a folder: name the file of devs-robotics camera --share")
    return str(Path(path).absolute())


@contextmanager
def begun_view(options: argparse.Namespace) -> Iterator[BegunProcess | None]:
    """A process for the view of a run, if one is wanted: it gets ready while the run does."""
    if not options.view:
        yield None
        return
    from devs_robotics.view.server.process import BegunProcess

    with BegunProcess() as begun:
        yield begun


@contextmanager
def watched(
    options: argparse.Namespace, scenario: Scenario, show: Callable[[str], None], begun: BegunProcess | None = None
) -> Iterator[LiveView | None]:
    """The view of a run, if one is wanted, from before the run until after it.

    Args:
        options: of the command
        scenario: of the run
        show: shows texts
        begun: a process that is ready for the view, if there is one
    """
    if not options.view and options.ros2 is None:
        yield None
        return
    from devs_robotics.scenarios.viewing.live import LiveView
    from devs_robotics.view.server.serving import check

    serving = serving_of(options, scenario.view, control=options.view_control)
    if options.ros2 is not None:
        serving = _with_ros2(serving, options, scenario)
    check(serving)
    if serving.warning:
        warn(serving.warning)
    with LiveView(serving, options.pace, options.out, begun, warn) as live:
        tell = warn if options.quiet or options.json else show
        if options.view:
            tell(f"view: {live.link}")
        if options.foxglove:
            tell(f"Foxglove and Lichtblick: open a connection to ws://127.0.0.1:{options.foxglove}")
        if options.ros2 is not None:
            tell(f"ROS 2: {serving.ros2}{', with /clock' if serving.clock else ''}")
        yield live


def _with_ros2(serving: Serving, options: argparse.Namespace, scenario: Scenario) -> Serving:
    """The same, for tools of ROS 2, too."""
    from devs_robotics.hil.addresses import AddressError
    from devs_robotics.view.ros2.places import check_place

    try:
        check_place(options.ros2)
    except AddressError as exc:
        raise OptionError(f"--ros2: {exc}") from exc
    if options.stage == "fast" or options.lab == "inside":
        rate = options.pace or 0.0
    else:
        rate = options.rate or scenario.clock.rate
    return replace(serving, page=options.view, ros2=options.ros2, clock=rate != 1.0)


def again(view: LiveView, replay: Replay, show: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
    """Offer what was seen as a recording, until the user wants an end, if the view is still there."""
    if not view.is_there():
        return
    view.offer(replay)
    show("the run can be seen again at the same link, until Ctrl-C")
    while view.is_there() and not interrupted():
        time.sleep(LOOKS)


def warn(text: str) -> None:
    """Tell something that belongs to no output."""
    complain(f"devs-robotics: {text}")
