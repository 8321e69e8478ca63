"""Turns the hooks of an observer into one stream of events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from xdevs.models import Atomic, Port

from devs_robotics.core.errors import ModelError
from devs_robotics.core.observe.events import (
    RECORDING_VERSION,
    TRACE_VERSION,
    Changed,
    Ended,
    Event,
    Failed,
    Joined,
    Left,
    Received,
    Sent,
    Started,
)
from devs_robotics.core.observe.observer import Observer, TransitionKind
from devs_robotics.core.ports import component_path
from devs_robotics.version import __version__


class EventObserver(Observer, ABC):
    """Base of the observers that make traces: override `see`, which gets every event.

    Attributes:
        scene: what is drawn of the run, as plain data, if the trace is to be a recording; set before it is attached
        name: of the file that it writes; empty: it writes none
    """

    def __init__(self) -> None:
        self.scene: dict[str, Any] | UnsetType = UNSET
        self.name = ""
        self._paths: dict[int, tuple[Atomic, str]] = {}
        """By identity, with the model, so that the identity stays taken: who left has a path no longer."""

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and saved: no paths, since in a copy no model has the identity that it had."""
        return {**self.__dict__, "_paths": {}}

    def go_on_without(self, tell: Callable[[str], None]) -> None:
        """Where its file cannot be written any more, lose the rest, and do not fail.

        Args:
            tell: gets the reason, once
        """

    @abstractmethod
    def see(self, event: Event) -> None:
        """An event happened."""

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Begin with the head of the trace."""
        watched = {self._learn(model): type(model).__name__ for model in models}
        root = next(iter(watched), "").partition("/")[0]
        version = TRACE_VERSION if self.scene is UNSET else RECORDING_VERSION
        self.see(
            Started(
                version=version,
                devs_robotics=__version__,
                time=float(time),
                root=root,
                models=watched,
                scene=self.scene,
            )
        )

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """See a `Sent`."""
        self.see(Sent(float(time), self._path(model), port.name, values))

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """See a `Received`."""
        self.see(Received(float(time), self._path(model), port.name, values))

    def changed(self, time: float, model: Atomic, kind: TransitionKind, elapsed: float) -> None:
        """See a `Changed`."""
        self.see(Changed(float(time), self._path(model), kind, float(elapsed), str(model.phase), float(model.sigma)))

    def joined(self, time: float, model: Atomic) -> None:
        """See a `Joined`."""
        self.see(Joined(float(time), self._learn(model), type(model).__name__))

    def left(self, time: float, model: Atomic) -> None:
        """See a `Left`."""
        path = self._path(model)
        del self._paths[id(model)]
        self.see(Left(float(time), path))

    def failed(self, time: float, error: ModelError) -> None:
        """See a `Failed`."""
        self.see(Failed(float(time), str(error)))

    def ended(self, time: float) -> None:
        """See an `Ended`."""
        self.see(Ended(float(time)))

    def _learn(self, model: Atomic) -> str:
        path = component_path(model)
        self._paths[id(model)] = model, path
        return path

    def _path(self, model: Atomic) -> str:
        known = self._paths.get(id(model))
        return known[1] if known is not None else self._learn(model)
