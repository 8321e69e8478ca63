"""How processes agree to run a model together: what they say to each other.

A host announces a run; nodes that bring robots offer them; the host plans who runs what, and the nodes get ready; when
it knows their clocks it says when to start. At the end it says so, and the nodes report. All is JSON over a transport
that may lose messages, so each is said again until it is answered.

==========================================  ========================================================
``devs-robotics/announce``                  the host's `Announcement`
``devs-robotics/RUN/offers``                nodes' offers
``devs-robotics/RUN/host/control``          what else the host says, to all nodes
``devs-robotics/RUN/NODE/control``          what else a node says
``devs-robotics/RUN/SENDER/to/RECEIVER``    what crosses between models, as `Peer` says it
==========================================  ========================================================
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from devs_robotics.core.distribution.wire import Name

LARGEST_CONTROL_MESSAGE = 1 << 20
"""Largest size of a message between a host and a node (bytes); a larger one is not valid."""

ANNOUNCE = "devs-robotics/announce"
"""Topic on which hosts announce their runs, and which every node listens to."""

HOST = "host"
"""No node has this name."""

Text: TypeAlias = Annotated[str, Meta(max_length=2000)]
Short: TypeAlias = Annotated[str, Meta(max_length=512)]
Robots: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=1, le=100_000)], ...], Meta(max_length=100_000)]
Seconds: TypeAlias = Annotated[float, Meta(ge=-1e12, le=1e12)]


class ControlMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages."""

    run: Name


class Announcement(ControlMessage, frozen=True, tag="announcement"):
    """The host is about to run this, and waits for nodes that bring these robots.

    Attributes:
        version: of devs-robotics
        fingerprint: hash of what the models are made from: each node has that itself, and takes no model from a host
        rate: simulated seconds per real second
    """

    version: Short
    fingerprint: Short
    stage: Short
    rate: Annotated[float, Meta(gt=0.0, le=1e6)]
    robots: Robots


class Plan(ControlMessage, frozen=True, tag="plan"):
    """Who brings which robots, and where their devices are, where the host knows better than the scenario."""

    robots: dict[Name, Robots]
    addresses: dict[int, Short]


class Ping(ControlMessage, frozen=True, tag="ping"):
    """What is the time? `sent` is the host's own (monotonic, s). It is also the host's heartbeat."""

    sent: Seconds


class Start(ControlMessage, frozen=True, tag="start"):
    """The run starts when each node's monotonic clock shows this (s)."""

    at: dict[Name, Seconds]


class End(ControlMessage, frozen=True, tag="end"):
    """The run is over: how, as in its outcome, and why."""

    ended: Short
    reason: Text


class Offer(ControlMessage, frozen=True, tag="offer"):
    """A node brings these robots."""

    node: Name
    version: Short
    fingerprint: Short
    robots: Robots


class Ready(ControlMessage, frozen=True, tag="ready"):
    """A node has made its part of the model."""

    node: Name


class Pong(ControlMessage, frozen=True, tag="pong"):
    """The answer to a `Ping`.

    Attributes:
        sent: of the ping
        got, replied: when it came and when this left, by the node's monotonic clock (s)
        epoch: what to add to the node's monotonic clock for its unix time (s)
    """

    node: Name
    sent: Seconds
    got: Seconds
    replied: Seconds
    epoch: Seconds


class Starting(ControlMessage, frozen=True, tag="starting"):
    """A node has heard when to start."""

    node: Name


class FinalReport(ControlMessage, frozen=True, tag="report"):
    """A node's run is over.

    Attributes:
        failed: why it cannot go on, if it ended the run
        steps: of its simulator
        lateness_p99, lateness_max: of its events (s, simulated); negative where there were none
        dropped: what came over the wire and was no valid message, by what was wrong
        of_model: it cannot go on for a fault of a model, and of nothing else
    """

    node: Name
    failed: Text
    steps: Annotated[int, Meta(ge=0, le=2**53)]
    lateness_p99: Seconds
    lateness_max: Seconds
    dropped: Annotated[dict[Short, Annotated[int, Meta(ge=0, le=2**53)]], Meta(max_length=100)]
    of_model: bool = False


HostMessage: TypeAlias = Announcement | Plan | Ping | Start | End
NodeMessage: TypeAlias = Offer | Ready | Pong | Starting | FinalReport


def offers_topic(run: str) -> str:
    """Where nodes offer their robots."""
    return f"devs-robotics/{run}/offers"


def control_topic(run: str, sender: str) -> str:
    """Where the host, or a node, says all else."""
    return f"devs-robotics/{run}/{sender}/control"


_host_messages = msgspec.json.Decoder(HostMessage)
_node_messages = msgspec.json.Decoder(NodeMessage)


def host_message(data: bytes) -> HostMessage | None:
    """What a host has said; None if it is no valid message."""
    return _decoded(_host_messages, data)  # type: ignore[no-any-return]


def node_message(data: bytes) -> NodeMessage | None:
    """What a node has said; None if it is no valid message."""
    return _decoded(_node_messages, data)  # type: ignore[no-any-return]


def _decoded(decoder: msgspec.json.Decoder[Any], data: bytes) -> Any:
    if len(data) > LARGEST_CONTROL_MESSAGE:
        return None
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
