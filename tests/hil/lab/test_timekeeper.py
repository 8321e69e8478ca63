"""The timekeeper: whatever arrives, everything happens at its time, and a message costs no new alarm of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.timekeeper import Timekeeper
from tests.hil.lab.small_lab import lab_plan


class HandLoop:
    """An event loop whose time a test drives; it calls what is due, in order."""

    def __init__(self) -> None:
        self.now = 100.0
        self.alarms = 0
        self._calls: list[asyncio.TimerHandle] = []

    def time(self) -> float:
        return self.now

    def is_closed(self) -> bool:
        return False

    def get_debug(self) -> bool:
        return False

    def call_at(self, when: float, callback: Callable[[], Any]) -> asyncio.TimerHandle:
        self.alarms += 1
        handle = asyncio.TimerHandle(when, callback, (), self)  # type: ignore[arg-type]
        self._calls.append(handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Called by a handle that is cancelled."""

    def go_to(self, time: float) -> None:
        while due := [call for call in self._calls if not call.cancelled() and call.when() <= time]:
            first = min(due, key=lambda call: call.when())
            self._calls.remove(first)
            self.now = max(self.now, first.when())
            first._run()
        self.now = time


def begun(rate: float = 1.0) -> tuple[HandLoop, Laboratory, Timekeeper]:
    loop, laboratory = HandLoop(), Laboratory(lab_plan(rate=rate))
    timekeeper = Timekeeper(laboratory, loop)  # type: ignore[arg-type]
    timekeeper.start()
    return loop, laboratory, timekeeper


def test_what_a_message_brings_about_happens_at_its_time_be_it_before_or_after_what_is_planned() -> None:
    loop, laboratory, timekeeper = begun(rate=2.0)
    happened: list[tuple[str, float]] = []

    def plan(name: str, at: float) -> None:
        laboratory.agenda.at(at, lambda: happened.append((name, loop.now)))

    timekeeper.act(lambda: plan("planned", 2.0))
    loop.go_to(100.25)
    timekeeper.act(lambda: plan("sooner", 1.0))
    timekeeper.act(lambda: plan("later", 3.0))
    loop.go_to(110.0)
    assert happened == [("sooner", 100.5), ("planned", 101.0), ("later", 101.5)]


def test_messages_that_plan_nothing_sooner_set_no_alarm() -> None:
    loop, laboratory, timekeeper = begun()
    timekeeper.act(lambda: laboratory.agenda.at(1.0, lambda: None))
    before = loop.alarms
    for number in range(50):
        loop.go_to(100.0 + 0.01 * number)
        timekeeper.act(lambda number=number: laboratory.agenda.at(2.0 + number, lambda: None))  # type: ignore[misc]
    assert loop.alarms == before == 1


def test_nothing_happens_once_it_is_stopped() -> None:
    loop, laboratory, timekeeper = begun()
    happened: list[float] = []
    timekeeper.act(lambda: laboratory.agenda.at(1.0, lambda: happened.append(loop.now)))
    timekeeper.stop()
    loop.go_to(110.0)
    timekeeper.act(lambda: happened.append(0.0))
    assert not happened
