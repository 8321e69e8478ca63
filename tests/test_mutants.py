"""Mutants are what they are said to be, and a test that fails notices one."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from tests.mutants.__main__ import HARMLESS
from tests.mutants.making import Mutant, mutants
from tests.mutants.mirror import Mirror
from tests.mutants.trying import noticed, passing
from tests.paths import ROOT

MODULE = '''"""A module."""
from abc import abstractmethod

LEAST: int | None = 3


class Counter:
    @abstractmethod
    def reset(self, at: int | None) -> None:
        """Forget."""
        self.count = at
        self.last: int
        print("reset")

    def over(self, *, now: bool) -> bool:
        return self.count > LEAST and True
'''


def test_each_mistake_is_made_once_and_none_that_means_nothing() -> None:
    made = {(mutant.line, mutant.before, mutant.after) for mutant in mutants("counter.py", MODULE)}
    assert made == {
        (4, "LEAST: int | None = 3", "LEAST: int | None = 4"),
        (4, "LEAST: int | None = 3", "LEAST: int | None = 2"),
        (4, "LEAST: int | None = 3", "pass"),
        (11, "self.count = at", "pass"),
        (13, 'print("reset")', "pass"),
        (16, "return self.count > LEAST and True", "return self.count >= LEAST and True"),
        (16, "return self.count > LEAST and True", "return self.count < LEAST and True"),
        (16, "return self.count > LEAST and True", "return self.count > LEAST or True"),
        (16, "return self.count > LEAST and True", "return self.count > LEAST and False"),
    }


def test_exceptions_are_replaced_one_by_one_but_for_those_named_with_their_module() -> None:
    text = "try:\n    pass\nexcept (socket.error, KeyError):\n    pass\n"
    found = {mutant.after for mutant in mutants("names.py", text)}
    assert found == {"except (socket.error, CosmicRayTestingException):"}


def test_mistakes_that_are_said_to_be_harmless_can_still_be_made() -> None:
    said = tomllib.loads(HARMLESS.read_text(encoding="utf-8"))["harmless"]
    gone = [
        each
        for each in said
        if each["before"] not in map(str.strip, (ROOT / each["module"]).read_text(encoding="utf-8").splitlines())
    ]
    assert gone == []
    assert all(each["reason"] for each in said)
    assert len({(each["module"], each["before"], each["after"]) for each in said}) == len(said)


def test_a_mistake_is_noticed_by_a_test_that_comes_there_and_by_no_other(tmp_path: Path) -> None:
    (tmp_path / "counter_of_test_mutants.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "test_it.py").write_text(
        "from counter_of_test_mutants import double\n\n"
        "def test_value(): assert double(3) == 6\ndef test_type(): assert isinstance(double(3), int)\n"
    )
    wrong = "def double(x):\n    return 3 * x\n"
    mutant = Mutant("counter_of_test_mutants.py", "by hand", 2, "return 2 * x", "return 3 * x", wrong)
    assert passing(["test_it.py"], tmp_path, 60.0)
    assert noticed(mutant, ["test_it.py::test_value"], tmp_path, 60.0)
    assert not noticed(mutant, ["test_it.py::test_type"], tmp_path, 60.0)
    assert passing(["test_it.py"], tmp_path, 60.0), "it is mended afterwards"
    assert "counter_of_test_mutants" not in sys.modules


def test_a_test_that_does_not_end_has_noticed(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("def go(): pass\n")
    (tmp_path / "test_it.py").write_text("from endless import go\n\ndef test_go(): go()\n")
    mutant = Mutant("endless.py", "by hand", 1, "", "", "def go():\n    while True: pass\n")
    assert noticed(mutant, ["test_it.py"], tmp_path, 3.0)


def test_the_tests_of_the_same_name_come_first_and_all_where_a_line_is_run_at_import() -> None:
    found = Mirror(["tests/a/test_b.py", "tests/a/test_c.py"])
    found.by_line["a/c.py", 7] = {"tests/a/test_b.py::test_x", "tests/a/test_c.py::test_y"}
    assert found.tests("a/c.py", 7) == ["tests/a/test_c.py::test_y", "tests/a/test_b.py::test_x"]
    assert found.tests("a/c.py", 1) == ["tests/a/test_c.py", "tests/a/test_b.py"]
