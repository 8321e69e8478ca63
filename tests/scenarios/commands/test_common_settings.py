"""``--robots`` and ``--duration``: the settings that everybody wants, whatever a case study calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devs_robotics.scenarios.settings.loading import case_in, known_keys
from tests.scenarios.commands.calling import called, refused


@pytest.mark.parametrize("command", [["run"], ["check"], ["tree", "--depth", "1"]])
def test_they_are_the_same_as_keys_of_the_case_study(command: list[str]) -> None:
    short = called(*command, "wander", "--robots", "2", "--duration", "3 s")
    long = called(*command, "wander", "--set", "wandering.robots=2", "--set", "run.duration=3")
    assert short.returncode == long.returncode == 0
    assert short.stdout.partition("CPU")[2] == long.stdout.partition("CPU")[2]


def test_they_go_before_set_and_reach_the_scenario(tmp_path: Path) -> None:
    words = ("--set", "convoy.robots=9", "--robots", "3", "--duration", "4", "--set", "run.rounds=2", "--json")
    summary = json.loads(called("run", "convoy", *words).stdout)
    assert (summary["scenario"]["convoy"]["robots"], summary["scenario"]["run"]["duration"]) == (3, 4.0)
    sweep = ("--replicates", "2", "--jobs", "1", "--out", tmp_path / "out", "--json")
    found = json.loads(called("sweep", "wander", "--robots", "2", "--duration", "1", *sweep).stdout)
    assert "wandering.robots=2" in found["command"]
    assert found["ended"] == {"accepted": 2}


def test_what_cannot_be_is_said() -> None:
    assert refused("run", "mixed_walk", "--robots", "3") == (
        "devs-robotics: --robots: mixed_walk has no one key for the number of its robots: devs-robotics check "
        "mixed_walk --keys shows those that it has, for --set\n"
    )
    assert "argument --robots: must be a whole number above 0, not '0'" in refused("run", "wander", "--robots", "0")
    assert "run.duration: must be more than 0, not -3" in refused("run", "wander", "--duration", "-3")
    assert "there is no such file or shipped scenario" in refused("run", "nothing", "--robots", "3")


@pytest.mark.parametrize(("case", "key"), [("transport", "transport.robots"), ("wander", "wandering.robots")])
def test_the_number_of_robots_may_be_in_a_further_table(case: str, key: str) -> None:
    assert case_in(case).team_key == key
    assert key in known_keys(case_in(case).scenario)
