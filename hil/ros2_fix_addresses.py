"""Addresses of tracking systems of ROS 2: what tells where robots are.

``ros2://?tf=map&domain=0``            transforms: frame of the map, and how robots' frames are called (``base=``)
``ros2://?pose=/turtle{N}/amcl_pose``  a pose of each robot; ``{N}`` is its number
``ros2+zenoh://host:7447/?tf=map``     the same by a zenoh router
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from devs_robotics.hil.addresses import AddressError, Ros2Address, masked, parse
from devs_robotics.hil.protocols.ros2.fixes import NUMBER, FixSource
from devs_robotics.hil.protocols.ros2.names import is_name

SCHEMES = ("ros2:", "ros2+zenoh:")
ALLOWED = ("domain", "interface", "peers", "distro", "bridge")
"""Options of these addresses, beside what says where fixes come from."""


def is_ros2(address: str) -> bool:
    """Whether an address is one of ROS 2."""
    return address.startswith(SCHEMES)


def parse_fix_address(text: str) -> tuple[Ros2Address, FixSource]:
    """Where a tracking system is, and what it tells.

    Raises:
        AddressError: it cannot be understood
    """
    place, _, query = text.partition("?")
    given = [part.partition("=")[::2] for part in query.split("&") if part]
    said = {key: unquote(value) for key, value in given if key in ("tf", "base", "pose")}
    rest = "&".join(f"{key}={value}" for key, value in given if key not in said)
    address = parse(f"{place}?{rest}" if rest else place)
    assert isinstance(address, Ros2Address)
    if address.name:
        raise _error(text, f"names a robot, {address.name}, and a tracking system sees several: leave the name out")
    for key, _ in address.options:
        if key not in ALLOWED:
            raise _error(text, f"has the option {key}, which is of robots: leave it out")
    _check(text, said)
    return address, FixSource(**said)


def namespaces(addresses: Mapping[int, str | None]) -> dict[int, str | None]:
    """Namespaces of robots by their numbers; None for one whose address is not of ROS 2."""
    found: dict[int, str | None] = {}
    for robot, text in addresses.items():
        address = parse(text) if text is not None and is_ros2(text) else None
        found[robot] = address.name if isinstance(address, Ros2Address) else None
    return found


def _check(text: str, said: Mapping[str, str]) -> None:
    if ("tf" in said) == ("pose" in said):
        raise _error(
            text,
            f"must say where fixes come from: write ?tf=map for transforms, or ?pose=/turtle{NUMBER}/amcl_pose for "
            "poses",
        )
    if "base" in said and "pose" in said:
        raise _error(text, "has base and pose: base belongs to tf, so leave it out")
    for key, value in said.items():
        name = value.replace(NUMBER, "1").removeprefix("/" if key == "pose" else "")
        if not is_name(name) or (key == "pose" and not value.startswith("/")):
            example = {"tf": "tf=map", "base": f"base=turtle{NUMBER}/base_link", "pose": f"pose=/turtle{NUMBER}/pose"}
            raise _error(text, f"has {key}={value}: write a name such as {example[key]}")


def _error(text: str, sentence: str) -> AddressError:
    return AddressError(f"the address {masked(text)!r} {sentence}")
