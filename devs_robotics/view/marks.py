"""Marks that follow what models send: how a case study declares them, and the observer that keeps their changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Any

from msgspec import Struct
from xdevs.models import Atomic, Port

from devs_robotics.core.observe import Observer
from devs_robotics.core.ports import port_path
from devs_robotics.view.drawable import MarkError, check_mark
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Mark


class Shown(Struct, frozen=True):
    """Marks that follow the messages of a port.

    Attributes:
        port: an output port of an atomic model, such as ``robot.battery.power.answer``
        how: makes of a message what it changes: marks by their names, None for one that is gone; it is called at once,
            and may look at models, as they are then, but not change them
        lasts: for how long its marks stay, unless they are changed before (s)
    """

    port: Any
    how: Callable[[Any], Mapping[str, Mark | None]]
    lasts: float = inf


def _check_all(changed: object) -> None:
    if not isinstance(changed, Mapping):
        raise MarkError(f'must return marks by their names, as {{"item 1": None}}, not {changed!r:.80}')
    for name, mark in changed.items():
        check_mark(name, mark)


def _said(exc: Exception) -> str:
    return str(exc) if isinstance(exc, MarkError) else f"failed: {type(exc).__name__}: {exc}"


def _nobody(change: MarkChange) -> None:
    return None


class Marks(Observer):
    """Keeps how marks change while a run goes on.

    Args:
        declared: marks with their names, and what changes them
        keep: whether changes are kept; else only how marks are now

    Attributes:
        tell: is told of each change
        begin: the marks that are there at first, by name
        changes: so far, in the order of time
        trouble: why marks are missing, the first time that some were; empty while none are

    Raises:
        MarkError: something else was declared
    """

    def __init__(self, declared: Iterable[tuple[str, Mark] | Shown], *, keep: bool = True) -> None:
        self.begin: dict[str, Mark] = {}
        self.changes: list[MarkChange] = []
        self.trouble = ""
        self._keep = keep
        self.tell: Callable[[MarkChange], object] = _nobody
        self._shown: dict[int, list[Shown]] = {}
        """By the identity of the port."""
        self._ports: list[Port[Any]] = []
        for each in declared:
            if isinstance(each, Shown):
                self._follow(each)
            else:
                self._put(each)
        self._now = dict(self.begin)
        self._ends: list[tuple[float, str, int]] = []
        """When marks go that do not stay: times (s), names, and the number of the change that has made them."""
        self._changes = 0
        """How many there were, kept or not."""
        self._made: dict[str, int] = {}
        """Number of the last change of each mark."""

    @property
    def made(self) -> int:
        """How many changes of marks there were so far."""
        return self._changes

    def differing(self, time: float) -> dict[str, Mark | None]:
        """How marks at a time (s), not before the last message, differ from those at first; None: gone.

        What is kept does not change by it.
        """
        now = dict(self._now)
        for at, name, number in self._ends:
            if at <= time and self._made.get(name) == number:
                now.pop(name, None)
        gone: dict[str, Mark | None] = {name: None for name in self.begin if name not in now}
        return gone | {name: mark for name, mark in now.items() if self.begin.get(name) != mark}

    def ends_by(self, time: float) -> bool:
        """Whether a mark goes by a time (s) without a message."""
        return bool(self._ends) and self._ends[0][0] <= time

    def patterns(self, away: Collection[Atomic] = ()) -> list[str]:
        """What it watches, for ``Simulator.attach``; empty: nothing.

        Args:
            away: models that run elsewhere
        """
        paths = (port_path(port) for port in self._ports if port.parent not in away)
        return sorted({re.sub(r"\d+", "*", path) for path in paths})  # few patterns, for a thousand robots too

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Let messages change marks."""
        for shown in self._shown.get(id(port), ()):
            self._expire(time)
            for value in values:
                for name, mark in self._asked(shown, port, value).items():
                    self._change(time, name, mark, time + shown.lasts)

    def finish(self, time: float) -> None:
        """The run is over: marks that were to go by then have gone."""
        self._expire(time)

    def _asked(self, shown: Shown, port: Port[Any], value: object) -> Mapping[str, Mark | None]:
        """What a message changes; a fault in that is kept, and ends no run: nobody stops robots for a picture."""
        try:
            changed = shown.how(value)
            _check_all(changed)
        except Exception as exc:
            self.trouble = self.trouble or f"what Shown calls for {port_path(port)} {_said(exc)}"
            return {}
        return changed

    def _put(self, declared: object) -> None:
        name, mark = declared if isinstance(declared, tuple) and len(declared) == 2 else (None, None)
        if not isinstance(name, str) or not isinstance(mark, Mark):
            raise MarkError(
                f'marks must yield names with marks, as "nest", Mark(shapes.Disc(1.0, 1.0, 0.5)), or Shown(port, how), '
                f"not {declared!r:.80}"
            )
        try:
            check_mark(name, mark)
        except MarkError as exc:
            raise MarkError(f"marks {exc}") from None
        self.begin[name] = mark

    def _follow(self, shown: Shown) -> None:
        port = shown.port
        if not isinstance(port, Port) or not isinstance(port.parent, Atomic) or port not in port.parent.out_ports:
            whose = f"{port_path(port)} is none" if isinstance(port, Port) else f"{port!r:.80} is none"
            raise MarkError(
                f"Shown follows an output port of an atomic model, and {whose}: give the port of who sends, such as "
                "robot.battery.power.answer"
            )
        how: object = shown.how
        if not callable(how) or not shown.lasts > 0.0:
            raise MarkError(
                f"Shown({port_path(port)}, how, lasts): how must be a function, and lasts more than 0 s, not "
                f"{shown.how!r:.40} and {shown.lasts!r}"
            )
        self._shown.setdefault(id(port), []).append(shown)
        self._ports.append(port)

    def _expire(self, time: float) -> None:
        while self._ends and self._ends[0][0] <= time:
            at, name, number = heappop(self._ends)
            if self._made.get(name) == number:
                self._change(at, name, None, inf)

    def _change(self, time: float, name: str, mark: Mark | None, until: float) -> None:
        """Keep a change, and what has not changed but stays for longer."""
        self._made[name] = number = self._made.get(name, 0) + 1
        if until < inf and mark is not None:
            heappush(self._ends, (until, name, number))
        if self._now.get(name) == mark:
            return
        if mark is None:
            del self._now[name]
        else:
            self._now[name] = mark
        self._changes += 1
        change = MarkChange(time, name, mark)
        if self._keep:
            self.changes.append(change)
        self.tell(change)
