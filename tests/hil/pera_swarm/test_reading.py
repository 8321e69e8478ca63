"""What comes over the wire: every published payload, what is repaired, and garbage."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.outside import Asks, Introduces, Stands
from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.reading import LARGEST, TOO_FAR, TOO_LONG, UNKNOWN_TOPIC, read
from devs_robotics.hil.pera_swarm.values import MALFORMED, NO_JSON, NOT_FINITE
from tests.hil.pera_swarm.packets import ARENA, PUBLISHED


@pytest.mark.parametrize(("topic", "data", "meaning"), PUBLISHED)
def test_what_published_programs_send_is_understood(topic: str, data: bytes, meaning: list[Any]) -> None:
    heard = read(ARENA, topic, data)
    assert list(heard.messages) == meaning
    assert heard.dropped == ()
    assert heard.repaired == (b":V" in data)


def test_everything_that_is_listened_to_is_published_by_somebody() -> None:
    assert {topic for topic, _, _ in PUBLISHED} == set(topics.LISTENED)


@pytest.mark.parametrize(
    ("topic", "data", "why"),
    [
        ("robot/create", b'{"id":1,"reality":X}', NO_JSON),
        ("robot/live", b'{"id":1,"reality":V}', NO_JSON),
        ("robot/live", b'{"id":1.5}', MALFORMED),
        ("robot/live", b'{"id":true}', MALFORMED),
        ("robot/live", b'{"id":-1}', MALFORMED),
        ("robot/live", b'{"id":"1_0"}', MALFORMED),
        ("robot/live", b'{"reality":"V"}', MALFORMED),
        ("robot/live", b"[1]", MALFORMED),
        ("localization/update", b'[{"id":1,"x":0,"y":0}]', MALFORMED),
        ("localization/update", b'[{"id":1,"x":"1e999","y":0,"heading":0}]', NOT_FINITE),
        ("localization/update", b'[{"id":1,"x":"inf","y":0,"heading":0}]', MALFORMED),
        ("localization/update", b'[{"id":1,"x":1801,"y":0,"heading":0}]', TOO_FAR),
        ("localization/update", b"7", MALFORMED),
        ("sensor/proximity", b'{"id":1,"angles":7}', MALFORMED),
        ("sensor/proximity", b'{"id":1,"angles":[0,"x"]}', MALFORMED),
        ("sensor/distance", b'{"id":1,"reality":7}', MALFORMED),
        ("comm/out/simple", b'{"id":1,"msg":"a","dist":"near"}', MALFORMED),
        ("comm/out/simple", b'{"id":1,"msg":"a","dist":-1}', MALFORMED),
        ("comm/out/simple", b'{"id":1,"msg":7}', MALFORMED),
        ("output/neopixel", b'{"id":1,"R":256,"G":0,"B":0}', MALFORMED),
        ("obstacles/?", b"\xff", MALFORMED),
        ("service/discovery", b'{"uuid":"","timestamp":0}', MALFORMED),
        ("robot/dance", b'{"id":1}', UNKNOWN_TOPIC),
        ("robot/log", b"x" * (LARGEST + 1), TOO_LONG),
    ],
)
def test_what_is_no_message_is_dropped_by_kind(topic: str, data: bytes, why: str) -> None:
    heard = read(ARENA, topic, data)
    assert (heard.messages, heard.dropped) == ((), (why,))


def test_of_a_list_of_poses_the_good_ones_count() -> None:
    first, fourth, fifth = (b'{"id":%d,"x":%d,"y":0,"heading":0}' % each for each in ((1, 0), (4, 10**6), (5, 9)))
    data = b"[%b]" % b",".join((first, b'{"id":2}', b"3", fourth, fifth))
    heard = read(ARENA, "localization/update", data)
    assert [said.robot for said in heard.messages if isinstance(said, Stands)] == [1, 5]
    assert heard.dropped == (MALFORMED, MALFORMED, TOO_FAR)


def test_unknown_words_for_a_reality_ask_for_both() -> None:
    heard = read(ARENA, "sensor/distance", b'{"id":1,"reality":"X"}')
    assert heard.messages == (Asks(1, "distance", sees=("real", "virtual")),)


def test_a_robot_with_half_a_pose_is_there_without_one() -> None:
    assert read(ARENA, "robot/create", b'{"id":1,"x":3,"y":4,"reality":"R"}').messages == (Introduces(1, None, "real"),)


@given(st.floats(-800.0, 800.0), st.floats(-800.0, 800.0), st.floats(-720.0, 720.0), st.booleans())
def test_poses_come_to_where_they_are_whether_numbers_are_texts_or_not(
    x: float, y: float, heading: float, texts: bool
) -> None:
    values = {"id": 1, "x": x, "y": y, "heading": heading}
    told = {key: repr(value) for key, value in values.items()} if texts else values
    (said,) = read(ARENA, "localization/update", msgspec.json.encode([told])).messages
    assert isinstance(said, Stands)
    assert ARENA.point(said.x, said.y) == pytest.approx((x, y), abs=1e-8)


@pytest.mark.parametrize("topic", topics.LISTENED)
def test_garbage_is_never_an_error(topic: str) -> None:
    """10,000 packets: bytes at random, and published payloads with bytes changed, cut off, or in the wrong place."""
    chance = random.Random(f"garbage on {topic}")
    payloads = [data for _, data, _ in PUBLISHED]
    for number in range(10_000):
        if number % 4 == 0:
            data = chance.randbytes(chance.randrange(60))
        else:
            broken = bytearray(chance.choice(payloads))
            for _ in range(chance.randrange(1, 4)):
                place = chance.randrange(len(broken))
                broken[place : place + chance.randrange(2)] = chance.randbytes(chance.randrange(3))
                broken = broken or bytearray(b"{")
            data = bytes(broken)
        heard = read(ARENA, topic, data)
        assert heard.messages or heard.dropped or data.strip() in (b"[]", b"{}")


@pytest.mark.parametrize(
    "data", [b"[" * 50_000, b'{"id":' * 10_000, b"9" * 10_000, b'{"id":1e400}', b'{"id":' + b"9" * 400 + b"}"]
)
def test_nor_is_what_is_meant_to_break_a_reader(data: bytes) -> None:
    for topic in topics.LISTENED:
        heard = read(ARENA, topic, data)
        assert heard.dropped or topic in ("obstacles/?", "localization/data/?")
