"""What two peers say to each other arrives once and in order, or there is a fault."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from devs_robotics import Link, ModelError, Packet
from devs_robotics.core.distribution import Session
from devs_robotics.core.distribution.partition import anything
from devs_robotics.core.distribution.peer import Fits
from devs_robotics.core.distribution.wire import LARGEST_MESSAGE, Beat, StepValues, UnfitForWireError, decode_message
from tests.devs_robotics.core.distribution.by_hand import Network, two_ends
from tests.devs_robotics.core.small_models import Listener, Sender

SESSION = Session("run", "", beat=0.25)
COUNT = 30
LATE = SESSION.patience + 20.0

LOST: tuple[float, ...] = ()
fates = st.sampled_from([(0.0,), (0.01,), (0.3,), (0.02, 0.02), (0.0, 0.4), LOST])
"""On time, late, overtaken by others, twice, lost."""


def network(fate: Iterable[tuple[float, ...]] = (), session: Session = SESSION) -> tuple[Network, Listener]:
    """A sender of COUNT numbers, one every 0.1 s, a listener in another process; and the fates of the first packets."""
    sender = Sender("sender", *((0.1 * number, number) for number in range(1, COUNT + 1)))
    listener = Listener()
    left: Iterator[tuple[float, ...]] = iter(fate)
    return Network(two_ends(sender, listener, session), lambda: next(left, (0.0,))), listener


def heard(listener: Listener) -> list[int]:
    assert all(len(bag) == 1 for bag in listener.bags)
    return [bag[0] for bag in listener.bags]


@given(st.lists(fates, max_size=8))
@settings(max_examples=300)
def test_a_few_packets_lost_repeated_and_reordered_are_no_matter(fate: list[tuple[float, ...]]) -> None:
    net, listener = network(fate)
    net.run(LATE)
    assert heard(listener) == list(range(1, COUNT + 1))
    assert not any(net.faults.values())


@given(st.lists(fates, max_size=80), st.integers(1, 20))
@example([LOST] * 80, 5)
@settings(max_examples=300)
def test_everything_arrives_in_order_or_there_is_a_fault(fate: list[tuple[float, ...]], keep: int) -> None:
    net, listener = network(fate, Session("run", "", beat=0.25, keep=keep))
    net.run(LATE)
    came = heard(listener)
    assert came == list(range(1, len(came) + 1))
    assert len(came) == COUNT or any(net.faults.values())
    assert all(len(faults) <= 1 for faults in net.faults.values())


@pytest.mark.parametrize("rate", [1.0, 8.0])
def test_beats_come_at_their_pace_of_real_time_whatever_else_is_said(rate: float) -> None:
    session = Session("run", "", rate=rate, beat=0.25)
    net, _ = network(session=session)
    sent: list[tuple[float, bytes]] = []
    whole = net._collect

    def collect(name: str) -> None:
        if name == "left":
            sent.extend((net.now, packet.data) for packet in net.parts["left"].wires["right"].outgoing.values)
        whole(name)

    net._collect = collect  # type: ignore[method-assign]
    net.run(4.0)
    messages = [(time, decode_message(data)) for time, data in sent]
    beats = [time for time, message in messages if isinstance(message, Beat)]
    pace = 0.25 * rate
    assert beats == pytest.approx([pace * number for number in range(int(4.0 / pace) + 1)], abs=1e-9)
    for time, message in messages:
        if isinstance(message, StepValues):
            assert message.time == pytest.approx(time, abs=1e-9)
            assert message.time == pytest.approx(0.1 * message.number, abs=1e-9)


def test_delays_are_from_the_sending_of_a_message_to_its_delivery() -> None:
    net, listener = network()
    net.fate = lambda: (0.3,)
    net.run(2.0)
    delays = net.parts["right"].peers["left"].delays
    assert len(delays) == len(listener.bags) > 10
    assert list(delays) == pytest.approx([0.3] * len(delays), abs=1e-9)


def test_silence_is_the_time_since_the_last_valid_word_of_the_other_side() -> None:
    net, _ = network()
    net.run(1.0)
    net.fate = lambda: LOST
    right = net.parts["right"].peers["left"]
    net.run(1.5)
    assert right.silence(net.now) == pytest.approx(0.5)
    net.inject("right", net.parts["right"].wires["left"].incoming, Packet(b"\xc1"))
    net.run(1.75)
    assert right.silence(net.now) == pytest.approx(0.75)
    net.inject("right", net.parts["right"].wires["left"].incoming, Packet(msgspec.msgpack.encode(beat())))
    net.run(2.0)
    assert right.silence(net.now) == pytest.approx(0.25)


def test_the_loss_of_the_last_message_is_noticed_and_mended() -> None:
    net, listener = network()
    net.run(0.1 * COUNT - 0.05)
    net.fate = lambda: LOST
    net.run(0.1 * COUNT)
    net.fate = lambda: (0.0,)
    net.run(0.1 * COUNT + 2 * SESSION.beat)
    assert heard(listener)[-1] == COUNT


def test_messages_that_are_no_longer_kept_are_a_fault_of_both_sides() -> None:
    net, _ = network(session=Session("run", "", keep=3))
    net.run(0.35)
    net.fate = lambda: LOST
    net.run(1.05)
    net.fate = lambda: (0.0,)
    net.run(LATE)
    assert net.faults["left"] == [
        "right asks for messages that are no longer kept here: see whether it still runs and can reach the broker"
    ]
    assert len(net.faults["right"]) == 1


@pytest.mark.parametrize("rate", [1.0, 8.0])
def test_a_process_that_is_not_heard_of_is_a_fault_after_the_patience_in_real_time(rate: float) -> None:
    net, _ = network(session=Session("run", "", rate=rate))
    net.run(1.0)
    net.alive["left"] = False
    net.run(1.0 + 1.9 * rate)
    assert net.faults["right"] == []
    net.run(1.0 + 2.3 * rate)
    assert net.faults["right"] == [
        "node 1 (robot 7) has not been heard of for 2 s: see whether it still runs and can reach the broker"
    ]


def test_a_process_that_never_says_anything_is_a_fault_and_the_link_s_trouble_is_told() -> None:
    net, _ = network()
    net.alive["left"] = False
    lost = Link(up=False, reason="the broker refused the password")
    net.inject("right", net.parts["right"].wires["left"].incoming, lost)
    net.run(3.0)
    assert net.now > 2.0
    assert net.faults["right"][0].endswith("can reach the broker (the broker refused the password)")


def test_a_link_that_comes_up_again_is_used_at_once() -> None:
    net, listener = network()
    net.fate = lambda: LOST
    net.run(1.01)
    net.fate = lambda: (0.0,)
    net.inject("left", net.parts["left"].wires["right"].incoming, Link(up=True))
    net.run(1.02)
    assert heard(listener) == list(range(1, 11))


def values(number: int = 1, port: str = "sender.said", content: object = (1,), time: float = 0.0) -> StepValues:
    raw = msgspec.Raw(msgspec.msgpack.encode(content))
    return StepValues(run="run", sender="left", number=number, time=time, bags={port: raw})


def beat(sent: int = 0, received: int = 0, run: str = "run", sender: str = "left") -> Beat:
    return Beat(run=run, sender=sender, sent=sent, received=received, again=False)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("size", b"\x00" * (LARGEST_MESSAGE + 1)),
        ("garbage", b"\xc1"),
        ("run", beat(run="another")),
        ("sender", beat(sender="right")),
        ("number", beat(received=1)),
        ("garbage", msgspec.msgpack.encode({**msgspec.to_builtins(beat()), "sent": 2**60})),
        ("port", values(port="sender.other")),
        ("type", values(content=("one",))),
        ("type", values(content=1)),
        ("NaN", values(content=(1, float("nan")))),
        ("time", values(time=float("nan"))),
    ],
)
def test_what_is_not_valid_is_counted_by_kind_and_dropped(kind: str, message: Beat | StepValues | bytes) -> None:
    sender, listener = Sender("sender"), Listener()
    sender.said.p_type = listener.heard.p_type = int if kind == "type" else None
    net = Network(two_ends(sender, listener, SESSION))
    data = message if isinstance(message, bytes) else msgspec.msgpack.encode(message)
    net.inject("right", net.parts["right"].wires["left"].incoming, Packet(data))
    net.run(1.0)
    assert net.parts["right"].peers["left"].dropped == {kind: 1}
    assert not listener.notes


def test_a_value_that_does_not_fit_its_port_is_dropped_and_its_loss_is_a_fault() -> None:
    def fits(port: str, value: int) -> bool:
        assert port == "sender.said"
        return value != 3

    sender, listener = Sender("sender", (0.1, 1), (0.2, 2), (0.3, 3), (0.4, 4)), Listener()
    net = Network(two_ends(sender, listener, SESSION, fits))
    net.run(LATE)
    assert heard(listener) == [1, 2]
    assert net.parts["right"].peers["left"].dropped["value"] > 1
    assert net.faults["right"][0].startswith(
        "2 messages of node 1 (robot 7) did not come in a valid form, although asked for again for 2 s: "
    )


def test_ten_thousand_garbage_frames_do_no_harm() -> None:
    net, listener = network()
    chance = random.Random(1)
    whole = [msgspec.msgpack.encode(each) for each in (values(), beat(), values(content=[[[1.5]]]))]
    port = net.parts["right"].wires["left"].incoming
    for number in range(10_000):
        frame = bytearray(chance.choice(whole) if number % 2 else chance.randbytes(chance.randrange(60)))
        for _ in range(3):
            if frame:
                frame[chance.randrange(len(frame))] = chance.randrange(256)
        net.inject("right", port, Packet(bytes(frame)))
    net.run(LATE)
    assert sum(net.parts["right"].peers["left"].dropped.values()) > 9_000
    assert len(listener.bags) >= COUNT - 1 or net.faults["right"]


def hearing(fits: Fits = anything) -> tuple[Network, Listener]:
    """A listener in another process, which hears only what the test says."""
    sender, listener = Sender("sender"), Listener()
    net = Network(two_ends(sender, listener, SESSION, fits), lambda: LOST)
    return net, listener


def say(net: Network, *messages: Beat | StepValues) -> None:
    for message in messages:
        packet = Packet(msgspec.msgpack.encode(message))
        net.inject("right", net.parts["right"].wires["left"].incoming, packet)


def test_one_value_that_does_not_fit_spoils_its_message() -> None:
    net, listener = hearing(lambda port, value: value != 3)
    say(net, values(1, content=(1, 2)), values(2, content=(1, 3)), values(3, content=(4,)))
    net.run(0.1)
    assert listener.bags == [[1, 2]]
    assert net.parts["right"].peers["left"].dropped == {"value": 1}


def test_another_process_than_the_other_one_is_not_listened_to() -> None:
    net, listener = hearing()
    say(net, StepValues(run="run", sender="third", number=1, time=0.0, bags=values().bags), beat(sender="third"))
    net.run(0.1)
    assert listener.bags == []
    assert net.parts["right"].peers["left"].dropped == {"sender": 2}


def test_silence_ends_with_a_word_though_messages_are_missing() -> None:
    net, _ = hearing()
    right = net.parts["right"].peers["left"]
    for time in (0.5, 1.0, 1.5):
        net.run(time)
        say(net, beat(sent=9))
    net.run(1.75)
    assert right.silence(net.now) == pytest.approx(0.25)


def test_messages_that_come_one_by_one_are_waited_for_as_long_as_some_come() -> None:
    net, listener = hearing()
    steps = int(3 * SESSION.patience / 0.5)
    for step in range(1, steps + 1):
        net.run(0.5 * step)
        say(net, beat(sent=99), *([values(step // 3)] if step % 3 == 0 else []))
    assert net.faults["right"] == []
    assert len(listener.bags) == steps // 3 - 1  # the last one is just coming
    for step in range(steps + 1, 2 * steps):
        net.run(0.5 * step)
        say(net, beat(sent=99))
    assert "did not come in a valid form" in net.faults["right"][0]


def test_the_trouble_of_a_link_that_is_up_again_is_not_told() -> None:
    net, _ = hearing()
    for link in (Link(up=False, reason="the broker refused the password"), Link(up=True)):
        net.inject("right", net.parts["right"].wires["left"].incoming, link)
    net.run(SESSION.patience + 0.1)
    assert net.faults["right"][0].endswith("see whether it still runs and can reach the broker")


def test_what_the_other_side_has_is_forgotten() -> None:
    net, listener = network()
    net.run(LATE)
    assert len(listener.bags) == COUNT
    assert not net.parts["left"].peers["right"]._outbox._kept


@pytest.mark.parametrize("size", [LARGEST_MESSAGE // 2, LARGEST_MESSAGE])
def test_more_than_a_message_can_hold_is_the_senders_mistake(size: int) -> None:
    sender, listener = Sender("sender", (0.1, "x" * size)), Listener()
    net = Network(two_ends(sender, listener, SESSION))
    if size < LARGEST_MESSAGE:
        net.run(0.2)
        assert listener.bags == [["x" * size]]
        return
    with pytest.raises(
        ModelError, match=rf"peer_right cannot send \d+ bytes at once to right .*: send at most {LARGEST_MESSAGE}"
    ):
        net.run(0.2)


def test_a_message_of_the_largest_size_is_read() -> None:
    with pytest.raises(UnfitForWireError, match="garbage"):
        decode_message(b"\xc1" * LARGEST_MESSAGE)
    with pytest.raises(UnfitForWireError, match="size"):
        decode_message(b"\xc1" * (LARGEST_MESSAGE + 1))
