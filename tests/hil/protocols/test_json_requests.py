"""Requests to equipment of a JSON robot: numbers, repetitions, and what they are about."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
import pytest

from devs_robotics.hil.protocols.events import GivenUp
from devs_robotics.hil.protocols.json_requests import JsonRequests
from devs_robotics.hil.robot_protocol import LARGEST, Busy, Told


@pytest.fixture
def next_id() -> Callable[[], int]:
    numbers = count(1)
    return lambda: next(numbers)


def asked(said: object) -> tuple[int, int, str, dict[str, object]]:
    """Robot, number, name and data of a message that asks."""
    assert isinstance(said, bytes)
    message = msgspec.json.decode(said)
    assert message["type"] == "ask"
    return message["robot"], message["id"], message["name"], message["data"]


def test_each_request_has_a_number_of_its_own_and_a_repeated_one_that_which_it_had(next_id: Callable[[], int]) -> None:
    requests = JsonRequests(7)
    first = requests.ask("gripper", {"width": 0.5}, False, next_id)
    assert asked(first) == (7, 1, "gripper", {"width": 0.5})
    assert requests.ask("gripper", {"width": 0.5}, True, next_id) == first
    assert asked(requests.ask("lamp", {"on": True}, True, next_id)) == (7, 2, "lamp", {"on": True})
    assert requests.ask("gripper", {"width": 0.5}, True, next_id) == first
    assert asked(requests.ask("gripper", {"width": 0.25}, False, next_id))[1] == 3


def test_only_what_is_about_the_last_request_counts(next_id: Callable[[], int]) -> None:
    requests = JsonRequests(7)
    assert not requests.is_about(Told(7, "s", 1, "gripper", {}))
    requests.ask("gripper", {}, False, next_id)
    requests.ask("gripper", {}, False, next_id)
    assert not requests.is_about(Told(7, "s", 1, "gripper", {}))
    assert not requests.is_about(Told(7, "s", 2, "lamp", {}))
    assert requests.is_about(Busy(7, "s", 2, "gripper"))
    assert requests.unanswered == "gripper"
    assert requests.is_about(Told(7, "s", 2, "gripper", None))
    assert requests.unanswered == ""
    assert requests.is_about(Told(7, "s", 2, "gripper", None)), "an answer may come twice"


def test_what_has_not_answered_is_named_in_order(next_id: Callable[[], int]) -> None:
    requests = JsonRequests(7)
    for name in ("wheels", "gripper", "lamp"):
        requests.ask(name, {}, False, next_id)
    assert requests.unanswered == "gripper and its lamp and its wheels"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"text": "x" * 65}, "Expected `str` of length <= 64 - at `$[...]`"),
        ({f"x{number}": 0 for number in range(17)}, "Expected `object` of length <= 16"),
        ({f"x{number}": [1.0 / 3.0] * 32 for number in range(16)}, f"it is longer than {LARGEST} bytes"),
    ],
)
def test_what_the_protocol_does_not_carry_is_told_and_not_sent(
    data: dict[str, object], why: str, next_id: Callable[[], int]
) -> None:
    requests = JsonRequests(7)
    assert requests.ask("gripper", data, False, next_id) == GivenUp(  # type: ignore[arg-type]
        f"cannot be asked what its gripper is asked ({why}): keep to what docs/robot-protocol.md allows"
    )
    assert requests.unanswered == ""


@pytest.mark.parametrize("more", [0, 1])
def test_a_message_may_be_just_as_long_as_the_protocol_allows(more: int) -> None:
    def said(length: int) -> object:
        data: dict[str, Any] = {f"x{number}": [1.0 / 3.0] * 32 for number in range(6)}
        data |= {f"z{number}": "x" * 64 for number in range(4)} | {"text": "x" * length}
        return JsonRequests(7).ask("gripper", data, False, lambda: 1)

    short = said(0)
    assert isinstance(short, bytes)
    left = LARGEST - len(short)
    assert 0 < left < 64
    longest = said(left + more)
    assert isinstance(longest, bytes) == (more == 0)
