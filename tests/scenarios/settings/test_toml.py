"""TOML that is damaged, too deep, too large or given twice: one sentence, in our words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.settings.toml import DEEPEST, NotTomlError, parsed, value_of
from devs_robotics.scenarios.sweeps.design import Wishes, plan

DEEP_KEY = "a" + ".a" * 3000
LONG = "9" * 5000
TWICE = "is given twice: give each table once, with all its keys, and each key once"


def mistakes(path: Path, text: str, *settings: str) -> list[str]:
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load(str(path), settings)
    return [line.removeprefix(f"{path}: ") for line in caught.value.lines]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"title = {'[' * 5000}{']' * 5000}", "this is not valid TOML: lists or tables stand more than 50 deep"),
        (f"a = {'{a = ' * 3000}1{'}' * 3000}", "this is not valid TOML: lists or tables stand more than 50 deep"),
        (f"{DEEP_KEY} = 1", f"{'a.' * DEEPEST}a: stands more than 50 deep in tables and lists: take it apart"),
        (f"[{DEEP_KEY}]\nb = 1", f"{'a.' * DEEPEST}a: stands more than 50 deep in tables and lists: take it apart"),
        (f"[run]\nseed = {LONG}", "this is not valid TOML: a number has more than 4300 digits: write a smaller one"),
        (f"[run]\nseed = 0x{'f' * 5000}", "run.seed: is larger than all numbers here: make it less than 2^1023"),
        (f"[robot]\nspeed = {'9' * 309}", "robot.speed: is larger than all numbers here: make it less than 2^1023"),
        ("[convoy]\nrobots = 3\n[convoy]\n", f"this is not valid TOML: the table [convoy] (line 3) {TWICE}"),
        ("[run]\nseed.x = 3\n[run.seed]\n", f"this is not valid TOML: the table [run.seed] (line 3) {TWICE}"),
        ("[run]\nseed = 3\nseed = 4", f"this is not valid TOML: 'seed = 4' (line 3) {TWICE}"),
        ("run = 1\n[run]\nseed = 4\n", f"this is not valid TOML: '[run]' (line 2) {TWICE}"),
        ("run = {seed = 1, seed = 2}", f"this is not valid TOML: 'run = {{seed = 1, seed = 2}}' (line 1) {TWICE}"),
        ("[[run]]\n[run]", f"this is not valid TOML: the table [run] (line 2) {TWICE}"),
    ],
)
def test_a_file_that_cannot_be_taken_has_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path / "my.toml", text)
    assert found.startswith(sentence)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        (f"title={'[' * 5000}{']' * 5000}", None),  # no TOML, and so a title
        (f"{DEEP_KEY}=1", f"--set: {'a.' * DEEPEST}a: stands more than 50 deep in tables and lists: take it apart"),
        (f"leader.path={'[' * 60}{']' * 60}", f"--set: leader.path{'[1]' * 49}: stands more than 50 deep"),
        (f"run.seed={LONG}", f"--set: run.seed: must be a whole number, not '{LONG[:36]}..."),
        (f"run.seed=-{LONG}", f"--set: run.seed: must be a whole number, not '-{LONG[:35]}..."),
        (f"run.seed=0x{'f' * 5000}", "--set: run.seed: is larger than all numbers here"),
        (f"run.seed={'9' * 300}", f"--set: run.seed: must be at most {2**63 - 1}, not {LONG[:37]}..."),
        (f"robot.speed={LONG}", f"--set: robot.speed: '{LONG[:36]}... has no unit"),
        ("title=\udcff", r"--set: title: is no text in UTF-8, but '\udcff': write it anew"),
        ("follower.model=\udcff", r"--set: follower.model: is no text in UTF-8"),
        ("\udcff=3", r"--set: \udcff: is a key that is no text in UTF-8: write it anew"),
        ("convoy.\udcff=3", r"--set: convoy.\udcff: is a key that is no text in UTF-8"),
        ("run.seed=1979-05-27", "--set: run.seed: must be a whole number, not a date"),
        ("run.seed=1\nrounds=2", "--set: run.seed: must be a whole number, not "),
    ],
)
def test_a_setting_that_cannot_be_taken_has_one_sentence(setting: str, sentence: str | None, tmp_path: Path) -> None:
    if sentence is None:
        assert load("convoy", [setting]).title == setting.removeprefix("title=")
    else:
        (found,) = mistakes(tmp_path / "my.toml", "", setting)
        assert found.startswith(sentence)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (Wishes(vary=(f"{DEEP_KEY}=1",)), "stands more than 50 deep"),
        (Wishes(vary=(f"run.rounds={LONG}",)), "must be a whole number, not "),
        (Wishes(sobol=(f"{DEEP_KEY}=0:1",), samples=2), "stands more than 50 deep"),
        (Wishes(morris=(f"robot.speed={'9' * 400}:1",), samples=2), "is larger than all numbers here"),
        (Wishes(sobol=(f"robot.speed={LONG}:1",), samples=2), "must be finite, not inf"),
    ],
)
def test_what_is_varied_is_held_to_the_same(wishes: Wishes, sentence: str) -> None:
    with pytest.raises(Exception, match=re.escape(sentence)) as caught:
        plan("convoy", [], wishes)
    assert type(caught.value).__name__ == "DesignError"


def test_python_s_other_sentences_stay_as_they_are() -> None:
    with pytest.raises(NotTomlError, match=r"^Invalid value \(at line 2, column 5\)$"):
        parsed("a = 1\nb = =")


def test_values_are_toml_or_text() -> None:
    assert [value_of(text) for text in ("3", ".5", "[1, 2]", "60 cm", "", "inf", "-.5e1")] == [
        3, 0.5, [1, 2], "60 cm", "", float("inf"), -5.0
    ]  # fmt: skip
