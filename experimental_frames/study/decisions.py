"""What the decision models of a system are, and what they say and hear."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field
from xdevs.models import Atomic, Port

from devs_robotics import Activity
from devs_robotics.core.observe import Observer
from devs_robotics.core.ports import component_path
from devs_robotics.core.sources import source_hashes
from devs_robotics.core.wiring import atomic_models
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.models.robots import RobotModel


def of_robots(experiment: Experiment) -> list[str]:
    """What to attach these observers to: the coupled models of robots, with all that is in them."""
    return [component_path(robot) for robot in experiment.system.robots]


def decision_models(experiment: Experiment) -> dict[str, Atomic]:
    """The atomic models of robots that are no activities, by their paths from their robots on."""
    models = (model for robot in experiment.system.robots for model in atomic_models(robot))
    return {path_from_robot(model): model for model in models if not isinstance(model, Activity)}


class DecisionModels(Observer):
    """Learns which models decide: those atomic models of a robot that are no activities. It costs nothing afterwards.

    Models are called by their paths from the robot on, such as ``robot2/avoid``, wherever the robot stands.

    Attributes:
        classes: full name of each decision model's class, by the model
        sources: SHA-256 of the source of each such class and of its bases, by the class's full name
    """

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}
        self.sources: dict[str, str] = {}

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Learn of the models that are there."""
        for model in models:
            self.joined(time, model)

    def joined(self, time: float, model: Atomic) -> None:
        """Learn of one more model."""
        if not isinstance(model, Activity):
            cls = type(model)
            self.classes[path_from_robot(model)] = f"{cls.__module__}.{cls.__qualname__}"
            self.sources |= source_hashes([model])


class Channel(NamedTuple):
    """One port of one decision model; `sent` tells outputs from inputs."""

    model: str
    port: str
    sent: bool

    def __str__(self) -> str:
        return f"{self.model}.{self.port}"


class Said(Struct):
    """What went through a port.

    Attributes:
        values: in order
        times: of each (s)
        order: number of each among all values of the run
    """

    values: list[Any] = field(default_factory=list)
    times: array[float] = field(default_factory=lambda: array("d"))
    order: array[int] = field(default_factory=lambda: array("q"))

    def until(self, number: int) -> int:
        """How many values went through before this number among all of the run, or were it."""
        return bisect_right(self.order, number)


class Decisions(DecisionModels):
    """Records what each decision model says and hears, port by port; times are kept apart from the values.

    Port by port and without times, since that is all that stages have in common: what is simultaneous in a fast run
    comes one after the other from a wire, and a little later.

    Args:
        milestone: port through which a decision model tells that it has completed a round

    Attributes:
        said: by port
    """

    def __init__(self, milestone: str) -> None:
        super().__init__()
        self.said: dict[Channel, Said] = {}
        self._milestone = milestone
        self._count = 0
        self._by_port: dict[Port[Any], Said] = {}

    def joined(self, time: float, model: Atomic) -> None:
        """Learn of one more model, and of its ports."""
        super().joined(time, model)
        if not isinstance(model, Activity):
            path = path_from_robot(model)
            for sent, ports in ((False, model.in_ports), (True, model.out_ports)):
                for port in ports:
                    self._by_port[port] = self.said.setdefault(Channel(path, port.name, sent), Said())

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Record what a decision model says."""
        self._record(time, port, values)

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Record what a decision model hears."""
        self._record(time, port, values)

    def rounds(self) -> dict[str, int]:
        """How many rounds each robot has completed."""
        return {_robot(channel): len(said.values) for channel, said in self.said.items() if self._marks(channel)}

    def within(self, rounds: int) -> dict[Channel, int]:
        """How many values went through each port before its robot had completed so many rounds.

        Of robots that tell of no rounds, and of those that have not completed so many, all count.
        """
        ends = {
            _robot(channel): said.order[rounds - 1] if rounds else -1
            for channel, said in self.said.items()
            if self._marks(channel) and rounds <= len(said.values)
        }
        return {channel: said.until(ends.get(_robot(channel), self._count)) for channel, said in self.said.items()}

    def _record(self, time: float, port: Port[Any], values: tuple[Any, ...]) -> None:
        said = self._by_port.get(port)
        if said is None:  # of an activity
            return
        for value in values:
            self._count += 1
            said.values.append(value)
            said.times.append(time)
            said.order.append(self._count)

    def _marks(self, channel: Channel) -> bool:
        return channel.sent and channel.port == self._milestone


def path_from_robot(model: Atomic) -> str:
    """A model's path, from its robot on."""
    segments, around = [str(model.name)], model.parent
    while around is not None:
        segments.insert(0, str(around.name))
        if isinstance(around, RobotModel):
            break
        around = around.parent
    return "/".join(segments)


def _robot(channel: Channel) -> str:
    return channel.model.partition("/")[0]
