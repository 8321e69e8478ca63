"""``--verbose``: what is done meanwhile, on standard error, under one name of Python's logging."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest

from tests.scenarios.commands.calling import called

SHORT = ("wander", "--robots", "1", "--duration", "1")

LINE = re.compile(r"\d\d:\d\d:\d\d\.\d{3} devs_robotics(\.\w+)+: .+")


def test_without_it_nothing_is_told_and_with_it_standard_output_is_the_same() -> None:
    quiet, verbose, details = (called("run", *SHORT, *words) for words in ([], ["-v"], ["--verbose", "-v"]))
    assert quiet.stderr == ""
    assert quiet.stdout.partition("CPU")[2] == verbose.stdout.partition("CPU")[2]
    told, more = verbose.stderr.splitlines(), details.stderr.splitlines()
    assert all(LINE.fullmatch(line) for line in [*told, *more])
    assert [line.partition("running.run: ")[2] for line in told] == [
        "run of wander: stage fast, seed 1, 1 robots, real ones: none",
        f"accepted: the duration of 1 s is over, after {told[1].split()[-5]} steps of the simulator",
    ]
    assert len(more) > len(told)


def test_links_of_robots_and_stand_ins_are_told_without_passwords() -> None:
    told = called("run", "meet", "--duration", "1", "--stage", "loop", "-vv").stderr
    assert "the link of experiment" in told
    assert "is up" in told
    assert re.search(r"the stand-in of robot \d is at mqtt://", told)
    assert not re.search(r"//[^/@\s]*:[^/@\s]+@", told)


def test_with_json_standard_output_has_the_object_alone() -> None:
    result = called("run", *SHORT, "--json", "-vv")
    assert json.loads(result.stdout)["outcome"] == "accepted"
    assert len(result.stdout.splitlines()) == 1


def test_details_tell_where_a_mistake_came_up() -> None:
    assert "Traceback" not in called("run", "nothing", "-v").stderr
    result = called("run", "nothing", "-vv")
    assert result.returncode == 2
    assert "Traceback (most recent call last):" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("devs-robotics: nothing: there is no such file")


def test_actions_take_it_before_and_after(tmp_path: Path) -> None:
    for words in (("queue", "-vv", "add", *SHORT), ("queue", "add", *SHORT, "-vv")):
        assert ": added" in called(*words, cwd=tmp_path).stderr
    assert called("battery", "curves", "-v").returncode == 0


def test_loggers_are_as_they_were_and_a_program_may_listen(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("devs_robotics")
    before = (logger.level, logger.propagate, list(logger.handlers))
    called("run", *SHORT, "-vv")
    assert (logger.level, logger.propagate, list(logger.handlers)) == before
    with caplog.at_level(logging.INFO, "devs_robotics"):
        called("run", *SHORT)
    assert {record.name for record in caplog.records} == {"devs_robotics.scenarios.running.run"}
