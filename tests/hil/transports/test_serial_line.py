"""What only serial lines have: devices that are missing, in use, or none."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from hil.addresses import SerialAddress
from hil.transports.serial_line import SerialLine
from tests.hil.transports.inbox import Inbox


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
