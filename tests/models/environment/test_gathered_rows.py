"""Answers to many robots leave as one."""

from __future__ import annotations

from devs_robotics import Port
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.robots.messages import PoseChange
from devs_robotics.models.environment.gathered_rows import GatheredRows


def answer(robot: int) -> PoseChange:
    return PoseChange(robot, float(robot), 0.0, 0.0)


def test_all_that_was_gathered_is_sent_once_by_the_robots_numbers() -> None:
    port: Port[Rows] = Port(Rows, "rows")
    gathered = GatheredRows(PoseChange, port)
    assert (gathered.name, gathered.p_type) == ("rows", PoseChange)
    gathered.send()
    assert list(port.values) == []
    for robot in (3, 1, 2):
        gathered.add(answer(robot))
    assert list(port.values) == []
    gathered.send()
    (rows,) = port.values
    assert (rows.kind, rows.robots.tolist(), rows.messages) == (
        PoseChange,
        [1, 2, 3],
        [answer(1), answer(2), answer(3)],
    )
    gathered.send()
    assert len(list(port.values)) == 1
    gathered.add(answer(7))
    gathered.send()
    assert [rows.robots.tolist() for rows in port.values] == [[1, 2, 3], [7]]
