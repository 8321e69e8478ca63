"""What all processes of a distributed run have in common, and how long they wait for each other."""

from __future__ import annotations

from msgspec import Struct

PEER_TIMEOUT = 2.0
"""Silence after which a process takes another one to have failed, unless another is set (real s)."""


class Session(Struct, frozen=True):
    """One distributed run, as one of its processes sees it.

    Attributes:
        run: id of the run, of letters, digits, - and _
        here: name of this process, of letters, digits, - and _
        rate: simulated seconds per real second
        beat: time between two heartbeats (real s)
        patience: silence after which another process has failed, and time in which its lost messages have to come
            again (real s)
        keep: largest number of messages that are kept to be sent again
    """

    run: str
    here: str
    rate: float = 1.0
    beat: float = 0.1
    patience: float = PEER_TIMEOUT
    keep: int = 10_000


def data_topic(run: str, sender: str, receiver: str) -> str:
    """Where one process publishes for another what crosses between them."""
    return f"devs-robotics/{run}/{sender}/to/{receiver}"


def blame(reason: str, held_up: float, patience: float) -> str:
    """Why a run was broken off: the others are not to blame where this process was held up for longer than they wait.

    Args:
        reason: as it looks to this process
        held_up: the longest time for which it was (real s)
        patience: of the processes with each other (real s)
    """
    if held_up <= patience:
        return reason
    return (
        f"this program was held up for {held_up:.1f} s, and processes of a run wait {patience:g} s for each other: "
        "start it again"
    )
