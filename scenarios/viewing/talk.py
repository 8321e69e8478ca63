"""What a recording has of what robots say, command and read: all that their models send, but the packets on wires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdevs.models import Atomic, Port

from devs_robotics import Link, ModelError, Packet
from devs_robotics.core.observe import EventObserver, Observer


class Talk(Observer):
    """Tells a trace what is sent, and nothing of transitions.

    Args:
        trace: is told
    """

    def __init__(self, trace: EventObserver) -> None:
        self._trace = trace

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Begin the trace."""
        self._trace.started(time, models)

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Tell what was sent."""
        if not isinstance(values[0], Packet | Link):
            self._trace.sent(time, model, port, values)

    def joined(self, time: float, model: Atomic) -> None:
        """Tell who has joined."""
        self._trace.joined(time, model)

    def left(self, time: float, model: Atomic) -> None:
        """Tell who has left."""
        self._trace.left(time, model)

    def failed(self, time: float, error: ModelError) -> None:
        """Tell that the run has broken off."""
        self._trace.failed(time, error)

    def ended(self, time: float) -> None:
        """End the trace."""
        self._trace.ended(time)
