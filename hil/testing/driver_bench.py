"""A driver on a test bench: with somebody who uses it, and whatever plays its robot. No time passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Any, TypeAlias, TypeVar

from devs_robotics import (
    Actuator,
    Answered,
    Arrival,
    Asked,
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
    Rolled,
    Run,
    Sense,
    Sensor,
    Simulator,
    Touch,
    equip,
)
from devs_robotics.hil.drivers import Driver, DriverSettings

LOOK = "look"
"""A question to the range sensors."""
FEEL = "feel"
"""A question to the whiskers."""

Wish: TypeAlias = Drive | Asked | str
Message: TypeAlias = Driven | Rolled | Ranges | Touch | Answered | Fault
T = TypeVar("T")

SETTINGS = DriverSettings(speed=0.1, turn_rate=1.0, radius=0.035, beams=(0.0,), reach=0.6, resolution=0.01)
"""A small robot with one beam ahead."""


class User(Atomic):
    """Commands and asks at fixed times, and notes what it is told, with the time.

    Args:
        wishes: what it wants, each with its time (s): a `Drive`, `LOOK`, `FEEL` or an `Asked`

    Attributes:
        told: with the times
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    whiskers = Sensor(Sense, Touch)
    own = Actuator(Asked, Answered)
    rolled = In(Rolled)
    fault = In(Fault)

    def __init__(self, wishes: Iterable[tuple[float, Wish]]) -> None:
        super().__init__("user")
        self.time = 0.0
        self.wishes = sorted(wishes, key=lambda wish: wish[0])
        self.told: list[tuple[float, Message]] = []

    def initialize(self) -> None:
        """Wait for the first wish."""
        self._wait()

    def deltext(self, e: float) -> None:
        """Note what it is told."""
        self.time += e
        answers = (self.motor.answer, self.infrared.answer, self.whiskers.answer, self.own.answer)
        for port in (*answers, self.rolled, self.fault):
            self.told += [(self.time, message) for message in port.values]
        self._wait()

    def lambdaf(self) -> None:
        """Say the wish whose time has come."""
        wish = self.wishes[0][1]
        if isinstance(wish, Drive):
            self.motor.ask.add(wish)
        elif isinstance(wish, Asked):
            self.own.ask.add(wish)
        else:
            (self.infrared if wish == LOOK else self.whiskers).ask.add(Sense())

    def deltint(self) -> None:
        """Wait for the next wish."""
        self.time = self.wishes.pop(0)[0]
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", max(0.0, self.wishes[0][0] - self.time) if self.wishes else inf)


class DriverWithUser(Coupled):
    """A driver and its user; the ports are those of the driver's link."""

    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)

    def __init__(self, driver: Driver, user: User, name: str = "bench") -> None:
        super().__init__(name)
        self.add_component(driver)
        self.add_component(user)
        equip(self, user.motor, driver.motor)
        equip(self, user.infrared, driver.ranging)
        equip(self, user.whiskers, driver.touch)
        equip(self, user.own, driver.own)
        self.add_coupling(driver.rolled, user.rolled)
        self.add_coupling(driver.fault, user.fault)
        self.add_coupling(driver.outgoing, self.outgoing)
        self.add_coupling(self.incoming, driver.incoming)


class DriverBench:
    """A driver, its user, and a link to whatever plays its robot, all run by a clock that never waits.

    Say what happens, then `run` it, once; then look at what was said and told.

    Args:
        driver: that is tested
        wishes: what the user wants, each with its time (s): a `Drive`, `LOOK`, `FEEL` or an `Asked`; before, the
            driver's `carried` must name what is asked

    Attributes:
        user: who was told, and when
        clock: of the run
        near, robot: the driver's end of the link, and the robot's
        sent: what has come to the robot's end, with the times (s)
        answer: called with what comes to the robot's end; replace it by a robot
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
        """Have the robot say something, now or at a time (s)."""
        if at is None:
            self.robot.send("", data)
        else:
            self.at(at, partial(self.robot.send, "", data))

    def at(self, time: float, action: Callable[[], Any]) -> None:
        """Have something happen at a time (s)."""

        def act() -> None:
            action()

        self.clock.at(time, act)

    def cut(self, at: float, mended: float = inf) -> None:
        """Cut the link at a time, and mend it at another (s)."""
        self.at(at, self.robot.cut)
        if mended < inf:
            self.at(mended, self.robot.mend)

    def run(self, until: float = 20.0) -> list[tuple[float, Message]]:
        """Run up to a time (s); returns what the user was told, with the times."""
        bench, bridge = DriverWithUser(self.driver, self.user), Bridge()
        bridge.connect(self.near, bench.outgoing, bench.incoming, stop_message=self.driver.stop_message)
        self.robot.open(self._arrived)
        with Simulator(bench) as simulator:
            Run(simulator, self.clock, bridge).until(time=until)
        return self.user.told

    def told(self, kind: type[T]) -> list[T]:
        """What the user was told of one kind."""
        return [message for _, message in self.user.told if isinstance(message, kind)]

    def times(self, kind: type[Message]) -> list[float]:
        """When the user was told of one kind (s)."""
        return [time for time, message in self.user.told if isinstance(message, kind)]

    @property
    def fault(self) -> str:
        """The reason of the one fault.

        Raises:
            AssertionError: there was none, or more than one, or one of another robot
        """
        faults = self.told(Fault)
        if [fault.robot for fault in faults] != [self.driver.robot]:
            raise AssertionError(f"not one fault of robot {self.driver.robot}, but {faults}")
        return faults[0].reason

    def _arrived(self, arrival: Arrival) -> None:
        if isinstance(arrival.content, Packet):
            self.sent.append((self.clock.now(), arrival.content.data))
            self.answer(arrival.content.data)
