"""Topics of ROS 2 over DDS and zenoh, between two ends: another process, or another session."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any

import pytest
from cyclonedds.builtin import BuiltinDataReader
from cyclonedds.core import DDSException

from devs_robotics.core.realtime.transport import Arrival, Link
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.protocols.ros2.graph import read_matched
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    OdometryReport,
    read_odometry,
    write_odometry,
    write_twist,
)
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, STRING, TF_MESSAGE, TWIST
from devs_robotics.hil.protocols.ros2.packets import ASK, CMD_VEL, GRAPH, ODOM, TF_STATIC, TOLD, pack, unpack
from devs_robotics.hil.protocols.ros2.topic_equipment import write_text
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error, type_hash
from devs_robotics.hil.transports.dds import DdsBus, dds_bus
from devs_robotics.hil.transports.ros2_bus import COMMAND, EQUIPMENT, LATCHED, Quality, Ros2Bus
from devs_robotics.hil.transports.ros2_link import Ros2Link
from devs_robotics.hil.transports.zenoh import ZenohBus
from tests.hil.ros2.environments import free_domain
from tests.hil.transports.heard import Heard, wait_for
from tests.hil.zenoh_base import zenoh_base
from tests.real_components import free_port

pytestmark = pytest.mark.wall_clock

PEER = """
import sys, time
from devs_robotics.hil.protocols.ros2.messages import OdometryReport, read_twist, write_odometry
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, TF_MESSAGE, TWIST
from devs_robotics.hil.transports.dds import dds_bus
from devs_robotics.hil.transports.ros2_bus import COMMAND, Quality, LATCHED

bus = dds_bus(int(sys.argv[1]), "lo")
odom = bus.publish("/turtle1/odom", ODOMETRY, Quality())
last = [0.0]
kept = bus.subscribe("/turtle1/cmd_vel", TWIST, lambda data: last.__setitem__(0, read_twist(data).speed), COMMAND)
while True:
    odom.send(write_odometry(OdometryReport(x=last[0], y=0.0, heading=0.0, speed=0.0, turn_rate=0.0)))
    time.sleep(0.02)
"""


@contextmanager
def peer(domain: int) -> Iterator[None]:
    """A robot in another process, whose odometry says the speed that it was told."""
    process = subprocess.Popen([sys.executable, "-c", PEER, str(domain)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_dds_carries_bytes_both_ways_and_knows_who_is_there() -> None:
    domain = free_domain()
    with peer(domain):
        bus, heard = dds_bus(domain, "lo"), Heard()
        try:
            assert dds_bus(domain, "lo") is bus, "one participant for a domain"
            bus.close()
            odom = bus.subscribe("/turtle1/odom", ODOMETRY, heard)
            cmd = bus.publish("/turtle1/cmd_vel", TWIST, COMMAND)
            heard.wait_for(lambda all_: len(all_) > 2)
            wait_for(lambda: cmd.send(write_twist(BaseVelocity(0.5, 0.0))) and read_odometry(heard.all[-1]).x == 0.5)
            wait_for(lambda: all(each.node for each in bus.endpoints()))
            others = {each.topic: each for each in bus.endpoints() if each.key not in (odom.key, cmd.key)}
            assert set(others) == {"/turtle1/odom", "/turtle1/cmd_vel"}
            assert others["/turtle1/odom"].type_hash == type_hash(ODOMETRY)
            assert others["/turtle1/odom"].writes
            assert others["/turtle1/odom"].node.startswith("/devs_robotics_")
            cmd.close()
            assert not cmd.send(b"")
            with pytest.raises(Ros2Error, match="is used with other options already"):
                dds_bus(domain, "lo", ["192.0.2.7"])
        finally:
            bus.close()


def test_the_endpoints_of_a_bus_announce_no_type_information() -> None:
    """The trick without which Fast DDS 3 and Cyclone do not match where there is a sequence; and for two topics."""
    domain = free_domain()
    bus = DdsBus(domain, "lo")
    try:
        for topic in ("/a", "/b"):
            bus.publish(topic, ODOMETRY, Quality())
        assert not bus._silent.failed
        for reader, (_, _, alive) in zip(bus._builtin, bus._conditions, strict=True):
            for sample in reader.read(100, alive):
                if sample.type_name.endswith("Odometry_"):
                    assert sample.type_id is None
    finally:
        bus.end()


@contextmanager
def router(domain: int = 0) -> Iterator[tuple[ZenohBus, int]]:
    port = free_port()
    bus = ZenohBus("127.0.0.1", port, domain, router=True)
    try:
        yield bus, port
    finally:
        bus.close()


def test_zenoh_carries_bytes_both_ways_and_knows_who_is_there() -> None:
    with router(3) as (there, port), ExitStack() as stack:
        here = ZenohBus("127.0.0.1", port, 3)
        stack.callback(here.close)
        commands, heard = Heard(), Heard()
        there.subscribe("/turtle1/cmd_vel", TWIST, commands, COMMAND)
        odom = there.publish("/turtle1/odom", ODOMETRY, Quality())
        mine = here.subscribe("/turtle1/odom", ODOMETRY, heard)
        wait_for(lambda: len(here.endpoints()) == 3)
        cmd = here.publish("/turtle1/cmd_vel", TWIST, COMMAND)
        wait_for(lambda: cmd.send(write_twist(BaseVelocity(0.5, 0.0))) and bool(commands.all))
        wait_for(lambda: odom.send(b"\0\1\0\0") and bool(heard.all))
        others = {each.topic: each for each in here.endpoints() if each.key not in (mine.key, cmd.key)}
        assert others["/turtle1/odom"].type_hash == type_hash(ODOMETRY)
        assert not others["/turtle1/cmd_vel"].writes
        latched = there.publish("/map", TWIST, Quality(latched=True, depth=1))
        latched.send(b"kept")
        late = Heard()
        here.subscribe("/map", TWIST, late, Quality(latched=True))
        late.wait_for(lambda all_: all_ == [b"kept"])


class Arrivals:
    """What a link tells.

    Args:
        spoilt: what is raised, one after the other, when odometry comes
    """

    def __init__(self, *spoilt: Exception) -> None:
        self.all: list[Arrival] = []
        self.spoilt = list(spoilt)

    def __call__(self, arrival: Arrival) -> None:
        if self.spoilt and not isinstance(arrival.content, Link) and unpack(arrival.content.data)[0] == ODOM:
            raise self.spoilt.pop()
        self.all.append(arrival)

    @property
    def reasons(self) -> list[str]:
        return [each.content.reason for each in self.all if isinstance(each.content, Link) and not each.content.up]

    @property
    def topics(self) -> set[str]:
        return {unpack(each.content.data)[0] for each in self.all if not isinstance(each.content, Link)}

    def of(self, topic: str) -> list[bytes]:
        said = [unpack(each.content.data) for each in self.all if not isinstance(each.content, Link)]
        return [data for name, data in said if name == topic]


def robot_on(bus: Ros2Bus, name: str = "turtle1") -> tuple[Callable[[], None], Heard]:
    """A robot: what has it tell its odometry, and what it is told."""
    heard = Heard()
    bus.subscribe(f"/{name}/cmd_vel", TWIST, heard, COMMAND)
    odom = bus.publish(f"/{name}/odom", ODOMETRY, Quality())
    said = write_odometry(OdometryReport(x=0.0, y=0.0, heading=0.0, speed=0.0, turn_rate=0.0))

    def tell() -> None:
        odom.send(said)

    return tell, heard


def linked(address: str, *spoilt: Exception) -> tuple[Ros2Link, Arrivals]:
    parsed = parse(address)
    assert isinstance(parsed, Ros2Address)
    link, arrivals = Ros2Link(parsed), Arrivals(*spoilt)
    link.open(arrivals)
    return link, arrivals


def test_a_link_is_up_while_its_robot_is_there_and_says_why_it_is_not() -> None:
    port = free_port()
    link, arrivals = linked(f"ros2+zenoh://127.0.0.1:{port}/turtle1?domain=0")
    try:
        wait_for(
            lambda: any(f"the zenoh router at 127.0.0.1:{port} cannot be reached" in each for each in arrivals.reasons)
        )
        there = ZenohBus("127.0.0.1", port, 0, router=True)
        try:
            wait_for(lambda: any("nobody of ROS 2 is to be heard" in each for each in arrivals.reasons))
            robot_on(there, "turtle2")
            wait_for(lambda: any("there is /turtle2/odom, but no /turtle1/odom" in each for each in arrivals.reasons))
            there.publish("/turtle1/tf_static", TF_MESSAGE, LATCHED).send(b"mount")  # before the link is up
            tell, heard = robot_on(there)

            def told() -> bool:
                tell()
                return {GRAPH, ODOM, TF_STATIC} <= arrivals.topics

            wait_for(told)
            link.send("", pack(CMD_VEL, write_twist(BaseVelocity(0.1, 0.0))))
            heard.wait_for(lambda all_: all_ == [write_twist(BaseVelocity(0.1, 0.0))])
            link.send("", b"no packet")
            link.send("", pack(ASK, b"too early"))
            assert (link.counts.sent, link.counts.dropped) == (1, 2)
            asked = Heard()  # a program on the robot plays equipment
            there.subscribe("/turtle1/equipment/ask", STRING, asked, EQUIPMENT)
            answers = there.publish("/turtle1/equipment/told", STRING, EQUIPMENT)
            wait_for(lambda: [read_matched(said).equipment for said in arrivals.of(GRAPH)] == [False, True])
            wait_for(lambda: answers.send(b"\0\1\0\0") and TOLD in arrivals.topics)
            link.send("", pack(ASK, write_text(b"what?")))
            asked.wait_for(lambda all_: all_ == [write_text(b"what?")])
        finally:
            before = len(arrivals.reasons)
            there.close()
        wait_for(lambda: len(arrivals.reasons) > before)
    finally:
        link.close()
        link.close()


@contextmanager
def robot_over(middleware: str) -> Iterator[str]:
    """A robot that tells its odometry again and again; its address."""
    if middleware == "dds":
        domain = free_domain()
        with peer(domain):
            yield f"ros2://turtle1?domain={domain}&interface=lo"
        return
    with zenoh_base() as base:
        yield base.address


@pytest.mark.parametrize("middleware", ["dds", "zenoh"])
def test_what_a_receiver_raises_is_a_lost_link_which_comes_back(middleware: str) -> None:
    with robot_over(middleware) as address:
        link, arrivals = linked(address, ValueError("no place for it"))
        try:
            wait_for(lambda: {GRAPH, ODOM} <= arrivals.topics)
        finally:
            link.close()
    why = "what came could not be handled here: ValueError: no place for it"
    assert [each for each in arrivals.reasons if why in each] == [f"{address} was lost ({why})"]
    assert [each.content.up for each in arrivals.all if isinstance(each.content, Link)][-2:] == [False, True]


def test_what_dds_raises_is_a_lost_link_of_all_in_its_domain_and_they_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, spoilt = BuiltinDataReader.read, [DDSException(-1)]

    def spoilt_read(self: BuiltinDataReader, *how: Any) -> Any:
        if spoilt and here.is_set():
            raise spoilt.pop()
        return read(self, *how)

    here = Event()
    monkeypatch.setattr(BuiltinDataReader, "read", spoilt_read)
    with robot_over("dds") as address, ExitStack() as stack:
        both = [linked(address), linked(address.replace("turtle1", "turtle2"))]
        for link, _ in both:
            stack.callback(link.close)
        wait_for(lambda: {GRAPH, ODOM} <= both[0][1].topics)
        here.set()
        with peer(int(address.partition("domain=")[2].partition("&")[0])):  # whose endpoints are read
            wait_for(lambda: all(any("was lost (" in each for each in told.reasons) for _, told in both))
            before = len(both[0][1].of(ODOM))
            wait_for(lambda: len(both[0][1].of(ODOM)) > before)
    for _, told in both:
        (lost,) = [each for each in told.reasons if "was lost (" in each]
        assert "DDS" in lost


def test_what_dds_raises_while_nobody_watches_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    bus = DdsBus(free_domain(), "lo")
    try:
        fault, others = OSError("out of memory"), Heard()

        def spoilt() -> None:
            raise fault

        bus.soon(spoilt)
        bus.soon(lambda: others(b"goes on"))
        others.wait_for(lambda all_: all_ == [b"goes on"])
    finally:
        bus.end()
    assert [each.exc_value for each in shown] == [fault]
    assert bus.fault == "out of memory"


def test_what_is_raised_in_a_thread_of_zenoh_while_nobody_watches_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    fault, heard = OSError("out of memory"), Heard()

    def spoilt(data: bytes) -> None:
        heard(data)
        if len(heard.all) == 1:
            raise fault

    with router() as (bus, _):
        bus.subscribe("/turtle1/odom", ODOMETRY, spoilt)
        odom = bus.publish("/turtle1/odom", ODOMETRY, Quality())
        wait_for(lambda: odom.send(b"once") and len(heard.all) > 1)
    assert [each.exc_value for each in shown] == [fault]
    assert bus.fault == "out of memory"
