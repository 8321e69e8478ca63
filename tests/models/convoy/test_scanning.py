"""The order of looks."""

from __future__ import annotations

import pytest

from devs_robotics.models.convoy.scanning import Scan


def looks(scan: Scan) -> list[float]:
    offsets = []
    while scan.turn_to_next() is not None:
        offsets.append(round(scan.offset, 9))
    return offsets


def test_a_scan_looks_ever_further_out_to_both_sides() -> None:
    assert looks(Scan(0.1, 0.3)) == [0.1, -0.1, 0.2, -0.2, 0.3, -0.3]


def test_the_turns_lead_from_look_to_look() -> None:
    scan = Scan(0.1, 0.2)
    turns = [scan.turn_to_next() for _ in range(5)]
    assert turns[:4] == pytest.approx([0.1, -0.2, 0.3, -0.4])
    assert turns[4] is None


def test_from_the_edge_of_a_thing_it_turns_on_to_its_centre() -> None:
    scan = Scan(0.1, 0.3)
    assert scan.turn_to_centre(0.2) == 0.0
    scan.turn_to_next()
    assert scan.turn_to_centre(0.2) == pytest.approx(0.15)
    scan.turn_to_next()
    assert scan.turn_to_centre(0.2) == pytest.approx(-0.15)
    assert scan.turn_to_centre(0.01) == 0.0
