"""A driver and a stand-in that plays equipment, in one thread: what is asked is carried out once, whatever is lost."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from msgspec import Struct

from devs_robotics import Answered, Asked, Bridge, Fault, Run, Simulator
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.testing import InsideLab
from devs_robotics.hil.testing.driver_bench import SETTINGS, DriverWithUser, Message, User
from tests.hil.lab.small_lab import lab_plan, stand_in


class Count(Struct, frozen=True):
    by: int


class Counted(Struct, frozen=True):
    total: int


class Counter(EquipmentStandIn):
    """Counts, so that what is carried out twice shows."""

    takes = 0.4
    total: ClassVar[int] = 0

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        Counter.total += question["by"]
        return {"total": Counter.total}


@pytest.fixture(autouse=True)
def _from_zero() -> None:
    Counter.total = 0


class Slow(Counter):
    """Takes longer than a robot waits for a host that is silent."""

    takes = 1.0


def run(
    *times: float, cuts: tuple[tuple[float, float], ...] = (), until: float = 20.0, played: str = "Counter"
) -> list[tuple[float, Message]]:
    """Ask to count by one at each time, with a link that is cut and mended at times; what the user was told.

    The laboratory goes on for a while when the run is over.
    """
    lab = InsideLab(lab_plan(stand_in(7, latency=0.01, jitter=0.01, equipment={"counter": f"{__name__}:{played}"})))
    driver = Driver("driver", "a stand-in", JsonRobot(7, SETTINGS))
    driver.carried["counter"] = (Count, Counted)
    user = User([(at, Asked("counter", Count(1))) for at in times])
    bench, bridge, end = DriverWithUser(driver, user), Bridge(), lab.ends[7]
    end.join(bridge, PacketPorts(bench.outgoing, bench.incoming), driver)
    for cut, mended in cuts:
        lab.clock.at(cut, lab.robot_ends[7].cut)
        lab.clock.at(mended, lab.robot_ends[7].mend)
    lab.start()
    with Simulator(bench) as simulator:
        Run(simulator, lab.clock, bridge).until(time=until)
    lab.laboratory.advance(until + 5.0)
    return user.told


def totals(told: list[tuple[float, Message]]) -> list[int]:
    assert not [message for _, message in told if isinstance(message, Fault)]
    return [message.answer.total for _, message in told if isinstance(message, Answered)]  # type: ignore[attr-defined]


def test_requests_are_carried_out_in_order_and_take_their_time() -> None:
    told = run(1.0, 1.1, 1.2)
    assert totals(told) == [1, 2, 3]
    assert [at for at, _ in told] == [pytest.approx(1.4 + 0.4 * number, abs=0.1) for number in range(3)]


@pytest.mark.parametrize("cut", [0.95, 1.005, 1.1, 1.3, 1.41, 1.45])
@pytest.mark.parametrize("length", [0.1, 0.45, 2.0])
def test_a_link_that_is_cut_at_any_time_makes_nothing_happen_twice(cut: float, length: float) -> None:
    assert totals(run(1.0, 5.0, cuts=((cut, cut + length),))) == [1, 2]


def test_a_run_that_ends_leaves_nothing_under_way() -> None:
    assert run(1.0, until=1.2, played="Slow") == []
    assert Counter.total == 0
    assert totals(run(1.0, until=2.2, played="Slow")) == [1]
