"""The thread that waits for what comes in over DDS, with conditions that the test sets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Empty, Queue
from threading import Event

import pytest
from cyclonedds.core import DDSException, GuardCondition
from cyclonedds.domain import Domain, DomainParticipant

from devs_robotics.hil.transports import dds_waiting
from devs_robotics.hil.transports.dds_configuration import configuration
from devs_robotics.hil.transports.dds_waiting import MOST, DdsWaiting
from tests.hil.ros2.environments import free_domain
from tests.hil.transports.inbox import PATIENCE


class Waited:
    """A thread that waits, what it calls and what fails in it.

    Attributes:
        calls: names of what was called
        failed: what was raised
    """

    def __init__(self) -> None:
        domain = free_domain()
        self._domain = Domain(domain, configuration("lo"))
        self.participant = DomainParticipant(domain)
        self.calls: Queue[str] = Queue()
        self.failed: Queue[Exception] = Queue()
        self.waiting = DdsWaiting(self.participant, "waits", self.failed.put)

    def condition(self, name: str, *faults: Exception) -> GuardCondition:
        """One whose call ends that it holds, and raises these one after the other."""
        condition, left = GuardCondition(self.participant), list(faults)

        def call() -> None:
            condition.set(False)
            self.calls.put(name)
            if left:
                raise left.pop(0)

        self.end = self.waiting.add(condition, call)
        return condition

    def note(self, name: str) -> None:
        self.calls.put(name)

    def next(self) -> str:
        return self.calls.get(timeout=PATIENCE)

    def nothing_more(self) -> bool:
        """What was set is over: something that was asked for later has been called."""
        self.waiting.soon(lambda: self.note("last"), 0.0)
        return self.next() == "last"


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> Iterator[Waited]:
    monkeypatch.setattr(dds_waiting, "PATIENCE", PATIENCE)  # whatever is called in time was woken for
    waited = Waited()
    yield waited
    waited.waiting.close()


def test_each_condition_has_its_function_called_in_the_thread_whenever_it_holds(waited: Waited) -> None:
    one, two = waited.condition("one"), waited.condition("two")
    for condition, name in ((one, "one"), (two, "two"), (one, "one")):
        condition.set(True)
        assert waited.next() == name
    assert waited.nothing_more()
    assert waited.failed.empty()


def test_more_conditions_than_are_served_in_one_round_are_all_served(waited: Waited) -> None:
    hold = Event()

    def wait() -> None:
        hold.wait(PATIENCE)

    waited.waiting.soon(wait, 0.0)
    many = [waited.condition(str(number)) for number in range(MOST + 10)]
    for each in many:
        each.set(True)
    hold.set()
    assert {waited.next() for _ in many} == {str(number) for number in range(MOST + 10)}


def test_what_is_ended_is_not_called_any_more_and_may_end_itself(waited: Waited) -> None:
    one = waited.condition("one")
    waited.end()
    one.set(True)
    assert waited.nothing_more()
    itself = GuardCondition(waited.participant)

    def call() -> None:
        end()
        waited.note("itself")

    end = waited.waiting.add(itself, call)
    itself.set(True)  # and stays so
    assert waited.next() == "itself"
    assert waited.nothing_more()


def test_who_ends_it_waits_for_a_call_that_is_under_way(waited: Waited) -> None:
    begun, go_on = Event(), Event()
    condition, did = GuardCondition(waited.participant), list[str]()

    def call() -> None:
        condition.set(False)
        begun.set()
        go_on.wait(PATIENCE)
        did.append("called")

    end = waited.waiting.add(condition, call)
    condition.set(True)
    assert begun.wait(PATIENCE)

    def ends() -> None:
        end()
        did.append("ended")

    ending = threading.Thread(target=ends)
    ending.start()
    ending.join(0.05)  # it would have ended by then
    assert did == []
    go_on.set()
    ending.join(PATIENCE)
    assert did == ["called", "ended"]


def test_a_function_that_raises_is_not_called_again_and_others_are(waited: Waited) -> None:
    fault = OSError("out of memory")
    spoilt, other = waited.condition("spoilt", fault), waited.condition("other")
    spoilt.set(True)
    assert waited.next() == "spoilt"
    assert waited.failed.get(timeout=PATIENCE) is fault
    spoilt.set(True)
    other.set(True)
    assert waited.next() == "other"
    assert waited.nothing_more()
    assert len(waited.waiting._calls) == 1, "it is forgotten"


def test_what_is_asked_for_soon_is_called_once_after_its_time_and_then_can_be_asked_for_again(waited: Waited) -> None:
    def call() -> None:
        waited.note("call")

    for _ in range(3):
        waited.waiting.soon(call, 0.02)
    assert waited.next() == "call"
    assert waited.nothing_more()
    waited.waiting.soon(call, 0.0)
    assert waited.next() == "call"


def test_what_is_asked_for_later_waits_and_what_is_sooner_goes_first(waited: Waited) -> None:
    waited.waiting.soon(lambda: waited.note("far"), 2.0 * PATIENCE)
    waited.waiting.soon(lambda: waited.note("later"), 0.05)
    waited.waiting.soon(lambda: waited.note("sooner"), 0.0)
    assert [waited.next(), waited.next()] == ["sooner", "later"]
    assert waited.nothing_more()


def test_what_a_call_asks_for_is_called_too(waited: Waited) -> None:
    waited.waiting.soon(lambda: waited.waiting.soon(lambda: waited.note("second"), 0.01), 0.0)
    assert waited.next() == "second"


def test_what_raises_though_it_was_only_due_ends_nothing(waited: Waited) -> None:
    def call() -> None:
        raise ValueError("no")

    waited.waiting.soon(call, 0.0)
    assert str(waited.failed.get(timeout=PATIENCE)) == "no"
    assert waited.nothing_more()


def test_the_thread_ends_when_it_is_closed_even_by_itself_and_calls_nothing_more() -> None:
    for closes_itself in (False, True):
        waited = Waited()
        thread = waited.waiting._thread
        assert thread.is_alive()
        condition = waited.condition("late")
        if closes_itself:
            waited.waiting.soon(waited.waiting.close, 0.0)
            thread.join(PATIENCE)
        else:
            waited.waiting.close()
        assert not thread.is_alive()
        waited.waiting.close()
        condition.set(True)
        waited.waiting.soon(lambda: waited.note("late"), 0.0)  # noqa: B023
        with pytest.raises(Empty):
            waited.calls.get_nowait()


def test_what_cyclone_raises_ends_the_thread_and_is_told(waited: Waited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waited.waiting, "_wait", lambda *_: -3)
    waited.waiting.wake()
    fault = waited.failed.get(timeout=PATIENCE)
    assert isinstance(fault, DDSException)
    waited.waiting._thread.join(PATIENCE)
    assert not waited.waiting._thread.is_alive()
