"""DEVStone with declared ports: the models of `xdevs.examples.devstone`, whose functions do the same work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise

from xdevs.examples.devstone.pystone import pystones

from devs_robotics import Atomic, Coupled, In, Out
from tests.benchmarks.kernel.work import Devstone


class Delayed(Atomic):
    """Answers each bag at once with one event."""

    i_in = In(int)
    o_out = Out(int)

    def __init__(self, name: str, int_delay: float = 0, ext_delay: float = 0, test: bool = False) -> None:
        super().__init__(name)
        self.int_delay = int_delay
        self.ext_delay = ext_delay
        self.test = test
        self.n_internals = 0
        self.n_externals = 0
        self.n_events = 0

    def initialize(self) -> None:
        self.passivate()

    def lambdaf(self) -> None:
        self.o_out.add(0)

    def deltint(self) -> None:
        if self.int_delay:
            pystones(self.int_delay)
        if self.test:
            self.n_internals += 1
        self.passivate()

    def deltext(self, e: float) -> None:
        if self.ext_delay:
            pystones(self.ext_delay)
        if self.test:
            self.n_externals += 1
            self.n_events += len(self.i_in)
        self.activate()


class Seeder(Atomic):
    """Sends one event at time 0."""

    o_out = Out(int)

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.o_out.add(0)


class Stone(Coupled, ABC):
    """One level of the model and, inside it, all the deeper ones; the deepest holds a single atomic model."""

    i_in = In(int)
    o_out = Out(int)

    def __init__(self, width: int, depth: int, name: str | None = None) -> None:
        super().__init__(name or f"Coupled_{depth}")
        self.width = width
        self.depth = depth
        if depth == 1:
            atomic = self.atomic("Atomic_0_0")
            self.add_coupling(self.i_in, atomic.i_in)
            self.add_coupling(atomic.o_out, self.o_out)
        else:
            self.fill()

    def atomic(self, name: str) -> Delayed:
        """A new atomic component."""
        atomic = Delayed(name)
        self.add_component(atomic)
        return atomic

    def row(self) -> list[Delayed]:
        """The atomic components of a level that has one row of them."""
        return [self.atomic(f"Atomic_{i}_{self.depth - 1}") for i in range(self.width - 1)]

    def inner(self) -> Stone:
        """The next level, coupled to this one's ports."""
        inner = type(self)(self.width, self.depth - 1)
        self.add_component(inner)
        self.add_coupling(self.i_in, inner.i_in)
        self.add_coupling(inner.o_out, self.o_out)
        return inner

    @abstractmethod
    def fill(self) -> None:
        """Add the components of a level that is not the deepest."""


class LI(Stone):
    """Low interconnection: everything hangs on the input."""

    def fill(self) -> None:
        self.inner()
        for atomic in self.row():
            self.add_coupling(self.i_in, atomic.i_in)


class HI(Stone):
    """High input coupling: each atomic model also sends to the next one of its level."""

    def fill(self) -> None:
        self.inner()
        row = self.row()
        for atomic in row:
            self.add_coupling(self.i_in, atomic.i_in)
        for left, right in pairwise(row):
            self.add_coupling(left.o_out, right.i_in)


class HO(Stone):
    """High output coupling: as HI, with a second input, and each atomic model also sends to a second output."""

    i_in2 = In(int)
    o_out2 = Out(int)

    def fill(self) -> None:
        inner = self.inner()
        assert isinstance(inner, HO)
        self.add_coupling(self.i_in, inner.i_in2)
        row = self.row()
        for atomic in row:
            self.add_coupling(self.i_in2, atomic.i_in)
            self.add_coupling(atomic.o_out, self.o_out2)
        for left, right in pairwise(row):
            self.add_coupling(left.o_out, right.i_in)


class HOmod(Stone):
    """A triangle of atomic models at each level, whose first row sends to the next level: exponential in events."""

    i_in2 = In(int)

    def fill(self) -> None:
        inner = self.inner()
        assert isinstance(inner, HOmod)
        rows = [self._row(1, self.width - 1)]
        rows += [self._row(i, self.width + 1 - i) for i in range(2, self.width + 1)]
        first, second = rows[:2]
        for atomic in first:
            self.add_coupling(self.i_in2, atomic.i_in)
            self.add_coupling(atomic.o_out, inner.i_in2)
        for row in rows[1:]:
            self.add_coupling(self.i_in2, row[0].i_in)
        for atomic in second:
            for above in first:
                self.add_coupling(atomic.o_out, above.i_in)
        for upper, row in pairwise(rows[1:]):
            for atomic, above in zip(row, upper[1:], strict=True):
                self.add_coupling(atomic.o_out, above.i_in)

    def _row(self, row: int, count: int) -> list[Delayed]:
        return [self.atomic(f"Atomic_({row},{i})_{self.depth - 1}") for i in range(1, count + 1)]


KINDS: dict[str, type[Stone]] = {"LI": LI, "HI": HI, "HO": HO, "HOmod": HOmod}


def declared(work: Devstone) -> Coupled:
    """The whole model, with its seeder."""
    root, seeder = Coupled("devstone"), Seeder("seeder")
    stone = KINDS[work.kind](work.width, work.depth, f"root_{work.kind}")
    root.add_component(seeder)
    root.add_component(stone)
    for port in stone.in_ports:
        root.add_coupling(seeder.o_out, port)
    return root


Edge = tuple[int, int]
"""Sender and receiver, as numbers of atomic models."""


def flat_edges(work: Devstone) -> Iterator[Edge]:
    """The couplings when all levels are dissolved.

    Atomic model 0 is the seeder, 1 that of the deepest level; then come those of each level, the outermost first.
    """
    yield 0, 1
    next_free = 2
    if work.kind == "HOmod":
        yield from _triangles(work)
        return
    for _ in range(work.depth - 1):
        row = range(next_free, next_free + work.width - 1)
        next_free = row.stop
        yield from ((0, atomic) for atomic in row)
        if work.kind != "LI":
            yield from pairwise(row)


def _triangles(work: Devstone) -> Iterator[Edge]:
    senders, next_free = range(1), 2
    for _ in range(work.depth - 1):
        rows = []
        for length in [work.width - 1, *range(work.width - 1, 0, -1)]:
            rows.append(range(next_free, next_free + length))
            next_free += length
        first, second = rows[:2]
        entries = [*first, *(row[0] for row in rows[1:])]
        yield from ((sender, entry) for sender in senders for entry in entries)
        yield from ((below, above) for below in second for above in first)
        for upper, row in pairwise(rows[1:]):
            yield from zip(row, upper[1:], strict=True)
        senders = first
