"""Clock offset: how far another computer's clock is ahead of this one's, from pings and pongs.

The estimate is that of NTP (RFC 5905, sections 8 and 10): the exchange with the least error is believed, which is half
its round trip and what the clocks may have drifted apart since it began. So an exchange is given up for a later one,
though with a longer round trip, and the estimate follows the drift.
"""

from __future__ import annotations

from math import inf

from msgspec import Struct

LARGEST_DRIFT = 200e-6
"""Largest drift of two clocks from each other (s per s): each is of quartz, which is within 100 ppm."""


class ClockEstimate(Struct, frozen=True):
    """How far a clock is ahead, or how much further it has got.

    Attributes:
        value: of the estimate (s)
        error: largest error of the estimate (s)
    """

    value: float
    error: float


class PingExchange(Struct, frozen=True):
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

    @property
    def error(self) -> float:
        """Largest error of the offset, when the pong has arrived (s)."""
        return self.round_trip / 2.0 + LARGEST_DRIFT * (self.returned - self.sent)


class Offset:
    """An estimate that every exchange brings up to date.

    Attributes:
        exchanges: how many there were
        value: how far the clock there is ahead (s)
        round_trip: of the exchange that is believed (s)
        error: largest error of the value, as of the last exchange (s)
    """

    def __init__(self) -> None:
        self.exchanges = 0
        self.value = 0.0
        self.round_trip = inf
        self.error = inf
        self._last = 0.0
        """When the last exchange came back, by the clock here (s)."""

    @property
    def estimate(self) -> ClockEstimate:
        """As it is now."""
        return ClockEstimate(self.value, self.error)

    def take(self, exchange: PingExchange) -> None:
        """Take one more exchange into account; one that claims to have taken no time at all is not believed."""
        if exchange.round_trip < 0.0:
            return
        self.error += LARGEST_DRIFT * max(0.0, exchange.returned - self._last)
        self._last = exchange.returned
        self.exchanges += 1
        if exchange.error <= self.error:
            self.value, self.round_trip, self.error = exchange.offset, exchange.round_trip, exchange.error
