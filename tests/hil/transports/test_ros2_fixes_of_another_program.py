"""Fixes from a tracking system of ROS 2 that is another program: over DDS by Cyclone alone, and over zenoh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import cos, sin
from queue import Empty, Queue
from typing import Any

import pytest

from devs_robotics import Arrival, Fix, Link, Packet, Simulator
from devs_robotics.core.realtime.transport import Transport
from devs_robotics.hil.protocols.ros2.fixes import POSE
from devs_robotics.hil.protocols.ros2.messages import PlanarTransform, write_transforms
from devs_robotics.hil.ros2_fix_addresses import parse_fix_address
from devs_robotics.hil.ros2_tracking import Ros2Fixes
from devs_robotics.hil.tracking import Tracker, TrackingFrame
from devs_robotics.hil.transports.connections import Connections
from devs_robotics.hil.transports.ros2_bus import Quality
from tests.hil.ros2.environments import free_domain
from tests.hil.ros2.peers import dds_peer
from tests.real_components import free_port

pytestmark = pytest.mark.wall_clock

PATIENCE = 30.0
"""What has not arrived after so long (s) never does."""


def transform(parent: str, child: str, pose: tuple[float, float, float]) -> dict[str, Any]:
    x, y, heading = pose
    turn = {"x": 0, "y": 0, "z": sin(0.5 * heading), "w": cos(0.5 * heading)}
    return {
        "header": {"stamp": {"sec": 1, "nanosec": 0}, "frame_id": parent},
        "child_frame_id": child,
        "transform": {"translation": {"x": x, "y": y, "z": 0}, "rotation": turn},
    }


@contextmanager
def opened(address: str, reader: Ros2Fixes) -> Iterator[tuple[Transport, Queue[Arrival]]]:
    """The link to a tracking system, and what arrives."""
    arrivals: Queue[Arrival] = Queue()
    transport = Connections().fixes(address, reader.topics).transport
    transport.open(arrivals.put)
    try:
        yield transport, arrivals
    finally:
        transport.close()


def first(arrivals: Queue[Arrival], wanted: Callable[[Any], bool], meanwhile: Callable[[], None]) -> Any:
    """The first content that is wanted; `meanwhile` is done again and again."""
    for _ in range(int(PATIENCE / 0.05)):
        meanwhile()
        try:
            content = arrivals.get(timeout=0.05).content
        except Empty:
            continue
        if wanted(content):
            return content
    raise AssertionError("nothing of the kind has arrived")


def test_transforms_of_another_program_become_fixes_in_the_field() -> None:
    domain = free_domain()
    address = f"ros2://?tf=map&domain={domain}&interface=lo"
    reader = Ros2Fixes(parse_fix_address(address)[1], {2: "turtle2", 3: "turtle3"})
    tracker = Tracker("tracker", frozenset({2, 3}), frame=TrackingFrame(1.0, 0.0, 0.5), reader=reader)
    with dds_peer(domain, "tell") as peer, opened(address, reader) as (_, arrivals):
        complaint = first(arrivals, lambda content: isinstance(content, Link) and not content.up, lambda: None)
        assert f"nobody publishes /tf or /turtle2/tf or /turtle3/tf in domain {domain}: start what" in complaint.reason
        static = [transform("map", "turtle2/odom", (2.0, 1.0, 0.25))]
        peer.tell(topic="/tf_static", kind="TFMessage", message={"transforms": static})
        moving = [transform("turtle2/odom", "turtle2/base_link", (0.5, 0.0, 0.25))]

        def go_on() -> None:
            peer.tell(topic="/tf", kind="TFMessage", message={"transforms": moving})

        found: list[Fix] = []
        is_up = False
        with Simulator(tracker) as simulator:
            while not (found and is_up):
                content = first(arrivals, lambda content: True, go_on)
                is_up = is_up or (isinstance(content, Link) and content.up)
                simulator.inject(tracker.incoming, content)
                simulator.run()
                found += tracker.fix.values
    fix = found[0]
    x, y = 2.0 + 0.5 * cos(0.25), 1.0 + 0.5 * sin(0.25)
    assert fix.robot == 2
    assert fix.x == pytest.approx(1.0 + cos(0.5) * x - sin(0.5) * y)
    assert fix.y == pytest.approx(sin(0.5) * x + cos(0.5) * y)
    assert fix.heading == pytest.approx(1.0)
    assert tracker.dropped == {}


def test_poses_of_another_program_become_fixes() -> None:
    domain = free_domain()
    address = f"ros2://?pose=/cf{{N}}/pose&domain={domain}&interface=lo"
    reader = Ros2Fixes(parse_fix_address(address)[1], {7: None})
    pose = {"position": {"x": 1, "y": 2, "z": 0.3}, "orientation": {"x": 0, "y": 0, "z": sin(0.2), "w": cos(0.2)}}
    message = {"header": {"stamp": {"sec": 1, "nanosec": 0}, "frame_id": "world"}, "pose": pose}
    with dds_peer(domain, "tell") as peer, opened(address, reader) as (_, arrivals):
        packet = first(
            arrivals,
            lambda content: isinstance(content, Packet),
            lambda: peer.tell(topic="/cf7/pose", kind="PoseStamped", message=message),
        )
    [fix] = reader.read(packet.data, 0.0)
    assert (fix.robot, fix.x, fix.y) == (7, 1.0, 2.0)
    assert fix.heading == pytest.approx(0.4)


def test_a_topic_of_another_type_is_told() -> None:
    domain = free_domain()
    address = f"ros2://?pose=/tf&domain={domain}&interface=lo"
    reader = Ros2Fixes(parse_fix_address(address)[1], {1: None})
    with dds_peer(domain, "tell") as peer, opened(address, reader) as (_, arrivals):
        complaint = first(
            arrivals,
            lambda content: isinstance(content, Link) and "has the type" in content.reason,
            lambda: peer.tell(topic="/tf", kind="TFMessage", message={"transforms": []}),
        )
    assert complaint.reason.startswith(f"/tf has the type tf2_msgs/msg/TFMessage, and not {POSE} or ")


def test_the_same_by_a_zenoh_router() -> None:
    zenoh = pytest.importorskip("devs_robotics.hil.transports.zenoh")
    port = free_port()
    address = f"ros2+zenoh://127.0.0.1:{port}/?tf=map"
    reader = Ros2Fixes(parse_fix_address(address)[1], {1: "turtle1"})
    data = write_transforms([PlanarTransform(parent="map", child="turtle1/base_link", x=1.0, y=2.0, heading=0.5)])
    router = zenoh.ZenohBus("127.0.0.1", port, 0, router=True)
    try:
        publisher = router.publish("/tf", "tf2_msgs/msg/TFMessage", Quality())
        with opened(address, reader) as (_, arrivals):
            packet = first(arrivals, lambda content: isinstance(content, Packet), lambda: publisher.send(data) and None)
    finally:
        router.close()
    [fix] = reader.read(packet.data, 0.0)
    assert (fix.robot, fix.x, fix.y) == (1, 1.0, 2.0)


def test_a_link_may_be_closed_before_anybody_was_found() -> None:
    address = f"ros2+zenoh://127.0.0.1:{free_port()}/?tf=map"
    reader = Ros2Fixes(parse_fix_address(address)[1], {1: "a"})
    with opened(address, reader) as (transport, _):
        transport.send("", b"")
        assert transport.counts.dropped == 1
