"""Counts what a kernel has models do, without asking the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Note = Callable[[int, str], None]
"""Hears of each call: the model's place in the list, and the function's name."""

DEVS = ("lambdaf", "deltint", "deltext", "deltcon")
PYJEVSIM = ("output", "int_trans", "ext_trans", "con_trans")
OUTPUTS = ("lambdaf", "output")
"""The functions that are no transitions."""


class Count:
    """How many calls there were by function.

    A call like the one just before is the next message of one bag: between two bags of a model some model sends.
    """

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self._last = (-1, "")

    def __call__(self, index: int, name: str) -> None:
        if (index, name) != self._last:
            self._last = (index, name)
            self.calls[name] = self.calls.get(name, 0) + 1


def watch(models: Iterable[Any], names: Iterable[str], note: Note) -> None:
    """Have each model tell when one of its functions is called; not those that it calls itself."""
    names = tuple(names)
    busy: list[bool] = []
    for index, model in enumerate(models):
        for name in names:
            setattr(model, name, _told(getattr(model, name), index, name, note, busy))


def _told(function: Callable[..., None], index: int, name: str, note: Note, busy: list[bool]) -> Callable[..., None]:
    def told(*arguments: Any) -> None:
        if not busy:
            note(index, name)
            busy.append(True)
            function(*arguments)
            busy.pop()
        else:  # the confluent function calls the other two: that is one transition
            function(*arguments)

    return told


def watch_processes(processes: list[Iterator[Any]], note: Note) -> None:
    """Have each SimPy process tell when it is resumed."""
    processes[:] = [_resumed(process, index, note) for index, process in enumerate(processes)]


def _resumed(process: Any, index: int, note: Note) -> Iterator[Any]:
    event = next(process)
    while True:
        value = yield event
        note(index, "resumed after " + type(event).__name__)
        event = process.send(value)
