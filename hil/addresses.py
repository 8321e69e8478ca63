"""Addresses: where a scenario says that a robot or a broker is.

======================================  =====================================================================
``serial:///dev/ttyACM0?baud=115200``   a serial line; also ``serial:COM3``, and pyserial's ``serial:socket://host:port``
``tcp://192.0.2.7:1000``                a TCP server
``mqtt://host/robot/7``                 a topic prefix at an MQTT broker; also ``user@host:port``
``mqtts://host/robot/7?cafile=ca.pem``  the same over TLS; `cafile` holds the certificate that signed the broker's
``local:module:Class``                  a Python class in this process
``ros2://turtle1?domain=0``             a ROS 2 robot by DDS: its namespace, or nothing for none
``ros2+zenoh://host:7447/turtle1``      a ROS 2 robot by a zenoh router (docs/ros2.md has the options)
======================================  =====================================================================

A password stands in the address (``user:password@``, with ``%40`` for an @), or better outside it:
``?password_env=NAME`` takes it from an environment variable, ``?password_file=PATH`` from the first line of a file.
It is never shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.texts import is_encodable

SHOWN = 200
"""Number of characters of an address that are shown of a longer one."""

BAUD = 115200
"""Rate of a serial line whose address names none (bits per second); the e-puck's."""

MQTT_PORT, MQTTS_PORT = 1883, 8883
"""TCP ports of a broker whose address names none, without and with TLS."""

ZENOH_PORT = 7447
"""TCP port of a zenoh router whose address names none."""

SCHEMES = ("serial", "tcp", "mqtt", "mqtts", "local", "ros2", "ros2+zenoh")
KINDS = (
    "serial:///dev/ttyACM0?baud=115200, tcp://192.0.2.7:1000, mqtt://host/robot/7, local:module:Class or "
    "ros2://turtle1?domain=0"
)


class AddressError(DevsRoboticsError):
    """An address cannot be understood, or cannot be used."""


class SerialAddress(Struct, frozen=True):
    """A serial line: a device, or what else pyserial opens by a URL."""

    url: str
    baud: int = BAUD

    def __str__(self) -> str:
        prefix = "serial:" if "://" in self.url or not self.url.startswith("/") else "serial://"
        return f"{prefix}{self.url}?baud={self.baud}"


class TcpAddress(Struct, frozen=True):
    """A TCP server."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp://{_bracketed(self.host)}:{self.port}"


class MqttAddress(Struct, frozen=True):
    """A broker, how to be let in, and a prefix of topics at it.

    Attributes:
        prefix: without slashes at its ends; may be empty
        cafile: certificates that are trusted, for TLS; empty for those that the system trusts
    """

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = ""
    cafile: str = ""
    prefix: str = ""

    def __str__(self) -> str:
        """The address, as a URL without the password."""
        user = f"{quote(self.user, safe='')}{':***' if self.password else ''}@" if self.user else ""
        scheme = "mqtts" if self.tls else "mqtt"
        path = f"/{quote(self.prefix)}" if self.prefix else ""
        query = f"?cafile={quote(self.cafile)}" if self.cafile else ""
        return f"{scheme}://{user}{_bracketed(self.host)}:{self.port}{path}{query}"

    def __repr__(self) -> str:
        return f"MqttAddress({str(self)!r})"

    @property
    def broker(self) -> MqttAddress:
        """The same without a prefix."""
        return replace(self, prefix="")


class LocalAddress(Struct, frozen=True):
    """A Python class in this process: ``module:Class``."""

    target: str

    def __str__(self) -> str:
        return f"local:{self.target}"


class Ros2Address(Struct, frozen=True, kw_only=True):
    """A ROS 2 robot, by DDS or by a zenoh router.

    Attributes:
        name: its namespace, without slashes at its ends; empty for none
        host, port: of the zenoh router; an empty host for DDS
        options: what the address says besides, each as it was written
    """

    name: str = ""
    host: str = ""
    port: int = 0
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        place = f"ros2+zenoh://{_bracketed(self.host)}:{self.port}/{self.name}" if self.host else f"ros2://{self.name}"
        said = "&".join(f"{key}={quote(value, safe='/,:')}" for key, value in self.options)
        return f"{place}?{said}" if said else place

    def option(self, key: str, default: str = "") -> str:
        """What the address says of something."""
        return dict(self.options).get(key, default)

    @property
    def domain(self) -> int:
        """The domain of ROS."""
        return int(self.option("domain", "0"))

    @property
    def peers(self) -> tuple[str, ...]:
        """Hosts that are called directly."""
        return tuple(each for each in self.option("peers").split(",") if each)


Address: TypeAlias = SerialAddress | TcpAddress | MqttAddress | LocalAddress | Ros2Address


def parse(text: str) -> Address:
    """What an address says; its `str` is the address again, without the password.

    Raises:
        AddressError: it is none, or its password cannot be had
    """
    if not is_encodable(text):  # as of a byte on the command line that is no text
        raise _error(text, "has a byte that is no text in UTF-8: correct it")
    scheme, colon, rest = text.partition(":")
    if colon and scheme == "serial":
        return _serial(text, rest)
    if colon and scheme == "tcp":
        return _tcp(text)
    if colon and scheme in ("mqtt", "mqtts"):
        return _mqtt(text)
    if colon and scheme == "local":
        return _local(text, rest)
    if colon and scheme in ("ros2", "ros2+zenoh"):
        return _ros2(text, scheme)
    raise _error(text, f"is of no known kind: write {KINDS}")


def parse_mqtt(text: str) -> MqttAddress:
    """A broker, as ``HOST``, ``HOST:PORT`` or a URL: ``mqtt://...`` or ``mqtts://...``.

    Raises:
        AddressError: it is none, or its password cannot be had
    """
    address = parse(text if "://" in text else f"mqtt://{text}")
    if not isinstance(address, MqttAddress):
        raise _error(text, "is not that of an MQTT broker: write HOST:PORT, mqtt://HOST:PORT or mqtts://HOST:PORT")
    return address


def below(text: str, topic: str) -> str:
    """The text of an MQTT address with further levels of its topic."""
    place, mark, options = text.partition("?")
    return f"{place.rstrip('/')}/{topic}{mark}{options}"


def masked(text: str) -> str:
    """The text of an address, of whatever kind and however wrong, without its password; `KEY=` may stand before it."""
    scheme, slashes, rest = text.partition("://")
    key, _, kind = scheme.rpartition("=")
    if kind not in SCHEMES or ":" in key:  # then `://` may be part of the password
        scheme, slashes, rest = "", "", text
    user, colon, secret = rest.partition(":")
    if not colon or "@" not in secret:
        return text
    return f"{scheme}{slashes}{user}:***@{secret.rpartition('@')[2]}"


def shown(text: str) -> str:
    """The text of an address for people: without its password, and without where that comes from."""
    place, _, options = masked(text).partition("?")
    kept = [option for option in options.split("&") if option and not option.startswith("password_")]
    return "?".join([place, *(["&".join(kept)] if kept else [])])


def _serial(text: str, rest: str) -> SerialAddress:
    url, _, query = rest.removeprefix("//").partition("?")
    if not url:
        raise _error(text, "names no device: write serial:///dev/ttyACM0?baud=115200")
    baud = _options(text, query, ["baud"]).get("baud", str(BAUD))
    rate = _whole(baud)
    if rate is None or not 0 < rate < 2**31:
        raise _error(text, f"has the baud rate {baud[:SHOWN]!r}: write a whole number, such as baud={BAUD}")
    return SerialAddress(url, rate)


def _tcp(text: str) -> TcpAddress:
    parts = _split(text)
    host, port = _host(text, parts), _port(text, parts)
    if port is None:
        raise _error(text, "has no port: write tcp://HOST:PORT")
    if parts.path not in ("", "/") or parts.query or "@" in parts.netloc:
        raise _error(text, "says more than a host and a port: write tcp://HOST:PORT")
    return TcpAddress(host, port)


def _mqtt(text: str) -> MqttAddress:
    parts = _split(text)
    tls = parts.scheme == "mqtts"
    prefix = unquote(parts.path).strip("/")
    if any(sign in prefix for sign in "+#\0") or "//" in prefix:
        raise _error(text, "has +, #, or an empty part in its topic: write a plain one, such as robot/7")
    options = _options(text, parts.query, ["cafile", "password_env", "password_file"])
    cafile = options.get("cafile", "")
    if cafile and not tls:
        raise _error(text, "has a cafile but no TLS: write mqtts:// instead of mqtt://")
    if cafile and not Path(cafile).is_file():
        raise _error(text, f"names a cafile that does not exist: put the certificates into {cafile}, or correct it")
    user, password = unquote(parts.username or ""), _password(text, parts, options)
    if password and not user:
        raise _error(text, "has a password but no user: write mqtt://USER@HOST")
    port = _port(text, parts) or (MQTTS_PORT if tls else MQTT_PORT)
    return MqttAddress(_host(text, parts), port, tls, user, password, cafile, prefix)


def _password(text: str, parts: SplitResult, options: dict[str, str]) -> str:
    variable, file = options.get("password_env"), options.get("password_file")
    if sum(place is not None for place in (parts.password, variable, file)) > 1:
        raise _error(text, "has more than one password: keep one of user:password@, password_env and password_file")
    if variable is not None:
        if variable not in os.environ:
            raise _error(text, f"takes its password from the environment variable {variable}, which is not set: set it")
        return os.environ[variable]
    if file is not None:
        try:
            return Path(file).read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise _error(
                text, f"takes its password from {file}, which cannot be read ({reason}): correct its name"
            ) from None
    return unquote(parts.password or "")


def _local(text: str, rest: str) -> LocalAddress:
    module, _, name = rest.partition(":")
    if not (name.isidentifier() and module and all(part.isidentifier() for part in module.split("."))):
        raise _error(text, "names no class: write local:module:Class")
    return LocalAddress(rest)


_TOPICS = ("cmd", "odom", "scan", "battery", "hazards")
_DDS_OPTIONS = ("interface", "peers")
_ROS2_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*")
_ROS2_LISTS = {"range": 0, "light": 8, "proximity": 8, "ground": 3}
"""Options that name topics, and how many; 0: as many as there are."""

_ROS2_CHOICES = {
    "stamped": ("auto", "yes", "no"),
    "stamp": ("zero", "now"),
    "distro": ("humble", "iron", "jazzy", "kilted"),
    "bridge": ("ros2dds",),
}


def _ros2(text: str, scheme: str) -> Ros2Address:
    parts = _split(text)
    zenoh = scheme == "ros2+zenoh"
    if not text.partition(":")[2].startswith("//"):
        raise _error(text, "names no robot: write ros2://turtle1?domain=0, or ros2:// where it has no namespace")
    name = unquote(parts.path if zenoh else parts.netloc + parts.path).strip("/")
    if name and (_ROS2_NAME.fullmatch(name) is None or "__" in name):
        raise _error(text, f"has the namespace {masked(name)!r}: write letters, digits and single _, such as turtle1")
    known = ["domain", *_TOPICS, *_ROS2_LISTS, "delay", *_ROS2_CHOICES, *(() if zenoh else _DDS_OPTIONS)]
    known = [key for key in known if zenoh or key != "bridge"]
    options = _options(text, parts.query, known)
    _check_ros2(text, options)
    host, port = (_host(text, parts), _port(text, parts) or ZENOH_PORT) if zenoh else ("", 0)
    return Ros2Address(name=name, host=host, port=port, options=tuple(options.items()))


def _check_topics(text: str, options: dict[str, str]) -> None:
    names = [(key, options[key]) for key in _TOPICS if key in options]
    names += [(key, each) for key in _ROS2_LISTS if key in options for each in options[key].split(",")]
    for key, name in names:
        if _ROS2_NAME.fullmatch(name.removeprefix("/")) is None or "__" in name:
            raise _error(text, f"has {key}={name}, which is no name of a topic: write one such as {key}=odom")
        if names.count((key, name)) > 1:
            raise _error(text, f"names {name} twice by {key}=: each topic is one sensor")


def _check_ros2(text: str, options: dict[str, str]) -> None:
    domain = options.get("domain", "0")
    number = _whole(domain)
    if number is None or number > 101:
        raise _error(text, f"has the domain {domain[:SHOWN]!r}: write a whole number from 0 to 101")
    for key, allowed in _ROS2_CHOICES.items():
        if options.get(key, allowed[0]) not in allowed:
            raise _error(text, f"has {key}={options[key]}: write {' or '.join(f'{key}={each}' for each in allowed)}")
    _check_topics(text, options)
    for key, count in _ROS2_LISTS.items():
        if count and key in options and (given := options[key].count(",") + 1) != count:
            raise _error(text, f"names {given} topics by {key}=, and an e-puck2 has {count}: name all, in their order")
    if "delay" in options:
        try:
            delay = float(options["delay"])
        except ValueError:
            delay = 0.0
        if not 0.02 <= delay <= 2.0:
            raise _error(text, f"has delay={options['delay']}: write seconds from 0.02 to 2, such as delay=0.15")


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
    except ValueError:  # such as a bracket that is not closed
        raise _error(text, f"is malformed: write {KINDS}") from None
    if parts.fragment or "#" in text:
        raise _error(text, "has a # in it: write %23, or leave it out")
    return parts


def _host(text: str, parts: SplitResult) -> str:
    host = parts.hostname or ""
    if not text.partition(":")[2].startswith("//") or not host:
        raise _error(text, f"names no host: write {parts.scheme}://HOST")
    try:
        host.encode("idna")
    except UnicodeError:
        raise _error(text, "has no valid host: write a host's name or its IP address") from None
    if re.search(r"[\s\0%]", host):
        raise _error(text, "has no valid host: write a host's name or its IP address")
    return host


def _port(text: str, parts: SplitResult) -> int | None:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise _error(text, "has a port that is not a number from 1 to 65535: correct it")
    return port


def _options(text: str, query: str, known: Iterable[str]) -> dict[str, str]:
    given = parse_qsl(query, keep_blank_values=True)
    for key, _ in given:
        if key not in known:
            raise _error(text, f"has an option {key!r} that is unknown: there are {', '.join(known)}")
    if len(dict(given)) < len(given):
        raise _error(text, "gives an option twice: keep one")
    return dict(given)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _whole(text: str) -> int | None:
    """The number that digits say; None where they are none, or too many."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _error(text: str, sentence: str) -> AddressError:
    # raised `from None` where another error caused it, since that one might show the password
    return AddressError(f"the address {masked(text)[:SHOWN]!r} {sentence}")
