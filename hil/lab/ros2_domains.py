"""A domain of ROS 2 that a lab chooses for itself: nobody is in it, and no other lab of this computer comes there."""

from __future__ import annotations

import socket
from contextlib import suppress

from devs_robotics.core.errors import DevsRoboticsError

DOMAINS = range(42, 102)
"""Domains that a lab may choose for itself."""

KEPT = 5
"""Among the UDP ports of a domain, one that DDS leaves free."""

PARTICIPANTS = range(10, 42, 2)
"""The ports of its first 16 participants: the first ones may have gone while others are still there."""


class ChosenDomain:
    """A domain that is this lab's until it is closed, or its process ends.

    Attributes:
        number: of the domain

    Raises:
        DevsRoboticsError: all of them are in use
    """

    def __init__(self) -> None:
        for self.number in DOMAINS:
            kept = _bound("127.0.0.1", _port(self.number, KEPT))  # two labs cannot both have it
            if kept is None:
                continue
            if not any(_is_taken(_port(self.number, each)) for each in PARTICIPANTS):
                self._kept = kept
                return
            kept.close()
        raise DevsRoboticsError(
            f"all domains of ROS 2 from {DOMAINS[0]} to {DOMAINS[-1]} are in use on this computer: end what uses them"
        )

    def close(self) -> None:
        """Others may have it."""
        self._kept.close()


def _port(domain: int, number: int) -> int:
    """A UDP port of a domain (DDSI-RTPS 2.3, section 9.6.1.1)."""
    return 7400 + 250 * domain + number


def _is_taken(port: int) -> bool:
    """Whether somebody has a UDP port."""
    probe = _bound("", port)
    if probe is not None:
        probe.close()
    return probe is None


def _bound(host: str, port: int) -> socket.socket | None:
    """A socket at a UDP port; None where somebody has that."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with suppress(OSError):
        made.bind((host, port))
        return made
    made.close()
    return None
