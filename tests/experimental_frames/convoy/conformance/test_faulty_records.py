"""Records that were spoilt: whatever message is missing, doubled or out of its place, the review tells of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.core.observe import JsonLines
from devs_robotics.experimental_frames.conformance.records import Conformance
from devs_robotics.scenarios.convoy.conformance import final
from devs_robotics.scenarios.convoy.runs import load
from tests.scenarios.by_hand import ByHand

LOOP = load("convoy_in_the_loop", ["run.rounds=4", "field.width=5 m"])


class Recorded:
    """The record of a run in the loop, line by line, and reviews of what is made of it."""

    def __init__(self, path: Path, pattern: str = "robot*/convoy") -> None:
        self.path = path
        ByHand(LOOP, "loop").run([(JsonLines(path), [pattern])])
        self.lines = path.read_text().splitlines(keepends=True)
        self.events: list[dict[str, Any]] = [json.loads(line) for line in self.lines]
        end = self.events[-1]["time"]
        self.messages = [
            number
            for number, event in enumerate(self.events)
            if event["event"] in ("sent", "received")
            and event["model"].endswith("/convoy")
            and event["time"] < end
            and not self._to_nobody(event)
        ]

    def _to_nobody(self, event: dict[str, Any]) -> bool:
        return "robot4" in event["model"] and event["port"] == "f_ready_out"

    def robot(self, number: int) -> int:
        """Whose line that is."""
        return int(self.events[number]["model"].partition("/robot")[2].partition("/")[0])

    def next_of(self, number: int) -> int:
        """The next message of the same robot at a later instant; 0 if there is none."""
        time = self.events[number]["time"]
        later = (other for other in self.messages if self.events[other]["time"] > time)
        return next((other for other in later if self.robot(other) == self.robot(number)), 0)

    def is_told_twice(self, number: int) -> bool:
        """Whether the other end of that message is on record, and it is all that its robot heard at the time."""
        event, before, after = self.events[number], self.events[number - 1], self.events[number + 1]
        if event["event"] == "sent":
            return str(event["port"]) in ("motor_ask", "f_ready_out", "b_ready_out")
        return before["event"] != "received" and (after["event"], after.get("kind")) == ("changed", "external")

    def reviewed(self, lines: list[str]) -> Conformance:
        self.path.write_text("".join(lines))
        return final(LOOP, self.path)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded(tmp_path_factory.mktemp("records") / "loop.jsonl")


def test_the_record_as_it_is_stands_its_review(record: Recorded) -> None:
    assert record.reviewed(record.lines).ending == "conforms"
    assert {record.robot(number) for number in record.messages} == {1, 2, 3, 4}


@settings(max_examples=30)
@given(data=st.data())
def test_a_message_that_is_missing_is_told_of_at_its_time_by_its_robot_or_a_neighbour(
    record: Recorded, data: st.DataObject
) -> None:
    number = data.draw(st.sampled_from(record.messages))
    done = record.reviewed(record.lines[:number] + record.lines[number + 1 :])
    assert done.ending == "does not conform"
    robot, time = record.robot(number), record.events[number]["time"]
    if record_of(done):
        assert re.match(rf".*robot ({robot - 1}|{robot}|{robot + 1})\b.* at {time:.6g} s ", record_of(done))
        assert not done.violations
    else:
        first = done.violations[0]
        assert first.time == time
        assert abs(first.robot - robot) <= 1
        assert f", at {time:.6g} s, in '" in first.sentence


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded(tmp_path_factory.mktemp("records") / "whole.jsonl", "robot*")


@settings(max_examples=40)
@given(data=st.data())
def test_what_the_record_of_all_models_lacks_is_told_of_the_record_and_laid_on_no_robot(
    whole: Recorded, data: st.DataObject
) -> None:
    number = data.draw(st.sampled_from([n for n in whole.messages if whole.is_told_twice(n)]))
    done = whole.reviewed(whole.lines[:number] + whole.lines[number + 1 :])
    assert f"at {whole.events[number]['time']:.6g} s" in record_of(done)
    assert not done.violations


@settings(max_examples=30)
@given(data=st.data())
def test_a_message_that_is_doubled_is_told_of_at_its_time_by_its_robot(record: Recorded, data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(record.messages))
    done = record.reviewed(record.lines[: number + 1] + record.lines[number:])
    assert done.ending == "does not conform"
    first, event = done.violations[0], record.events[number]
    assert (first.time, first.robot) == (event["time"], record.robot(number))
    assert first.rule == ("once" if event["event"] == "sent" else "heard")


@settings(max_examples=30)
@given(data=st.data())
def test_messages_of_two_instants_that_have_changed_places_are_told_of(record: Recorded, data: st.DataObject) -> None:
    numbers = [number for number in record.messages if record.next_of(number)]
    number = data.draw(st.sampled_from(numbers))
    later = record.next_of(number)
    lines = list(record.lines)
    lines[number], lines[later] = lines[later], lines[number]
    done = record.reviewed(lines)
    assert done.ending == "does not conform"
    assert record_of(done)


def record_of(done: Conformance) -> str:
    """What is said of the record itself; nothing if it is whole."""
    return next((finding.note for finding in done.findings if finding.title == "record" and not finding.holds), "")


def test_a_record_with_a_line_that_is_none_is_reviewed_up_to_there(record: Recorded) -> None:
    half = len(record.lines) // 2
    time = record.events[half - 1]["time"]
    for garbage in ("garbage\n", "\n", '{"event":"woof","time":1.0}\n', "\x00\x7f\n"):
        done = record.reviewed([*record.lines[:half], garbage, *record.lines[half:]])
        assert f"is broken at line {half + 1}: " in record_of(done)
        before = max(event["time"] for event in record.events[:half] if event["time"] < time)
        assert record_of(done).endswith(f": reviewed up to {before:.6g} s")
        assert not done.violations


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_record_that_was_cut_off_anywhere_has_no_violation_of_its_own(record: Recorded, share: float) -> None:
    text = "".join(record.lines)
    done = record.reviewed([text[: int(share * len(text))]])
    assert record_of(done).endswith(": its writer was stopped")
    assert not done.violations


def test_a_transition_that_is_missing_and_a_second_run_in_the_file_are_told_of(record: Recorded) -> None:
    missing = next(
        number
        for number, event in enumerate(record.events)
        if event["event"] == "changed"
        and record.events[number + 1]["time"] > event["time"]
        and record.events[number - 1]["event"] == "received"
    )
    done = record.reviewed(record.lines[:missing] + record.lines[missing + 1 :])
    time = record.events[missing]["time"]
    assert record_of(done).startswith(f"robot {record.robot(missing)}'s transition at {time:.6g} s is missing: ")
    done = record.reviewed(record.lines[:-1] + record.lines)
    assert record_of(done).startswith("another run begins in it after ")
