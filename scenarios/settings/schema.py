"""What a scenario file may say: every key, its unit, its bounds and its default."""

from __future__ import annotations

from math import radians
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, SerializationInfo
from pydantic_core import PydanticCustomError

from devs_robotics.hil.proximity_responses import DEFAULT, ResponseName
from devs_robotics.scenarios.settings.quantities import Angle, Duration, Factor, Length, Speed, TurnRate


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


LARGEST = 2**63 - 1
"""Whole number, so that tables have room for it."""

Count = Annotated[int, Field(ge=1, le=LARGEST)]
NotNegativeCount = Annotated[int, Field(ge=0, le=LARGEST)]
PositiveLength = Annotated[Length, Field(gt=0)]
NotNegativeLength = Annotated[Length, Field(ge=0)]
PositiveAngle = Annotated[Angle, Field(gt=0)]


def _as_list(value: object) -> object:
    """One pattern stands for a list of one."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, tuple | list):
        sentence = f"must be a pattern of ports, such as 'robot*/motor.world_ask', or a list of patterns, not {value!r}"
        raise PydanticCustomError("quantity", "{sentence}", {"sentence": sentence})
    return tuple(value)


_BEAMS = tuple(radians(22.5 * place) for place in range(4, -5, -1))


class RunTable(_Table):
    """When a run ends, and what its random numbers start from."""

    seed: NotNegativeCount = 1
    rounds: Count | None = None
    """Rounds that every robot completes; absent: 340, or no limit where there is a duration."""
    duration: Annotated[Duration, Field(gt=0)] | None = None
    """Simulated time (s); absent: no limit."""


class ConvoyTable(_Table):
    """The line of robots."""

    robots: Annotated[int, Field(ge=2, le=10_000)] = 30
    distance: PositiveLength = 0.5
    """D, the desired distance between neighbours, centre to centre (m)."""
    poses: tuple[tuple[Length, Length, Angle], ...] | None = None
    """Initial x (m), y (m) and heading (rad) of each robot, the leader first; absent: a line in mid-field along +x."""


class RobotTable(_Table):
    """The body of a robot."""

    radius: PositiveLength = 0.1
    speed: Annotated[Speed, Field(ge=0.0001)] = 0.2
    turn_rate: Annotated[TurnRate, Field(ge=0.0001)] = radians(90.0)
    whisker_reach: PositiveLength = 0.03
    """How far the whiskers stick out ahead of the body (m)."""
    back_off: PositiveLength = 0.05
    """How far Avoid backs off when they touch something (m)."""


class InfraredTable(_Table):
    """The infrared range sensors; a follower has one beam, straight ahead."""

    range: PositiveLength = 0.6
    resolution: NotNegativeLength = 0.01
    """Step of a reading (m); 0 for exact readings."""
    leader_beams: Annotated[tuple[Angle, ...], Field(min_length=1)] = _BEAMS
    """Directions of the leader's beams from its heading, from left to right (rad)."""


class LeaderTable(_Table):
    """How the leader finds its way."""

    model: str = "devs_robotics.models.convoy:Leader"
    """"module:Class" of its decision model: a subclass of `models.convoy.Leader`, with the same arguments."""
    step: PositiveLength = 0.2
    turn: PositiveAngle = radians(15.0)
    """Angle of one turn to the left, away from an obstacle, before the leader looks again (rad)."""
    swing: Annotated[Angle, Field(ge=0)] = radians(15.0)
    """Angle turned on once the way is free, so that it leads away from a wall and not along it."""
    clearance: PositiveLength = 0.5
    """Less room than this is an obstacle (m); readings to the side count up to twofold."""
    path: tuple[tuple[Angle, Length], ...] = ()
    """Scripted moves [turn, distance], one per round, begun again at the end; empty: the leader finds its own way."""


class FollowerTable(_Table):
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
    scan_limit: PositiveAngle = radians(45.0)
    recovery_step: NotNegativeLength = 0.1
    """How far a follower goes on before it scans again for a front robot that it did not find (m)."""
    recoveries: NotNegativeCount = 3
    """How often it does so before it gives up as lost."""
    correction: Annotated[Factor, Field(ge=0, le=1)] = 0.2
    """Share of the heading difference that it sees which it takes over each round; 0: equation (3) alone."""


class NoiseTable(_Table):
    """The generator: motion inaccuracy (Hu & Zeigler, section 4.1)."""

    dnf: Annotated[Factor, Field(ge=0, lt=1)] = 0.1
    """Distance noise factor: largest error as a share of the distance."""
    anf: Annotated[Factor, Field(ge=0)] = 0.08
    """Angle noise factor: largest error in degrees per centimetre of distance."""


class BoxObstacle(_Table):
    """A rectangle about its centre."""

    shape: Literal["box"]
    x: Length
    y: Length
    width: PositiveLength
    height: PositiveLength
    heading: Angle = 0.0


class CircleObstacle(_Table):
    """A disc."""

    shape: Literal["circle"]
    x: Length
    y: Length
    radius: PositiveLength


class PolygonObstacle(_Table):
    """A simple polygon, its corners in order round it."""

    shape: Literal["polygon"]
    corners: Annotated[tuple[tuple[Length, Length], ...], Field(min_length=3)]


Obstacle = Annotated[BoxObstacle | CircleObstacle | PolygonObstacle, Field(discriminator="shape")]


class FieldTable(_Table):
    """The walled field, from (0, 0) to (width, height), and what stands in it."""

    width: PositiveLength | None = None
    """Absent: 30 m, or as long as the initial line needs with 5 m before and behind it."""
    height: PositiveLength | None = None
    """Absent: the same."""
    obstacles: tuple[Obstacle, ...] = ()


Patterns = Annotated[tuple[str, ...], BeforeValidator(_as_list), Field(min_length=1)]


class FramePart(BaseModel):
    """A model of one's own in the frame; its further keys are arguments of its class."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    model: str
    """"module:Class" of an atomic or a coupled model."""
    taps: dict[str, Patterns] = {}
    """By its input port: which output ports of the system, of any depth, it observes."""
    drives: dict[str, Patterns] = {}
    """By its output port: which input ports of the system it drives."""

    @property
    def keys(self) -> dict[str, Any]:
        """The arguments of its class."""
        return dict(self.model_extra or {})


def _as_part_name(name: str) -> str:
    if not (name.isidentifier() and name.isascii()):
        sentence = "cannot name a part: write [frame.parts.NAME] with a name of letters, digits and underscores"
        raise PydanticCustomError("quantity", "{sentence}", {"sentence": sentence})
    return name


PartName = Annotated[str, AfterValidator(_as_part_name)]


class FrameTable(_Table):
    """The generators, the transducers and the acceptors."""

    transient_rounds: NotNegativeCount | None = None
    """Rounds that averages leave out; absent: 20, or a quarter of the run's rounds if that is less."""
    parted: PositiveLength = 1.0
    """A follower that completes a round further than this from its front robot has lost it (m)."""
    approaches: bool = False
    """Whether to measure how near bodies come to each other, and collisions; a run then takes some 5 % longer."""
    parts: dict[PartName, FramePart] = {}
    """Further generators, transducers and acceptors, by their names."""


class ClockTable(_Table):
    """How stages on the wall clock keep time; `fast` does not."""

    rate: Annotated[Factor, Field(gt=0, le=1000)] = 1.0
    """Simulated seconds per real second; real robots other than stand-ins need 1."""
    late: Literal["record", "warn", "abort"] = "record"
    """What to do about an event that is handled later than `max_lateness`."""
    max_lateness: Annotated[Duration, Field(gt=0)] = 0.05


def _without_password(address: str | None, info: SerializationInfo) -> str | None:
    from devs_robotics.hil.addresses import masked

    return address if address is None or info.round_trip else masked(address)


Address = Annotated[str | None, PlainSerializer(_without_password, when_used="json")]
"""In JSON, which goes into results and reports, without its password, unless the JSON is to be read again."""


class RealTable(_Table):
    """A robot that is real in the stages `loop` and `real`."""

    protocol: str = "json"
    """json, epuck-ascii, epuck-binary, epuck2-wifi, or "module:Class" of a protocol of your own."""
    address: Address = None
    """Where it is, for instance "serial:///dev/ttyACM0"; absent: a stand-in plays it."""
    motor: Literal["virtual", "loop"] = "loop"
    """In the stage `loop`; in `real` everything is."""
    infrared: Literal["virtual", "real"] = "real"
    whiskers: Literal["virtual", "real"] = "virtual"
    counterpart: Literal["reported", "commanded"] = "reported"
    """Which motion its counterpart in the environment makes: the one that it reports, or the commanded one."""
    proximity: ResponseName = DEFAULT
    """What an e-puck's proximity sensors read: "paper" (e-puck2, measured), "e-puck", "webots" or "inverse-square"."""
    answer_within: Annotated[Duration, Field(gt=0)] = 0.5
    """It is asked again when it has not answered for so long (s); after three times the run ends."""
    link_within: Annotated[Duration, Field(gt=0)] = 5.0
    """The run ends when its link cannot be had for so long (s)."""


class StandInTable(_Table):
    """The bodies of the stand-ins that play real robots; they know nothing of the models."""

    acceleration: Annotated[float, Field(gt=0)] | None = 1.0
    """Of the wheels (m/s^2)."""
    stretch: Annotated[Factor, Field(ge=0, lt=1)] = 0.02
    """Largest slip, as a share of each drive."""
    swerve: Annotated[Angle, Field(ge=0)] = radians(2.0)
    """Largest change of heading on a metre of way (rad)."""
    range_noise: NotNegativeLength = 0.002
    """Standard deviation of a range reading (m)."""
    latency: Annotated[Duration, Field(ge=0)] = 0.005
    """Time that a message takes inside the robot, either way (s)."""
    jitter: Annotated[Duration, Field(ge=0)] = 0.005
    """Largest addition to the latency (s)."""
    perfect: bool = False
    """No slip, no noise, no latency, and wheels that reach their speed at once, whatever the other keys say."""


class TrackingTable(_Table):
    """A system that sees real robots from outside: a camera above the field, for instance."""

    address: Address = None
    """MQTT topic on which it publishes fixes; absent: the stand-ins' laboratory has one of its own."""
    corrects: bool = False
    """Whether fixes move the counterparts of real robots; if not, they are only measured against them."""
    period: Annotated[Duration, Field(gt=0)] = 0.2
    """Of the laboratory's own (s)."""
    noise: NotNegativeLength = 0.002
    """Of the laboratory's own: standard deviation of x and y (m)."""


class SafetyTable(_Table):
    """What must hold before real robots move."""

    approach: PositiveLength = 0.02
    """Bodies that come closer to each other or to anything else in the stage `fast` are a danger (m)."""


RobotNumber = Annotated[str, Field(pattern="^[1-9][0-9]{0,4}$")]


class Scenario(_Table):
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
    real: dict[RobotNumber, RealTable] = {}
    stand_in: StandInTable = StandInTable()
    tracking: TrackingTable = TrackingTable()
    safety: SafetyTable = SafetyTable()
