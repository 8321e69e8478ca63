"""The link to a tracking system of ROS 2, on a bus by hand."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.protocols.ros2.fixes import POSE, POSE_WITH_COVARIANCE, FixTopic
from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import TF_MESSAGE
from devs_robotics.hil.protocols.ros2.packets import pack
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.ros2_bus import LATCHED
from devs_robotics.hil.transports.ros2_fixes import HEARD, Ros2FixLink
from tests.hil.transports.hand_bus import HandBus, endpoint
from tests.hil.transports.inbox import Inbox

TRANSFORMS = (FixTopic("/tf", (TF_MESSAGE,)), FixTopic("/tf_static", (TF_MESSAGE,), latched=True))
POSES = tuple(FixTopic(f"/cf{number}/pose", (POSE, POSE_WITH_COVARIANCE)) for number in range(1, 6))
REMEDY = "start what localises the robots, or correct the address"


class Ends:
    """A link, what it tells, and the bus that it is on; it looks when it is told to."""

    def __init__(self, topics: Sequence[FixTopic], address: str = "ros2://") -> None:
        at = parse(address)
        assert isinstance(at, Ros2Address)
        self.link, self.bus, self.inbox = Ros2FixLink(at, topics), HandBus(), Inbox()
        self.receiver = Receiver(self.inbox, Event())
        self.link._subscribe(self.bus, self.receiver)
        self.look()

    def look(self, *others: Ros2Endpoint) -> None:
        self.bus.others = list(others)
        self.link._look(self.bus, self.receiver)


def told(topic: str, kind: str) -> Ros2Endpoint:
    return endpoint(topic, kind, writes=True, by="localiser")


def test_each_topic_is_heard_with_each_of_its_types_and_packets_have_its_name() -> None:
    ends = Ends(POSES[:1])
    assert [(each.topic, each.kind, each.quality) for each in ends.bus.subscriptions] == [
        ("/cf1/pose", POSE, HEARD),
        ("/cf1/pose", POSE_WITH_COVARIANCE, HEARD),
    ]
    ends.bus.of("/cf1/pose", POSE).heard(b"here")
    assert ends.inbox.packets == [pack("/cf1/pose", b"here")]
    assert ends.link.counts.received == 1


def test_static_transforms_are_asked_for_by_those_who_come_late() -> None:
    assert [each.quality for each in Ends(TRANSFORMS).bus.subscriptions] == [HEARD, LATCHED]


def test_it_is_up_while_somebody_publishes_what_moves_and_says_so_once() -> None:
    ends = Ends(TRANSFORMS)
    ends.look(told("/tf_static", TF_MESSAGE), endpoint("/tf", TF_MESSAGE, writes=False))
    assert [each.reason for each in ends.inbox.links] == [f"nobody publishes /tf in domain 0: {REMEDY}"]
    ends.look(told("/tf", TF_MESSAGE))
    ends.look(told("/tf", TF_MESSAGE))
    assert [each.up for each in ends.inbox.links] == [False, True]
    ends.look()
    ends.look(told("/tf", TF_MESSAGE))
    assert [each.up for each in ends.inbox.links] == [False, True, False, True]


def test_the_first_names_are_told_and_a_type_that_is_none_of_a_topics() -> None:
    ends = Ends(POSES)
    assert ends.inbox.links[-1].reason == (
        f"nobody publishes /cf1/pose or /cf2/pose or /cf3/pose in domain 0: {REMEDY}"
    )
    ends.look(told("/cf4/pose", POSE_WITH_COVARIANCE))
    assert ends.inbox.links[-1].up
    ends.look(told("/cf2/pose", TF_MESSAGE))
    assert (
        ends.inbox.links[-1].reason == f"/cf2/pose has the type {TF_MESSAGE}, and not {POSE} or {POSE_WITH_COVARIANCE}"
    )


def test_a_bridge_tells_nobody_and_counts_as_up() -> None:
    ends = Ends(POSES, "ros2+zenoh://127.0.0.1:7447/?bridge=ros2dds")
    assert [each.up for each in ends.inbox.links] == [True]


def test_after_the_bus_was_left_it_has_to_come_up_anew() -> None:
    ends = Ends(TRANSFORMS)
    ends.look(told("/tf", TF_MESSAGE))
    ends.link._left()
    ends.look(told("/tf", TF_MESSAGE))
    assert [each.up for each in ends.inbox.links] == [False, True, True]


def test_nothing_is_sent() -> None:
    ends = Ends(TRANSFORMS)
    ends.link.send("", b"")
    ends.link.flush(1.0)
    assert (ends.link.counts.sent, ends.link.counts.dropped) == (0, 1)
