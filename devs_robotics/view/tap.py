"""The tap of a run: copies where everybody is, a few dozen times per second, and only while somebody looks.

Nothing here waits for anybody. A run calls `Tap.look` between its steps; what viewers want stands in the memory that
both share, and so does what they get.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import nan

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.core.realtime.run import Run
from devs_robotics.core.robots.messages import Drive
from devs_robotics.models.activities import HardwareMotor
from devs_robotics.models.environment.messages import Motion
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.view.joining import joined_body
from devs_robotics.view.scene import Scene
from devs_robotics.view.shared import SceneNow, SharedBlock, encode
from devs_robotics.view.states import BLOCKED, MOVING, STOPPED, THERE, UNSURE, packed
from devs_robotics.view.watcher import FixWatcher

PoseColumns = tuple[list[float], list[float], list[float]]
"""x and y (m), and headings (rad), by slot."""


class Sources(Struct, frozen=True):
    """What a tap looks at.

    Attributes:
        run: that goes on
        space: who knows where the bodies are
        scene: of the run as it begins
        seen: slots of real robots as they are seen, by number of the robot
        clocks: who times the motions of virtual motors, by number of the robot
        motors: of real robots, by number
        outside: what a robot is called whose program is outside, by the number of its body, from 0; empty for others
    """

    run: Run
    space: SpaceManager
    scene: Scene
    seen: Mapping[int, int]
    clocks: Mapping[int, TimeManager]
    motors: Mapping[int, HardwareMotor]
    outside: Callable[[int], str] = lambda body: ""


class Tap:
    """Copies states, and the scene where it has changed, into what the run and its view share.

    Args:
        block: that they share
        sources: what there is to be seen
        watcher: keeps the fixes of a tracking system
        unix: tells the Unix time (s)

    Attributes:
        looks: how often it has copied a state
        scene: as it is now
        revision: of the scene
    """

    def __init__(
        self, block: SharedBlock, sources: Sources, watcher: FixWatcher, unix: Callable[[], float] = time.time
    ) -> None:
        self.looks = 0
        self.scene = sources.scene
        self.revision = 0
        self._block = block
        self._sources = sources
        self._watcher = watcher
        self._unix = unix
        self._robots = sources.space.world.robots
        self._begun: dict[int, tuple[Drive, float]] = {}
        """The command that each real robot carries out, and when that was first seen (s)."""
        self._gone = 0
        self._tell_scene()

    def look(self) -> None:
        """Copy where everybody is now."""
        bodies = self._sources.space.field.bodies
        if len(bodies) + len(self._sources.seen) > len(self.scene.bodies) or len(bodies.gone) > self._gone:
            self._see_who_is_there()
        run = self._sources.run
        now = run.now
        poses, bits = self._poses(now)
        moves = self._moves(now, bits)
        self.looks += 1
        state = packed(self.looks, now, self._unix(), self.revision, poses, bits, moves)
        self._block.state.write(state)

    def _poses(self, now: float) -> tuple[PoseColumns, bytearray]:
        """Places and headings, and what is known of each slot."""
        space = self._sources.space
        bodies = space.field.bodies
        x, y, heading = columns = list(bodies.x), list(bodies.y), list(bodies.heading)
        bits = bytearray((THERE,)) * len(x)
        if any(bodies.speed) or any(bodies.turn_rate):
            for body, (speed, turn_rate) in enumerate(zip(bodies.speed, bodies.turn_rate, strict=True)):
                if speed or turn_rate:
                    x[body], y[body], heading[body] = bodies.pose(body, now)
                    bits[body] |= MOVING
        _mark(bits, space.world.touching, BLOCKED)
        if space.driving is not None:
            _mark(bits, space.driving.contacts.held, BLOCKED)
        for body in bodies.gone:
            bits[body] = 0
        if self._sources.run.stands:
            for robot in self._sources.motors:
                bits[robot - 1] |= STOPPED
        if self._sources.seen:
            fixes, certain = self._fixes(now)
            first = self._robots
            for column, seen in zip(columns, fixes, strict=True):
                column[first:first] = seen
            bits[first:first] = certain
        return columns, bits

    def _fixes(self, now: float) -> tuple[PoseColumns, bytearray]:
        """Where real robots were seen last."""
        count = len(self._sources.seen)
        columns, bits = ([nan] * count, [nan] * count, [nan] * count), bytearray(count)
        for slot, robot in enumerate(sorted(self._sources.seen)):
            found = self._watcher.fixes.get(robot)
            if found is None:
                continue
            at, fix = found
            for column, value in zip(columns, (fix.x, fix.y, fix.heading), strict=True):
                column[slot] = value
            bits[slot] = THERE | (UNSURE if now - at > self.scene.unseen else 0)
            if robot in self._begun:
                bits[slot] |= MOVING
            if self._sources.run.stands:
                bits[slot] |= STOPPED
        return columns, bits

    def _moves(self, now: float, bits: bytearray) -> list[list[float]] | None:
        """The motions under way: when they began, and will end, and how far they go."""
        found: list[tuple[int, float, float, float, float]] = []
        due = self._sources.run.simulator.due
        for robot, clock in self._sources.clocks.items():
            motion = clock.under_way
            if motion is not None:
                ends = due(clock)
                found.append((robot - 1, ends - clock.duration(motion), ends, motion.turn, motion.distance))
        for robot, motor in self._sources.motors.items():
            command = motor.under_way
            if command is None:
                self._begun.pop(robot, None)
                continue
            known = self._begun.get(robot)
            if known is None or known[0] is not command:
                known = self._begun[robot] = command, now
            pace = self._sources.space.world.pace_of(robot)
            motion = Motion(robot, command.turn, command.distance)
            lasts = 0.0 if pace is None else pace.duration(motion.turn, motion.distance)
            found.append((robot - 1, known[1], known[1] + lasts, motion.turn, motion.distance))
        if not found:
            return None
        moves = [[nan] * len(bits) for _ in range(4)]
        for slot, *move in found:
            bits[slot] |= MOVING
            for column, value in zip(moves, move, strict=True):
                column[slot] = value
        return moves

    def _see_who_is_there(self) -> None:
        """Bodies have joined, or left: the scene is another one."""
        bodies, seen = self._sources.space.field.bodies, len(self._sources.seen)
        outside = self._sources.outside
        new = [
            joined_body(body, body + seen, bodies.radius[body], bodies.traits[body], outside(body))
            for body in range(len(self.scene.bodies) - seen, len(bodies))
        ]
        self.scene = replace(self.scene, bodies=(*self.scene.bodies, *new))
        self._gone = len(bodies.gone)
        self._tell_scene()

    def _tell_scene(self) -> None:
        self.revision += 1
        bodies = self._sources.space.field.bodies
        gone = sorted(body if body < self._robots else body + len(self._sources.seen) for body in bodies.gone)
        self._block.scene.write(encode(SceneNow(self.revision, self._sources.run.now, self.scene, gone)))


def _mark(bits: bytearray, holds: Sequence[bool], bit: int) -> None:
    """Set a bit of the first slots, where something holds."""
    if True in holds:
        for body, there in enumerate(holds):
            if there:
                bits[body] |= bit
