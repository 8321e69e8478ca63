"""The link to a robot of ROS 2, on a bus by hand: what it hears, tells and asks, and when it is up."""

from __future__ import annotations

from threading import Event

import pytest

from devs_robotics.core.realtime.transport import Link, Packet
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.protocols.ros2.graph import Matched, Ros2Endpoint, read_matched
from devs_robotics.hil.protocols.ros2.names import (
    BATTERY_STATE,
    HAZARDS,
    ILLUMINANCE,
    LASER_SCAN,
    ODOMETRY,
    RANGE,
    STRING,
    TF_MESSAGE,
    TWIST,
    TWIST_STAMPED,
)
from devs_robotics.hil.protocols.ros2.packets import GRAPH, pack, unpack
from devs_robotics.hil.transports import ros2_link
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.ros2_bus import COMMAND, EQUIPMENT, LATCHED, READ
from devs_robotics.hil.transports.ros2_link import MOST_STATIC, NAMED_WITHIN, Ros2Link
from tests.hand_time import HandTime
from tests.hil.transports.hand_bus import HandBus, endpoint
from tests.hil.transports.inbox import Inbox

CMD, ODOM, SCAN = "/turtle1/cmd_vel", "/turtle1/odom", "/turtle1/scan"
TAKES, TELLS, SCANS = (
    endpoint(CMD, TWIST, writes=False),
    endpoint(ODOM, ODOMETRY, writes=True),
    endpoint(SCAN, LASER_SCAN, writes=True),
)
TAKES_STAMPED = endpoint(CMD, TWIST_STAMPED, writes=False)
ROBOT = [TAKES, TELLS, SCANS]
BRIDGED = "ros2+zenoh://127.0.0.1:7447/turtle1?bridge=ros2dds"


class Ends:
    """A link, what it tells, and the bus that it is on; it looks when it is told to.

    Args:
        options: of the address, such as ``?stamped=yes``
        address: instead
        others: who is there
    """

    def __init__(self, options: str = "", *others: Ros2Endpoint, address: str = "") -> None:
        at = parse(address or f"ros2://turtle1{options}")
        assert isinstance(at, Ros2Address)
        self.link, self.bus, self.inbox = Ros2Link(at), HandBus(), Inbox()
        self.receiver = Receiver(self.inbox, Event())
        self.link._subscribe(self.bus, self.receiver)
        self.look(*others)

    def look(self, *others: Ros2Endpoint) -> None:
        """Have it look at those who are there now."""
        self.bus.others = list(others)
        self.look_again()

    def look_again(self) -> None:
        self.link._changed.clear()
        self.link._look(self.bus, self.receiver)

    def heard(self, topic: str) -> list[bytes]:
        """What packets of a topic hold."""
        return [data for name, data in map(unpack, self.inbox.packets) if name == topic]

    @property
    def matched(self) -> list[Matched]:
        return [read_matched(data) for data in self.heard(GRAPH)]

    @property
    def reason(self) -> str:
        """Why it is down; it is."""
        assert not self.inbox.links[-1].up
        return self.inbox.links[-1].reason

    @property
    def is_up(self) -> bool:
        return bool(self.inbox.links) and self.inbox.links[-1].up


def test_it_subscribes_to_each_topic_of_a_robot_once() -> None:
    heard = [(each.topic, each.kind, each.quality) for each in Ends().bus.subscriptions]
    assert heard == [
        (ODOM, ODOMETRY, READ),
        ("/turtle1/battery_state", BATTERY_STATE, READ),
        ("/turtle1/hazard_detection", HAZARDS, READ),
        (SCAN, LASER_SCAN, READ),
        ("/tf_static", TF_MESSAGE, LATCHED),
        ("/turtle1/tf_static", TF_MESSAGE, LATCHED),
    ]


def test_without_a_namespace_static_transforms_are_heard_once() -> None:
    ends = Ends(address="ros2://")
    assert [each.topic for each in ends.bus.subscriptions if each.kind == TF_MESSAGE] == ["/tf_static"]
    assert ends.link.commands == "/cmd_vel"


def test_single_range_sensors_and_those_of_an_epuck2_are_packets_with_numbers_and_there_is_no_lidar() -> None:
    lights = [f"light_{number}" for number in range(8)]
    ends = Ends(f"?range=left,/right&light={','.join(lights)}&ground=a,b,c", TAKES, TELLS)
    heard = [(each.topic, each.kind) for each in ends.bus.subscriptions[3:]]
    assert heard == [
        ("/turtle1/left", RANGE),
        ("/right", RANGE),
        *((f"/turtle1/{each}", ILLUMINANCE) for each in lights),
        *((f"/turtle1/{each}", RANGE) for each in "abc"),
    ]
    for topic, _ in heard:
        ends.bus.of(topic).heard(topic.encode())
    for name, topic in (("range0", "turtle1/left"), ("range1", "right"), ("light7", "turtle1/light_7")):
        assert ends.heard(name) == [f"/{topic}".encode()]
    assert [ends.heard(f"ground{number}") for number in range(4)] == [
        [b"/turtle1/a"],
        [b"/turtle1/b"],
        [b"/turtle1/c"],
        [],
    ]
    assert [(each.ranges, each.blind != "") for each in ends.matched] == [(2, True)]


def test_a_scan_that_is_named_too_is_read_and_the_range_sensors_are_not() -> None:
    ends = Ends("?range=left&scan=front", TAKES, TELLS)
    assert [each.topic for each in ends.bus.subscriptions[3:4]] == ["/turtle1/front"]
    assert ends.matched[-1].ranges == 0


def test_it_comes_up_when_the_robot_is_there_tells_what_it_found_once_and_goes_down_with_a_reason() -> None:
    ends = Ends()
    assert "nobody of ROS 2 is to be heard in domain 0" in ends.reason
    ends.look(*ROBOT)
    assert [each.up for each in ends.inbox.links] == [False, True]
    assert ends.matched == [Matched(equipment=False)]
    assert isinstance(ends.inbox.arrivals[1].content, Link)
    assert isinstance(ends.inbox.arrivals[2].content, Packet)
    ends.look_again()
    assert len(ends.inbox.arrivals) == 3
    ends.look(TAKES, SCANS)
    assert f"nobody publishes {ODOM}" in ends.reason
    ends.link.send("", pack("cmd_vel", b"go"))
    assert (ends.bus.to(CMD).sent, ends.link.counts.dropped) == ([], 1)
    ends.look(*ROBOT)
    assert ends.is_up
    assert len(ends.matched) == 2
    assert len(ends.bus.publishers) == 1


def test_a_note_of_the_bus_is_added_to_why_nobody_is_there() -> None:
    ends = Ends()
    ends.bus.note = "the firewall, perhaps"
    ends.look(TELLS)
    assert ends.reason.endswith("; the firewall, perhaps")
    ends.look(*ROBOT)
    assert ends.is_up


def test_commands_are_published_and_counted_as_sent_only_when_they_were_taken() -> None:
    ends = Ends("", *ROBOT)
    commands = ends.bus.to(CMD)
    assert (commands.kind, commands.quality) == (TWIST, COMMAND)
    ends.link.send("", pack("cmd_vel", b"go"))
    assert (commands.sent, ends.link.counts.sent, ends.link.counts.dropped) == ([b"go"], 1, 0)
    commands.takes = False
    ends.link.send("", pack("cmd_vel", b"stop"))
    ends.link.send("", pack("odom", b"not ours to tell"))
    ends.link.send("", pack("ask", b"it has no equipment"))
    assert (commands.sent, ends.link.counts.sent, ends.link.counts.dropped) == ([b"go"], 1, 3)
    ends.link.flush(0.25)
    assert commands.flushed == [0.25]


def test_a_link_that_has_nobody_flushes_nothing() -> None:
    Ends().link.flush(10.0)


@pytest.mark.parametrize(
    ("options", "takes", "kind"),
    [("", TAKES, TWIST), ("", TAKES_STAMPED, TWIST_STAMPED), ("?stamped=yes", TAKES_STAMPED, TWIST_STAMPED)],
)
def test_the_type_of_commands_is_the_robots(options: str, takes: Ros2Endpoint, kind: str) -> None:
    ends = Ends(options, takes, TELLS, SCANS)
    assert ends.bus.to(CMD).kind == kind
    assert [each.stamped for each in ends.matched] == [kind == TWIST_STAMPED]


def test_a_robot_that_takes_another_type_now_is_a_link_that_was_lost_and_is_back() -> None:
    ends = Ends("", *ROBOT)
    before = ends.bus.to(CMD)
    ends.look(TAKES_STAMPED, TELLS, SCANS)
    assert before.closed
    assert ends.bus.to(CMD).kind == TWIST_STAMPED
    assert [(each.up, each.reason) for each in ends.inbox.links[-2:]] == [
        (False, f"{CMD} takes {TWIST_STAMPED} now"),
        (True, ""),
    ]
    assert [each.stamped for each in ends.matched] == [False, True]


def test_one_that_comes_back_with_another_type_was_lost_already() -> None:
    ends = Ends("", *ROBOT)
    ends.look(TELLS)
    ends.look(TAKES_STAMPED, TELLS, SCANS)
    assert [each.up for each in ends.inbox.links] == [True, False, True]
    assert "takes" not in ends.inbox.links[1].reason


def test_options_of_the_address_are_told_the_driver() -> None:
    ends = Ends("?stamp=now&delay=0.25", *ROBOT)
    assert (ends.matched[0].stamps, ends.matched[0].delay) == (True, 0.25)
    plain = Ends("", *ROBOT)
    assert (plain.matched[0].stamps, plain.matched[0].delay) == (False, None)


def test_who_else_commands_is_refused_and_that_changes_while_the_link_is_up() -> None:
    teleop = endpoint(CMD, TWIST, writes=True, by="teleop")
    ends = Ends("", *ROBOT, teleop)
    ends.look(*ROBOT)
    ends.look(*ROBOT, teleop)
    assert [each.refusal == "" for each in ends.matched] == [False, True, False]
    assert "/teleop publishes" in ends.matched[-1].refusal
    assert [each.up for each in ends.inbox.links] == [True]


def test_who_has_not_told_his_name_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = HandTime(100.0)
    monkeypatch.setattr(ros2_link, "time", clock)
    nameless = endpoint(CMD, TWIST, writes=True, by="")
    ends = Ends("", *ROBOT, nameless)
    assert ends.inbox.arrivals == []
    clock.now += NAMED_WITHIN - 0.25
    ends.look_again()
    assert ends.inbox.arrivals == []
    clock.now += 0.25
    ends.look_again()
    assert "a node without a name publishes" in ends.matched[0].refusal
    ends.look(*ROBOT)
    ends.look(*ROBOT, nameless)  # while it is up, it is told at once
    assert ends.matched[-1].refusal


def test_a_policy_that_does_not_match_is_told_unless_others_may_mean_it() -> None:
    ends = Ends("", *ROBOT)
    told = ends.bus.to(CMD).mismatch
    assert told is not None
    told("reliability")
    assert ends.link._changed.is_set()
    onlooker = endpoint(CMD, TWIST, writes=False, by="recorder")
    ends.look(*ROBOT, onlooker)
    assert ends.is_up
    ends.look(*ROBOT)
    assert ends.reason.startswith(f"{CMD} wants another quality of service")
    assert "its reliability does not match" in ends.reason


@pytest.mark.parametrize("all_latched", [False, True])
def test_durability_does_not_match_where_all_want_it(all_latched: bool) -> None:
    latched = endpoint(CMD, TWIST, writes=False, latched=True)
    other = endpoint(CMD, TWIST, writes=False, by="recorder", latched=all_latched)
    ends = Ends("", latched, other, TELLS)
    told = ends.bus.to(CMD).mismatch
    assert told is not None
    told("durability")
    ends.look_again()
    assert ends.is_up is not all_latched


def test_odometry_that_is_heard_matches() -> None:
    ends = Ends("", *ROBOT)
    odometry = ends.bus.of(ODOM)
    assert odometry.mismatch is not None
    odometry.mismatch("durability")
    ends.look_again()
    assert ends.reason.startswith(f"{ODOM} wants another quality of service")
    odometry.heard(b"here")
    assert ends.link._changed.is_set()
    ends.look_again()
    assert ends.is_up
    ends.link._changed.clear()
    odometry.heard(b"here too")
    assert not ends.link._changed.is_set()
    assert ends.heard("odom") == [b"here too"], "what comes while it is down is not handed on"
    assert ends.link.counts.received == 1


def test_equipment_is_asked_once_the_robot_has_a_program_for_it() -> None:
    ask, told = "/turtle1/equipment/ask", "/turtle1/equipment/told"
    takes_questions, answers = endpoint(ask, STRING, writes=False), endpoint(told, STRING, writes=True)
    ends = Ends("", *ROBOT, answers)
    ends.look(*ROBOT, answers, takes_questions)
    ends.look_again()
    assert [each.equipment for each in ends.matched] == [False, True]
    assert [(each.topic, each.quality) for each in ends.bus.publishers[1:]] == [(ask, EQUIPMENT)]
    assert ends.bus.of(told).quality == EQUIPMENT
    ends.link.send("", pack("ask", b"how warm?"))
    ends.bus.of(told).heard(b"warm")
    assert (ends.bus.to(ask).sent, ends.heard("told")) == ([b"how warm?"], [b"warm"])
    assert (ends.link.counts.sent, ends.link.counts.received) == (1, 1)


def test_static_transforms_wait_for_the_link_to_come_up_and_are_told_once() -> None:
    ends = Ends()
    ends.bus.of("/tf_static").heard(b"first")
    ends.bus.of("/turtle1/tf_static").heard(b"second")
    assert ends.inbox.packets == []
    ends.look(*ROBOT)
    assert ends.heard("tf_static") == [b"first", b"second"]
    ends.bus.of("/tf_static").heard(b"third")
    ends.look(*ROBOT, endpoint(CMD, TWIST, writes=True, by="teleop"))
    assert ends.heard("tf_static") == [b"first", b"second", b"third"]
    assert ends.link.counts.received == 3
    ends.look(TELLS)
    ends.look(*ROBOT)  # the driver has forgotten them
    assert ends.heard("tf_static")[3:] == [b"first", b"second", b"third"]


def test_the_last_static_transforms_are_kept() -> None:
    ends = Ends()
    for number in range(MOST_STATIC + 5):
        ends.bus.of("/tf_static").heard(str(number).encode())
    ends.look(*ROBOT)
    assert ends.heard("tf_static") == [str(number).encode() for number in range(5, MOST_STATIC + 5)]


def test_a_bridge_tells_nobody_and_the_robot_is_there_once_its_odometry_is() -> None:
    ends = Ends(address=BRIDGED)
    expected = f"nobody publishes {ODOM} at the bridge by the router 127.0.0.1:7447 in domain 0: correct its name"
    assert ends.reason == expected
    ends.bus.of(ODOM).heard(b"here")
    ends.look()
    assert ends.is_up
    assert ends.matched == [Matched(stamped=False, blind="", equipment=True)]
    assert ends.bus.to(CMD).kind == TWIST
    stamped = Ends(address=f"{BRIDGED}&stamped=yes")
    stamped.bus.of(ODOM).heard(b"here")
    stamped.look()
    assert stamped.bus.to(CMD).kind == TWIST_STAMPED


def test_what_was_found_of_the_robot_is_listed_and_nothing_else() -> None:
    ends = Ends(
        "?ground=glow,b,c",
        *ROBOT,
        endpoint("/turtle1/glow", RANGE, writes=True),
        endpoint("/turtle1/equipment/ask", STRING, writes=False),
        endpoint(ODOM, ODOMETRY, writes=False, by="recorder"),
        endpoint("/map", LASER_SCAN, writes=True),
        endpoint("", LASER_SCAN, writes=True),
        endpoint("/turtle1/battery_state", BATTERY_STATE, writes=True, by=""),
    )
    assert ends.link.found == (
        ("/turtle1/battery_state", BATTERY_STATE, "a node without a name"),
        (CMD, TWIST, "/base"),
        ("/turtle1/equipment/ask", STRING, "/base"),
        ("/turtle1/glow", RANGE, "/base"),
        (ODOM, ODOMETRY, "/base"),
        (SCAN, LASER_SCAN, "/base"),
    )


def test_a_bus_that_is_left_leaves_nothing_behind() -> None:
    equipment = [
        endpoint("/turtle1/equipment/ask", STRING, writes=False),
        endpoint("/turtle1/equipment/told", STRING, writes=True),
    ]
    ends = Ends("", *ROBOT, *equipment)
    odometry = ends.bus.of(ODOM)
    ends.bus.of("/tf_static").heard(b"once")
    odometry.heard(b"here")
    told = ends.bus.to(CMD).mismatch
    assert told is not None
    told("reliability")
    ended: list[bool] = []
    ends.link._leave(ends.bus, lambda: ended.append(ends.bus.to(CMD).closed))
    assert [each.closed for each in ends.bus.publishers] == [True, True]
    assert all(each.closed for each in ends.bus.subscriptions)
    assert ended == [False], "first it is watched no more"
    assert ends.bus.closed
    ends.link.send("", pack("cmd_vel", b"go"))
    assert ends.link.counts.dropped == 1
    before = len(ends.inbox.arrivals)
    ends.bus = HandBus()
    ends.link._subscribe(ends.bus, ends.receiver)
    ends.look(*ROBOT)
    assert ends.is_up
    assert ends.heard("tf_static") == [b"once"]
    assert len(ends.inbox.arrivals) == before + 2
    ends.bus.of(ODOM).heard(b"back")
    assert ends.link._changed.is_set()
