"""What viewers hear of a run, whatever its case study."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from devs_robotics import Atomic, Out, Simulator
from devs_robotics.core.ports import component_path
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.viewing.listening import Series, listened, patterns
from devs_robotics.scenarios.viewing.scene import scene_of
from devs_robotics.scenarios.viewing.series import series_of
from devs_robotics.view.server.event_words import told
from devs_robotics.view.shared import encode
from devs_robotics.view.watcher import KEPT, Listened, Watcher


class Chatter(Atomic):
    """Has something to say."""

    word = Out(str)


def heard(name: str, *settings: str, until: float) -> tuple[list[Any], int, Any]:
    """What is told of a run up to a time (s), and the experiment."""
    setup = set_up(load(name, settings))
    model = case_of(setup.scenario).experiment(setup)
    ports = listened(model)
    watcher = Watcher(ports)
    with Simulator(model) as simulator:
        simulator.attach(watcher, *patterns(ports))
        simulator.run(until=until)
    items, skipped = watcher.take()
    sent = msgspec.msgpack.decode(encode(items))
    return told(sent, {robot.number: robot.optics.bearings for robot in setup.robots}), skipped, model


def test_what_the_robots_of_a_convoy_tell_each_other_is_heard() -> None:
    items, _, _ = heard("convoy", "convoy.robots=3", "run.rounds=3", until=8.0)
    said = {(item[2], item[3]) for item in items if item[0] == "say"}
    assert (1, 2) in said
    assert {abs(one - other) for one, other in said} == {1}
    assert any(item[4].startswith("f_ready ") for item in items if item[0] == "say")


def test_what_robots_say_by_radio_is_heard_by_all() -> None:
    items, _, _ = heard("meet", until=60.0)
    said = [item for item in items if item[0] == "say"]
    assert said
    assert {item[3] for item in said} == {None}
    assert all(isinstance(item[4], str) and item[4] for item in said)


def test_rays_are_those_of_the_sensors_and_none_where_nothing_is_in_range() -> None:
    items, _, model = heard("wander", until=5.0)
    rays = [item for item in items if item[0] == "see"]
    assert {item[2] for item in rays} == {robot.number for robot in model.system.robots}
    lengths = [length for item in rays for _, length in item[3]]
    assert None in lengths
    assert any(length is not None and 0.0 <= length < 1.0 for length in lengths)


def test_the_oldest_is_dropped_and_counted() -> None:
    items, skipped, _ = heard("wander", "wandering.robots=20", "run.duration=100", until=100.0)
    assert len(items) == KEPT
    assert skipped > 0


def test_who_says_something_to_several_is_told_once_for_each() -> None:
    robot = Chatter("chatter")
    watcher = Watcher(
        [Listened(robot.word, lambda time, value, to=to: ("say", time, 1, to, value)) for to in (2, 3)]  # type: ignore[misc]
    )
    watcher.sent(1.0, robot, robot.word, ("hello", "again"))
    items, skipped = watcher.take()
    assert sorted(items) == [("say", 1.0, 1, to, word) for to in (2, 3) for word in ("again", "hello")]
    assert (watcher.heard, skipped) == (4, 0)


@pytest.mark.parametrize(
    "name", ["convoy", "wander", "forage", "meet", "transport", "diffusion", "phototaxis", "line_following", "battery"]
)
def test_every_case_can_be_listened_to(name: str) -> None:
    """A few patterns name all ports that are heard, however many robots there are."""
    setup = set_up(load(name, []))
    model = case_of(setup.scenario).experiment(setup)
    ports = listened(model)
    assert ports
    wanted = patterns(ports)
    assert len(wanted) < 20
    with Simulator(model) as simulator:
        watcher = Watcher(ports)
        simulator.attach(watcher, *wanted)
        simulator.run(until=3.0)
        simulator.detach(watcher)
        simulator.run(until=3.5)
    assert all(component_path(each.port.parent) for each in ports if each.port.parent)


def test_series_come_once_and_in_order() -> None:
    setup = set_up(load("convoy", ["convoy.robots=3", "run.rounds=20"]))
    model = case_of(setup.scenario).experiment(setup)
    series, found = Series(model), []
    with Simulator(model) as simulator:
        for time in range(0, 40, 4):
            simulator.run(until=float(time))
            found += series.take(7).get("series: mean error (m)", [])
        while new := series.take(1000).get("series: mean error (m)"):
            found += new
    lines = list(model.measurements()["series.csv"].lines(0))
    assert [time for time, _ in found] == [float(line.split(",")[0]) for line in lines]
    assert series.take(1000) == {}


@pytest.mark.parametrize("name", ["convoy", "wander", "forage"])
def test_series_are_called_as_in_recordings_and_have_the_same_values(name: str) -> None:
    setup = set_up(load(name, []))
    model = case_of(setup.scenario).experiment(setup)
    with Simulator(model) as simulator:
        simulator.run(until=8.0)
        live = Series(model).take(1000)
    recorded = {title: list(zip(*series, strict=True)) for title, series in series_of(model).items()}
    assert live
    assert live == recorded


def test_published_values_are_known_where_the_settings_are_those_of_the_paper() -> None:
    for settings, published in (([], 35.7), (["noise.dnf=0.1001"], None)):
        setup = set_up(load("convoy", settings))
        scene = scene_of(setup, case_of(setup.scenario).experiment(setup))
        expected = {} if published is None else {"series: mean error (m)": pytest.approx(0.01 * published)}
        assert scene.published == expected
