"""Models and couplings that come and go while a simulation runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, ModelError, Simulator
from devs_robotics.core.observe import Observer, TransitionKind
from devs_robotics.core.schedule import Schedule
from tests.devs_robotics.core.small_models import Listener, Sender, couple


class Executive(Atomic):
    """A network executive: changes the structure that it is part of, at given times."""

    def __init__(self, *script: tuple[float, Callable[[Coupled], None]], name: str = "executive") -> None:
        super().__init__(name)
        self.script = list(script)
        self.now = 0.0

    def initialize(self) -> None:
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", self.script[0][0] - self.now) if self.script else self.passivate()

    def deltint(self) -> None:
        self.now, change = self.script.pop(0)
        assert isinstance(self.parent, Coupled)
        change(self.parent)
        self._wait()


class Events(Observer):
    """Notes what comes, goes and changes."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []

    def changed(self, time: float, model: Any, kind: TransitionKind, elapsed: float) -> None:
        self.events.append((time, model.name, kind, elapsed))

    def joined(self, time: float, model: Any) -> None:
        self.events.append((time, model.name, "joined"))

    def left(self, time: float, model: Any) -> None:
        self.events.append((time, model.name, "left"))


def test_structure_changes_between_events() -> None:
    sender, listener = Sender("sender", *[(float(n), n) for n in range(1, 7)]), Listener()
    top = couple(sender)
    simulator = Simulator(top)
    simulator.run(until=1.0)
    top.add_component(listener)
    top.add_coupling(sender.said, listener.heard)
    simulator.run(until=2.0)
    top.remove_coupling(sender.said, listener.heard)
    simulator.run(until=3.0)
    top.add_coupling(sender.said, listener.heard)
    simulator.run(until=4.0)
    top.remove_component(sender)
    simulator.run()
    assert listener.bags == [[2], [4]]
    assert simulator.time == 4.0


def test_a_model_changes_the_structure() -> None:
    sender, listener = Sender("sender", *[(float(n), n) for n in range(1, 5)]), Listener()

    def join(top: Coupled) -> None:
        top.add_component(listener)
        top.add_coupling(sender.said, listener.heard)

    top = couple(Executive((1.5, join), (3.5, lambda top: top.remove_component(listener))), sender)
    events = Events()
    simulator = Simulator(top)
    simulator.attach(events)
    simulator.run()
    assert listener.bags == [[2], [3]]
    assert [event for event in events.events if event[1] == "listener"] == [
        (1.5, "listener", "joined"),
        (2.0, "listener", "external", 0.5),
        (3.0, "listener", "external", 1.0),
        (3.5, "listener", "left"),
    ]


def test_a_change_takes_effect_after_its_step() -> None:
    """The executive is taken before the others, and yet what is under way arrives."""
    sender, old, new = Sender("sender", (1.0, "a"), (2.0, "b")), Listener("old"), Listener("new")

    def swap(top: Coupled) -> None:
        top.remove_component(old)
        top.add_component(new)
        top.add_coupling(sender.said, new.heard)

    Simulator(couple(Executive((1.0, swap)), sender, old, ends={sender.said: old.heard})).run()
    assert (old.bags, new.bags) == ([["a"]], [["b"]])
    assert old.notes[-1] == ("exit",)


def test_a_new_model_starts_now() -> None:
    new = Listener("new", 2.0, 0.5)
    top = couple(Executive((1.0, lambda top: top.add_component(new))))
    events = Events()
    simulator = Simulator(top)
    simulator.attach(events)
    simulator.run()
    assert events.events[1:] == [
        (1.0, "new", "joined"),
        (3.0, "new", "internal", 2.0),
        (3.5, "new", "internal", 0.5),
    ]


def test_a_new_model_may_be_due_at_once_and_bring_more() -> None:
    class Growing(Listener):
        def initialize(self) -> None:
            super().initialize()
            if self.name != "abcd":
                assert isinstance(self.parent, Coupled)
                self.parent.add_component(Growing(self.name + "abcd"[len(self.name)], 0.0))

    top = couple(Executive((1.0, lambda top: top.add_component(Growing("a", 0.0)))))
    simulator = Simulator(top)
    simulator.run()
    assert [model.name for model in top.components] == ["executive", "a", "ab", "abc", "abcd"]
    assert (simulator.time, simulator.transitions) == (1.0, 5)


def test_a_removed_model_is_silent() -> None:
    listener, waiting, zero = Listener("listener", 1.0, 1.0), Listener("waiting", 5.0), Listener("zero", 1.0, 0.0)

    def remove(top: Coupled) -> None:
        for model in (listener, waiting, zero):
            top.remove_component(model)

    simulator = Simulator(couple(Executive((1.0, remove)), listener, waiting, zero))
    simulator.run()
    assert listener.notes == zero.notes == [("output",), ("internal",), ("exit",)]
    assert (waiting.notes, simulator.time) == ([("exit",)], 1.0)


def test_a_removed_model_may_come_back_and_starts_afresh() -> None:
    listener = Listener("listener", 1.0, 1.0)
    script = (1.5, lambda top: top.remove_component(listener)), (5.0, lambda top: top.add_component(listener))
    simulator = Simulator(couple(Executive(*script)))
    assert isinstance(simulator.model, Coupled)
    simulator.model.add_component(listener)
    simulator.run()
    assert listener.notes == [("output",), ("internal",), ("exit",), *[("output",), ("internal",)] * 2]
    assert simulator.time == 7.0


def test_a_moved_model_keeps_its_event() -> None:
    listener, inner = Listener("listener", 3.0), Coupled("inner")

    def move(top: Coupled) -> None:
        top.remove_component(listener)
        inner.add_component(listener)

    simulator = Simulator(couple(inner, listener, Executive((1.0, move))))
    simulator.run()
    assert (listener.notes, simulator.time) == ([("output",), ("internal",)], 3.0)


def test_a_change_in_an_output_function_is_refused() -> None:
    class Hasty(Listener):
        def lambdaf(self) -> None:
            assert isinstance(self.parent, Coupled)
            self.parent.add_component(Listener("new"))

    with pytest.raises(ModelError, match="top at 1 s: its structure was changed in an output function: change it in a"):
        Simulator(couple(Hasty("hasty", 1.0))).run()


@pytest.mark.parametrize("copied", [False, True])
def test_a_removed_model_can_be_used_elsewhere(copied: bool) -> None:
    """Its ports are its own again."""
    sender, listener, other = Sender("sender", (1.0, "a")), Listener(), Listener("other")
    ends = {sender.said: [listener.heard, other.heard] if copied else listener.heard}
    top = couple(sender, listener, other, ends=ends)
    Simulator(top)
    top.remove_component(sender)
    simulator = Simulator(top)
    fresh = couple(sender)
    Simulator(fresh).run()
    simulator.run()
    assert not listener.heard


def test_what_cannot_be_removed_is_refused() -> None:
    sender, listener = Sender("sender"), Listener()
    top, stranger = couple(sender, listener), Listener("stranger")
    with pytest.raises(ModelError, match="top cannot remove stranger: it is not one of its components"):
        top.remove_component(stranger)
    with pytest.raises(ModelError, match=r"top has no coupling of top/sender\.said and top/listener\.heard to remove"):
        top.remove_coupling(sender.said, listener.heard)


# a property: the schedule and the routes after a change are those of a new simulator

Steps = list[tuple[int, int, int]]
"""What to do (add, remove, couple, uncouple), and with which of the models."""


def change(top: Coupled, pool: list[Listener | Sender], step: tuple[int, int, int]) -> None:
    """Do one of four things, if it can be done."""
    what, first, second = step[0], pool[step[1] % len(pool)], pool[step[2] % len(pool)]
    if what == 0 and first.parent is None:
        top.add_component(first)
    elif what == 1 and first.parent is top:
        top.remove_component(first)
    elif isinstance(first, Sender) and isinstance(second, Listener) and first.parent is second.parent is top:
        coupled = second.heard in top.ic.get(first.said, {})
        if what == 2 and not coupled:
            top.add_coupling(first.said, second.heard)
        elif what == 3 and coupled:
            top.remove_coupling(first.said, second.heard)


def run_with_changes(steps: Steps, renew: bool) -> list[Any]:
    """Changes at 0.5, 1.5 ... of models that send at 1, 2 ...; with `renew` the simulator is made anew each time."""
    senders = [Sender(f"s{n}", *[(float(time), f"{n}") for time in range(1, 9)]) for n in range(3)]
    listeners = [Listener(f"l{n}", *[0.75 + n] * 9) for n in range(3)]
    pool: list[Listener | Sender] = [*senders, *listeners]
    top = couple(Sender("clock", *[(float(time), time) for time in range(1, 9)]))
    simulator = Simulator(top)
    notes: list[Any] = []
    for number, step in enumerate(steps):
        change(top, pool, step)
        if renew:
            assert simulator.next_time >= simulator.time  # takes the change
            renewed = Simulator.__new__(Simulator)
            schedule = Schedule(simulator.time)
            schedule.due = simulator._schedule.due
            schedule.follow(simulator._schedule.nodes)
            renewed._set_up(top, schedule, 100)
            renewed._wire()
            simulator = renewed
        simulator.run(until=number + 0.5)
        notes.append([list(listener.notes) for listener in listeners])
    return notes


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_a_changed_structure_is_like_a_new_one(steps: Steps) -> None:
    assert run_with_changes(steps, renew=False) == run_with_changes(steps, renew=True)
