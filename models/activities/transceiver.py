"""Virtual transceivers: what a robot sends is carried by the `Air`."""

from __future__ import annotations

from devs_robotics import Actuator, Service
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.air import Reception, Transmit


class VirtualTransceiver(VirtualActivity):
    """A transceiver: it sends on a channel, and hears what is sent there in its range.

    Its states are those of a `VirtualActivity`.

    Ports:
        channel: what is sent, and what is heard, which comes unasked
        world: the same, to and from the `Air` in the world
    """

    channel = Service(Transmit, Reception)
    world = Actuator(Transmit, Reception)
