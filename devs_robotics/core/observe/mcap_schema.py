"""JSON schemas of the messages in an MCAP trace, of the kinds that plotting tools understand."""

from __future__ import annotations

from typing import Any

import msgspec

Schema = dict[str, Any]

OWN = "devs_robotics."
"""What the names of all schemas begin with but those of others' tools."""

_SIMPLE = {"boolean", "integer", "number", "string"}
_PLACE: Schema = {"event": {"type": "string"}, "time": {"type": "number"}, "model": {"type": "string"}}


def state_schema() -> Schema:
    """Of the messages that tell of a model's transitions."""
    return _object(
        _PLACE
        | {
            "kind": {"type": "string"},
            "elapsed": {"type": "number"},
            "phase": {"type": "string"},
            "sigma": {"type": "number"},
        }
    )


def trace_schema() -> Schema:
    """Of the messages that tell of the whole simulation, and of who joins and leaves it."""
    return _object(_PLACE | {"message": {"type": "string"}})


def port_schema(p_type: Any) -> Schema:
    """Of the messages that tell of the values in a port, as far as its type is known."""
    properties = _PLACE | {"port": {"type": "string"}}
    values = _simplified({"type": "array", "items": _schema_of(p_type)}, {}) if p_type is not None else None
    return _object(properties if values is None else properties | {"values": values})


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _schema_of(p_type: Any) -> Schema:
    """msgspec's schema; empty, which says nothing, for classes that it does not know."""
    try:
        return msgspec.json.schema(p_type)
    except TypeError:
        return {}


def _simplified(schema: Schema, defined: Schema, depth: int = 0) -> Schema | None:
    """The schema without references, unions and nested lists, which not every tool reads; None when nothing is left."""
    defined = schema.get("items", {}).get("$defs", defined) if depth == 0 else defined
    if "$ref" in schema:
        schema = defined[schema["$ref"].rpartition("/")[2]]
    kind = schema.get("type")
    if kind in _SIMPLE:
        return {"type": kind}
    if depth > 8:  # a class that holds itself
        return None
    if kind == "object":
        fields = {name: _simplified(field, defined, depth + 1) for name, field in schema.get("properties", {}).items()}
        return _object({name: field for name, field in fields.items() if field is not None})
    if kind == "array":
        items = _simplified(schema.get("items") or {}, defined, depth + 1)
        return None if items is None or items["type"] == "array" else {"type": "array", "items": items}
    return None
