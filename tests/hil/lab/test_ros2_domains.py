"""Labs that begin at the same time choose different domains of ROS 2."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab import ros2_domains
from devs_robotics.hil.lab.ros2_domains import ChosenDomain


def test_those_that_choose_at_the_same_time_choose_different_ones() -> None:
    with ExitStack() as stack, ThreadPoolExecutor(8) as pool:
        chosen = [stack.enter_context(closing(each)) for each in pool.map(lambda _: ChosenDomain(), range(16))]
        assert len({each.number for each in chosen}) == 16
        assert {each.number for each in chosen} <= set(ros2_domains.DOMAINS)


def test_one_in_which_somebody_is_is_not_chosen_and_one_that_was_left_is(monkeypatch: pytest.MonkeyPatch) -> None:
    number = 38  # which no lab chooses
    monkeypatch.setattr(ros2_domains, "DOMAINS", range(number, number + 1))
    ChosenDomain().close()
    with closing(ChosenDomain()) as chosen:
        assert chosen.number == number
        with pytest.raises(DevsRoboticsError, match=f"all domains of ROS 2 from {number} to {number} are in use"):
            ChosenDomain()
    for participant in (0, 1, 15):  # the others may have left
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as port:
            port.bind(("", 7410 + 250 * number + 2 * participant))
            with pytest.raises(DevsRoboticsError, match="end what uses them"):
                ChosenDomain()
    ChosenDomain().close()
