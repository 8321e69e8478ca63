"""Taps and drives: couplings to ports of any depth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.core.observe import Recorder, first_difference
from devs_robotics.core.robots.activity import lead_out
from devs_robotics.experimental_frames.frame import TapError, drive, tap


class Ticker(Atomic):
    """Says its name every second, three times, and hears."""

    said = Out(str)
    heard = In(str)
    counted = Out(int)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.times = 0
        self.words: list[str] = []

    def initialize(self) -> None:
        self.hold_in("ticking", 1.0)

    def lambdaf(self) -> None:
        self.said.add(f"{self.name} {self.times}")

    def deltint(self) -> None:
        self.times += 1
        if self.times < 3:
            self.hold_in("ticking", 1.0)
        else:
            self.passivate()

    def deltext(self, e: float) -> None:
        self.continuef(e)
        self.words += self.heard.values


class Listener(Atomic):
    """Keeps what it hears, and says it on."""

    words = In(str)
    orders = Out(str)

    def __init__(self, name: str = "listener", order: str = "") -> None:
        super().__init__(name)
        self.heard: list[str] = []
        self.order = order

    def initialize(self) -> None:
        if self.order:
            self.activate()

    def lambdaf(self) -> None:
        self.orders.add(self.order)

    def deltext(self, e: float) -> None:
        self.continuef(e)
        self.heard += self.words.values


def nested(depths: list[int], *, leading: bool = False) -> Coupled:
    """Tickers, each inside so many coupled models, which lead what it says out by themselves if they are to."""
    top = Coupled("top")
    for number, depth in enumerate(depths, 1):
        nest = top
        for level in range(depth):
            inner = Coupled(f"box{number}_{level}")
            nest.add_component(inner)
            nest = inner
        ticker = Ticker(f"ticker{number}")
        nest.add_component(ticker)
        port = ticker.said
        while leading and nest is not top:
            port = lead_out(nest, port, "said")
            assert isinstance(nest.parent, Coupled)
            nest = nest.parent
    return top


def tickers(model: Coupled) -> list[Ticker]:
    found: list[Ticker] = []
    for component in model.components:
        if isinstance(component, Coupled):
            found += tickers(component)
        elif isinstance(component, Ticker):
            found.append(component)
    return found


def heard(top: Coupled, *patterns: str) -> list[str]:
    listener = Listener()
    top.add_component(listener)
    tap(top, patterns, listener.words)
    with Simulator(top) as simulator:
        simulator.run()
    return sorted(listener.heard)


depths = st.lists(st.integers(0, 4), min_size=1, max_size=5)


@given(depths, st.booleans())
def test_every_value_of_every_tapped_port_comes_once_from_any_depth(inside: list[int], leading: bool) -> None:
    """Also where the models round a port lead it out themselves, so that a pattern names it several times."""
    said = sorted(f"ticker{number} {times}" for number in range(1, len(inside) + 1) for times in range(3))
    assert heard(nested(inside, leading=leading), "*.said") == said
    assert heard(nested(inside, leading=leading), "ticker*.said", "*.s?id") == said


@given(depths, st.data())
def test_a_tap_changes_nothing_of_what_it_observes(inside: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(inside)))
    with_tap, without = Recorder(), Recorder()
    for recorder in (with_tap, without):
        top, listener = nested(inside), Listener()
        top.add_component(listener)
        if recorder is with_tap:
            tap(top, f"ticker{number}.said", listener.words)
        with Simulator(top) as simulator:
            simulator.attach(recorder, "ticker*")
            simulator.run()
    assert len(with_tap.events) >= 3 * len(inside)
    assert first_difference(with_tap.events, without.events) is None


@given(depths)
def test_a_drive_reaches_input_ports_of_any_depth_once(inside: list[int]) -> None:
    top, listener = nested(inside), Listener(order="go")
    top.add_component(listener)
    driven = drive(top, ["ticker*.heard", "*.heard"], listener.orders)
    with Simulator(top) as simulator:
        simulator.run()
    assert [ticker.words for ticker in tickers(top)] == [["go"]] * len(inside)
    assert len(driven) == len(inside)


def test_two_taps_share_the_ports_that_lead_out() -> None:
    top, first, second = nested([2]), Listener("first"), Listener("second")
    top.add_component(first)
    top.add_component(second)
    assert tap(top, "ticker1.said", first.words) == tap(top, "box1_1/ticker1.said", second.words)
    with Simulator(top) as simulator:
        simulator.run()
    assert first.heard == second.heard == ["ticker1 0", "ticker1 1", "ticker1 2"]


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("ticker1", "'ticker1' names no port: write one such as"),
        ("tickr1.said", "no output port fits the pattern 'tickr1.said': there is ticker2.said, box1_0/ticker1.said"),
        ("ticker1.heard", "is an input port, and an output port is wanted"),
        ("ticker1.counted", "ticker1.counted sends int but top/listener.words takes str"),
        ("listener.orders", "no output port fits the pattern 'listener.orders'"),
        ("/.x", "is no pattern of models or ports"),
    ],
)
def test_a_tap_that_cannot_be_says_why(pattern: str, sentence: str) -> None:
    with pytest.raises(TapError, match=sentence):
        heard(nested([1, 0]), pattern)


def test_a_drive_that_cannot_be_says_why() -> None:
    top, listener = nested([1]), Listener()
    top.add_component(listener)
    with pytest.raises(TapError, match="is an output port, and an input port is wanted"):
        drive(top, "ticker1.said", listener.orders)


def test_a_port_may_be_named_by_itself() -> None:
    top, listener = nested([2]), Listener(order="hush")
    top.add_component(listener)
    (ticker,) = tickers(top)
    assert tap(top, ticker.said, listener.words) == [ticker.said]
    assert drive(top, [ticker.heard], listener.orders) == [ticker.heard]
    with Simulator(top) as simulator:
        simulator.run()
    assert listener.heard == ["ticker1 0", "ticker1 1", "ticker1 2"]
    assert ticker.words == ["hush"]


def test_a_port_that_is_not_there_or_leads_the_wrong_way_is_refused_and_nothing_is_changed() -> None:
    top, other, listener = nested([1]), nested([1]), Listener()
    top.add_component(listener)
    (own,), (stranger,) = tickers(top), tickers(other)
    ports = {
        model: (list(model.output), list(model.input)) for model in (top, other, *top.components, *other.components)
    }
    for wanted, sentence in (
        (stranger.said, "is no port of a model inside top: name one that is"),
        (Ticker("free").said, "is no port of a model inside top"),
        (own.heard, "is no output port: name the one that it is coupled to"),
        (listener.orders, "is no port of a model inside top"),
    ):
        with pytest.raises(TapError, match=sentence):
            tap(top, wanted, listener.words)
    with pytest.raises(TapError, match="None is no port and no pattern of ports"):
        tap(top, [None], listener.words)  # type: ignore[list-item]
    assert {model: (list(model.output), list(model.input)) for model in ports} == ports
