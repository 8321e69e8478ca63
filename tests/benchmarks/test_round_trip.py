"""The benchmark of round trips runs, and loses nothing."""

from __future__ import annotations

import pytest

from tests.benchmarks.round_trip import measure, row
from tests.real_components import Mosquitto


@pytest.mark.wall_clock
def test_no_answer_is_lost() -> None:
    with Mosquitto() as broker:
        host = measure(broker.address, robots=10, connections=2, seconds=0.5)
    assert len(host.taken) == len(host.asked) == 50
    assert row("mosquitto", 10, 2, host).startswith("| mosquitto | 10 | 2 | 50 | 0 | ")
