"""Whoever gets what comes in on a link, as the threads of a transport see him."""

from __future__ import annotations

import threading
from threading import Event

from devs_robotics.core.realtime.transport import Arrival, Arrived, Link, Packet
from devs_robotics.core.user_code import described


class ReceiverError(Exception):
    """The receiver of an arrival has raised something; the text says what."""


class Receiver:
    """Gets packets and word of the link, and a reason only when it has become another one.

    The receiver may raise anything: no thread ends by that in silence.

    Args:
        arrived: of `Transport.open`
        closing: once it is set, nothing is handed on any more
    """

    def __init__(self, arrived: Arrived, closing: Event) -> None:
        self._arrived = arrived
        self._closing = closing
        self._told = ""

    def packet(self, channel: str, data: bytes) -> None:
        """Hand a packet on.

        Raises:
            ReceiverError: the receiver has failed
        """
        self._hand(Arrival(channel, Packet(data)))

    def up(self) -> None:
        """Tell that the link has come up; raises as `packet` does."""
        self._told = ""
        self._hand(Arrival("", Link(up=True)))

    def down(self, reason: str) -> None:
        """Tell, once, why the link is down; never raises."""
        if reason == self._told:
            return
        self._told = reason
        try:
            self._hand(Arrival("", Link(up=False, reason=reason)))
        except ReceiverError as error:  # there is nobody left to be told, but for the user
            show(error)

    def _hand(self, arrival: Arrival) -> None:
        if self._closing.is_set():
            return
        try:
            self._arrived(arrival)
        except BaseException as error:  # SystemExit, too, would end the thread, and without a word
            raise ReceiverError(f"what came could not be handled here: {reason_of(error)}") from error


def show(error: Exception) -> None:
    """Show the user what was raised in this thread, which goes on."""
    threading.excepthook(
        threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread()))
    )


def reason_of(error: BaseException) -> str:
    """What was raised, for people: an error of the system by its message, any other with its type."""
    if isinstance(error, ReceiverError):
        return str(error)
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return described(error)
