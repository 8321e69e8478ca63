"""Where a run is published for tools of ROS 2."""

from __future__ import annotations

from devs_robotics.hil.addresses import AddressError, Ros2Address, parse
from devs_robotics.hil.protocols.ros2.type_store import type_store

ALLOWED = ("domain", "interface", "peers", "distro")
"""Options of such an address; the others are of robots."""


def check_place(text: str) -> Ros2Address:
    """The address of a domain or a router, with a namespace or none.

    Raises:
        AddressError: it is none
        Ros2Error: a package is missing
    """
    address = parse(text)
    if not isinstance(address, Ros2Address):
        raise AddressError(f"the address '{address}' is none of ROS 2: write ros2://?domain=0")
    for key, _ in address.options:
        if key not in ALLOWED:
            raise AddressError(f"the address '{address}' has the option {key}, which is of robots: leave it out")
    type_store()
    return address
