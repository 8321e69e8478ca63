"""What a driver does for equipment of a robot's own: order, patience, and what is dropped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics import Answered, Asked, Drive, Driven, Fault
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols import Busy, Dropped, Output, Told
from devs_robotics.hil.protocols.settings import DriverSettings
from devs_robotics.hil.testing import DriverBench
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.hil.drivers.test_driver import Words, driver_of, words


class Grip(Struct, frozen=True):
    close: bool


class Gripped(Struct, frozen=True):
    held: bool
    force: float = 0.0


class Read(Struct, frozen=True):
    """A question to a thermometer."""


class Temperature(Struct, frozen=True):
    kelvin: float
    state: Literal["fine", "broken"] = "fine"


class Handy(Words):
    """Has a gripper and a thermometer; says ``NAME {...}``, ``NAME null``, ``busy NAME``, unasked ``!NAME {...}``."""

    equipment = {"gripper": (Grip, Gripped), "thermometer": (Read, Temperature)}  # noqa: RUF012

    def ask(self, name: str, data: PlainData, again: bool) -> Iterable[Output]:
        yield f"{name}{' again' if again else ''} {msgspec.json.encode(data).decode()}".encode()

    def feed(self, data: bytes) -> Iterable[Output]:
        name, _, text = data.partition(b" ")
        if name == b"busy":
            return [Busy(text.decode())]
        if not text.startswith((b"{", b"null")):
            return super().feed(data)
        try:
            found = msgspec.json.decode(text)
        except msgspec.DecodeError:
            return [Dropped("no JSON")]
        return [Told(name.decode().removeprefix("!"), found, unasked=name.startswith(b"!"))]


def bench(*wishes: tuple[float, Any], settings: DriverSettings = SETTINGS) -> DriverBench:
    on = DriverBench(driver_of(Handy, settings), *wishes)
    assert on.driver.carries("gripper", Grip, Gripped)
    on.driver.carried |= Handy.equipment
    return on


def say(on: DriverBench, *lines: tuple[float, str]) -> None:
    for at, line in lines:
        on.say(line.encode(), at=at)


CLOSE, OPEN = Asked("gripper", Grip(True)), Asked("gripper", Grip(False))
HELD = Answered("gripper", Gripped(True))


def test_a_protocol_has_what_it_names_and_no_other() -> None:
    driver = driver_of(Handy)
    assert not driver.carries("gripper", Grip, Temperature)
    assert not driver.carries("arm", Grip, Gripped)
    assert not driver_of(Words).carries("gripper", Grip, Gripped)


def test_what_is_asked_is_answered_by_a_message_of_its_type() -> None:
    on = bench((1.0, CLOSE))
    say(on, (1.2, 'gripper {"held":true}'))
    assert on.run(until=5.0) == [(1.2, HELD)]
    assert words(on)[1:-1] == [(1.0, 'gripper {"close":true}')]
    assert on.driver.dropped == {}


def test_requests_to_one_name_wait_for_each_other_and_those_to_others_do_not() -> None:
    on = bench((1.0, CLOSE), (1.1, OPEN), (1.15, Asked("thermometer", Read())), (1.2, Drive(0.0, 0.1)))
    say(on, (1.2, 'thermometer {"kelvin":290}'), (1.3, 'gripper {"held":true}'), (1.4, 'gripper {"held":false}'))
    say(on, (2.0, "done 1 0 0.1"))
    assert on.run(until=5.0) == [
        (1.2, Answered("thermometer", Temperature(290.0))),
        (1.3, HELD),
        (1.4, Answered("gripper", Gripped(False))),
        (2.0, Driven(0.0, 0.1)),
    ]
    assert [said for _, said in words(on)[1:-1]] == [
        'gripper {"close":true}',
        "thermometer {}",
        "go 1 0 0.1",
        'gripper {"close":false}',
    ]


def test_a_lost_question_or_answer_is_asked_again_as_such() -> None:
    on = bench((1.0, CLOSE))
    say(on, (1.7, 'gripper {"held":true}'))
    assert on.run(until=5.0) == [(1.7, HELD)]
    assert words(on)[1:-1] == [(1.0, 'gripper {"close":true}'), (1.5, 'gripper again {"close":true}')]


def test_what_does_not_answer_three_times_ends_the_run_in_a_sentence() -> None:
    on = bench((1.0, CLOSE), (1.1, OPEN))
    on.run()
    assert on.times(Fault) == [2.5]
    assert (
        "does not answer: its gripper was asked 3 times, 0.5 s apart; check it, and its link; if the link is slow, "
        "make answer_within longer" in on.fault
    )
    assert [said for _, said in words(on)[-2:]] == ["stop", "stop"]


def test_equipment_that_is_at_it_is_waited_for() -> None:
    on = bench((1.0, CLOSE))
    say(on, *((1.4 + 0.4 * number, "busy gripper") for number in range(10)), (5.3, 'gripper {"held":true}'))
    assert on.run(until=8.0) == [(5.3, HELD)]
    assert len(words(on)) == 3


def test_what_is_over_without_an_answer_is_told_to_nobody_and_the_next_request_comes() -> None:
    on = bench((1.0, CLOSE), (1.1, OPEN))
    say(on, (1.2, "gripper null"), (1.3, 'gripper {"held":false}'))
    assert on.run(until=5.0) == [(1.3, Answered("gripper", Gripped(False)))]
    assert on.driver.dropped == {}


def test_while_the_link_is_lost_nothing_is_asked_and_then_the_same_again() -> None:
    settings = msgspec.structs.replace(SETTINGS, link_within=9.0)
    on = bench((1.0, CLOSE), (3.0, OPEN), settings=settings)
    on.cut(1.2, mended=8.0)
    say(on, (8.1, 'gripper {"held":true}'), (8.2, 'gripper {"held":false}'))
    assert on.run() == [(8.1, HELD), (8.2, Answered("gripper", Gripped(False)))]
    asked = [(time, said) for time, said in words(on) if said.startswith("gripper")]
    assert asked == [
        (1.0, 'gripper {"close":true}'),
        (8.0, 'gripper again {"close":true}'),
        (8.1, 'gripper {"close":false}'),
    ]


def test_what_was_asked_while_there_was_no_link_is_asked_for_the_first_time() -> None:
    on = bench((2.0, CLOSE))
    on.cut(1.0, mended=3.0)
    say(on, (3.1, 'gripper {"held":true}'))
    assert on.run(until=4.0) == [(3.1, HELD)]
    assert (3.0, 'gripper {"close":true}') in words(on)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("{}", "Object missing required field `held`"),
        ('{"held":1}', "Expected `bool`, got `int` - at `$.held`"),
        ('{"held":true,"force":"much"}', "Expected `float`, got `str` - at `$.force`"),
        ('{"held":true,"colour":"red"}', "it has fields that are not known"),
    ],
)
def test_an_answer_of_another_type_is_dropped_and_asked_for_again_and_told_of_in_the_end(data: str, why: str) -> None:
    on = bench((1.0, CLOSE))
    on.answer = lambda said: on.say(f"gripper {data}".encode()) if b"gripper" in said else None
    on.run()
    assert on.driver.dropped == {f"no valid Gripped of its gripper: {why}": 3}
    assert (
        f"its gripper was asked 3 times (what came last was dropped: no valid Gripped of its gripper: {why})"
        in on.fault
    )
    assert not on.told(Answered)


def test_what_is_told_unasked_is_passed_on_and_answers_nothing() -> None:
    on = bench((1.0, CLOSE))
    say(
        on, (0.5, '!gripper {"held":false}'), (1.1, '!gripper {"held":false,"force":2}'), (1.2, 'gripper {"held":true}')
    )
    assert on.run(until=3.0) == [
        (0.5, Answered("gripper", Gripped(False))),
        (1.1, Answered("gripper", Gripped(False, 2.0))),
        (1.2, HELD),
    ]


def test_what_answers_nothing_is_dropped() -> None:
    on = bench((1.0, CLOSE))
    say(on, (0.5, 'gripper {"held":true}'), (0.6, "gripper null"), (0.7, "!gripper null"), (0.8, 'arm {"held":true}'))
    say(on, (0.9, "busy gripper"))
    say(on, (1.1, 'gripper {"held":true}'), (1.2, 'gripper {"held":true}'))
    assert on.run(until=3.0) == [(1.1, HELD)]
    assert on.driver.dropped == {"an answer to no question": 5, "a message of equipment that is not asked": 1}


def test_a_value_that_is_repeated_by_no_message_makes_no_new_kind_of_mistake() -> None:
    on = bench((1.0, Asked("thermometer", Read())))
    say(on, *((1.1, f'!thermometer {{"kelvin":1,"state":"{number}"}}') for number in range(100)))
    on.run(until=1.2)
    assert on.driver.dropped == {"no valid Temperature of its thermometer: a value that it cannot have": 100}


def test_a_flood_is_passed_on_in_order_or_dropped_and_the_robot_still_obeys() -> None:
    on = bench((1.0, CLOSE), (1.5, Drive(0.0, 0.1)))
    say(on, *((1.05, f'!gripper {{"held":false,"force":{number}}}') for number in range(500)))
    say(on, *((1.06, f'gripper {{"force":{number}}}') for number in range(500)))
    say(on, (1.1, 'gripper {"held":true}'), (2.0, "done 1 0 0.1"))
    told = on.run(until=5.0)
    assert [message for _, message in told] == [
        *(Answered("gripper", Gripped(False, float(number))) for number in range(500)),
        HELD,
        Driven(0.0, 0.1),
    ]
    assert on.driver.dropped == {"no valid Gripped of its gripper: Object missing required field `held`": 500}


def test_a_robot_that_was_given_up_is_asked_nothing() -> None:
    on = bench((1.0, CLOSE), (3.0, OPEN))
    on.run()
    assert [time for time, said in words(on) if said.startswith("gripper")] == [1.0, 1.5, 2.0]


@given(st.lists(st.sampled_from(["gripper", "thermometer"]), max_size=8), st.data())
def test_each_request_is_asked_once_for_the_first_time_and_answered_once_in_order(
    names: list[str], data: st.DataObject
) -> None:
    """Whichever questions and answers are lost."""
    questions = {"gripper": Grip(True), "thermometer": Read()}
    on = bench(*((1.0 + 0.1 * number, Asked(name, questions[name])) for number, name in enumerate(names)))
    lost = dict.fromkeys(questions, 0)
    answered = dict.fromkeys(questions, 0)

    def answer(said: bytes) -> None:
        name = said.split()[0].decode()
        if name in questions and lost[name] < 2 and data.draw(st.booleans()):
            lost[name] += 1
        elif name in questions:
            lost[name] = 0
            answered[name] += 1
            value = {"held": True, "force": answered[name]} if name == "gripper" else {"kelvin": answered[name]}
            on.say(f"{name} {msgspec.json.encode(value).decode()}".encode())

    on.answer = answer
    on.run(until=30.0)
    for name in questions:
        told = [message.answer for message in on.told(Answered) if message.name == name]
        expected = range(1, names.count(name) + 1)
        values = [Gripped(True, float(n)) if name == "gripper" else Temperature(float(n)) for n in expected]
        assert told == values
        assert sum(said.split()[:2] == [name, "again"] for _, said in words(on)) == sum(
            said.startswith(name) for _, said in words(on)
        ) - len(values)
