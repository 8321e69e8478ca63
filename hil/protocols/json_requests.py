"""What equipment of a JSON robot's own is asked: numbers by which each request is carried out once."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.events import GivenUp, Output
from devs_robotics.hil.robot_protocol import LARGEST, Ask, Busy, Data, Told

_encoder = msgspec.json.Encoder()


class JsonRequests:
    """The last request to each piece of equipment.

    Args:
        robot: its number
    """

    def __init__(self, robot: int) -> None:
        self._robot = robot
        self._last: dict[str, Ask] = {}
        self._unanswered: set[str] = set()

    @property
    def unanswered(self) -> str:
        """Names of the equipment that has been asked and has not answered, for people; empty for none."""
        return " and its ".join(sorted(self._unanswered))

    def ask(self, name: str, data: PlainData, again: bool, next_id: Callable[[], int]) -> Output:
        """The message that asks; a repeated one has the number that it had before."""
        request = self._last.get(name) if again else None
        if request is None:
            try:
                checked = msgspec.convert(data, Data)
            except msgspec.ValidationError as error:
                return _cannot_be_said(name, str(error))
            request = self._last[name] = Ask(self._robot, next_id(), name, checked)
        said = _encoder.encode(request)
        if len(said) > LARGEST:
            return _cannot_be_said(name, f"it is longer than {LARGEST} bytes")
        self._unanswered.add(name)
        return said

    def is_about(self, told: Told | Busy) -> bool:
        """Whether a message is about the last request to its equipment."""
        request = self._last.get(told.name)
        if request is None or told.id != request.id:
            return False
        if isinstance(told, Told):
            self._unanswered.discard(told.name)
        return True


def _cannot_be_said(name: str, why: str) -> GivenUp:
    return GivenUp(f"cannot be asked what its {name} is asked ({why}): keep to what docs/robot-protocol.md allows")
