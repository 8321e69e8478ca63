"""The sensors of an e-puck2 by topics, as epuck_ros2 publishes them: light, proximity and the ground; and batteries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isnan

from msgspec.structs import replace

from devs_robotics.core.robots.epuck2.ros import GROUND, GROUNDS, INFRARED, LIGHTS, PROXIMITIES
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.epuck_equipment import SensorEquipment, kind_of
from devs_robotics.hil.protocols.epuck_reading import EpuckReading
from devs_robotics.hil.protocols.events import GivenUp, Output
from devs_robotics.hil.protocols.ros2.messages import RangeReading, read_range
from devs_robotics.hil.protocols.ros2.names import ILLUMINANCE, RANGE
from devs_robotics.hil.protocols.ros2.type_store import MessageError, read

COUNTS = {"light": LIGHTS, "proximity": PROXIMITIES, "ground": GROUNDS}
"""Number of topics of each kind, which are packets ``light0``, ``light1``, and so on."""

BATTERY = "battery"

HIGHEST = 65535.0
"""Largest reading that is believed."""


class EpuckTopics:
    """Sensors that decision models ask and watch, each kind of which publishes one topic per sensor.

    A reading is complete when each sensor of its kind has told something new.

    Attributes:
        sensors: that are asked and watched
    """

    def __init__(self) -> None:
        self.sensors = SensorEquipment()
        self._new: dict[str, dict[int, tuple[float, float]]] = {kind: {} for kind in COUNTS}
        """By kind and number: what was told, and when (s)."""
        self._heard: set[str] = set()

    def ask(self, name: str, data: PlainData, time: float, *, again: bool) -> Iterator[Output]:
        """Sensors are asked, or watched from now on (s)."""
        kind = kind_of(name)
        if again and kind not in self._heard:
            yield GivenUp(f"is asked for its {name}, and has told none: {_remedy(kind)}, or let its {name} be virtual")
            return
        self.sensors.ask(name, data, time, again=again)

    def came(self, topic: str, message: bytes, time: float) -> Iterator[Output]:
        """A sensor has told something (s).

        Raises:
            MessageError: it is no message, or none of a sensor
        """
        kind = topic.rstrip("0123456789")
        number = int(topic.removeprefix(kind))
        if number >= COUNTS[kind]:
            raise MessageError(f"there is no {topic}: an e-puck2 has {COUNTS[kind]}")
        new = self._new[kind]
        new[number] = _raw(kind, message), time
        if len(new) < COUNTS[kind]:
            return
        values = tuple([round(new[each][0]) for each in range(COUNTS[kind])])
        as_of = min(at for _, at in new.values())
        new.clear()
        self._heard.add(kind)
        reading = replace(EpuckReading(0, 0, (), None), **{kind: values})
        yield from self.sensors.read(reading, as_of, time)

    def charged(self, charge: float, time: float) -> Iterator[Output]:
        """A battery has told its charge, from 0 to 1; nan: it does not know it."""
        if isnan(charge):
            return
        self._heard.add(BATTERY)
        yield from self.sensors.charged(charge, time)


def is_sensor(topic: str) -> bool:
    """Whether a packet is of such a sensor: ``light0``, for instance."""
    kind = topic.rstrip("0123456789")
    return kind in COUNTS and kind != topic


def sensor_type(topic: str) -> str:
    """The type of its messages."""
    return ILLUMINANCE if topic.startswith("light") else RANGE


def _raw(kind: str, message: bytes) -> float:
    """The raw reading that a message tells."""
    if kind == "light":
        value = float(read(ILLUMINANCE, message).illuminance)
        if not 0.0 <= value <= HIGHEST:
            raise MessageError(f"a light sensor tells {value:g}, which cannot be")
        return value
    told: RangeReading = read_range(message)
    return _reading(told.range, INFRARED if kind == "proximity" else GROUND)


def _reading(distance: float, points: Sequence[tuple[float, float]]) -> float:
    """Of which a distance (m) was made, by straight lines between points; nothing is read of what is far away."""
    if distance >= 1.0:
        return 0.0
    (near, high), (far, low) = next((pair for pair in pairwise(points) if distance <= pair[1][0]), points[-2:])
    return max(0.0, min(HIGHEST, high + (low - high) * (distance - near) / (far - near)))


def _remedy(kind: str) -> str:
    if kind == BATTERY:
        return "give the topic of its state as ?battery= in its address"
    count, letters = COUNTS[kind], {"light": "ls", "proximity": "ps", "ground": "gs"}[kind]
    return (
        f"give the topics of its {count} sensors in its address, as in ?{kind}={letters}0,...,{letters}{count - 1}, in "
        "the order in which epuck_ros2 has them"
    )
