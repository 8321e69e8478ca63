"""Callers can tell apart what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.certifying import CertificateError
from devs_robotics.scenarios.distributed.node import run_node
from devs_robotics.scenarios.distributed.nodes import NodesWanted
from devs_robotics.scenarios.errors import BeginError, DesignError, NodeError, OptionError
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.sweeps.design import Wishes, plan

REAL = ["convoy.robots=3", "run.rounds=2", "real.2.address=mqtt://127.0.0.1:1/robot"]


@pytest.mark.parametrize(
    ("wrong", "how"),
    [
        (ScenarioError, lambda: load("convoy", ["convoy.robots=1"])),
        (OptionError, lambda: run(load("convoy"), Means(lab="inside"))),
        (OptionError, lambda: run(load("convoy"), Means(stage="distributed", nodes=NodesWanted(awaited=(99,))))),
        (OptionError, lambda: run(load("convoy"), Means(stage="Loop"))),  # type: ignore[arg-type]
        (OptionError, lambda: run(load("convoy"), "loop")),  # type: ignore[arg-type]
        (BeginError, lambda: run(load("convoy", REAL), Means(stage="loop", rate=4.0))),
        (CertificateError, lambda: run(load("convoy", REAL), Means(stage="loop"))),
        (NodeError, lambda: run_node(load("convoy"), (99,), "mqtt://127.0.0.1:1", "node")),
        (DesignError, lambda: plan("convoy", [], Wishes(vary=("nothing=1",)))),
    ],
)
def test_each_mistake_has_a_class_of_its_own(wrong: type[DevsRoboticsError], how: Callable[[], object]) -> None:
    with pytest.raises(DevsRoboticsError) as caught:
        how()
    assert type(caught.value) is wrong
