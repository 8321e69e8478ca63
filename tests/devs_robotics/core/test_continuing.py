"""Events that an input leaves as they were planned: `continuef`, called by a model or by the default transition."""

from __future__ import annotations

from itertools import accumulate
from math import inf, nextafter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, ModelError, Simulator
from devs_robotics.core.observe import Changed, Recorder
from tests.devs_robotics.core.small_models import Listener


class Default(Atomic):
    """Waits, and lets inputs pass."""

    heard: In[Any] = In()

    def __init__(self, name: str, *advances: float) -> None:
        super().__init__(name)
        self.advances = advances

    def initialize(self) -> None:
        self.left = list(self.advances)
        self.deltint()

    def deltint(self) -> None:
        self.hold_in("waiting", self.left.pop(0)) if self.left else self.passivate()


class Calling(Default):
    """Calls continuef among other things."""

    def deltext(self, e: float) -> None:
        self.seen = list(self.heard.values)
        self.continuef(e)
        self.phase = "still waiting"


class HoldingOn(Default):
    """Takes another phase for what is left."""

    def deltext(self, e: float) -> None:
        self.continuef(e)
        self.hold_in("still waiting", self.sigma)


class OwnAdvance(Default):
    """Has a time advance function of its own."""

    def ta(self) -> float:
        return self.sigma if self.phase == "waiting" else inf


class Foreign(XdevsAtomic):
    """Written by somebody who knows xdevs only."""

    def __init__(self, name: str, *advances: float) -> None:
        super().__init__(name)
        self.advances = advances
        self.heard: XdevsPort[Any] = XdevsPort(None, "heard")
        self.add_in_port(self.heard)

    def initialize(self) -> None:
        self.left = list(self.advances)
        self.deltint()

    def deltint(self) -> None:
        self.hold_in("waiting", self.left.pop(0)) if self.left else self.passivate()

    def deltext(self, e: float) -> None:
        self.continuef(e)

    def lambdaf(self) -> None: ...
    def exit(self) -> None: ...


class OwnContinuef(Default):
    """Has a `continuef` of its own."""

    def continuef(self, e: float) -> None:
        self.sigma -= e


MAKES: list[Any] = [Default, Calling, HoldingOn, OwnAdvance, Foreign, OwnContinuef]
makes = pytest.mark.parametrize("make", MAKES)
observed = pytest.mark.parametrize("seen", [False, True])


class Door(Coupled):
    """Takes inputs for a model from outside, at exact times."""

    heard: In[Any] = In()

    def __init__(self, model: Any) -> None:
        super().__init__("door")
        self.add_component(model)
        self.add_coupling(self.heard, model.heard)


def waiting(model: Any, times: list[float], seen: bool = False) -> Simulator:
    """A simulation in which a model receives something at each of these times (s)."""
    door = Door(model)
    simulator = Simulator(door)
    if seen:
        simulator.attach(Recorder())
    for time in times:
        simulator.inject(door.heard, "a", at=time)
    return simulator


@makes
def test_all_pairs_of_hundredths(make: Any) -> None:
    late = []
    for due in range(1, 100):
        for heard in range(due):
            simulator = waiting(make("model", due / 100), [heard / 100])
            simulator.run(max_steps=1)
            if simulator.next_time != due / 100:
                late.append((due, heard))
    assert not late


def split(due: float, shares: list[float]) -> list[float]:
    """Times from 0 up to, but not at, `due`."""
    return sorted(time for share in shares if (time := due * share) < due)


shares = st.lists(st.floats(0.0, 1.0) | st.just(nextafter(1.0, 0.0)), min_size=1, max_size=8)
advances = st.floats(1e-300, 1e300) | st.floats(1e-6, 1e3) | st.floats(0.0, 1e-300, exclude_min=True)


@makes
@observed
@given(advances, shares)
@settings(max_examples=30)
@example(0.29, [0.03 / 0.29, 0.2])
@example(1.0, [nextafter(1.0, 0.0)] * 5)
def test_an_event_keeps_its_time_through_any_chain_of_inputs(
    make: Any, seen: bool, due: float, shares: list[float]
) -> None:
    model, times = make("model", due), split(due, shares)
    simulator = waiting(model, times, seen)
    while simulator.steps < len(set(times)):
        simulator.run(max_steps=1)
        assert model.sigma == due - simulator.time > 0.0
    assert simulator.next_time == due
    simulator.run()
    assert (simulator.time, simulator.steps, model.phase) == (due, len(set(times)) + 1, "passive")


@makes
@given(st.floats(0.0, 1e6), st.floats(1e-6, 1e3), shares)
@settings(max_examples=30)
def test_so_does_one_that_was_planned_later(make: Any, start: float, advance: float, shares: list[float]) -> None:
    due = start + advance
    times = [time for share in sorted(shares) if start < (time := start + (due - start) * share) < due]
    model = make("model", start, advance)
    simulator = waiting(model, times)
    simulator.run(max_steps=len(set(times)) + 1)
    assert simulator.next_time == due
    simulator.run()
    assert (simulator.time, simulator.steps, model.phase) == (due, len(set(times)) + 2, "passive")


@makes
@given(st.floats(1e-3, 1e3), shares)
@settings(max_examples=30)
def test_an_input_just_then_is_confluent(make: Any, due: float, shares: list[float]) -> None:
    model, times = make("model", due), split(due, shares)
    kinds: list[str] = []
    for kind in ("deltint", "deltext", "deltcon"):
        setattr(model, kind, noting(kinds, kind, getattr(model, kind)))
    simulator = waiting(model, [*times, due])
    kinds.clear()
    simulator.run(until=due)
    assert kinds[len(set(times)) :] == ["deltcon", "deltint", "deltext"]
    assert simulator.next_time == inf


def noting(kinds: list[str], kind: str, function: Any) -> Any:
    def noted(*elapsed: float) -> None:
        kinds.append(kind)
        function(*elapsed)

    return noted


# what does not continue


class Restarting(Default):
    """Takes what it hears for its time advance, whether that is what is left by chance or not."""

    def deltext(self, e: float) -> None:
        self.hold_in("waiting", next(self.heard.values))


class RestartingForeign(Foreign):
    def deltext(self, e: float) -> None:
        self.continuef(e)
        self.hold_in("waiting", 0.29 - 0.03)


@pytest.mark.parametrize("make", [Restarting, RestartingForeign])
def test_a_new_time_advance_counts_from_now_even_if_it_is_what_was_left(make: Any) -> None:
    model = make("model", 0.29)
    simulator = waiting(model, [])
    simulator.inject(simulator.model.in_ports[0], 0.29 - 0.03, at=0.03)
    simulator.run(max_steps=1)
    assert simulator.next_time == 0.03 + (0.29 - 0.03) == 0.29000000000000004


class Pausing(Default):
    """Stands still for a while: what came before an input does not count."""

    def deltext(self, e: float) -> None:
        self.continuef(0.0)


class Hurrying(Default):
    """Each input makes it go twice as fast as it went."""

    def deltext(self, e: float) -> None:
        self.continuef(e)
        self.continuef(e)


@pytest.mark.parametrize(("make", "due"), [(Pausing, 0.03 + 0.29), (Hurrying, 0.03 + (0.29 - 0.03 - 0.03))])
def test_what_is_not_the_elapsed_time_moves_the_event(make: Any, due: float) -> None:
    simulator = waiting(make("model", 0.29), [0.03])
    simulator.run(max_steps=1)
    assert simulator.next_time == due


def test_an_old_remainder_is_not_what_continuef_leaves_now() -> None:
    class Remembering(Default):
        remembered: float | None = None

        def deltext(self, e: float) -> None:
            if self.remembered is None:
                self.continuef(e)
                self.remembered = self.sigma
            else:
                self.hold_in("again", self.remembered)

    simulator = waiting(Remembering("model", 0.29), [0.03, 0.05])
    simulator.run(max_steps=2)
    assert simulator.next_time == 0.05 + (0.29 - 0.03)


def test_a_passive_model_stays_passive() -> None:
    model = Default("model", inf)
    simulator = waiting(model, [1.0, 2.0])
    simulator.run()
    assert (simulator.time, simulator.steps, model.sigma) == (2.0, 2, inf)


def test_a_model_is_as_it_was_after_its_transition() -> None:
    """What overhears another make of `continuef` is there during the transition only, also of one that fails."""

    class Failing(Foreign):
        def deltext(self, e: float) -> None:
            super().deltext(e)
            if e > 0.1:
                raise ValueError("no")

    model = Failing("model", 0.29)
    before = set(vars(model))
    simulator = waiting(model, [0.03, 0.2])
    simulator.run(max_steps=1)
    with pytest.raises(ModelError, match=r"door/model at 0\.2 s .*ValueError: no"):
        simulator.run()
    assert set(vars(model)) <= before | {"left", "_sigma_left"}


@observed
def test_observers_are_told_what_is_left_until_the_event(seen: bool) -> None:
    recorder = Recorder()
    model = Default("model", 10.0)
    simulator = waiting(model, list(accumulate([0.1] * 90)), seen)
    simulator.attach(recorder)
    simulator.run()
    changes = [event for event in recorder.events if isinstance(event, Changed)]
    assert len(changes) == 91
    assert all(event.sigma == 10.0 - event.time for event in changes[:-1])
    assert changes[-1].time == 10.0


def test_the_remainder_may_round_to_nothing_long_before_the_event() -> None:
    """The time since the last transition, and the time advance, are rounded more coarsely than the time is."""
    model = Listener("model", 1e-300, 1.0)
    simulator = waiting(model, [nextafter(1.0, 0.0)])
    simulator.run()
    assert simulator.time == 1.0
    assert [note[0] for note in model.notes] == ["output", "internal", "external", "output", "internal"]
