"""The graph: who publishes and subscribes to what, and what that says of a robot: whether it is there, and alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Literal

import msgspec
from msgspec import Struct

from devs_robotics.hil.protocols.ros2.names import LASER_SCAN, ODOMETRY, RANGE, STRING, TWIST, TWIST_STAMPED

Stamped = Literal["auto", "yes", "no"]

NAMELESS = "a node without a name"
"""Who has not told his name, or not yet."""


class Ros2Endpoint(Struct, frozen=True, kw_only=True):
    """A publisher or a subscription.

    Attributes:
        key: identifies it
        topic: full name
        type: of its messages, such as ``nav_msgs/msg/Odometry``
        writes: whether it is a publisher
        participant: identifies the process, or the part of it, that it belongs to
        node: full name of its node, where that is known
        type_hash: as it is announced, where it is
        latched: whether it is transient local
    """

    key: str
    topic: str
    type: str
    writes: bool
    participant: str = ""
    node: str = ""
    type_hash: str = ""
    latched: bool = False

    @property
    def called(self) -> str:
        """Whose it is, for people."""
        return self.node or NAMELESS


class RobotTopics(Struct, frozen=True, kw_only=True):
    """What a robot's topics are called, in full; empty where it has none."""

    cmd: str
    odom: str
    scan: str = ""
    ranges: tuple[str, ...] = ()
    battery: str = ""
    hazards: str = ""
    ask: str = ""
    told: str = ""
    sensors: tuple[tuple[str, str], ...] = ()
    """Of an e-puck2: what each is in packets, such as ``light0``, and its topic."""


class Matched(Struct, frozen=True, kw_only=True):
    """What a transport tells its driver of a robot that is there.

    Attributes:
        stamped: whether it takes TwistStamped and no Twist
        stamps: whether these have the time of the host, and not 0, which counts as now
        delay: from what it is told until that shows, as the address says (s); None: it is to be measured
        ranges: number of single range sensors; 0: it has a lidar
        blind: why its range sensors cannot be read; empty where they can be
        refusal: why it must not be driven: the rest of a sentence that begins with the robot; or empty
        equipment: whether a program on it is asked for its equipment, and tells, as far as is known
    """

    stamped: bool = False
    stamps: bool = False
    delay: float | None = None
    ranges: int = 0
    blind: str = ""
    refusal: str = ""
    equipment: bool = True


_matched: msgspec.json.Decoder[Matched] = msgspec.json.Decoder(Matched)


def write_matched(matched: Matched) -> bytes:
    """The same as JSON."""
    return msgspec.json.encode(matched)


def read_matched(data: bytes) -> Matched:
    """Of JSON.

    Raises:
        msgspec.MsgspecError: it is none
    """
    return _matched.decode(data)


def velocity_type(endpoints: Iterable[Ros2Endpoint], topics: RobotTopics, stamped: Stamped) -> str | None:
    """The type of velocity commands that a robot takes; None if it takes none, or none of the type that is wanted.

    Args:
        endpoints: that are there
        topics: of the robot
        stamped: whether it is to be TwistStamped; ``auto``: whatever it takes, Twist where it takes both
    """
    taken = {each.type for each in endpoints if not each.writes and each.topic == topics.cmd}
    wanted = {"auto": (TWIST, TWIST_STAMPED), "yes": (TWIST_STAMPED,), "no": (TWIST,)}[stamped]
    return next((kind for kind in wanted if kind in taken), None)


def has_equipment(endpoints: Iterable[Ros2Endpoint], topics: RobotTopics) -> bool:
    """Whether a program on the robot is asked for equipment of its own, and tells."""
    wanted = {(topics.ask, False), (topics.told, True)}
    return wanted <= {(each.topic, each.writes) for each in endpoints if each.type == STRING}


def why_missing(endpoints: Sequence[Ros2Endpoint], topics: RobotTopics, stamped: Stamped, where: str) -> str:
    """Why a robot cannot be driven: the words after "was not found ..." in brackets; empty if it can be.

    Args:
        endpoints: that are there, but for our own
        topics: of the robot
        stamped: as in `velocity_type`
        where: the domain or the router, for people
    """
    if not endpoints:
        return (
            f"nobody of ROS 2 is to be heard {where}: is it the robot's domain and network? Where the network carries "
            "no multicast, name the robot's host, as in ?peers=192.0.2.7"
        )
    writers = [each for each in endpoints if each.writes]
    readers = [each for each in endpoints if not each.writes]
    found = _why_not_there(writers, topics.odom, (ODOMETRY,), "publishes", "odom")
    if found:
        return found
    if velocity_type(endpoints, topics, stamped) is None:
        wanted = {"auto": (TWIST, TWIST_STAMPED), "yes": (TWIST_STAMPED,), "no": (TWIST,)}[stamped]
        found = _why_not_there(readers, topics.cmd, wanted, "subscribes to", "cmd")
        other = {each.type for each in readers if each.topic == topics.cmd} & {TWIST, TWIST_STAMPED}
        if other:
            return f"{topics.cmd} takes {other.pop()} only, and stamped={stamped} is wanted: write stamped=auto"
        return found
    return ""


def why_blind(endpoints: Iterable[Ros2Endpoint], topics: RobotTopics) -> str:
    """Why the range sensors of a robot that is there cannot be read; empty if they can be."""
    writers = [each for each in endpoints if each.writes]
    if topics.scan:
        return _why_not_there(writers, topics.scan, (LASER_SCAN,), "publishes", "scan")
    found = (_why_not_there(writers, each, (RANGE,), "publishes", "range") for each in topics.ranges)
    return next((each for each in found if each), "")


def why_refused(endpoints: Iterable[Ros2Endpoint], topics: RobotTopics, own: Collection[str]) -> str:
    """Why a robot that is there must not be driven, with the remedy; empty if it may be.

    Args:
        endpoints: that are there
        topics: of the robot
        own: keys of those of this host
    """
    others = [each for each in endpoints if each.writes and each.key not in own]
    commanding = [each for each in others if each.topic == topics.cmd]
    if commanding:
        who = _listed(commanding)
        return (
            f"is commanded by somebody else too: {who} publishes {topics.cmd}; end that program (teleop, Nav2), or "
            "have a multiplexer decide, such as twist_mux, and give its input as ?cmd="
        )
    telling = {each.participant: each for each in others if each.topic == topics.odom}
    if len(telling) > 1:
        return (
            f"is two robots: {_listed(telling.values())} publish {topics.odom}; give each robot a namespace or a "
            "domain of its own"
        )
    return ""


def _why_not_there(endpoints: Sequence[Ros2Endpoint], topic: str, kinds: Sequence[str], does: str, option: str) -> str:
    """Why nobody has a topic with one of these types."""
    here = [each for each in endpoints if each.topic == topic]
    if any(each.type in kinds for each in here):
        return ""
    if here:
        return f"{topic} has the type {here[0].type}, and not {' or '.join(kinds)}: give another topic as ?{option}="
    alike = sorted({each.topic for each in endpoints if each.type in kinds})
    if alike:
        near = get_close_matches(topic, alike, 1, 0.0)[0]
        more = f" (and {len(alike) - 1} others)" if len(alike) > 1 else ""
        return f"there is {near}{more}, but no {topic}: correct the robot's name, or give the topic as ?{option}="
    return f"nobody {does} {topic}: start the robot's program, or give the topic as ?{option}="


def _listed(endpoints: Iterable[Ros2Endpoint]) -> str:
    return " and ".join(sorted({each.called for each in endpoints})) or "somebody"
