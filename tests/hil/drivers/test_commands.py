"""What is left of a command, and what is forgotten when it is over."""

from __future__ import annotations

import pytest

from devs_robotics import Drive, Driven
from devs_robotics.hil.drivers.commands import Commands
from tests.approximately import near


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    ("commanded", "done", "left"),
    [
        (0.5, 0.2, 0.3),
        (0.5, -0.2, 0.7),
        (0.5, 0.6, 0.0),
        (0.5, 0.5, 0.0),
        (0.0, 0.2, 0.0),  # it turned a little though it was to drive: nobody turns it back
        (0.002, 0.001, 0.001),  # exact in binary, as the half is
        (0.002, 0.0011, 0.0),
        (0.0004, 0.0, 0.0004),  # a command is begun, however small it is
        (0.0004, -0.0001, 0.0),
    ],
)
def test_what_is_left_of_a_command(commanded: float, done: float, left: float, sign: float) -> None:
    for drive, turn, distance in (
        (Drive(sign * commanded, 0.1), sign * done, 0.0),
        (Drive(0.1, sign * commanded), 0.0, sign * done),
    ):
        commands = Commands()
        commands.put(drive)
        commands.part_ended(turn, distance)
        rest = commands.rest()
        assert rest is not None
        parts = (rest.turn, rest.distance) if drive.distance == 0.1 else (rest.distance, rest.turn)
        assert parts == (near(sign * left, 1e-12), 0.1)


def test_parts_add_up_and_of_a_command_that_is_done_nothing_is_left() -> None:
    commands = Commands()
    commands.put(Drive(0.5, 0.2))
    commands.part_ended(0.25, 0.0)
    commands.part_ended(0.125, 0.0)
    assert commands.rest() == Drive(0.125, 0.2)
    commands.part_ended(0.125, 0.2)
    assert commands.rest() is None
    assert commands.finish(blocked=True) == Driven(0.5, 0.2, blocked=True)


def test_commands_are_done_in_their_order_and_each_begins_with_nothing() -> None:
    commands = Commands()
    commands.put(Drive(0.5, 0.2))
    commands.put(Drive(0.0, -0.1))
    assert len(commands) == 2
    assert commands.rest() == Drive(0.5, 0.2)
    commands.part_ended(0.5, 0.1)
    commands.part_ended(0.0, 0.0)
    commands.late_parts = 2
    assert commands.idle_parts == 1
    assert commands.finish() == Driven(0.5, 0.1, blocked=False)
    assert (len(commands), commands.idle_parts, commands.late_parts) == (1, 0, 0)
    assert commands.rest() == Drive(0.0, -0.1)
    assert commands.finish() == Driven(0.0, 0.0)


@pytest.mark.parametrize(
    ("turn", "distance", "idle"),
    [(0.0, 0.0, 3), (0.0009, -0.0009, 3), (0.001, 0.0, 0), (0.0, -0.001, 0), (0.001, 0.001, 0)],
)
def test_parts_that_got_nowhere_are_counted_until_one_gets_somewhere(turn: float, distance: float, idle: int) -> None:
    commands = Commands()
    assert (commands.idle_parts, commands.late_parts) == (0, 0)
    commands.put(Drive(0.5, 0.2))
    commands.part_ended(0.0, 0.0)
    commands.part_ended(0.0, 0.0)
    commands.part_ended(turn, distance)
    assert commands.idle_parts == idle
