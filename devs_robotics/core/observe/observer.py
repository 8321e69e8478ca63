"""What an observer of a simulation may have: hooks, all of them optional."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from xdevs.models import Atomic, Port

from devs_robotics.core.errors import ModelError

TransitionKind = Literal["internal", "external", "confluent"]
"""The kinds of transition."""


class Observer:
    """Base of all observers: hooks that do nothing. Override those that you need; only these cost anything.

    Observers are told, never asked: they must not change a model, write a port or change the structure. Times are
    simulated, in seconds. In one step all outputs come first, in the order of the model tree, and then the
    transitions: those of the imminent models in the order of the tree, then those of the other receivers. A model's
    bags are told just before its transition.
    """

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """The observer was attached at `time`; `models` are the atomic models that it watches, in tree order."""

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """The output function of `model` put these values into `port`."""

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """These values are in the bag of the input `port`; the transition of `model` comes next."""

    def changed(self, time: float, model: Atomic, kind: TransitionKind, elapsed: float) -> None:
        """`model` made a transition, `elapsed` seconds after the last; it holds its new phase and sigma."""

    def joined(self, time: float, model: Atomic) -> None:
        """`model` was added to the running simulation and initialised."""

    def left(self, time: float, model: Atomic) -> None:
        """`model` was taken out of the running simulation; it still knows its name, but no longer its parent."""

    def failed(self, time: float, error: ModelError) -> None:
        """The simulation broke off."""

    def ended(self, time: float) -> None:
        """The simulation was closed, or the observer was detached. Files are closed here."""
