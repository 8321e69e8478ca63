"""The rules of docs/semantics.md on chains in zero time, inputs from outside, and errors."""

from __future__ import annotations

import re

import pytest

from devs_robotics import Atomic, Coupled, In, ModelError, Simulator
from tests.devs_robotics.core.small_models import Listener, couple

# chains in zero time


def test_zero_time_chains_end() -> None:
    simulator = Simulator(Listener("listener", *[0.0] * 500), zero_time_limit=500)
    simulator.run()
    assert (simulator.time, simulator.steps) == (0.0, 500)


def test_chains_at_different_times_do_not_add_up() -> None:
    simulator = Simulator(Listener("listener", *[1.0, *[0.0] * 5] * 3), zero_time_limit=5)
    simulator.run()
    assert (simulator.time, simulator.steps) == (3.0, 18)


def test_an_endless_chain_is_refused() -> None:
    simulator = Simulator(couple(Listener("listener", 1.0, *[0.0] * 501)), zero_time_limit=500)
    with pytest.raises(ModelError, match=r"top/listener at 1 s .* time has not advanced for 500 steps"):
        simulator.run()
    assert Simulator(Listener()).zero_time_limit == 100_000


# inputs from outside


class Box(Coupled):
    """Takes inputs from outside for a listener."""

    heard: In[str] = In(str)

    def __init__(self, listener: Atomic) -> None:
        super().__init__("box")
        self.add_component(listener)
        self.add_coupling(self.heard, listener.input["heard"])


def test_injected_values_of_one_time_are_one_event() -> None:
    listener = Listener("listener", 1.0)
    box = Box(listener)
    simulator = Simulator(box)
    simulator.inject(box.heard, "c", at=2.0)
    simulator.inject(box.heard, "a", at=1.0)
    simulator.inject(box.heard, "b", at=1.0)
    simulator.run()
    assert listener.notes == [("output",), ("internal",), ("external", ["a", "b"], 0.0), ("external", ["c"], 1.0)]


def test_inputs_into_the_past_are_refused() -> None:
    box = Box(Listener("listener", 1.0))
    simulator = Simulator(box)
    simulator.run()
    with pytest.raises(ModelError, match=r"an input to box\.heard cannot come at 0\.5 s: it is 1 s already"):
        simulator.inject(box.heard, "a", at=0.5)


# errors


def test_errors_name_path_time_and_state() -> None:
    class Faulty(Listener):
        def deltint(self) -> None:
            raise ZeroDivisionError("oh")

    with pytest.raises(ModelError) as caught:
        Simulator(couple(Faulty("faulty", 1.5))).run()
    said, _, place = str(caught.value).rpartition(" (")
    assert said == "top/faulty at 1.5 s (phase 'waiting', sigma 1.5): ZeroDivisionError: oh"
    assert re.fullmatch(r"\S*test_semantics_at_the_edges\.py, line \d+\)", place)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_broken_simulation_does_not_go_on() -> None:
    listener = Listener("listener", 1.0, -1.0)
    simulator = Simulator(listener)
    for message in ("the time advance is -1.0", "this simulation broke off, make a new Simulator: listener at 1 s"):
        with pytest.raises(ModelError, match=message):
            simulator.run()
