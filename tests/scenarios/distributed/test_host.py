"""A convoy in several processes is the convoy in one, over a real broker too."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from queue import SimpleQueue
from threading import Barrier, Event, Thread
from time import monotonic
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics import Arrival, Bridge, DevsRoboticsError, Lateness, Link, Run, Simulator
from devs_robotics.core.distribution import Partition, Session, partition
from devs_robotics.experimental_frames.frame import CaseExperiment, Verdict
from devs_robotics.hil.addresses import parse_mqtt
from devs_robotics.hil.transports.mqtt import Mqtt
from devs_robotics.models.environment import Cast, Motion
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.distributed.host import DistributedHost
from devs_robotics.scenarios.distributed.local_nodes import LocalNodes
from devs_robotics.scenarios.distributed.node import PROCESS_TIMEOUT as LOST
from devs_robotics.scenarios.distributed.node import NodeOutcome, run_node
from devs_robotics.scenarios.distributed.nodes import NodeReport, NodesWanted, shares
from devs_robotics.scenarios.distributed.sharing import OfItself, likeness
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.results import write
from devs_robotics.scenarios.running.run import run as run_scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from tests.approximately import near
from tests.devs_robotics.core.distribution.by_hand import Network
from tests.paths import ROOT
from tests.real_components import Mosquitto, require
from tests.scenarios.case_runs import patience

RATE = 8.0
PATIENCE = 30.0


def convoy() -> ConvoyScenario:
    return resolve(load("convoy", ["convoy.robots=4", "run.rounds=3"]))


def measured(model: CaseExperiment) -> dict[str, object]:
    """What the frame has measured, times and all."""
    formation = model.frame.formation
    rows = [(row.robot, row.round, row) for row in formation.rows]
    return {"times": formation.times, "errors": formation.error_sums, "rounds": sorted(rows), "poses": formation.poses}


@given(st.lists(st.sampled_from(["host", "left", "right"]), min_size=4, max_size=4))
@settings(max_examples=25)
def test_divided_by_hand_it_measures_the_same_to_the_last_bit(owners: list[str]) -> None:
    """Without latency; robots are shared out at random."""
    whole = experiment(set_up(convoy()))
    with Simulator(whole) as simulator:
        simulator.run(stop=whole.verdict)
        end = simulator.time
    model = experiment(set_up(convoy()))
    places = {f"experiment/system/robot{number}": owner for number, owner in enumerate(owners, 1)}
    parts: dict[str, Partition] = partition(model, {"experiment": "host", **places}, Session("run", ""))
    network = Network(parts)
    network.run(end)
    assert parts["host"].root is model
    assert [verdict for _, verdict in network.left["verdict"]] == [
        Verdict(True, "every robot has completed 3 rounds"),
    ]
    assert measured(model) == measured(whole)
    assert not any(network.faults.values())


def test_seed_end_frame_and_pace_need_not_be_alike_and_all_else_must() -> None:
    like = likeness(load("convoy"))
    same = ["run.seed=7", "run.rounds=3", "frame.parted=2", "clock.rate=4"]
    assert likeness(resolve(load("convoy"))) == likeness(load("convoy", same)) == like
    for setting in ("convoy.robots=31", "follower.tolerance=0.06", "robot.speed=0.3"):
        assert likeness(load("convoy", [setting])) != like


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (Motion(3, 0.1, 0.2), True),
        (Motion(4, 0.1, 0.2), False),
        (Motion(3, 0.1, 1e300), False),
        (Cast(3, (0.1, inf), 1.0), False),
        (Motion(99, 0.0, 0.0), False),
    ],
)
def test_a_robot_speaks_for_itself_only_and_in_sane_numbers(value: object, fits: bool) -> None:
    judge = OfItself({"system/robot3": 3})
    assert judge("system/robot3.motor_ask", value) is fits
    assert judge("system/environment.motor4_answer", value)


@given(st.integers(1, 100), st.integers(1, 100))
def test_there_are_no_more_nodes_than_robots_to_share_out(robots: int, more: int) -> None:
    nodes = robots + more
    with pytest.raises(DevsRoboticsError, match=f"--nodes {nodes}: only {robots} robots"):
        shares(tuple(range(1, robots + 1)), nodes)


@given(st.integers(1, 100), st.integers(0, 99))
def test_robots_are_shared_out_evenly_and_in_order(nodes: int, more: int) -> None:
    numbers = tuple(range(1, nodes + more + 1))
    dealt = list(shares(numbers, nodes).values())
    assert tuple(robot for share in dealt for robot in share) == numbers
    assert len(dealt) == nodes
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1


@pytest.fixture(scope="module")
def broker() -> Iterator[Mosquitto]:
    with Mosquitto() as mosquitto:
        yield mosquitto


class Finished(Struct):
    """What came of a distributed run."""

    verdict: Verdict | None
    failure: str
    reports: dict[str, NodeReport]
    notes: list[str]


def run(
    scenario: ConvoyScenario,
    wanted: NodesWanted,
    broker: str,
    rate: float = RATE,
    meanwhile: Callable[[DistributedHost, float], object] = lambda nodes, time: False,
    stage: Stage = "distributed",
) -> Finished:
    """Run a convoy with its environment and its frame here, until `meanwhile` says that it is enough."""
    setup = set_up(scenario, stage, rate)
    model, notes, bridge = experiment(setup), list[str](), Bridge()
    with DistributedHost(setup, broker, wanted, notes.append) as nodes:
        nodes.gather({})
        nodes.divide(model, bridge)
        with Simulator(model) as simulator:

            def ended() -> bool:
                return bool(meanwhile(nodes, simulator.time) or nodes.check())

            Run(simulator, nodes.agree(), bridge, Lateness(), PATIENCE).until(model.verdict, interrupted=ended)
            verdict = model.verdict.get() if model.verdict else None
            nodes.finish("accepted" if verdict is not None and verdict.accepted else "broken off", "it is over")
        return Finished(verdict, nodes.check(), nodes.reports(), notes)


@pytest.mark.wall_clock
def test_two_processes_run_the_robots_over_a_real_broker(broker: Mosquitto) -> None:
    done = run(convoy(), NodesWanted(local=2), broker.address)
    assert done.verdict == Verdict(True, "every robot has completed 3 rounds")
    assert {name: report.robots for name, report in done.reports.items()} == {"node1": (1, 2), "node2": (3, 4)}
    for report in done.reports.values():
        assert report.steps > 0
        assert report.messages > 10
        assert report.dropped == {}
        assert abs(report.clock_offset) <= report.round_trip / 2.0 + 1e-3  # it is the same clock
    assert "node node1 (robots 1, 2) takes part" in done.notes


@pytest.mark.wall_clock
def test_a_node_that_is_killed_ends_the_run_at_once_and_clearly(broker: Mosquitto) -> None:
    killed = Event()

    def kill(nodes: DistributedHost, time: float) -> None:
        if time > 1.0 and not killed.is_set():
            killed.set()
            nodes.local.processes["node2"].kill()

    done = run(convoy(), NodesWanted(local=2), broker.address, meanwhile=kill)
    assert killed.is_set()
    assert done.verdict is None
    assert done.failure == "node node2 (robots 3, 4) was killed (signal 9)"
    assert done.reports["node1"].steps > 0


@contextmanager
def node(scenario: ConvoyScenario, robots: tuple[int, ...], broker: str, name: str) -> Iterator[list[NodeOutcome]]:
    """A node as the command starts one, in a thread of this process."""
    outcomes: list[NodeOutcome] = []
    cancelled = Event()
    thread = Thread(
        target=lambda: outcomes.append(run_node(scenario, robots, broker, name, interrupted=cancelled.is_set))
    )
    thread.start()
    try:
        yield outcomes
        thread.join(PATIENCE)
    finally:
        cancelled.set()
        thread.join(PATIENCE)


@pytest.mark.wall_clock
def test_nodes_from_elsewhere_are_awaited_and_the_host_runs_the_other_robots(broker: Mosquitto) -> None:
    scenario = convoy()
    with (
        node(load("convoy", ["convoy.robots=4", "run.seed=5"]), (2,), broker.address, "left") as left,
        node(scenario, (3,), broker.address, "right") as right,
    ):
        done = run(scenario, NodesWanted(awaited=(2, 3)), broker.address)
    assert done.verdict == Verdict(True, "every robot has completed 3 rounds")
    assert left == right == [NodeOutcome("accepted", "it is over")]
    assert done.reports.keys() == {"left", "right"}
    assert all(report.messages >= 3 for report in done.reports.values())


@pytest.mark.wall_clock
def test_a_broker_that_is_killed_and_comes_back_costs_nothing_but_time() -> None:
    with Mosquitto() as mosquitto:
        killed = Event()

        def restart(nodes: DistributedHost, time: float) -> None:
            if time > 2.0 and not killed.is_set():
                killed.set()
                mosquitto.kill()
                mosquitto.start()

        done = run(convoy(), NodesWanted(local=2), mosquitto.address, rate=4.0, meanwhile=restart)
    assert killed.is_set()
    assert (done.verdict, done.failure) == (Verdict(True, "every robot has completed 3 rounds"), "")


class Buggy:
    """A robot at a node; what it does, it notes in the class."""

    begun: ClassVar[list[float]] = []
    """Distances that it was told to go."""
    gives_up: ClassVar[Event] = Event()

    def __init__(self) -> None:
        self.stopped = Event()

    def move(self, turn: float, distance: float, speed: float, turn_rate: float) -> tuple[float, float, bool]:
        self.stopped.clear()
        self.begun.append(distance)
        if self.stopped.wait(abs(distance) / speed):
            self.gives_up.set()
            return 0.0, 0.25 * distance, False
        return turn, distance, False

    def stop(self) -> None:
        self.stopped.set()

    def ranges(self) -> list[None]:
        return [None]


@pytest.mark.wall_clock
def test_a_robot_at_a_node_stops_while_its_host_is_silent_and_then_makes_the_rest_of_its_move(
    broker: Mosquitto,
) -> None:
    buggy = f'real={{2={{protocol="json", infrared="virtual", address="local:{__name__}:Buggy"}}}}'
    scenario = resolve(load("convoy", ["convoy.robots=2", "run.rounds=9", buggy]))
    silent_for: list[float] = []
    Buggy.begun.clear()
    Buggy.gives_up.clear()

    def fall_silent(nodes: DistributedHost, time: float) -> bool:
        if Buggy.begun and not silent_for:
            began = monotonic()
            assert Buggy.gives_up.wait(LOST)
            silent_for.append(monotonic() - began)
        return len(Buggy.begun) > 1

    with node(scenario, (2,), broker.address, "pi") as ended:
        done = run(scenario, NodesWanted(awaited=(2,)), broker.address, 1.0, fall_silent, "loop")
    assert 0.0 < silent_for[0] < 0.5 * LOST
    assert Buggy.begun[1] == near(0.75 * Buggy.begun[0])
    assert (done.verdict, done.failure) == (None, "")
    assert ended == [NodeOutcome("broken off", "it is over")]


def leaked(password: str) -> list[str]:
    """Command lines and environments of processes of this machine in which a password stands."""
    found = []
    for process in [name for name in os.listdir("/proc") if name.isdigit()]:  # noqa: PTH208
        for place in (Path("/proc", process, "cmdline"), Path("/proc", process, "environ")):
            with suppress(OSError):  # it has ended, or is another user's
                found += [str(place)] if password.encode() in place.read_bytes() else []
    return found


@pytest.mark.wall_clock
def test_the_broker_that_a_run_starts_lets_nobody_else_in_and_its_password_is_shown_nowhere(tmp_path: Path) -> None:
    passwords, notes, leaks, strangers = set[str](), list[str](), list[str](), list[Link]()

    def tell(note: str) -> None:
        notes.append(note)
        if note.startswith("broker started: "):
            at = parse_mqtt(note.removeprefix("broker started: "))
            passwords.add(at.password)
            heard = SimpleQueue[Arrival]()
            stranger = Mqtt(f"mqtt://{at.host}:{at.port}")
            stranger.open(heard.put)
            content = heard.get(timeout=PATIENCE).content
            stranger.close()
            assert isinstance(content, Link)
            strangers.append(content)
        elif passwords:
            leaks.extend(place for password in passwords for place in leaked(password))

    scenario = load("convoy_in_the_loop", ["run.rounds=2", "frame.transient_rounds=0", *patience((2, 3))])
    outcome = run_scenario(scenario, Means(stage="loop", rate=RATE, nodes=NodesWanted(local=1)), Hooks(tell=tell))
    assert outcome.ended == "accepted", outcome.reason
    assert len(passwords) == 1
    assert len(notes) >= 4
    assert [link.up for link in strangers] == [False]
    assert "Not authorized" in strangers[0].reason
    assert leaks == []
    results = b"".join(path.read_bytes() for path in write(tmp_path, outcome))
    assert not [password for password in passwords if password.encode() in results or password in "".join(notes)]


def test_a_robot_that_there_is_not_cannot_be_awaited_or_brought() -> None:
    with pytest.raises(DevsRoboticsError, match="--await 9: the scenario has 4 robots"):
        DistributedHost(set_up(convoy(), "distributed"), "mqtt://127.0.0.1", NodesWanted(awaited=(9,)))
    with pytest.raises(DevsRoboticsError, match="--robot 9: the scenario has 4 robots"):
        run_node(convoy(), (9,), "mqtt://127.0.0.1", "left")


@pytest.mark.wall_clock
def test_the_access_rules_in_the_documents_let_a_run_through_and_no_node_speak_for_another(tmp_path: Path) -> None:
    rules = re.findall(r"```conf\n(.*?)```", (ROOT / "docs" / "distributed.md").read_text(), flags=re.S)
    (tmp_path / "nodes.acl").write_text(rules[0])
    (tmp_path / "users").touch()
    users = [require("mosquitto_passwd"), "-b", str(tmp_path / "users")]
    for user in ("host", "left", "right"):
        subprocess.run([*users, user, "secret"], check=True, capture_output=True)
    configuration = f"allow_anonymous false\npassword_file {tmp_path}/users\nacl_file {tmp_path}/nodes.acl"
    with Mosquitto(configuration, folder=tmp_path) as mosquitto:

        def at(user: str) -> str:
            return f"mqtt://{user}:secret@127.0.0.1:{mosquitto.port}"

        assert heard_by_the_host(at) == ["devs-robotics/run/left/to/host", "devs-robotics/run/left/control"]
        with node(convoy(), (2,), at("left"), "left") as left, node(convoy(), (3,), at("right"), "right") as right:
            done = run(convoy(), NodesWanted(awaited=(2, 3)), at("host"))
    assert done.verdict == Verdict(True, "every robot has completed 3 rounds")
    assert left == right == [NodeOutcome("accepted", "it is over")]


def heard_by_the_host(at: Callable[[str], str]) -> list[str]:
    """What of all that the node `left` publishes, in its own name and in another's, reaches the host."""
    topics = [f"devs-robotics/run/{name}/{what}" for what in ("to/host", "control") for name in ("right", "left")]
    heard, up, enough = list[str](), Barrier(3), Event()

    def take(arrival: Arrival) -> None:
        if isinstance(arrival.content, Link):
            up.wait(PATIENCE)
            return
        heard.append(arrival.channel)
        if arrival.channel == topics[-1]:
            enough.set()

    host, left = Mqtt(at("host")), Mqtt(at("left"))
    for topic in topics:
        host.listen(topic)
    host.open(take)
    left.open(take)
    up.wait(PATIENCE)
    for topic in topics:
        left.send(topic, b"hello")
    assert enough.wait(PATIENCE)
    host.close()
    left.close()
    return heard


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 0", "ended too early, with status 0"),
        ("exit 3", "ended too early, with status 3"),
        ("kill -9 $$", "was killed (signal 9)"),
    ],
)
def test_a_local_node_that_has_ended_while_the_run_goes_on_is_a_failure(script: str, how: str) -> None:
    nodes = LocalNodes(convoy(), {"node1": (1, 2)}, "")
    nodes.processes["node1"] = process = subprocess.Popen(["sh", "-c", script])
    process.wait()
    assert nodes.failure == f"node node1 (robots 1, 2) {how}"
    assert nodes.dead == {"node1"}
