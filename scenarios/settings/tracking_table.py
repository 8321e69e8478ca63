"""What a scenario says of a system that sees real robots from outside."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from devs_robotics.scenarios.settings.quantities import Angle, Duration, Length
from devs_robotics.scenarios.settings.tables import Address, NotNegativeLength, SettingsTable, without_defaults


class MapTable(SettingsTable):
    """How the map of a tracking system lies in the field."""

    x: Length = 0.0
    """Of its origin, in the field (m)."""
    y: Length = 0.0
    """Of its origin, in the field (m)."""
    heading: Angle = 0.0
    """Of its x axis, in the field (rad)."""


class TrackingTable(SettingsTable):
    """A system that sees real robots from outside: a camera above the field, for instance."""

    address: Address = None
    """Where fixes come from, "mqtt://HOST/tracking" or "ros2://?tf=map"; absent: from the stand-ins' laboratory."""
    frame: MapTable = MapTable()
    """How its map lies in the field."""
    corrects: bool = False
    """Whether fixes move the counterparts of real robots; if not, they are only measured against them."""
    period: Annotated[Duration, Field(gt=0)] = 0.2
    """Of the laboratory's own (s)."""
    noise: NotNegativeLength = 0.002
    """Of the laboratory's own: standard deviation of x and y (m)."""
    heading_noise: Annotated[Angle, Field(ge=0)] = 0.0
    """Of the laboratory's own: standard deviation of the heading (rad)."""
    delay: Annotated[Duration, Field(ge=0)] = 0.0
    """Of the laboratory's own: shortest time from the exposure until a fix is told (s); a camera has 45 to 79 ms."""
    jitter: Annotated[Duration, Field(ge=0)] = 0.0
    """Of the laboratory's own: largest addition to the delay (s)."""
    lost: Annotated[Duration, Field(gt=0)] = 1.0
    """Time without a fix after which nobody is sure where a robot is (s)."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Keys that are newer than others are written down where they say something."""
        return without_defaults(self, write(self), ("frame", "heading_noise", "delay", "jitter", "lost"))
