"""One pair of boundary ports for many channels: packets say on which one they come and go."""

from __future__ import annotations

from math import inf

from devs_robotics import Atomic, Bridge, Coupled, HandClock, In, Link, Loopback, Out, Packet, Post, Run, Simulator
from devs_robotics.core.realtime.transport import Arrival


class Echo(Atomic):
    """Answers each packet on the channel ``answer/`` and that on which it came."""

    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.heard: list[Packet | Link] = []
        self.answers: list[Packet] = []

    def deltext(self, e: float) -> None:
        for content in self.incoming.values:
            self.heard.append(content)
            if isinstance(content, Post):
                self.answers.append(Post(content.data, f"answer/{content.channel}", retained=True))
            elif isinstance(content, Link) and content.up:
                self.answers.append(Packet(b"no channel"))
        self.sigma = 0.0 if self.answers else inf

    def lambdaf(self) -> None:
        for answer in self.answers:
            self.outgoing.add(answer)

    def deltint(self) -> None:
        self.answers.clear()
        self.passivate()


class Root(Coupled):
    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)

    def __init__(self) -> None:
        super().__init__("root")
        self.echo = Echo("echo")
        self.add_component(self.echo)
        self.add_coupling(self.incoming, self.echo.incoming)
        self.add_coupling(self.echo.outgoing, self.outgoing)


def test_what_comes_and_goes_says_its_channel_and_the_farewell_is_the_last() -> None:
    root, bridge = Root(), Bridge()
    here, there = Loopback.pair()
    arrivals: list[Arrival] = []
    for channel in ("answer/a", "answer/b", "", "end"):
        there.listen(channel)
    there.open(arrivals.append)
    bridge.connect_channels(here, root.outgoing, root.incoming, ["a", "b"], farewell=lambda: [Post(b"farewell", "end")])
    with Simulator(root) as simulator:
        run = Run(simulator, HandClock(), bridge)
        sent = False

        def report() -> None:
            nonlocal sent
            if not sent:
                sent = True
                for channel in ("a", "nobody listens", "b", "a"):
                    there.send(channel, channel.encode())

        run.until(time=1.0, report=report)
    assert [content for content in root.echo.heard if isinstance(content, Packet)] == [
        Post(b"a", "a"),
        Post(b"b", "b"),
        Post(b"a", "a"),
    ]
    said = [(each.channel, each.content.data) for each in arrivals if isinstance(each.content, Packet)]
    assert said == [
        ("", b"no channel"),
        ("answer/a", b"a"),
        ("answer/b", b"b"),
        ("answer/a", b"a"),
        ("end", b"farewell"),
    ]


def test_channels_and_single_ends_can_share_a_transport() -> None:
    root, bridge = Root(), Bridge()
    here, there = Loopback.pair()
    bridge.connect(here, None, root.incoming, listen_on="c")
    bridge.connect_channels(here, root.outgoing, root.incoming, ["a"])
    there.open(lambda arrival: None)
    sent: list[str] = []

    def report() -> None:
        if not sent:
            for channel in ("c", "a"):
                sent.append(channel)
                there.send(channel, channel.encode())

    with Simulator(root) as simulator:
        Run(simulator, HandClock(), bridge).until(time=0.5, report=report)
    packets = [content for content in root.echo.heard if isinstance(content, Packet)]
    assert sorted(packets, key=lambda each: each.data) == [Post(b"a", "a"), Packet(b"c")]
