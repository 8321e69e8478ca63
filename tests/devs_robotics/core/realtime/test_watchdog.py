"""A run that does not keep up with its clock: robots are told to stop, and the time does not count."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from math import inf

import pytest

from devs_robotics import (
    Atomic,
    Bridge,
    Clock,
    HandClock,
    HeldLink,
    In,
    Lateness,
    Link,
    Loopback,
    ModelError,
    Out,
    Packet,
    Run,
    Simulator,
    WallClock,
)
from devs_robotics.core.distribution import AgreedClock
from devs_robotics.core.realtime.watchdog import LATENESS_LIMIT, Watchdog
from tests.approximately import near

STOP = Packet(b"stop")


class Robot(Atomic):
    """Notes what it hears, and does something at given times.

    Args:
        plan: what it does, and when (s)
    """

    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)
    over = Out(str)

    def __init__(self, *plan: tuple[float, Callable[[], None]]) -> None:
        super().__init__("robot")
        self.time = 0.0
        self.plan = list(plan)
        self.did: list[float] = []
        self.heard: list[tuple[float, Packet | Link]] = []

    def initialize(self) -> None:
        self._wait()

    def deltext(self, e: float) -> None:
        self.time += e
        self.heard += [(self.time, content) for content in self.incoming.values]
        self._wait()

    def lambdaf(self) -> None:
        self.outgoing.add(Packet(b"go"))
        if len(self.plan) == 1:
            self.over.add("over")

    def deltint(self) -> None:
        self.time, action = self.plan.pop(0)
        self.did.append(self.time)
        action()
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", self.plan[0][0] - self.time if self.plan else inf)


def nothing() -> None:
    """It only takes its time."""


class Scene:
    """A robot's model, and what goes out to the robot, with the clock's time.

    Args:
        plan: of the robot
    """

    def __init__(self, clock: Clock, *plan: tuple[float, Callable[[], None]], holds: bool = True) -> None:
        self.clock = clock
        self.robot = Robot(*plan)
        self.bridge = Bridge()
        self.here, self.there = Loopback.pair()
        self.sent: list[tuple[float, object]] = []
        self.notes: list[str] = []
        self.lateness = Lateness()
        self.there.listen("")
        self.there.open(lambda arrival: self.sent.append((clock.now(), arrival.content)))
        self.bridge.connect(
            self.here, self.robot.outgoing, self.robot.incoming, stop_message=(lambda: [STOP.data]) if holds else None
        )

    def run(self, report: Callable[[Run], None] = lambda run: None) -> Run:
        with Simulator(self.robot) as simulator:
            going = Run(simulator, self.clock, self.bridge, self.lateness, tell=self.notes.append)
            going.until(self.robot.over, report=lambda: report(going))
            return going

    @property
    def stops(self) -> list[float]:
        """When the robot was told to stop, but for the end of the run."""
        return [at for at, content in self.sent if content == STOP][:-1]


def held_up(scene: Scene) -> list[float]:
    """What has been told of each hold, and nothing else may have been."""
    found = [re.fullmatch(r"this program was held up for (\d\.\d) s: its robots were told .*", n) for n in scene.notes]
    assert all(found)
    return [float(each[1]) for each in found if each]


def test_time_in_which_the_process_did_not_run_counts_for_nobody() -> None:
    clock = HandClock()
    scene = Scene(clock, (1.0, nothing), (5.0, nothing), (8.0, nothing))
    clock.at(2.5, lambda: clock.go_on(7.0))
    clock.at(6.0, lambda: scene.there.send("", b"late"))
    going = scene.run()
    assert scene.robot.did == [1.0, 5.0, 8.0]
    assert clock.now() == near(8.0, within=0.01)
    (stop,) = scene.stops
    assert stop == near(9.5, within=0.1)  # before it was set back
    (_, up), (down_at, down), (up_at, up_again), late = scene.robot.heard
    assert isinstance(down, HeldLink)
    assert down.unseen == near(7.0 - LATENESS_LIMIT, within=0.1)
    assert (up, up_again, late) == (Link(up=True), Link(up=True), (6.0, Packet(b"late")))
    assert 2.4 <= down_at <= 2.5 <= up_at <= 2.5 + LATENESS_LIMIT
    assert held_up(scene) == [near(7.0, within=0.11)]
    assert going.held_up == near(7.0, within=0.1)


@pytest.mark.parametrize(("lost", "stops"), [(LATENESS_LIMIT - 0.15, 0), (LATENESS_LIMIT + 0.05, 1)])
def test_a_host_that_is_a_little_late_holds_nobody(lost: float, stops: int) -> None:
    clock = HandClock()
    scene = Scene(clock, (5.0, nothing))
    clock.at(2.5, lambda: clock.go_on(lost))
    scene.run()
    assert len(scene.stops) == len(scene.notes) == stops


def test_what_models_compute_for_is_lateness_and_does_not_count_either() -> None:
    clock = HandClock()
    scene = Scene(clock, (1.0, lambda: clock.go_on(5.0)), (1.2, nothing), (3.0, nothing))
    scene.run()
    assert scene.robot.did == [1.0, 1.2, 3.0]
    assert clock.now() == near(3.0, within=0.01)
    late = dict(zip(scene.lateness.times, scene.lateness.values, strict=True))
    assert late[1.0] == near(5.0, within=0.01)
    assert late[1.2] == near(4.8, within=0.01)
    assert late[3.0] == near(0.0, within=0.01)
    assert len(scene.stops) == 1
    assert scene.notes == ["this program was held up for 5.0 s: its robots were told to stop meanwhile"]


def test_a_robot_is_released_when_all_that_is_overdue_is_done_and_not_before() -> None:
    clock = HandClock()
    busy = [(1.0 + 0.01 * number, lambda: clock.go_on(0.1)) for number in range(10)]
    scene = Scene(clock, *busy, (3.0, nothing))
    scene.run()
    (down, up) = scene.robot.heard[1:3]
    assert isinstance(down[1], HeldLink)
    assert up[1] == Link(up=True)
    assert busy[3][0] < down[0] <= up[0]
    assert up[0] >= busy[-1][0]
    moves = [at for at, content in scene.sent if content == Packet(b"go")]
    assert len(moves) <= 6  # what the model says while it is held is for nobody


def test_what_has_no_stop_message_is_not_held_and_its_time_does_not_count_either() -> None:
    clock = HandClock()
    scene = Scene(clock, (5.0, nothing), holds=False)
    clock.at(2.5, lambda: clock.go_on(7.0))
    scene.run()
    assert [content for _, content in scene.robot.heard] == [Link(up=True)]
    assert clock.now() == near(5.0, within=0.01)
    (note,) = scene.notes
    assert re.fullmatch(r"this program was held up for 7\.\d s", note), "nobody was told to stop"


def test_short_pauses_after_the_first_are_told_of_in_one_sentence() -> None:
    clock = HandClock()
    scene = Scene(clock, (9.0, nothing))
    for at, lost in ((1.0, 0.5), (2.0, 0.6), (3.0, 0.7), (4.0, 2.0)):
        clock.at(at, lambda lost=lost: clock.go_on(lost))  # type: ignore[misc]
    scene.run()
    more = scene.notes.pop()
    assert held_up(scene) == [near(0.5, within=0.11), near(2.0, within=0.11)]
    found = re.fullmatch(r"this program was held up 2 more times, for (\d\.\d) s in all", more)
    assert found
    assert float(found[1]) == near(1.3, within=0.21)


def watched(clock: Clock) -> tuple[Scene, Watchdog]:
    scene = Scene(clock, (1.0, nothing))
    scene.bridge.open(clock)
    clock.start()
    return scene, Watchdog(clock, scene.bridge, scene.notes.append)


@pytest.mark.parametrize("rate", [1.0, 4.0])
def test_it_is_real_time_that_the_limit_is_of(rate: float) -> None:
    clock = HandClock()
    clock.rate = rate
    scene, watchdog = watched(clock)
    watchdog.look()  # nobody has begun
    watchdog.begin()
    words = [content for _, content in scene.sent].count
    clock.go_on(rate * (LATENESS_LIMIT - 0.01))
    watchdog.look()
    assert words(STOP) == 0
    clock.go_on(rate * 0.02)
    watchdog.look()
    assert [content for _, content in scene.sent].count(STOP) == 1
    clock.go_on(rate * 10.0)
    watchdog.look()
    assert [content for _, content in scene.sent].count(STOP) == 1
    stands_at = watchdog.turn()
    assert stands_at == near(rate * LATENESS_LIMIT)
    watchdog.reached(stands_at - 1e-6, stands_at)
    assert not scene.notes  # something is overdue
    watchdog.reached(stands_at, stands_at)
    assert len(scene.notes) == 1
    clock.go_on(rate * (LATENESS_LIMIT + 0.01))
    watchdog.look()
    assert [content for _, content in scene.sent].count(STOP) == 2
    assert scene.notes == ["this program was held up for 10.4 s: its robots were told to stop meanwhile"]


@pytest.mark.parametrize("rate", [1.0, 4.0])
def test_its_thread_looks_again_when_the_limit_is_reached_and_now_and_then_before_but_never_without_a_rest(
    rate: float,
) -> None:
    clock = HandClock()
    clock.rate = rate
    _, watchdog = watched(clock)
    assert watchdog._until_next_look() == 0.05  # nobody has begun
    clock.go_on(10.0)
    watchdog.begin()
    assert watchdog._until_next_look() == 0.05
    clock.go_on(rate * (LATENESS_LIMIT - 0.02))
    assert watchdog._until_next_look() == near(0.02)
    clock.go_on(rate * 0.019)
    assert watchdog._until_next_look() == 0.005
    clock.go_on(rate * 9.0)
    assert watchdog._until_next_look() == 0.005


def test_a_run_that_waits_hears_of_a_hold_at_once() -> None:
    clock = HandClock()
    _, watchdog = watched(clock)
    watchdog.begin()
    clock.wait(0.0)  # it has heard that the link is up
    clock.at(2.0, watchdog.look)
    clock.wait(9.0)
    assert clock.now() == 2.0


def test_after_the_end_of_a_run_nobody_is_late() -> None:
    clock = HandClock()
    scene, watchdog = watched(clock)
    watchdog.begin()
    watchdog.end()
    clock.go_on(10.0)
    watchdog.look()
    assert STOP not in [content for _, content in scene.sent]


def test_a_run_that_ends_while_it_is_held_up_tells_of_it() -> None:
    clock = HandClock()
    scene, watchdog = watched(clock)
    with watchdog:
        watchdog.begin()
        clock.go_on(3.0)
        watchdog.look()
    assert scene.notes == ["this program was held up for 3.0 s: its robots were told to stop meanwhile"]


class LateAgreed(HandClock):
    """A clock by which others go too."""

    can_stand = False


def test_a_clock_that_others_go_by_is_not_set_back_and_robots_stand_still_all_the_same() -> None:
    clock = LateAgreed()
    scene = Scene(clock, (5.0, nothing), (12.0, nothing))
    clock.at(2.5, lambda: clock.go_on(7.0))
    scene.run()
    assert clock.now() == near(12.0, within=0.01)
    assert len(scene.stops) == 1
    down, up = scene.robot.heard[1:3]
    assert isinstance(down[1], HeldLink)
    assert down[1].unseen == 0.0
    assert down[0] <= 2.5
    assert up == (near(9.5, within=0.1), Link(up=True))
    assert max(scene.lateness.values) == near(7.0, within=0.11)
    assert held_up(scene) == [near(7.0, within=0.11)]
    assert not AgreedClock.can_stand


def test_a_stop_message_that_fails_in_the_watchdogs_thread_ends_the_run() -> None:
    def fail() -> list[bytes]:
        raise ZeroDivisionError("oh")

    clock = WallClock()
    robot, bridge, (here, there) = Robot((0.0, nothing), (1e9, nothing)), Bridge(), Loopback.pair()
    there.open(lambda arrival: None)
    bridge.connect(here, robot.outgoing, robot.incoming, stop_message=fail)
    with Simulator(robot) as simulator:
        going = Run(simulator, clock, bridge)
        with pytest.raises(ModelError, match=r"the stop message for .* failed: ZeroDivisionError: oh"):
            going.until(report=lambda: going.pause(nothing))


@pytest.mark.wall_clock
def test_a_robot_is_stopped_while_its_model_computes() -> None:
    stopped = threading.Event()
    began = ended = 0.0

    def compute() -> None:
        nonlocal began, ended
        began = time.monotonic()
        while not stopped.is_set() and time.monotonic() < began + 30.0:
            pass
        ended = time.monotonic()

    scene = Scene(WallClock(), (0.1, compute), (0.2, nothing))
    scene.there.open(lambda arrival: stopped.set() if arrival.content == STOP else None)
    scene.run()
    assert LATENESS_LIMIT - 0.05 <= ended - began < 20.0
    assert scene.robot.did == [0.1, 0.2]


@pytest.mark.wall_clock
def test_a_pause_is_made_in_another_thread_once_robots_have_been_told_and_then_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Scene(WallClock(), (0.0, nothing), (0.3, nothing))
    told: list[list[object]] = []
    flushed: list[float] = []
    monkeypatch.setattr(scene.here, "flush", flushed.append)
    threads: list[threading.Thread] = []

    def then() -> None:
        told.append([content for _, content in scene.sent])
        assert flushed == [0.5]
        threads.append(threading.current_thread())

    def report(run: Run) -> None:
        if not told:
            run.pause(then)

    scene.run(report)
    assert threads != [threading.main_thread()]
    assert threads[0].daemon  # it keeps no program from its end
    assert not threads[0].is_alive()
    assert told[0][-1] == STOP
    assert len(told) == 1
    assert scene.robot.did == [0.0, 0.3]
    assert [content.up for _, content in scene.robot.heard if isinstance(content, Link)] == [True, False, True]


def test_a_run_without_robots_pauses_at_once() -> None:
    done: list[bool] = []
    with Simulator(Robot((1.0, nothing))) as simulator:
        going = Run(simulator)
        going.until(report=lambda: going.pause(lambda: done.append(True)))
    assert done
    assert going.held_up == 0.0


def test_where_nothing_can_be_held_a_pause_is_made_at_once() -> None:
    scene = Scene(WallClock(), (0.0, nothing), holds=False)
    done: list[threading.Thread] = []
    scene.run(lambda run: run.pause(lambda: done.append(threading.current_thread())))
    assert set(done) == {threading.main_thread()}
