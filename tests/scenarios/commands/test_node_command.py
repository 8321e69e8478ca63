"""``devs-robotics node``, as far as it needs no host."""

from __future__ import annotations

import argparse
import os
import signal

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.commands import node
from devs_robotics.scenarios.commands.exit_status import INTERRUPTED
from tests.real_components import free_port


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    node.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--broker", "localhost"], "required: --robot"),
        (["--robot", "2"], "required: --broker"),
        (["--robot", "two", "--broker", "localhost"], "must be a whole number above 0, not 'two'"),
        (["--robot", "0", "--broker", "localhost"], "must be a whole number above 0, not '0'"),
        (["--robot", "2", "--broker", "localhost", "--name", "a/b"], "must be of letters, digits, - and _"),
        (["--robot", "2", "--broker", "localhost", "--name", "host"], "and not 'host'"),
    ],
)
def test_wrong_arguments_are_explained(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options("convoy", *arguments)
    assert complaint in capsys.readouterr().err


def test_a_robot_that_the_scenario_does_not_have_is_an_error() -> None:
    with pytest.raises(DevsRoboticsError, match="--robot 99: the scenario has 30 robots"):
        node.execute(options("convoy", "--robot", "99", "--broker", "localhost"), print)


def test_a_node_says_what_it_waits_for_and_can_be_interrupted() -> None:
    lines: list[str] = []

    def show(line: str) -> None:
        lines.append(line)
        if line.startswith("waiting: "):
            os.kill(os.getpid(), signal.SIGINT)

    port = free_port()
    arguments = options("convoy", "--robot", "2", "--robot", "3", "--broker", f"127.0.0.1:{port}", "--name", "pi")
    assert node.execute(arguments, show) == INTERRUPTED
    assert lines[0] == "node pi waits for a host that wants robots 2, 3"
    assert lines[1].startswith(f"waiting: the broker mqtt://127.0.0.1:{port} cannot be reached")
    assert lines[2] == "interrupted: the user interrupted the node"
