"""What comes through to a range-and-bearing board."""

from __future__ import annotations

from devs_robotics.core.noise_by_tick import key, uniform
from devs_robotics.core.robots.epuck2.sensing.range_and_bearing import HeardFrom, heard


def test_a_sender_in_reach_and_in_sight_is_heard_from_where_it_is() -> None:
    assert heard(0.8, 1.5, sight=True) == HeardFrom(0.8, 1.5)
    assert heard(0.801, 1.5, sight=True) is None
    assert heard(0.801, 1.5, sight=True, reach=1.0) == HeardFrom(0.801, 1.5)
    assert heard(0.2, 1.5, sight=False) is None


def test_noise_is_on_the_distance_alone_which_is_never_negative() -> None:
    assert heard(0.25, -0.5, sight=True, error=0.125) == HeardFrom(0.375, -0.5)
    assert heard(0.1, -0.5, sight=True, error=-0.5) == HeardFrom(0.0, -0.5)


def test_so_many_messages_are_lost_as_should_be() -> None:
    lane = key(3, 1, "range and bearing", sensor=2)
    for loss in (0.0, 0.3, 1.0):
        got = sum(heard(0.1, 0.0, sight=True, loss=loss, draw=uniform(lane, tick)) is not None for tick in range(2000))
        assert abs(got / 2000 - (1.0 - loss)) <= 5.0 * (loss * (1.0 - loss) / 2000) ** 0.5
