"""What reports say of a run in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devs_robotics.core.robots.wording import numbered


def stage_in_words(summary: Mapping[str, Any]) -> str:
    """In which stage a run was made: its pace, its real robots, and its nodes; to go on after the stage's name."""
    clock, robots, nodes = summary.get("clock"), summary.get("robots") or {}, summary.get("nodes") or {}
    words = [_pace(clock)]
    if not robots:
        words.append("every robot is virtual")
    else:
        words.append(f"{numbered(robots)} {'is' if len(robots) == 1 else 'are'} real{_players(robots)}")
    if nodes:
        words.append(f"robots’ models ran at {len(nodes)} {'node' if len(nodes) == 1 else 'nodes'}")
    return "; ".join(words)


def waited(clock: Mapping[str, Any] | None) -> bool:
    """Whether a run waited for its clock. With the laboratory inside it does not, and then no event is late at all."""
    return clock is not None and clock["lateness"]["maximum"] != 0.0


def counts(by_kind: Mapping[str, int]) -> str:
    """How often each kind of thing happened, or that none did."""
    return ", ".join(f"{times:,} {kind}" for kind, times in by_kind.items()) or "none"


def _pace(clock: Mapping[str, Any] | None) -> str:
    if clock is None or not waited(clock):
        return "as fast as its events allow"
    rate = clock["rate"]
    return "in real time" if rate == 1.0 else f"at {rate:g} simulated seconds per real second"


def _players(robots: Mapping[str, Any]) -> str:
    played = [number for number, robot in robots.items() if robot["played_by"] == "a stand-in"]
    if not played:
        return ""
    which = "" if len(played) == len(robots) else f"{numbered(played)} "
    return f", {which}played by {'a stand-in' if len(played) == 1 else 'stand-ins'}"
