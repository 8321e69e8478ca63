"""What the four experiments have measured, as plain data: pages and files are made of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Clock = Literal["world", "client", "program"]
"""By which a delay was taken: in the world alone, by a bare client at a broker, or by a program that sleeps."""


class WalkRun(Struct, frozen=True):
    """One run of experiment 1; NaN where there are no such pairs.

    Attributes:
        threshold: at which robots turn back (m)
        period, delay: of the camera (s)
        real_real, real_virtual, virtual_virtual: collisions by the realities of the pair
        rates: the same per pair and second
        least_way: of the robot that went least (m)
    """

    threshold: float
    period: float
    delay: float
    seed: int
    duration: float
    real_real: float
    real_virtual: float
    virtual_virtual: float
    rates: tuple[float, float, float]
    least_way: float


class SensingDelay(Struct, frozen=True):
    """One reading of a distance sensor, from the question to the answer (s).

    Attributes:
        clock: by which it was taken
        reality: of the robot that asked, R or V
        trial: number of the trial
    """

    clock: Clock
    reality: str
    trial: int
    seconds: float


class CallRoundTrip(Struct, frozen=True):
    """One message and its acknowledgement (s).

    Attributes:
        clock: by which it was taken
        origin, responder: numbers of the robots
        pair: their realities, such as "RV": from a real one to a virtual one and back
        trial: number of the round
    """

    clock: Clock
    origin: int
    responder: int
    pair: str
    trial: int
    seconds: float


class Load(Struct, frozen=True):
    """So many robots that ask so often, in open loop: questions come at their times, whether answers have or not.

    Attributes:
        rate: questions of each robot (1/s)
        asked, answered: how many
        p50, p95, p99: round trips of bare clients (s); NaN where nothing was answered
        cpu: share of a core that the server took; NaN where that cannot be known
    """

    robots: int
    rate: float
    asked: int
    answered: int
    p50: float
    p95: float
    p99: float
    cpu: float


class Results(Struct, frozen=True):
    """All that was measured.

    Attributes:
        which: numbers of the experiments
        quick: whether it was made briefly, so that nothing is to be concluded
        broker: what stood between clients and server, for people
        machine: that it ran on, for people
    """

    which: tuple[int, ...]
    quick: bool
    broker: str = ""
    machine: str = ""
    walks: tuple[WalkRun, ...] = ()
    delays: tuple[SensingDelay, ...] = ()
    round_trips: tuple[CallRoundTrip, ...] = ()
    loads: tuple[Load, ...] = ()
