"""Liveliness tokens: how nodes, publishers and subscriptions are announced in zenoh (rmw_zenoh, docs/design.md).

``@ros2_lv/<domain>/<session>/<node>/<entity>/<kind>/%/<namespace>/<name>``, and for those of a topic
``/<topic>/<type>/<hash>/<qos>`` after it; a ``/`` in a name is written ``%``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from devs_robotics.hil.protocols.ros2.names import dds_type, type_of_dds
from devs_robotics.hil.protocols.ros2.type_store import MessageError

PREFIX = "@ros2_lv"

TokenKind = Literal["NN", "MP", "MS"]
"""A node, a publisher of messages, a subscription to messages."""

_PARTS = {"NN": 9, "MP": 13, "MS": 13}


class LivelinessToken(Struct, frozen=True, kw_only=True):
    """What a token says.

    Attributes:
        domain: of ROS
        session: identifier of the zenoh session
        node_id, entity: numbers within the session
        kind: what is announced
        namespace, node: full name of the node's namespace (``/turtle1``), and its name
        topic: full name of the topic; empty for a node
        type: of its messages; empty for a node, or where it is none of a message
        type_hash: as it is announced
        reliable, latched: quality of service (QoS)
        depth: of the queue
    """

    domain: int
    session: str
    node_id: int
    entity: int
    kind: TokenKind
    namespace: str = "/"
    node: str
    topic: str = ""
    type: str = ""
    type_hash: str = ""
    reliable: bool = True
    latched: bool = False
    depth: int = 10


def write_token(token: LivelinessToken) -> str:
    """The key of a token."""
    parts = [PREFIX, token.domain, token.session, token.node_id, token.entity, token.kind, "%"]
    parts += [_mangled(token.namespace), token.node]
    if token.kind != "NN":
        qos = f"{'' if token.reliable else 2}:{1 if token.latched else ''}:,{token.depth}:,:,:,,"
        parts += [_mangled(token.topic), dds_type(token.type), token.type_hash, qos]
    return "/".join(map(str, parts))


def read_token(key: str) -> LivelinessToken:
    """What the key of a token says.

    Raises:
        MessageError: it is none, or that of a service
    """
    parts = key.split("/")
    try:
        if parts[0] == PREFIX and len(parts) == _PARTS[parts[5]]:
            return _token(parts)
    except (ValueError, KeyError, IndexError):
        pass
    raise MessageError(f"{key[:200]!r} is no liveliness token of a node or a topic")


def _token(parts: Sequence[str]) -> LivelinessToken:
    """What the parts of a key say; raises ValueError or KeyError where they say nothing."""
    _, domain, session, node_id, entity, kind, _enclave, namespace, node = parts[:9]
    said: dict[str, Any] = {"kind": kind}
    if kind != "NN":
        topic, type_name, type_hash, qos = parts[9:]
        reliability, durability, history, *_ = qos.split(":")
        said |= {
            "topic": _plain(topic),
            "type": type_of_dds(type_name) or "",
            "type_hash": type_hash,
            "reliable": reliability != "2",
            "latched": durability == "1",
            "depth": int(history.partition(",")[2] or 10),
        }
    return LivelinessToken(
        domain=int(domain),
        session=session,
        node_id=int(node_id),
        entity=int(entity),
        namespace=_plain(namespace),
        node=node,
        **said,
    )


def _mangled(name: str) -> str:
    return name.replace("/", "%")


def _plain(text: str) -> str:
    return text.replace("%", "/")
