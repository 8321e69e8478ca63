"""How values cross between processes: as MessagePack, which keeps every float as it is, infinities too."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from devs_robotics.core.errors import ModelError
from devs_robotics.core.ports import Port, port_path, type_name

LARGEST_MESSAGE = 65_536
"""Largest size of a message between two processes (bytes); a larger one is not valid."""

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]


class PeerMessage(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of what two processes say to each other while models run."""

    run: str
    sender: str


class StepValues(PeerMessage, frozen=True, tag="values"):
    """What models of the sender have sent in one step.

    Attributes:
        number: from 1, one more each
        time: simulated time of the sender (s)
        bags: encoded values by port
    """

    number: Number
    time: float
    bags: dict[str, Raw]


class Beat(PeerMessage, frozen=True, tag="beat"):
    """The sender is there.

    Attributes:
        sent: number of the last `StepValues` that it has sent
        received: it has all `StepValues` up to this number
        again: it knows of others that it has not got: send them again
    """

    sent: Number
    received: Number
    again: bool


class UnfitForWireError(Exception):
    """What came is no valid message; `kind` says in a word why."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


_messages: msgspec.msgpack.Decoder[StepValues | Beat] = msgspec.msgpack.Decoder(StepValues | Beat)


def decode_message(data: bytes) -> StepValues | Beat:
    """Read what another process has sent; raises `UnfitForWireError`."""
    if len(data) > LARGEST_MESSAGE:
        raise UnfitForWireError("size")
    return _decoded(_messages, data, "garbage")  # type: ignore[no-any-return]


class Codec:
    """Writes and reads the values of one port.

    Args:
        port: that sends, or a copy of it; its type must be one that msgspec can tell from others

    Raises:
        ModelError: its type is none of those
    """

    def __init__(self, port: Port[Any]) -> None:
        self.port = port
        self._kind: Any = port.p_type
        try:
            _ = self._decoder
        except TypeError as exc:
            raise ModelError(
                f"{port_path(port)} carries {type_name(port.p_type)}, which cannot be sent to another process ({exc}): "
                f"make it a msgspec.Struct, with a tag where there are several"
            ) from exc

    @property
    def _decoder(self) -> msgspec.msgpack.Decoder[Any]:
        return _decoder_of(self._kind)

    def encode(self, values: Iterable[Any]) -> Raw:
        """Write values; raises ModelError if they would arrive as something else."""
        given = tuple(values)
        try:
            data = msgspec.msgpack.encode(given)
            arrives = self._decoder.decode(data)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as exc:
            raise ModelError(self._unsendable(given, str(exc))) from exc
        if arrives != given:
            raise ModelError(self._unsendable(given, f"it would arrive as {arrives!r}"))
        return Raw(data)

    def decode(self, data: Raw) -> tuple[Any, ...]:
        """Read values; raises `UnfitForWireError`."""
        values: tuple[Any, ...] = _decoded(self._decoder, data, "type")
        if values != _decoded(self._decoder, data, "type"):  # NaN is unequal to itself, wherever it hides
            raise UnfitForWireError("NaN")
        return values

    def _unsendable(self, given: tuple[Any, ...], reason: str) -> str:
        return (
            f"{port_path(self.port)} carries {type_name(self.port.p_type)} and cannot send {given!r} to another "
            f"process ({reason}): send exactly what the port is declared for, without NaN"
        )


@cache
def _decoder_of(p_type: Any) -> msgspec.msgpack.Decoder[Any]:
    """One for each type; not kept in models, which can then be pickled."""
    kind: Any = tuple[Any if p_type is None else p_type, ...]  # type: ignore[misc]
    return msgspec.msgpack.Decoder(kind)


def _decoded(decoder: msgspec.msgpack.Decoder[Any], data: bytes | Raw, kind: str) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        raise UnfitForWireError(kind) from exc
