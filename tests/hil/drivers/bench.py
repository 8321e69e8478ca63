"""A driver on a test bench: with somebody who uses it, and a peer in the place of its robot. No time passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Any, TypeAlias, TypeVar

from devs_robotics import (
    Actuator,
    Atomic,
    Bridge,
    Coupled,
    Drive,
    Driven,
    Fault,
    HandClock,
    In,
    Link,
    Loopback,
    Out,
    Packet,
    Ranges,
    Run,
    Sense,
    Sensor,
    Simulator,
    Touch,
    equip,
)
from devs_robotics.hil.drivers import Driver, DriverSettings

LOOK, FEEL = "look", "feel"
Wish: TypeAlias = Drive | str
Message: TypeAlias = Driven | Ranges | Touch | Fault
T = TypeVar("T")

SETTINGS = DriverSettings(speed=0.1, turn_rate=1.0, radius=0.035, beams=(0.0,), reach=0.6, resolution=0.01)


class User(Atomic):
    """Commands and asks at fixed times, and notes what it is told, with the time."""

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    whiskers = Sensor(Sense, Touch)
    fault = In(Fault)

    def __init__(self, wishes: Iterable[tuple[float, Wish]]) -> None:
        super().__init__("user")
        self.time = 0.0
        self.wishes = sorted(wishes, key=lambda wish: wish[0])
        self.told: list[tuple[float, Message]] = []

    def initialize(self) -> None:
        self._wait()

    def deltext(self, e: float) -> None:
        self.time += e
        for port in (self.motor.answer, self.infrared.answer, self.whiskers.answer, self.fault):
            self.told += [(self.time, message) for message in port.values]
        self._wait()

    def lambdaf(self) -> None:
        wish = self.wishes[0][1]
        if isinstance(wish, Drive):
            self.motor.ask.add(wish)
        else:
            (self.infrared if wish == LOOK else self.whiskers).ask.add(Sense())

    def deltint(self) -> None:
        self.time = self.wishes.pop(0)[0]
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", max(0.0, self.wishes[0][0] - self.time) if self.wishes else inf)


class Bench(Coupled):
    """A driver and its user."""

    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)

    def __init__(self, driver: Driver, user: User, name: str = "bench") -> None:
        super().__init__(name)
        self.add_component(driver)
        self.add_component(user)
        equip(self, user.motor, driver.motor)
        equip(self, user.infrared, driver.ranging)
        equip(self, user.whiskers, driver.touch)
        self.add_coupling(driver.fault, user.fault)
        self.add_coupling(driver.outgoing, self.outgoing)
        self.add_coupling(self.incoming, driver.incoming)


class Table:
    """What a test looks at: the clock, the link, and after the run what the user was told.

    Args:
        driver: that is tested
        wishes: what the user wants, and when

    Attributes:
        robot: the robot's end of the link; `answer` is called with what it hears
        clock: of the run
    """

    def __init__(self, driver: Driver, *wishes: tuple[float, Wish]) -> None:
        self.driver = driver
        self.user = User(wishes)
        self.clock = HandClock()
        self.near, self.robot = Loopback.pair()
        self.sent: list[tuple[float, bytes]] = []
        self.answer: Callable[[bytes], Any] = lambda data: None
        self.robot.listen("")

    def say(self, data: bytes, at: float | None = None) -> None:
        """Have the robot say something, now or at a time."""
        if at is None:
            self.robot.send("", data)
        else:
            self.at(at, partial(self.robot.send, "", data))

    def at(self, time: float, action: Callable[[], Any]) -> None:
        """Have something happen at a time."""

        def act() -> None:
            action()

        self.clock.at(time, act)

    def cut(self, at: float, mended: float = inf) -> None:
        """Cut the link at a time, and mend it."""
        self.at(at, self.robot.cut)
        if mended < inf:
            self.at(mended, self.robot.mend)

    def run(self, until: float = 20.0) -> list[tuple[float, Message]]:
        """Run; returns what the user was told."""
        bench, bridge = Bench(self.driver, self.user), Bridge()
        bridge.connect(self.near, bench.outgoing, bench.incoming, last_words=self.driver.last_words)
        self.robot.open(self._arrived)
        with Simulator(bench) as simulator:
            Run(simulator, self.clock, bridge).until(time=until)
        return self.user.told

    def told(self, kind: type[T]) -> list[T]:
        """What the user was told of one kind."""
        return [message for _, message in self.user.told if isinstance(message, kind)]

    def times(self, kind: type[Message]) -> list[float]:
        """When the user was told of one kind."""
        return [time for time, message in self.user.told if isinstance(message, kind)]

    @property
    def fault(self) -> str:
        """The reason of the one fault."""
        (fault,) = self.told(Fault)
        assert fault.robot == self.driver.robot
        return fault.reason

    def _arrived(self, arrival: object) -> None:
        content = getattr(arrival, "content", None)
        if isinstance(content, Packet):
            self.sent.append((self.clock.now(), content.data))
            self.answer(content.data)
