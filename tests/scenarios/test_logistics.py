"""The case logistics: oracles of one robot and of five, and the same decisions in every stage."""

from __future__ import annotations

from math import ceil, inf, pi
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from devs_robotics import Glide, Glided, In
from devs_robotics.experimental_frames.logistics.conduct import Conduct
from devs_robotics.experimental_frames.logistics.published import least_time
from devs_robotics.experimental_frames.study.decisions import decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.models.activities.omniwheels import ROTATION
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, duration, rest_to_rest
from devs_robotics.models.logistics.approaching import Braking
from devs_robotics.models.logistics.carriers import Carriers
from devs_robotics.models.logistics.layout import CARRY_SPEED, FIT_SPEED, Zones
from devs_robotics.models.logistics.messages import CarrierMoved, Go, LifterMoved, MoveLifter
from devs_robotics.models.logistics.row import DEEP, READINGS, STRETCH
from devs_robotics.models.logistics.rules import RULES
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.certifying import certify
from devs_robotics.scenarios.logistics import Intralogistics
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run as run_scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.study import CaseSystem, Frame, TimedTransducer, run
from tests.models.play import tell
from tests.scenarios.case_runs import model_of


class GlideDiary(TimedTransducer):
    """Notes what omniwheels were told and what they reported, and when carriers moved."""

    glide = In(Glide)
    glided = In(Glided)
    moved_carrier = In(CarrierMoved)

    def __init__(self, name: str, duration: float) -> None:
        super().__init__(name, duration)
        self.glides: list[tuple[float, Glide]] = []
        self.ends: list[tuple[float, Glided]] = []
        self.moves: list[tuple[float, CarrierMoved]] = []

    def deltext(self, e: float) -> None:
        """Note."""
        super().deltext(e)
        self.glides += [(self.time, each) for each in self.glide.values]
        self.ends += [(self.time, each) for each in self.glided.values]
        self.moves += [(self.time, each) for each in self.moved_carrier.values]


class Straight(Intralogistics):
    """One robot, and one carrier straight ahead of it, seen without errors; it goes along -x and +x alone."""

    diaries: ClassVar[list[GlideDiary]] = []

    @property
    def poses(self) -> list[Pose]:
        """In the drop zone; its first camera looks along -x."""
        return [(3.4, 1.85, pi - 0.2967)]

    @property
    def places(self) -> list[Pose]:
        """In the search zone."""
        return [(1.0, 1.85, 0.0)]

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """A diary, too."""
        super().frame(frame, system)
        diary = frame.add(GlideDiary("diary", frame.acceptor.duration))
        self.diaries[:] = [diary]
        frame.couple(system.robots[0].navigator.wheels.ask, diary.glide)
        frame.couple(system.robots[0].omniwheels.wheels.answer, diary.glided)
        frame.couple(self.world.moved_carrier, diary.moved_carrier)


EXACT: dict[str, Any] = {
    "robots": 1,
    "carriers": 1,
    "ranging": "exact",
    "vision": "exact",
    "compass_noise": 0.0,
    "search_variance": 1e-12,
    "other_variance": 0.0,
}


def test_one_robot_and_one_carrier_take_the_profiles_and_the_lifters_time_and_a_known_rest() -> None:
    outcome = run(Straight(logistics=EXACT), duration=90.0)
    assert outcome.frames["logistics"]["carriers_retrieved"] == 1
    (diary,) = Straight.diaries
    (raised, _), (lowered, there) = diary.moves
    assert there.retrieved
    starts = [time for time, _ in diary.glides]
    compared = 0
    for (time, glide), following, (end, report) in zip(diary.glides, [*starts[1:], 1e9], diary.ends, strict=False):
        if end <= following and glide.distance and not report.blocked:
            way = MotionLimits(min(glide.speed, 2.0), 2.0, 20.0)
            lasts = max(duration(rest_to_rest(glide.distance, way)), duration(rest_to_rest(glide.turn, ROTATION)))
            assert end - time == pytest.approx(lasts, abs=1e-6)
            compared += 1
    assert compared >= 2
    bound = least_time(2.4, 2.1)
    assert bound == pytest.approx(
        duration(rest_to_rest(2.4, MotionLimits(0.5, 2.0, 20.0))) + 7.0 + 0.25 + 10.0, abs=0.01
    )
    # besides: stops, looks of some frames, ticks, the slower way under the tray, the time to be surely there
    # and each stretch with the carrier has a ramp of 0.25 s, and waits for a tick of 0.1 s
    stretches = ceil(2.1 / STRETCH)
    # it squares up; goes to the end of the zone slowly, and to the wall beside, the last of that slowly, too
    parking = 0.1 * READINGS + 2.0 + DEEP / FIT_SPEED + Zones().side / 2.0 / CARRY_SPEED + 0.6 / FIT_SPEED
    assert bound < lowered < bound + 10.0 + 0.35 * stretches + RULES.surely + parking
    assert raised + 5.0 < lowered


def test_five_robots_bring_five_carriers_which_are_never_two_on_one_nor_one_on_two(monkeypatch: Any) -> None:
    seen: list[int] = []
    original = Carriers.lift

    def lift(self: Carriers, robot: int, command: Any) -> Any:
        answer = original(self, robot, command)
        assert sorted((*self.standing, *self.riding)) == [1, 2, 3, 4, 5]
        carrying = [by for by, _ in self.riding.values()]
        assert len(set(carrying)) == len(carrying)
        assert answer.loaded == (robot in carrying)
        seen.append(robot)
        return answer

    lift._answers = original._answers  # type: ignore[attr-defined]
    monkeypatch.setattr(Carriers, "lift", lift)
    study = Intralogistics()
    outcome = run(study, duration=600.0, seed=2)
    measured = outcome.frames["logistics"]
    assert measured["carriers_retrieved"] == 5
    assert len(seen) >= 10
    assert outcome.reason == "5 carriers are retrieved, and all robots are out"
    assert float(measured["seconds"]) >= float(measured["last_drop_s"]) > 20.0


class Unwarned(Intralogistics):
    """The same without checks for collisions: nothing is ever likely."""

    def build(self, system: CaseSystem) -> None:
        """Its map never reaches the threshold, and it sees nobody come."""
        super().build(system)
        for robot in system.robots:
            robot.collision_map.foresight = replace(
                self.foresight, threshold=1e9, braking=Braking(near=0.0, beside=0.0)
            )


def test_the_safety_gate_passes_the_shipped_controller_and_refuses_one_without_collision_checks() -> None:
    shipped = certify(scenario_of(Intralogistics(), duration=30.0), seeds=(11, 45))
    assert shipped.passed, shipped.verdict
    assert {each["kind"] for each in shipped.violations} <= {"too near", "fast approach", "not stoppable"}
    blind = certify(scenario_of(Unwarned(), duration=15.0), seeds=(2,))
    assert not blind.passed
    assert "contact" in {each["kind"] for each in blind.violations if not each["allowed"]}


def test_conduct_that_the_task_forbids_is_found() -> None:
    conduct = Conduct("conduct", 1, 100.0)
    conduct.initialize()
    tell(conduct, (conduct.lift[1], MoveLifter(True)))
    tell(conduct, (conduct.lifted[1], LifterMoved(True)))
    tell(conduct, (conduct.glide[1], Glide(0.0, 1.0, 0.0, 0.3)))
    assert list(conduct.violations()) == []
    tell(conduct, (conduct.glide[1], Glide(0.0, 1.0, 0.0, 0.5)))
    tell(conduct, (conduct.lifted[1], LifterMoved(False)))
    tell(conduct, (conduct.glide[1], Glide(0.0, 1.0, 0.0, 0.1)))
    fast, empty = conduct.violations()
    assert "at 0.5 m/s with a carrier" in fast
    assert "lifter up and nothing on it" in empty


def test_legs_are_dealt_with_from_docking_until_the_robot_goes_elsewhere() -> None:
    conduct = Conduct("conduct", 2, 100.0)
    conduct.initialize()
    port = conduct.go[2]
    for goal, e in (
        (Go(1, (0.0,), 0.5), 1.0),
        (Go(2, (0.0,), 0.5, narrow=True, under=3), 1.0),  # under carrier 3, at 2 s
        (Go(3), 1.0),  # it stands
        (Go(4, (1.0,), 0.01, narrow=True, under=3), 1.0),
        (Go(5, (1.0,)), 1.0),  # away, at 5 s
        (Go(6, (1.0,), 0.3, narrow=True, under=1), 1.0),  # and under carrier 1, until the end
    ):
        tell(conduct, (port, goal), e=e)
    found = [(each.robot, each.thing, each.begin, each.end) for each in conduct.engagements()]
    first = [(2, f"leg {number}", 2.0, 5.0) for number in (11, 12, 13, 14)]
    assert found == [*first, *((2, f"leg {number}", 6.0, inf) for number in (3, 4, 5, 6))]


SHORT = {"logistics": {"robots": 2, "carriers": 2}}


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_in_the_loop_and_in_reality_robots_decide_as_they_would_alone(stage: Any) -> None:
    scenario, hearing = scenario_of(Intralogistics(**SHORT), duration=14.0, seed=1), Hearing()
    outcome = run_scenario(scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(hearing, of_robots)]))
    assert isinstance(outcome, CaseOutcome)
    assert outcome.ended == "accepted", outcome.reason
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds
    assert found.models == 3 * len(outcome.tracks.poses)
    assert "omniwheels" in outcome.robots[1].equipment
    frames = outcome.frames["logistics"]
    assert frames["warnings"] != 0.0  # who knows how fast it goes is warned
    assert frames["contacts"] == 0.0  # and its guard has nothing to do


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"logistics": {"leg_radius": 0.03}}, "no robot of 250 mm fits between the legs"),
        ({"logistics": {"jerk": 0.0}}, "logistics.jerk: must be more than 0"),
        ({"logistics": {"lookahead": 1e9}}, "logistics.lookahead: must be at most 60, not 1000000000.0"),
        ({"logistics": {"rate": 1e12}}, "logistics.rate: must be at most 1000, not 1000000000000.0"),
        ({"logistics": {"loaded_disc": 100.0}}, "logistics.loaded_disc: must be at most 1, not 100.0"),
        ({"logistics": {"tick": 1e-9}}, "logistics.tick: must be 0, or at least 0.001, not 1e-09"),
        ({"logistics": {"tick": 0.0, "idle_ticks": True}}, "there are no idle ticks without a grid"),
        ({"logistics": {"carriers": 30}}, "there is no room for 30 carriers in their zone"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        run(Intralogistics(**settings), duration=1.0)


def test_an_oblong_arena_is_refused() -> None:
    with pytest.raises(Exception, match="the arena is a square"):
        model_of("logistics", "field.width=5")


def test_idle_ticks_change_nothing() -> None:
    outcomes = [run(Intralogistics(logistics={"idle_ticks": idle}), duration=8.0, seed=2) for idle in (False, True)]
    assert outcomes[0].frames == outcomes[1].frames
