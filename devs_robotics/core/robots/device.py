"""Devices: a real robot as its models see it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from devs_robotics.core.former_names import accept_former_name
from devs_robotics.core.ports import In, Out
from devs_robotics.core.realtime.transport import Link, Packet
from devs_robotics.core.robots.activity import Activity, Service
from devs_robotics.core.robots.messages import Answered, Asked, Drive, Driven, Ranges, Rolled, Sense, Touch


class Fault(Struct, frozen=True):
    """Message of a device that its robot can no longer be used; it ends the run.

    Attributes:
        robot: its number
        reason: why, and what to do about it, for people
    """

    robot: int
    reason: str


class Device(Activity):
    """A real robot on a wire: what hardware activities and those in the loop drive and ask.

    Its services keep these promises. Each `Drive` is answered by one `Driven`, in order; one that comes while another
    is under way ends that one where it has got to, and the robot goes on with the new one. Each `Sense` is answered
    once; a change of the whiskers is told unasked where the robot can. Of equipment of the robot's own,
    each `Asked` is carried out once and answered once, in order for each name; more may be told unasked. How far wheels
    roll that are told to keep speeds is told bit by bit, each bit once. A robot that cannot be reached, or breaks its
    protocol for good, is a `Fault` and not an exception. No model but this one knows the robot's protocol.

    Args:
        robot: its number
        address: where it is, as a URL, for people
    """

    motor = Service(Drive, Driven)
    ranging = Service(Sense, Ranges)
    touch = Service(Sense, Touch)
    own = Service(Asked, Answered)
    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)
    rolled = Out(Rolled)
    fault = Out(Fault)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_former_name(cls, "last_words", "stop_message")

    def __init__(self, name: str, robot: int, address: str) -> None:
        super().__init__(name)
        self.robot = robot
        self.address = address
        self.dropped: dict[str, int] = {}
        """Packets, or parts of streams, that were no valid messages of this robot: how many, by what was wrong."""
        self.carried: dict[str, tuple[type[Struct], type[Struct]]] = {}
        """Equipment of the robot's own that is asked: the types of its questions and answers, by its name."""

    def carries(self, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether equipment of the robot's own can be real that has such a service; by default none can.

        Args:
            name: of the equipment
            asks, answers: types of its questions and answers
        """
        return False

    @property
    def unfound(self) -> str:
        """That its robot has never answered, a sentence; empty where it has, or where that is not known."""
        return ""

    @abstractmethod
    def stop_message(self) -> Iterable[bytes]:
        """The stop message: what is sent so that the robot stops at once, whatever it does.

        It is sent at the end of every run, and when the models are late.
        It may be called by any thread while the model does something else, so it says the same at any time.
        """
