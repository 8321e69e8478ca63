"""What observers are told, and that nobody else notices."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import DevsRoboticsError, ModelError, Simulator
from devs_robotics.core.errors import ObserverError
from devs_robotics.core.observe import Observer
from tests.devs_robotics.core.small_models import Answerer, Listener, Sender, couple


class Everything(Observer):
    """Notes all that it is told, models and ports by name."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def _note(self, hook: str, time: float, *what: Any) -> None:
        named = (getattr(each, "name", each) for each in what)
        self.told.append((hook, time, *named))

    def started(self, time: float, models: Any) -> None:
        self._note("started", time, [model.name for model in models])

    def sent(self, *what: Any) -> None:
        self._note("sent", *what)

    def received(self, *what: Any) -> None:
        self._note("received", *what)

    def changed(self, *what: Any) -> None:
        self._note("changed", *what)

    def failed(self, time: float, error: ModelError) -> None:
        self._note("failed", time)

    def ended(self, *what: Any) -> None:
        self._note("ended", *what)


def chain() -> tuple[Any, ...]:
    """A sender, an answerer that hears it, and a listener that hears both."""
    sender, answerer, listener = Sender("sender", (1.0, "a")), Answerer("answerer"), Listener("listener", 1.0)
    ends = {sender.said: [answerer.heard, listener.heard], answerer.echo: listener.heard}
    return couple(sender, answerer, listener, ends=ends), sender, answerer, listener


def told(*patterns: str) -> list[tuple[Any, ...]]:
    observer = Everything()
    with Simulator(chain()[0]) as simulator:
        simulator.attach(observer, *patterns)
        simulator.run()
    return observer.told


WHOLE = [
    ("started", 0.0, ["sender", "answerer", "listener"]),
    ("sent", 1.0, "sender", "said", ("a",)),
    ("changed", 1.0, "sender", "internal", 1.0),
    ("received", 1.0, "listener", "heard", ("a",)),
    ("changed", 1.0, "listener", "confluent", 1.0),
    ("received", 1.0, "answerer", "heard", ("a",)),
    ("changed", 1.0, "answerer", "external", 1.0),
    ("sent", 1.0, "answerer", "echo", ("a",)),
    ("changed", 1.0, "answerer", "internal", 0.0),
    ("received", 1.0, "listener", "heard", ("a",)),
    ("changed", 1.0, "listener", "external", 0.0),
    ("ended", 1.0),
]


def test_observers_are_told_all_in_order() -> None:
    assert told() == WHOLE
    assert told("top") == WHOLE


def test_a_pattern_of_models_chooses_models() -> None:
    about = [event for event in WHOLE if "answerer" in event[2:]]
    assert told("answer*") == [("started", 0.0, ["answerer"]), *about, ("ended", 1.0)]


def test_a_pattern_of_ports_chooses_values() -> None:
    values = [event for event in WHOLE if event[0] in ("sent", "received") and event[3] in ("echo", "heard")]
    chosen = told("top/*er.e*", "listener.heard")
    assert chosen[1:-1] == [event for event in values if event[2] != "answerer" or event[3] != "heard"]


@pytest.mark.parametrize("pattern", ["nobody", "sender.heard", "top/answerer/sender"])
def test_a_pattern_that_fits_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(DevsRoboticsError, match=r"no model or port fits the pattern .*: there is top/"):
        Simulator(chain()[0]).attach(Everything(), "listener", pattern)


@pytest.mark.parametrize("pattern", ["", "a//b", "a."])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(DevsRoboticsError, match="is no pattern of models or ports: write one such as"):
        Simulator(chain()[0]).attach(Everything(), pattern)


@pytest.mark.parametrize(("pattern", "shares"), [("answerer.heard", True), ("answerer.echo", False)])
def test_an_output_of_which_nobody_is_told_goes_straight_to_who_receives_it(pattern: str, shares: bool) -> None:
    """Others send there, too: who is told of one sender must not be told what these have sent."""
    model, _, answerer, listener = chain()
    observer = Everything()
    with Simulator(model) as simulator:
        simulator.attach(observer, pattern)
        assert (answerer.echo._values is listener.heard._values) is shares
        simulator.run()
    port = pattern.partition(".")[2]
    values = [each[-1] for each in observer.told if each[0] in ("sent", "received") and each[3] == port]
    assert values == [("a",)]


def test_several_observers_are_told_the_same() -> None:
    first, second = Everything(), Everything()
    with Simulator(chain()[0]) as simulator:
        simulator.attach(first)
        simulator.attach(second)
        simulator.run()
    assert first.told == second.told == WHOLE


def test_an_observer_may_come_late_and_leave_early() -> None:
    top, *_, listener = chain()
    observer = Everything()
    simulator = Simulator(top)
    simulator.run(max_steps=1)
    simulator.attach(observer)
    simulator.run(max_steps=1)
    simulator.detach(observer)
    simulator.run()
    assert observer.told[1:] == [*WHOLE[7:11], ("ended", 1.0)]
    assert listener.bags == [["a"], ["a"]]


def test_a_listener_in_no_hurry_costs_no_calls() -> None:
    """Only the hooks that an observer has are called, and only for the models that it watches."""

    class Counting(Observer):
        def sent(self, *what: Any) -> None: ...

    top, sender, answerer, listener = chain()
    simulator = Simulator(top)
    simulator.attach(Counting(), "sender")
    functions = {name: node for node in simulator._schedule.nodes.values() for name in [node.model.name]}
    assert functions["answerer"].output == answerer.lambdaf
    assert functions["sender"].internal == sender.deltint
    assert functions["sender"].output != sender.lambdaf
    assert functions["listener"].external == listener.deltext


def test_a_model_error_is_told_before_it_is_raised() -> None:
    observer = Everything()
    simulator = Simulator(Listener("listener", 1.0, -1.0))
    simulator.attach(observer)
    with pytest.raises(ModelError):
        simulator.run()
    simulator.close()
    assert [event[0] for event in observer.told] == ["started", "changed", "failed", "ended"]


def test_a_failing_observer_is_named() -> None:
    class Failing(Observer):
        def changed(self, *what: Any) -> None:
            raise OSError("disk full")

        def ended(self, time: float) -> None:
            raise AssertionError("one that has failed hears no more")

    simulator = Simulator(chain()[0])
    simulator.attach(Failing())
    with pytest.raises(ObserverError, match="Failing failed at 1 s: disk full") as caught:
        simulator.run()
    assert isinstance(caught.value.__cause__, OSError)
    simulator.close()


@pytest.mark.parametrize(("error", "told"), [(SystemExit(0), "SystemExit: 0"), (KeyError("x"), "KeyError: 'x'")])
def test_an_observer_that_ends_the_program_is_named_too(error: BaseException, told: str) -> None:
    class Leaving(Observer):
        def changed(self, *what: Any) -> None:
            raise error

    with Simulator(chain()[0]) as simulator:
        simulator.attach(Leaving())
        with pytest.raises(ObserverError, match=f"Leaving failed at 1 s: {told}"):
            simulator.run()


def test_an_observer_that_fails_at_the_end_keeps_no_other_from_its_end() -> None:
    class Failing(Observer):
        def ended(self, time: float) -> None:
            raise OSError("disk full")

    other = Everything()
    simulator = Simulator(chain()[0])
    for observer in (Failing(), other):
        simulator.attach(observer)
    with pytest.raises(ObserverError, match="Failing failed at 0 s: disk full"):
        simulator.close()
    assert other.told[-1] == ("ended", 0.0)


def test_an_observer_that_fails_on_a_failure_does_not_hide_it() -> None:
    class Failing(Observer):
        def failed(self, time: float, error: ModelError) -> None:
            raise OSError("disk full")

    other = Everything()
    simulator = Simulator(Listener("listener", 1.0, -1.0))
    for observer in (Failing(), other):
        simulator.attach(observer)
    with pytest.raises(ModelError, match=r"the time advance is -1\.0"):
        simulator.run()
    assert other.told[-1] == ("failed", 1.0)
