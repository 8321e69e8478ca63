"""Classes of a user's own that end the program, or raise what is no Exception, wherever they are called."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.cli import main

SMALL = ("--set", "convoy.robots=3", "--set", "run.rounds=2")

MODULE = """
import sys
from devs_robotics import Atomic, In
from devs_robotics.models.convoy import Follower, Leader
from devs_robotics.models.convoy import RoundDone

class Whatever(BaseException):
    pass

def leave(*arguments, **named):
    sys.exit(0)

class Part(Atomic):
    round_done = In(RoundDone)

class LeavesWhenMade(Part):
    __init__ = leave

class LeavesWhenTold(Part):
    deltext = leave

class LeavesAtTheEnd(Part):
    result = leave

class LeadsNowhere(Leader):
    __init__ = leave

class FollowsNobody(Follower):
    def deltint(self):
        raise Whatever("oh \\udcff")

class NotMade(Follower):
    def __init__(self, *arguments, **named):
        raise Whatever
"""


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaving_parts.py").write_text(MODULE)
    (tmp_path / "leaving_module.py").write_text("import sys\nsys.exit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def part(name: str) -> tuple[str, ...]:
    table = f"{{model='leaving_parts:{name}', taps={{round_done='robot*/convoy.round_done'}}}}"
    return ("--set", f"frame.parts.mine={table}")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            ("--set", "frame.parts.mine.model=leaving_module:Any"),
            "'leaving_module:Any' cannot be imported (SystemExit: 0 (leaving_module.py, line 2))",
        ),
        (
            ("--set", "follower.model=leaving_module:Any"),
            "'leaving_module:Any' cannot be imported (SystemExit: 0 (leaving_module.py, line 2))",
        ),
        (
            ("--set", "real.2.protocol=leaving_module:Any"),
            "'leaving_module:Any' cannot be imported (SystemExit: 0 (leaving_module.py, line 2))",
        ),
        (
            part("LeavesWhenMade"),
            "LeavesWhenMade cannot be made, its __init__ raises SystemExit: 0 (leaving_parts.py, line 11): mend",
        ),
        (
            ("--set", "leader.model=leaving_parts:LeadsNowhere"),
            "leaving_parts:LeadsNowhere' cannot be made, its __init__ raises SystemExit: 0 (leaving_parts.py, line 11)",
        ),
        (
            ("--set", "follower.model=leaving_parts:NotMade"),
            "'leaving_parts:NotMade' cannot be made, its __init__ raises Whatever (leaving_parts.py, line 34): mend",
        ),
    ],
)
def test_what_cannot_be_made_is_a_mistake_that_check_finds(
    settings: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "convoy", *SMALL, *settings]) == 2
    shown = capsys.readouterr().out
    assert sentence in re.sub(r"\(/\S*/", "(", shown)  # wherever the modules stand
    assert shown.endswith("\n1 mistake\n")


PLACE = r"\(\S*leaving_parts\.py, line \d+\)"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (part("LeavesWhenTold"), rf"experiment/mine at \d[.\d]* s .*: SystemExit: 0 {PLACE}"),
        (part("LeavesAtTheEnd"), rf"frame\.parts\.mine: result\(\) failed: SystemExit: 0 {PLACE}"),
        (
            ("--set", "follower.model=leaving_parts:FollowsNobody"),
            rf"experiment/system/robot2/convoy at \d.*: Whatever: oh \\udcff {PLACE}",
        ),
    ],
)
def test_what_fails_in_a_run_fails_the_run_and_the_rest_is_written(
    settings: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "convoy", *SMALL, *settings, "--out", str(tmp_path / "out")]) == 2
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["outcome"] == "failed"
    assert re.fullmatch(sentence, summary["reason"]), summary["reason"]
    assert f"failed: {summary['reason']}\n" in capsys.readouterr().out
    assert (tmp_path / "out" / "report.html").exists()
