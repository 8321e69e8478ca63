"""Runs on a clock: the same events as in fast mode, measured lateness, and what comes from outside."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import (
    Atomic,
    Bridge,
    FastClock,
    HandClock,
    Lateness,
    LatenessError,
    Link,
    Loopback,
    ModelError,
    Packet,
    Run,
    Simulator,
    WallClock,
)
from tests.approximately import near
from tests.devs_robotics.core.realtime.station import Station
from tests.devs_robotics.core.small_models import Sender
from tests.devs_robotics.core.test_oracle import UNTIL, Tree, root, trees
from tests.tracing import Trace, Tracer, trace_ours


def trace_on(clock: FastClock | HandClock | WallClock, tree: Tree) -> Trace:
    model = root(tree)
    tracer = Tracer(model)
    with Simulator(model) as simulator:
        simulator.attach(tracer)
        Run(simulator, clock, lateness=Lateness()).until(time=UNTIL)
    return tracer.trace


@given(trees, st.floats(0.0, 3.0))
@settings(max_examples=60)
def test_a_clock_changes_nothing_however_late_it_is(tree: Tree, oversleep: float) -> None:
    expected = trace_ours(root(tree), UNTIL)
    assert trace_on(FastClock(), tree) == expected
    assert trace_on(HandClock(oversleep), tree) == expected


@pytest.mark.wall_clock
@given(trees)
@settings(max_examples=10, deadline=None)
def test_the_wall_clock_changes_nothing(tree: Tree) -> None:
    assert trace_on(WallClock(rate=200.0), tree) == trace_ours(root(tree), UNTIL)


@given(st.lists(st.floats(0.1, 5.0), min_size=1, max_size=20), st.floats(0.0, 0.05))
def test_lateness_is_what_the_clock_oversleeps(gaps: list[float], oversleep: float) -> None:
    times = [sum(gaps[: number + 1]) for number in range(len(gaps))]
    lateness = Lateness()
    with Simulator(Sender("sender", *((time, 0) for time in times))) as simulator:
        Run(simulator, HandClock(oversleep), lateness=lateness).until()
    assert list(lateness.times) == [pytest.approx(time) for time in times]
    assert all(0.0 <= late <= oversleep + 1e-9 for late in lateness.values)
    assert max(lateness.values) > 0.0 or oversleep < 1e-3


def test_a_run_that_may_not_be_late_is_broken_off_with_the_time_and_the_remedy() -> None:
    with Simulator(Sender("sender", (1.0, 0), (2.0, 0))) as simulator:
        going = Run(simulator, HandClock(oversleep=0.2), lateness=Lateness("abort", 0.1))
        with pytest.raises(LatenessError, match=r"event at 1\.000 s was handled 200\.0 ms late.*lower rate"):
            going.until()


def test_late_events_are_counted_where_the_run_goes_on() -> None:
    lateness = Lateness("warn", 0.1)
    with Simulator(Sender("sender", (1.0, 0), (2.0, 0))) as simulator:
        Run(simulator, HandClock(oversleep=0.2), lateness=lateness).until()
    assert (lateness.distribution().events, lateness.distribution().too_late) == (2, 2)


def test_a_run_waits_for_a_link_before_it_begins() -> None:
    station, (here, there), bridge = Station(), Loopback.pair(), Bridge()
    bridge.connect(here, station.outgoing, station.incoming)
    opens = threading.Timer(0.05, there.open, [lambda arrival: None])
    opens.start()
    with Simulator(station) as simulator:
        Run(simulator, HandClock(), bridge, patience=60.0).until(time=5.0)
    opens.join()
    assert station.operator.heard == [(0.0, True)]


def test_now_is_as_far_as_nothing_is_still_to_happen_before() -> None:
    with Simulator(Sender("sender", (1.0, 0), (3.0, 0))) as simulator:
        clock = HandClock()
        run = Run(simulator, clock)
        seen: list[float] = []
        clock.at(0.5, lambda: seen.append(run.now))
        clock.at(2.0, lambda: seen.append(run.now))
        run.until(time=2.5)
        assert seen == [0.5, 2.0]
        clock.go_on(50.0)
        assert run.now == 3.0
        clock.set_back(100.0)
        assert run.now == 1.0
        fast = Run(simulator, FastClock())
        assert fast.now == 1.0


def test_who_stands_can_go_to_the_next_event_and_no_further() -> None:
    with Simulator(Sender("sender", (1.0, 0), (3.0, 0))) as simulator:
        clock = HandClock()
        run = Run(simulator, clock)
        shown: list[float] = []

        def report() -> None:
            if not shown:
                run.stand()
                for _ in range(2):
                    run.go_to_next()
                    shown.append(clock.now())
                run.go_on()

        run.until(time=0.5, report=report)
        assert shown == [1.0, 1.0]
        run.until(time=3.0)
        run.go_to_next()
        assert clock.now() == 3.0, "there is none"


def test_packets_come_at_their_time_and_answers_go_out_at_theirs() -> None:
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    answers: list[tuple[float, object]] = []
    there.listen("answers")
    there.open(lambda arrival: answers.append((clock.now(), arrival.content)))
    bridge.connect(
        here,
        station.outgoing,
        station.incoming,
        send_on="answers",
        listen_on="words",
        stop_message=lambda: [b"goodbye"],
    )
    for time, word in ((1.0, b"one"), (1.25, b"two"), (7.0, b"over")):
        clock.at(time, lambda word=word: there.send("words", word))  # type: ignore[misc]
    clock.at(8.0, lambda: there.send("words", b"too late"))
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(station.over)
        assert simulator.time == 7.5
    assert station.operator.heard == [(0.0, True), (1.0, b"one"), (1.25, b"two"), (7.0, b"over")]
    assert answers == [
        (0.0, Link(up=True)),
        (1.5, Packet(b"ONE")),
        (1.5, Packet(b"TWO")),
        (7.5, Packet(b"OVER")),
        (7.5, Packet(b"goodbye")),
        (7.5, Link(up=False, reason="the other end was closed")),
    ]


def test_the_model_hears_of_its_link() -> None:
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    there.open(lambda arrival: None)
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    clock.at(2.0, there.cut)
    clock.at(3.0, there.mend)
    clock.at(4.0, lambda: there.send("words", b"over"))
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(station.over)
    assert station.operator.heard == [(0.0, True), (2.0, False), (3.0, True), (4.0, b"over")]


def test_stop_messages_are_sent_when_a_model_fails() -> None:
    class Faulty(Station):
        def __init__(self) -> None:
            super().__init__()
            self.add_component(Bomb("bomb"))

    class Bomb(Atomic):
        def initialize(self) -> None:
            self.hold_in("ticking", 3.0)

        def lambdaf(self) -> None:
            raise ZeroDivisionError

    station, (here, there), bridge = Faulty(), Loopback.pair(), Bridge()
    heard: list[object] = []
    there.listen("out")
    there.open(lambda arrival: heard.append(arrival.content))
    bridge.connect(here, station.outgoing, station.incoming, send_on="out", stop_message=lambda: [b"stop"])
    with Simulator(station) as simulator, pytest.raises(ModelError, match="bomb"):
        Run(simulator, HandClock(), bridge).until(station.over)
    assert Packet(b"stop") in heard


def test_a_stop_message_may_still_be_given_by_its_former_name() -> None:
    station, (here, there), bridge = Station(), Loopback.pair(), Bridge()
    heard: list[object] = []
    there.listen("out")
    there.open(lambda arrival: heard.append(arrival.content))
    with pytest.warns(DeprecationWarning, match="is now called `stop_message`: rename it") as told:
        bridge.connect(here, station.outgoing, station.incoming, send_on="out", last_words=lambda: [b"stop"])
    assert told[0].filename == __file__
    with Simulator(station) as simulator:
        Run(simulator, HandClock(), bridge).until(time=1.0)
    assert Packet(b"stop") in heard


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), SystemExit(0)])
def test_a_stop_message_that_fails_fails_the_run_and_the_others_are_sent(error: BaseException) -> None:
    def failing() -> list[bytes]:
        raise error

    station, (here, there), (other, beyond), bridge = Station(), Loopback.pair(), Loopback.pair(), Bridge()
    heard: list[object] = []
    beyond.listen("out")
    for end in (there, beyond):
        end.open(lambda arrival: heard.append(arrival.content))
    bridge.connect(other, None, station.incoming, send_on="out", stop_message=lambda: [b"stop"])
    bridge.connect(here, station.outgoing, station.incoming, send_on="out", stop_message=failing)
    told = rf"the stop message for station\.incoming failed: {type(error).__name__}"
    with Simulator(station) as simulator, pytest.raises(ModelError, match=told):
        Run(simulator, HandClock(), bridge).until(time=1.0)
    assert Packet(b"stop") in heard


def test_an_interruption_is_noticed_while_nothing_happens() -> None:
    station, (here, _), bridge, clock = Station(), Loopback.pair(), Bridge(), HandClock()
    bridge.connect(here, station.outgoing, station.incoming)
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(station.over, interrupted=lambda: clock.now() > 5.0)
    assert 5.0 < clock.now() < 6.0


def test_a_bridge_that_is_full_holds_its_transports_up_and_then_counts_what_it_drops() -> None:
    station, (here, there), bridge, clock = Station(), Loopback.pair(), Bridge(capacity=2), HandClock()
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    there.open(lambda arrival: None)
    bridge.open(clock)  # takes the first of two places: the word that the link is up
    for word in (b"a", b"b"):
        there.send("words", word)
    assert bridge.dropped == 1
    with Simulator(station) as simulator:
        bridge.collect(simulator, 1.0)
        simulator.run(until=1.0)
    assert station.operator.heard == [(0.0, True), (0.0, b"b")]
    bridge.close()
    there.send("words", b"c")
    assert bridge.dropped == 1


def test_what_a_bridge_holds_sends_its_stop_message_and_takes_its_link_as_lost_until_it_is_released() -> None:
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    sent: list[tuple[float, object]] = []
    held: list[bool] = []
    there.listen("out")
    there.open(lambda arrival: sent.append((clock.now(), arrival.content)))
    bridge.connect(
        here, station.outgoing, station.incoming, send_on="out", listen_on="words", stop_message=lambda: [b"stop"]
    )
    clock.at(2.0, lambda: held.append(bridge.hold("nobody is in command")))
    for time, word in ((1.8, b"unsaid"), (2.5, b"unheard"), (5.0, b"over")):
        clock.at(time, lambda word=word: there.send("words", word))  # type: ignore[misc]
    clock.at(4.0, bridge.release)
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(station.over)
    heard = [(time, content) for time, content in station.operator.heard if time > 0.0]
    assert [content for _, content in heard] == [b"unsaid", False, True, b"over"]
    assert [time for time, _ in heard] == [1.8, pytest.approx(2.0, abs=0.1), pytest.approx(4.0, abs=0.1), 5.0]
    assert [content for _, content in sent if isinstance(content, Packet)] == [
        Packet(b"stop"),
        Packet(b"OVER"),
        Packet(b"stop"),
    ]
    assert [time for time, content in sent if content == Packet(b"stop")] == [2.0, 5.5]


@pytest.mark.parametrize("words", [[b"stop"], None])
def test_a_link_that_went_down_while_it_was_held_is_down_afterwards(words: list[bytes] | None) -> None:
    """What has no stop message is not held."""
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    there.open(lambda arrival: None)
    stop_message = None if words is None else lambda: words or []
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words", stop_message=stop_message)
    held: list[bool] = []
    clock.at(1.0, lambda: held.append(bridge.hold("nobody is in command")))
    clock.at(2.0, there.cut)
    clock.at(3.0, bridge.release)
    clock.at(4.0, there.mend)
    clock.at(5.0, lambda: there.send("words", b"over"))
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(station.over)
    down = 2.0 if words is None else pytest.approx(1.0, abs=0.1)
    assert station.operator.heard == [(0.0, True), (down, False), (4.0, True), (5.0, b"over")]
    assert held == [words is not None]


def clock_times(clock: HandClock, *times: float) -> tuple[Sender, list[float]]:
    """A model that sends at these times, and what the clock shows each time it does."""
    shown: list[float] = []

    class Looking(Sender):
        def deltint(self) -> None:
            shown.append(clock.now())
            super().deltint()

    return Looking("sender", *((time, 0) for time in times)), shown


@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=20, unique=True))
@settings(max_examples=30)
def test_no_event_is_handled_before_its_time_whether_lateness_is_measured_or_not(times: list[float]) -> None:
    times.sort()
    for lateness in (None, Lateness()):
        clock = HandClock()
        sender, shown = clock_times(clock, *times)
        with Simulator(sender) as simulator:
            Run(simulator, clock, lateness=lateness).until()
        assert shown == [near(time) for time in times]


def test_a_run_that_lasts_for_a_time_lasts_so_long_although_nothing_happens() -> None:
    clock = HandClock()
    sender, shown = clock_times(clock, 1.0, 2.0, 9.0)
    with Simulator(sender) as simulator:
        Run(simulator, clock).until(time=5.0)
        assert (clock.now(), simulator.time, shown) == (5.0, 2.0, [1.0, 2.0])
        Run(simulator, FastClock()).until(time=8.0)
        assert simulator.time == 2.0
        Run(simulator, clock).until()
    assert shown[2:] == [9.0]
    assert clock.now() == 9.0


def test_what_arrives_after_the_last_event_and_before_the_end_is_heard() -> None:
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    there.open(lambda arrival: None)
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    for time, word in ((4.0, b"in time"), (6.0, b"late")):
        clock.at(time, lambda word=word: there.send("words", word))  # type: ignore[misc]
    with Simulator(station) as simulator:
        Run(simulator, clock, bridge).until(time=5.0)
    assert station.operator.heard == [(0.0, True), (4.0, b"in time")]
    assert clock.now() == 5.0


def test_a_run_of_a_simulation_that_has_a_past_does_not_wait_for_it() -> None:
    clock = HandClock()
    sender, shown = clock_times(clock, 1.0, 50.0, 51.0)
    seen: list[float] = []
    with Simulator(sender) as simulator:
        simulator.run(until=50.0)
        shown.clear()
        Run(simulator, clock).until(report=lambda: seen.append(clock.now()))
    assert shown == [51.0]
    assert min(seen) >= 50.0


@pytest.mark.parametrize("clock", [HandClock(), FastClock()], ids=["by hand", "fast"])
def test_a_run_goes_on_from_where_it_was(clock: HandClock | FastClock) -> None:
    station, (here, there), bridge = Station(), Loopback.pair(), Bridge()
    there.open(lambda arrival: None)
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    with Simulator(station) as simulator:
        going = Run(simulator, clock, bridge)
        going.until(time=10.0)
        there.open(lambda arrival: None)
        going.until(time=20.0)
    assert station.operator.heard == [(0.0, True), (10.0, True)]
    if isinstance(clock, HandClock):
        assert clock.now() == 20.0


def test_what_was_sent_through_the_stop_before_does_not_stop_a_run_again() -> None:
    station, (here, there), clock, bridge = Station(), Loopback.pair(), HandClock(), Bridge()
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    there.open(lambda arrival: None)
    for time in (1.0, 4.0):
        clock.at(time, lambda: there.send("words", b"over"))
    with Simulator(station) as simulator:
        going = Run(simulator, clock, bridge)
        going.until(station.over)
        assert simulator.time == clock.now() == 1.5
        there.open(lambda arrival: None)
        going.until(station.over)
        assert simulator.time == clock.now() == 4.5
