"""What plays equipment of a stand-in's own: asked and told by the messages of the JSON robot protocol."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from devs_robotics.hil.lab.surroundings import Surroundings
from devs_robotics.hil.robot_protocol import HEARTBEAT, Ask, Busy, Told

REMEMBERED = 1000
"""Number of requests that are remembered: they are answered again, and are never carried out twice."""


class AskedEquipment:
    """The equipment of one robot.

    Args:
        place: of the robot in the lab
        session: of the stand-in, which its messages name
        tell: gets each message

    Attributes:
        last: the largest id of what was asked, 0: nothing
    """

    def __init__(self, place: Surroundings, session: str, tell: Callable[[Told | Busy], None]) -> None:
        self.last = 0
        self._place, self._session, self._tell = place, session, tell
        self._told: OrderedDict[int, Told | Busy] = OrderedDict()
        """What it has answered, and what it is at."""

    def start(self) -> None:
        """Begin to tell what is told unasked."""
        for name, equipment in self._place.equipment.items():
            if equipment.speaks:
                self._place.agenda.every(HEARTBEAT, partial(self._listen_to, name))

    def is_for(self, ask: Ask) -> bool:
        """Whether a request is one to this robot, and to what it has."""
        return ask.robot == self._place.plan.robot and ask.name in self._place.equipment

    def ask(self, ask: Ask, is_abandoned: Callable[[], bool] = lambda: False) -> None:
        """Have a request carried out, once; whoever asks again meanwhile hears that it is at it.

        Args:
            ask: for which `is_for` holds
            is_abandoned: whether the host has fallen silent: what takes time is given up then, and begins anew if it
                is asked again
        """
        self.last = max(self.last, ask.id)
        if ask.id in self._told:
            self._tell(self._told[ask.id])
            return
        self._told[ask.id] = Busy(ask.robot, self._session, ask.id, ask.name)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        takes = self._place.equipment[ask.name].takes
        if takes:
            self._place.agenda.at(self._place.now + takes, lambda: self._done(ask, is_abandoned()))
        else:
            self._done(ask, abandoned=False)

    def _done(self, ask: Ask, abandoned: bool) -> None:
        if abandoned:
            self._told.pop(ask.id, None)
            return
        place = self._place
        data = place.equipment[ask.name].answer(ask.data, place.body.pose, place.now)
        self._told[ask.id] = Told(ask.robot, self._session, ask.id, ask.name, data)
        self._tell(self._told[ask.id])

    def _listen_to(self, name: str) -> None:
        """See whether it says something unasked."""
        place = self._place
        data = place.equipment[name].unasked(place.body.pose, place.now)
        if data is not None:
            self._tell(Told(place.plan.robot, self._session, 0, name, data))
