"""A link to a broker for whom there is no simulation to wait."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from devs_robotics import Arrival, Link, Packet, Transport
from devs_robotics.hil.camera.opencv import CameraError


def opened(transport: Transport, patience: float, heard: Callable[[Packet], None] = lambda packet: None) -> None:
    """Open a link, and wait until it is up.

    Args:
        transport: not yet open
        patience: longest time to wait (s)
        heard: gets what comes, in a thread of the link's

    Raises:
        CameraError: it is not up by then
    """
    up, reason = Event(), [""]

    def arrived(arrival: Arrival) -> None:
        if isinstance(arrival.content, Link):
            reason[0] = arrival.content.reason
            if arrival.content.up:
                up.set()
        else:
            heard(arrival.content)

    transport.open(arrived)
    if not up.wait(patience):
        raise CameraError(reason[0] or f"the broker of {transport.address} does not answer: start it, or correct --to")
