"""From the name of a protocol to its driver."""

from __future__ import annotations

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.drivers import driver_for
from devs_robotics.hil.drivers.naming import DRIVERS
from devs_robotics.hil.lab.json_robot import JsonRobot
from devs_robotics.hil.lab.laboratory import KINDS
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.hil.drivers.test_driver import Words


@pytest.mark.parametrize("protocol", DRIVERS)
def test_each_known_protocol_has_a_driver_that_can_be_made(protocol: str) -> None:
    driver = driver_for(protocol)("driver", 3, "tcp://robot:1", SETTINGS)
    assert list(driver.last_words())


@pytest.mark.parametrize("protocol", DRIVERS)
def test_each_known_protocol_has_a_stand_in(protocol: str) -> None:
    assert protocol in KINDS
    assert (driver_for(protocol).stand_in == "broker") == (KINDS[protocol] is JsonRobot)


def test_a_driver_of_ones_own_is_named_by_its_module_and_class() -> None:
    assert driver_for("tests.hil.drivers.test_driver:Words") is Words


@pytest.mark.parametrize(
    ("protocol", "sentence"),
    [
        ("epuck-asci", "there is no protocol 'epuck-asci': did you mean 'epuck-ascii'; a driver of your own is"),
        ("zigbee", "there are json, epuck-ascii, epuck-binary, epuck2-wifi; a driver"),
        ("no_such.module:Driver", r"the driver 'no_such.module:Driver' is not there: no module 'no_such'.*PYTHONPATH"),
        ("tests.hil.drivers.test_driver:Wrods", "has no class 'Wrods'"),
        ("tests.hil.drivers.test_driver:words", "has no class 'words'"),
        (
            "devs_robotics.hil.testing.driver_bench:User",
            r"is no driver: derive it from devs_robotics.hil.drivers.Driver \(docs/add-a-robot.md\)",
        ),
        (".bench:User", "'.bench:User' can name no driver: write module:Class"),
        (":", "can name no driver: write module:Class"),
    ],
)
def test_what_names_no_driver_is_refused_in_a_sentence(protocol: str, sentence: str) -> None:
    with pytest.raises(DevsRoboticsError, match=sentence):
        driver_for(protocol)
