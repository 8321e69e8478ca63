"""What is on the wire, as the published programs write it: a topic, a payload, and what it means."""

from __future__ import annotations

from math import pi
from typing import Any

from devs_robotics.core.robots.outside import (
    AskedFor,
    AskedForAll,
    Asks,
    AsksWhere,
    Calls,
    Dismissed,
    Glows,
    Introduces,
    IsThere,
    Logs,
    Stands,
)
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.reading import Announced, ObstaclesWanted
from tests.approximately import near

ARENA = WireArena()
"""180 cm by 180 cm about its own origin."""

MIDDLE = 0.9
"""Where the arena's origin is in the field, along both axes (m)."""


def about(*numbers: float) -> Any:
    return tuple(near(number) for number in numbers)


PUBLISHED: list[tuple[str, bytes, list[Any]]] = [
    (
        "robot/create",
        b'{"id":70,"x":0,"y":0,"heading":180,"reality":"R"}',
        [Introduces(70, about(MIDDLE, MIDDLE, pi), "real")],
    ),
    (
        "robot/create",
        b'{"id":70,"x":0,"y":0,"heading":90.0,"reality":V}',
        [Introduces(70, about(MIDDLE, MIDDLE, pi / 2), "virtual")],
    ),
    ("robot/create", b'{"id":"5","reality":"V"}', [Introduces(5, None, "virtual")]),
    ("robot/live", b'{"id":1,"reality":"V"}', [IsThere(1, "virtual")]),
    ("robot/live", b'{"id":"1"}', [IsThere(1)]),
    (
        "localization/update",
        b'[{"id":1,"x":5.0,"y":0.0,"heading":0.0,"reality":"V"}]',
        [Stands(1, near(0.95), near(MIDDLE), near(0.0), "virtual")],
    ),
    (
        "localization/update",
        b'{"3":{"id":3,"x":-90,"y":"90","heading":-90,"reality":"R"},"4":{"x":0,"y":0,"heading":0}}',
        [Stands(3, near(0.0), near(1.8), near(-pi / 2), "real"), Stands(4, near(MIDDLE), near(MIDDLE), near(0.0))],
    ),
    ("localization", b"70", [AsksWhere(70)]),
    ("localization", b'"70"', [AsksWhere(70)]),
    ("sensor/distance", b'{"id":1,"reality":"M"}', [Asks(1, "distance", sees=("real", "virtual"))]),
    ("sensor/distance", b'{"id":"70","dist":"12"}', [Asks(70, "distance")]),
    ("sensor/color", b'{"id":1,"reality":"M"}', [Asks(1, "colour", sees=("real", "virtual"))]),
    (
        "sensor/color",
        b'{"id":"7","R":"10","G":"20","B":"30","ambient":"20","reality":"V"}',
        [Asks(7, "colour", sees=("virtual",))],
    ),
    (
        "sensor/proximity",
        b'{"id":1,"angles":[-90,0,90],"reality":"V"}',
        [Asks(1, "proximity", about(pi / 2, 0.0, -pi / 2), ("virtual",))],
    ),
    ("sensor/proximity", b'{"id":1,"reality":"R"}', [Asks(1, "proximity", (0.0,), ("real",))]),
    ("comm/out/simple", b'{"id":1,"msg":"near-1","dist":20}', [Calls(1, "near-1", near(0.2))]),
    ("comm/out/simple", b'{"id":"1","msg":"near-1"}', [Calls(1, "near-1")]),
    ("comm/out/direct", b'{"id":1,"msg":"7 REQ","dist":"60"}', [Calls(1, "7 REQ", near(0.6), True)]),
    ("output/neopixel", b'{"id":1,"R":66,"G":66,"B":66}', [Glows(1, (66, 66, 66))]),
    ("robot/log", b'{"id":"70","msg":"312"}', [Logs(70, "312")]),
    ("robot/delete", b"42", [Dismissed(42)]),
    ("robot/delete", b'{"id":42}', [Dismissed(42)]),
    ("obstacles/?", b"R", [ObstaclesWanted(("real",))]),
    ("obstacles/?", b"M", [ObstaclesWanted(("real", "virtual"))]),
    ("localization/data/?", b"?", [AskedForAll(0)]),
    ("mgt/robots/snapshot", b'{"id":1}', [AskedFor(1)]),
    ("service/discovery", b'{"uuid":"ab-cd","timestamp":1700000000000}', [Announced("ab-cd", 1.7e12)]),
]
