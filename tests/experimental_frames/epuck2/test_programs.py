"""What robots do while their sensors are tried: at which instants they drive, ask and hear."""

from __future__ import annotations

from devs_robotics import Proximity, Sense, Watch, Wheels
from devs_robotics.core.testing.simulations import Simulate
from devs_robotics.experimental_frames.epuck2.programs import Drives, ReadsProximity, Ticks, Watches
from tests.approximately import near


def test_wheels_get_one_speed_after_the_other_again_and_again(simulate: Simulate) -> None:
    steps = [(2.0, Wheels(0.1, 0.1)), (1.0, Wheels(-0.1, 0.1))]
    found = simulate(Drives("drives", steps, start=0.5), until=5.6).outputs("wheels_ask")
    assert found == [(0.5, steps[0][1]), (2.5, steps[1][1]), (3.5, steps[0][1]), (5.5, steps[1][1])]
    once = simulate(Drives("drives", steps[:1]), until=50.0).outputs("wheels_ask")
    assert once == [(0.0, steps[0][1])], "which they keep"


def test_a_sensor_is_read_at_every_tick_and_what_it_says_is_kept_if_wanted(simulate: Simulate) -> None:
    answers = [(0.1 * tick, Proximity((float(tick),) * 8)) for tick in range(4)]
    for keep in (True, False):
        reads = ReadsProximity("reads", 0.1, keep=keep)
        found = simulate(reads, until=0.35, inputs={"sensor_answer": answers}).outputs("sensor_ask")
        assert found == [(near(0.1 * tick), Sense()) for tick in range(4)]
        assert [heard.values[0] for heard in reads.heard] == ([0.0, 1.0, 2.0, 3.0] if keep else [3.0])


def test_what_was_not_asked_for_is_not_taken_for_an_answer(simulate: Simulate) -> None:
    reads = ReadsProximity("reads", 1.0)
    told = [(0.0, Proximity((1.0,))), (0.5, Proximity((2.0,))), (1.0, Proximity((3.0,)))]
    found = simulate(reads, until=1.5, inputs={"sensor_answer": told}).outputs("sensor_ask")
    assert [time for time, _ in found] == [0.0, 1.0]
    assert [heard.values for heard in reads.heard] == [(1.0,), (3.0,)]


def test_a_watch_is_asked_for_once_and_a_controller_that_only_ticks_says_nothing(simulate: Simulate) -> None:
    assert simulate(Watches("watches", Watch(period=0.1)), until=9.0).outputs("sensor_ask") == [
        (0.0, Watch(period=0.1))
    ]
    ticks = simulate(Ticks("ticks", 0.1), until=1.05)
    assert len(ticks.events) >= 10
