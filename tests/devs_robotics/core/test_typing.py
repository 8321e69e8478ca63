"""Type checkers know the types of declared ports, without a plug-in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT

SNIPPET = """
from devs_robotics import Actuator, Atomic, Coupled, Drive, Driven, In, Out

class Animal: ...
class Dog(Animal): ...

class Talker(Atomic):
    heard = In(str)
    said = Out(str)
    counted = Out(int)
    seen = In(Animal)
    dogs = Out(Dog)
    motor = Actuator(Drive, Driven)

class Room(Coupled):
    def __init__(self) -> None:
        super().__init__()
        a, b = Talker("a"), Talker("b")
        self.add_coupling(a.said, b.heard)
        self.add_coupling(a.dogs, b.seen)
        a.said.add("word")
        a.motor.ask.add(Drive(turn=1.0))
        words: list[str] = list(a.heard.values)
        turns: list[float] = [done.turn for done in a.motor.answer.values]
        a.said.add(7)  # wrong
        a.motor.ask.add("go")  # wrong
        self.add_coupling(a.counted, b.heard)  # wrong
        numbers: list[int] = list(a.heard.values)  # wrong
"""


def test_mypy_accepts_what_fits_and_refuses_what_does_not(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "setup.cfg", "--cache-dir", tmp_path / "cache", snippet],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    refused = {int(line.split(":")[1]) for line in result.stdout.splitlines() if "error:" in line}
    wrong = {number for number, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# wrong")}
    assert refused == wrong, result.stdout + result.stderr
