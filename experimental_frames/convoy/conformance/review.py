"""Level 5: the after-action review of a recorded run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.observe import CutShort, Event, Failed, Received, Sent, Started, TraceError, read_trace
from devs_robotics.experimental_frames.conformance.records import SHOWN, Conformance, Finding
from devs_robotics.experimental_frames.convoy.conformance.measures import followed, times
from devs_robotics.experimental_frames.convoy.conformance.messages import TYPES, typed
from devs_robotics.experimental_frames.convoy.conformance.missing_lines import Gaps
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor, TeamObserver, decision_models


def review(path: Path, parts: Sequence[ProtocolRole], subject: str) -> Conformance:
    """Replay a trace through the monitors.

    Args:
        path: of a trace of all robots' decision models, from the start on
        parts: who the robots are
        subject: of the review, for people

    Raises:
        TraceError: the file is no trace
        DevsRoboticsError: the trace does not tell of all that the review needs
    """
    team = TeamMonitor(parts)
    observer = TeamObserver(team)
    wire, record = _Wire(), _Record(path)
    for event in record.events():
        if isinstance(event, Started):
            _check_head(path, event, parts)
        observer.see(_with_messages(path, event, observer.models))
        wire.see(event)
    team.finish(record.time)
    return Conformance(
        "final",
        subject,
        (
            Finding("protocol", not team.violations, followed(team)),
            Finding("record", not record.fault, record.fault or f"whole, {record.time:.6g} s long"),
            Finding("robots", not wire.faults, _listed(wire.faults) or "none failed", fault=bool(wire.faults)),
        ),
        tuple(team.violations),
        (times(team),),
        (
            f"links lost: {wire.words()}",
            f"at the end: {team.waits()}",
            *_unexpected(team),
        ),
    )


def _listed(faults: Sequence[str]) -> str:
    more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    return "; ".join([*faults[:SHOWN], *more])


class _Record:
    """A trace, as far as it is the record of a run.

    Attributes:
        time: to which it is (s)
        fault: why it is not the record of a whole run, in words; empty if it is
    """

    def __init__(self, path: Path) -> None:
        self.time = 0.0
        self.fault = ""
        self._path = path
        self._gaps = Gaps()

    def events(self) -> Iterator[Event]:
        """All events of one run up to the first fault of the record; raises TraceError if it is no trace.

        The instant with the fault is left out: what a robot did there cannot be told.
        """
        events = read_trace(self._path)
        head = next(events)
        self._gaps.found(head)
        yield head
        at, instant = head.time, list[Event]()
        try:
            for event in events:
                if isinstance(event, Started | Failed):
                    self.fault = _over(event, at)
                    break
                self.fault = self._fault(event, at)
                if self.fault:
                    return
                if event.time > at:
                    yield from instant
                    self.time, at = at, event.time
                    instant.clear()
                instant.append(event)
        except TraceError as exc:
            self.fault = f"{exc}: {self._until}"
            return
        yield from instant
        self.time = at

    @property
    def _until(self) -> str:
        return f"reviewed up to {self.time:.6g} s"

    def _fault(self, event: Event, at: float) -> str:
        """What is wrong with the record between an instant and an event; nothing if it goes on there."""
        if event.time < at:
            return f"time runs back from {at:.6g} s to {event.time:.6g} s: {self._until}"
        if isinstance(event, CutShort):
            return f"the record stops at {event.time:.6g} s: its writer was stopped"
        missing = self._gaps.found(event)
        return f"{missing}: {self._until}" if missing else ""


def _over(event: Started | Failed, at: float) -> str:
    if isinstance(event, Failed):
        return f"the run broke off at {event.time:.6g} s: {event.message}"
    return f"another run begins in it after {at:.6g} s: reviewed up to there"


def _check_head(path: Path, head: Started, parts: Sequence[ProtocolRole]) -> None:
    found = {robot for _, robot in decision_models(head.models)}
    wanted = {part.robot for part in parts}
    if head.time > 0.0:
        raise DevsRoboticsError(f"{path} begins at {head.time:g} s: review a trace that begins with the run")
    if found == set(range(1, len(found) + 1)) and len(found) > 1 and found != wanted:
        raise DevsRoboticsError(
            f"{path} tells of {len(found)} robots and the scenario has {len(parts)}: review it with the scenario and "
            f"the settings of the run, such as --set convoy.robots={len(found)}"
        )
    if found != wanted:
        raise DevsRoboticsError(
            f"{path} does not tell what robot {min(wanted - found, default=0)} says and hears: record it with --trace "
            f"FILE and no --trace-ports, or with --trace-ports 'robot*/convoy' 'robot*/device'"
        )


def _with_messages(path: Path, event: Event, models: Mapping[str, int]) -> Event:
    """An event of a decision model with the messages that its plain values were."""
    if not isinstance(event, Sent | Received) or event.model not in models or event.port not in TYPES:
        return event
    try:
        values = tuple(typed(event.port, value) for value in event.values)
    except (ValueError, TypeError, OverflowError, RecursionError) as exc:  # of msgspec, or of a float that is none
        raise DevsRoboticsError(
            f"{path} has something at {event.time:g} s in {event.model}.{event.port} that no robot says: {exc}"
        ) from exc
    return type(event)(event.time, event.model, event.port, values)


class _Wire:
    """What a trace tells of links and robots that failed."""

    def __init__(self) -> None:
        self.links: list[str] = []
        self.faults: list[str] = []
        self._devices = False
        self._down: set[str] = set()

    def words(self) -> str:
        """Which links were lost and came back, and when."""
        if not self._devices:
            return "no real robot's device is on record"
        return "; ".join(self.links) or "none"

    def see(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, Started):
            self._devices = any(path.endswith("/device") for path in event.models)
        elif isinstance(event, Received) and event.port == "incoming":
            for value in event.values:
                if isinstance(value, dict) and "up" in value:
                    self._link(event, up=bool(value["up"]), reason=str(value.get("reason") or "no reason is given"))
        elif isinstance(event, Sent) and event.port == "fault":
            self.faults += [f"{event.time:.6g} s: {_reason(value)}" for value in event.values]

    def _link(self, event: Received, *, up: bool, reason: str) -> None:
        robot = _robot(event.model)
        if not up:
            self._down.add(robot)
            self.links.append(f"{robot} at {event.time:.6g} s ({reason})")
        elif robot in self._down:
            self._down.remove(robot)
            self.links.append(f"{robot} was back at {event.time:.6g} s")


def _reason(value: Any) -> str:
    return str(value["reason"]) if isinstance(value, dict) and "reason" in value else str(value)


def _robot(path: str) -> str:
    return next((name for name in path.split("/") if name.startswith("robot")), path)


def _unexpected(team: TeamMonitor) -> Iterator[str]:
    for number, robot in team.robots.items():
        if robot.unexpected:
            kinds = ", ".join(f"{count} {what}" for what, count in sorted(robot.unexpected.items()))
            yield f"out of protocol, so that it did nothing: robot {number} heard {kinds}"
