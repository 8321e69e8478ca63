"""The pytest plug-in, in real runs of pytest on test files as a user would write them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics import __version__
from devs_robotics.core.observe import Ended, read_trace
from tests.paths import ROOT

pytest_plugins = ["pytester"]

GOLDEN_TEST = """
from echo_models import Echo

def test_echo(assert_trace):
    assert_trace(Echo("echo"), "traces/echo.jsonl", until=5.0, inputs={"heard": [(1.0, "a"), (3.0, "b")]})
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of a user, with models in it."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))
    pytester.syspathinsert()
    pytester.makeini("[pytest]\nfilterwarnings = error\naddopts = --strict-markers --strict-config")
    shutil.copy(Path(__file__).with_name("echo_models.py"), pytester.path)
    return pytester


def run(folder: pytest.Pytester, *arguments: str) -> tuple[int, str]:
    """Exit status and output of a run of pytest, in this process."""
    result = folder.runpytest_inprocess(*arguments)
    return int(result.ret), "\n".join(result.outlines + result.errlines)


def run_apart(folder: pytest.Pytester, *arguments: str) -> tuple[int, str]:
    """The same in a process of its own."""
    result = folder.runpytest_subprocess(*arguments)
    return int(result.ret), "\n".join(result.outlines + result.errlines)


def run_on(folder: pytest.Pytester, test: str, *arguments: str) -> tuple[int, str]:
    """The same on one test file."""
    folder.makepyfile(test_it=test)
    return run(folder, *arguments)


def test_what_leaves_a_model_is_there_by_time_and_the_model_is_as_it_was_then(
    folder: pytest.Pytester,
) -> None:
    status, output = run_on(
        folder,
        """
        import pytest
        from devs_robotics import ModelError
        from devs_robotics.core.observe import Ended, Started
        from echo_models import Echo, Room

        echo = Echo("echo")

        def test_atomic(simulate):
            trace = simulate(echo, until=4.0, inputs={"heard": [(1.0, "a"), (2.0, "b"), (2.0, "c"), (4.0, "d")]})
            assert trace.outputs("said") == [(2.0, "a"), (3.0, "b"), (3.0, "c")]
            assert trace.values("echo.heard") == ["a", "b", "c", "d"]
            assert isinstance(trace.events[0], Started) and isinstance(trace.events[-1], Ended)
            assert echo.words == ["d"] and not echo.exits

        def test_closed_after_the_test():
            assert echo.exits == 1

        class TestCoupled:
            @pytest.mark.parametrize("start", [0.0, 0.5])
            def test_coupled(self, simulate, start):
                trace = simulate(Room("room"), until=5.0, inputs={"heard": [(start, "a")]}, only="far")
                assert trace.outputs("said") == [(start + 2.0, "a")]
                assert {event.model for event in trace.select("room")} == {"room/far"}

        def test_the_same_model_again(simulate):
            room = Room("room")
            assert simulate(room, until=1.0).outputs("said") == []
            assert simulate(room, until=5.0, inputs={"heard": [(0.0, "a")]}).outputs("said") == [(2.0, "a")]
            assert room.near.exits == 1

        def test_a_faulty_model(simulate):
            with pytest.raises(ModelError, match=r"echo.heard at 1 s cannot be given"):
                simulate(Echo("echo"), until=4.0, inputs={"heard": [(1.0, 1)]})
        """,
    )
    assert status == 0, output
    assert "6 passed" in output


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("inputs={'herd': [(1.0, 'a')]}", "model echo has no input port named 'herd': its input ports are heard"),
        (
            "inputs={'heard': [(2.0, 'a'), (1.0, 'b')]}",
            "an input to 'heard' comes at 1.0 s, but the one before it at 2",
        ),
        ("inputs={'heard': [(-1.0, 'a')]}", "put inputs in the order of their times, from 0 to until"),
        ("inputs={'heard': [(float('nan'), 'a')]}", "an input to 'heard' comes at nan s"),
        ("inputs={'heard': [(9.0, 'a')]}", "the end at 4.0 s"),
        ("inputs={'heard': ['ab']}", "an input to 'heard' is 'ab': write a pair (time in seconds, value)"),
        ("only='ecco'", "no model or port fits the pattern 'ecco'"),
        ("until=float('inf')", "needs an end, not until=inf"),
    ],
)
def test_a_mistake_is_one_sentence(call: str, sentence: str, folder: pytest.Pytester) -> None:
    until = "" if "until" in call else "until=4.0, "
    status, output = run_on(
        folder,
        f"""
        from echo_models import Echo

        def test_it(simulate):
            simulate(Echo("echo"), {until}{call})
        """,
    )
    assert status == 1
    assert sentence in output
    assert "devs_robotics/core/testing/simulations.py" not in output  # the place that is shown is the user's


def test_an_output_port_that_is_not_there_is_named(folder: pytest.Pytester) -> None:
    status, output = run_on(
        folder,
        """
        from echo_models import Echo

        def test_it(simulate):
            simulate(Echo("echo"), until=4.0).outputs("sayed")
        """,
    )
    assert status == 1
    assert "model echo has no output port named 'sayed': its output ports are said" in output


def test_a_golden_trace_is_missing_then_written_then_compared(folder: pytest.Pytester) -> None:
    golden = folder.path / "traces" / "echo.jsonl"
    status, output = run_on(folder, GOLDEN_TEST)
    assert status == 1
    assert "there is no golden trace traces/echo.jsonl: run pytest with --update-traces and look" in output
    assert not golden.exists()

    status, output = run(folder, "--update-traces")
    assert status == 0
    assert "1 written:\n  traces/echo.jsonl" in output

    status, output = run(folder)
    assert status == 0
    assert "golden traces" not in output


def test_a_trace_that_differs_is_told_by_its_first_event(folder: pytest.Pytester) -> None:
    run_on(folder, GOLDEN_TEST, "--update-traces")
    folder.makepyfile(test_it=GOLDEN_TEST.replace('(3.0, "b")', '(3.0, "by")'))
    status, output = run(folder)
    assert status == 1
    for line in (
        "the traces differ at 3 s in echo.heard (event 5):",
        '  value: expected "b", seen "by"',
        'expected           3 s  echo  received   heard <- "b"',
        'seen               3 s  echo  received   heard <- "by"',
        "just before, in both:",
        '           2 s  echo  sent       said <- "a"',
        "The golden trace is traces/echo.jsonl. If the new trace is right, run pytest with --update-traces and look at",
    ):
        assert line in output
    assert "Traceback" not in output
    assert ".py:" not in output.replace("test_it.py::", "")


def test_a_file_that_would_not_change_is_not_touched(folder: pytest.Pytester) -> None:
    run_on(folder, GOLDEN_TEST, "--update-traces")
    golden = folder.path / "traces" / "echo.jsonl"
    os.utime(golden, (1.0, 1.0))
    status, output = run(folder, "--update-traces")
    assert status == 0
    assert "0 written" in output
    assert golden.stat().st_mtime == 1.0


def test_in_ci_nothing_is_written(folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    status, output = run_on(folder, GOLDEN_TEST, "--update-traces")
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "--update-traces is refused where CI=true" in output
    assert not (folder.path / "traces").exists()


def test_golden_bytes_depend_on_nothing_but_the_run(folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    test = """
        from devs_robotics import Atomic, Out
        from echo_models import Room

        class Sets(Atomic):
            said = Out()

            def initialize(self):
                self.activate()

            def lambdaf(self):
                self.said.add({"a", "b", "c", "d"})
                self.said.add(self)

        def test_room(assert_trace):
            assert_trace(Room("room"), "room.jsonl", until=5.0, inputs={"heard": [(1.0, "a"), (1.0, "b")]})

        def test_sets(assert_trace):
            assert_trace(Sets("sets"), "sets.jsonl", until=5.0)
    """
    contents = set()
    for seed in ("0", "1"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        folder.makepyfile(test_it=test)
        status, output = run_apart(folder, "--update-traces")
        assert status == 0, output
        assert ("2 written" if seed == "0" else "0 written") in output
        contents.add(b"".join((folder.path / name).read_bytes() for name in ("room.jsonl", "sets.jsonl")))
    (content,) = contents
    text = content.decode()
    assert str(folder.path) not in text
    assert __version__ not in text
    assert isinstance(list(read_trace(folder.path / "room.jsonl"))[-1], Ended)


def test_what_a_model_does_to_a_value_later_is_not_in_the_trace(folder: pytest.Pytester) -> None:
    status, output = run_on(
        folder,
        """
        from devs_robotics import Atomic, Out

        class Counter(Atomic):
            said = Out(list)

            def initialize(self):
                self.numbers = []
                self.hold_in("counting", 1.0)

            def lambdaf(self):
                self.numbers.append(len(self.numbers))
                self.said.add(self.numbers)

            def deltint(self):
                self.hold_in("counting", 1.0)

        def test_it(assert_trace):
            assert_trace(Counter("counter"), "counter.jsonl", until=2.0)
        """,
        "--update-traces",
    )
    assert status == 0, output
    assert '"port":"said","values":[[0]]' in (folder.path / "counter.jsonl").read_text()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("", "is empty"), ("<<<<<<< HEAD\n", "its line 1 is not the head of one"), (None, "is broken at line 3")],
)
def test_a_golden_file_that_is_no_trace_is_told(content: str | None, sentence: str, folder: pytest.Pytester) -> None:
    run_on(folder, GOLDEN_TEST, "--update-traces")
    golden = folder.path / "traces" / "echo.jsonl"
    lines = golden.read_text().splitlines(keepends=True)
    golden.write_text("".join([*lines[:2], "<<<<<<< HEAD\n", *lines[2:]]) if content is None else content)
    status, output = run(folder)
    assert status == 1
    assert sentence in output
    assert "run pytest with --update-traces" in output
    assert "Traceback" not in output
    assert run(folder, "--update-traces")[0] == 0
    assert golden.read_text() == "".join(lines)


def test_two_traces_cannot_share_a_golden_file(folder: pytest.Pytester) -> None:
    status, output = run_on(
        folder,
        """
        import pytest
        from echo_models import Echo

        @pytest.mark.parametrize("word", ["a", "b"])
        def test_it(assert_trace, word):
            assert_trace(Echo("echo"), "echo.jsonl", until=5.0, inputs={"heard": [(1.0, word)]})
        """,
        "--update-traces",
    )
    assert status == 1
    assert "test_it.py::test_it[a] has just made another trace echo.jsonl" in output
    assert "1 passed" in output.replace("1 failed, ", "")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("echo.txt", "let its name end in .jsonl"), ("echo_models.py/echo.jsonl", "cannot write the golden trace")],
)
def test_a_name_that_cannot_be_a_golden_file_is_told(name: str, sentence: str, folder: pytest.Pytester) -> None:
    status, output = run_on(folder, GOLDEN_TEST.replace("traces/echo.jsonl", name), "--update-traces")
    assert status == 1
    assert sentence in output
    assert "Traceback" not in output


def test_workers_of_xdist_write_golden_traces_and_the_summary_has_them_all(folder: pytest.Pytester) -> None:
    test = """
        import pytest
        from echo_models import Echo

        class TestEcho:
            @pytest.mark.parametrize("word", ["a", "b", "c", "d"])
            def test_it(self, assert_trace, simulate, word):
                inputs = {"heard": [(1.0, word)]}
                trace = assert_trace(Echo("echo"), f"traces/{word}.jsonl", until=5.0, inputs=inputs)
                assert trace.outputs("said") == simulate(Echo("echo"), until=5.0, inputs=inputs).outputs("said")
    """
    status, output = run_on(folder, test, "-n2", "--update-traces")
    assert status == 0, output
    assert "4 written:\n" + "\n".join(f"  traces/{word}.jsonl" for word in "abcd") in output
    assert run(folder)[0] == 0


def test_a_golden_file_is_found_from_any_folder_and_a_fixture_of_the_same_name_does_no_harm(
    folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = folder.mkdir("tests")
    own = "\nimport pytest\n\n@pytest.fixture\ndef simulate():\n    return None\n"
    (tests / "test_it.py").write_text(GOLDEN_TEST + own)
    assert run(folder, "--update-traces")[0] == 0
    assert (tests / "traces" / "echo.jsonl").exists()
    monkeypatch.chdir(tests)
    assert run(folder, "test_it.py")[0] == 0


def test_loading_the_plug_in_loads_no_more_than_the_package_and_warns_of_nothing() -> None:
    code = (
        "import sys, pytest, devs_robotics.core.testing; before = set(sys.modules); "
        "import devs_robotics.core.testing.pytest_plugin; print(*(set(sys.modules) - before))"
    )
    result = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["devs_robotics.core.testing.pytest_plugin"]


def test_the_package_loads_without_pytest() -> None:
    code = "import sys; sys.modules['pytest'] = None; from devs_robotics.core.testing import golden, simulations"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_says_what_happens(folder: pytest.Pytester) -> None:
    blocks = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs" / "testing.md").read_text(), flags=re.S)
    code = [text for language, text in blocks if language == "python"]
    missing, written, differs = (text for language, text in blocks if language == "text")
    for text in code:
        name = text.partition("\n")[0].removeprefix("# ")
        Path(folder.path, name).write_text(text)

    status, output = run(folder)
    assert "1 failed, 1 passed" in output
    assert missing in output
    status, output = run(folder, "--update-traces")
    assert status == 0
    assert written in output
    assert run(folder)[0] == 0

    model = folder.path / "patrol.py"
    changed = model.read_text().replace("2.0", "2.5")
    assert changed != model.read_text()
    model.write_text(changed + "\n")  # of another size, or Python may run what it has compiled before
    status, output = run(folder)
    assert "2 failed" in output
    assert differs in output
