"""The gateway: the one model at the boundary that knows the wire, between packets and messages."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from devs_robotics import Atomic, Fault, In, Link, Out, Packet, Post
from devs_robotics.core.robots.outside import FromOutside, Ordered, ToOutside
from devs_robotics.hil.pera_swarm import topics, writing
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle
from devs_robotics.hil.pera_swarm.reading import UNKNOWN_TOPIC, Announced, Message, ObstaclesWanted, read

ROLL_CALL = 30.0
"""Time between two calls to all robots to say who they are (s)."""

RETAINED = "a retained message"
"""Such ones are old: an old pose must not bring a robot back."""


class Server(Struct, frozen=True):
    """Who this server is, for others on the same channel.

    Attributes:
        uuid: its name; empty: it does not announce itself
        since: when it began (ms since 1970)
    """

    uuid: str = ""
    since: float = 0.0

    def yields_to(self, other: Announced) -> bool:
        """Whether the other one was there before."""
        return (other.since, other.uuid) < (self.since, self.uuid)


NAMELESS = Server()
"""A server that does not announce itself."""


class Gateway(Atomic):
    """Between the broker and the models: bytes to messages, and messages to bytes.

    Each time the broker is there (again) it tells the arena and its obstacles, and asks all robots who and where they
    are; then, every half minute, who they are.

    =======  ==========================  ==========================  ==================================
    phase    time advance                output                      next phase
    =======  ==========================  ==========================  ==================================
    away     ∞                           none                        passing, when the broker is there
    there    until the next roll call    none                        passing
    passing  0                           what there is to pass on    there, or away
    =======  ==========================  ==========================  ==================================

    Ports:
        incoming: packets with their topics, and word of the link
        outgoing: packets with their topics
        said: what robots say
        told: what robots and viewers are told
        order: what robots are ordered from outside the model
        linked: word of the link, after what is said when the broker is there
        fault: that this server cannot go on

    Args:
        arena: with its channel
        obstacles: in it, for viewers
        server: who this is
        reach: how far colours are seen

    Attributes:
        dropped: packets, and what was not sent, by what was wrong
        repaired: how many packets were no JSON, but could be read
        refusal: why this server cannot go on; empty: it can
        link: what was last heard of the broker
    """

    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)
    said = Out(FromOutside)
    told: In[ToOutside] = In(ToOutside)
    order = In(Ordered)
    linked = Out(Link)
    fault = Out(Fault)

    def __init__(
        self,
        name: str,
        arena: WireArena,
        obstacles: Sequence[ArenaObstacle] = (),
        server: Server = NAMELESS,
        reach: writing.ColourRanges = writing.USUAL,
    ) -> None:
        super().__init__(name)
        self.arena = arena
        self.obstacles = tuple(obstacles)
        self.server = server
        self.reach = reach
        self.dropped: dict[str, int] = {}
        self.repaired = 0
        self.refusal = ""
        self.link = Link(up=False)
        self.time = 0.0
        self._roll_call = inf
        """When the next one is due (s)."""
        self._posts: list[Post] = []
        self._said: list[FromOutside] = []
        self._links: list[Link] = []
        self._faults: list[Fault] = []

    @property
    def listened(self) -> tuple[str, ...]:
        """The topics that it wants to hear."""
        return tuple(topics.on_channel(self.arena.channel, topic) for topic in topics.LISTENED)

    def farewell(self) -> list[Post]:
        """What is sent at the end, whatever ended the run: all robots stop, and nothing is left at the broker.

        It may be called by any thread while the model does something else, so it says the same at any time.
        """
        posts, _ = writing.write(self.arena, Ordered("stop"), self.arena.channel)
        return [self._post(each) for each in (*posts, writing.farewell())]

    # DEVS functions

    def initialize(self) -> None:
        """Wait for the broker."""
        self.passivate("away")

    def deltext(self, e: float) -> None:
        """Take what comes from either side, that from outside first."""
        self.time += e
        for content in self.incoming.values:
            if isinstance(content, Link):
                self._link(content)
            else:
                self._take(content)
        for told in (*self.order.values, *self.told.values):
            publications, why = writing.write(self.arena, told, self.arena.channel, self.reach)
            self._send(*publications)
            if why:
                self._drop(why)
        self._wait()

    def lambdaf(self) -> None:
        """Pass on what there is."""
        for post in self._posts:
            self.outgoing.add(post)
        for said in self._said:
            self.said.add(said)
        for link in self._links:
            self.linked.add(link)
        for fault in self._faults:
            self.fault.add(fault)

    def deltint(self) -> None:
        """Wait, or call the roll."""
        if self._has_something:
            self._posts.clear()
            self._said.clear()
            self._links.clear()
            self._faults.clear()
        else:
            self.time = self._roll_call
            self._roll_call += ROLL_CALL
            self._send(writing.roll_call())
        self._wait()

    def _wait(self) -> None:
        if self._has_something:
            self.activate("passing")
        elif self._roll_call < inf:
            self.hold_in("there", max(0.0, self._roll_call - self.time))
        else:
            self.passivate("away")

    @property
    def _has_something(self) -> bool:
        return bool(self._posts or self._said or self._links or self._faults)

    # the broker

    def _link(self, link: Link) -> None:
        self.link = link
        self._links.append(link)
        if not link.up:
            self._roll_call = inf
            return
        self._roll_call = self.time + ROLL_CALL
        self._send(*writing.greeting(self.arena, self.obstacles))
        if self.server.uuid:
            self._send(writing.announcement(self.server.uuid, self.server.since))

    def _take(self, packet: Packet) -> None:
        topic = topics.off_channel(self.arena.channel, packet.channel) if isinstance(packet, Post) else None
        if topic is None:
            self._drop(UNKNOWN_TOPIC)
            return
        if isinstance(packet, Post) and packet.retained:
            self._drop(RETAINED)
            return
        heard = read(self.arena, topic, packet.data)
        self.repaired += heard.repaired
        for why in heard.dropped:
            self._drop(why)
        for message in heard.messages:
            self._understood(message)

    def _understood(self, message: Message) -> None:
        if isinstance(message, FromOutside):
            self._said.append(message)
        elif isinstance(message, ObstaclesWanted):
            self._send(writing.obstacle_list(self.arena, self.obstacles, message.sees))
        elif self.server.uuid and message.uuid != self.server.uuid:
            self._another(message)

    def _another(self, other: Announced) -> None:
        """Another server is on this channel: the younger one has to go."""
        if self.server.yields_to(other):
            self.refusal = (
                f"server {other.uuid} was there before on channel {self.arena.channel!r} "
                f"(since {other.since:.0f} ms after 1970): stop that one, or use another channel"
            )
            self._faults.append(Fault(0, self.refusal))
        else:
            self._send(writing.announcement(self.server.uuid, self.server.since))

    def _send(self, *publications: writing.Publication) -> None:
        self._posts += [self._post(each) for each in publications]

    def _post(self, publication: writing.Publication) -> Post:
        topic = topics.on_channel(self.arena.channel, publication.topic)
        return Post(publication.data, topic, publication.retained)

    def _drop(self, why: str) -> None:
        self.dropped[why] = self.dropped.get(why, 0) + 1
