"""PathBook: the robot's path, which nobody else writes."""

from __future__ import annotations

from typing import Any

from devs_robotics import Atomic, In, Out, Port
from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.messages import (
    FOUND,
    GIVEN,
    SHARED,
    SMOOTHED,
    Company,
    Offered,
    PathFound,
    PathTaken,
    Route,
    Shortcut,
    Visited,
)
from devs_robotics.models.transport.path import Waypoints, length
from devs_robotics.models.transport.sharing import FREE, Tolls, shared, without_loops
from devs_robotics.models.transport.smoothing import cut_short


class PathBook(Atomic):
    """Keeps the robot's path: where it has explored, chords that are free, and what others have.

    =======  ============  ==========================  ==========================================
    phase    time advance  output                      next phase
    =======  ============  ==========================  ==========================================
    passive  ∞                                         telling, when the path is another one
    telling  0             route; found, taken         passive
    =======  ============  ==========================  ==========================================

    What comes at one instant is entered in the order visited, shortcut, offered. A first path is taken whole; with one
    of its own a robot takes, piece by piece between crossings, the shorter one.

    Ports:
        visited: places of an explorer's way, and that one is the destination
        shortcut: a chord of the path that is free
        offered: a partner's path
        company: where the robot came upon others, if that has a price
        route: the path, after each change
        found: that the destination is found, for an experimental frame
        taken: how long the path was and is, for an experimental frame

    Args:
        robot: its number
        source: where paths begin (m)
        destination: where they end (m)
        spacing: largest distance of new points (m)
        path: that it has from the beginning; none: it has to be found
        toll: a path counts as so much longer for each time that one came upon another robot on it (m)
    """

    visited = In(Visited)
    shortcut = In(Shortcut)
    offered = In(Offered)
    company = In(Company)
    route = Out(Route)
    found = Out(PathFound)
    taken = Out(PathTaken)

    def __init__(
        self,
        name: str,
        robot: int,
        source: Point,
        destination: Point,
        spacing: float = 1.0,
        path: Waypoints = (),
        toll: float = 0.0,
    ) -> None:
        super().__init__(name)
        self.robot, self.source, self.destination, self.spacing = robot, source, destination, spacing
        self.path: Waypoints = ()
        self.explored: list[Point] = [source]
        """Where it has been, without a path as yet."""
        self._says: list[tuple[Port[Any], Any]] = []
        self._given = path
        self._toll = toll
        self._met: Waypoints = ()

    def initialize(self) -> None:
        """Tell of the path, if there is one from the beginning."""
        if self._given:
            self._enter(self._given, GIVEN)
            self.activate("telling")

    def deltext(self, e: float) -> None:
        """Enter what has come."""
        for company in self.company.values:
            self._met = company.places
        for place in self.visited.values:
            if not self.path:
                self._visit(place)
        for chord in self.shortcut.values:
            if max(chord.one, chord.other) < len(self.path):
                self._enter(cut_short(self.path, chord.one, chord.other, self.spacing), SMOOTHED)
        for offer in self.offered.values:
            if not self.path:
                self._enter(offer.points, GIVEN)
            else:
                tolls = Tolls(self._toll, self._met, offer.company) if self._toll else FREE
                self._enter(shared(self.path, offer.points, tolls), SHARED)
        if self._says:
            self.activate("telling")

    def lambdaf(self) -> None:
        """Tell what the path is."""
        for port, message in self._says:
            port.add(message)

    def deltint(self) -> None:
        """Wait."""
        self._says.clear()
        self.passivate()

    def _visit(self, place: Visited) -> None:
        self.explored.append(self.destination if place.destination else (place.x, place.y))
        if place.destination:
            path = without_loops(tuple(self.explored))
            self._says.append((self.found, PathFound(self.robot, length(self.explored))))
            self._enter(path, FOUND)

    def _enter(self, path: Waypoints, by: str) -> None:
        """Write the path, and tell of it; who is offered what he has is told so, for it goes on with it."""
        before = length(self.path)
        self.path = path
        self._says.append((self.route, Route(path, by)))
        self._says.append((self.taken, PathTaken(self.robot, before, length(path), by)))
