"""A view in a process of its own, and clients of all kinds, in real time and with generous bounds."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Origin, Subprotocol

from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.server.messages import SUBPROTOCOL
from devs_robotics.view.server.process import COMMAND, BegunProcess, ViewProcess
from devs_robotics.view.server.serving import Serving, ServingError
from devs_robotics.view.shared import About, RunStatus, SceneNow, SharedBlock, encode
from devs_robotics.view.states import packed, unpacked
from tests.paths import ROOT
from tests.real_components import PATIENCE, free_port

pytestmark = pytest.mark.wall_clock

SLOTS = 300

PROTOCOL = Subprotocol(SUBPROTOCOL)


class Stage:
    """A view, and what a run would tell it."""

    def __init__(self, **serving: Any) -> None:
        self.block = SharedBlock.create()
        self.process = ViewProcess(Serving(port=free_port(), **serving), self.block.path)
        self.link = self.process.start()
        bodies = tuple(SceneBody(slot, slot + 1, f"robot {slot + 1}") for slot in range(SLOTS))
        scene = Scene(title="a run", width=10.0, height=10.0, bodies=bodies)
        self.block.about.write(encode(About("session", os.getpid(), "a run", "fast", 0.0, ("pause", "resume"))))
        self.block.scene.write(encode(SceneNow(1, 0.0, scene)))
        self.block.status.write(encode(RunStatus(state="running")))
        self.looks = 0

    def show(self) -> None:
        """A look at the run."""
        self.looks += 1
        poses = np.full((3, SLOTS), float(self.looks))
        self.block.state.write(packed(self.looks, float(self.looks), time.time(), 1, poses, np.ones(SLOTS)))

    def look(self, **headers: str) -> Connection:
        """A viewer comes."""
        address = self.link.partition("#")[0].replace("http", "ws") + "ws"
        origin = Origin(headers.pop("origin")) if "origin" in headers else None
        more = headers or None
        return connect(address, subprotocols=[PROTOCOL], origin=origin, additional_headers=more, compression="deflate")

    def close(self) -> None:
        self.process.stop()
        self.block.remove()


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage(control=True)
    yield made
    made.close()


def told(viewer: Connection, kind: str) -> Any:
    """The next message of a kind."""
    while True:
        data = viewer.recv(PATIENCE)
        if isinstance(data, str) and (message := json.loads(data))["type"] == kind:
            return message


def state(viewer: Connection) -> Any:
    """The next state, which is not answered."""
    while isinstance(data := viewer.recv(PATIENCE), str):
        pass
    return unpacked(data)


def closed_with(viewer: Connection) -> int:
    """Why a connection is closed, once it is."""
    try:
        while True:
            viewer.recv(PATIENCE)
    except ConnectionClosed as closed:
        return 0 if closed.rcvd is None else closed.rcvd.code


def want(viewer: Connection, rate: float = 60.0) -> None:
    told(viewer, "scene")
    viewer.send(json.dumps({"type": "want", "rate": rate}))


def test_nothing_is_deflated_and_states_are_young(stage: Stage) -> None:
    ages = []
    with stage.look(origin=stage.link.partition("#")[0].rstrip("/")) as viewer:
        assert viewer.protocol.extensions == []
        assert told(viewer, "hello")["title"] == "a run"
        want(viewer)
        for _ in range(50):
            stage.show()
            seen = state(viewer)
            ages.append(time.time() - seen.looked)
            assert (seen.poses == seen.time).all()
            viewer.send(json.dumps({"type": "seen", "seq": seen.number}))
    assert sorted(ages)[25] < 1.0


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": "null"}])
def test_pages_of_others_cannot_connect(stage: Stage, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as refused, stage.look(**headers):
        pass
    assert refused.value.response.status_code == 403


def test_a_foreign_name_that_leads_here_is_refused(stage: Stage) -> None:
    address = stage.link.partition("#")[0].replace("http", "ws") + "ws"
    here = stage.link.partition("#")[0].rpartition(":")
    with socket.create_connection(("127.0.0.1", int(here[2].strip("/")))) as raw:
        evil = address.replace("127.0.0.1", "evil.example")
        with pytest.raises(InvalidStatus), connect(evil, sock=raw, subprotocols=[PROTOCOL]):
            pass


def test_who_stops_reading_delays_nobody_and_gets_no_old_pictures(stage: Stage) -> None:
    """He gets the two states that were on their way, and then the newest."""
    with stage.look() as lazy, stage.look() as other:
        want(lazy)
        want(other)
        for _ in range(100):
            stage.show()
            seen = state(other)
            assert seen.time == stage.looks
            other.send(json.dumps({"type": "seen", "seq": seen.number}))
        old = [state(lazy), state(lazy)]
        assert old[-1].time < 100
        lazy.send(json.dumps({"type": "seen", "seq": old[-1].number}))
        assert state(lazy).time == 100
        while told(lazy, "status")["dropped"] < 90:
            pass


def test_ten_thousand_messages_and_garbage_keep_nobody_waiting(stage: Stage) -> None:
    with stage.look() as flooding, stage.look() as other:
        want(other)
        for _ in range(10_000):
            flooding.send('{"type": "seen", "seq": 1}')
        stage.show()
        seen = state(other)
        assert seen.time == 1.0
        other.send(json.dumps({"type": "seen", "seq": seen.number}))
        flooding.send("x" * 100_000)
        assert closed_with(flooding) == 1009  # too large
        stage.show()
        assert state(other).time == 2.0


def test_control_reaches_the_run_and_its_answer_comes_back(stage: Stage) -> None:
    token = stage.link.partition("#")[2]
    with stage.look() as viewer:
        told(viewer, "hello")
        viewer.send(json.dumps({"type": "token", "value": token}))
        assert told(viewer, "hello")["control"] == ["pause", "resume"]
        viewer.send(json.dumps({"type": "control", "id": 7, "do": "pause"}))
        while b"pause" not in (stage.block.wish.read() or (0, b""))[1]:
            os.sched_yield()
        stage.block.status.write(encode(RunStatus(state="paused", answered=1)))
        assert told(viewer, "done")["id"] == 7
        viewer.send(json.dumps({"type": "control", "id": 8, "do": "resume"}))
        while b"resume" not in (stage.block.wish.read() or (0, b""))[1]:
            os.sched_yield()
        stage.block.status.write(encode(RunStatus(state="paused", answered=2, refusal="it cannot")))
        assert told(viewer, "error")["reason"] == "it cannot"


def test_a_view_takes_little_memory(stage: Stage) -> None:
    with stage.look() as viewer:
        want(viewer)
        for _ in range(200):
            stage.show()
            viewer.send(json.dumps({"type": "seen", "seq": state(viewer).number}))
        status = Path(f"/proc/{stage.process.pid}/status").read_text()
        (resident,) = [int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")]
        assert resident < 80_000  # kB


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        block = SharedBlock.create()
        with pytest.raises(ServingError, match=f"--view-port {port} cannot be had at 127.0.0.1"):
            ViewProcess(Serving(port=port), block.path).start()
        block.remove()


def test_a_process_that_was_begun_is_taken_or_ends() -> None:
    with BegunProcess() as unneeded:
        pass
    assert unneeded.process.returncode is not None
    assert unneeded.errors.closed
    block = SharedBlock.create()
    with BegunProcess() as begun:
        view = ViewProcess(Serving(port=free_port()), block.path, begun)
        assert view.start().startswith("http://127.0.0.1:")
        assert view.pid == begun.process.pid
    assert view.alive  # it is no longer the one's that begun it
    view.stop()
    block.remove()
    silent = subprocess.run(COMMAND, input=b"", capture_output=True, timeout=PATIENCE, check=True)
    assert silent.stdout + silent.stderr == b""  # whoever began it has gone


RUN = ["-m", "devs_robotics", "run", "wander", "--stage", "realtime"]


def started(*options: str) -> tuple[subprocess.Popen[str], str]:
    """A run in a process of its own, and the link to its view."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.Popen(
        [sys.executable, *RUN, "--view", "--view-port", str(free_port()), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
    )
    assert run.stdout is not None
    line = run.stdout.readline()
    assert line.startswith("view: http://"), line + run.stdout.read()
    return run, line.split()[1]


def viewer_of(link: str) -> Connection:
    return connect(link.replace("http", "ws") + "ws", subprotocols=[PROTOCOL])


def test_when_the_run_is_killed_its_viewers_are_told_within_two_seconds() -> None:
    run, link = started()
    with viewer_of(link) as viewer:
        want(viewer)
        state(viewer)
        run.send_signal(signal.SIGKILL)
        begun = time.monotonic()
        while (status := told(viewer, "status"))["state"] != "failed":
            assert status["state"] == "running"
        assert time.monotonic() - begun < 2.0
        assert status["reason"] == "the run's process has ended without a word"
    run.communicate()


def test_when_the_view_is_killed_the_run_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    run, link = started("--set", "run.duration=2", "--out", str(tmp_path))
    with viewer_of(link) as viewer:
        want(viewer)
        state(viewer)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        (view,) = [int(child) for child in children if b"view.server" in Path(f"/proc/{child}/cmdline").read_bytes()]
        os.kill(view, signal.SIGKILL)
        closed_with(viewer)
    said, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, said
    assert said.startswith("devs-robotics: the view has ended, and shows nothing more: the run goes on\n")
    assert "seen again" not in said
    assert json.loads((tmp_path / "summary.json").read_text())["outcome"] == "accepted"
    assert not (tmp_path / "view.json").exists()
