"""Which fixes of a tracking system are believed, and when a robot is lost."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, inf

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.robots.messages import Fix, TrackChange

LOST = 1.0
"""Time without a fix after which nobody is sure where a robot is (s)."""

SLACK = 0.1
"""Of a jump: what the errors of two fixes may come to (m)."""

MARGIN = 1.5
"""A robot may be so many times as fast as it is said to be."""

TOO_FAR = "a jump beyond what the robot can drive"
OLDER = "older than the last one"


class _Track(Struct, frozen=True):
    """What is believed of one robot: where it was last, when, and whether the next fix is believed wherever it is."""

    x: float
    y: float
    time: float
    doubted: bool = False


class TrackGate:
    """Judges fixes, and says which robots are lost; it has no clock.

    A jump beyond what a robot can drive is dropped once; the next fix is believed wherever it is. From the first fix of
    any robot on, each one that is not seen for a while is lost, until it is seen again.

    Args:
        speeds: how fast robots can drive (m/s), by their numbers; infinite: any jump is believed
        lost: time without a fix after which a robot is lost (s); infinite: never

    Attributes:
        unsure: the robots that are lost
    """

    def __init__(self, speeds: Mapping[int, float], lost: float = LOST) -> None:
        if not lost > 0.0:
            raise DevsRoboticsError(f"the time after which a robot is lost must be above 0 s, not {lost!r}")
        self._speeds = dict(speeds)
        self._lost = lost
        self._tracks: dict[int, _Track] = {}
        self._heard: dict[int, float] = {}
        """When each robot was seen last that is not lost, in the order of these times."""
        self.unsure: set[int] = set()

    def judge(self, fix: Fix, time: float) -> str:
        """Take a fix of a known robot that is there at a time (s); returns why it is not believed, empty if it is."""
        if not self._heard and not self.unsure:
            self._heard = dict.fromkeys(sorted(self._speeds), time)
        exposed = time if fix.exposed is None else fix.exposed
        track = self._tracks.get(fix.robot)
        if track is not None:
            if exposed < track.time:
                return OLDER
            if not track.doubted and self._is_beyond(fix, track, exposed):
                self._tracks[fix.robot] = replace(track, doubted=True)
                return TOO_FAR
        self._tracks[fix.robot] = _Track(fix.x, fix.y, exposed)
        self._heard.pop(fix.robot, None)
        self._heard[fix.robot] = time
        return ""

    def found(self, robot: int) -> TrackChange | None:
        """What is to be told when a fix of a robot was believed."""
        if robot not in self.unsure:
            return None
        self.unsure.discard(robot)
        return TrackChange(robot, True)

    def _is_beyond(self, fix: Fix, track: _Track, exposed: float) -> bool:
        speed = self._speeds[fix.robot]
        return speed < inf and hypot(fix.x - track.x, fix.y - track.y) > SLACK + MARGIN * speed * (exposed - track.time)

    @property
    def next_loss(self) -> float:
        """When the next robot will be lost, if no fix of it comes (s)."""
        return next(iter(self._heard.values())) + self._lost if self._heard else inf

    def losing(self, time: float) -> list[TrackChange]:
        """The robots that are lost from a time on (s), if no fix of them comes."""
        gone = (robot for robot, heard in self._heard.items() if heard + self._lost <= time)
        return [TrackChange(robot, False) for robot in sorted(gone)]

    def lose(self, time: float) -> list[TrackChange]:
        """The same, and they are lost."""
        changes = self.losing(time)
        for change in changes:
            del self._heard[change.robot]
            self.unsure.add(change.robot)
        return changes
