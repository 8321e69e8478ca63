"""A node by itself: whom it brings, where its robots are, and when they stand still."""

from __future__ import annotations

import pytest

from devs_robotics import Bridge, DevsRoboticsError, Loopback, Simulator
from devs_robotics.core.distribution import ControlLine, Node, Session
from devs_robotics.core.distribution.control import HOST
from devs_robotics.hil.addresses import MqttAddress
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.distributed.node import SILENCE, NodeOutcome, _NodeRun, run_node, seen_from_here
from devs_robotics.scenarios.distributed.sharing import divide
from devs_robotics.scenarios.setup.setup import set_up
from tests.real_components import free_port


def convoy() -> ConvoyScenario:
    return resolve(load("convoy", ["convoy.robots=4", "run.rounds=3"]))


def test_a_node_brings_every_robot_of_the_scenario_and_no_further_one() -> None:
    nowhere = f"mqtt://127.0.0.1:{free_port()}"
    ended = run_node(convoy(), (1, 4), nowhere, "left", interrupted=lambda: True)
    assert ended == NodeOutcome("interrupted", "the user interrupted the node")
    with pytest.raises(DevsRoboticsError, match="--robot 5: the scenario has 4 robots: give one of these numbers"):
        run_node(convoy(), (1, 5), nowhere, "left", interrupted=lambda: True)


@pytest.mark.parametrize(
    "options", ["?password_file=/of/the/host", "?password_env=OF_THE_HOST", "?cafile=/of/the/host"]
)
def test_files_and_variables_of_the_host_are_not_looked_for_at_a_node(options: str) -> None:
    scheme = "mqtts" if "cafile" in options else "mqtt"
    seen = seen_from_here(f"{scheme}://run@127.0.0.1:1234/lab/robot/2{options}", "mqtt://node:own@192.0.2.1:1884")
    assert seen == MqttAddress("192.0.2.1", 1884, user="node", password="own", prefix="lab/robot/2")


class Holding(Bridge):
    """Notes what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def hold(self, reason: str, *, unseen: float = 0.0) -> bool:
        self.told.append(reason)
        return True

    def release(self, reason: str = "") -> None:
        self.told.append("release")


@pytest.mark.parametrize("rate", [1.0, 8.0])
def test_robots_stand_still_when_the_host_has_been_silent_for_half_a_second_of_real_time(rate: float) -> None:
    notes: list[str] = []
    party = Node("left", (2,), "1", "same")
    line = ControlLine(Loopback(), party)
    run = _NodeRun(convoy(), "mqtt://nowhere", party, line, notes.append, lambda: False, at_host=False)
    session = Session("run", "left", rate)
    run.part = divide(experiment(set_up(convoy(), "distributed")), {"left": (2,)}, session)
    bridge, silence = Holding(), SILENCE * rate
    with Simulator(run.part.root):
        host = run.part.peers[HOST]
        for now in (0.0, 0.9 * silence, silence):
            run._mind_silence(bridge, session, now)
        assert bridge.told == []
        for now in (1.1 * silence, 1.2 * silence):
            run._mind_silence(bridge, session, now)
        assert bridge.told == [f"the host has not been heard of for {SILENCE:g} s"]
        assert notes == [f"the host has not been heard of for {SILENCE:g} s: the robots here stand still until it is"]
        host._heard = 1.2 * silence
        for now in (1.3 * silence, 2.1 * silence):
            run._mind_silence(bridge, session, now)
        assert bridge.told[1:] == ["release"]
        run._mind_silence(bridge, session, 2.3 * silence)
        assert len(bridge.told) == 3
