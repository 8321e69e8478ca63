"""Robots that are classes in this process: the conversation, the watchdog, and what becomes of exceptions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import Condition, Event
from typing import Any, ClassVar

import msgspec
import pytest

from devs_robotics import Arrival, DevsRoboticsError, Link
from devs_robotics.hil.local import LocalRobot
from devs_robotics.hil.robot_protocol import SILENCE, Heartbeat, Move, Moved, Ranges, Report, Sense, State, Stop, Touch
from devs_robotics.hil.transports.connections import Connections

PATIENCE = 60.0
HERE = "tests.hil.test_local"


class Toy:
    """Moves take until somebody lets them end."""

    made: ClassVar[list[Toy]] = []

    def __init__(self) -> None:
        self.let_go = Event()
        self.stopped = Event()
        self.bumped = False
        self.closed = False
        self.calls: list[tuple[float, ...]] = []
        Toy.made.append(self)

    def move(self, turn: float, distance: float, speed: float, turn_rate: float) -> tuple[float, float, bool]:
        self.calls.append((turn, distance, speed, turn_rate))
        if turn > 3.0:
            raise ZeroDivisionError("a wheel came off")
        self.stopped.clear()
        self.let_go.wait(PATIENCE)
        self.let_go.clear()
        if self.stopped.is_set():
            return turn, 0.5 * distance, False
        return turn, distance, distance > 1.0

    def stop(self) -> None:
        self.stopped.set()
        self.let_go.set()

    def ranges(self) -> list[float | None]:
        return [0.5, inf, None]

    def touching(self) -> bool:
        return self.bumped

    def close(self) -> None:
        self.closed = True


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no such pin")

    def move(self) -> None: ...
    def stop(self) -> None: ...
    def ranges(self) -> None: ...


class Leaving(Toy):
    """Leaves the program, or tries to, wherever it is told to."""

    leaves: ClassVar[str] = ""

    def leave(self, name: str) -> None:
        if name == Leaving.leaves:
            raise SystemExit(f"{name} leaves")

    def move(self, turn: float, distance: float, speed: float, turn_rate: float) -> tuple[float, float, bool]:
        self.leave("move")
        return super().move(turn, distance, speed, turn_rate)

    def ranges(self) -> list[float | None]:
        self.leave("ranges")
        return super().ranges()

    def touching(self) -> bool:
        self.leave("touching")
        return super().touching()

    def stop(self) -> None:
        super().stop()
        self.leave("stop")


class Lazy:
    def stop(self) -> None: ...


class Host:
    """Listens, and waits for what comes."""

    def __init__(self, robot: LocalRobot) -> None:
        self.robot = robot
        self.reports: list[Any] = []
        self._came = Condition()

    def __call__(self, arrival: Arrival) -> None:
        content = arrival.content
        with self._came:
            self.reports.append(
                content if isinstance(content, Link) else msgspec.json.decode(content.data, type=Report)
            )
            self._came.notify_all()

    def wait(self, kind: type, **fields: Any) -> Any:
        """The first report of a kind with these fields; it is taken, with those before it."""

        def find() -> int | None:
            for number, report in enumerate(self.reports):
                if isinstance(report, kind) and all(getattr(report, key) == value for key, value in fields.items()):
                    return number
            return None

        with self._came:
            assert self._came.wait_for(lambda: find() is not None, PATIENCE), (kind, fields, self.reports)
            number = find()
            assert number is not None
            found = self.reports[number]
            del self.reports[: number + 1]
            return found

    def say(self, command: Any) -> None:
        self.robot.send("", msgspec.json.encode(command))


@contextmanager
def hosted(name: str = "Toy") -> Iterator[Host]:
    robot = Connections().at(f"local:{HERE}:{name}").transport
    assert isinstance(robot, LocalRobot)
    host = Host(robot)
    robot.open(host)
    try:
        yield host
    finally:
        robot.close()


def move(number: int, turn: float = 0.1, distance: float = 0.2, deadline: float = 60.0) -> Move:
    return Move(4, number, turn, distance, 0.3, 0.4, deadline)


def toy() -> Toy:
    return Toy.made[-1]


@pytest.mark.wall_clock
def test_a_move_is_carried_out_once_and_answered_as_often_as_it_is_asked_for() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        host.say(move(1))
        host.say(move(1))
        host.wait(State, moving=1)
        toy().let_go.set()
        assert host.wait(Moved).ended == "done"
        host.wait(State, moving=0, last=1)
        host.say(move(1))
        moved = host.wait(Moved)
        assert (moved.id, moved.turn, moved.distance, moved.ended) == (1, 0.1, 0.2, "done")
        assert toy().calls == [(0.1, 0.2, 0.3, 0.4)]
    assert toy().closed


@pytest.mark.wall_clock
def test_a_new_move_takes_the_place_of_one_that_is_under_way() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        host.say(move(1))
        host.wait(State, moving=1)
        host.say(move(2, distance=2.0))
        assert host.wait(Moved, id=1).ended == "replaced"
        host.wait(State, moving=2)
        toy().let_go.set()
        assert host.wait(Moved, id=2).ended == "blocked"


@pytest.mark.wall_clock
def test_it_stops_when_it_is_told_to_when_its_time_is_over_and_when_its_host_is_silent() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        host.say(move(1))
        host.wait(State, moving=1)
        host.say(Stop(4))
        moved = host.wait(Moved)
        assert (moved.ended, moved.distance) == ("stopped", 0.1)
        host.say(Heartbeat(4, 1))
        host.say(move(2, deadline=0.5 * SILENCE))
        assert host.wait(Moved, id=2).ended == "deadline"
        host.say(move(3))
        assert host.wait(Moved, id=3).ended == "silence"


@pytest.mark.wall_clock
def test_what_its_sensors_say_is_told() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        host.say(Sense(4, 9))
        ranges = host.wait(Ranges)
        assert (ranges.id, ranges.values, ranges.touching) == (9, (0.5, None, None), False)
        toy().bumped = True
        assert host.wait(Touch).touching


@pytest.mark.wall_clock
def test_an_exception_in_the_class_takes_the_link_down_with_its_reason() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        host.say(move(1, turn=4.0))
        assert host.wait(Link, up=False).reason == f"local:{HERE}:Toy failed: ZeroDivisionError: a wheel came off"
        assert toy().stopped.is_set()
        before = host.robot.counts.dropped
        host.say(Stop(4))
        assert host.robot.counts.dropped == before + 1
    with hosted("Broken") as host:
        assert host.wait(Link, up=False).reason == f"local:{HERE}:Broken failed: RuntimeError: no such pin"


@pytest.mark.parametrize("where", ["move", "ranges", "touching", "stop"])
@pytest.mark.wall_clock
def test_a_class_that_leaves_the_program_takes_the_link_down_with_its_reason(where: str) -> None:
    Leaving.leaves = where
    threads = set(threading.enumerate())
    with hosted("Leaving") as host:
        host.wait(Link, up=True)
        host.say(Sense(4, 9))
        host.say(move(1))
        host.say(Stop(4))
        reason = host.wait(Link, up=False).reason
        assert reason == f"local:{HERE}:Leaving failed: SystemExit: {where} leaves"
    assert toy().closed
    for thread in set(threading.enumerate()) - threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


class Faltering(Toy):
    """Its stops fail at first."""

    failures: ClassVar[int] = 0

    def stop(self) -> None:
        if Faltering.failures:
            Faltering.failures -= 1
            raise OSError("the bus is busy")
        super().stop()


@pytest.mark.wall_clock
def test_a_robot_whose_stop_fails_at_the_end_is_told_again_to_stop() -> None:
    Faltering.failures = 0
    with hosted("Faltering") as host:
        host.wait(Link, up=True)
        host.say(move(1))
        host.wait(State, moving=1)
        Faltering.failures = 2
        host.robot.close()
    assert Faltering.failures == 0
    assert toy().stopped.is_set()
    assert toy().closed


@pytest.mark.wall_clock
def test_a_receiver_that_fails_stops_the_robot_and_takes_the_link_down() -> None:
    robot, links, closed = LocalRobot(f"{HERE}:Toy"), list[Link](), Event()
    fault = RuntimeError("no room")

    def arrived(arrival: Arrival) -> None:
        if isinstance(arrival.content, Link):
            links.append(arrival.content)
            if not arrival.content.up:
                closed.set()
        else:
            raise fault

    robot.open(arrived)
    assert wait_until_heard(robot, closed)
    assert links[-1].reason == f"local:{HERE}:Toy failed: what came could not be handled here: RuntimeError: no room"
    assert toy().closed
    robot.close()


def wait_until_heard(robot: LocalRobot, closed: Event) -> bool:
    """Ask until the link is down: what is sent before it is up is dropped."""
    for _ in range(int(10 * PATIENCE)):
        robot.send("", msgspec.json.encode(Sense(4, 1)))
        if closed.wait(0.1):
            return True
    return False


@pytest.mark.wall_clock
def test_garbage_is_counted_and_dropped() -> None:
    with hosted() as host:
        host.wait(Link, up=True)
        for _ in range(250):
            host.robot.send("", b"\xffgarbage")
            host.robot.send("", b'{"type":"\xff"}')
        host.say(Sense(4, 1))
        host.wait(Ranges)
        assert host.robot.counts.dropped == 500


def test_a_class_that_cannot_be_a_robot_is_refused_in_a_sentence() -> None:
    for target, sentence in (
        ("tests.hil.no_such_module:Toy", r"the robot 'tests.hil.no_such_module:Toy' is not there: no module"),
        (f"{HERE}:NoSuchClass", r"is not there: tests.hil.test_local has no class 'NoSuchClass'"),
        (f"{HERE}:Lazy", r"is no robot: it lacks move, ranges"),
    ):
        with pytest.raises(DevsRoboticsError, match=sentence):
            LocalRobot(target)


def test_a_link_that_was_never_opened_can_be_closed() -> None:
    robot = LocalRobot(f"{HERE}:Toy")
    robot.send("", b"")
    robot.close()
    robot.close()
    assert robot.counts.dropped == 1
