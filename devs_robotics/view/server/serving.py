"""Where and how a view is served."""

from __future__ import annotations

import errno
import ipaddress
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import available, sentence

HOST, PORT = "127.0.0.1", 8470
"""Where a view is served unless another place is given."""

TRIED = 50
"""Number of ports that are tried from the first one on, where none was asked for."""

NEEDED = ("starlette", "uvicorn", "websockets")
"""Packages of the extra ``[view]``."""


class ServingError(DevsRoboticsError):
    """A view cannot be served so."""


class Serving(Struct, frozen=True):
    """Where and how a view is served.

    Attributes:
        host: address to listen on, by which browsers reach it
        port: to listen on; 0: `PORT`, or the next one that is free
        control: whether viewers who have the token may pause a run, and so on
        certificate: file with a certificate and its key (PEM), for TLS
        viewers: most viewers at once
        kept: most that is kept of a run to look back in (MB)
        foxglove: port on which Foxglove and Lichtblick find the run, on this computer; 0: none
        page: whether there is a page for browsers
        ros2: address at which tools of ROS 2 find the run; empty: none
        clock: whether the run goes at another rate than the wall clock, so that these need its clock
        camera: file in which a camera above the field keeps its newest picture; empty: there is no camera
        pictures: most pictures of it per second
    """

    host: str = HOST
    port: int = 0
    control: bool = False
    certificate: str | None = None
    viewers: int = 8
    kept: int = 64
    foxglove: int = 0
    page: bool = True
    ros2: str = ""
    clock: bool = False
    camera: str = ""
    pictures: float = 5.0

    @property
    def is_local(self) -> bool:
        """Whether only this computer reaches it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def needs_token(self) -> bool:
        """Whether looking needs the token."""
        return not self.is_local

    @property
    def warning(self) -> str:
        """What is to be said before it is served; empty: nothing."""
        if self.is_local or self.certificate is not None:
            return ""
        return (
            f"--view-host {self.host}: what is seen, and the token, pass through the network unencrypted: "
            "give --view-certificate FILE"
        )

    def link(self, port: int, token: str = "") -> str:
        """The address of the page, once it is known on which port it is."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme = "http" if self.certificate is None else "https"
        return f"{scheme}://{host}:{port}/{f'#{token}' if token else ''}"


def check(serving: Serving) -> None:
    """See that a view can be served.

    Raises:
        ServingError: a package is missing, or the address or the certificate cannot be used
    """
    if not serving.page:
        return
    missing = [name for name in NEEDED if not available(name)]
    if missing:
        raise ServingError(sentence("a view needs", *missing))
    if serving.foxglove and not available("foxglove"):
        raise ServingError(sentence("--foxglove needs", "foxglove"))
    if serving.host in ("", "0.0.0.0", "::"):
        raise ServingError(
            f"--view-host {serving.host or '(empty)'} names no computer: give the address by which browsers reach this "
            "one, such as 192.168.1.5"
        )
    if serving.certificate is not None:
        path = Path(serving.certificate)
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(path)
        except (OSError, ssl.SSLError) as exc:
            why = exc.strerror or str(exc)
            raise ServingError(
                f"--view-certificate {path} cannot be used ({why}): give a file with a certificate and its key, in PEM"
            ) from exc


def listening(serving: Serving) -> socket.socket:
    """A socket that listens where a view is to be served.

    Raises:
        ServingError: the address or the port cannot be had
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(serving.host, None, type=socket.SOCK_STREAM)[0]
    except OSError as exc:
        raise ServingError(f"--view-host {serving.host} is no address: {exc.strerror or exc}") from exc
    for port in _ports(serving):
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((address[0], port))
            bound.listen(64)
        except OSError as exc:
            bound.close()
            if exc.errno == errno.EADDRNOTAVAIL:
                raise ServingError(
                    f"--view-host {serving.host} is no address of this computer: give the one by which browsers reach "
                    "it"
                ) from exc
            failure = exc
        else:
            return bound
    if serving.port:
        raise ServingError(
            f"--view-port {serving.port} cannot be had at {serving.host} ({failure.strerror or failure}): give another "
            "one, or leave it out"
        )
    raise ServingError(f"no port from {PORT} to {PORT + TRIED - 1} can be had at {serving.host}: give --view-port")


def _ports(serving: Serving) -> Iterator[int]:
    yield from [serving.port] if serving.port else range(PORT, PORT + TRIED)
