"""Robots' programs on the wire in simulated time: what they measure follows from their sleeps alone."""

from __future__ import annotations

from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.scenarios.pera.programs import BLINK, LOOKS, calling, sensing
from devs_robotics.scenarios.pera.world_clock import world_delays
from tests.approximately import near

FILE = ArenaFile(WireArena(), ())


def test_a_reading_takes_as_long_as_the_program_sleeps() -> None:
    measured = sensing(FILE, {"R": 0.3, "V": 0.254}, robots=2, seconds=10.0, trial=4)
    by_reality = {reality: [each.seconds for each in measured if each.reality == reality] for reality in "RV"}
    assert by_reality["R"] == [near(0.3)] * (2 * 33)
    assert by_reality["V"] == [near(0.254)] * (2 * 39)
    assert {(each.clock, each.trial) for each in measured} == {("program", 4)}


def test_every_request_is_acknowledged_by_all_others() -> None:
    measured = calling(FILE, "RVRV", rounds=2, seed=1)
    assert len(measured) == 4 * 3 * 2
    assert len({(each.origin, each.responder, each.trial) for each in measured}) == 4 * 3 * 2
    assert {each.pair for each in measured} == {"RR", "RV", "VR", "VV"}


def test_round_trips_are_made_of_looks_and_blinks() -> None:
    measured = calling(FILE, "RVRV", rounds=4, seed=2)
    times = {pair: [each.seconds for each in measured if each.pair == pair] for pair in ("RR", "RV", "VR", "VV")}
    assert all(each == near(round(each / LOOKS) * LOOKS) for pair in ("VR", "VV") for each in times[pair]), (
        "whole looks"
    )
    assert all(0.0 < each <= 2 * LOOKS for pair in ("VR", "VV") for each in times[pair])
    assert min(times["RR"]) == near(2 * BLINK), "one for the request, and one for the acknowledgement"
    assert all(each <= LOOKS + 3 * BLINK for each in times["RV"])


def test_the_same_seed_gives_the_same_round_trips() -> None:
    assert calling(FILE, "RV", rounds=3, seed=5) == calling(FILE, "RV", rounds=3, seed=5)
    assert calling(FILE, "RV", rounds=3, seed=5) != calling(FILE, "RV", rounds=3, seed=6)


def test_the_world_alone_answers_each_question_once() -> None:
    measured = world_delays(FILE, robots=2, questions=5)
    assert [each.reality for each in measured] == ["R", "R", "V", "V"] * 5
    assert all(each.clock == "world" and each.seconds > 0.0 for each in measured)
