"""What every scenario file may say; a case study adds tables and keys of its own."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from devs_robotics.scenarios.case import DEFAULT
from devs_robotics.scenarios.settings.tables import (
    ClockTable,
    FieldTable,
    FrameTable,
    NoiseTable,
    PresenceTable,
    RadioTable,
    RealTable,
    RobotTable,
    RunTable,
    SafetyTable,
    SensingTable,
    SettingsTable,
    StandInTable,
    ViewTable,
)
from devs_robotics.scenarios.settings.tracking_table import TrackingTable

RobotNumber = Annotated[str, Field(pattern="^[1-9][0-9]{0,4}$")]


class Scenario(SettingsTable):
    """A whole scenario file."""

    made_for: ClassVar[Any] = None
    """The case study, as the harness knows it, that this class was made for; None: it is found by its name."""

    def __reduce__(self) -> tuple[Any, ...]:
        """As JSON: the class of a case study's scenarios is made from the case study, and found by its name."""
        from devs_robotics.scenarios.settings.loading import restored

        return restored, (self.model_dump_json(round_trip=True),)

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<{type(self).__name__}{title} of {self.case}, seed {self.run.seed}>"

    __str__ = __repr__

    title: str = ""
    """What `devs-robotics list` and reports call it."""
    case: str = DEFAULT
    """The case study: the name of one that is known, or "module:Class"."""
    run: RunTable = RunTable()
    robot: RobotTable = RobotTable()
    noise: NoiseTable = NoiseTable()
    field: FieldTable = FieldTable()
    sensing: SensingTable = SensingTable()
    frame: FrameTable = FrameTable()
    clock: ClockTable = ClockTable()
    real: dict[RobotNumber, RealTable] = Field(default_factory=dict)
    stand_in: StandInTable = StandInTable()
    tracking: TrackingTable = TrackingTable()
    safety: SafetyTable = SafetyTable()
    view: ViewTable = ViewTable()
    presence: PresenceTable = PresenceTable()
    radio: RadioTable = RadioTable()

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Tables that are newer than others are written down where they say something."""
        written: dict[str, Any] = write(self)
        for name in ("presence", "radio"):
            if getattr(self, name) == type(getattr(self, name))():
                written.pop(name, None)
        return written
