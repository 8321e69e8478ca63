"""The experimental frame of a case study: generators, transducers and acceptors, coupled to the system under test."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
from xdevs.models import Component

from devs_robotics import Atomic, Coupled, Fault, In, Out, Port
from devs_robotics.core.ports import port_path
from devs_robotics.core.robots.activity import lead_on, lead_through
from devs_robotics.core.user_code import user_code
from devs_robotics.core.wiring import is_inside
from devs_robotics.experimental_frames.frame.acceptor import Acceptor
from devs_robotics.experimental_frames.frame.experiment import Experiment, Measurements, Rows
from devs_robotics.experimental_frames.frame.judging import Engaging, Judging
from devs_robotics.experimental_frames.frame.series_reading import TIME, FrameError, form_error, given_by
from devs_robotics.experimental_frames.frame.taps import drive, tap
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.experimental_frames.instruments.approach import Approached, Approaches
from devs_robotics.experimental_frames.instruments.safety import Engagement, SafetyJudgement, SafetyWatch
from devs_robotics.experimental_frames.instruments.tracks import Tracks
from devs_robotics.models.robots import CaseSystem

Part = TypeVar("Part", bound=Component)

WHO = "robot"
"""Name of the column of robots in a table. One that has it is a log of what single robots did, a row each, and so no
series: its values do not follow each other."""

RESERVED = ("acceptor", "approaches", "generator", "lateness", "localisation", "safety", "summary", "tracks")
"""Names that no part of a frame may have: those of the harness's own models and files."""


class Transducer(Atomic):
    """A part of a frame that measures; it declares what it has measured by `metric`, and may have a `series`.

    Attributes:
        time: for a subclass to add up the elapsed times of its events (s)
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.time = 0.0

    def series(self) -> Mapping[str, Sequence[Any]]:
        """What was measured over time, by the name of each series; by default nothing.

        Returns:
            pairs of a time (s) and a number; or columns of equal length, of which ``time_s`` is one
        """
        return {}


class TimedTransducer(Transducer):
    """A transducer that measures until the observation is over, also where nothing happens at its end.

    A subclass writes `deltext`, and calls that of this class first.

    =========  ==================  ======  ==========
    phase      time advance        output  next phase
    =========  ==================  ======  ==========
    observing  what is left of it          done
    done       ∞                           done
    =========  ==================  ======  ==========

    Args:
        duration: of the observation, unless the run ends before (s)

    Attributes:
        untimed: names of input ports of whose messages neither the time nor the order matters, as where they are
            counted: robots in arrays may then decide ahead of time, and what is sent within a period of the grid comes
            at once at its end
        time: observed so far (s)
    """

    untimed: ClassVar[Collection[str]] = ()

    def __init__(self, name: str, duration: float) -> None:
        super().__init__(name)
        self.duration = duration

    def late_until(self, port: Port[Any]) -> float:
        """Up to when messages of a port may come late (s): until the end, where nothing ends the run before."""
        frame = self.parent
        ends = not isinstance(frame, Frame) or frame.ends_by_time
        return self.duration if port.name in self.untimed and ends else 0.0

    def passed(self, seconds: float) -> None:
        """Time has passed since the last event, for what is measured by the time that it lasts; by default nothing."""

    def initialize(self) -> None:
        """Observe until the time is over."""
        self.hold_in("observing", self.duration)

    def deltint(self) -> None:
        """The time is over."""
        self.passed(self.duration - self.time)
        self.time = self.duration
        self.passivate("done")

    def deltext(self, e: float) -> None:
        """Count the time."""
        self.continuef(e)
        self.passed(e)
        self.time += e


@runtime_checkable
class Measuring(Protocol):
    """A part of a frame whose tables are not made of its series."""

    def measurements(self) -> Mapping[str, Measurements]:
        """Its tables, by the names of their files."""


class Frame(Coupled):
    """The frame of a case study, as its method `frame` gets it.

    It ends the run when the time is over, at a fault, or when a part of it has a verdict.

    Args:
        acceptor: ends the run when its time is over, or a robot or a node has failed, or what else it says

    Attributes:
        parts: that were added, by name; each is an attribute of its name, too
        acceptor: the same
    """

    fault = In(Fault)
    verdict = Out(Verdict)

    def __init__(self, name: str, acceptor: Acceptor) -> None:
        super().__init__(name)
        self.parts: dict[str, Component] = {}
        self.acceptor = acceptor
        self.add_component(self.acceptor)
        self.add_coupling(self.fault, self.acceptor.fault)
        self.add_coupling(self.acceptor.verdict, self.verdict)

    def add(self, part: Part) -> Part:
        """Add a generator, a transducer or an acceptor; a verdict of it ends the run.

        Returns:
            the same
        """
        if getattr(part, "name", "") in RESERVED:
            raise FrameError(
                f"a part of the frame cannot be called {part.name!r}, for every run has a table or a model of this "
                "name: give it another one"
            )
        if not isinstance(part, Component):
            raise FrameError(f"frame.add takes a model, not {part!r}: derive it from devs_robotics.study.Transducer")
        self.add_component(part)
        self.parts[part.name] = part
        for port in part.output.values():
            if port.p_type is Verdict:
                self.add_coupling(port, self.verdict)
        return part

    @property
    def ends_by_time(self) -> bool:
        """Whether nothing but a fault can end the run before its time is over."""
        deciding = [source for source, targets in self.eoc.items() if self.verdict in targets]
        return type(self.acceptor) is Acceptor and deciding == [self.acceptor.verdict]

    def __getattr__(self, name: str) -> Any:
        """Its parts, by their names."""
        parts = self.__dict__.get("parts", {})
        if name in parts:
            return parts[name]
        raise AttributeError(f"{type(self).__name__} has nothing that is called {name!r}")

    def couple(self, source: Port[Any], target: Port[Any]) -> None:
        """Couple an output port with an input port, of which one or both belong to a part of this frame.

        The other may be any port of the system under test, of any depth; the models on the way get ports for it.

        Raises:
            FrameError: a port is none of a model that was added, or neither belongs to the frame
            TapError: it leads the wrong way, or sends what the other does not take
        """
        root = self.parent
        assert isinstance(root, Coupled), "the experiment holds it"
        for port in (source, target):
            _check_port(port, root)
        from_own, to_own = is_inside(source.parent, self), is_inside(target.parent, self)
        if from_own and to_own:
            self.add_coupling(self._led(source, "out"), self._led(target, "in"))
        elif to_own:
            tap(root, source, self._wall(target, "in"))
        elif from_own:
            drive(root, target, self._wall(source, "out"))
        else:
            raise FrameError(
                f"{port_path(source)} and {port_path(target)} are both outside of the frame: couple them in build, by "
                "system.couple"
            )

    def _wall(self, port: Port[Any], direction: Literal["in", "out"]) -> Port[Any]:
        """A port of the frame itself through which values go to, or come from, a part's."""
        inner = self._led(port, direction)
        return inner if inner.parent is self else lead_on(self, inner, direction)

    def _led(self, port: Port[Any], direction: Literal["in", "out"]) -> Port[Any]:
        """A port of a part itself, through which one inside it is reached; the frame's own stay what they are."""
        return port if port.parent is self else lead_through(self, port, direction)


def _check_port(port: object, root: Component) -> None:
    if not isinstance(port, Port) or port.parent is None:
        raise FrameError(f"frame.couple takes two ports of models, not {port!r}")
    if not is_inside(port.parent, root):
        raise FrameError(f"{port_path(port)} is no port of a model that was added: call frame.add(...) first")


class CaseExperiment(Experiment):
    """The system under test of a case study under its frame; the frame's verdict ends the run.

    Args:
        system: under test
        frame: with its acceptor; a case study adds the rest

    Attributes:
        tracks: where the robots went, if that is kept
        approaches: how near bodies come to each other, if that is measured: a `SafetyWatch` where bodies are elsewhere
            between two changes of pose than they were told to be
        safety: how robots move, if the safety gate judges the run
        study: the case study with what its `build` has kept; a copy of the experiment, or a saved one, has none
    """

    system: CaseSystem
    study: Any = None

    def __init__(self, name: str, system: CaseSystem, frame: Frame) -> None:
        super().__init__(name, system)
        self.tracks: Tracks | None = None
        self.approaches: Approaches | SafetyWatch | None = None
        self.safety: SafetyWatch | None = None
        self.frame = frame
        self.add_component(frame)
        self.add_coupling(system.fault, frame.fault)
        self.add_coupling(frame.verdict, self.verdict)
        self.parts.update(frame.parts)

    def __getstate__(self) -> dict[str, Any]:
        """Without the case study, which may hold what cannot be saved."""
        return {**self.__dict__, "study": None}

    @property
    def faults(self) -> Port[Fault]:
        """Of the frame."""
        return self.frame.fault

    def share(self, time: float) -> float:
        """As its acceptor says: by time, if nothing else ends it."""
        return self.frame.acceptor.share(time)

    def measurements(self) -> dict[str, Measurements]:
        """The series of its parts, and tables that these write themselves, by the names of their files."""
        own = [part.measurements() for part in self.parts.values() if isinstance(part, Measuring)]
        return measurements_of(tables_of(self.parts)) | {name: table for found in own for name, table in found.items()}

    def judgement(self, end: float) -> SafetyJudgement | None:
        """Of how robots moved, and of what parts of the frame call a violation.

        Raises:
            FrameError: the method ``violations`` or ``engagements`` of a part fails
        """
        if self.safety is None:
            return None
        found = self.safety.judge(end, self._engagements())
        for name, part in self.parts.items():
            if isinstance(part, Judging):
                with user_code(lambda why, part=part: FrameError(f"{type(part).__name__}.violations failed: {why}")):  # type: ignore[misc]
                    sentences = [str(each) for each in part.violations()]
                found = found.joined(self.safety.of_the_case([f"{name}: {each}" for each in sentences]))
        return found

    def approached(self, end: float) -> Approaches | Approached | None:
        """How near bodies came to each other up to the end of the run (s); None: it was not measured.

        Raises:
            FrameError: the method ``engagements`` of a part fails
        """
        near = self.approaches
        return near.approached(end, self._engagements()) if isinstance(near, SafetyWatch) else near

    def _engagements(self) -> list[Engagement]:
        """What robots dealt with on purpose, as parts of the frame say."""
        found: list[Engagement] = []
        for part in self.parts.values():
            if isinstance(part, Engaging):
                with user_code(lambda why, part=part: FrameError(f"{type(part).__name__}.engagements failed: {why}")):  # type: ignore[misc]
                    found += part.engagements()
        return found

    def untold(self) -> str:
        """Why the series of one of its parts is none."""
        for name, part in self.parts.items():
            try:
                table_of(part)
            except FrameError as exc:
                return f"{name}: {exc}"
        return ""


Columns = dict[str, list[float]]
"""A table by column; NaN where there is nothing."""


def tables_of(parts: Mapping[str, Component]) -> dict[str, Columns]:
    """What parts have measured over time, by their names; one whose series is none is left out here."""
    found = {}
    for name, part in parts.items():
        with suppress(FrameError):
            found[name] = table_of(part)
    return {name: table for name, table in found.items() if table}


def measurements_of(tables: Mapping[str, Columns]) -> dict[str, Measurements]:
    """Tables by the names of their files."""
    return {
        f"{name}.csv": Measurements(",".join(table), partial(lines, table), partial(rows, table))
        for name, table in tables.items()
    }


def table_of(part: Component) -> Columns:
    """What a part has measured over time; empty where it has no series.

    Raises:
        FrameError: its method ``series`` fails, or returns something else
    """
    given, wrong = given_by(part), form_error(part)
    try:
        columns = {str(name): list(values) for name, values in given.items()}
        if not columns:
            return {}
        if TIME in columns:
            table = {name: [float(value) for value in values] for name, values in columns.items()}
            if len({len(values) for values in table.values()}) != 1:
                raise wrong
            return {TIME: table.pop(TIME), **table}
        return _joined({name: [(float(t), float(value)) for t, value in pairs] for name, pairs in columns.items()})
    except (TypeError, ValueError):
        raise wrong from None


def _joined(series: Mapping[str, Sequence[tuple[float, float]]]) -> Columns:
    """Several series in one table by time; the last value of a time counts."""
    times = sorted({time for pairs in series.values() for time, _ in pairs})
    place = {time: number for number, time in enumerate(times)}
    table: Columns = {TIME: times}
    for name, pairs in series.items():
        column = [float("nan")] * len(times)
        for time, value in pairs:
            column[place[time]] = value
        table[name] = column
    return table


def lines(table: Columns, first: int = 0) -> Iterator[str]:
    """A table line by line, from number `first` on; nothing where nothing is."""
    columns: Iterable[list[float]] = [values[first:] for values in table.values()]
    for row in zip(*columns, strict=True):
        yield ",".join(repr(value) if isfinite(value) else "" for value in row)


def rows(table: Columns, first: int = 0) -> Iterator[Rows]:
    """The same as numbers, in one block."""
    yield np.array([values[first:] for values in table.values()], dtype=np.float64).T
