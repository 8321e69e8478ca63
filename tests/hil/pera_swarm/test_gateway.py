"""The gateway on its own: the roll call, other servers, and what it leaves behind."""

from __future__ import annotations

from math import inf
from typing import Any

from devs_robotics import Fault, Link, LostLink, Packet, Post
from devs_robotics.core.robots.outside import Hears, IsThere, RobotJoined
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.gateway import Gateway, Server
from devs_robotics.hil.pera_swarm.reading import UNKNOWN_TOPIC
from devs_robotics.hil.pera_swarm.writing import TEXT_TOO_LONG, announcement
from tests.models.play import settle, tell


def gateway(since: float | None = None, channel: str = "v1") -> Gateway:
    server = Server() if since is None else Server(f"server{since:.0f}", since)
    model = Gateway("gateway", WireArena(channel=channel), server=server)
    model.initialize()
    return model


def take(model: Gateway, topic: str, data: bytes, e: float = 0.0) -> list[tuple[str, Any]]:
    return tell(model, (model.incoming, Post(data, topic)), e=e)


def test_it_hears_the_topics_of_its_own_channel() -> None:
    model = gateway(channel="swarm")
    assert "swarm/robot/live" in model.listened
    assert take(model, "swarm/robot/live", b'{"id":3}') == [("said", IsThere(3))]
    assert take(model, "v1/robot/live", b'{"id":3}') == []
    assert tell(model, (model.incoming, Packet(b"")), e=0.0) == []
    assert model.dropped == {UNKNOWN_TOPIC: 2}


def test_it_calls_the_roll_while_the_broker_is_there() -> None:
    model = gateway()
    assert (model.phase, model.ta()) == ("away", inf)
    assert len(tell(model, (model.incoming, Link(up=True)), e=4.0)) == 6, "and that the broker is there"
    assert (model.phase, model.ta()) == ("there", 30.0)
    model.deltint()
    assert model.time == 34.0
    assert settle(model) == [("outgoing", Post(b"ID? -1", "v1/robot/msg/broadcast"))]
    assert tell(model, (model.incoming, Link(up=False)), e=1.0) == [("linked", Link(up=False))]
    assert model.ta() == inf
    tell(model, (model.incoming, Link(up=True)), e=1.0)
    assert model.ta() == 30.0
    tell(model, (model.incoming, LostLink(up=False, reason="gone")), e=1.0)
    assert model.ta() == inf


def test_what_cannot_be_sent_is_counted() -> None:
    model = gateway()
    assert tell(model, (model.told, Hears(1, True, "x" * 65)), (model.told, RobotJoined(1, True))) == []
    assert model.dropped == {TEXT_TOO_LONG: 1}


def test_of_two_servers_the_younger_one_goes_and_names_the_older() -> None:
    older, younger = gateway(1000.0), gateway(2000.0)
    hello = tell(older, (older.incoming, Link(up=True)))
    assert hello[-2] == ("outgoing", Post(announcement("server1000", 1000.0).data, "v1/service/discovery"))
    of_younger = announcement("server2000", 2000.0).data
    answer = take(older, "v1/service/discovery", of_younger)
    assert answer == [hello[-2]]
    ((port, fault),) = take(younger, "v1/service/discovery", answer[0][1].data)
    assert port == "fault"
    assert isinstance(fault, Fault)
    assert "server1000 was there before on channel 'v1'" in fault.reason
    assert take(younger, "v1/service/discovery", of_younger) == [], "its own"
    assert take(gateway(), "v1/service/discovery", of_younger) == [], "who has no name minds nobody"


def test_at_the_end_robots_stop_and_nothing_is_left_at_the_broker() -> None:
    assert gateway().farewell() == [
        Post(b"STOP -1", "v1/robot/msg/broadcast"),
        Post(b"", "v1/config/arena/", retained=True),
    ]
