"""What plays equipment of a ROS 2 stand-in's own: asked and told by JSON texts, on two topics."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

import msgspec

from devs_robotics.hil.lab.surroundings import Surroundings
from devs_robotics.hil.robot_protocol import HEARTBEAT, LARGEST, UNREADABLE, Ask, Busy, Told

REMEMBERED = 1000
"""Number of requests that are remembered: they are answered again, and are never carried out twice."""

_decoder: msgspec.json.Decoder[Ask] = msgspec.json.Decoder(Ask)


class Ros2Equipment:
    """The equipment of one robot.

    Args:
        place: of the robot in the lab
        tell: gets each text
    """

    def __init__(self, place: Surroundings, tell: Callable[[str], None]) -> None:
        self._place, self._tell = place, tell
        self._session = secrets.token_hex(8)
        self._told: OrderedDict[int, Told | Busy] = OrderedDict()

    def start(self) -> None:
        """Begin to tell what is told unasked."""
        for name, equipment in self._place.equipment.items():
            if equipment.speaks:
                self._place.agenda.every(HEARTBEAT, partial(self._listen_to, name))

    def asked(self, text: str) -> bool:
        """Carry out what is asked, once; returns whether it is a request to what the robot has."""
        place = self._place
        if len(text) > LARGEST:
            return False
        try:
            ask = _decoder.decode(text)
        except UNREADABLE:
            return False
        if ask.robot != place.plan.robot or ask.name not in place.equipment:
            return False
        if ask.id in self._told:
            self._say(self._told[ask.id])
            return True
        self._told[ask.id] = Busy(ask.robot, self._session, ask.id, ask.name)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        takes = place.equipment[ask.name].takes
        if takes:
            place.agenda.at(place.now + takes, lambda: self._done(ask))
        else:
            self._done(ask)
        return True

    def _done(self, ask: Ask) -> None:
        place = self._place
        data = place.equipment[ask.name].answer(ask.data, place.body.pose, place.now)
        self._told[ask.id] = Told(ask.robot, self._session, ask.id, ask.name, data)
        self._say(self._told[ask.id])

    def _listen_to(self, name: str) -> None:
        """See whether it says something unasked."""
        place = self._place
        data = place.equipment[name].unasked(place.body.pose, place.now)
        if data is not None:
            self._say(Told(place.plan.robot, self._session, 0, name, data))

    def _say(self, message: Told | Busy) -> None:
        self._tell(msgspec.json.encode(message).decode())
