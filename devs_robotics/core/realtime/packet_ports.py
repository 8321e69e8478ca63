"""Boundary ports: where the packets of a model, however deep it is, leave the root model and come in."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics.core.model import Coupled
from devs_robotics.core.ports import Port
from devs_robotics.core.realtime.transport import Link, Packet
from devs_robotics.core.robots.activity import lead_on, lead_through


class PacketPorts(Struct, frozen=True):
    """Ports of a root model through which packets pass between one of its models and a transport.

    Attributes:
        outgoing: where packets leave
        incoming: where packets, and word of the link, come in
    """

    outgoing: Port[Packet]
    incoming: Port[Packet | Link]

    def copies_in(self, root: Coupled) -> PacketPorts:
        """The ports of the same names of a root that is a part of this one."""
        outgoing: Any = root.output[self.outgoing.name]
        incoming: Any = root.input[self.incoming.name]
        return PacketPorts(outgoing, incoming)


def lead_packets(root: Coupled, outgoing: Port[Packet], incoming: Port[Packet | Link]) -> PacketPorts:
    """Lead the packets of a model at any depth inside `root` out to ports of `root`, through all models on the way.

    Args:
        outgoing, incoming: ports of that model

    Raises:
        ModelError: the ports belong to no model inside `root`
    """
    return PacketPorts(
        lead_on(root, lead_through(root, outgoing, "out"), "out"),
        lead_on(root, lead_through(root, incoming, "in"), "in"),
    )
