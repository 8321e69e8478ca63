"""What a bag of ROS 2 has of a run: poses, looks, readings of range sensors, and packets of robots that speak ROS 2."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from xdevs.models import Atomic, Port

from devs_robotics import Simulator
from devs_robotics.core.observe import Mcap, Observer
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.viewing.listening import listened, patterns
from devs_robotics.scenarios.viewing.wires import Wires
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.ros2.recorded_pictures import Bag, RosRecording
from devs_robotics.view.ros2.ros_pictures import Pose
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.timeline import Columns
from devs_robotics.view.watcher import Listened


class _Readings(Observer):
    """Tells the readings of range sensors.

    Args:
        pictures: are told
        heard: the ports from which they come, and maybe others
    """

    def __init__(self, pictures: RosRecording, heard: Iterable[Listened]) -> None:
        self._pictures = pictures
        self._told = {id(each.port): each.told for each in heard}

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Tell what was read."""
        told = self._told.get(id(port))
        for value in values if told is not None else ():
            assert told is not None
            match told(time, value):
                case ("see", _, int(robot), tuple(ranges)):
                    self._pictures.ranges(time, robot, ranges)


class BagWriter:
    """Writes what ROS's tools draw into a trace in their encoding.

    Args:
        bag: the trace, which has begun when `begin` is called
        scene: of the run
        setup: of the run
        model: of the whole experiment
        away: robots whose models run elsewhere

    Raises:
        Ros2Error: rosbags is not installed
    """

    def __init__(
        self, bag: Mcap, scene: Scene, setup: Setup[Any], model: Experiment, away: Collection[int] = ()
    ) -> None:
        sink = Bag(bag)
        self._pictures = RosRecording(sink, scene)
        self._heard = listened(model, away)
        self._wires = Wires(sink, setup, model, away)

    def begin(self, simulator: Simulator, poses: Iterable[Pose]) -> None:
        """The run begins, and everybody stands there, slot 0 first."""
        self._pictures.begin(simulator.time, poses)
        if self._heard:
            simulator.attach(_Readings(self._pictures, self._heard), *patterns(self._heard))
        if self._wires.patterns:
            simulator.attach(self._wires, *self._wires.patterns)

    def join(self, time: float, body: SceneBody) -> None:
        """Who has joined, at a time (s), before its first change."""
        self._pictures.join(time, body)

    def poses(self, rows: Columns) -> None:
        """Changes, as a timeline has them."""
        self._pictures.poses(rows)

    def mark(self, change: MarkChange) -> None:
        """A mark has changed."""
        self._pictures.mark(change)

    def finish(self, time: float) -> None:
        """The run is over at a time (s)."""
        self._pictures.finish(time)
