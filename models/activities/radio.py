"""Virtual radio: what a robot says is carried by a `Radio` in the world."""

from __future__ import annotations

from devs_robotics import Actuator, Service
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.radio import Heard, Say


class VirtualRadio(VirtualActivity):
    """A transceiver: it says what a decision model says, and lets it hear what others say.

    Ports:
        channel: what is said, and what is heard, which comes unasked
        world: the same, to and from the `Radio` in the world
    """

    channel = Service(Say, Heard)
    world = Actuator(Say, Heard)
