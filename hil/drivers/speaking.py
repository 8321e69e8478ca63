"""A device that has a protocol: it calls the protocol's hooks, and does what they say."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from devs_robotics import Fault, ModelError
from devs_robotics.core.faults import in_short
from devs_robotics.core.ports import component_path
from devs_robotics.core.user_code import described, described_with_place
from devs_robotics.hil.addresses import masked
from devs_robotics.hil.drivers.timed import TimedDevice
from devs_robotics.hil.protocols.events import Output
from devs_robotics.hil.protocols.protocol import Protocol

_logger = logging.getLogger(__name__)

MOST_OUTPUTS = 10_000
"""Number of things that a hook says in one call above which it is taken to go on for ever."""

T = TypeVar("T")


class SpeakingDevice(TimedDevice):
    """A device that has a protocol; a subclass says what is done about each thing that the protocol says.

    Args:
        address: where the robot is, as a URL, for people
        protocol: of the robot, used by nobody else

    Attributes:
        protocol: the same
    """

    def __init__(self, name: str, address: str, protocol: Protocol) -> None:
        super().__init__(name, protocol.robot, address, protocol.now)
        self.protocol = protocol
        self._last_dropped = ""
        self._stops: list[bytes] = []
        """What `stop_message` returned last."""

    @abstractmethod
    def react(self, output: Output) -> None:
        """Do something about what the protocol says."""

    def stop_message(self) -> Iterable[bytes]:
        """What stops the robot at once; where the protocol fails to say it, what it said before."""
        try:
            self._stops = _bytes_of(self.protocol.stop_message())
        except Exception as exc:
            if not self._stops:
                raise
            self.drop(f"`stop_message` of {type(self.protocol).__name__} failed: {described_with_place(exc)}")
        return self._stops

    def drop(self, why: str, count: int = 1) -> None:
        """Something came that was no valid message of this robot."""
        if count:
            if why not in self.dropped:
                _logger.warning("%s: a message is dropped, and so are others like it: %s", component_path(self), why)
            self.dropped[why] = self.dropped.get(why, 0) + count
            self._last_dropped = why

    def give_up(self, why: str) -> None:
        """The robot can no longer be used: stop it, and end the run.

        Args:
            why: the rest of a sentence that begins with the robot, with what to do about it
        """
        if not self.failed:
            remark = self.protocol.remark
            said = f"{why} ({remark})" if remark else why
            self._send_stop_message()
            self.tell(self.fault, Fault(self.robot, f"robot {self.robot} at {masked(self.address)} {said}"))
            self.fail()

    def _send_stop_message(self) -> None:
        for data in self.stop_message():
            self.send(data)

    def _do(self, hook: str, *given: Any) -> None:
        """Call a hook, and do what it says, one thing after the other; a generator goes on when each has been done."""
        name, said = f"`{hook}` of {type(self.protocol).__name__}", 0
        outputs = self._called(name, lambda: _outputs_of(getattr(self.protocol, hook)(*given)))
        while (output := self._called(name, lambda: next(outputs, None))) is not None:
            said += 1
            if said > MOST_OUTPUTS:
                raise ModelError(f"{name} says more than {MOST_OUTPUTS:,} things: let it end")
            try:
                self.react(output)
            except (TypeError, ValueError, AttributeError) as exc:
                raise ModelError(f"{name} said {in_short(output)}, which cannot be done: {described(exc)}") from exc

    def _asked(self, hook: str, *given: Any) -> Any:
        """What a hook answers."""
        return self._called(f"`{hook}` of {type(self.protocol).__name__}", lambda: getattr(self.protocol, hook)(*given))

    def _called(self, name: str, call: Callable[[], T]) -> T:
        """What a function of the protocol gives; what it raises is told with its name."""
        try:
            return call()
        except (ModelError, KeyboardInterrupt):
            raise
        except BaseException as exc:
            raise ModelError(f"{name} failed: {described_with_place(exc)}") from exc

    def _complaint(self) -> str:
        return f" (what came last was dropped: {self._last_dropped})" if self._last_dropped else ""


def _outputs_of(said: object) -> Iterator[Output]:
    """What a hook says, as an iterator."""
    if said is None:
        raise TypeError("it returned None: let it return () for nothing")
    if isinstance(said, bytes | str) or not isinstance(said, Iterable):
        raise TypeError(f"it returned {in_short(said)}: let it return a list, or be a generator")
    return iter(said)


def _bytes_of(said: Iterable[object]) -> list[bytes]:
    """A stop message, which must be bytes and must end."""
    message: list[bytes] = []
    for data in islice(said, MOST_OUTPUTS):
        if not isinstance(data, bytes):
            raise TypeError(f"{in_short(data)} is not bytes: let the stop message be a list of bytes")
        message.append(data)
    return message
