"""The tables that every scenario file may have: each key, its unit, its bounds and its default."""

from __future__ import annotations

from math import radians
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    create_model,
    model_serializer,
)
from pydantic_core import PydanticCustomError

from devs_robotics.core.robots.colours import rgb
from devs_robotics.core.robots.epuck2.camera import ViewName
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, ResponseName
from devs_robotics.core.robots.epuck2.ring import RingName
from devs_robotics.core.robots.outside import Reality
from devs_robotics.hil.lab.ros2_dialects import DialectName, MiddlewareName
from devs_robotics.scenarios.settings.quantities import Angle, Duration, Factor, Length, Speed, TurnRate


class SettingsTable(BaseModel):
    """A table of a scenario file: unknown keys are mistakes. A text right below a key says what it is."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


LARGEST = 2**63 - 1
"""Whole number, so that tables have room for it."""

Count = Annotated[int, Field(ge=1, le=LARGEST)]
"""A whole number from 1 on."""
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


class RunTable(SettingsTable):
    """When a run ends, and what its random numbers start from."""

    seed: NotNegativeCount = 1
    """Of all random numbers; the same seed gives the same run."""
    duration: Annotated[Duration, Field(gt=0)] | None = None
    """Simulated time (s); absent: as the case study says."""
    population: Literal["models", "arrays", "auto"] = "models"
    """How the robots of a team are simulated: a model each, all of them in arrays, or whichever is faster."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return without_defaults(self, write(self), ("population",))


class RobotTable(SettingsTable):
    """The body of a robot."""

    radius: PositiveLength = 0.1
    """Of the round body (m)."""
    speed: Annotated[Speed, Field(ge=0.0001)] = 0.2
    """With which it drives (m/s)."""
    turn_rate: Annotated[TurnRate, Field(ge=0.0001)] = radians(90.0)
    """With which it turns on the spot (rad/s)."""
    whisker_reach: PositiveLength = 0.03
    """How far the whiskers stick out ahead of the body (m)."""


class NoiseTable(SettingsTable):
    """The generator: motion inaccuracy (Hu & Zeigler, section 4.1)."""

    dnf: Annotated[Factor, Field(ge=0, lt=1)] = 0.0
    """Distance noise factor: largest error as a share of the distance."""
    anf: Annotated[Factor, Field(ge=0)] = 0.0
    """Angle noise factor: largest error in degrees per centimetre of distance."""


def _as_colour(colour: str) -> str:
    """A colour that has red, green and blue; empty: none."""
    if colour and rgb(colour) is None:
        sentence = f"must be a colour such as '#ff0000' or 'red', not {colour!r}"
        raise PydanticCustomError("quantity", "{sentence}", {"sentence": sentence})
    return colour


def without_defaults(table: SettingsTable, written: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """What a table says, without those of these keys that say nothing new."""
    fields = type(table).model_fields
    defaults = {key: fields[key].default for key in keys}
    plain = {key: each.model_dump() if isinstance(each, SettingsTable) else each for key, each in defaults.items()}
    return {key: value for key, value in written.items() if key not in keys or value != plain[key]}


class ObstacleTable(SettingsTable):
    """What all obstacles have; what is not said of them is not written down either."""

    reality: Reality = "virtual"
    """"real" where it is really there, for sensors that see one reality only."""
    colour: Annotated[str, AfterValidator(_as_colour)] = ""
    """As "#rrggbb" or by name; empty: none that a colour sensor could tell."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return without_defaults(self, write(self), ("reality", "colour"))


class BoxObstacle(ObstacleTable):
    """A rectangle about its centre."""

    shape: Literal["box"]
    x: Length
    y: Length
    width: PositiveLength
    height: PositiveLength
    heading: Angle = 0.0


class CircleObstacle(ObstacleTable):
    """A disc."""

    shape: Literal["circle"]
    x: Length
    y: Length
    radius: PositiveLength


class PolygonObstacle(ObstacleTable):
    """A simple polygon, its corners in order round it."""

    shape: Literal["polygon"]
    corners: Annotated[tuple[tuple[Length, Length], ...], Field(min_length=3)]


Obstacle = Annotated[BoxObstacle | CircleObstacle | PolygonObstacle, Field(discriminator="shape")]


class FieldTable(SettingsTable):
    """The field, from (0, 0) to (width, height), with walls or without, and what stands in it."""

    width: PositiveLength | None = None
    """Along x (m); absent: as the case study says."""
    height: PositiveLength | None = None
    """Along y (m); absent: as the case study says."""
    obstacles: tuple[Obstacle, ...] = ()
    """Boxes, circles and polygons, such as { shape = "circle", x = 3, y = 4, radius = "50 cm" }."""
    walls: bool = True
    """Whether there are walls round it; without them robots can leave it."""


class SensingTable(SettingsTable):
    """How the environment model looks at what sensors watch; what they are told is the same, but with "grid"."""

    strategy: Literal["auto", "predict", "batch", "polling", "grid"] = "auto"
    """Predicts when to look, looks at all at once, looks all the time, or "auto": the faster of the first two. With
    "grid" contacts, too, are looked for at points in time alone, of all robots in arrays."""
    grid: Annotated[Duration, Field(gt=0, le=10.0)] = 0.1
    """Of "grid": period of these points (s); what a sensor watches, or a contact, is noticed so much later."""
    rules: Literal["exact", "original"] = "exact"
    """Of a served world: exact rays, or the published server's own rules, to compare both."""
    half_angle: Annotated[Angle, Field(ge=0, le=radians(90.0))] = 0.0
    """Of the cones into which sensors look in a served world, by exact rules (rad); 0: rays."""
    colour_reach: PositiveLength = 0.30
    """How far colours are seen in a served world, from the middle of a robot (m)."""
    proximity_colour_reach: PositiveLength = 0.20
    """The same of proximity sensors (m)."""
    robots_coloured: bool = False
    """Whether in a served world a robot has the colour of its LEDs."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Keys that are newer than others are written down where they say something."""
        new = ("grid", "rules", "half_angle", "colour_reach", "proximity_colour_reach", "robots_coloured")
        return without_defaults(self, write(self), new)


class _Presence(SettingsTable):
    """Robots whose programs are outside, in a served world."""

    silence: Annotated[Duration, Field(gt=0)] = 360.0
    """Time after its last word at which a robot is taken out (s)."""
    channel: str = "v1"
    """First level of all topics."""
    own_ids: NotNegativeCount = 1
    """Number of the case study's robot 1 on the wire; the others follow on it."""
    period: Annotated[Duration, Field(gt=0)] = 0.5
    """Time between two messages where the case study's robots are (s)."""
    left: Length | None = None
    """Coordinate of the field's left edge on the wire (m); absent: its origin is in the middle."""
    bottom: Length | None = None
    """The same of its lower edge."""


_await = Field(0, description="How many robots are to be there before all are told to start; 0: nobody tells them.")

PresenceTable: Any = create_model(  # type: ignore[call-overload]  # since this key is a word of Python's
    "PresenceTable",
    __base__=_Presence,
    __module__=__name__,
    __doc__=_Presence.__doc__,
    **{"await": (NotNegativeCount, _await)},
)


class RadioTable(SettingsTable):
    """Messages between robots in a served world."""

    reach: NotNegativeLength = 0.6
    """How far a message is heard that does not say it (m)."""
    delay: Annotated[Duration, Field(ge=0)] = 0.0
    """Time until it is heard (s)."""
    loss: Annotated[Factor, Field(ge=0, le=1)] = 0.0
    """Share of hearers that do not hear it."""


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


class FrameTable(SettingsTable):
    """The generators, the transducers and the acceptors."""

    approaches: bool = False
    """Whether to measure how near bodies come to each other, and collisions; a run then takes some 5 % longer."""
    parts: dict[PartName, FramePart] = {}
    """Further generators, transducers and acceptors, by their names."""


class ClockTable(SettingsTable):
    """How stages on the wall clock keep time; `fast` does not."""

    rate: Annotated[Factor, Field(gt=0, le=1000)] = 1.0
    """Simulated seconds per real second; real robots other than stand-ins need 1."""
    late: Literal["record", "warn", "abort"] = "record"
    """What to do about an event that is handled later than `max_lateness`."""
    max_lateness: Annotated[Duration, Field(gt=0)] = 0.05
    """Of an event that is still in time (s)."""


def _without_password(address: str | None, info: SerializationInfo) -> str | None:
    from devs_robotics.hil.addresses import masked

    return address if address is None or info.round_trip else masked(address)


Address = Annotated[str | None, PlainSerializer(_without_password, when_used="json")]
"""In JSON, which goes into results and reports, without its password, unless the JSON is to be read again."""


class RealTable(SettingsTable):
    """A robot that is real in the stages `loop` and `real`."""

    protocol: str = "json"
    """What it speaks: json, epuck-ascii, epuck-binary, epuck2-wifi, ros2, or "module:Class" of a protocol of yours."""
    address: Address = None
    """Where it is, for instance "serial:///dev/ttyACM0"; absent: a stand-in plays it."""
    motor: Literal["virtual", "loop"] = "loop"
    """In the stage `loop`; in `real` everything is."""
    infrared: Literal["virtual", "real", "both"] = "real"
    """Whose range sensors it has in the stage `loop`: the environment model's, its own, or the nearer of both."""
    whiskers: Literal["virtual", "real"] = "virtual"
    """The same of its contact sensors."""
    equipment: dict[str, Literal["virtual", "real"]] = {}
    """Of the case study's own, by name; unnamed, in `loop` only an e-puck's wheels, sensors and battery are real."""
    counterpart: Literal["reported", "commanded"] = "reported"
    """Which motion its counterpart in the environment makes: the one that it reports, or the commanded one."""
    proximity: ResponseName = DEFAULT_RESPONSE
    """What an e-puck's proximity sensors read: "paper" (e-puck2, measured), "e-puck", "webots" or "inverse-square"."""
    answer_within: Annotated[Duration, Field(gt=0)] = 0.5
    """It is asked again when it has not answered for so long (s); after three times the run ends."""
    link_within: Annotated[Duration, Field(gt=0)] = 5.0
    """The run ends when its link cannot be had for so long (s)."""
    watchdog: Annotated[Duration, Field(gt=0)] | None = None
    """Without commands for so long it stops by itself (s), as `devs-robotics probe` has measured."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return without_defaults(self, write(self), ("watchdog",))


class StandInTable(SettingsTable):
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
    ring: RingName = "clients"
    """Where an e-puck's proximity sensors are: "paper" (e-puck2, published), "argos", "webots" or "clients"."""
    view: ViewName = "stand-in"
    """How wide an e-puck's pictures are: "paper" (30 degrees), "webots" (48) or "stand-in" (56)."""
    dialect: DialectName = "turtlebot3"
    """Which ROS 2 robot one that speaks ros2 plays: "turtlebot3", "create3", "epuck2" or "mecanum"."""
    middleware: MiddlewareName = "dds"
    """How that is reached: "dds" or "zenoh"."""
    watchdog: Annotated[Duration, Field(gt=0)] | Literal["never"] = 0.5
    """Without a velocity command for so long it stops (s), or "never", as a TurtleBot 3 does."""
    perfect: bool = False
    """No slip, no noise, no latency, and wheels that reach their speed at once, whatever the other keys say."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return without_defaults(self, write(self), ("dialect", "middleware", "watchdog"))


class SafetyTable(SettingsTable):
    """What must hold before real robots move: the thresholds of the safety gate."""

    approach: PositiveLength = 0.03
    """Bodies that come closer to each other or to anything else in the stage `fast` are a danger (m)."""
    time_to_contact: Annotated[Duration, Field(gt=0)] = 0.5
    """So is a clearance that would be gone sooner at the present closing speed (s)."""
    slow: Annotated[Speed, Field(ge=0)] = 0.1
    """Closing speed up to which the time to contact does not matter (m/s)."""
    reaction: Annotated[Duration, Field(ge=0)] = 0.12
    """Time until a robot begins to brake: a decision (0.1 s), and what its sensors take (s)."""
    deceleration: Annotated[Factor, Field(gt=0)] = 2.0
    """With which it brakes (m/s^2)."""
    jerk: Annotated[Factor, Field(gt=0)] = 20.0
    """With which its braking sets in, and ends (m/s^3)."""
    mass: Annotated[Factor, Field(ge=0)] = 0.0
    """Of a robot (kg), for the energies on certificates; 0: they are not told."""

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Keys that are newer than others are written down where they say something."""
        new = ("time_to_contact", "slow", "reaction", "deceleration", "jerk", "mass")
        return without_defaults(self, write(self), new)


class ViewTable(SettingsTable):
    """How a run is looked at; the run is the same whatever is said here, and so is its scenario's hash."""

    rate: Annotated[Factor, Field(gt=0, le=60)] = 30.0
    """Most pictures per real second of a run that goes on."""
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """Of a live view; absent: 8470, or the next one that is free. `--view-port` goes before it."""
    viewers: Annotated[int, Field(ge=1, le=32)] = 8
    """Most viewers of a live view at once."""
    kept: Annotated[int, Field(ge=1, le=4096)] = 64
    """Megabytes that a live view keeps to look back in."""
    tracks: Annotated[Duration, Field(ge=0)] = 30.0
    """For how long tracks are drawn at first, live and in replays (s); 0: there are none."""
    rays: Annotated[int, Field(ge=0, le=10000)] = 200
    """Most rays of sensors in one picture of a live view."""
    arrows: Literal[1, 5, 10] = 1
    """How many times as long errors of counterparts are drawn at first, live and in replays."""
    pictures: Annotated[Factor, Field(gt=0, le=10)] = 5.0
    """Most pictures per second of a camera above the field, in a live view with `--view-camera`."""
