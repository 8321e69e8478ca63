"""The binary commands of an e-puck on a serial line, byte for byte."""

from __future__ import annotations

import struct

import pytest

from tests.approximately import near
from tests.hil.lab.sercom_line import STEP_LENGTH, ask, code, epuck, lights, words


def test_codes_are_those_of_the_protocol() -> None:
    assert code("D") == b"\xbc"
    assert code("N") == b"\xb2"


def test_binary_replies_are_the_bare_payloads_in_the_order_of_the_chain() -> None:
    lab = epuck()
    assert ask(lab, code("D") + words(100, -100) + b"\0") == b""
    lab.wait(1.0)
    chain = code("E") + code("P") + words(7, 8) + code("Q") + b"\x81" + code("b") + code("t")
    assert ask(lab, chain) == b""
    assert ask(lab, b"\0") == words(100, -100) + words(7, 8) + struct.pack("<HB", 3277, 25)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (code("A"), struct.pack("<3f", 800.0, 0.0, 0.0)),
        (code("E"), words(0, 0)),
        (code("M"), words(900, 900, 900, 900)),
        (code("N"), words(*[0] * 8)),
        (code("O"), words(*[3500] * 8)),
        (code("Q"), words(0, 0)),
        (code("U"), b""),
        (code("W") + b"\x01\x02\x03", b""),
        (code("Y"), b"\0"),
        (code("a"), words(2048, 2048, 2848)),
        (code("b"), words(3277)),
        (code("g"), words(0, 0, 0)),
        (code("t"), b"\x19"),
        (code("u"), words(10, 10, 10)),
        (code("w") + bytes(35), b""),
        (b"\xf6" + bytes(12), b""),
        (b"\xf5", b"\0"),
        (b"\xf4", words(10, 10, 10, 10)),
        (b"\xf3", words(8190)),
        (b"\xf2", b"\0"),
        (b"\xf1\x01", b"\0"),
        (b"\xf0\x01", b"\0"),
        (b"\xef\x01", b"\0"),
    ],
)
def test_binary_commands_and_their_answers(command: bytes, answer: bytes) -> None:
    lab = epuck()
    assert ask(lab, code("Q") + command + code("b") + b"\0") == words(0, 0) + answer + words(3277)


def test_a_chain_may_begin_with_any_byte_that_is_no_letter_and_may_answer_nothing() -> None:
    lab = epuck()
    assert ask(lab, b"\x80" + code("Q") + b"\0") == words(0, 0)
    lab.tell(code("D") + words(0, 0) + b"\0")
    assert lab.heard[1] == []


def test_a_reply_has_room_for_4096_bytes() -> None:
    lab = epuck()
    ask(lab, b"P,1,2\r")
    assert ask(lab, 1024 * code("Q") + b"\0") == 1024 * words(1, 2)
    assert ask(lab, 1025 * code("Q") + b"\0") == 1024 * words(1, 2)


def test_all_sensors_are_told_by_one_command() -> None:
    lab = epuck(x=4.0 - 0.035 - 0.02)
    ask(lab, b"P,7,-8\r")
    answer = ask(lab, b"\xf8\0")
    assert len(answer) == 103
    assert struct.unpack_from("<3h", answer) == (0, 0, 800)  # without the offset
    assert answer[37:53] == ask(lab, code("N") + b"\0")
    assert struct.unpack_from("<H", answer, 69) == (20,)
    assert struct.unpack_from("<2h", answer, 79) == (7, -8)
    assert (answer[89], struct.unpack_from("<3H", answer, 90)) == (3, (900, 900, 900))


def test_a_sensor_that_is_stopped_reads_what_it_read_last() -> None:
    lab = epuck(x=3.9)
    for number, speed in ((1, 300), (2, -200)):
        before = ask(lab, code("N") + b"\xf3\0")
        assert ask(lab, b"\xf0\x00\xef\x00\0") == b"\0\0"
        ask(lab, code("D") + words(speed, speed) + b"\0")
        lab.wait(1.5)
        assert ask(lab, code("N") + b"\xf3\0") == before
        assert ask(lab, b"\xf0%c\xef%c\0" % (number, number)) == b"\0\0"
        after = ask(lab, code("N") + b"\xf3\0")
        assert (after[:2] != before[:2], after[16:] != before[16:]) == (True, True)


def test_all_actuators_are_set_by_one_command() -> None:
    lab = epuck()
    lamps, colours = b"\x2a", bytes(range(1, 13))
    ask(lab, b"\xf7\xf8" + words(300, 200) + lamps + colours + b"\x00\0")  # bits that mean nothing are ignored
    assert ask(lab, b"E\r") == b"e,300,200\r\n"
    assert lab.speed() == near(250 * STEP_LENGTH)
    assert lights(lab).ring == [False, True, True, True, False, True, True, True]
    assert (lights(lab).body, lights(lab).front) == (False, True)
    assert lights(lab).colours[1] == (4, 5, 6)
    ask(lab, b"\xf7\x04" + words(11, 12) + bytes(14) + b"\0")
    assert ask(lab, code("Q") + b"\0") == words(11, 12)
    assert lab.speed() == near(250 * STEP_LENGTH)
    assert ask(lab, b"E\r") == b"e,11,12\r\n"  # both are kept in one place
    lab = epuck(x=4.0 - 0.035 - 0.02)
    ask(lab, b"\xf7\x01" + bytes(18) + b"\0")
    assert ask(lab, b"N\r") == b"n,0,0,0,0,0,0,0,0\r\n"


def test_a_picture_has_its_mode_and_size_before_it() -> None:
    lab = epuck()
    colour = ask(lab, code("I") + b"\0")
    assert (colour[:3], len(colour)) == (b"\x01\x28\x28", 3203)
    assert ask(lab, b"J,0,60,30,2\rI\r") == b"j\r\ni,0,60,30,2,1800\r\n"
    grey = ask(lab, code("Q") + code("I") + code("b") + b"\0")
    assert (grey[4:7], len(grey)) == (b"\x00\x3c\x1e", 4 + 1803 + 2)
    assert ask(lab, b"J,1,39,52,1\rI\r") == b"j\r\ni,1,39,52,1,4056\r\n"
    assert ask(lab, b"J,0,100,41,4\rI\r") == b"j\r\ni,1,40,40,4,3200\r\n"  # it would be too large
    assert ask(lab, b"J,0,-100,41,-4\rI\r") == b"j\r\ni,1,40,40,1,3200\r\n"
    assert len(ask(lab, code("I") + code("I") + b"\0")) == 3203  # the second has no room


def test_a_picture_shows_the_part_that_is_wanted() -> None:
    lab = epuck()
    whole = ask(lab, b"J,0,64,48,10\r" + code("I") + b"\0")[len(b"j\r\n") + 3 :]
    part = ask(lab, b"J,0,64,12,10,0,360\r" + code("I") + b"\0")[len(b"j\r\n") + 3 :]
    assert part == whole[36 * 64 :]
    middle = ask(lab, b"J,0,32,24,10\r" + code("I") + b"\0")[len(b"j\r\n") + 3 :]
    assert middle[:32] == whole[12 * 64 + 16 : 12 * 64 + 48]
