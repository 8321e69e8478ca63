"""The transducer of the safety gate: it keeps how robots move, and judges it when the run is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from devs_robotics import Atomic, Glide, In, Port, Wheels
from devs_robotics.core.ports import add_port
from devs_robotics.experimental_frames.instruments.approach import Approach, Approached
from devs_robotics.experimental_frames.instruments.safety.judgement import (
    NOTHING,
    Extreme,
    SafetyJudgement,
    SafetyViolation,
)
from devs_robotics.experimental_frames.instruments.safety.legs import Record, legs_of
from devs_robotics.experimental_frames.instruments.safety.limits import (
    CONTACT,
    Allowance,
    Engagement,
    Kind,
    SafetyLimits,
    clearance_alone,
)
from devs_robotics.experimental_frames.instruments.safety.nearing import (
    VALUES,
    Encounter,
    Moment,
    SeenViolation,
    Worst,
    kinds_of,
)
from devs_robotics.experimental_frames.instruments.safety.things import BodyWay, Floats, Standing, standing
from devs_robotics.models.environment import BodyMotion, Pose, Shape
from devs_robotics.models.environment.motion.arc import Arc

ANEW = 1.0
"""Time after which a violation of the same kind by the same two is another one (s)."""

MARGIN = 1e-6
"""Share by which a command may be over a limit: a rounding error."""


class SafetyWatch(Atomic):
    """Keeps how every robot moves, leg by leg, and judges clearances, closing speeds and the room to stop.

    Ports:
        body_motion: how a body moves from now on
        and one per robot whose wheels are told their speeds, which `hear_commands` makes

    Args:
        width, height: of the field (m)
        obstacles: that stand in it
        radii: of the robots' bodies (m), robot 1 first
        speeds: of their motors (m/s)
        poses: where they stand at first
        limits: what is a violation
        allowances: which ones are allowed
        walled: whether there are walls round the field
    """

    body_motion = In(BodyMotion)

    def __init__(
        self,
        name: str,
        width: float,
        height: float,
        obstacles: Sequence[Shape],
        radii: Sequence[float],
        speeds: Sequence[float],
        poses: Sequence[Pose],
        limits: SafetyLimits,
        allowances: Sequence[Allowance] = (),
        *,
        walled: bool = True,
    ) -> None:
        super().__init__(name)
        self.standing = standing(width, height, obstacles, walled=walled)
        self.radii, self.speeds = tuple(radii), tuple(speeds)
        self.limits, self.allowances = limits, tuple(allowances)
        self._records: dict[int, list[Record]] = {
            robot: [(0.0, Arc(0.0, *pose), False)] for robot, pose in enumerate(poses, 1)
        }
        """By the number of the body."""
        self._others: dict[int, BodyMotion] = {}
        """Bodies that are no robots, as they were told first."""
        self._commands: list[tuple[int, Port[Any], float]] = []
        self._beyond: dict[int, list[tuple[float, float]]] = {}
        """By robot: when it was told to drive faster than it can, and how fast (s, m/s)."""
        self._time = 0.0

    def hear_commands(self, robot: int, kind: type[Wheels | Glide], fastest: float) -> Port[Any]:
        """A port for the commands of a kind to a robot's wheels or omniwheels, which can go so fast (m/s)."""
        port: Port[Any] = Port(kind, f"commands{robot}_{len(self._commands)}")
        add_port(self, port, "in")
        self._commands.append((robot, port, fastest))
        return port

    def deltext(self, e: float) -> None:
        """Keep what robots do from now on."""
        self._time += e
        for motion in self.body_motion.values:
            if motion.robot > len(self.radii):
                self._others.setdefault(motion.robot, motion)
            self._records.setdefault(motion.robot, []).append((self._time, motion.trajectory, motion.carried))
        for robot, port, fastest in self._commands:
            for command in port.values:
                speed = _wanted(command)
                if speed > fastest * (1.0 + MARGIN):
                    self._beyond.setdefault(robot, []).append((self._time, speed))

    def judge(self, end: float, engagements: Iterable[Engagement] = ()) -> SafetyJudgement:
        """Judge everything up to the end of the run (s), with what robots dealt with on purpose."""
        ways = self._ways(end := max(end, self._time))
        worst, violations = Worst(self.limits, self.allowances, engagements), _Violations()
        self._look(ways, end, worst, worst, violations)
        for robot, told in self._beyond.items():
            violations.beyond(self.allowances, ways[robot - 1], robot, told)
        clearance, time_to_contact, room_to_stop = (worst.extreme(name) or NOTHING for name in VALUES)
        carried = tuple(robot for robot, way in enumerate(ways, 1) if way.carried.any())
        speed = max((_fastest(*each) for each in enumerate(ways, 1)), key=lambda each: each.value)
        return SafetyJudgement(clearance, time_to_contact, room_to_stop, speed, tuple(violations.all()), carried)

    def approached(self, end: float, engagements: Iterable[Engagement] = ()) -> Approached:
        """How near bodies came to each other up to the end of the run (s), whatever their speeds."""
        ways, dealt = self._ways(end := max(end, self._time)), list(engagements)
        limits = clearance_alone(self.limits)
        apart, among = Worst(limits, self.allowances, dealt), Worst(limits, self.allowances, dealt)
        found = _Violations()
        self._look(ways, end, apart, among, found)
        near = [each for each in found.all() if each.kind == "too near"]
        trouble = min((each.worst for each in near if not each.allowed), key=lambda each: each.clearance, default=None)
        return Approached(
            limits.approach,
            (among.extreme("clearance") or NOTHING).value,
            sum(each.count for each in near),
            sum(each.count for each in found.all() if each.kind == "contact"),
            None if trouble is None else _approach(trouble),
            tuple(dict.fromkeys(each.allowed for each in near if each.allowed)),
        )

    def _ways(self, end: float) -> list[BodyWay]:
        """How the robots went up to a time (s)."""
        robots = enumerate(zip(self.speeds, self.radii, strict=True), 1)
        return [BodyWay(legs_of(self._records[robot], speed, end), radius) for robot, (speed, radius) in robots]

    def _look(self, ways: Sequence[BodyWay], end: float, apart: Worst, among: Worst, found: _Violations) -> None:
        """Look at robots beside what stands and other bodies, and then among each other."""
        for robot, way in enumerate(ways, 1):
            for stands in self.standing:
                found.add(apart, _beside(robot, way, stands, apart))
            for other, first in self._others.items():
                legs = legs_of(self._records[other], None, end)
                if legs:
                    its = BodyWay(legs, first.radius)
                    found.add(apart, _between(robot, way, f"{first.kind} {other}", first.kind, its, apart))
        for (robot, way), (other, its) in combinations(enumerate(ways, 1), 2):
            found.add(among, _between(robot, way, f"robot {other}", "robot", its, among))

    def of_the_case(self, sentences: Sequence[str]) -> SafetyJudgement:
        """Violations that somebody else has found, a sentence each."""
        why = next((each.why for each in self.allowances if each.allows("of the case", "", 0.0)), "")
        found = SafetyJudgement()
        for what in sentences:
            found = found.joined(
                SafetyJudgement(violations=(SafetyViolation("of the case", 1, NOTHING, NOTHING, what, why),))
            )
        return found


class _Violations:
    """Violations by kind, and by what allows them."""

    def __init__(self) -> None:
        self._found: dict[tuple[Kind, str], SafetyViolation] = {}

    def add(self, worst: Worst, encounters: Iterator[Encounter]) -> None:
        """Look at the encounters of two things; what goes on, or comes again soon, is one violation."""
        found: dict[tuple[Kind, str], list[SeenViolation]] = {}
        for encounter in encounters:
            for key, seen in worst.look(encounter).items():
                found.setdefault(key, []).append(seen)
        for (kind, allowed), all_seen in found.items():
            until = -inf
            for seen in sorted(all_seen, key=lambda each: each.first):
                count = int(seen.first > until + ANEW)
                until = max(until, seen.last)
                self._keep(SafetyViolation(kind, count, seen.worst, seen.worst, allowed=allowed))

    def beyond(
        self, allowances: Sequence[Allowance], way: BodyWay, robot: int, told: list[tuple[float, float]]
    ) -> None:
        """Commands that wheels cannot carry out."""
        why = next((each.why for each in allowances if each.allows("over the limit", "", 0.0)), "")
        for time, speed in told:
            x, y = way.legs[int(way.at(np.array([time]))[0])].place(time)
            extreme = Extreme(speed, robot, "", time, x, y)
            what = f"robot {robot} was told to drive at {speed:g} m/s, faster than it can, at {time:.3f} s"
            self._keep(SafetyViolation("over the limit", 1, extreme, extreme, what, why))

    def all(self) -> list[SafetyViolation]:
        """Those that were found, with the first of each kind."""
        return list(self._found.values())

    def _keep(self, violation: SafetyViolation) -> None:
        key = violation.kind, violation.allowed
        before = self._found.get(key)
        if before is None:
            self._found[key] = violation
        elif violation.first.time < before.first.time:
            self._found[key] = violation.joined(before)
        else:
            self._found[key] = before.joined(violation)


def _approach(extreme: Extreme) -> Approach:
    """The moment of a clearance, as it is told where nothing but clearances matters."""
    distance = extreme.clearance if extreme.clearance > CONTACT else 0.0
    return Approach(extreme.robot, extreme.other, distance, extreme.time)


def _between(robot: int, way: BodyWay, name: str, thing: str, its: BodyWay, worst: Worst) -> Iterator[Encounter]:
    """The encounters of a robot with another body that may matter, the nearest first."""
    if not _matters(worst, (way.gap(its), float(way.fastest.max()), float(its.fastest.max()))):
        return
    begin, end = max(way.starts[0], its.starts[0]), min(way.end, its.end)
    times = np.union1d(way.starts, its.starts)
    times = times[(times >= begin) & (times <= end)]
    if not times.size:
        return
    ends = np.append(times[1:], end)
    mine, theirs, middles = way.at(times), its.at(times), (times + ends) / 2.0
    (x, y), (other_x, other_y) = way.about(mine, middles), its.about(theirs, middles)
    fastest, its_fastest = way.fastest[mine], its.fastest[theirs]
    least = np.hypot(other_x - x, other_y - y) - way.radius - its.radius - way.bow[mine] - its.bow[theirs]
    least -= (fastest + its_fastest) * (ends - times) / 2.0
    least[way.carried[mine] | its.carried[theirs]] = inf
    for number in _mattering(worst, least, fastest, its_fastest):
        yield Encounter(
            robot,
            way.legs[mine[number]],
            way.radius,
            name,
            thing,
            its.legs[theirs[number]],
            None,
            its.radius,
            float(times[number]),
            float(ends[number]),
        )


def _beside(robot: int, way: BodyWay, stands: Standing, worst: Worst) -> Iterator[Encounter]:
    """The encounters of a robot with what stands that may matter, the nearest first."""
    ends = np.append(way.starts[1:], way.end)
    legs, middles = np.arange(len(way.legs)), (way.starts + ends) / 2.0
    least = stands.distances(*way.about(legs, middles)) - way.radius - way.bow
    least -= way.fastest * (ends - way.starts) / 2.0
    least[way.carried] = inf
    for number in _mattering(worst, least, way.fastest, np.zeros_like(way.fastest)):
        leg = way.legs[number]
        yield Encounter(robot, leg, way.radius, stands.name, stands.thing, None, stands, 0.0, leg.start, leg.end)


def _mattering(worst: Worst, least: Floats, own: Floats, its: Floats) -> Iterator[int]:
    """The numbers of encounters that may be worse than what is known, or hold violations; the nearest first.

    Args:
        least: bounds of their clearances (m)
        own, its: of the speeds (m/s)
    """
    fastest = float(own.max()), float(its.max())
    for number in np.argsort(least, kind="stable").tolist():
        moment = float(least[number]), *fastest
        if moment[0] == inf or not _matters(worst, moment):
            return  # those that are left are further apart
        yield number


def _matters(worst: Worst, moment: Moment) -> bool:
    """Whether what is no worse than these bounds may be worse than what is known, or a violation."""
    worse = any(measure(worst.limits, moment) < worst.values[name] for name, measure in VALUES.items())
    return worse or bool(kinds_of(worst.limits, moment))


def _wanted(command: Wheels | Glide) -> float:
    """The speed that a command wants (m/s); 0 where it wants whatever is possible."""
    if isinstance(command, Wheels):
        return max(abs(command.left), abs(command.right))
    return command.speed if command.speed < inf else 0.0


def _fastest(robot: int, way: BodyWay) -> Extreme:
    number = int(np.argmax(way.fastest))
    leg = way.legs[number]
    return Extreme(leg.fastest, robot, "", leg.start, leg.x, leg.y)
