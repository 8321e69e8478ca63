"""The lab as a process, over a real broker, a real pty and real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition
from typing import Any

import msgspec
import pytest
import serial  # type: ignore[import-untyped]
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from devs_robotics.hil.lab import plan_text, process
from devs_robotics.hil.lab.launch import LabError, LabProcess
from devs_robotics.hil.lab.plan import LabDisc, LabPlan
from devs_robotics.hil.robot_protocol import (
    HEARTBEAT,
    SILENCE,
    Command,
    Fix,
    Gone,
    Heartbeat,
    Moved,
    Ranges,
    Report,
    Sense,
    State,
)
from tests.approximately import near
from tests.hil.lab.running import connected, truth, until
from tests.hil.lab.small_lab import REPORTS, lab_plan, move, stand_in
from tests.real_components import PATIENCE, Mosquitto, free_port


class Host:
    """A host on the broker that keeps all that it hears."""

    def __init__(self, port: int, *topics: str) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._heard = Condition()
        self._ready = False
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe([(topic, 0) for topic in topics])
        self._client.on_subscribe = lambda *_: self._note(None)
        self._client.on_message = lambda _client, _user, message: self._note((message.topic, bytes(message.payload)))
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self.wait_for(lambda: self._ready)

    def _note(self, message: tuple[str, bytes] | None) -> None:
        with self._heard:
            if message is None:
                self._ready = True
            else:
                self.messages.append(message)
            self._heard.notify_all()

    def say(self, command: Command) -> None:
        self._client.publish(f"lab/robot/{command.robot}/command", msgspec.json.encode(command))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self._heard:
            assert self._heard.wait_for(condition, PATIENCE), self.messages

    def reports(self, kind: type[Any]) -> list[Any]:
        found: list[Report] = [REPORTS.decode(data) for topic, data in self.messages if topic.endswith("/report")]
        return [report for report in found if isinstance(report, kind)]

    def beat_until(self, condition: Callable[[], bool]) -> None:
        """Send heartbeats as a host does, until something has been heard."""
        deadline = time.monotonic() + PATIENCE
        with self._heard:
            while not condition():
                assert time.monotonic() < deadline, self.messages
                self.say(Heartbeat(1, 0))
                self._heard.wait(HEARTBEAT)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    mosquitto = Mosquitto()
    mosquitto.start()
    yield mosquitto
    mosquitto.stop()


@pytest.fixture
def host(broker: Mosquitto) -> Iterator[Host]:
    host = Host(broker.port, "lab/#")
    yield host
    host.close()


def json_plan(broker: Mosquitto, **changes: Any) -> LabPlan:
    return lab_plan(stand_in(address=f"{broker.address}/lab/robot/1", reach=1.0), **changes)


def spawn(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "devs_robotics.hil.lab", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def first_lines(process: subprocess.Popen[bytes], number: int) -> list[Any]:
    assert process.stdout is not None
    return [json.loads(process.stdout.readline()) for _ in range(number)]


def end(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, errors.decode()


def test_a_json_robot_moves_and_sees_over_a_broker(broker: Mosquitto, host: Host) -> None:
    plan = json_plan(broker, discs=(LabDisc(2.0, 1.0, 0.1),))
    with LabProcess(plan) as lab:
        assert lab.addresses == {1: f"{broker.address}/lab/robot/1"}
        host.wait_for(lambda: bool(host.reports(State)))
        host.say(move(9, distance=0.2))
        host.beat_until(lambda: bool(host.reports(Moved)))
        host.say(Sense(1, 4))
        host.wait_for(lambda: bool(host.reports(Ranges)))
    assert [(moved.id, moved.distance, moved.ended) for moved in host.reports(Moved)] == [(9, 0.2, "done")]
    assert [(ranges.id, ranges.values) for ranges in host.reports(Ranges)] == [(4, (near(0.65),))]
    host.wait_for(lambda: bool(host.reports(Gone)))


def test_a_killed_lab_is_reported_by_its_last_will(broker: Mosquitto, host: Host) -> None:
    lab = LabProcess(json_plan(broker))
    lab.start()
    lab.kill()
    host.wait_for(lambda: bool(host.reports(Gone)))


@pytest.mark.wall_clock
def test_a_robot_stops_when_its_broker_is_killed_and_comes_back(broker: Mosquitto, host: Host, tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    with LabProcess(json_plan(broker, truth=str(file), width=100.0)):
        host.say(move(1, distance=80.0))
        host.beat_until(lambda: bool(truth(file)) and truth(file)[-1]["speed"] > 0.0)
        killed = time.time()
        broker.kill()
        until(lambda: truth(file)[-1]["speed"] == 0.0)
        stopped = next(line["unix"] for line in truth(file) if line["unix"] > killed and line["speed"] == 0.0)
        assert stopped - killed <= SILENCE + 0.05 + 0.2  # the rest is for a busy machine
        broker.start()
        again = Host(broker.port, "lab/#")
        again.wait_for(lambda: bool(again.reports(State)))
        assert again.reports(State)[-1].last == 1
        again.close()


def test_a_tracking_system_tells_where_robots_are(broker: Mosquitto, host: Host) -> None:
    with LabProcess(json_plan(broker, tracking=f"{broker.address}/lab/tracking", tracking_period=0.1)):
        host.wait_for(lambda: sum(topic == "lab/tracking" for topic, _ in host.messages) >= 3)
    fixes = [msgspec.json.decode(data, type=Fix) for topic, data in host.messages if topic == "lab/tracking"]
    assert set(fixes) == {Fix(1, 1.0, 1.0, 0.0)}


def test_true_poses_are_written_while_it_runs(tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    robots = [stand_in(2, "epuck-ascii", heading=1.0), stand_in(5, "epuck-ascii", y=2.0)]
    with LabProcess(lab_plan(*robots, truth=str(file), rate=20.0)):
        until(lambda: len(truth(file)) >= 40)
    lines = truth(file)
    assert [line["robot"] for line in lines[:4]] == [2, 5, 2, 5]
    assert [line["t"] for line in lines[::2]] == [near(0.05 * k) for k in range(len(lines[::2]))]
    assert lines[0] == {"robot": 2, "t": 0.0, "unix": near(time.time(), 60), "x": 1.0, "y": 1.0, "heading": 1.0} | {
        "speed": 0.0
    }


@pytest.mark.wall_clock
def test_the_labs_time_keeps_step_with_real_time(tmp_path: Path) -> None:
    file, rate = tmp_path / "truth.jsonl", 20.0
    with LabProcess(lab_plan(stand_in(1, "epuck-ascii"), truth=str(file), rate=rate)):
        until(lambda: len(truth(file)) >= 400)
    lines = truth(file)
    starts = sorted(line["unix"] - line["t"] / rate for line in lines)
    assert starts[len(starts) // 2] - starts[0] < 0.01  # half of all are on time
    assert starts[0] >= lines[0]["unix"] - 0.05  # and none is early


def test_an_epuck_is_reached_over_a_pty() -> None:
    with LabProcess(lab_plan(stand_in(3, "epuck-binary"))) as lab:
        device = lab.addresses[3].removeprefix("serial://")
        for _ in range(2):  # a host may leave, and another one come
            with serial.Serial(device, 115200, timeout=PATIENCE) as line:
                line.write(b"\r\nV\r")
                assert line.read_until(b"GCtronic\r\n").endswith(b"v,Version 2.0 January 2018 GCtronic\r\n")
                assert line.read_until(b"\r\n").startswith(b"HW version")
                line.write(b"\xaf\x00")  # Q
                assert line.read(4) == bytes(4)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_it(number: signal.Signals, tmp_path: Path) -> None:
    file, name = tmp_path / "plan.json", tmp_path / "epuck"
    file.write_bytes(plan_text.encode(lab_plan(stand_in(1, "epuck-ascii", address=f"serial://{name}"))))
    process = spawn("--plan", str(file))
    lines = first_lines(process, 2)
    assert (lines[0]["robot"], lines[0]["protocol"]) == (1, "epuck-ascii")
    assert lines[1] == {"ready": True}
    assert name.is_symlink()
    process.send_signal(number)
    assert end(process) == (0, "")
    assert not name.is_symlink()


def test_the_end_of_standard_input_ends_a_lab_that_got_its_plan_there() -> None:
    process = spawn()
    assert process.stdin is not None
    process.stdin.write(plan_text.encode(lab_plan(stand_in(1, "epuck2-wifi"))) + b"\n")
    process.stdin.flush()
    first_lines(process, 2)
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def test_a_lab_with_a_plan_from_a_file_outlives_its_standard_input(tmp_path: Path) -> None:
    file, poses = tmp_path / "plan.json", tmp_path / "truth.jsonl"
    file.write_bytes(plan_text.encode(lab_plan(stand_in(1, "epuck-ascii"), truth=str(poses))))
    process = spawn("--plan", str(file))
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None
    first_lines(process, 2)
    before = len(truth(poses))
    until(lambda: len(truth(poses)) > before + 2)
    process.terminate()
    assert end(process) == (0, "")


def test_a_lab_ends_when_the_process_that_started_it_is_killed() -> None:
    program = (
        "from devs_robotics.hil.lab.launch import LabProcess; import sys, time\n"
        "from tests.hil.lab.small_lab import lab_plan, stand_in\n"
        "lab = LabProcess(lab_plan(stand_in(1, 'epuck2-wifi')))\n"
        "print(lab.start()[1], lab.pid, flush=True); time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        address, pid = starter.stdout.readline().decode().split()
        with connected(address) as client:
            starter.kill()
            assert client.recv(1) == b""
    until(lambda: not _lives(int(pid)))


def _lives(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def test_what_keeps_a_lab_from_starting_is_said_in_one_sentence(tmp_path: Path) -> None:
    port = free_port()
    cases = {
        "has the rate 0": lab_plan(rate=0.0),
        "cannot be written to": lab_plan(truth=str(tmp_path / "no" / "truth.jsonl")),
        f"127.0.0.1:{port}": lab_plan(stand_in(address=f"mqtt://127.0.0.1:{port}/robot/1")),
    }
    for words, plan in cases.items():
        with pytest.raises(LabError) as caught:
            LabProcess(plan).start()
        sentence = str(caught.value)
        assert words in sentence
        assert sentence.startswith("the lab of stand-in robots could not start: ")
        assert "\n" not in sentence


def test_a_plan_that_is_none_is_refused() -> None:
    process = spawn()
    assert process.stdin is not None
    process.stdin.write(b"{\n")
    process.stdin.flush()
    code, errors = end(process)
    assert code == 1
    assert errors.startswith("the plan of the lab cannot be read: ")
    assert errors.count("\n") == 1


def test_a_lab_may_be_stopped_twice() -> None:
    lab = LabProcess(lab_plan(stand_in(1, "epuck-ascii")))
    lab.start()
    lab.stop()
    lab.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(lab.pid, 0)


def test_signals_that_end_a_program_are_heard_where_a_loop_hears_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loop(asyncio.SelectorEventLoop):
        """As that of Windows, where there is no SIGHUP either."""

        def add_signal_handler(self, *_: object) -> None:
            raise NotImplementedError

    heard: dict[int, Any] = {}
    monkeypatch.setattr(signal, "signal", heard.__setitem__)
    monkeypatch.delattr(signal, "SIGHUP")
    loop = Loop()
    stopped: list[bool] = []
    process._at_signals(loop, lambda: stopped.append(True))
    assert {signal.SIGTERM, signal.SIGINT} <= set(heard)
    heard[signal.SIGINT](signal.SIGINT, None)
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    assert stopped == [True]
