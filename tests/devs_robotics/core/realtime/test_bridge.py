"""What comes from outside: each link in its turn, whatever the others send."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest
from xdevs.models import Port as XdevsPort

from devs_robotics import Bridge, HandClock, HeldLink, Link, Loopback, LostLink, ModelError, Packet, Run, Simulator
from devs_robotics.core.realtime.bridge import BACKPRESSURE_TIMEOUT
from devs_robotics.core.realtime.intake import LARGEST_BATCH, MOST_BATCHES_AHEAD, MOST_BATCHES_IN_A_ROW
from tests.devs_robotics.core.realtime.many_robots import Robots

STOP = b"stop"


class World:
    """Two robots at one bridge; what goes out to each, and a clock by hand.

    Args:
        streams: their links keep no boundaries of packets
        stoppable: whether they have stop messages
    """

    def __init__(self, *, streams: bool = True, stoppable: bool = True, capacity: int = 10_000) -> None:
        self.model = Robots(2)
        self.clock = HandClock()
        self.bridge = Bridge(capacity)
        self.robots: list[Loopback] = []
        self.told: list[list[bytes]] = [[], []]
        for number in range(2):
            here, there = Loopback.pair()
            here.is_stream = streams
            there.listen("")
            there.open(self._hears(number))
            stop_message = (lambda: [STOP]) if stoppable else None
            self.bridge.connect(
                here, self.model.outgoing[number], self.model.incoming[number], stop_message=stop_message
            )
            self.robots.append(there)

    def _hears(self, number: int) -> Callable[[object], None]:
        def hear(arrival: object) -> None:
            content = getattr(arrival, "content", None)
            if isinstance(content, Packet):
                self.told[number].append(content.data)

        return hear

    def run(self, until: float, report: Callable[[], None] = lambda: None) -> None:
        with Simulator(self.model) as simulator:
            Run(simulator, self.clock, self.bridge).until(time=until, report=report)

    def heard(self, number: int) -> list[tuple[float, Packet | Link]]:
        return self.model.robots[number].heard

    def packets(self, number: int) -> list[tuple[float, bytes]]:
        return [(at, content.data) for at, content in self.heard(number) if isinstance(content, Packet)]


def held(world: World) -> None:
    """Hold all robots."""
    assert world.bridge.hold("why")


@pytest.mark.parametrize("streams", [True, False])
def test_a_flood_is_given_up_by_name_and_holds_no_other_link_up(streams: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # this thread must not be held up by itself
    monkeypatch.setattr("devs_robotics.core.realtime.bridge.BACKPRESSURE_TIMEOUT", 0.0)
    world = World(streams=streams)
    flooder, other = world.robots
    turns = 0

    def flood() -> None:
        nonlocal turns
        turns += 1
        world.clock.go_on(0.001)  # as real time would
        if not isinstance(world.heard(0)[-1][1], LostLink):
            for _ in range(MOST_BATCHES_AHEAD + 1):
                flooder.send("", bytes(LARGEST_BATCH))
        if turns % 10 == 0:
            other.send("", b"%d" % turns)

    world.run(3.0, flood)
    lost = [(at, content) for at, content in world.heard(0) if isinstance(content, LostLink)]
    assert len(lost) == 1
    assert not lost[0][1].up
    assert lost[0][1].reason.startswith("sends faster than this program can read (1.7 MB without a pause): ")
    assert world.heard(0)[-1] == lost[0]  # nothing is heard of it any more
    assert len(world.packets(0)) <= MOST_BATCHES_IN_A_ROW + 2 * MOST_BATCHES_AHEAD
    assert world.told[0].count(STOP) == 2  # once more at the end
    assert not [content for _, content in world.heard(1) if isinstance(content, LostLink)]
    assert world.told[1].count(STOP) == 1
    assert [int(data) for _, data in world.packets(1)] == list(range(10, turns + 1, 10))[: len(world.packets(1))]
    assert len(world.packets(1)) >= turns // 10 - 1


def test_what_refills_an_inbox_while_it_is_emptied_has_to_wait() -> None:
    world = World(streams=False)
    injected = 0

    class Refilled(Simulator):
        """For each input that comes from outside another one arrives."""

        def inject(self, port: XdevsPort[Any], *values: Any, at: float | None = None) -> None:
            nonlocal injected
            injected += 1
            assert injected < 1000
            super().inject(port, *values, at=at)
            world.clock.go_on(0.02)  # too far apart to come together
            world.robots[0].send("", b"%d" % injected)

    world.bridge.open(world.clock)
    with Refilled(world.model) as simulator:
        for turn in range(1, 100):
            before = injected
            world.bridge.collect(simulator, world.clock.now())
            assert injected - before <= 2 * MOST_BATCHES_AHEAD
            if turn % 10 == 0:
                simulator.run()
        simulator.run()
    world.bridge.close()
    numbers = [int(data) for _, data in world.packets(0)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 50


def test_a_link_without_a_stop_message_is_not_given_up() -> None:
    world = World(stoppable=False)
    sent = 0

    def flood() -> None:
        nonlocal sent
        world.clock.go_on(0.001)
        for _ in range(MOST_BATCHES_AHEAD + 1 if sent < 2 * MOST_BATCHES_IN_A_ROW else 0):
            sent += 1
            world.robots[0].send("", b"%d" % sent)

    world.run(3.0, flood)
    assert b"".join(data for _, data in world.packets(0)) == b"".join(b"%d" % number for number in range(1, sent + 1))


def test_packets_come_at_the_time_at_which_they_came_and_not_after_now() -> None:
    world = World(streams=False)
    world.bridge.open(world.clock)
    with Simulator(world.model) as simulator:
        for at in (1.0, 3.0, 5.0):
            world.clock.go_on(at - world.clock.now())
            world.robots[0].send("", b"%d" % at)
        simulator.run(until=2.0)
        world.bridge.collect(simulator, 4.0)  # a clock that was set back since
        assert simulator.next_time == 0.0
        simulator.run(until=4.0)
    world.bridge.close()
    assert world.packets(0) == [(1.0, b"1"), (3.0, b"3"), (4.0, b"5")]


def test_nothing_goes_out_after_the_stop_message_of_what_is_held() -> None:
    world = World()
    held: list[bool] = []
    world.model.robots[0].says = [(2.0, b"before"), (4.0, b"held"), (6.0, b"after")]
    world.model.robots[1].says = [(4.0, b"held")]
    world.clock.at(3.0, lambda: held.append(world.bridge.hold("why", unseen=0.25)))
    world.clock.at(5.0, world.bridge.release)
    world.run(7.0)
    assert held == [True]
    assert world.told == [[b"before", STOP, b"after", STOP], [STOP, STOP]]
    words = [content for _, content in world.heard(0)]
    assert words == [Link(up=True), HeldLink(up=False, reason="why", unseen=0.25), Link(up=True)]


def test_a_hold_for_two_reasons_ends_with_the_second() -> None:
    world = World()
    for at, action in (
        (1.0, lambda: world.bridge.hold("a")),
        (2.0, lambda: world.bridge.hold("b")),
        (3.0, lambda: world.bridge.release("a")),
        (4.0, lambda: world.bridge.release("never")),
        (5.0, lambda: world.bridge.release("b")),
        (6.0, world.bridge.release),
    ):
        world.clock.at(at, lambda action=action: action() and None)  # type: ignore[misc]
    world.run(7.0)
    times = [round(at) for at, content in world.heard(0) if isinstance(content, Link)]
    assert times == [0, 1, 5]
    assert [content.up for _, content in world.heard(0) if isinstance(content, Link)] == [True, False, True]


def test_what_came_while_it_was_held_is_too_old() -> None:
    world = World(streams=False)
    world.clock.at(1.0, lambda: held(world))
    for at in (0.5, 2.0, 4.0):
        world.clock.at(at, lambda at=at: world.robots[0].send("", b"%.1f" % at))  # type: ignore[misc]
    world.clock.at(3.0, world.bridge.release)
    world.run(5.0)
    assert world.packets(0) == [(0.5, b"0.5"), (4.0, b"4.0")]


def test_a_link_that_is_lost_and_back_while_it_is_held_is_there_again_once() -> None:
    world = World()
    world.clock.at(1.0, lambda: held(world))
    world.clock.at(2.0, world.robots[0].cut)
    world.clock.at(2.5, world.robots[0].mend)
    world.clock.at(3.0, world.bridge.release)
    world.run(5.0)
    assert [content.up for _, content in world.heard(0) if isinstance(content, Link)] == [True, False, True]


def test_a_bridge_that_is_opened_again_remembers_nothing() -> None:
    world = World(streams=False)
    with Simulator(world.model) as simulator:
        world.bridge.open(world.clock)
        world.robots[0].send("", b"old")
        world.bridge.hold("why")
        world.bridge.close()
        for robot in world.robots:
            robot.open(lambda arrival: None)
        world.bridge.open(world.clock)
        world.robots[0].send("", b"new")
        world.bridge.collect(simulator, 0.0)
        simulator.run(until=0.0)
        world.bridge.close()
    assert [content for _, content in world.heard(0)] == [Link(up=True), Packet(b"new")]


def test_a_hold_in_a_new_simulation_is_told_of_at_its_own_time() -> None:
    world = World()
    world.run(5.0)
    for robot in world.robots:
        robot.open(lambda arrival: None)
    world.model.robots[0].heard.clear()
    world.bridge.open(world.clock)
    with Simulator(world.model) as simulator:
        held(world)
        world.bridge.collect(simulator, 0.0)
        assert simulator.next_time == 0.0
        simulator.run(until=0.0)
    world.bridge.close()
    assert world.heard(0) == [(0.0, HeldLink(up=False, reason="why", unseen=0.0))]


def test_a_link_that_was_given_up_is_heard_again_when_the_bridge_is_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("devs_robotics.core.realtime.intake.MOST_BATCHES_IN_A_ROW", 0)
    world = World(streams=False)
    with Simulator(world.model) as simulator:
        world.bridge.open(world.clock)
        for number in range(MOST_BATCHES_AHEAD):
            world.clock.go_on(1.0)
            world.robots[0].send("", b"%d" % number)
        world.bridge.collect(simulator, world.clock.now())
        simulator.run(until=world.clock.now())
        assert isinstance(world.heard(0)[-1][1], LostLink)
        world.bridge.close()
        for robot in world.robots:
            robot.open(lambda arrival: None)
        world.bridge.open(world.clock)
        world.robots[0].send("", b"new")
        world.bridge.collect(simulator, world.clock.now())
        simulator.run(until=world.clock.now())
        world.bridge.close()
    assert [content for _, content in world.heard(0)[-2:]] == [Link(up=True), Packet(b"new")]


def test_the_stop_message_of_one_does_not_depend_on_that_of_another() -> None:
    def fail() -> list[bytes]:
        raise ZeroDivisionError

    world = World()
    world.bridge._ends[0].stop_message = fail
    world.bridge._ends.append(world.bridge._ends.pop(0))
    world.bridge.open(world.clock)
    with pytest.raises(ModelError, match=r"the stop message for .* failed: ZeroDivisionError"):
        world.bridge.hold("why")
    assert world.told[1] == [STOP]
    world.bridge._ends.reverse()
    with pytest.raises(ModelError, match=r"the stop message for .* failed: ZeroDivisionError"):
        world.bridge.close()
    assert world.told[1] == [STOP, STOP]


@pytest.mark.wall_clock
def test_a_transport_of_one_robot_is_held_up_while_there_is_no_room() -> None:
    world = World(capacity=2)
    world.bridge.open(world.clock)  # each takes a place: the word that the link is up
    world.robots[0].send("", b"a")
    begun = time.monotonic()
    world.robots[0].send("", b"b")
    assert time.monotonic() - begun >= BACKPRESSURE_TIMEOUT
    assert world.bridge.dropped == 1
    taken = Event()

    def send() -> None:
        world.robots[0].send("", b"c")
        taken.set()

    thread = Thread(target=send)
    thread.start()
    with Simulator(world.model) as simulator:
        world.bridge.collect(simulator, 0.0)
        assert taken.wait(20.0)
        world.bridge.collect(simulator, 0.0)
        simulator.run(until=0.0)
    thread.join()
    assert b"".join(data for _, data in world.packets(0)) in (b"bc", b"c")
    world.bridge.close()


@pytest.mark.wall_clock
def test_a_transport_of_several_robots_is_not_held_up_by_one() -> None:
    model, bridge, clock = Robots(2), Bridge(capacity=3), HandClock()
    here, there = Loopback.pair()
    there.open(lambda arrival: None)
    for number in range(2):
        bridge.connect(here, None, model.incoming[number], listen_on=f"robot/{number}", stop_message=lambda: [STOP])
    bridge.open(clock)
    begun = time.monotonic()
    for number in range(20):
        there.send("robot/0", b"%d" % number)
    there.send("robot/1", b"here")
    assert time.monotonic() - begun < BACKPRESSURE_TIMEOUT
    assert bridge.dropped == 18
    with Simulator(model) as simulator:
        bridge.collect(simulator, 0.0)
        simulator.run(until=0.0)
    bridge.close()
    assert [content for _, content in model.robots[0].heard] == [Link(up=True), Packet(b"18"), Packet(b"19")]
    assert [content for _, content in model.robots[1].heard] == [Link(up=True), Packet(b"here")]


@pytest.mark.wall_clock
@pytest.mark.parametrize("makes_room", ["collect", "release", "close"])
def test_a_transport_that_is_held_up_goes_on_as_soon_as_there_is_room(
    makes_room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devs_robotics.core.realtime.bridge.BACKPRESSURE_TIMEOUT", 60.0)
    world = World(capacity=2)
    world.bridge.open(world.clock)  # which takes a place: the word that the link is up
    if makes_room == "release":
        held(world)
    world.robots[0].send("", b"a")
    thread = Thread(target=world.robots[0].send, args=("", b"b"))
    thread.start()
    end = time.monotonic() + 20.0
    while not world.bridge._changed._waiters and time.monotonic() < end:  # type: ignore[attr-defined]
        pass
    with Simulator(world.model) as simulator:
        if makes_room == "collect":
            world.bridge.collect(simulator, 0.0)
        elif makes_room == "release":
            world.bridge.release()
        else:
            world.bridge.close()
        thread.join(20.0)
        assert not thread.is_alive()
    world.bridge.close()


@pytest.mark.wall_clock
def test_a_start_waits_for_links_no_longer_than_they_take() -> None:
    model, bridge = Robots(1), Bridge()
    here, there = Loopback.pair()
    bridge.connect(here, None, model.incoming[0])
    bridge.open(HandClock())
    thread = Thread(target=bridge.settle, args=(60.0,))
    thread.start()
    end = time.monotonic() + 20.0
    while not bridge._changed._waiters and time.monotonic() < end:  # type: ignore[attr-defined]
        pass
    there.open(lambda arrival: None)
    thread.join(20.0)
    assert not thread.is_alive()
    bridge.close()
