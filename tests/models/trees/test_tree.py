"""Behaviour trees as decision models: what they send, and when."""

from __future__ import annotations

from math import inf, radians
from pathlib import Path
from typing import Any

import pytest
from py_trees.behaviour import Behaviour
from py_trees.composites import Selector, Sequence

from devs_robotics import Actuator, Drive, Driven, In, ModelError, Ranges, Sense, Sensor, Simulator, Stream
from devs_robotics.core.testing.simulations import Inputs, Simulate
from devs_robotics.models.trees import BehaviourTree, Check, Pause, Perform, TimeLimit, TreeStatus
from devs_robotics.scenarios.wander import APART, AROUND, LOOK, REACH, SHORTEST, Wandering
from devs_robotics.study import CaseSystem, Factor, robots, run


class Roam(BehaviourTree):
    """Goes ahead where the way is free, and else turns by chance."""

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)

    def __init__(self, name: str, stream: Stream, **options: Any) -> None:
        super().__init__(name, **options)
        self.stream = stream

    def grow(self) -> Behaviour:
        """Look; go ahead where the way is free, and else turn by chance."""
        look = Perform("look", self.infrared, Sense())
        step = Perform("step", self.motor, Drive(distance=0.3))
        ahead = Sequence("ahead", True, [Check("is the way free?", self.free), step])
        turn = Perform("turn", self.motor, self.by_chance)
        return Sequence("roam", True, [look, Selector("move", True, [ahead, turn])])

    def free(self) -> bool:
        """Whether nothing is near."""
        return min(self.board["infrared"].values, default=inf) >= 0.45

    def by_chance(self) -> Drive:
        """A turn."""
        return Drive(turn=radians(180.0) * self.stream.uniform())


class Careful(Roam):
    """What the case `wander` decides, as a tree."""

    def grow(self) -> Behaviour:
        """Stand and look; go half of the way that is free, or turn by chance."""
        rest, look = Pause("rest", LOOK), Perform("look", self.infrared, Sense())
        ahead = Sequence("ahead", True, [Check("is the way free?", self.free), Perform("go", self.motor, self.half)])
        turn = Perform("turn", self.motor, self.by_chance)
        return Sequence("careful", True, [rest, look, Selector("move", True, [ahead, turn])])

    def free(self) -> bool:
        """Whether half of the way is worth going."""
        return self.way() >= SHORTEST

    def way(self) -> float:
        """Half of the way that is free (m)."""
        return (min(self.board["infrared"].values, default=inf) - 0.3) / 2.0

    def half(self) -> Drive:
        """At most so far."""
        return Drive(distance=min(0.3, self.way()))


class Roaming(Wandering):
    """Wandering by trees."""

    tick: Factor = 0.0

    def build(self, system: CaseSystem) -> None:
        """The same robots at the same places."""
        kind = robots.round_differential(beams=AROUND, reach=REACH, continuous=True)
        for pose in system.free_poses(self.robots, kind, apart=APART):
            robot = system.add_robot(pose, kind)
            robot.decide(Careful("roam", system.stream(robot, "wander"), tick=self.tick))


def test_a_tree_that_ticks_at_once_does_what_the_model_written_by_hand_does() -> None:
    tree, by_hand = run(Roaming(), duration=10.0, seed=3), run(Wandering(), duration=10.0, seed=3)
    assert tree.table("tracks").equals(by_hand.table("tracks"))
    assert len(tree.table("tracks")) > 20


def test_on_the_grid_each_reaction_comes_less_than_a_tick_later(simulate: Simulate) -> None:
    answers: Inputs = {"infrared_answer": [(0.25, Ranges((1.0,)))], "motor_answer": [(1.33, Driven(0.0, 0.3))]}
    said = simulate(Roam("roam", Stream(1, 1, "roam")), until=2.0, inputs=answers)
    assert [time for time, _ in said.outputs("motor_ask")] == [pytest.approx(0.3)]
    assert [time for time, _ in said.outputs("infrared_ask")] == [pytest.approx(0.0), pytest.approx(1.5)]
    assert said.outputs("status")[0] == (0.0, TreeStatus("RUNNING", "look"))


class Guarded(BehaviourTree):
    """Drives for at most two seconds, and not while it is warned; rests for one second."""

    motor = Actuator(Drive, Driven)
    warning = In(bool)

    def grow(self) -> Behaviour:
        """A drive with a limit in time, which a warning interrupts."""
        drive = Perform("drive", self.motor, Drive(distance=5.0), accept=self.went, cancel=Drive())
        limited = TimeLimit("not for ever", drive, 2.0)
        work = Sequence("work", True, [limited, Pause("done", 9.0)])
        away = Sequence("away", True, [Check("warned?", self.warned), Pause("rest", 1.0)])
        return Selector("guarded", False, [away, work, Pause("again", 0.5)])

    def warned(self) -> bool:
        """Whether the last warning holds, and is not old."""
        return bool(self.board.get("warning")) and self.fresh("warning", 3.0)

    def went(self, driven: Driven) -> bool:
        """Whether nothing stood in the way."""
        return not driven.blocked


def drives(simulate: Simulate, **inputs: list[tuple[float, Any]]) -> list[tuple[float, float]]:
    said = simulate(Guarded(), until=6.0, inputs=inputs)
    return [(round(time, 6), drive.distance) for time, drive in said.outputs("motor_ask")]


def test_what_is_interrupted_is_cancelled_and_its_answers_are_nobodys(simulate: Simulate) -> None:
    assert drives(simulate) == [(0.0, 5.0), (2.0, 0.0), (2.1, 5.0), (4.1, 0.0), (4.2, 5.0)]
    late = [(2.15, Driven(0.0, 2.0)), (2.16, Driven(0.0, 0.0)), (3.01, Driven(0.0, 5.0))]
    assert drives(simulate, motor_answer=late) == [(0.0, 5.0), (2.0, 0.0), (2.1, 5.0)]
    assert drives(simulate, motor_answer=late[:2])[3] == (4.1, 0.0)


def test_a_warning_interrupts_and_grows_old(simulate: Simulate) -> None:
    again = drives(simulate, warning=[(1.0 + 1e-3, True)])
    assert again[:2] == [(0.0, 5.0), (1.1, 0.0)]


def test_a_failed_action_is_a_failure(simulate: Simulate) -> None:
    assert drives(simulate, motor_answer=[(0.32, Driven(0.0, 0.0, blocked=True))])[:2] == [(0.0, 5.0), (0.5, 5.0)]


def test_a_tree_is_saved_in_the_middle_and_goes_on(tmp_path: Path) -> None:
    def heard(simulator: Simulator) -> list[Any]:
        said = []
        while simulator.next_time <= 6.0:
            simulator.run(6.0, max_steps=1)
            said += [(simulator.time, port.name, *port.values) for port in simulator.model.out_ports if port]
        return said

    whole = Simulator(Guarded())
    expected = heard(whole)
    whole.close()
    half = Simulator(Guarded())
    half.run(1.0)
    half.save(tmp_path / "half.checkpoint")
    half.close()
    resumed = Simulator.resume(tmp_path / "half.checkpoint")
    rest = heard(resumed)
    resumed.close()
    assert rest
    assert rest == [each for each in expected if each[0] > 1.0]


@pytest.mark.parametrize("tick", [-0.1, inf, float("nan"), 1e-9])
def test_a_tick_that_is_no_time_is_refused(tick: float) -> None:
    with pytest.raises(ModelError, match="is no grid: give a tick of seconds"):
        Guarded(tick=tick)


def test_without_a_grid_there_are_no_idle_ticks() -> None:
    with pytest.raises(ModelError, match="idle_ticks=True is no grid"):
        Guarded(tick=0.0, idle_ticks=True)


class Strayed(BehaviourTree):
    """Asks with what is another model's."""

    def grow(self) -> Behaviour:
        """A leaf with a foreign motor."""
        return Perform("stray", Guarded().motor, Drive())


def test_a_motor_of_another_model_is_refused(simulate: Simulate) -> None:
    with pytest.raises(ModelError, match=r"has no sensor or actuator .* it has none"):
        simulate(Strayed(), until=1.0)
