"""Type checkers know the types of declared ports, without a plug-in: mypy, which `make lint` runs on this file too.

What is wrong here is ignored by its name, and mypy refuses an ignore that nothing needs.
"""

from __future__ import annotations

import pytest

from devs_robotics import Actuator, Atomic, Coupled, Drive, Driven, In, ModelError, Out


class Animal: ...


class Dog(Animal): ...


class Talker(Atomic):
    heard = In(str)
    said = Out(str)
    counted = Out(int)
    seen = In(Animal)
    dogs = Out(Dog)
    motor = Actuator(Drive, Driven)


class Room(Coupled):
    def __init__(self) -> None:
        super().__init__("room")
        self.a, self.b = Talker("a"), Talker("b")
        self.add_component(self.a)
        self.add_component(self.b)


def test_what_fits_is_accepted() -> None:
    room = Room()
    room.add_coupling(room.a.said, room.b.heard)
    room.add_coupling(room.a.dogs, room.b.seen)
    room.a.said.add("word")
    room.a.motor.ask.add(Drive(turn=1.0))
    words: list[str] = list(room.a.heard.values)
    turns: list[float] = [done.turn for done in room.a.motor.answer.values]
    assert (words, turns) == ([], [])


def test_what_does_not_fit_is_refused_when_it_runs_too() -> None:
    room = Room()
    with pytest.raises(ModelError, match="carries str but was given 7"):
        room.a.said.add(7)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="carries Drive but was given 'go'"):
        room.a.motor.ask.add("go")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"sends int but room/b\.heard takes str"):
        room.add_coupling(room.a.counted, room.b.heard)  # type: ignore[misc]
    numbers: list[int] = list(room.a.heard.values)  # type: ignore[arg-type]
    assert numbers == []
