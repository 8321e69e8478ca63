"""The camera as a model: what it sees, when it says so, and how far that is off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import cos, inf, pi, remainder, sin
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Coupled, Fix, ModelError, Simulator, TrackChange, equip
from devs_robotics.core.observe.events import Sent
from devs_robotics.core.observe.memory import Recorder
from devs_robotics.core.robots.activity import lead_in
from devs_robotics.core.robots.fix_quality import EXACT, FASTEST, SLOWEST, FixQuality
from devs_robotics.models.environment import Environment, Field, Leave, Twist
from devs_robotics.models.environment.messages import Halted
from devs_robotics.models.environment.questions import Locate, Whereabouts
from devs_robotics.models.tracking import OverheadCamera
from tests.approximately import near

SPEED, TURN_RATE = 0.15, 0.3


def field(bodies: int = 2) -> Field:
    made = Field(40.0, 40.0, [])
    for body in range(bodies):
        made.add_body(5.0, 2.0 + 3.0 * body, 0.0, 0.06)
    return made


class Filmed(Coupled):
    """An environment below a camera; the first body drives in a circle from 1 s on."""

    def __init__(self, camera: OverheadCamera, bodies: int = 2) -> None:
        super().__init__("filmed")
        self.environment = Environment("environment", field(bodies), 0.2, 1.0, 0.01)
        self.camera = camera
        self.add_component(self.environment)
        self.add_component(camera)
        self.wheels = lead_in(self, self.environment.offer(1, Twist, Halted, "wheels").ask, "wheels")
        self.change = lead_in(self, self.environment.body_change, "change")
        equip(self, camera.world, self.environment.offer(0, Locate, Whereabouts, camera.name, camera.name))

    def run(self, until: float, *, leaves: float = inf) -> Recorder:
        """What happens until a time; the second body may leave before."""
        recorder = Recorder()
        with Simulator(self) as simulator:
            simulator.attach(recorder)
            simulator.inject(self.wheels, Twist(1, SPEED, TURN_RATE), at=1.0)
            if leaves < inf:
                simulator.inject(self.change, Leave(2), at=leaves)
            simulator.run(until=until)
        return recorder


def film(
    quality: FixQuality = EXACT,
    bodies: Iterable[int] | Mapping[int, int] = (1, 2),
    *,
    seed: int = 1,
    until: float = 10.0,
    present: int = 2,
    lost: float = 1.0,
    leaves: float = inf,
) -> list[tuple[float, Fix | TrackChange]]:
    """What a camera says, each with its time."""
    recorder = Filmed(OverheadCamera("camera", bodies, quality, seed, lost), present).run(until, leaves=leaves)
    sent = [event for event in recorder.select("filmed/camera") if isinstance(event, Sent)]
    return [(event.time, value) for event in sent if event.port in ("fix", "track") for value in event.values]


def fixes(*arguments: object, **options: object) -> list[tuple[float, Fix]]:
    return [(time, said) for time, said in film(*arguments, **options) if isinstance(said, Fix)]  # type: ignore[arg-type]


def true_pose(time: float) -> tuple[float, float, float]:
    """Of the first body, which drives in a circle from 1 s on."""
    turned, radius = TURN_RATE * max(0.0, time - 1.0), SPEED / TURN_RATE
    return 5.0 + radius * sin(turned), 2.0 + radius * (1.0 - cos(turned)), remainder(turned, 2.0 * pi)


def test_a_body_that_drives_is_seen_where_it_is_at_the_exposure() -> None:
    mine = [(time, fix) for time, fix in fixes(until=20.0) if fix.robot == 1]
    assert [time for time, _ in mine] == [near(0.1 * frame) for frame in range(201)]
    for time, fix in mine:
        x, y, heading = true_pose(time)
        assert (fix.exposed, fix.x, fix.y) == (time, near(x), near(y))
        assert remainder(fix.heading - heading, 2.0 * pi) == near(0.0)
        assert -pi <= fix.heading <= pi


def test_fixes_come_late_and_say_when_they_were_exposed() -> None:
    seen = fixes(FixQuality(sigma_x=0.0, sigma_y=0.0, sigma_heading=0.0), until=60.0)
    ages = [time - fix.exposed for time, fix in seen if fix.robot == 1 and fix.exposed is not None]
    assert FASTEST <= min(ages) < FASTEST + 0.002
    assert SLOWEST - 0.002 < max(ages) <= SLOWEST + 1e-9
    assert fmean(ages) == near(0.5 * (FASTEST + SLOWEST), 0.002)
    for _, fix in seen:
        if fix.robot == 1:
            assert fix.exposed is not None
            assert (fix.x, fix.y) == (near(true_pose(fix.exposed)[0]), near(true_pose(fix.exposed)[1]))


@settings(max_examples=20)
@given(st.floats(0.02, 0.5), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_frames_are_told_in_order_and_never_before_their_delay(period: float, delay: float, jitter: float) -> None:
    seen = fixes(FixQuality(period, delay, jitter), until=4.0)
    exposed = [fix.exposed for _, fix in seen if fix.exposed is not None]
    assert exposed == sorted(exposed)
    for time, fix in seen:
        assert fix.exposed is not None
        assert time - fix.exposed >= delay - 1e-9
    assert all(before <= after for (before, _), (after, _) in pairwise(seen))
    assert exposed[::2] == [near(period * frame) for frame in range(len(exposed) // 2)]
    assert len(seen) >= 2 * int((4.0 - delay - jitter) / period)


def test_errors_have_the_deviations_that_are_asked_for() -> None:
    quality = FixQuality(0.01, 0.0, 0.0, 0.0223, 0.0161, 0.026)
    mine = [fix for _, fix in fixes(quality, until=30.0) if fix.robot == 2]
    for values, true, deviation in (
        ([fix.x for fix in mine], 5.0, 0.0223),
        ([fix.y for fix in mine], 5.0, 0.0161),
        ([fix.heading for fix in mine], 0.0, 0.026),
    ):
        assert fmean(values) == near(true, 4.0 * deviation / len(values) ** 0.5)
        assert pstdev(values) == near(deviation, 0.05 * deviation)


def test_a_body_more_and_another_period_change_no_error_of_the_others() -> None:
    few, many = fixes(FixQuality(), (1, 2), present=3), fixes(FixQuality(), (1, 2, 3), present=3)
    assert [each for each in many if each[1].robot != 3] == few
    slow = [fix for _, fix in fixes(FixQuality(period=0.3)) if fix.robot == 2]
    quick = [fix for _, fix in fixes(FixQuality()) if fix.robot == 2]
    assert [(fix.x, fix.y, fix.heading) for fix in slow] == [(fix.x, fix.y, fix.heading) for fix in quick[: len(slow)]]
    assert fixes(FixQuality()) == fixes(FixQuality())
    assert fixes(FixQuality()) != fixes(FixQuality(), seed=2)


def test_fixes_can_be_of_a_counterpart_of_the_body_that_is_seen() -> None:
    own, others = fixes(EXACT, (1,)), fixes(EXACT, {1: 7})
    assert {fix.robot for _, fix in others} == {7}
    assert [(fix.x, fix.y) for _, fix in own] == [(fix.x, fix.y) for _, fix in others]


def test_what_is_missed_gives_no_fix() -> None:
    seen = fixes(FixQuality(0.01, missed=0.25), until=20.0)
    assert 0.72 < len(seen) / 4002 < 0.78
    assert film(FixQuality(missed=1.0)) == []


def test_a_body_that_has_left_is_lost_a_second_after_its_last_fix() -> None:
    said = film(FixQuality(0.2, 0.05, 0.0), leaves=3.1)
    assert [(time, each) for time, each in said if isinstance(each, TrackChange)] == [
        (near(4.05), TrackChange(2, False))
    ]
    assert not [each for each in film(leaves=3.1, lost=inf) if isinstance(each[1], TrackChange)]


def test_a_body_that_is_seen_again_is_sure_again_and_said_so_once() -> None:
    said = film(FixQuality(0.2, missed=0.8), until=200.0)
    for body in (1, 2):
        changes = [each.sure for _, each in said if isinstance(each, TrackChange) and each.robot == body]
        assert len(changes) > 10
        assert changes == [number % 2 == 1 for number in range(len(changes))]
    silence: dict[int, float] = {}
    for time, each in said:
        if isinstance(each, Fix):
            silence[each.robot] = time
        elif not each.sure and each.robot in silence:
            assert time - silence[each.robot] == near(1.0)


@pytest.mark.parametrize("bodies", [(), {1: 3, 2: 3}])
def test_a_camera_that_sees_nobody_or_takes_two_for_one_is_refused(bodies: Iterable[int]) -> None:
    with pytest.raises(ModelError, match="camera 'camera': name one or more bodies, each with fixes of its own"):
        OverheadCamera("camera", bodies)
