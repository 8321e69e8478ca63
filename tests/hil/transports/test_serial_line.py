"""What only serial lines have: devices that are missing, in use, or none."""

from __future__ import annotations

import os
import pty
import select
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serial import SerialException  # type: ignore[import-untyped]
from serial.urlhandler import protocol_socket  # type: ignore[import-untyped]

from devs_robotics.hil.addresses import SerialAddress
from devs_robotics.hil.transports.serial_line import PORTION, SerialLine
from devs_robotics.hil.transports.stream import PIECE, STALL, Wire
from tests.hil.transports.inbox import PATIENCE, Inbox


def why_it_is_down(address: SerialAddress) -> str:
    line, inbox = SerialLine(address), Inbox()
    line.open(inbox)
    reason = inbox.wait_for_link(up=False).reason
    line.close()
    return reason


def test_a_device_that_is_missing_is_told_with_a_remedy(tmp_path: Path) -> None:
    assert why_it_is_down(SerialAddress(f"{tmp_path}/ttyACM0")) == (
        f"serial://{tmp_path}/ttyACM0?baud=115200 cannot be opened (No such file or directory): "
        "plug it in, or correct the address"
    )


@pytest.mark.parametrize("url", ["gopher://host", "socket://127.0.0.1:1"])
def test_a_url_that_leads_nowhere_is_told(url: str) -> None:
    assert "cannot be opened" in why_it_is_down(SerialAddress(url))


def test_a_file_that_is_no_device_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be opened" in why_it_is_down(SerialAddress(f"{tmp_path}/file"))


def test_a_line_that_is_in_use_is_told_with_a_remedy_and_opened_when_it_is_free() -> None:
    ends = pty.openpty()
    address = SerialAddress(os.ttyname(ends[1]))
    first, second = SerialLine(address), SerialLine(address)
    at_first, at_second = Inbox(), Inbox()
    first.open(at_first)
    at_first.wait_for_link(up=True)
    second.open(at_second)
    assert at_second.wait_for_link(up=False).reason.endswith("unavailable): end the program that uses it")
    first.close()
    at_second.wait_for_link(up=True)
    second.close()
    for end in ends:
        os.close(end)


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def over_a_socket(server: socket.socket) -> SerialLine:
    return SerialLine(SerialAddress(f"socket://127.0.0.1:{server.getsockname()[1]}"))


def reset(peer: socket.socket) -> None:
    """End a connection as a machine does that has lost it."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def test_a_socket_whose_peer_has_gone_is_closed_too(server: socket.socket) -> None:
    wire = over_a_socket(server).connect()
    peer, _ = server.accept()
    connection = wire._port._socket  # type: ignore[attr-defined]
    reset(peer)
    with pytest.raises(OSError, match="pulled out"):
        wire.read()
    wire.close()
    assert connection.fileno() == -1
    wire.close()


def test_a_socket_whose_peer_goes_while_it_is_opened_is_closed_too(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[socket.socket] = []

    def fail(port: Any) -> None:
        made.append(port._socket)
        reset(server.accept()[0])
        raise SerialException("read failed: connection reset")

    monkeypatch.setattr(protocol_socket.Serial, "reset_input_buffer", fail)
    with pytest.raises(OSError, match=r"cannot be opened \(read failed: connection reset\)"):
        over_a_socket(server).connect()
    assert made[0].fileno() == -1


@pytest.fixture
def line() -> Iterator[tuple[Wire, int]]:
    """A serial line, and the other end of it."""
    ends = pty.openpty()
    wire = SerialLine(SerialAddress(os.ttyname(ends[1]))).connect()
    yield wire, ends[0]
    wire.close()
    for end in ends:
        os.close(end)


def test_what_has_come_is_read_in_pieces_up_to_a_bound_and_not_byte_by_byte(line: tuple[Wire, int]) -> None:
    wire, far = line
    assert wire.read() == b""
    whole = bytes(range(250)) * 4 * (PIECE // 1000 + 2)
    for start in range(0, len(whole), 1000):
        os.write(far, whole[start : start + 1000])
    pieces: list[bytes] = []
    while sum(map(len, pieces)) < len(whole):
        pieces.append(wire.read())
    assert b"".join(pieces) == whole
    assert max(map(len, pieces)) <= PIECE
    assert len(pieces) < 100


@pytest.mark.parametrize("length", [1, PORTION, PORTION + 1, 12 * PORTION + PORTION // 2])
def test_all_of_a_write_is_written(length: int, line: tuple[Wire, int]) -> None:
    wire, far = line
    data = bytes(number % 251 for number in range(length))
    wire.write(data)
    got = b""
    while len(got) < length:
        assert select.select([far], [], [], PATIENCE)[0], f"only {len(got)} bytes came"
        got += os.read(far, 4096)
    assert got == data


def test_a_write_ends_when_the_line_is_given_up_or_stalls(line: tuple[Wire, int]) -> None:
    wire, _ = line
    assert wire._port.write_timeout == STALL  # type: ignore[attr-defined]
    wire.cancel()
    with pytest.raises(OSError, match="given up"):
        wire.write(b"stop")
