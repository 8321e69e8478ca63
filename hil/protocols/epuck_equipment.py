"""An e-puck's equipment as decision models use it: its wheels, and sensors that are asked, or watched."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from devs_robotics.core.robots.crossings import Values
from devs_robotics.core.robots.messages import Crossed, Obstructed, Proximity, Sense, Watch, Wheels
from devs_robotics.core.robots.plain_data import PlainData, plain, typed
from devs_robotics.hil.protocols.epuck_reading import Reading
from devs_robotics.hil.protocols.events import Output, Remind, Told
from devs_robotics.hil.protocols.sensor_watch import SensorWatch

SERVICES: dict[str, tuple[tuple[type[Struct], type[Struct]], ...]] = {
    "wheels": ((Wheels, Obstructed),),
    "proximity": ((Sense, Proximity), (Watch, Crossed)),
}
"""By kind of equipment: the types of question and answer of the services that it offers."""


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

    def ask(self, name: str, data: PlainData, time: float) -> None:
        """A sensor is asked at a time (s): `Told` answers with the next reading that is later."""
        if "period" not in data:
            self._asked.setdefault(name, time)
            return
        watch = typed(data, Watch)
        assert isinstance(watch, Watch)
        self._watches[name] = SensorWatch(watch)
        self._beginning[name] = time
        self._waiting.discard(name)

    def read(self, reading: Reading, as_of: float, time: float) -> Iterator[Output]:
        """A reading has come.

        Args:
            reading: of all sensors
            as_of: it was true then (s), at the earliest
            time: now (s)
        """
        for name in [name for name, since in self._asked.items() if as_of >= since]:
            del self._asked[name]
            yield Told(name, plain(Proximity(_values(name, reading))))
        for name, watch in list(self._watches.items()):
            values, since = _values(name, reading), self._beginning.get(name)
            if since is None:
                if watch.read(values):
                    yield from self._see(name, watch, time)
            elif as_of >= since:
                del self._beginning[name]
                yield Told(name, plain(watch.first(values)))

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


def _told(name: str, watch: SensorWatch) -> Iterator[Output]:
    return (Told(name, plain(crossed), unasked=True) for crossed in watch.look())


def _values(name: str, reading: Reading) -> Values:
    """What the sensors of a piece of equipment read."""
    assert kind_of(name) == "proximity"
    return tuple(map(float, reading.proximity))
