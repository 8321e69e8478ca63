"""Equipment of a robot's own over two topics: a program on the robot is asked, and tells, JSON texts (docs/ros2.md).

The texts are the messages `ask`, `told` and `busy` of the JSON robot protocol, each in a std_msgs/String.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.events import Busy, Dropped, GivenUp, Output, Told
from devs_robotics.hil.protocols.json_requests import JsonRequests
from devs_robotics.hil.protocols.ros2 import packets
from devs_robotics.hil.protocols.ros2.messages import Stamp
from devs_robotics.hil.protocols.ros2.names import STRING
from devs_robotics.hil.protocols.ros2.type_store import MessageError, read, type_store, write
from devs_robotics.hil.robot_protocol import LARGEST, LATE_ANSWER, UNREADABLE
from devs_robotics.hil.robot_protocol import Busy as BusyMessage
from devs_robotics.hil.robot_protocol import Told as ToldMessage

_decoder: msgspec.json.Decoder[ToldMessage | BusyMessage] = msgspec.json.Decoder(ToldMessage | BusyMessage)


def write_text(text: bytes) -> bytes:
    """A std_msgs/String."""
    return write(STRING, type_store().types[STRING](text.decode()))


def read_text(data: bytes) -> bytes:
    """Of a std_msgs/String.

    Raises:
        MessageError: it is none, or longer than a message of the JSON robot protocol
    """
    text: str = read(STRING, data).data
    if len(text) > LARGEST:
        raise MessageError(f"a text of equipment has more than {LARGEST} letters")
    return text.encode(errors="replace")


class TopicEquipment:
    """What the equipment of a robot's own is asked, each request carried out once, and what it tells.

    Ids begin with the time of the robot's own clock (ms), so that those of a later run are larger: a robot that
    remembers what it was asked takes no new request for a former one.

    Args:
        robot: its number
    """

    def __init__(self, robot: int) -> None:
        self._robot = robot
        self._requests = JsonRequests(robot)
        self._id = 0
        self._session = ""
        self._waiting: dict[str, bytes] = {}
        """What was asked before anybody was there to hear it."""

    def ask(self, name: str, data: PlainData, again: bool, clock: Stamp, there: bool) -> Iterator[Output]:
        """Equipment is asked.

        Args:
            name: of it
            data: the question
            again: whether the same was asked before
            clock: of the robot
            there: whether a program on the robot hears what is asked
        """
        self._id = max(self._id, int(1e3 * clock.seconds))
        said = self._requests.ask(name, data, again, self._next_id)
        if not isinstance(said, bytes):
            yield said
        elif there:
            yield packets.pack(packets.ASK, write_text(said))
        elif again:
            yield GivenUp(
                f"is asked for its {name}, and no program on it subscribes to equipment/ask and publishes "
                f"equipment/told: start one (docs/ros2.md), or let its {name} be virtual"
            )
        else:
            self._waiting[name] = said

    def found(self) -> Iterator[Output]:
        """A program on the robot hears what is asked from now on."""
        waiting, self._waiting = self._waiting, {}
        yield from (packets.pack(packets.ASK, write_text(said)) for said in waiting.values())

    def told(self, data: bytes) -> Iterator[Output]:
        """A text of the robot's has come."""
        try:
            said = _decoder.decode(read_text(data))
        except UNREADABLE:
            yield Dropped("no message of equipment")
            return
        if said.robot != self._robot:
            yield Dropped("another robot's")
            return
        before, self._session = self._session, said.session
        if before not in ("", said.session) and self._requests.unanswered:
            yield GivenUp(
                f"has restarted what plays its {self._requests.unanswered} before it answered, so that nobody knows "
                "whether it did what it was asked: look at the robot, and check its power and its program"
            )
            return
        asked = self._requests.is_about(said)
        if isinstance(said, ToldMessage) and (asked or said.id == 0):
            yield Told(said.name, said.data, unasked=not asked)
        elif asked:
            yield Busy(said.name)
        else:
            yield Dropped(LATE_ANSWER)

    def _next_id(self) -> int:
        self._id += 1
        return self._id
