"""Where stand-ins listen, and who is served."""

from __future__ import annotations

import asyncio
import io
import math
import socket
import struct
from pathlib import Path

import pytest
import serial  # type: ignore[import-untyped]

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab.launch import LabError, LabProcess
from devs_robotics.hil.lab.process import LabServer
from tests.approximately import near
from tests.hil.lab.running import connected, received, truth, until
from tests.hil.lab.small_lab import lab_plan, stand_in
from tests.real_components import PATIENCE, free_port


def test_an_epuck2_serves_one_client_after_the_other() -> None:
    request = b"\x80\x02" + bytes(19)
    with LabProcess(lab_plan(stand_in(4, "epuck2-wifi"))) as lab:
        first, second, third = (connected(lab.addresses[4]) for _ in range(3))
        with first, second, third:
            first.sendall(request)
            assert received(first, 105)[:1] == b"\x02"
            second.sendall(b"\x80\x00" + bytes(19))  # it waits, and so does what it asks for
            received(first, 10 * 105)
            second.setblocking(False)
            with pytest.raises(BlockingIOError):
                second.recv(1)
            second.settimeout(PATIENCE)
            first.close()
            assert received(second, 3) == b"\x03\x03\x03"
            third.close()  # it has lost its patience
            second.close()
            with connected(lab.addresses[4]) as fourth:
                fourth.sendall(request)
                assert received(fourth, 105)[:1] == b"\x02"


@pytest.mark.parametrize("abruptly", [False, True])
def test_an_epuck2_drives_on_when_its_client_leaves_until_the_next_one_stops_it(abruptly: bool, tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    with LabProcess(lab_plan(stand_in(1, "epuck2-wifi", radius=0.035), truth=str(file), rate=5.0)) as lab:
        with connected(lab.addresses[1]) as client:
            client.sendall(b"\x80\x02\x00" + struct.pack("<2h", 300, 300) + bytes(14))
            received(client, 105)
            if abruptly:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        left = len(truth(file))
        until(lambda: len(truth(file)) >= left + 20)
        assert all(line["speed"] == near(300 * math.pi * 41e-6) for line in truth(file)[left + 2 :])
        with connected(lab.addresses[1]) as client:
            client.sendall(b"\x80\x00" + bytes(19))  # and leaves at once
        until(lambda: truth(file)[-1]["speed"] == 0.0)


def test_robots_listen_where_their_plan_says(tmp_path: Path) -> None:
    port, name = free_port(), tmp_path / "epuck3"
    name.symlink_to("/dev/pts/987654321")  # as a lab leaves it that is killed
    robots = [
        stand_in(2, "epuck2-wifi", address=f"tcp://127.0.0.9:{port}"),
        stand_in(3, "epuck-ascii", y=2.0, address=f"serial://{name}"),
    ]
    for _ in range(2):
        with LabProcess(lab_plan(*robots)) as lab:
            assert lab.addresses == {2: f"tcp://127.0.0.9:{port}", 3: f"serial://{name}"}
            with connected(lab.addresses[2]) as client:
                client.sendall(b"\x80" + bytes(20))
                assert client.recv(1) == b"\x03"
            with serial.Serial(str(name), timeout=PATIENCE) as line:
                line.write(b"C\r")
                assert line.read_until(b"c,3\r\n").endswith(b"c,3\r\n")
        assert not name.is_symlink()


def test_a_name_that_somebody_else_has_taken_meanwhile_is_left_alone(tmp_path: Path) -> None:
    name = tmp_path / "epuck"
    with LabProcess(lab_plan(stand_in(1, "epuck-ascii", address=f"serial://{name}"))):
        name.unlink()
        name.write_text("of somebody else")
    assert name.read_text() == "of somebody else"


def test_a_lab_that_cannot_start_takes_its_names_away(tmp_path: Path) -> None:
    name = tmp_path / "epuck"
    robots = [stand_in(number, "epuck-ascii", y=0.5 * number, address=f"serial://{name}") for number in (1, 2)]
    with pytest.raises(LabError, match=f"robot 2 cannot have {name} as the name of its line since another line has it"):
        LabProcess(lab_plan(*robots)).start()
    assert not name.is_symlink()


def test_where_a_robot_cannot_listen_is_said_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        cases = {
            ("epuck2-wifi", taken): f"cannot listen at {taken} (Address already in use): end the program",
            ("epuck2-wifi", "tcp://203.0.113.7:2000"): "choose an address that this machine has",
            ("epuck2-wifi", f"serial://{file}"): "is a TCP server and cannot listen at serial:",
            ("epuck-binary", taken): "is on a serial line and cannot listen at tcp:",
            ("epuck-ascii", "serial:COM3"): "is on a serial line and cannot listen at serial:COM3",
            ("epuck-ascii", f"serial://{file}"): "since there is something else already: choose another name",
            ("epuck-ascii", f"serial://{file}/x"): "(Not a directory): choose another name",
        }
        for (protocol, address), words in cases.items():
            plan = lab_plan(stand_in(1, protocol, address=address))
            with pytest.raises(DevsRoboticsError) as caught:
                asyncio.run(LabServer(plan, io.StringIO()).run(None))
            sentence = str(caught.value)
            assert sentence.startswith("robot 1 ")
            assert words in sentence
            assert "\n" not in sentence
    assert file.read_text() == ""


def test_a_client_that_does_not_read_holds_nobody_up() -> None:
    robots = stand_in(1, "epuck2-wifi"), stand_in(2, "epuck-ascii", y=2.0)
    with LabProcess(lab_plan(*robots, rate=20.0)) as lab, connected(lab.addresses[1]) as client:
        client.sendall(b"\x80\x03" + bytes(19))
        with serial.Serial(lab.addresses[2].removeprefix("serial://"), timeout=PATIENCE) as line:
            for _ in range(200):
                line.write(b"Q\r")
                assert line.read_until(b"q,0,0\r\n").endswith(b"q,0,0\r\n")
