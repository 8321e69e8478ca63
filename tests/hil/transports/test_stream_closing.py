"""A stream that is closing hands nothing on."""

from __future__ import annotations

from threading import Event

from devs_robotics.transport import Arrival, Link
from hil.transports.receiver import Receiver
from tests.hil.transports.inbox import Inbox


def test_nothing_is_handed_on_once_it_is_closing() -> None:
    inbox, closing = Inbox(), Event()
    receiver = Receiver(inbox, closing)
    receiver.up()
    closing.set()
    receiver.packet("", b"too late")
    receiver.down("it was closed")
    assert inbox.arrivals == [Arrival("", Link(up=True))]
