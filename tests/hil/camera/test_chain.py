"""From robots that move in the laboratory to their counterparts: rendered, found, told late, and believed."""

from __future__ import annotations

from math import degrees, hypot, pi, remainder

import pytest

from devs_robotics import Arrival, Coupled, Fix, Loopback, Out, Packet, Simulator, TrackChange
from devs_robotics.core.observe.events import Sent
from devs_robotics.core.observe.memory import Recorder
from devs_robotics.core.robots.activity import lead_in
from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Place, corner_places
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.publishing import FixPublisher
from devs_robotics.hil.lab.overhead_view import OverheadView
from devs_robotics.hil.testing.camera_accuracy import mounting_over
from devs_robotics.hil.tracking import Tracker
from devs_robotics.models.environment import Environment, Field, PoseChange
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, move, stand_in

WIDTH, HEIGHT, PERIOD, AGE = 1.8, 1.95, 0.2, 0.06
PLAN = MarkerPlan({1: 1, 7: 2}, corner_places(WIDTH, HEIGHT))
LENS = Lens.plain(640, 480, 480.0)
COVERED = 2.0, 3.5
"""From when to when something is above robot 2 (s)."""


class Counterparts(Coupled):
    """A tracking system's fixes, and the environment in which they move counterparts."""

    pose_change = Out(PoseChange)

    def __init__(self) -> None:
        super().__init__("counterparts")
        field = Field(WIDTH, HEIGHT, [])
        for robot in range(2):
            field.add_body(0.4, 0.4 + robot, 0.0, 0.06)
        environment = Environment("environment", field, 0.2, 1.0, 0.01)
        self.tracker = Tracker("tracker", frozenset({1, 2}), {1: 0.5, 2: 0.5}, lost=1.0)
        for component in (environment, self.tracker):
            self.add_component(component)
        self.packets = lead_in(self, self.tracker.incoming, "packets")
        self.add_coupling(self.tracker.fix, environment.fix)
        self.add_coupling(environment.pose_change, self.pose_change)


@pytest.fixture(scope="module")
def filmed() -> tuple[dict[float, dict[int, Place]], Recorder]:
    """True poses at each exposure, and what happens in the models that hear of them `AGE` later."""
    lab = SmallLab(stand_in(x=0.5, y=0.5, radius=0.06), stand_in(2, x=1.2, y=1.2, heading=2.9, radius=0.06))
    mounting = mounting_over(WIDTH, HEIGHT, 0.09)
    view, localiser = OverheadView(LENS, mounting, PLAN, seed=5), Localiser(PLAN, LENS)
    here, there = Loopback.pair("camera")
    sent: list[bytes] = []
    there.listen("tracking")
    there.open(lambda arrival: _keep(arrival, sent))
    here.open(lambda arrival: None)
    publish = FixPublisher(here, "tracking")
    truth: dict[float, dict[int, Place]] = {}
    model, recorder = Counterparts(), Recorder()
    lab.say(move(1, turn=0.9, distance=0.9))
    lab.say(move(1, turn=0.5, distance=0.5, robot=2))
    with Simulator(model) as simulator:
        simulator.attach(recorder)
        for number in range(25):
            time = PERIOD * number
            poses: dict[int, Place] = {
                robot: (body.x, body.y, body.heading) for robot, body in enumerate(lab.laboratory.bodies, 1)
            }
            truth[time] = poses
            picture = view.picture(poses, number, hidden=(7,) if COVERED[0] <= time < COVERED[1] else ())
            places = localiser.look(picture).places
            publish([Fix(robot, *place, time) for robot, place in places.items()], time + AGE)
            simulator.inject(model.packets, *map(Packet, sent), at=time + AGE)
            sent.clear()
            lab.attend(PERIOD)
        simulator.run(until=5.0)
    return truth, recorder


def _keep(arrival: Arrival, sent: list[bytes]) -> None:
    if isinstance(arrival.content, Packet):
        sent.append(arrival.content.data)


def test_counterparts_are_where_robots_were_when_they_were_seen(
    filmed: tuple[dict[float, dict[int, Place]], Recorder],
) -> None:
    truth, recorder = filmed
    moved = 0.0
    changes = recorder.select("counterparts/environment/space", port="pose_change")
    for event in changes:
        assert isinstance(event, Sent)
        for change in event.values:
            x, y, heading = truth[min(truth, key=lambda time: abs(time - (event.time - AGE)))][change.robot]
            assert hypot(change.x - x, change.y - y) < 0.004
            assert abs(degrees(remainder(change.heading - heading, 2.0 * pi))) < 5.0
            moved = max(moved, hypot(change.x - 0.5, change.y - 0.5))
    assert len(changes) == 25
    assert moved > 0.8


def test_fixes_have_the_times_of_their_exposures(filmed: tuple[dict[float, dict[int, Place]], Recorder]) -> None:
    truth, recorder = filmed
    fixes = recorder.values("counterparts/tracker", port="fix")
    assert sorted({round(fix.exposed, 6) for fix in fixes}) == [near(time) for time in truth]


def test_a_robot_that_is_covered_is_not_moved_and_is_lost_and_found(
    filmed: tuple[dict[float, dict[int, Place]], Recorder],
) -> None:
    _, recorder = filmed
    said = [
        (event.time, *event.values)
        for event in recorder.select("counterparts/tracker", port="track")
        if isinstance(event, Sent)
    ]
    assert said == [(near(2.86), TrackChange(2, False)), (near(3.66), TrackChange(2, True))]
    covered = recorder.select("counterparts/environment/space", port="pose_change", start=2.0, until=3.5)
    moved = [change.robot for event in covered if isinstance(event, Sent) for change in event.values]
    assert set(moved) == {1}
