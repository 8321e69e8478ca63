"""What is wanted of nodes, and what is said of them after a run, and of their clocks during it."""

from __future__ import annotations

from math import nan
from typing import Any

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.core.distribution import Host, NodeState
from devs_robotics.core.distribution.control import Announcement
from devs_robotics.core.distribution.offset import PingExchange
from devs_robotics.scenarios.distributed.host import DRIFTED, DistributedHost
from devs_robotics.scenarios.distributed.nodes import NodeReport, NodesWanted, in_ms
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.setup import set_up


def report(**more: Any) -> NodeReport:
    common: dict[str, Any] = {"robots": (2, 3), "clock_offset": 0.00321, "round_trip": 0.0009, "messages": 1350}
    rest = {"delay_p50": 0.004, "delay_p99": 0.011, "delay_max": 0.0567, "steps": 851, "dropped": {}}
    return NodeReport(**{**common, **rest, "lateness_p99": 0.0137, "lateness_max": 0.0916, **more})


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            {},
            (
                "node left (robots 2, 3): its clock +3.21 ms ± 0.45 ms at the start; "
                "1,350 messages came 4.0 ms late (median; 99 %: 11.0 ms)"
            ),
        ),
        (
            {"clock_drift": -0.7221, "drift_error": 0.0031, "messages": 0, "delay_p50": nan},
            (
                "node left (robots 2, 3): its clock +3.21 ms ± 0.45 ms at the start, drift -722.10 ms ± 3.10 ms; "
                "0 messages came"
            ),
        ),
        (
            {"clock_drift": 0.001, "drift_error": 0.0011, "dropped": {"type": 2, "NaN": 1000}, "robots": (7,)},
            (
                "node left (robot 7): its clock +3.21 ms ± 0.45 ms at the start; 1,350 messages came 4.0 ms late "
                "(median; 99 %: 11.0 ms); dropped: NaN (1,000), type (2)"
            ),
        ),
    ],
)
def test_a_node_s_report_says_the_offset_of_the_start_and_the_drift_apart(more: dict[str, Any], line: str) -> None:
    assert report(**more).line("left") == line


def test_all_robots_that_are_not_awaited_are_shared_out_and_all_of_them_are_away() -> None:
    wanted = NodesWanted(local=2, awaited=(5, 1))
    assert wanted.shared_out(5) == {"node1": (2,), "node2": (3, 4)}
    assert wanted.away(5) == (2, 3, 4, 5, 1)
    assert NodesWanted().away(5) == ()
    for awaited in (0, 6):
        with pytest.raises(DevsRoboticsError, match=f"--await {awaited}: the scenario has 5 robots"):
            NodesWanted(awaited=(awaited,)).away(5)


@pytest.mark.parametrize(
    ("drift", "words"),
    [
        (
            1.5 * DRIFTED,
            f"has drifted by {in_ms(1.5 * DRIFTED, 0.002)} since the start and goes on so; its events come early",
        ),
        (-1.5 * DRIFTED, "its events come late by as much: have both computers keep time by NTP"),
        (1.05 * DRIFTED, ""),
        (-0.5 * DRIFTED, ""),
    ],
)
def test_a_clock_that_has_drifted_by_more_than_its_error_and_a_bound_is_told_of_once(drift: float, words: str) -> None:
    notes: list[str] = []
    nodes = DistributedHost(set_up(load("convoy"), "distributed"), "mqtt://nowhere", NodesWanted(1), notes.append)
    host = Host(Announcement(run="run", version="1", fingerprint="", stage="distributed", rate=1.0, robots=(1,)))
    node = host.nodes["left"] = NodeState("left", (1,), offered=0.0)
    node.offset.take(PingExchange(0.0, 7.001, 7.001, 0.002))
    nodes._tell_of_drift(host)
    node.agreed = node.offset.estimate
    nodes._tell_of_drift(host)
    assert notes == []
    node.offset.take(PingExchange(1000.0, 1007.001 + drift, 1007.001 + drift, 1000.002))
    for _ in range(2):
        nodes._tell_of_drift(host)
    if not words:
        assert notes == []
        return
    (note,) = notes
    assert note.startswith("the clock of node left (robot 1) has drifted by ")
    assert words in note
