"""What a scenario file may say as a whole."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from devs_robotics.scenarios.convoy.settings import ConvoyTable, FollowerTable, InfraredTable, LeaderTable
from devs_robotics.scenarios.settings.tables import (
    ClockTable,
    FieldTable,
    FrameTable,
    NoiseTable,
    RealTable,
    RobotTable,
    RunTable,
    SafetyTable,
    SettingsTable,
    StandInTable,
    TrackingTable,
)

RobotNumber = Annotated[str, Field(pattern="^[1-9][0-9]{0,4}$")]


class Scenario(SettingsTable):
    """A whole scenario file."""

    title: str = ""
    run: RunTable = RunTable()
    convoy: ConvoyTable = ConvoyTable()
    robot: RobotTable = RobotTable()
    infrared: InfraredTable = InfraredTable()
    leader: LeaderTable = LeaderTable()
    follower: FollowerTable = FollowerTable()
    noise: NoiseTable = NoiseTable()
    field: FieldTable = FieldTable()
    frame: FrameTable = FrameTable()
    clock: ClockTable = ClockTable()
    real: dict[RobotNumber, RealTable] = Field(default_factory=dict)
    stand_in: StandInTable = StandInTable()
    tracking: TrackingTable = TrackingTable()
    safety: SafetyTable = SafetyTable()
