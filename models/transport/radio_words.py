"""What robots say by radio as transceivers carry it: a word and two lists of numbers."""

from __future__ import annotations

from devs_robotics.models.environment.air import Reception, Transmit
from devs_robotics.models.transport.messages import (
    Accept,
    AcceptAck,
    Ack,
    Claim,
    EndOfTalk,
    PathPart,
    RadioMessage,
    Reject,
    Wait,
)
from devs_robotics.models.transport.path import Waypoints

WAIT, ACCEPT, ACCEPT_ACK, REJECT, ACK, PART, END = "WAIT", "ACCEPT", "ACCEPTACK", "REJECT", "ACK", "PATH", "END"
"""The words, as they are published; ``ACK`` and ``PATH`` are the published program's."""

CLAIM = "CLAIM"
"""Our own word, of traffic management."""

_TO_ONE: dict[str, type[Accept] | type[AcceptAck] | type[Reject]] = {
    ACCEPT: Accept,
    ACCEPT_ACK: AcceptAck,
    REJECT: Reject,
}
_WORDS = {kind: word for word, kind in _TO_ONE.items()}


def spoken(message: RadioMessage, channel: int, period: float = 0.0) -> Transmit:
    """What a transceiver is told to send.

    Args:
        message: of the robot
        channel: on which
        period: of saying it again (s); 0: once
    """
    match message:
        case Wait():
            return Transmit(channel, WAIT, (float(message.has_path), float(message.digest)), period=period)
        case Accept() | AcceptAck() | Reject():
            return Transmit(channel, _WORDS[type(message)], (float(message.receiver),))
        case Ack():
            return Transmit(channel, ACK)
        case PathPart():
            numbers = (float(message.number), float(message.of), *_xs(message.points))
            return Transmit(channel, PART, numbers, _ys(message.points))
        case EndOfTalk():
            return Transmit(channel, END, (float(message.of), *_xs(message.company)), _ys(message.company))
        case Claim():
            (ax, ay), (bx, by) = message.start, message.end
            return Transmit(channel, CLAIM, (float(message.loaded), message.since, ax, bx), (ay, by))


def understood(heard: Reception) -> RadioMessage | None:
    """What was said; None where it is none of these."""
    sender, numbers = heard.sender, heard.numbers
    match heard.text, len(numbers):
        case "WAIT", 2:
            return Wait(sender, numbers[0] == 1.0, int(numbers[1]))
        case (("ACCEPT" | "ACCEPTACK" | "REJECT"), 1):
            return _TO_ONE[heard.text](sender, int(numbers[0]))
        case "ACK", 0:
            return Ack(sender)
        case "PATH", count if count >= 3 and count - 2 == len(heard.others):
            points = tuple(zip(numbers[2:], heard.others, strict=True))
            return PathPart(sender, int(numbers[0]), int(numbers[1]), points)
        case "END", count if count >= 1 and count - 1 == len(heard.others):
            return EndOfTalk(sender, int(numbers[0]), tuple(zip(numbers[1:], heard.others, strict=True)))
        case "CLAIM", 4 if len(heard.others) == 2:
            (loaded, since, ax, bx), (ay, by) = numbers, heard.others
            return Claim(sender, loaded == 1.0, since, (ax, ay), (bx, by))
    return None


def _xs(points: Waypoints) -> tuple[float, ...]:
    return tuple(x for x, _ in points)


def _ys(points: Waypoints) -> tuple[float, ...]:
    return tuple(y for _, y in points)
