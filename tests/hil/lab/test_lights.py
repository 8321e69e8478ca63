"""The lights of an e-puck2, and the colour in which its body is seen."""

from __future__ import annotations

import pytest

from devs_robotics.hil.lab.lights import Lights
from tests.hil.lab.sercom_line import ask, code, epuck
from tests.hil.lab.small_lab import SmallLab, stand_in


@pytest.mark.parametrize("place", range(8))
def test_each_light_of_the_ring_is_switched_alone(place: int) -> None:
    lights = Lights()
    lights.switch(place, 0)
    assert lights.ring == [False] * 8
    lights.switch(place, 1)
    lights.switch(place, 1)
    assert lights.ring == [number == place for number in range(8)]
    lights.switch(place, 2)
    assert lights.ring == [False] * 8
    lights.switch(-1, 1)
    lights.switch(9, 1)
    assert lights.ring == [False] * 8


def test_the_body_glows_in_all_its_lights_together() -> None:
    lights = Lights()
    assert lights.glow == (0.0, 0.0, 0.0)
    lights.paint((100, 0, 20, 0, 0, 20, 0, 0, 20, 0, 100, 20))
    assert lights.glow == (0.25, 0.25, 0.2)
    lights.switch(2, 1)
    assert lights.glow == (0.5, 0.25, 0.2)
    lights.switch_body(1)
    assert lights.glow == (0.5, 1.0, 0.2)
    lights.show(0x0F, bytes((100,) * 12))
    assert lights.glow == (1.0, 1.0, 1.0)
    lights.switch(1, 0)
    assert lights.glow == (1.0, 0.75, 0.75)


@pytest.mark.parametrize(
    "command", [b"B,1\r", code("L") + b"\x08\x01\0", b"\xf7" + bytes(5) + b"\x10" + bytes(13) + b"\0"]
)
def test_others_see_a_light_that_is_switched_on(command: bytes) -> None:
    lab = epuck()
    ask(lab, command)
    assert lab.laboratory.bodies[0].glow == (0.0, 1.0, 0.0)


def test_others_see_colours_go_on_and_off() -> None:
    lab = epuck()
    body = lab.laboratory.bodies[0]
    ask(lab, b"\xf6" + bytes((0, 0, 100) * 4) + b"\0")
    assert body.glow == (0.0, 0.0, 1.0)
    ask(lab, b"S\r")
    assert body.glow == (0.0, 0.0, 0.0)
    ask(lab, b"L,0,1\r")
    assert body.glow == (0.25, 0.0, 0.0)
    ask(lab, b"F,1\r")
    assert body.glow == (0.25, 0.0, 0.0)  # which only what is ahead sees
    lab = SmallLab(stand_in(protocol="epuck2-wifi"))
    lab.tell(b"\x80" + bytes(6) + b"\x10" + bytes(13))
    assert lab.laboratory.bodies[0].glow == (0.0, 1.0, 0.0)
