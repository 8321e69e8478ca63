"""What all processes of a distributed run have in common, and how long they wait for each other."""

from __future__ import annotations

from msgspec import Struct


class Session(Struct, frozen=True):
    """One distributed run, as one of its processes sees it.

    Attributes:
        run: id of the run, of letters, digits, - and _
        here: name of this process, of letters, digits, - and _
        rate: simulated seconds per real second
        beat: time between two heartbeats (real s)
        patience: a process that has not been heard of for so long, or whose lost messages cannot be had again, has
            failed (real s)
        keep: so many messages are kept for being sent again
    """

    run: str
    here: str
    rate: float = 1.0
    beat: float = 0.1
    patience: float = 2.0
    keep: int = 10_000


def data_topic(run: str, sender: str, receiver: str) -> str:
    """Where one process publishes for another what crosses between them."""
    return f"devs-robotics/{run}/{sender}/to/{receiver}"
