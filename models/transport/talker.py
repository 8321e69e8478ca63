"""Talker: agrees with another robot to talk, and exchanges paths (Pansuriya 2023, Algorithms 5 and 6)."""

from __future__ import annotations

from math import inf
from typing import Any

from devs_robotics import Actuator, Atomic, In, Out, Port
from devs_robotics.models.environment.air import Reception, Transmit
from devs_robotics.models.transport.messages import (
    Accept,
    AcceptAck,
    Ack,
    Company,
    EndOfTalk,
    Exchanged,
    Hold,
    Offered,
    PathPart,
    RadioMessage,
    Reject,
    Resume,
    Route,
    Wait,
)
from devs_robotics.models.transport.path import Waypoints, digest
from devs_robotics.models.transport.radio_words import spoken, understood
from devs_robotics.models.transport.talking import BROADCAST, Talking, can_matter, channel_of


class Talker(Atomic):
    """The highest layer: it stands to talk with a robot that it hears, and lets the others move the robot again.

    =========  ======================  ==================================  =============================================
    phase      time advance            output                              next phase
    =========  ======================  ==================================  =============================================
    listening  ∞                       radio: that it is here, rejections  offering, or awaiting, when it hears somebody
                                                                           with whom it may talk; in room, at an offer
    offering   until the next offer    hold; radio: offers                 in room, when it is accepted; listening
    awaiting   until it gives up       hold                                in room, at an offer; listening
    in room    until it says anew      radio: an accepted offer, and that  sending, when the other one is heard;
               that it is there        it is in the channel of the two     listening
    sending    of a part               radio: parts of the path, the end   closing, when all is said; listening
    closing    until it gives up                                           listening
    =========  ======================  ==================================  =============================================

    What it has to say goes out at once, in every phase. Of two robots the one with the higher number offers. Who comes
    back to listening says resume, and exchanged.

    Ports:
        radio: what robots say to each other
        route: the path, after each change
        company: where the robot came upon others, if it tells
        hold: the layers below are to stand
        resume: they may move again
        offered: a partner's path
        exchanged: it has talked, or tried to, for an experimental frame

    Args:
        robot: its number
        how: robots talk
    """

    radio = Actuator(Transmit, Reception)
    route = In(Route)
    company = In(Company)
    hold = Out(Hold)
    resume = Out(Resume)
    offered = Out(Offered)
    exchanged = Out(Exchanged)

    def __init__(self, name: str, robot: int, how: Talking) -> None:
        super().__init__(name)
        self.robot, self.how = robot, how
        self.path: Waypoints = ()
        self._me = Wait(robot, has_path=False)
        """What it says of itself."""
        self.time = 0.0
        self.partner = 0
        self.last: dict[int, float] = {}
        """By robot: when an exchange with it was completed (s)."""
        self.not_before: dict[int, float] = {}
        """By robot: until when it is not tried again after an attempt that failed (s)."""
        self.known: dict[int, Wait] = {}
        """By robot: what it last said of itself."""
        self._rejected: dict[int, float] = {}
        self._says: list[tuple[Port[Any], Any]] = []
        self._timer = inf
        self._began = self._until = 0.0
        self._tries = 0
        self._parts: dict[int, Waypoints] = {}
        self._its_parts = -1
        """How many parts its path has, once its end has come."""
        self._own: list[PathPart] = []
        self._sent_all = self._heard_it = False
        self._met: Waypoints = ()
        self._its_met: Waypoints = ()
        """Where it, and its partner, came upon others."""

    def initialize(self) -> None:
        """Say that it is here."""
        self.phase = "listening"
        self._me = self._described()
        self._beacon()
        self.sigma = 0.0

    def lambdaf(self) -> None:
        """Say what there is to say."""
        for port, message in self._says:
            port.add(message)

    def deltint(self) -> None:
        """All is said, or a time is over."""
        if self._says:
            self._says.clear()
        else:
            self.time = self._timer
            self._time_is_over()
        self._wait()

    def deltext(self, e: float) -> None:
        """Hear what others say."""
        self.time += e
        for company in self.company.values:
            self._met = company.places
        for route in self.route.values:
            self._take(route.points)
        for heard in self.radio.answer.values:
            if heard.text == "WAIT" and self.phase != "listening":
                continue
            message = understood(heard)
            if message is not None:
                self._hear(message)
        self._wait()

    def _wait(self) -> None:
        self.sigma = 0.0 if self._says else max(0.0, self._timer - self.time)

    def _say(self, message: RadioMessage, channel: int = BROADCAST) -> None:
        self._says.append((self.radio.ask, spoken(message, channel)))

    def _described(self) -> Wait:
        return Wait(self.robot, bool(self.path), digest(self.path) if self.how.digests and self.path else 0)

    def _beacon(self) -> None:
        self._says.append((self.radio.ask, spoken(self._me, BROADCAST, self.how.wait_period)))

    def _take(self, path: Waypoints) -> None:
        before = self._me
        self.path = path
        self._me = self._described()
        if self._me != before and self.phase in ("listening", "offering", "awaiting"):
            self._beacon()

    # agreeing

    def _hear(self, message: RadioMessage) -> None:
        match message:
            case Wait():
                self.known[message.sender] = message
                self._consider(message)
            case Accept(sender, receiver) if receiver == self.robot:
                self._answer(sender)
            case AcceptAck(sender, receiver) if receiver == self.robot:
                if self.phase == "offering" and sender == self.partner:
                    self._enter()
            case Reject(sender, receiver) if receiver == self.robot:
                if self.phase in ("offering", "awaiting") and sender == self.partner:
                    self._leave(completed=False)
            case Ack(sender) | PathPart(sender) | EndOfTalk(sender):
                if sender == self.partner and self.phase in ("in room", "sending", "closing"):
                    self._listen_in_room(message)

    def _consider(self, other: Wait) -> None:
        """Talk with who says that he is here, if that is allowed and can matter; else tell him if he cannot know."""
        if self.time < self.how.ban or not can_matter(self.how, self._me, other):
            return
        if not self._may_again(other.sender):
            self._reject(other.sender)
            return
        self.partner, self._began = other.sender, self.time
        self._stand()
        if self.robot > self.partner:
            self.phase = "offering"
            self._tries = 0
            self._offer()
        else:
            self.phase = "awaiting"
            self._timer = self.time + self.how.agreement

    def _stand(self) -> None:
        """The layers below are to stand; who has just ended a talk goes on standing."""
        if (self.resume, Resume()) in self._says:
            self._says.remove((self.resume, Resume()))
        else:
            self._says.append((self.hold, Hold()))

    def _may_again(self, other: int) -> bool:
        last = self.last.get(other, -inf)
        return self.time >= last + self.how.again and self.time >= self.not_before.get(other, -inf)

    def _reject(self, other: int) -> None:
        """Say so, but not again and again: who is rejected does not try again for a while."""
        if self.time >= self._rejected.get(other, -inf) + self.how.failed:
            self._rejected[other] = self.time
            self._say(Reject(self.robot, other))

    def _offer(self) -> None:
        self._tries += 1
        self._say(Accept(self.robot, self.partner))
        self._timer = self.time + self.how.accept_period

    def _answer(self, sender: int) -> None:
        """An offer has come."""
        expected = self.phase == "awaiting" and sender == self.partner
        known = self.known.get(sender)
        fits = known is not None and self.time >= self.how.ban and can_matter(self.how, self._me, known)
        if self.phase == "listening" and fits and self._may_again(sender):
            self.partner, self._began = sender, self.time
            self._stand()
            expected = True
        if expected:
            self._say(AcceptAck(self.robot, sender))
            self._enter()
        elif not (self.phase in ("in room", "sending", "closing") and sender == self.partner):
            self._say(Reject(self.robot, sender))

    # exchanging

    def _enter(self) -> None:
        """Be in the channel of the two, and say so."""
        self.phase = "in room"
        self._until = self.time + self.how.exchange
        self._parts, self._its_parts = {}, -1
        self._sent_all = self._heard_it = False
        points = [self.path[k : k + self.how.part] for k in range(0, len(self.path), self.how.part)]
        self._own = [PathPart(self.robot, k, len(points), each) for k, each in enumerate(points)]
        self._acknowledge()

    def _acknowledge(self) -> None:
        self._say(Ack(self.robot), channel_of(self.robot, self.partner))
        self._timer = min(self._until, self.time + self.how.accept_period)

    def _listen_in_room(self, message: Ack | PathPart | EndOfTalk) -> None:
        if not self._heard_it:
            self._heard_it = True
            self._acknowledge()
            self.phase = "sending"
            self._timer = self.time + self.how.part_time
        if isinstance(message, PathPart):
            self._parts[message.number] = message.points
        elif isinstance(message, EndOfTalk):
            self._its_parts, self._its_met = message.of, message.company
            if self._sent_all:
                self._leave(completed=True)

    def _time_is_over(self) -> None:
        if self.phase == "offering" and self._tries < self.how.tries:
            self._offer()
        elif self.phase == "in room" and self.time < self._until:
            self._acknowledge()
        elif self.phase == "sending" and self.time < self._until:
            self._send_next()
        else:
            self._leave(completed=False)

    def _send_next(self) -> None:
        channel = channel_of(self.robot, self.partner)
        if self._own:
            part = self._own.pop(0)
            self._say(part, channel)
            self._timer = self.time + self.how.part_time
            return
        self._say(EndOfTalk(self.robot, -(-len(self.path) // self.how.part), self._met), channel)
        self._sent_all = True
        if self._its_parts >= 0:
            self._leave(completed=True)
        else:
            self.phase = "closing"
            self._timer = self._until

    def _leave(self, *, completed: bool) -> None:
        """Come back to the channel of all; what has come whole is told, and the time is noted."""
        whole = completed and len(self._parts) == self._its_parts
        if whole:
            self.last[self.partner] = self.time
            if self._parts:
                points = tuple(point for k in sorted(self._parts) for point in self._parts[k])
                self._says.append((self.offered, Offered(self.partner, points, self._its_met)))
        else:
            self.not_before[self.partner] = self.time + self.how.failed
        self.phase = "listening"
        self._timer = inf
        self._beacon()
        if (self.hold, Hold()) in self._says:
            self._says.remove((self.hold, Hold()))
        else:
            self._says.append((self.resume, Resume()))
        seconds = self.time - self._began
        self._says.append((self.exchanged, Exchanged(self.robot, self.partner, seconds, whole)))
        self.partner = 0
