"""Clock offset: how far another computer's clock is ahead of this one's, from pings and pongs.

The estimate is that of NTP (RFC 5905, section 8): the exchange with the least round trip is believed, and its error is
at most half that round trip.
"""

from __future__ import annotations

from math import inf

from msgspec import Struct


class Exchange(Struct, frozen=True):
    """One ping and its pong.

    Attributes:
        sent, returned: when the ping left and the pong arrived, by the clock here (s)
        got, replied: when the ping arrived and the pong left, by the clock there (s)
    """

    sent: float
    got: float
    replied: float
    returned: float

    @property
    def offset(self) -> float:
        """How far the clock there is ahead (s)."""
        return ((self.got - self.sent) + (self.replied - self.returned)) / 2.0

    @property
    def round_trip(self) -> float:
        """Time that both ways took together (s)."""
        return (self.returned - self.sent) - (self.replied - self.got)


class Offset:
    """An estimate that gets better with each exchange.

    Attributes:
        exchanges: how many there were
        value: how far the clock there is ahead (s)
        round_trip: the least (s); the error is at most half of it
    """

    def __init__(self) -> None:
        self.exchanges = 0
        self.value = 0.0
        self.round_trip = inf

    def take(self, exchange: Exchange) -> None:
        """Take one more exchange into account; one that claims to have taken no time at all is not believed."""
        if exchange.round_trip < 0.0:
            return
        self.exchanges += 1
        if exchange.round_trip < self.round_trip:
            self.value, self.round_trip = exchange.offset, exchange.round_trip
