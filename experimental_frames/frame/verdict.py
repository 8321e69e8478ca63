"""How a run ends: what acceptors say."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Verdict(Struct, frozen=True):
    """How a run ended.

    Attributes:
        accepted: the run kept to the frame's conditions
        reason: why it is over
        fault: a real robot or a link failed, so that the run says nothing of the model
    """

    accepted: bool
    reason: str
    fault: bool = False


def first_of(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that counts of those that came at one instant: a fault, or else a rejection, or else the first."""
    return min(verdicts, key=lambda verdict: (not verdict.fault, verdict.accepted))
