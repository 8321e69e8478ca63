"""Prediction: a watch sleeps until what it reads can differ."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import ClassVar

from devs_robotics.models.environment.instants import EARLY, Raster, instant_from
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.sensing.level_crossings import SOON
from devs_robotics.models.environment.sensing.strategy import Notices, Strategy
from devs_robotics.models.environment.sensing.watch import StrategyName, Watched
from devs_robotics.models.environment.world import World


class PredictStrategy(Strategy):
    """Looks on every point of the raster while something is in reach, and otherwise not before something can be.

    Every wake-up is a time before which nothing can change. A change of motion may bring it forward; none is ever put
    off, but when the robot itself moves otherwise, and all is worked out anew.
    """

    name: ClassVar[StrategyName] = "predict"

    def __init__(self, world: World, nearby: Nearby | None = None) -> None:
        super().__init__(world, nearby)
        self._point_of: tuple[Raster | None, float] = None, -inf
        self._following = inf
        """The next point of a raster, from an instant on."""

    def look_at(self, watches: list[Watched]) -> Notices:
        """Look, among the bodies that are near."""
        near, told = self.nearby.near, []
        self.looks += len(watches)
        self.needed += len(watches)
        for watched in watches:
            answer = watched.outlook.look(near[watched.body])
            quiet = watched.quiet = not watched.every and watched.outlook.is_quiet(answer)
            notices = watched.notices(answer)
            for notice in notices:
                told.append((watched.port, notice))
            if watched.raster is None:
                self.wake(watched, self._next_crossing(watched))
            elif not quiet:
                self.wake(watched, self._next_engaged(watched))
            elif notices:
                self.wake(watched, self._next_point(watched))  # a command will most likely follow, and plan it anew
            else:
                self.wake(watched, self._next_quiet(watched))
        return told

    def take_over(self, watched: Watched) -> None:
        """Go on with a watch that another strategy has begun."""
        super().take_over(watched)
        self.wake(watched, self._next_crossing(watched) if watched.raster is None else self._next_point(watched))

    def changed(self, bodies: Iterable[int]) -> None:
        """Work out anew when those that move otherwise have to look, and whether others have to look sooner."""
        watches, nearby = self.watches, self.nearby
        changed = dict.fromkeys(bodies)
        for body in changed:
            for watched in watches.get(body, ()):
                self._plan_anew(watched)
        for body in changed:
            for other in nearby.hearing(body):
                if other not in changed and other in watches:
                    self._meet(other, body)

    def jumped(self, bodies: Iterable[int]) -> None:
        """Look on the next point; where there is no raster, a moment later."""
        for body in bodies:
            for watched in self.watches.get(body, ()):
                soon = (
                    instant_from(self.world.field.now + SOON) if watched.raster is None else self._next_point(watched)
                )
                watched.quiet = False  # what it sees now is not known, so nothing may put that look off
                if soon < watched.wake:
                    self.wake(watched, soon)

    def relisted(self, bodies: Iterable[int]) -> None:
        """Look further ahead, as far as the new lists hold; those at rest see who has entered themselves there."""
        watches, moving = self.watches, self.world.field.bodies.moving
        for body in bodies:
            for watched in watches.get(body, ()):
                self._plan_anew(watched)
            for other in self.nearby.near[body]:
                if other not in moving and other in watches:
                    self._meet(other, body)

    def _plan_anew(self, watched: Watched) -> None:
        """Motions are others now, or the list of neighbours is: work out when to look, or wake a watch that sleeps."""
        if watched.raster is None:
            self.wake(watched, self._next_crossing(watched))
        elif watched.quiet:
            self.wake(watched, self._next_quiet(watched))
        elif watched.wake == inf:
            self.wake(watched, self._next_engaged(watched))

    def _meet(self, body: int, other: int) -> None:
        """The watches of a body have to look sooner, if another one comes within their reach sooner."""
        for watched in self.watches[body]:
            if watched.raster is None or not watched.quiet:
                self._plan_anew(watched)
                continue
            until = min(watched.wake, self.nearby.expires[body])
            time = watched.outlook.meeting((other,), until)
            if time < until:
                time = self._point(watched, time)
                if time < watched.wake:
                    self.wake(watched, time)

    def _next_quiet(self, watched: Watched) -> float:
        """When the answer may differ first; a look that is due on the next point stays, whatever is known since.

        Something may have come within reach since the last look, and the robot may have stopped there.
        """
        if watched.wake <= self._next_point(watched):
            return watched.wake
        until = self.nearby.expires[watched.body]
        outlook = watched.outlook
        first = outlook.meeting(self.nearby.near[watched.body], outlook.alone(until))
        return inf if first >= until else self._point(watched, first)

    def _next_crossing(self, watched: Watched) -> float:
        """The instant at which a level may be crossed."""
        body = watched.body
        time = watched.outlook.crossing(watched.levels, self.nearby.near[body], self.nearby.expires[body])
        return instant_from(max(time, self.world.field.now))

    def _next_engaged(self, watched: Watched) -> float:
        """The next point; never, while nothing moves that is near."""
        bodies, body = self.world.field.bodies, watched.body
        if watched.every or not watched.outlook.holds_at_rest:
            return self._next_point(watched)
        if bodies.speed[body] == 0.0 and bodies.turn_rate[body] == 0.0:
            moving = bodies.moving
            if not any(other in moving for other in self.nearby.near[body]):
                return inf
        return self._next_point(watched)

    def _next_point(self, watched: Watched) -> float:
        """The next point of the watch's raster; the same for all that share the raster, at one instant."""
        raster, (known, since) = watched.raster, self._point_of
        now = self.world.field.now
        if since != now or known is not raster:
            assert raster is not None
            self._point_of, self._following = (raster, now), raster.after(now)
        return self._following

    def _point(self, watched: Watched, time: float) -> float:
        """The first point of the raster that is not before a predicted time (s)."""
        point = self._next_point(watched)
        if time - EARLY <= point:
            return point
        assert watched.raster is not None
        return watched.raster.reached(self.world.field.now, time)
