"""From the name of a protocol to its class."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from devs_robotics import DevsRoboticsError, Drive
from devs_robotics.hil.drivers import driver_for
from devs_robotics.hil.lab.json_robot import JsonStandIn
from devs_robotics.hil.lab.laboratory import KINDS
from devs_robotics.hil.protocols import Output, Protocol, protocol_for
from devs_robotics.hil.protocols.naming import PROTOCOLS
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.hil.drivers.test_driver import Words


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_known_protocol_has_a_driver_that_can_be_made(protocol: str) -> None:
    driver = driver_for(protocol)("driver", 3, "tcp://robot:1", SETTINGS)
    assert list(driver.stop_message())


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_known_protocol_has_a_stand_in(protocol: str) -> None:
    assert protocol in KINDS
    assert (protocol_for(protocol).stand_in == "broker") == (KINDS[protocol] is JsonStandIn)


def test_a_protocol_of_ones_own_is_named_by_its_module_and_class() -> None:
    assert protocol_for("tests.hil.drivers.test_driver:Words") is Words
    driver = driver_for("tests.hil.drivers.test_driver:Words")("driver", 3, "tcp://robot:1", SETTINGS)
    assert type(driver.protocol) is Words
    assert (driver.name, driver.robot, driver.address) == ("driver", 3, "tcp://robot:1")
    assert driver.protocol.settings is SETTINGS


@pytest.mark.parametrize(
    ("protocol", "sentence"),
    [
        (
            "epuck-asci",
            r"there is no protocol 'epuck-asci': did you mean 'epuck-ascii'\? There are json, .*; a protocol of",
        ),
        ("zigbee", "there are json, epuck-ascii, epuck-binary, epuck2-wifi, ros2; a protocol"),
        (
            "no_such.module:Driver",
            r"the protocol 'no_such.module:Driver' is not there: no module 'no_such'.*PYTHONPATH",
        ),
        ("tests.hil.drivers.test_driver:Wrods", "has no class 'Wrods'"),
        ("tests.hil.drivers.test_driver:words", "has no class 'words'"),
        (
            "devs_robotics.hil.testing.driver_bench:User",
            r"is no protocol: derive it from devs_robotics.hil.protocols.Protocol \(docs/add-a-robot.md\)",
        ),
        (".bench:User", "'.bench:User' can name no protocol: write module:Class"),
        (":", "can name no protocol: write module:Class"),
    ],
)
def test_what_names_no_protocol_is_refused_in_a_sentence(protocol: str, sentence: str) -> None:
    for finds in (protocol_for, driver_for):
        with pytest.raises(DevsRoboticsError, match=sentence):
            finds(protocol)


class Unfinished(Protocol):
    """Says not what stops it."""

    def begin(self, drive: Drive) -> Iterable[Output]:
        return ()


class Letters(Words):
    schemes = "serial"  # type: ignore[assignment]


class Lists(Words):
    equipment = ["gripper"]  # type: ignore[assignment]  # noqa: RUF012


@pytest.mark.parametrize(
    ("protocol", "sentence"),
    [
        (f"{__name__}:Unfinished", r"has no feed and no stop_message: write it \(docs/add-a-robot.md\)"),
        (f"{__name__}:Letters", r"has schemes = 'serial': make it a tuple of texts, such as \('serial',\)"),
        (f"{__name__}:Lists", r"has equipment = \['gripper'\]: make it a dictionary of names and types, such as \{'g"),
    ],
)
def test_a_class_that_is_not_ready_is_refused_before_a_run(protocol: str, sentence: str) -> None:
    with pytest.raises(DevsRoboticsError, match=sentence):
        protocol_for(protocol)


def test_who_imports_as_drivers_did_is_told_what_a_robot_of_ones_own_is_now() -> None:
    with pytest.raises(ImportError, match="has no Lines any more: a robot of your own is a protocol now, so derive it"):
        from devs_robotics.hil.drivers import Lines  # noqa: F401
