"""Each rule of docs/semantics.md; the name behind a rule there is the name of its test here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Coupled, In, ModelError, Simulator
from devs_robotics.core.errors import ResolutionWarning
from tests.devs_robotics.core.small_models import Answerer, Clock, Listener, Sender, couple
from tests.paths import ROOT


def test_every_rule_has_a_test() -> None:
    rules = re.findall(r"^- (?:[^\n]|\n(?![-#\n]))*", (ROOT / "docs/semantics.md").read_text(), flags=re.M)
    named = [re.findall(r"`([a-z0-9_]+)`$", rule.strip())[-1] for rule in rules]
    names = ("test_semantics.py", "test_semantics_at_the_edges.py", "test_structure.py")
    files = [Path(__file__).with_name(name) for name in names]
    here = re.findall(r"^def test_([a-z0-9_]+)", "\n".join(path.read_text() for path in files), flags=re.M)
    assert set(named) <= set(here)
    assert len(set(named)) == len(rules) == len(named)


# time


def test_time_starts_at_zero() -> None:
    listener = Listener("listener", 0.0)
    simulator = Simulator(listener)
    assert (simulator.time, simulator.next_time) == (0.0, 0.0)


def test_simultaneous_means_the_same_float() -> None:
    """0.1 + 0.2 is not 0.3 in floating point: the sums decide."""
    listener, other = Listener("a", 0.1, 0.2), Listener("b", 0.3)
    simulator = Simulator(couple(listener, other))
    times = []
    while simulator.next_time < inf:
        times.append(simulator.next_time)
        simulator.run(max_steps=1)
    assert times == [0.1, 0.3, 0.1 + 0.2]


def test_until_is_included() -> None:
    sender, answerer = Sender("sender", (1.0, "a"), (1.0 + 2**-52, "late")), Answerer("answerer")
    listener = Listener()
    top = couple(sender, answerer, listener, ends={sender.said: answerer.heard, answerer.echo: listener.heard})
    simulator = Simulator(top)
    simulator.run(until=1.0)
    assert (listener.bags, simulator.time, simulator.next_time) == ([["a"]], 1.0, 1.0 + 2**-52)


def test_a_run_cannot_end_in_the_past() -> None:
    simulator = Simulator(Listener("listener", 1.0))
    for until, steps in ((-1.0, 0), (0.5, 1)):
        simulator.run(max_steps=steps)
        with pytest.raises(ModelError, match=r"a run cannot end at .* s: it is . s already"):
            simulator.run(until=until)


def test_times_are_plain_floats() -> None:
    values: list[Any] = [np.float32(0.1), Fraction(1, 3), 2]
    simulator = Simulator(Listener("listener", *values))
    times = []
    while simulator.next_time < inf:
        times.append(simulator.next_time)
        simulator.run(max_steps=1)
    assert times == list(accumulate([float(np.float32(0.1)), 1 / 3, 2.0]))
    assert {type(time) for time in times} == {float}
    array: Any = np.array([1.0])
    with pytest.raises(ModelError, match=r"listener at 0 s .* the time advance is array.* .ndarray.: give one number"):
        Simulator(Listener("listener", array))


def test_zero_and_infinity_are_time_advances() -> None:
    listener = Listener("listener", 0.0, 0.0, inf)
    simulator = Simulator(listener)
    simulator.run()
    assert (listener.notes, simulator.next_time) == ([("output",), ("internal",)] * 2, inf)


@pytest.mark.filterwarnings("ignore::devs_robotics.core.errors.ResolutionWarning")
def test_what_rounding_leaves_counts_as_zero() -> None:
    listener = Listener("listener", 1.0, 1e-17, 1.0)
    simulator = Simulator(listener)
    simulator.run()
    assert (simulator.time, simulator.steps) == (2.0, 3)


def test_coarse_time_is_warned_of() -> None:
    """A microsecond after 10^9 s is rounded to 8 steps of 2^-23 s, five per cent less."""
    listener = Listener("listener", 1e9, *[1e-6] * 100)
    simulator = Simulator(listener)
    with pytest.warns(ResolutionWarning, match=r"listener at 1e\+09 s: .* 1e-06 s became 9\.53674316e-07 s") as told:
        simulator.run()
    assert (simulator.time, len(told)) == (1e9 + 100 * 8 * 2**-23, 1)


@given(st.lists(st.integers(1, 2**20), min_size=1, max_size=50))
def test_dyadic_times_are_exact(ticks: list[int]) -> None:
    start = 8e9 - 2.0**26
    listener = Listener("listener", start, *[count / 2**20 for count in ticks])
    simulator = Simulator(listener)
    simulator.run()
    assert simulator.time - start == sum(ticks) / 2**20


# one step


def test_all_imminent_models_take_part() -> None:
    models = [Listener(f"m{number}", 1.0) for number in range(5)]
    simulator = Simulator(couple(*models, Listener("later", 2.0)))
    simulator.run(max_steps=1)
    assert simulator.transitions == 5
    assert all(model.notes == [("output",), ("internal",)] for model in models)


def test_outputs_come_before_transitions() -> None:
    class Counter(Listener):
        count = 0

        def lambdaf(self) -> None:
            self.seen = [model.count for model in models]

        def deltint(self) -> None:
            self.count += 1

    models = [Counter("a", 1.0), Counter("b", 1.0)]
    Simulator(couple(*models)).run(max_steps=1)
    assert [model.seen for model in models] == [[0, 0], [0, 0]]
    assert [model.count for model in models] == [1, 1]


def test_three_kinds_of_transition() -> None:
    class Own(Listener):
        def deltcon(self) -> None:
            self.notes.append(("confluent", list(self.heard.values)))
            self.next()

    sender, imminent, waiting = Sender("sender", (1.0, "a")), Own("imminent", 1.0), Own("waiting")
    Simulator(couple(sender, imminent, waiting, ends={sender.said: [imminent.heard, waiting.heard]})).run()
    assert sender.phase == "done"
    assert imminent.notes == [("output",), ("confluent", ["a"])]
    assert waiting.notes == [("external", ["a"], 1.0)]


def test_the_default_confluent_transition_is_internal_then_external() -> None:
    sender, listener = Sender("sender", (1.0, "a")), Listener("listener", 1.0, 5.0)
    Simulator(couple(sender, listener, ends={sender.said: listener.heard})).run(until=1.0)
    assert listener.notes == [("output",), ("internal",), ("external", ["a"], 0.0)]


def test_elapsed_time_counts_from_the_last_transition() -> None:
    sender, listener = Sender("sender", (0.5, "a"), (0.75, "b"), (3.0, "c")), Listener("listener", 2.0)
    Simulator(couple(sender, listener, ends={sender.said: listener.heard})).run()
    assert [note[2] for note in listener.notes if note[0] == "external"] == [0.5, 0.25, 1.0]


def test_the_time_advance_counts_from_the_transition() -> None:
    class Restarting(Listener):
        def deltext(self, e: float) -> None:
            self.hold_in("again", 10.0)

    sender, listener = Sender("sender", (4.0, "a")), Restarting("listener", 10.0)
    simulator = Simulator(couple(sender, listener, ends={sender.said: listener.heard}))
    simulator.run(until=4.0)
    assert simulator.next_time == 14.0


def test_an_event_that_continues_keeps_its_time() -> None:
    """0.03 + (0.29 - 0.03) is 0.29000000000000004, too late for what another model has for 0.29."""

    class Passing(Clock):
        heard: In[Any] = In()

    first, second = Sender("first", (0.03, "a")), Sender("second", (0.29, "b"))
    passing, own, listener = Passing("passing", 0.29), Listener("own", 0.29), Listener("listener", 0.29)
    ends = {first.said: [passing.heard, own.heard], passing.tick: listener.heard, second.said: own.heard}
    simulator = Simulator(couple(first, second, passing, own, listener, ends=ends))
    simulator.run(until=0.03)
    assert (simulator.next_time, passing.sigma, own.sigma) == (0.29, 0.29 - 0.03, 0.29 - 0.03)
    simulator.run(until=0.29)
    assert listener.notes == [("output",), ("internal",), ("external", ["passing"], 0.0)]
    assert own.notes[1:] == [("output",), ("internal",), ("external", ["b"], 0.0)]


def test_order_is_that_of_the_model_tree() -> None:
    calls: list[str] = []

    class Calling(Answerer):
        def deltint(self) -> None:
            calls.append(self.name)
            super().deltint()

        def deltext(self, e: float) -> None:
            calls.append(f"{self.name} receives")

    inner = couple(Calling("z", 1.0), Calling("y", 1.0), name="inner")
    first, x, last = Sender("first", (1.0, 0)), Calling("x"), Sender("last", (1.0, 0))
    u, v = Calling("u"), Calling("v")
    for model in (inner.components[0], inner.components[1]):
        assert isinstance(model, Answerer)
        model.answer = []
    Simulator(couple(u, first, inner, v, last, x, ends={first.said: [x.heard], last.said: [u.heard, v.heard]})).run(
        until=1.0
    )
    assert calls == ["z", "y", "x receives", "u receives", "v receives"]


ORDER = """
from tests.devs_robotics.core.small_models import Answerer, Listener, Sender, couple
from devs_robotics import Simulator
from devs_robotics.core.observe import Observer
class Print(Observer):
    def received(self, time, model, port, values): print(time, model.name, port.name, values)
    def changed(self, time, model, kind, elapsed): print(time, model.name, kind)
senders = [Sender(f"s{n}", *[(t, f"{n}") for t in (1.0, 2.0, 2.5)]) for n in range(9)]
answerers = [Answerer(f"a{n}") for n in range(9)]
listener = Listener()
ends = {s.said: [a.heard for a in answerers[n % 3 :]] for n, s in enumerate(senders)}
ends.update({a.echo: listener.heard for a in answerers})
simulator = Simulator(couple(*senders, listener, *answerers, ends=ends))
simulator.attach(Print())
simulator.run()
"""


def test_the_trace_is_the_same_in_every_process() -> None:
    def printed(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", ORDER]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    first = printed("0")
    assert len(first.splitlines()) > 100
    assert {printed(seed) for seed in ("1", "2", "random")} == {first}


# bags


def test_values_of_one_step_come_together() -> None:
    a, b, listener = Sender("a", (1.0, "a"), (1.0, "b")), Sender("b", (1.0, "c")), Listener()
    Simulator(couple(a, b, listener, ends={a.said: listener.heard, b.said: listener.heard})).run()
    assert listener.bags == [["a", "b", "c"]]


def test_bags_are_in_the_order_of_the_model_tree() -> None:
    """Also where one of the senders has other receivers, so that its values are copied."""
    a, b, c = (Sender(name, (1.0, name)) for name in "abc")
    listener, other = Listener(), Listener("other")
    ends = {c.said: listener.heard, b.said: [other.heard, listener.heard], a.said: listener.heard}
    Simulator(couple(c, a, listener, other, b, ends=ends)).run()
    assert (listener.bags, other.bags) == ([["c", "a", "b"]], [["b"]])


def test_two_paths_bring_a_value_twice() -> None:
    class Box(Coupled):
        first: In[Any] = In()
        second: In[Any] = In()

    sender, box, listener = Sender("sender", (1.0, "a")), Box("box"), Listener()
    top = couple(sender, box, ends={sender.said: [box.first, box.second]})
    box.add_component(listener)
    box.add_coupling(box.first, listener.heard)
    box.add_coupling(box.second, listener.heard)
    Simulator(top).run()
    assert listener.bags == [["a", "a"]]


def test_receivers_share_the_objects() -> None:
    value = object()
    sender, a, b = Sender("sender", (1.0, value)), Listener("a"), Listener("b")
    Simulator(couple(sender, a, b, ends={sender.said: [a.heard, b.heard]})).run()
    assert a.bags[0][0] is b.bags[0][0] is value


def test_bags_are_emptied() -> None:
    sender, listener = Sender("sender", (1.0, "a"), (2.0, "b")), Listener("listener", 1.5)
    simulator = Simulator(couple(sender, listener, ends={sender.said: listener.heard}))
    for _ in range(3):
        simulator.run(max_steps=1)
        assert not listener.heard
        assert not sender.said
    assert listener.bags == [["a"], ["b"]]


def test_what_nobody_receives_is_dropped() -> None:
    sender, listener = Sender("sender", (1.0, "a"), (2.0, "b")), Listener()
    top = couple(sender, listener)
    simulator = Simulator(top)
    simulator.run(until=1.0)
    top.add_coupling(sender.said, listener.heard)
    simulator.run()
    assert listener.bags == [["b"]]


# what may be done where


@pytest.mark.parametrize("function", ["deltint", "deltext", "deltcon"])
def test_writing_in_a_transition_is_refused(function: str) -> None:
    def write(*elapsed: float) -> None:
        wrong.said.add("early")
        wrong.passivate()

    sender, wrong = Sender("sender", (1.0, "a")), Sender("wrong", *[] if function == "deltext" else [(1.0, "x")])
    heard = In[Any]()
    heard.__set_name__(Sender, "heard")
    heard.bind(wrong)
    setattr(wrong, function, write)
    ends = {sender.said: wrong.input["heard"]} if function != "deltint" else {}
    with pytest.raises(ModelError, match=r"top/wrong\.said was written outside of lambdaf: become due"):
        Simulator(couple(sender, wrong, ends=ends)).run()


def test_an_answer_takes_a_step_and_no_time() -> None:
    sender, answerer, listener = Sender("sender", (1.0, "a")), Answerer("answerer"), Listener()
    top = couple(sender, answerer, listener, ends={sender.said: answerer.heard, answerer.echo: listener.heard})
    simulator = Simulator(top)
    simulator.run(max_steps=1)
    assert (simulator.time, listener.bags) == (1.0, [])
    simulator.run(max_steps=1)
    assert (simulator.time, listener.bags) == (1.0, [["a"]])


def test_a_later_step_at_the_same_time() -> None:
    sender, answerer, listener = Sender("sender", (1.0, "a")), Answerer("answerer"), Listener("listener", 1.0)
    top = couple(sender, answerer, listener, ends={sender.said: answerer.heard, answerer.echo: listener.heard})
    Simulator(top).run()
    assert listener.notes == [("output",), ("internal",), ("external", ["a"], 0.0)]


def test_initialize_sends_nothing() -> None:
    class Early(Sender):
        def initialize(self) -> None:
            super().initialize()
            self.said.add("early")

    with pytest.raises(ModelError, match=r"sender at 0 s .*top/sender\.said was written outside of lambdaf"):
        Simulator(couple(Early("sender", (1.0, "a"))))


def test_exit_is_called_once() -> None:
    stays, goes = Listener("stays"), Listener("goes")
    top = couple(stays, goes)
    with Simulator(top) as simulator:
        top.remove_component(goes)
        simulator.run()
        assert (stays.notes, goes.notes) == ([], [("exit",)])
    simulator.close()
    assert (stays.notes, goes.notes) == ([("exit",)], [("exit",)])
