"""Chooses events out of a trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from math import inf

from devs_robotics.core.observe.events import CutShort, Event, Received, Sent, kind_of, model_of
from devs_robotics.core.observe.patterns import Selection

EVENT_KINDS = (
    "started", "sent", "received", "changed", "internal", "external", "confluent", "joined", "left", "noted",
    "failed", "ended",
)  # fmt: skip
"""The kinds of event; ``changed`` are the three kinds of transition together."""


def select(
    events: Iterable[Event],
    *models: str,
    port: str | None = None,
    kinds: Collection[str] = (),
    start: float = -inf,
    until: float = inf,
) -> Iterator[Event]:
    """Those of the events that are meant, one by one; that the trace is cut short is always among them.

    Args:
        events: of a trace
        models: patterns as for ``Simulator.attach``: ``robot*/motor``, ``robot3/motor.done``; none means all events
        port: a port's name or a shell pattern of names; leaves only what is sent and received
        kinds: of the events, see `EVENT_KINDS`; none means all
        start: time of the first events (s)
        until: time of the last events (s)
    """
    selection = Selection(models)
    has_model, has_port = cache(selection.has_model), cache(selection.has_port)
    for event in events:
        if isinstance(event, CutShort):
            yield event
            continue
        if not start <= event.time <= until:
            continue
        if kinds and kind_of(event) not in kinds and event.__struct_config__.tag not in kinds:
            continue
        if isinstance(event, Sent | Received):
            if has_port(event.model, event.port) and (port is None or fnmatchcase(event.port, port)):
                yield event
        elif port is None:
            model = model_of(event)
            if not models or (model is not None and has_model(model)):
                yield event
