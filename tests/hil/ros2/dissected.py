"""What Wireshark's dissector of RTPS reads in our packets: a longer check, with real packets on the loopback interface.

    python -m tests.hil.ros2.dissected

A process tells odometry, and this one commands it over DDS; tshark captures both. Its dissector has to find nothing
malformed, topics and types by the names of ROS, their hashes, no other information on types, and the bytes that were
written. It needs tshark (``apt-get install tshark``) and the right to capture, as root has it.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devs_robotics.hil.protocols.ros2.messages import BaseVelocity, write_twist
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, TWIST, dds_topic, dds_type
from devs_robotics.hil.protocols.ros2.type_store import type_hash
from devs_robotics.hil.transports.dds import dds_bus
from devs_robotics.hil.transports.ros2_bus import COMMAND
from tests.hil.ros2.environments import free_domain
from tests.hil.transports.heard import Heard
from tests.hil.transports.test_ros2_buses import peer

COMMANDS = 40
HEADER = 4
"""Bytes before a message: how it is encoded, which tshark tells apart."""

TYPE_INFORMATION = "0x0075"
"""The parameter that tells of a type what Fast DDS 3 and Cyclone do not understand of each other."""


@contextmanager
def captured(domain: int, file: Path) -> Iterator[None]:
    """All packets of a domain meanwhile."""
    first = 7400 + 250 * domain
    filtered = ["tshark", "-i", "lo", "-f", f"udp portrange {first}-{first + 249}", "-w", str(file)]
    process = subprocess.Popen(filtered, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        while "File: " not in (line := process.stderr.readline()):
            if not line:
                sys.exit("tshark does not capture: run this as root, or allow it to capture")
        yield
        time.sleep(1.0)  # what was captured last has to be written
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def commanded(domain: int) -> bytes:
    """Command a robot in another process; returns the message that it was told `COMMANDS` times."""
    said = write_twist(BaseVelocity(0.125, -0.5))
    with peer(domain):
        bus, heard = dds_bus(domain, "lo"), Heard()
        bus.subscribe("/turtle1/odom", ODOMETRY, heard)
        writer = bus.publish("/turtle1/cmd_vel", TWIST, COMMAND)
        heard.wait_for(lambda all_: len(all_) > 2)
        for _ in range(COMMANDS):
            writer.send(said)
            time.sleep(0.05)
        bus.close()
    return said


def read(file: Path, which: str, *fields: str) -> list[list[str]]:
    """Fields of the packets that a filter shows."""
    command = ["tshark", "-r", str(file), "-Y", which, "-T", "fields"]
    command += [word for field in fields for word in ("-e", field)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in found.splitlines()]


def check(file: Path, said: bytes) -> None:
    """See what the dissector makes of it; prints what it is."""
    packets = read(file, "rtps", "frame.number")
    wrong = read(file, "_ws.malformed || _ws.expert.severity >= 0x600000", "frame.number")
    assert not wrong, f"malformed: {wrong}"
    announced = read(file, "rtps.param.topicName", "rtps.param.topicName", "rtps.param.typeName")
    found = {pair for line in announced for pair in zip(*(field.split(",") for field in line), strict=True)}
    users = {each for (line,) in read(file, "rtps.param.userData", "rtps.param.userData") for each in line.split(",")}
    for topic, kind in (("/turtle1/odom", ODOMETRY), ("/turtle1/cmd_vel", TWIST)):
        assert (dds_topic(topic), dds_type(kind)) in found, found
        assert f"typehash={type_hash(kind)};".encode().hex() in users, users
    parameters = {each for (line,) in read(file, "rtps.param.id", "rtps.param.id") for each in line.split(",")}
    assert TYPE_INFORMATION not in parameters
    data = [each for (line,) in read(file, "rtps.issueData", "rtps.issueData") for each in line.split(",")]
    assert data.count(said[HEADER:].hex()) == COMMANDS, f"{data.count(said[HEADER:].hex())} commands of {COMMANDS}"
    print(f"{len(packets)} packets of RTPS, none malformed; {len(found)} topics with types and hashes")
    print(f"{COMMANDS} commands byte for byte; no information on types but their names and hashes")


def main() -> None:
    """Capture and check."""
    domain = free_domain()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rtps.pcapng"
        with captured(domain, file):
            said = commanded(domain)
        check(file, said)


if __name__ == "__main__":
    main()
