"""An e-puck's equipment as decision models use it: its wheels, sensors that are asked or watched, and its battery."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from devs_robotics.core.robots.crossings import Values
from devs_robotics.core.robots.messages import (
    AskCharge,
    Charge,
    Crossed,
    Ground,
    Light,
    Obstructed,
    Proximity,
    Sense,
    Watch,
    Wheels,
)
from devs_robotics.core.robots.plain_data import PlainData, plain, typed
from devs_robotics.hil.protocols.epuck_battery import BatteryWatch, charge_of
from devs_robotics.hil.protocols.epuck_reading import EpuckReading
from devs_robotics.hil.protocols.events import Output, Remind, Told
from devs_robotics.hil.protocols.sensor_watch import SensorWatch

SERVICES: dict[str, tuple[tuple[type[Struct], type[Struct]], ...]] = {
    "wheels": ((Wheels, Obstructed),),
    "proximity": ((Sense, Proximity), (Watch, Crossed)),
    "light": ((Sense, Light), (Watch, Crossed)),
    "ground": ((Sense, Ground), (Watch, Crossed)),
    "battery": ((AskCharge, Charge),),
}
"""By kind of equipment: the types of question and answer of the services that it offers."""

Further = Literal["light", "ground", "battery"]
"""What a robot that is asked for each reading tells only where it is wanted; proximity it always tells."""

FURTHER: tuple[Further, ...] = ("light", "ground", "battery")

_ANSWERS: dict[str, Callable[[Values], Struct]] = {"proximity": Proximity, "light": Light, "ground": Ground}


def kind_of(name: str) -> str:
    """Of equipment of a name: a name may go on after an underscore, for a robot with two of a kind."""
    return name.partition("_")[0]


class SensorEquipment:
    """The sensors of one e-puck that decision models ask and watch, by the names of their equipment."""

    def __init__(self) -> None:
        self._asked: dict[str, float] = {}
        """Since when they have been asked for one reading (s)."""
        self._beginning: dict[str, float] = {}
        """The same of watches that have told nothing yet."""
        self._watches: dict[str, SensorWatch] = {}
        self._waiting: set[str] = set()
        """Watches that look at the next point of their raster."""
        self._charges: dict[str, tuple[float, AskCharge]] = {}
        """What batteries are asked, and since when (s)."""
        self._batteries: dict[str, BatteryWatch] = {}

    @property
    def wanted(self) -> tuple[Further, ...]:
        """What somebody asks or watches of that which the robot tells only then."""
        kinds = set(map(kind_of, (*self._asked, *self._watches, *self._charges, *self._batteries)))
        return tuple(kind for kind in FURTHER if kind in kinds)

    def ask(self, name: str, data: PlainData, time: float, *, again: bool) -> None:
        """A sensor is asked at a time (s): `Told` answers with the next reading that is later.

        Asked for the same again, it is answered as soon as it would have been.
        """
        if kind_of(name) == "battery":
            question = typed(data, AskCharge)
            assert isinstance(question, AskCharge)
            self._charges.setdefault(name, (time, question))
            return
        if "period" not in data:
            self._asked.setdefault(name, time)
            return
        if again and name in self._beginning:
            return
        watch = typed(data, Watch)
        assert isinstance(watch, Watch)
        self._watches[name] = SensorWatch(watch)
        self._beginning[name] = time
        self._waiting.discard(name)

    def read(self, reading: EpuckReading, as_of: float, time: float) -> Iterator[Output]:
        """A reading has come.

        Args:
            reading: of all sensors
            as_of: it was true then (s), at the earliest
            time: now (s)
        """
        for name in [name for name, since in self._asked.items() if as_of >= since and _values(name, reading)]:
            del self._asked[name]
            yield Told(name, plain(_ANSWERS[kind_of(name)](_values(name, reading))))
        for name, watch in list(self._watches.items()):
            values, since = _values(name, reading), self._beginning.get(name)
            if not values:
                continue
            if since is None:
                if watch.read(values):
                    yield from self._see(name, watch, time)
            elif as_of >= since:
                del self._beginning[name]
                yield Told(name, plain(watch.first(values)))
        if reading.battery is not None:
            yield from self.charged(charge_of(reading.battery), as_of)

    def reminded(self, name: str) -> Iterator[Output]:
        """A watch is at a point of its raster."""
        if name in self._waiting:
            self._waiting.discard(name)
            yield from _told(name, self._watches[name])

    def _see(self, name: str, watch: SensorWatch, time: float) -> Iterator[Output]:
        """Tell what is new, or look again when it is time to."""
        if not watch.watch.period:
            yield from _told(name, watch)
        elif name not in self._waiting:
            self._waiting.add(name)
            yield Remind(name, watch.wait(time))

    def charged(self, charge: float, as_of: float) -> Iterator[Output]:
        """The charge was this at a time (s), at the earliest: tell what is new of batteries, and answer."""
        for name, battery in self._batteries.items():
            yield from (Told(name, plain(told), unasked=True) for told in battery.read(charge))
        for name, (since, question) in list(self._charges.items()):
            if as_of >= since:
                del self._charges[name]
                battery = self._batteries.setdefault(name, BatteryWatch(charge))
                yield Told(name, plain(battery.asked(question)))


def _told(name: str, watch: SensorWatch) -> Iterator[Output]:
    return (Told(name, plain(crossed), unasked=True) for crossed in watch.look())


def _values(name: str, reading: EpuckReading) -> Values:
    """What the sensors of a piece of equipment read; none where that was not asked for."""
    match kind_of(name):
        case "light":
            return tuple(map(float, reading.light))
        case "ground":
            return tuple(map(float, reading.ground))
    return tuple(map(float, reading.proximity))
