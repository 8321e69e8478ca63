"""What Cyclone DDS is told of the network: interface, multicast, and whom to call."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from devs_robotics.hil.protocols.ros2.type_store import Ros2Error

MOST_PARTICIPANTS = 99
"""Largest number of a participant of one host that is called."""


def check_interface(interface: str) -> None:
    """Whether this computer has an interface: Cyclone tells it in lines of its own.

    Raises:
        Ros2Error: it has not
    """
    names = [name for _, name in socket.if_nameindex()]
    if interface and interface not in names:
        raise Ros2Error(
            f"this computer has no network interface {interface!r}: give one of {', '.join(names)} as interface=, or "
            "leave it out"
        )


def configuration(interface: str = "", peers: Sequence[str] = ()) -> str:
    """What Cyclone is told of the network, as XML."""
    local = interface == "lo"
    called = [*(["127.0.0.1"] if local else []), *peers]
    return (
        '<CycloneDDS><Domain id="any"><General>'
        + (f"<Interfaces><NetworkInterface name={quoteattr(interface)}/></Interfaces>" if interface else "")
        + ("<AllowMulticast>false</AllowMulticast>" if called else "")
        + "</General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        + f"<MaxAutoParticipantIndex>{MOST_PARTICIPANTS}</MaxAutoParticipantIndex>"
        + ("<Peers>" + "".join(f"<Peer address={quoteattr(each)}/>" for each in called) + "</Peers>" if called else "")
        + "</Discovery></Domain></CycloneDDS>"
    )
