"""What a run's report is told of its settings."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.provenance import provenance, toml
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import fingerprint, load
from devs_robotics.scenarios.settings.toml import value_of

SHORT = ["run.rounds=3", "convoy.robots=3"]


def settings_of(command: str) -> list[str]:
    words = shlex.split(command)
    return [words[place + 1] for place, word in enumerate(words) if word == "--set"]


@pytest.mark.parametrize("name", ["convoy", "convoy_in_the_loop", "convoy_obstacles", "convoy_by_hand"])
@pytest.mark.parametrize("settings", [[], ['title=a "quoted" titlé', "noise.dnf=0.123456789", "clock.late=warn"]])
def test_its_command_runs_the_same_again(name: str, settings: list[str]) -> None:
    outcome = run(load(name, [*SHORT, *settings]))
    command = provenance(outcome).command
    again = resolve(load("convoy", settings_of(command)))
    assert fingerprint(again) == fingerprint(outcome.scenario)
    assert command.startswith("devs-robotics run convoy --stage fast")


def test_its_command_says_nothing_that_follows_from_the_rest() -> None:
    outcome = run(load("convoy", [*SHORT, "run.seed=4"]))
    assert settings_of(provenance(outcome).command) == ["run.seed=4", "run.rounds=3", "convoy.robots=3"]
    quick = replace(outcome, stage="realtime", rate=5.0)
    assert "--stage realtime --rate 5.0 --set" in provenance(quick).command


def test_a_run_with_its_laboratory_inside_has_a_command_that_says_so() -> None:
    outcome = run(
        load("convoy_in_the_loop", ["run.rounds=2", "frame.transient_rounds=0"]), Means(stage="loop", lab="inside")
    )
    assert "--stage loop --lab inside --set" in provenance(outcome).command


def test_what_follows_from_other_settings_is_told_as_these_have_it() -> None:
    known = provenance(run(load("convoy", [*SHORT, "leader.step=0.3"])))
    assert known.usual["convoy.robots"] == 30
    assert len(known.usual["convoy.poses"]) == 3
    assert known.usual["leader.step"] == 0.2
    assert (known.unit("leader.step"), known.unit("convoy.robots")) == ("m", "")


def test_there_is_no_command_where_none_would_run_the_same(tmp_path: Path) -> None:
    path = tmp_path / "timed.toml"
    path.write_text("[run]\nduration = 3.0\n[convoy]\nrobots = 3\n")
    known = provenance(run(load(str(path))))
    assert known.command == ""  # the shipped file gives a number of rounds, which nothing takes away
    assert known.usual["run.rounds"] == 340


values: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("aé\"'\\ ="),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.from_regex("[a-z]{1,4}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(values)
def test_any_value_is_read_as_it_was(value: Any) -> None:
    assert json.dumps(value_of(toml(value))) == json.dumps(value)
