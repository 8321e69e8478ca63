"""The same rules for every transport, each with a real peer."""

from __future__ import annotations

import random
import threading
import time
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.hil.transports.inbox import PATIENCE, Inbox
from tests.hil.transports.worlds import WORLDS, MqttWorld, World

MEGABYTE = 1_000_000

between_threads = pytest.mark.parametrize("world", [name for name in WORLDS if name != "loopback"], indirect=True)
"""A loopback hands packets over in the sender's thread, and so cannot hold it up."""


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    threads = set(threading.enumerate())
    built = WORLDS[request.param](tmp_path)
    try:
        yield built
    finally:
        for inbox in (built.inbox, built.far):
            inbox.gate.set()
        built.near.close()
        built.clean_up()
    for thread in set(threading.enumerate()) - threads:
        thread.join(PATIENCE)  # one that was held up ends only now
        assert not thread.is_alive()


def some_packets(number: int, longest: int) -> list[bytes]:
    """Packets of all bytes that there are, control characters included; some of them are empty."""
    rng = random.Random(number)
    return [rng.randbytes(rng.randint(0, longest)) for _ in range(number)]


def wait_for_all(world: World, inbox: Inbox, packets: list[bytes]) -> None:
    """Wait until everything has arrived, and see that it is that and nothing else, in order."""
    whole = b"".join(packets)
    while (before := inbox.arrived) < len(whole):  # as long as it goes on coming, however slow this machine is
        inbox.wait_for(lambda before=before: inbox.arrived > before)  # type: ignore[misc]
    inbox.wait_for(lambda: len(inbox.packets) >= len(packets) or not world.boundaries)
    assert inbox.stream == whole
    if world.boundaries:
        assert inbox.packets == packets


def say_until_heard(world: World, words: bytes) -> None:
    """Both ends can be heard (again); what is said while one of them connects anew may be lost."""
    end = time.monotonic() + PATIENCE
    for inbox, say in ((world.far, world.send), (world.inbox, world.answer)):
        while not inbox.has(words):
            assert time.monotonic() < end, f"{words!r} was not heard"
            say(words)
            inbox.wait_until(partial(inbox.has, words), 0.2)


def test_all_packets_arrive_once_and_in_order_in_both_directions(world: World) -> None:
    world.open()
    packets = some_packets(2000, longest=40)
    for packet in packets:
        world.send(packet)
        world.answer(packet)
    wait_for_all(world, world.far, packets)
    wait_for_all(world, world.inbox, packets)
    assert (world.near.counts.sent, world.near.counts.dropped) == (2000, 0)


def test_large_packets_arrive_whole(world: World) -> None:
    world.open()
    packets = [random.Random(1).randbytes(world.large), b"then a small one"]
    for packet in packets:
        world.send(packet)
        world.answer(packet)
    wait_for_all(world, world.far, packets)
    wait_for_all(world, world.inbox, packets)


def test_what_is_sent_before_the_link_is_up_is_dropped_and_counted(world: World) -> None:
    world.send(b"too early")
    world.open()
    world.send(b"in time")
    wait_for_all(world, world.far, [b"in time"])
    assert world.near.counts.dropped == 1


def test_what_is_sent_while_the_link_is_down_is_dropped_and_counted_and_the_link_comes_back(world: World) -> None:
    world.open()
    heard = []
    for words in (b"once", b"twice"):
        seen = len(world.inbox.links)
        world.kill()
        lost = world.inbox.wait_for_link(up=False, after=seen)
        assert lost.reason
        dropped = world.near.counts.dropped
        for _ in range(5):
            world.send(b"an old command")
        assert world.near.counts.dropped == dropped + 5
        world.revive()
        world.inbox.wait_for_link(up=True, after=seen)
        world.send(words)
        world.answer(words)
        heard.append(words)
        wait_for_all(world, world.far, heard)
        wait_for_all(world, world.inbox, heard)


def test_what_was_queued_when_the_link_was_lost_is_not_heard_after_it_has_come_back(world: World) -> None:
    world.open()
    old = [number.to_bytes(4, "big") * 250 for number in range(1000)]
    for packet in old:
        world.send(packet)
    world.kill()
    world.inbox.wait_for_link(up=False)
    heard = world.far.stream
    assert b"".join(old).startswith(heard)
    links = len(world.inbox.links)
    world.revive()
    world.inbox.wait_for_link(up=True, after=links)
    world.send(b"a new command")
    world.far.wait_for(lambda: world.far.has(b"a new command"))
    assert world.far.stream == heard + b"a new command"
    assert world.near.counts.sent + world.near.counts.dropped == 1001


@between_threads
def test_a_peer_that_takes_nothing_slows_no_sender_and_fills_no_memory(world: World) -> None:
    world.open()
    world.far.gate.clear()
    tracemalloc.start()
    began = time.monotonic()
    for number in range(2000):
        world.send(number.to_bytes(4, "big") * 2500)
    took = time.monotonic() - began
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 5.0
    assert peak < 12 * MEGABYTE  # of 20
    world.far.gate.set()
    say_until_heard(world, b"can you hear me?")


@between_threads
def test_a_receiver_that_is_held_up_slows_its_peer_and_fills_no_memory(world: World) -> None:
    world.open()
    world.inbox.gate.clear()
    packets = [number.to_bytes(4, "big") * 2500 for number in range(world.flood)]
    done = Event()

    def flood() -> None:
        for packet in packets:
            world.answer(packet)
        done.set()

    tracemalloc.start()
    sender = Thread(target=flood)
    sender.start()
    done.wait(0.5)  # by then it has sent everything, or waits
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 * MEGABYTE  # of 20
    world.inbox.gate.set()
    sender.join(PATIENCE)
    assert done.is_set()
    if not isinstance(world, MqttWorld):  # a broker may drop what a client does not take
        wait_for_all(world, world.inbox, packets)
    say_until_heard(world, b"can you hear me?")


def test_what_was_queued_is_sent_before_it_closes(world: World) -> None:
    world.open()
    packets = some_packets(500, longest=40)
    for packet in packets:
        world.send(packet)
    world.near.close()
    wait_for_all(world, world.far, packets)


def test_after_closing_nothing_arrives_and_no_thread_is_left(world: World) -> None:
    threads = set(threading.enumerate())
    world.open()
    say_until_heard(world, b"hello")
    before = list(world.inbox.arrivals)
    began = time.monotonic()
    world.near.close()
    assert time.monotonic() - began < 2.0
    assert not [thread for thread in set(threading.enumerate()) - threads if world.near.address in thread.name]
    world.answer(b"is anybody there?")
    world.near.close()
    assert world.inbox.arrivals == before
    world.send(b"too late")
    assert world.near.counts.dropped == 1


def test_closing_takes_bounded_time_while_the_link_is_down(world: World) -> None:
    world.open()
    world.kill()
    world.inbox.wait_for_link(up=False)
    began = time.monotonic()
    world.near.close()
    assert time.monotonic() - began < 4.0


@between_threads
def test_closing_takes_bounded_time_while_a_receiver_is_held_up(world: World) -> None:
    world.open()
    world.inbox.gate.clear()
    world.answer(b"first")
    assert world.inbox.held.wait(PATIENCE)
    world.answer(b"second")
    began = time.monotonic()
    world.near.close(timeout=0.1)
    assert time.monotonic() - began < 6.0
    world.inbox.gate.set()
    world.inbox.wait_for(lambda: world.inbox.arrived > 0)
    assert b"firstsecond".startswith(world.inbox.stream)


def test_closing_before_opening_does_nothing(world: World) -> None:
    world.near.close()
    assert world.inbox.arrivals == []
