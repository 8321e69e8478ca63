"""Talkers, over air: they agree, exchange, and whatever is lost, every robot goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Coupled, Out, Simulator, equip
from devs_robotics.core.observe import Observer
from devs_robotics.models.activities import VirtualTransceiver
from devs_robotics.models.environment import Air
from devs_robotics.models.environment.air import Reception
from devs_robotics.models.transport.messages import (
    Accept,
    AcceptAck,
    Ack,
    Claim,
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
from devs_robotics.models.transport.path import Waypoints
from devs_robotics.models.transport.radio_words import spoken, understood
from devs_robotics.models.transport.talker import Talker
from devs_robotics.models.transport.talking import Mode, Talking, can_matter, channel_of

LONG: Waypoints = tuple((0.5 * k, 0.1 * (k % 3)) for k in range(47))
SHORT: Waypoints = ((0.0, 0.0), (11.5, 0.0), (23.0, 0.1))


class Group(Coupled):
    """Robots that stand within range of each other; those with a path have it from the beginning."""

    said = Out(Exchanged)

    def __init__(self, paths: dict[int, Waypoints], how: Talking, loss: float = 0.0, seed: int = 1) -> None:
        super().__init__("group")
        count = max(paths)
        self.air = Air("air", [(0.1 * robot, 0.0, 0.0) for robot in range(count)], seed, 2.0, 0.032, loss)
        self.add_component(self.air)
        self.talkers = {}
        for robot, path in paths.items():
            talker = Talker(f"talker{robot}", robot, how)
            talker.path = path
            transceiver = VirtualTransceiver(f"transceiver{robot}")
            transceiver.robot = robot
            for model in (talker, transceiver):
                self.add_component(model)
            equip(self, talker.radio, transceiver.channel)
            offered = self.air.offer(robot, *(port.p_type for port in (talker.radio.ask, talker.radio.answer)))
            assert offered is not None
            equip(self, transceiver.world, offered)
            self.add_coupling(talker.exchanged, self.said)
            self.talkers[robot] = talker


class Told(Observer):
    """What talkers say to their own robots, and who is on which private channel."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.told: list[tuple[float, int, Any]] = []
        self.crowded = False

    def sent(self, time: float, model: Any, port: Any, values: Any) -> None:
        if isinstance(model, Talker) and port.name != "radio_ask":
            self.told += [(time, model.robot, value) for value in values]
        channels = list(self.group.air._channel.values())
        self.crowded |= any(channels.count(channel) > 2 for channel in channels if channel)

    def of(self, kind: type) -> Iterator[tuple[float, int, Any]]:
        return (each for each in self.told if isinstance(each[2], kind))


def play(
    paths: dict[int, Waypoints], how: Talking, until: float, loss: float = 0.0, seed: int = 1
) -> tuple[Group, Told]:
    group = Group(paths, how, loss, seed)
    told = Told(group)
    with Simulator(group) as simulator:
        simulator.attach(told)
        simulator.run(until=until)
    return group, told


def test_two_with_paths_exchange_them_once_in_ten_minutes_after_fifteen() -> None:
    group, told = play({1: LONG, 2: SHORT}, Talking(), 2200.0)
    offers = [(round(time), robot, offered.partner) for time, robot, offered in told.of(Offered)]
    assert [robot for _, robot, _ in offers] == [1, 2] * 3 or [robot for _, robot, _ in offers] == [2, 1] * 3
    assert all(900 <= time <= 902 for time, _, _ in offers[:2])
    assert all(0 <= later[0] - before[0] - 600 <= 2 for before, later in zip(offers, offers[2:], strict=False))
    assert {offered.points for _, robot, offered in told.of(Offered) if robot == 1} == {SHORT}
    assert {offered.points for _, robot, offered in told.of(Offered) if robot == 2} == {LONG}
    one, other = group.talkers[1].last[2], group.talkers[2].last[1]
    assert abs(one - other) <= 0.2


@pytest.mark.parametrize(
    ("mode", "one", "other", "told_to"),
    [
        ("full", (), LONG, {1: LONG}),
        ("full", (), (), {}),
        ("full", SHORT, LONG, {1: LONG, 2: SHORT}),
        ("partial", (), LONG, {1: LONG}),
        ("partial", SHORT, (), {2: SHORT}),
        ("partial", SHORT, LONG, {}),
        ("none", (), LONG, {}),
    ],
)
def test_a_mode_says_who_gives_his_path_to_whom(
    mode: Mode, one: Waypoints, other: Waypoints, told_to: dict[int, Waypoints]
) -> None:
    _, told = play({1: one, 2: other}, Talking(mode, ban=5.0), 60.0)
    assert {robot: offered.points for _, robot, offered in told.of(Offered)} == told_to


def test_with_equal_digests_nobody_talks() -> None:
    _, told = play({1: LONG, 2: LONG}, Talking(ban=5.0, digests=True), 60.0)
    assert told.told == []
    _, told = play({1: LONG, 2: SHORT}, Talking(ban=5.0, digests=True), 60.0)
    assert len(list(told.of(Offered))) == 2


def standing(told: Told, until: float) -> list[float]:
    """For how long each robot has stood at a time, each time (s)."""
    held: dict[int, float] = {}
    spans = []
    for time, robot, message in told.told:
        if isinstance(message, Hold):
            assert robot not in held
            held[robot] = time
        elif isinstance(message, Resume):
            spans.append(time - held.pop(robot))
    return spans + [until - since for since in held.values()]


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 999), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9]), st.integers(2, 4))
def test_whatever_is_lost_every_robot_goes_on_and_channels_are_private(seed: int, loss: float, robots: int) -> None:
    paths: dict[int, Waypoints] = {robot: (LONG, SHORT, ())[robot % 3] for robot in range(1, robots + 1)}
    group, told = play(paths, Talking(ban=2.0, again=30.0), 50.0, loss, seed)
    assert max(standing(told, 50.0), default=0.0) <= 21.0
    assert not told.crowded
    for talk in (exchanged for _, _, exchanged in told.of(Exchanged) if exchanged.completed):
        assert talk.partner in group.talkers[talk.robot].last
    if not loss:
        for one, talker in group.talkers.items():
            for other, time in talker.last.items():
                assert abs(group.talkers[other].last[one] - time) <= 0.2
    for _, _, offered in told.of(Offered):
        assert offered.points == paths[offered.partner]


def test_nobody_has_the_channel_of_two_others() -> None:
    pairs = [(one, other) for other in range(2, 130) for one in range(1, other)]
    channels = {channel_of(*pair) for pair in pairs}
    assert len(channels) == len(pairs)
    assert 0 not in channels
    assert channel_of(5, 3) == channel_of(3, 5)


MESSAGES: list[RadioMessage] = [
    Wait(7, has_path=True, digest=2**32 - 1),
    Wait(7, has_path=False),
    Accept(7, 3),
    AcceptAck(7, 3),
    Reject(7, 3),
    Ack(7),
    PathPart(7, 2, 3, ((1.5, 2.0), (3.0, -4.0))),
    EndOfTalk(7, 3),
    EndOfTalk(7, 3, ((1.5, 2.0), (3.0, -4.0))),
    Claim(7, loaded=True, since=12.5, start=(1.0, 2.0), end=(3.0, 4.0)),
]


@pytest.mark.parametrize("message", MESSAGES)
def test_what_is_spoken_is_understood(message: RadioMessage) -> None:
    said = spoken(message, 5)
    assert said.channel == 5
    assert understood(Reception(7, said.text, said.numbers, said.others)) == message
    assert understood(Reception(7, said.text, (*said.numbers, 1.0, 2.0, 3.0), said.others)) is None


def test_of_two_that_have_no_path_neither_can_give_one() -> None:
    assert not can_matter(Talking(), Wait(1, has_path=False), Wait(2, has_path=False))
    assert can_matter(Talking(), Wait(1, has_path=True), Wait(2, has_path=False))


def test_a_path_that_changes_is_told_of_before_the_next_talk() -> None:
    group = Group({1: (), 2: SHORT}, Talking(ban=5.0))
    told = Told(group)
    talker = group.talkers[1]
    with Simulator(group) as simulator:
        simulator.attach(told)
        simulator.run(until=4.0)
        assert not group.talkers[2].known[1].has_path
        talker.route.add(Route(LONG, "find"))
        talker.deltext(0.0)
        talker.route.clear()
    assert talker._me.has_path
