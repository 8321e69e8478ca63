"""Frames of one's own: at every stage, and without a trace in the system."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from devs_robotics import Simulator
from devs_robotics.core.distribution import Session, partition
from devs_robotics.core.observe import Recorder, first_difference
from devs_robotics.core.ports import port_path
from devs_robotics.core.wiring import components
from devs_robotics.experimental_frames.frame import CaseExperiment, PartError, results_of
from devs_robotics.models.environment import Cast
from devs_robotics.scenarios.case import noise_free, resolve
from devs_robotics.scenarios.certifying import certify
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import columns
from devs_robotics.scenarios.convoy.runs import experiment, load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.distributed.sharing import OfItself, likeness
from devs_robotics.scenarios.running import results
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.loading import fingerprint, validate
from devs_robotics.scenarios.settings.tables import FramePart
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from tests.devs_robotics.core.distribution.by_hand import Network
from tests.scenarios.by_hand import ByHand
from tests.scenarios.frame_parts import Everything, Faulty

UNFIT = "result() must give numbers and words by name, such as {'jerk_m': 0.1}"

HERE = "tests.scenarios.frame_parts"


def scenario(*settings: str, **parts: dict[str, Any]) -> ConvoyScenario:
    return _with_parts("convoy", settings, parts)


def in_the_loop(*settings: str, **parts: dict[str, Any]) -> ConvoyScenario:
    return _with_parts("convoy_in_the_loop", settings, parts)


def _with_parts(file: str, settings: Sequence[str], parts: dict[str, dict[str, Any]]) -> ConvoyScenario:
    of = load(file, ["convoy.robots=4", "run.rounds=5", *settings])
    tables = {name: FramePart.model_validate(_frozen(table)) for name, table in parts.items()}
    return resolve(of.model_copy(update={"frame": of.frame.model_copy(update={"parts": tables})}))


def _frozen(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def everything(*patterns: str) -> dict[str, Any]:
    return {"model": f"{HERE}:Everything", "taps": {"values": patterns}}


def output_ports(stage: Stage) -> list[str]:
    """Of the whole experiment, by patterns that name nothing else."""
    model = experiment(set_up(in_the_loop(), stage))
    return [
        port_path(port).partition("/")[2]
        for component in components(model)
        if component is not model
        for port in component.out_ports
    ]


def events(model: CaseExperiment, stage: Stage, of: ConvoyScenario) -> Recorder:
    """What the system and the convoy's frame do."""
    recorder = Recorder()
    if stage == "fast":
        with Simulator(model) as simulator:
            simulator.attach(recorder, "system", "frame")
            simulator.run(stop=model.verdict)
    else:  # what comes in through a device bears a random number of the session
        watched = ["frame", "environment", *(f"robot*/{name}" for name in ("convoy", "avoid", "motor", "infrared"))]
        ByHand(of, stage, model).run([(recorder, [*watched, "robot*/device.outgoing"])])
    return recorder


@pytest.mark.parametrize("stage", ["fast", "loop"])
@given(data=st.data())
@settings(max_examples=8)
def test_frames_with_taps_of_any_depth_change_nothing_of_the_trace(stage: Stage, data: st.DataObject) -> None:
    ports = data.draw(st.lists(st.sampled_from(output_ports(stage)), min_size=1, max_size=12, unique=True))
    half = len(ports) // 2
    parts = {"first": everything(*ports[half:]), **({"second": everything(*ports[:half], ports[-1])} if half else {})}
    of, bare = (in_the_loop(**some) for some in (parts, {}))
    observed = events(experiment(set_up(of, stage)), stage, of)
    alone = events(experiment(set_up(bare, stage)), stage, bare)
    assert len(alone.events) > 300
    assert first_difference(observed.events, alone.events) is None


def test_a_deep_tap_sees_what_passes_and_when() -> None:
    model = experiment(set_up(scenario(inner=everything("robot*/motor.world_ask"), outer=everything("system.motion"))))
    with Simulator(model) as simulator:
        simulator.run(stop=model.verdict)
    inner, outer = model.parts["inner"], model.parts["outer"]
    assert isinstance(inner, Everything)
    assert isinstance(outer, Everything)
    assert len(inner.seen) > 20
    assert sorted(inner.seen, key=repr) == sorted(outer.seen, key=repr)


def test_the_same_frame_sees_the_same_in_every_stage() -> None:
    """With perfect stand-ins and without noise, what robots 1 to 3 say to those behind them."""
    part = everything("robot[1-3].convoy_f_ready_out")
    of = noise_free(in_the_loop("noise.dnf=0", "noise.anf=0", said=part))
    seen: dict[str, list[Any]] = {}
    stages: tuple[Stage, ...] = ("fast", "loop", "real")
    for stage in stages:
        model = experiment(set_up(of, stage))
        if stage == "fast":
            events(model, stage, of)
        else:
            ByHand(of, stage, model).run()
        said = model.parts["said"]
        assert isinstance(said, Everything)
        seen[stage] = [value for _, value in said.seen]
    for stage in ("loop", "real"):
        for robot in (1, 2, 3):  # what happens at one instant in fast comes one after the other there
            here, there = ([sync for sync in seen[at] if sync.robot == robot] for at in (stage, "fast"))
            assert min(len(here), len(there)) >= 5
            for one, other in zip(here, there, strict=False):
                assert structs.astuple(one) == pytest.approx(structs.astuple(other), abs=1e-9)


@given(owners=st.lists(st.sampled_from(["host", "left", "right"]), min_size=4, max_size=4))
@settings(max_examples=10)
def test_taps_and_drives_work_across_nodes(owners: list[str]) -> None:
    """Also on a port that the convoy's own frame takes, and inside of robots, where nothing seen is infinite."""
    parts: dict[str, dict[str, Any]] = {
        "deep": everything("robot*/infrared.ranging_answer", "robot*.round_done", "environment/time*.motion"),
        "floor": {
            "model": f"{HERE}:Slope",
            "taps": {"motion": ("robot*/motor.world_ask",)},
            "drives": {"disturbance": ("environment/space.disturbance",)},
        },
    }
    of = scenario(**parts)
    whole, divided = experiment(set_up(of)), experiment(set_up(of))
    with Simulator(whole) as simulator:
        simulator.run(until=12.0)
    robots = {f"system/robot{number}": number for number in range(1, 5)}
    places = {f"experiment/{path}": owners[number - 1] for path, number in robots.items()}
    cut = partition(divided, {"experiment": "host", **places}, Session("run", ""), fits=OfItself(robots))
    network = Network(cut)
    network.run(12.0)
    seen = [model.parts["deep"] for model in (whole, divided)]
    assert isinstance(seen[0], Everything)
    assert isinstance(seen[1], Everything)
    assert len(seen[0].seen) > 50
    assert sorted(seen[0].seen, key=repr) == sorted(seen[1].seen, key=repr)
    assert divided.frame.formation.poses == whole.frame.formation.poses
    assert not any(peer.dropped for part in cut.values() for peer in part.peers.values())


def test_only_what_is_tapped_may_be_infinite() -> None:
    judge = OfItself({"system/robot3": 3})
    nothing_seen = Cast(3, (float("inf"),), 1.0)
    assert judge("system/robot3.tap_infrared.world_ask", nothing_seen)
    assert not judge("system/robot3.ranging_ask", nothing_seen)
    assert not judge("system/robot3.tap_infrared.world_ask", Cast(3, (float("nan"),), 1.0))
    assert not judge("system/robot3.tap_infrared.world_ask", Cast(2, (), 1.0))


def test_nodes_must_have_the_same_parts() -> None:
    assert likeness(scenario(a=everything("robot*.lost"))) != likeness(scenario())
    assert likeness(scenario("frame.parted=2", a=everything("robot*.lost"))) == likeness(
        scenario(a=everything("robot*.lost"))
    )


def test_results_are_everywhere(tmp_path: Path) -> None:
    turns = {"model": f"{HERE}:Turns", "taps": {"motion": ("motor.world_ask",)}, "weight": 2}
    outcome = run(
        scenario("run.rounds=20", turns=turns, all=everything("system.motion"), quiet={"model": f"{HERE}:Slope"})
    )
    assert outcome.ended == "accepted"
    assert set(outcome.frames) == {"turns", "all"}
    assert outcome.frames["turns"]["verdict"] == "smooth"
    largest = outcome.frames["turns"]["largest_rad"]
    assert isinstance(largest, float)
    assert largest > 0.0
    results.write(tmp_path, outcome)
    assert json.loads((tmp_path / "summary.json").read_text())["frames"] == outcome.frames
    assert f"<code>{HERE}:Turns</code>" in (tmp_path / "report.html").read_text()
    lines = [line.split() for line in outcome_lines(outcome)]
    assert ["turns.largest_rad", f"{largest:.6g}"] in lines
    assert columns(outcome)["frames.turns.largest_rad"] == largest


@pytest.mark.parametrize("accepts", [True, False])
def test_an_acceptor_ends_the_run(accepts: bool) -> None:
    referee = {
        "model": f"{HERE}:Referee",
        "taps": {"round_done": ("robot2.round_done",)},
        "rounds": 3,
        "accepts": accepts,
    }
    outcome = run(scenario(referee=referee))
    assert (outcome.ended, outcome.reason) == ("accepted" if accepts else "rejected", "3 rounds are enough")
    assert outcome.metrics.rounds_completed < 5
    if not accepts:
        (violation,) = certify(scenario(referee=referee), [1]).violations
        assert (violation["kind"], violation["told"]) == ("not accepted", "rejected: 3 rounds are enough (seed 1)")


def test_a_rejection_outweighs_the_acceptance_of_the_same_instant() -> None:
    referee = {"model": f"{HERE}:Referee", "taps": {"round_done": ("robot4.round_done",)}, "rounds": 5}
    outcome = run(scenario(referee={**referee, "accepts": False}))
    assert (outcome.ended, outcome.reason) == ("rejected", "5 rounds are enough")


def test_a_generator_drives_the_system() -> None:
    quiet = ("noise.dnf=0", "noise.anf=0", 'leader.path=[[0, "20 cm"]]')
    floor = {
        "model": f"{HERE}:Slope",
        "taps": {"motion": ("system.motion",)},
        "drives": {"disturbance": ("system.disturbance",)},
        "stretch": 0.25,
    }
    ways = [run(scenario(*quiet)).metrics, run(scenario(*quiet, floor=floor)).metrics]
    one_round = 0.2  # the leader may be a round further in one of them
    assert ways[1].leader_distance_m == pytest.approx(1.25 * ways[0].leader_distance_m, abs=1.25 * one_round)
    assert ways[0].adjustments == 0


def test_approaches_are_measured_when_that_is_wanted() -> None:
    without, measured = run(scenario()), run(scenario("frame.approaches=true"))
    assert without.metrics.collisions is None
    assert measured.metrics.collisions == 0
    assert 0.0 < measured.metrics.smallest_distance_m < 0.4
    assert columns(measured)["collisions"] == 0
    changed = {"smallest_distance_m", "collisions", "cpu_s", "cpu_per_robot_round_s", "transitions"}
    rows = [{key: str(value) for key, value in columns(of).items() if key not in changed} for of in (without, measured)]
    assert rows[0] == rows[1]


def faulty(given_: str) -> dict[str, Any]:
    return {"model": f"{HERE}:Faulty", "taps": {"values": ("robot1.lost",)}, "result": given_}


DIGITS = "1" + "0" * 69
TOLD = {
    "three": "not 3",
    "nothing": "not None",
    "none": "not {'mean': None}",
    "beyond floats": f"not {{'mean': {DIGITS[:68]}...",
    "beyond digits": "not {'mean': a int}",
    "infinite": "not {'mean': inf}",
    "lone surrogate": r"not {'word': '\ud800'}",
    "bytes": "not {'word': b'1.5'}",
    "complex": "not {'mean': 1j}",
    "array": "not {'mean': array([1.])}",
    "object": "not {'mean': a Unspeakable}",
    "key": "not {'no name': 1.0}",
    "number as key": "not {3: 1.0}",
}
"""What is said of results that are none."""


@pytest.mark.parametrize("given_", TOLD)
def test_of_a_result_that_is_none_the_rest_is_kept(given_: str) -> None:
    with pytest.raises(PartError) as caught:
        results_of(Faulty("bad", given_))
    assert str(caught.value) == f"frame.parts.bad: {UNFIT}, {TOLD[given_]}"
    assert caught.value.kept == ({} if given_ in ("three", "nothing") else {"good": 1.0})


def test_numbers_and_words_of_all_kinds_are_results() -> None:
    found = results_of(Faulty("good", "plain"))
    assert isnan(float(found.pop("missing")))
    assert found == {
        "float": 0.5,
        "int": 3.0,
        "bool": 1.0,
        "scalar": 0.25,
        "word": "word",
        "large": 1e30,
        "fraction": 0.25,
        "decimal": 0.5,
    }
    assert {type(value) for value in found.values()} == {float, str}


PLACE = r"\(\S*frame_parts\.py, line \d+\)"


@pytest.mark.parametrize(
    ("given_", "sentence", "kept"),
    [
        ("raise", rf"frame.parts.bad: result\(\) failed: ZeroDivisionError: float division by zero {PLACE}", {}),
        ("leave", rf"frame.parts.bad: result\(\) failed: SystemExit: 0 {PLACE}", {}),
        ("lone surrogate", re.escape(rf"frame.parts.bad: {UNFIT}, not {{'word': '\ud800'}}"), {"bad": {"good": 1.0}}),
    ],
)
def test_a_part_that_cannot_tell_its_result_fails_the_run_and_loses_nothing(
    given_: str, sentence: str, kept: dict[str, Any], tmp_path: Path
) -> None:
    outcome = run(scenario(bad=faulty(given_), all=everything("system.motion")))
    assert outcome.ended == "failed"
    assert re.fullmatch(sentence, outcome.reason), outcome.reason
    assert outcome.frames == {"all": outcome.frames["all"], **kept}
    assert outcome.frames["all"]["values"]
    assert outcome.metrics.rounds_completed == 5
    if kept:
        written = results.write(tmp_path, outcome)
        assert len(written) == 4
        assert json.loads(written[0].read_text())["frames"]["bad"] == {"good": 1.0}


def test_a_scenario_with_parts_comes_back_from_its_summary_and_every_change_changes_its_fingerprint() -> None:
    table = {"model": f"{HERE}:Turns", "taps": {"motion": ("motor.world_ask",)}, "weight": 2.5}
    of = scenario(turns=table)
    again, found = validate(of.model_dump(mode="json"))
    assert found == []
    assert again == of
    assert ConvoyScenario.model_validate_json(of.model_dump_json()) == of
    assert fingerprint(of) != fingerprint(scenario(turns={**table, "weight": 2.6}))


def test_a_pattern_that_fits_in_one_stage_only_is_for_that_stage() -> None:
    of = in_the_loop(packets=everything("robot*/device.outgoing"))
    assert validate(of.model_dump(mode="json"))[1] == []
    assert experiment(set_up(of, "loop")).parts
    with pytest.raises(PartError, match=r"frame.parts.packets.taps.values: no output port fits"):
        experiment(set_up(of, "fast"))


@pytest.mark.wall_clock
def test_a_frame_at_the_host_hears_robots_in_other_processes() -> None:
    of = scenario("run.rounds=3", seen=everything("robot*/motor.world_ask", "robot3/infrared.ranging_answer"))
    here, there = run(of), run(of, Means(stage="distributed", rate=20.0))
    assert there.ended == "accepted", there.reason
    assert _values(there) == pytest.approx(_values(here), rel=0.2)


def _values(outcome: ConvoyOutcome) -> float:
    count = outcome.frames["seen"]["values"]
    assert isinstance(count, float)
    return count
