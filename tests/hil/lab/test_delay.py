"""Time in the lab: its agenda, what delays messages, and the random numbers of both."""

from __future__ import annotations

from devs_robotics.hil.lab.agenda import Agenda
from devs_robotics.hil.lab.delay import CAPACITY, Delay
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.randomness import ErrorStream
from tests.approximately import near
from tests.hil.lab.small_lab import lab_plan, stand_in


class Line:
    """A delay, and what came out of it."""

    def __init__(self, latency: float = 0.1, jitter: float = 0.0) -> None:
        self.agenda = Agenda()
        self.came: list[tuple[float, bytes]] = []
        self.delay = Delay(
            self.agenda, latency, jitter, ErrorStream(1, 1, "x"), lambda data: self.came.append((self.agenda.now, data))
        )

    def run(self, until: float) -> None:
        while self.agenda.next_time <= until:
            self.agenda.run(self.agenda.next_time)
        self.agenda.now = until


def test_a_message_takes_the_latency_and_a_share_of_the_jitter() -> None:
    line = Line(0.1, 0.05)
    for number in range(200):
        line.agenda.now = float(number)
        line.delay.put(b"%d" % number)
        line.run(number + 0.5)
    delays = [time - float(data) for time, data in line.came]
    assert len(delays) == 200
    assert 0.1 <= min(delays) < 0.105
    assert 0.145 < max(delays) <= 0.15


def test_only_so_many_messages_are_on_their_way() -> None:
    line = Line()
    for number in range(CAPACITY + 3):
        line.delay.put(b"%d" % number)
    assert line.delay.dropped == 3
    line.run(1.0)
    assert [int(data) for _, data in line.came] == list(range(CAPACITY))
    line.delay.put(b"again")
    line.run(2.0)
    assert line.came[-1] == (near(1.1), b"again")


def test_what_is_cleared_never_comes_and_what_is_hurried_comes_at_once_and_once() -> None:
    line = Line()
    line.delay.put(b"lost")
    line.delay.clear()
    line.delay.put(b"first")
    line.delay.put(b"second")
    line.delay.hurry()
    assert line.came == [(0.0, b"first"), (0.0, b"second")]
    line.delay.put(b"third")
    line.run(1.0)
    assert line.came[2:] == [(0.1, b"third")]


def test_what_is_cleared_makes_room() -> None:
    line = Line()
    for _ in range(CAPACITY):
        line.delay.put(b"lost")
    line.delay.clear()
    line.delay.put(b"new")
    line.run(1.0)
    assert line.came == [(0.1, b"new")]


def test_an_agenda_keeps_the_order_of_time_and_then_of_entry() -> None:
    agenda, done = Agenda(), list[str]()
    agenda.now = 1.0
    agenda.at(2.0, lambda: done.append("later"))
    agenda.at(1.0, lambda: done.append("now"))
    agenda.at(0.5, lambda: done.append("too late, so now"))
    assert agenda.next_time == 1.0
    agenda.run(1.0)
    assert done == ["now", "too late, so now"]
    agenda.run(2.0)
    assert done[2:] == ["later"]


def test_what_happens_every_so_often_does_so_at_whole_multiples_from_now_on() -> None:
    agenda, times = Agenda(), list[float]()
    agenda.now = 0.5
    agenda.every(0.1, lambda: times.append(agenda.now))
    while agenda.next_time < 1000.0:
        agenda.run(agenda.next_time)
    assert times[:3] == [0.5, 0.6, 0.7]
    assert times == [0.5 + 0.1 * number for number in range(len(times))]


def test_the_time_of_a_lab_never_goes_back() -> None:
    laboratory = Laboratory(lab_plan(stand_in()))
    laboratory.advance(2.0)
    laboratory.advance(1.0)
    assert laboratory.agenda.now == 2.0


def test_random_numbers_lie_where_they_are_said_to() -> None:
    stream = ErrorStream(1, 2, "test")
    either = [stream.either_way(0.2) for _ in range(500)]
    assert -0.2 <= min(either) < -0.19
    assert 0.19 < max(either) <= 0.2
    up = [stream.up_to(0.2) for _ in range(500)]
    assert 0.0 <= min(up) < 0.01
    assert 0.19 < max(up) <= 0.2
    normal = [stream.normal(0.2) for _ in range(2000)]
    assert sum(normal) / 2000 == near(0.0, 0.02)
    assert (sum(value * value for value in normal) / 2000) ** 0.5 == near(0.2, 0.01)


def test_each_seed_robot_and_purpose_has_numbers_of_its_own() -> None:
    streams = [ErrorStream(1, 1, "a"), ErrorStream(2, 1, "a"), ErrorStream(1, 2, "a"), ErrorStream(1, 1, "b")]
    assert len({stream.up_to(1.0) for stream in streams}) == 4
    assert ErrorStream(1, 1, "a").up_to(1.0) == ErrorStream(1, 1, "a").up_to(1.0)
