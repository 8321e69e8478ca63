"""A trace in memory, and what one asks of it."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, ModelError, Simulator
from devs_robotics.core.observe import (
    Changed,
    Ended,
    Event,
    Failed,
    Joined,
    Left,
    Received,
    Recorder,
    Sent,
    Started,
    select,
)
from tests.devs_robotics.core.observe.pair import Beacon, Call, Faulty, Listener, observe, pair
from tests.devs_robotics.core.observe.random_traces import traces


def test_a_recorder_keeps_the_objects_themselves() -> None:
    recorder = Recorder()
    observe(recorder, until=3.0)
    assert recorder.events[1:] == [
        Sent(2.0, "world/beacon", "call", (Call(0, inf), Call(0, 0.5))),
        Changed(2.0, "world/beacon", "internal", 2.0, "silent", 2.0),
        Received(2.0, "world/listener", "heard", (Call(0, inf), Call(0, 0.5))),
        Changed(2.0, "world/listener", "external", 2.0, "awake", 1.0),
        Changed(3.0, "world/listener", "internal", 1.0, "awake", 3.0),
        Ended(3.0),
    ]
    head = recorder.events[0]
    assert isinstance(head, Started)
    assert (head.time, head.root) == (0.0, "world")
    assert list(head.models.items()) == [("world/beacon", "Beacon"), ("world/listener", "Listener")]
    assert recorder.values("beacon.call")[0] is recorder.values("listener.heard")[0]


def test_a_recorder_answers_by_model_port_time_and_kind() -> None:
    recorder = Recorder()
    observe(recorder)
    assert [call.number for call in recorder.values("listener.heard", start=4.0, until=6.0)] == [1, 1, 2, 2]
    assert {event.time for event in recorder.select("bea*", kinds=["sent"])} == {2.0, 4.0, 6.0, 8.0, 10.0, 12.0}
    confluent = recorder.select(kinds=["confluent"])
    assert [(event.time, getattr(event, "model", "")) for event in confluent] == [
        (6.0, "world/listener"),
        (12.0, "world/listener"),
    ]
    assert recorder.select("world", kinds=["changed"]) == recorder.select(kinds=["internal", "external", "confluent"])
    assert recorder.select(port="hea*") == recorder.select("listener.heard")
    assert recorder.select("nobody") == []
    assert recorder.select() == recorder.events


@given(traces, st.floats(0.0, 1e12), st.floats(0.0, 1e12))
def test_what_is_selected_and_what_is_not_make_up_the_trace(trace: list[Event], start: float, until: float) -> None:
    inside = list(select(trace, start=start, until=until))
    assert inside == [event for event in trace if start <= event.time <= until]
    by_kind = [
        list(select(trace, kinds=[kind]))
        for kind in ("started", "sent", "received", "internal", "external", "confluent", "joined", "left", "failed")
    ]
    assert sum(map(len, by_kind)) == len(trace)


def test_a_models_fault_is_the_last_thing_but_the_end() -> None:
    recorder = Recorder()
    with Simulator(pair(Faulty)) as simulator:
        simulator.attach(recorder)
        with pytest.raises(ModelError) as info:
            simulator.run()
    *_, failed, ended = recorder.events
    assert failed == Failed(6.0, str(info.value))
    assert ended == Ended(6.0)


def test_who_joins_and_leaves_keeps_the_path_it_had() -> None:
    world = pair()
    recorder = Recorder()
    with Simulator(world) as simulator:
        simulator.attach(recorder, "world")
        simulator.run(until=2.0)
        late = Beacon("late")
        world.add_component(late)
        simulator.run(until=5.0)
        world.remove_component(late)
        simulator.run(until=8.0)
    about = recorder.select("late")
    assert about[0] == Joined(2.0, "world/late", "Beacon")
    assert isinstance(about[1], Sent)
    assert about[1].time == 4.0
    assert about[-1] == Left(4.0, "world/late")  # the time of the last event


def test_only_what_was_asked_for_is_recorded() -> None:
    recorder = Recorder()
    with Simulator(pair()) as simulator:
        simulator.attach(recorder, "listener.heard")
        simulator.run(until=4.0)
    assert [event.__struct_config__.tag for event in recorder.events] == ["started", "received", "received", "ended"]


def test_an_atomic_root_is_its_own_root() -> None:
    recorder = Recorder()
    model: Atomic | Coupled = Listener("alone")
    with Simulator(model) as simulator:
        simulator.attach(recorder)
    head = recorder.events[0]
    assert isinstance(head, Started)
    assert (head.root, head.models) == ("alone", {"alone": "Listener"})
