"""What Cyclone DDS is told of the network."""

from __future__ import annotations

import pytest

from devs_robotics.hil.protocols.ros2.type_store import Ros2Error
from devs_robotics.hil.transports.dds import DdsBus
from devs_robotics.hil.transports.dds_configuration import configuration
from tests.hil.ros2.environments import free_domain


def test_an_interface_that_is_not_there_is_told() -> None:
    with pytest.raises(Ros2Error, match=r"has no network interface 'nowhere0': give one of .*lo.* as interface=, or"):
        DdsBus(free_domain(), "nowhere0")


def test_peers_are_called_without_multicast() -> None:
    said = configuration("wlan0", ["192.0.2.7", 'a"b'])
    assert '<NetworkInterface name="wlan0"/>' in said
    assert "<AllowMulticast>false" in said
    assert '<Peer address="192.0.2.7"/>' in said
    assert "AllowMulticast" not in configuration()


def test_what_cyclone_is_told_of_the_network() -> None:
    begin, end = '<CycloneDDS><Domain id="any"><General>', "</Discovery></Domain></CycloneDDS>"
    common = (
        "</General><Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>99"
        "</MaxAutoParticipantIndex>"
    )
    assert configuration() == f"{begin}{common}{end}"
    assert configuration("wlan0") == (f'{begin}<Interfaces><NetworkInterface name="wlan0"/></Interfaces>{common}{end}')
    assert configuration("lo") == (
        f'{begin}<Interfaces><NetworkInterface name="lo"/></Interfaces><AllowMulticast>false</AllowMulticast>'
        f'{common}<Peers><Peer address="127.0.0.1"/></Peers>{end}'
    )
    assert configuration("", ["192.0.2.7"]) == (
        f'{begin}<AllowMulticast>false</AllowMulticast>{common}<Peers><Peer address="192.0.2.7"/></Peers>{end}'
    )
