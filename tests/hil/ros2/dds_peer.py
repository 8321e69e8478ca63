"""A program of another kind in a domain of ROS 2, by Cyclone DDS alone; it ends when its standard input does.

python -m tests.hil.ros2.dds_peer DOMAIN hear TOPIC=KIND ...      prints what it hears, a line of JSON per message
python -m tests.hil.ros2.dds_peer DOMAIN tell                     publishes what it reads, a line of JSON per message
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import asdict, fields
from typing import Any

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

from tests.hil.ros2 import dds_messages

CONFIGURATION = """<CycloneDDS><Domain id="any"><General><Interfaces><NetworkInterface name="lo"/></Interfaces>
<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>
<MaxAutoParticipantIndex>99</MaxAutoParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain>
</CycloneDDS>"""

LATCHED = ("/tf_static", "/map")


def quality(topic: str) -> Any:
    """As ROS's tools ask for it."""
    latched = topic in LATCHED
    return Qos(
        Policy.Reliability.Reliable(duration(milliseconds=100)),
        Policy.History.KeepLast(1 if latched else 100),
        Policy.Durability.TransientLocal if latched else Policy.Durability.Volatile,
        Policy.DataRepresentation(use_cdrv0_representation=True, use_xcdrv2_representation=False),
    )


def hear(participant: Any, wanted: list[str], over: threading.Event) -> None:
    """Print what comes on some topics."""
    readers = {}
    for each in wanted:
        topic, _, kind = each.partition("=")
        made = Topic(participant, f"rt{topic}", getattr(dds_messages, kind))
        readers[topic] = DataReader(participant, made, qos=quality(topic))
    say(ready=True)
    while not over.is_set():
        for topic, reader in readers.items():
            for sample in reader.take(100):
                if sample.sample_info.valid_data:
                    say(topic=topic, at=time.time(), message=asdict(sample))
        time.sleep(0.005)


def tell(participant: Any) -> None:
    """Publish what is read."""
    writers: dict[str, Any] = {}
    say(ready=True)
    for line in sys.stdin:
        said = json.loads(line)
        kind = getattr(dds_messages, said["kind"])
        if said["topic"] not in writers:
            made = Topic(participant, f"rt{said['topic']}", kind)
            writers[said["topic"]] = DataWriter(participant, made, qos=quality(said["topic"]))
        writers[said["topic"]].write(_made(kind, said["message"]))


def _made(kind: Any, said: Any) -> Any:
    """An object of a class of messages, of plain data."""
    types = kind.__annotations__
    return kind(**{each.name: _value(types[each.name], said[each.name]) for each in fields(kind)})


def _value(kind: Any, said: Any) -> Any:
    if isinstance(said, dict):
        return _made(kind, said)
    if isinstance(said, list) and said and isinstance(said[0], dict):
        return [_made(kind.__metadata__[0].subtype, each) for each in said]
    return said


def _wait(over: threading.Event) -> None:
    """Wait until the standard input is over."""
    sys.stdin.read()
    over.set()


def say(**what: Any) -> None:
    """Print a line."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Take part until the standard input is over."""
    domain, role, *wanted = sys.argv[1:]
    keeps = Domain(int(domain), CONFIGURATION)
    participant = DomainParticipant(int(domain))
    if role == "tell":
        tell(participant)
    else:
        over = threading.Event()
        threading.Thread(target=_wait, args=(over,), daemon=True).start()
        hear(participant, wanted, over)
    del participant, keeps


if __name__ == "__main__":
    main()
