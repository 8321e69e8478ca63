"""The convoy's own tables: each key, its unit, its bounds and its default."""

from __future__ import annotations

from math import radians
from typing import Annotated

from pydantic import Field

from devs_robotics.scenarios.settings.quantities import Angle, Factor, Length
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import (
    Count,
    FrameTable,
    NoiseTable,
    NotNegativeCount,
    NotNegativeLength,
    PositiveAngle,
    PositiveLength,
    RobotTable,
    RunTable,
    SettingsTable,
)

_BEAMS = tuple(radians(22.5 * place) for place in range(4, -5, -1))


class ConvoyTable(SettingsTable):
    """The line of robots."""

    robots: Annotated[int, Field(ge=2, le=10_000)] = 30
    """How many there are, the leader included."""
    distance: PositiveLength = 0.5
    """D, the desired distance between neighbours, centre to centre (m)."""
    poses: tuple[tuple[Length, Length, Angle], ...] | None = None
    """Initial x (m), y (m) and heading (rad) of each robot, the leader first; absent: a line in mid-field along +x."""


class InfraredTable(SettingsTable):
    """The infrared range sensors; a follower has one beam, straight ahead."""

    range: PositiveLength = 0.6
    """Nothing is seen further away than this (m)."""
    resolution: NotNegativeLength = 0.01
    """Step of a reading (m); 0 for exact readings."""
    leader_beams: Annotated[tuple[Angle, ...], Field(min_length=1)] = _BEAMS
    """Directions of the leader's beams from its heading, from left to right (rad)."""


class LeaderTable(SettingsTable):
    """How the leader finds its way."""

    model: str = "devs_robotics.models.convoy:Leader"
    """"module:Class" of its decision model: a subclass of `models.convoy.Leader`, with the same arguments."""
    step: PositiveLength = 0.2
    """Of a way ahead (m)."""
    turn: PositiveAngle = radians(15.0)
    """Angle of one turn to the left, away from an obstacle, before the leader looks again (rad)."""
    swing: Annotated[Angle, Field(ge=0)] = radians(15.0)
    """Angle turned on once the way is free, so that it leads away from a wall and not along it."""
    clearance: PositiveLength = 0.5
    """Less room than this is an obstacle (m); readings to the side count up to twofold."""
    path: tuple[tuple[Angle, Length], ...] = ()
    """Scripted moves [turn, distance], one per round, begun again at the end; empty: the leader finds its own way."""


class FollowerTable(SettingsTable):
    """How a follower keeps its place."""

    model: str = "devs_robotics.models.convoy:Follower"
    """"module:Class" of its decision model: a subclass of `models.convoy.Follower`, with the same arguments."""
    tolerance: NotNegativeLength = 0.05
    """Closer than the distance by more than this is too close (m)."""
    nearest: NotNegativeLength = 0.25
    """What a follower sees closer than this, centre to centre, it does not take for its front robot (m)."""
    farthest: PositiveLength = 0.65
    """What it sees further away than this, centre to centre, neither (m)."""
    scan_step: PositiveAngle = radians(6.0)
    """Angle between two looks of a scan (rad)."""
    scan_limit: PositiveAngle = radians(45.0)
    """How far a scan goes to each side (rad)."""
    recovery_step: NotNegativeLength = 0.1
    """How far a follower goes on before it scans again for a front robot that it did not find (m)."""
    recoveries: NotNegativeCount = 3
    """How often it does so before it gives up as lost."""
    correction: Annotated[Factor, Field(ge=0, le=1)] = 0.2
    """Share of the heading difference that it sees which it takes over each round; 0: equation (3) alone."""


class ConvoyRunTable(RunTable):
    """When a run ends: after so many rounds, or so much time."""

    rounds: Count | None = None
    """Rounds that every robot completes; absent: 340, or no limit where there is a duration."""


class ConvoyRobotTable(RobotTable):
    """The body of a robot, and what its Avoid does."""

    back_off: PositiveLength = 0.05
    """How far Avoid backs off when the whiskers touch something (m)."""


class ConvoyNoiseTable(NoiseTable):
    """The generator, with noise set 2 of Hu & Zeigler, section 4.2."""

    dnf: Annotated[Factor, Field(ge=0, lt=1)] = 0.1
    """Distance noise factor: largest error as a share of the distance."""
    anf: Annotated[Factor, Field(ge=0)] = 0.08
    """Angle noise factor: largest error in degrees per centimetre of distance."""


class ConvoyFrameTable(FrameTable):
    """What the convoy's frame leaves out, and when a robot is lost."""

    transient_rounds: NotNegativeCount | None = None
    """Rounds that averages leave out; absent: 20, or a quarter of the run's rounds if that is less."""
    parted: PositiveLength = 1.0
    """A follower that completes a round further than this from its front robot has lost it (m)."""


class ConvoyScenario(Scenario):
    """A whole scenario file of the convoy."""

    run: ConvoyRunTable = ConvoyRunTable()
    convoy: ConvoyTable = ConvoyTable()
    robot: ConvoyRobotTable = ConvoyRobotTable()
    infrared: InfraredTable = InfraredTable()
    leader: LeaderTable = LeaderTable()
    follower: FollowerTable = FollowerTable()
    noise: ConvoyNoiseTable = ConvoyNoiseTable()
    frame: ConvoyFrameTable = ConvoyFrameTable()
