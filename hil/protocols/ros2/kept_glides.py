"""A base on omniwheels that is told where to glide: one command after the other, each with a report of its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from devs_robotics.core.robots.messages import Glide, Glided
from devs_robotics.core.robots.plain_data import PlainData, plain, typed
from devs_robotics.hil.protocols.events import GivenUp, Output, Told
from devs_robotics.hil.protocols.ros2.glide import NEVER_SIDLES, BaseGlide
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity
from devs_robotics.hil.protocols.ros2.motion import BaseState, LegPlan

Plans = Callable[[], tuple[LegPlan, LegPlan]]
"""How a turn and a way are driven now."""


class KeptGlides:
    """The commands to a base's omniwheels.

    A command that comes on the way is carried out when the base has braked; of several that come meanwhile only the
    last one is. Each has one report of its end, in their order.

    Args:
        plans: how a turn and a way are driven now
    """

    def __init__(self, plans: Plans) -> None:
        self._plans = plans
        self._name = ""
        self._commands: deque[Glide] = deque()
        self._glide: BaseGlide | None = None
        self._obeys = False
        self._waits = False
        self._delay: float | None = None

    @property
    def goes(self) -> bool:
        """Whether a command is carried out, or waits."""
        return bool(self._commands)

    def put(self, name: str, data: PlainData, state: BaseState | None, time: float) -> Iterator[Output]:
        """Omniwheels of a name are told a command at a time (s)."""
        glide = typed(data, Glide)
        assert isinstance(glide, Glide)
        self._name = name
        self._commands.append(glide)
        if self._glide is not None:
            self._glide.brake(time)
        begins = self._glide is None
        yield Told(name, None)
        if begins and self._glide is None and state is not None:  # else another one has come meanwhile
            yield from self._next(state, time)

    def velocity(self, time: float) -> BaseVelocity | None:
        """The velocity that the base should have now; None while it is told nothing."""
        if self._glide is None:
            return None
        if self._waits:
            self._waits = False
            self._glide.waited(time)
        return self._glide.command(time)

    def take_delay(self) -> float | None:
        """From when the base was told to begin a command until that showed (s), once for each; None if not now."""
        taken, self._delay = self._delay, None
        return taken

    def silent(self) -> None:
        """The base is not heard; it stands still, and goes on with what is left when it is."""
        self._waits = True

    def heard(self, state: BaseState, time: float) -> Iterator[Output]:
        """Odometry says where the base is now (s): how far it has come, or that a command has ended."""
        glide = self._glide
        if glide is None:
            if self._commands:
                yield from self._next(state, time)
            return
        gone, turned = glide.gone, glide.turned
        glide.heard(state, time)
        self._obeys = glide.obeys
        self._delay = glide.take_delay() or self._delay
        if glide.ending is not None:
            yield from self._over(blocked=glide.ending == "blocked")
            yield from self._next(state, time)
        elif glide.is_rigid:
            yield GivenUp(NEVER_SIDLES)
        elif (gone, turned) != (glide.gone, glide.turned):
            yield self._told(Glided(glide.gone, glide.turned, under_way=True))

    def end(self) -> Iterator[Output]:
        """The base is driven otherwise from now on: what it was told ends where it is."""
        while self._commands:
            yield from self._over(blocked=True)

    def _next(self, state: BaseState, time: float) -> Iterator[Output]:
        """Begin the last command that has come; those before it are over, and so is one that says nothing."""
        while len(self._commands) > 1:
            yield from self._over(blocked=False)
        if not self._commands:
            return
        command = self._commands[0]
        if not command.distance and not command.turn:
            yield from self._over(blocked=False)
            return
        rotation, way = self._plans()
        way = replace(way, speed=min(way.speed, command.speed))
        self._glide = BaseGlide(command, state, way, rotation, time, obeys=self._obeys)

    def _over(self, *, blocked: bool) -> Iterator[Output]:
        self._commands.popleft()
        glide, self._glide = self._glide, None
        gone, turned = (0.0, 0.0) if glide is None else (glide.gone, glide.turned)
        yield self._told(Glided(gone, turned, blocked))

    def _told(self, glided: Glided) -> Told:
        return Told(self._name, plain(glided), unasked=True)
