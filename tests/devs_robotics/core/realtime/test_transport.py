"""What transports say, and the one that needs no wire."""

from __future__ import annotations

from devs_robotics import Arrival, HeldLink, Link, Loopback, LostLink, Packet
from devs_robotics.core.realtime.transport import Counts, Post
from tests.devs_robotics.core.robots.written_down import fields_of
from tests.immutable import changeable


def test_fields_are_as_they_are_written_down() -> None:
    assert {kind.__name__: fields_of(kind) for kind in (Packet, Post, Link, HeldLink, LostLink, Arrival, Counts)} == {
        "Packet": "data",
        "Post": "data, channel='', retained=False",
        "Link": "up, reason=''",
        "HeldLink": "up, reason='', unseen=0.0",
        "LostLink": "up, reason=''",
        "Arrival": "channel, content",
        "Counts": "sent=0, received=0, dropped=0",
    }


def test_only_what_counts_and_what_is_put_together_can_be_changed() -> None:
    assert changeable("devs_robotics.core.realtime") == {"Counts", "Batch", "_End"}


class Ends:
    """Both ends of a loopback, and what arrives at each."""

    def __init__(self) -> None:
        self.here, self.there = Loopback.pair("loopback:robot")
        self.at_here: list[Arrival] = []
        self.at_there: list[Arrival] = []

    def open(self) -> None:
        self.here.open(self.at_here.append)
        assert self.at_here == []
        self.there.open(self.at_there.append)

    @property
    def links(self) -> list[Link]:
        """Word of the link here, which is that there as well."""
        here, there = ([each.content for each in some if isinstance(each.content, Link)] for some in self.both)
        assert here == there
        return here

    @property
    def both(self) -> tuple[list[Arrival], list[Arrival]]:
        return self.at_here, self.at_there


def test_a_link_is_up_when_both_ends_are_open_and_both_are_told_once() -> None:
    ends = Ends()
    assert (ends.here.address, ends.there.address) == ("loopback:robot", "loopback:robot")
    ends.open()
    ends.here.mend()
    assert ends.both == ([Arrival("", Link(up=True))], [Arrival("", Link(up=True))])


def test_packets_arrive_on_channels_that_are_listened_to_and_all_are_counted() -> None:
    ends = Ends()
    ends.here.send("a", b"too early")
    ends.there.listen("a")
    ends.open()
    ends.there.listen("b")
    for channel in "abc":
        ends.here.send(channel, channel.encode())
    ends.here.flush(0.0)
    assert ends.at_there[1:] == [Arrival("a", Packet(b"a")), Arrival("b", Packet(b"b"))]
    assert (ends.here.counts, ends.there.counts) == (Counts(3, 0, 1), Counts(0, 2, 0))


def test_a_post_goes_to_its_channel() -> None:
    ends = Ends()
    ends.there.listen("a")
    ends.open()
    ends.here.post(Post(b"x", "a", retained=True))
    assert ends.at_there[1:] == [Arrival("a", Packet(b"x"))]


def test_while_it_is_cut_nothing_passes_and_both_are_told_why() -> None:
    ends = Ends()
    ends.there.listen("")
    ends.open()
    ends.there.cut()
    ends.here.send("", b"lost")
    ends.here.cut("again")
    ends.here.mend()
    ends.here.send("", b"back")
    assert ends.links == [Link(up=True), Link(up=False, reason="the link was cut"), Link(up=True)]
    assert ends.at_there[-1] == Arrival("", Packet(b"back"))
    assert ends.here.counts == Counts(1, 0, 1)


def test_who_has_closed_hears_nothing_and_the_other_end_is_told_once() -> None:
    ends = Ends()
    ends.here.close()
    ends.open()
    before = len(ends.at_here)
    for _ in range(2):
        ends.here.close()
    ends.there.send("", b"late")
    assert len(ends.at_here) == before
    assert ends.at_there[1:] == [Arrival("", Link(up=False, reason="the other end was closed"))]
    ends.here.open(ends.at_here.append)
    assert ends.at_here[-1] == ends.at_there[-1] == Arrival("", Link(up=True))


def test_one_end_alone_has_nobody_to_talk_to() -> None:
    alone, told = Loopback(), list[Arrival]()
    assert alone.address == "loopback:"
    alone.open(told.append)
    alone.send("", b"")
    assert (told, alone.counts.dropped) == ([], 1)
