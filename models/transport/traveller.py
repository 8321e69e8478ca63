"""Traveller: carries items along the path, smooths it on the way, and makes way for others it meets."""

from __future__ import annotations

from math import dist, inf
from typing import Any

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Port, Sense, Sensor
from devs_robotics.models.activities import AskWays, OwnPose, Ways
from devs_robotics.models.environment.air import Reception, Transmit
from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.claims import ClaimsHeard, claimed
from devs_robotics.models.transport.company import Encounters
from devs_robotics.models.transport.course import PathCourse
from devs_robotics.models.transport.lanes import hop, straight_run
from devs_robotics.models.transport.messages import (
    GIVEN,
    Claim,
    Company,
    Delivered,
    Hold,
    Resume,
    Returned,
    Route,
    Shortcut,
    Waited,
    Yielded,
)
from devs_robotics.models.transport.radio_words import CLAIM, WAIT, spoken, understood
from devs_robotics.models.transport.smoothing import Chord, chords
from devs_robotics.models.transport.talking import BROADCAST
from devs_robotics.models.transport.travelling import (
    MOST,
    WAITING,
    Travelling,
    seen_from_beside,
    towards,
    turn_to,
)
from devs_robotics.models.transport.way_back import WayBack


class Traveller(Atomic):
    """The layer above the `Explorer`: it goes to and fro along the path, point by point.

    ==========  ============  =======================  ===============================================================
    phase       time advance  output                   next phase
    ==========  ============  =======================  ===============================================================
    idle        ∞                                      locating, when there is a path
    locating    0             position: question       located
    located     ∞                                      looking, for a chord, or for a way to the path; peeping, if
                                                       somebody is near; moving
    looking     0             sonar: question          looked
    looked      ∞                                      cutting, where a chord is free; peeping; moving; queueing,
                                                       where others have still to go by; looking, for any point of
                                                       the path, where that took too long in a lane
    cutting     0             shortcut: the chord      cut
    cut         ∞                                      peeping; moving, when the path is written
    moving      0             motor: command           under way
    under way   ∞                                      locating; peeping, when it hears somebody; backing
    peeping     0             sonar: straight ahead    peeped
    peeped      ∞                                      moving, or under way still; locating; if it meets somebody:
                                                       backing, turning where it makes way alone, or braking
    braking     0             motor: an empty command  queueing
                              radio: a claim
    queueing    a while                                locating
    backing     0             motor: backward          backed
    backed      ∞                                      pausing, when the motor reports
    pausing     rest of pause                          turning
    turning     0             motor: left, forward     aside
    aside       ∞                                      locating, when the motor reports
    inhibited   0             motor: an empty command  held
    held        ∞                                      locating
    ==========  ============  =======================  ===============================================================

    From any phase but idle a `Hold` leads to inhibited. At the destination it turns round; at the source it takes an
    item and turns round; neither takes time. It meets somebody where something is near ahead, and it has just heard a
    `Wait`: then it goes back, left, and forward, and goes on. In a lane it stops behind who is ahead, and looks again
    after a while. Where robots claim their ways, who has the lower priority makes way, and the other one waits.
    What it has to tell goes out with its next output, at the same instant.

    Ports:
        motor: steps, and the reports of their ends
        position: where it is
        sonar: how far it is free in directions
        radio: what is heard, and claims
        held: the layer above wants the robot to stand
        resumed: it may move again
        route: the path
        shortcut: a chord of the path that is free
        company: where it came upon others, at each end of the path
        delivered: an item is at the destination, for an experimental frame
        returned: it is at the source, for an experimental frame
        yielded: it has made way, for an experimental frame
        waited: it has waited for who is ahead, for an experimental frame

    Args:
        robot: its number
        how: it goes along the path
    """

    motor = Actuator(Drive, Driven)
    position = Sensor(Sense, OwnPose)
    sonar = Sensor(AskWays, Ways)
    radio = Actuator(Transmit, Reception)
    held = In(Hold)
    resumed = In(Resume)
    route = In(Route)
    shortcut = Out(Shortcut)
    company = Out(Company)
    delivered = Out(Delivered)
    returned = Out(Returned)
    yielded = Out(Yielded)
    waited = Out(Waited)

    def __init__(self, name: str, robot: int, how: Travelling) -> None:
        super().__init__(name)
        self.robot, self.how = robot, how
        self.course = PathCourse(how)
        self.way_back = WayBack(self.course)
        self.loaded = False
        self.deliveries = self.returns = 0
        self.time = self._heading = 0.0
        self._heard_at = self._glanced_at = -inf
        self._here: Point = (0.0, 0.0)
        self._chords: list[Chord] = []
        self._question = AskWays(())
        """Where it looks: to chords' ends, to points of the path when it is beside it, or straight ahead."""
        self._leads: tuple[float, ...] = ()
        """How far ahead of it chords begin (m)."""
        self._is_held = self._glances = self._has_ended = self._met = False
        self._began = -inf
        self._limit = self._waits_since = inf
        """How far it goes at most now (m), and since when it has waited for who is ahead (s)."""
        self._claims = ClaimsHeard(how.fresh)
        self._is_alone = False  # where it makes way, and the other one waits
        self._encounters = Encounters(how.apart)
        self._says: list[tuple[Port[Any], Any]] = []

    def initialize(self) -> None:
        """Wait for a path."""
        self.passivate("idle")

    def lambdaf(self) -> None:
        """Ask, command, or tell."""
        phase = self.phase
        for port, message in self._says:
            port.add(message)
        if phase == "locating":
            self.position.ask.add(Sense())
        elif phase in ("looking", "peeping"):
            self.sonar.ask.add(self._question)
        elif phase == "cutting":
            assert self.course.reached is not None
            self.shortcut.add(Shortcut(self.course.reached, self._chords[0].to))
        elif phase == "moving":
            self.motor.ask.add(self._command())
        elif phase == "backing":
            self.motor.ask.add(Drive(distance=-self.how.back))
        elif phase == "turning":
            aside = -self.how.aside if self.course.is_in_lane() else self.how.aside
            self.motor.ask.add(Drive(aside, self.how.forward_alone if self._is_alone else self.how.forward))
        elif phase in ("inhibited", "braking"):
            self.motor.ask.add(Drive())

    def deltint(self) -> None:
        """Wait for what was asked for, or commanded; or a pause is over."""
        self.time += self.sigma
        self._says.clear()
        if self.phase == "queueing":
            self.activate("locating")
        elif self.phase == "pausing":
            self.activate("turning")
        elif self.phase == "braking":
            self.hold_in("queueing", self.how.queue)
        else:
            self.passivate(WAITING[self.phase])

    def deltext(self, e: float) -> None:
        """Decide by what has come; what comes at another time than it is asked for is let pass."""
        self.time += e
        self.continuef(e)
        for route in self.route.values:
            self._take(route)
        for heard in self.radio.answer.values:
            self._hear(heard)
        if self.held or self.resumed:
            self._is_held = bool(self.held)
            self._says = [each for each in self._says if each[0] is not self.radio.ask]  # others have the channel now
            if self.phase != "idle":
                self._finish_yielding()
                self._finish_waiting()
                self.activate("inhibited" if self._is_held else "locating")
        elif not self._is_held:
            self._go_on()

    def _hear(self, heard: Reception) -> None:
        """Somebody is near, or claims its way."""
        if heard.text == WAIT:
            self._heard_at = self.time
            if self.how.company and self.course.path:
                self._encounters.add(self.time, heard.sender, self._here)
        elif heard.text == CLAIM and self.how.claims:
            claim = understood(heard)
            if isinstance(claim, Claim):
                self._claims.add(self.time, claim)

    def _go_on(self) -> None:
        """Do what follows in a phase."""
        phase = self.phase
        if phase == "located":
            for pose in self.position.answer.values:
                self._come(pose)
        elif phase == "looked":
            for ways in self.sonar.answer.values:
                self._see(ways.values)
        elif phase in ("peeping", "peeped"):
            self._has_ended |= bool(self.motor.answer)
            for ways in self.sonar.answer.values:
                self._peep(ways.values[0])
        else:
            self._move_on([*self.motor.answer.values])

    def _move_on(self, driven: list[Driven]) -> None:
        """A motion may have ended, or somebody may have been heard meanwhile."""
        phase = self.phase
        if phase == "under way":
            if driven and driven[-1].blocked:
                self._run_into()
            elif driven:
                self.activate("locating")
            elif self._heard_at == self.time >= self._glanced_at + self.how.glance and not self.course.is_in_lane():
                self._glanced_at = self.time
                self._glances, self._has_ended, self._question = True, False, AskWays((0.0,))
                self.activate("peeping")
        elif phase == "backed" and driven:
            self.hold_in("pausing", max(0.0, self.how.pause - (self.time - self._began)))
        elif phase == "aside" and driven:
            self._finish_yielding()
            self.activate("locating")

    def _take(self, route: Route) -> None:
        """Go on along another path."""
        self.course.take(route)
        self.way_back.is_beside |= route.by == GIVEN
        if self.phase == "idle" and not self._is_held:
            self.activate("locating")
        elif self.phase == "cut":
            self._set_out()

    def _come(self, pose: OwnPose) -> None:
        """See which point is next; look for a chord, or for a way to the path."""
        self._here, self._heading = (pose.x, pose.y), pose.heading
        self.course.go_over(self._here)
        if self.way_back.is_beside:
            self._look_for_path()
            return
        for direction in self.course.advance(self._here):
            self._turn_round(direction)
        if self.way_back.is_past:
            self._look_for_path()
            return
        reached = self.course.reached
        self._chords = []
        if reached is not None:
            sight = min(self.how.vision, self.how.reach - self.how.margin)
            self._chords = chords(self.course.path, reached, self.course.direction, sight)[:MOST]
        if self._chords and reached is not None:
            start, ends = self.course.path[reached], [self.course.path[chord.to] for chord in self._chords]
            asides, self._leads = seen_from_beside(self.course.off(), start, ends)
            self._look_at(ends, start, self.how.beside, asides)
        else:
            self._set_out()

    def _look_for_path(self) -> None:
        """Look for a point of its way to which it is free."""
        self._look_at(self.way_back.places(self._here), self._here)

    def _look_at(self, places: list[Point], start: Point, beside: float = 0.0, asides: tuple[float, ...] = ()) -> None:
        self._question = AskWays(tuple(towards(start, self._heading, place) for place in places), beside, asides)
        self.activate("looking")

    def _see(self, ways: tuple[float, ...]) -> None:
        """Take the chord that saves most of those that are free; or go to a point of the path that it sees."""
        if self.way_back:
            self._see_path(ways)
            return
        looked, margin = zip(self._chords, self._leads, ways, strict=True), self.how.margin
        self._chords = [each for each, lead, way in looked if way >= lead + (each.size + margin)][:1]
        if self._chords:
            self.activate("cutting")
        else:
            self._set_out()

    def _see_path(self, ways: tuple[float, ...]) -> None:
        """Go to a point that it sees; look again, or for other points, where it sees none."""
        if self.way_back.see(self._here, ways):
            self._set_out()
        elif self.way_back.is_beside:
            self._look_for_path()
        else:
            self.hold_in("queueing", self.how.look_again)

    def _turn_round(self, direction: int) -> None:
        """It has arrived at the destination, or at the source."""
        if direction > 0:
            self.deliveries += self.loaded
            if self.loaded:
                self._says.append((self.delivered, Delivered(self.robot, self.deliveries)))
            self.loaded = False
        else:
            self.returns += 1
            self.loaded = True
            self._says.append((self.returned, Returned(self.robot, self.returns)))
        if self.how.company:
            self._says.append((self.company, Company(self._encounters.turned())))

    def _command(self) -> Drive:
        there = self.course.aim()
        return Drive(turn_to(self._here, self._heading, there), min(self._limit, dist(self._here, there)))

    def _set_out(self) -> None:
        """Go to the next point, if nobody is ahead."""
        self._limit = inf
        if self.time - self._heard_at <= self.how.fresh:
            self._glances, self._has_ended = False, False
            self._question = AskWays((towards(self._here, self._heading, self.course.next),))
            self.activate("peeping")
        else:
            self._go()

    def _go(self) -> None:
        """Nobody is in its way."""
        self.way_back.looks = 0
        self._finish_waiting()
        self.activate("moving")

    def _peep(self, way: float) -> None:
        """See whether something is near ahead."""
        needs = dist(self._here, self.course.next)
        if self._glances:
            if way < self.how.meeting or self._has_ended:
                self.activate("locating")
            else:
                self.passivate("under way")
        elif self.course.is_in_lane():
            run = straight_run(self._here, self.course.ahead())
            self._limit = hop(way, needs, run, self.how.gap)
            if self._limit:
                self._go()
            else:
                self._queue()
        elif way >= min(self.how.meeting, needs):
            self._go()
        elif self.how.claims:
            self._queue()
        else:
            self._yield(met=True)

    def _queue(self) -> None:
        """Wait for who is ahead, but not for ever; or make way for one who goes first."""
        self._waits_since = min(self._waits_since, self.time)
        waits, patience = self.time - self._waits_since, self.how.queueing
        self._is_alone = False
        if self.how.claims:
            own = claimed(self.robot, self._here, self.course.next, loaded=self.loaded, since=self._waits_since)
            own, self._is_alone, is_met = self._claims.contest(self.time, own)
            self._says.append((self.radio.ask, spoken(own, BROADCAST)))
            if not (is_met or self.course.is_in_lane()):
                patience = self.how.unanswered
        if waits < patience and not self._is_alone:
            self.activate("braking")
        else:
            self._yield(met=True)

    def _run_into(self) -> None:
        """Something has stopped it: another one, if it has just heard one."""
        met = self.time - self._heard_at <= self.how.fresh
        self.way_back.is_beside, self._is_alone = not met, False
        self._yield(met=met)

    def _yield(self, *, met: bool) -> None:
        self._finish_waiting()
        self._met, self._began, self.way_back.looks, self.course.reached = met, self.time, 0, None
        self.activate("turning" if self._is_alone else "backing")

    def _finish_waiting(self) -> None:
        if self._waits_since < inf:
            self._says.append((self.waited, Waited(self.robot, self.time - self._waits_since)))
            self._waits_since = inf

    def _finish_yielding(self) -> None:
        if self._began > -inf:
            self.way_back.is_past = self._met
            self._says.append((self.yielded, Yielded(self.robot, self.time - self._began, self._met)))
            self._began = -inf
