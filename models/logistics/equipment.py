"""Equipment of the robots in the environment model: compass, zone sense, lifter."""

from __future__ import annotations

from math import remainder, tau

from devs_robotics import Activity, Actuator, ModelError, Sense, Sensor, Service
from devs_robotics.core.noise_by_tick import key, normal
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.logistics.carriers import TruePose, WhereIs
from devs_robotics.models.logistics.layout import Zones
from devs_robotics.models.logistics.messages import (
    AskZone,
    CompassReading,
    LifterMoved,
    MoveLifter,
    ZoneReading,
)

COMPASS_SPREAD = 0.1
"""Standard deviation of a compass (rad)."""

PLACE_SPREAD = 0.0223
"""Of the visual localisation along x (m): the largest published one."""

ZONE_PERIOD = 0.1
"""How often the zone sense looks (s)."""

ZONE_LATENCY = 0.0785
"""Of the visual localisation, from which it comes (s)."""

LIFTING = 5.0
"""Time that a lifter takes, either way (s)."""


class VirtualCompass(VirtualActivity):
    """A compass in the environment model: the heading in the map, with noise.

    Its states are those of a `VirtualActivity`.

    Ports:
        compass: the heading
        world: the same question to the environment model

    Args:
        seed: of the run
        spread: standard deviation of readings (rad)
    """

    compass = Service(Sense, CompassReading)
    world = Sensor(WhereIs, TruePose)

    def __init__(self, name: str, seed: int, spread: float = COMPASS_SPREAD) -> None:
        super().__init__(name)
        self.seed, self.spread = seed, spread
        self._readings = self._key = 0

    def ask(self, question: Sense) -> WhereIs:
        """What the world is asked."""
        return WhereIs()

    def answer(self, answer: TruePose) -> CompassReading:
        """The heading, with noise."""
        if not self.spread:
            return CompassReading(answer.heading)
        self._key = self._key or key(self.seed, self.robot, f"noise of {self.name}")
        self._readings += 1
        return CompassReading(remainder(answer.heading + self.spread * normal(self._key, self._readings), tau))


class VirtualZoneSense(Activity):
    """Tells in which zone the robot is, whenever that has changed, by a localisation that errs and is late.

    Its phase says nothing:

    ========  =======================  =========================  ===========================================
    state     time advance             output                     next state
    ========  =======================  =========================  ===========================================
    off       ∞                                                   looking, when it is asked
    looking   until the next look      world: a question          waiting
    waiting   ∞                                                   late, when the answer comes
    late      latency                  zone, where it is another  looking
    ========  =======================  =========================  ===========================================

    Ports:
        zone: the zone
        world: where the robot is

    Args:
        seed: of the run
        zones: of the arena
        spread: standard deviation of the localisation (m)
    """

    zone = Service(AskZone, ZoneReading)
    world = Sensor(WhereIs, TruePose)

    robot: int = 0

    def __init__(self, name: str, seed: int, zones: Zones, spread: float = PLACE_SPREAD) -> None:
        super().__init__(name)
        self.seed, self.zones, self.spread = seed, zones, spread
        self.initialize()

    def initialize(self) -> None:
        """Wait until it is asked."""
        self._looks = self._key = 0
        self._told: str | None = None
        self._found = ""
        self.passivate("off")

    def deltext(self, e: float) -> None:
        """Begin, or take the answer."""
        self.continuef(e)
        if self.zone.ask and self.phase == "off":
            self.activate("looking")
        for pose in self.world.answer.values:
            if self.phase == "waiting":
                self._found = self.zones.zone(pose.x + self.spread * self._error())
                if self._found == self._told:
                    self.hold_in("looking", ZONE_PERIOD)
                else:
                    self.hold_in("late", ZONE_LATENCY if self._told is not None else 0.0)

    def lambdaf(self) -> None:
        """Ask, or tell."""
        if self.phase == "looking":
            self.world.ask.add(WhereIs())
        else:
            self.zone.answer.add(ZoneReading(self._found))

    def deltint(self) -> None:
        """Wait."""
        if self.phase == "looking":
            self._looks += 1
            self.passivate("waiting")
        else:
            self._told = self._found
            self.hold_in("looking", ZONE_PERIOD)

    def _error(self) -> float:
        if not self.spread:
            return 0.0
        self._key = self._key or key(self.seed, self.robot, f"noise of {self.name}")
        return normal(self._key, self._looks)


class VirtualLifter(Activity):
    """A platform that is raised and lowered; what is above it when it is up rides on it.

    A command that comes while it moves is refused by a fault of the model: decision models wait for the report.

    =======  ==================  ======================  =========================================
    phase    time advance        output                  next phase
    =======  ==================  ======================  =========================================
    resting  ∞                                           moving, on a command
    moving   how long it takes   world: it is there      settling
    settling ∞                                           telling, when the world has answered
    telling  0                   lifter: the report      resting
    =======  ==================  ======================  =========================================

    Ports:
        lifter: commands, and reports of their ends
        world: the same to the environment model

    Args:
        takes: how long a command takes (s)
    """

    lifter = Service(MoveLifter, LifterMoved)
    world = Actuator(MoveLifter, LifterMoved)

    robot: int = 0

    def __init__(self, name: str, takes: float = LIFTING) -> None:
        super().__init__(name)
        self.takes = takes
        self.initialize()

    def initialize(self) -> None:
        """Rest."""
        self._command = MoveLifter(False)
        self._report = LifterMoved(False)
        self.passivate("resting")

    def deltext(self, e: float) -> None:
        """Take a command, or the world's answer.

        Raises:
            ModelError: it is told to move while it moves
        """
        self.continuef(e)
        for command in self.lifter.ask.values:
            if self.phase != "resting":
                raise ModelError(
                    f"robot {self.robot}'s lifter is told to move while it moves: its decision model must wait for "
                    "LifterMoved"
                )
            self._command = command
            self.hold_in("moving", self.takes)
        for moved in self.world.answer.values:
            if self.phase == "settling":
                self._report = moved
                self.activate("telling")

    def lambdaf(self) -> None:
        """Act, or report."""
        if self.phase == "moving":
            self.world.ask.add(self._command)
        else:
            self.lifter.answer.add(self._report)

    def deltint(self) -> None:
        """Wait."""
        self.passivate("settling" if self.phase == "moving" else "resting")
